"""Whatever is changed in a record is found: every bit of what decides the wall, and under a seal every bit at all."""

import json
import random
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_server.fairness.seal import Signer, sealed
from tests.server.fairness.built import MATCH, broken_off, checked, fair_record, problem, without_seal

RULESETS = ("lrc", "classical", "classical-limit")


@pytest.mark.parametrize("reveal", ["deal", "match"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_honest_match_is_found_right(ruleset: str, reveal: Any) -> None:
    replay = checked(fair_record(ruleset, 5, reveal).encode())
    assert replay.seal is not None
    assert replay.shuffles.match == MATCH
    assert [*replay.shuffles.deals] == list(range(1, replay.deals + 1))
    assert all(shuffle.seed for shuffle in replay.shuffles.deals.values())


def flipped(octets: bytes, bit: int) -> bytes:
    changed = bytearray(octets)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@given(st.data())
def test_a_sealed_record_has_no_bit_that_can_be_another(data: st.DataObject) -> None:
    octets = broken_off().encode()
    bit = data.draw(st.integers(0, 8 * len(octets) - 1))
    assert problem(flipped(octets, bit)) is not None


def test_no_bit_of_the_seal_can_be_another() -> None:
    octets = broken_off().encode()
    first = 8 * octets.index(b'{"row":"seal"')
    chance = random.Random(7)
    for bit in chance.sample(range(first, 8 * len(octets)), 200):
        assert problem(flipped(octets, bit)) is not None, bit


@cache
def spans() -> dict[str, tuple[int, int]]:
    """Where in the unsealed record stand the values that decide the first wall."""
    octets = without_seal(broken_off()).encode()

    def span(before: bytes, length: int) -> tuple[int, int]:
        at = octets.index(before) + len(before)
        return at, at + length

    wall = octets.index(b'"wall":"')
    return {
        "commit": span(b'"commit":"', 64),
        "seed": span(b'"seed":"', 64),
        "nonce 0": span(b'"nonces":["', 32),
        "nonce 2": span(b'",null,"', 32),
        "context": span(b'"context":"', 60),
        "dice": span(b'"dice":[', 5),
        "wall": (wall + 8, wall + 8 + 288),
    }


@given(st.data(), st.sampled_from(["commit", "seed", "nonce 0", "nonce 2", "context", "dice", "wall"]))
def test_what_decides_the_wall_cannot_be_another_even_without_a_seal(data: st.DataObject, what: str) -> None:
    octets = without_seal(broken_off()).encode()
    start, end = spans()[what]
    bit = data.draw(st.integers(8 * start, 8 * end - 1))
    assert problem(flipped(octets, bit)) is not None


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def written(values: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n" for value in values)


def place(told: list[dict[str, Any]], event: str, nth: int = 0) -> int:
    return [at for at, row in enumerate(told) if row.get("event", {}).get("e") == event][nth]


def renumbered(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The versions counted anew, as one who forges a record would."""
    version = 0
    for row in told[1:]:
        if row["row"] == "event":
            version += 1
        if "version" in row:
            row["version"] = version
    return told


def forged(change: str) -> tuple[str, str]:
    """An unsealed match of two revealed deals with a change, and what is to be said of it."""
    told = rows(without_seal(broken_off(deals=2)))
    committed, fixed, revealed = [place(told, f"shuffle_{what}") for what in ("committed", "fixed", "revealed")]
    event = {what: told[place(told, f"shuffle_{what}")]["event"] for what in ("committed", "fixed", "revealed")}
    wall = next(at for at, row in enumerate(told) if row.get("row") == "wall")
    second = place(told, "shuffle_committed", 1)
    match change:
        case "order of nonces":
            nonces = event["fixed"]["nonces"]
            nonces[0], nonces[2] = nonces[2], nonces[0]
            return written(told), "give another wall"
        case "a nonce left out":
            event["fixed"]["nonces"][2] = None
            return written(told), "give another wall"
        case "three nonces":
            event["fixed"]["nonces"].pop()
            return written(told), "four seats"
        case "unused tiles swapped":
            # The reserve is never drawn, so that only the shuffle can tell: two tiles in the middle of what is left.
            text = told[wall]["wall"]
            tiles = [text[at : at + 2] for at in range(0, len(text), 2)]
            one = 110
            other = next(at for at in range(one + 1, 144) if tiles[at] != tiles[one])
            tiles[one], tiles[other] = tiles[other], tiles[one]
            told[wall]["wall"] = "".join(tiles)
            return written(told), "give another wall"
        case "commitment after the nonces":
            told[committed], told[fixed] = told[fixed], told[committed]
            return written(renumbered(told)), "before its commitment"
        case "nonces after the wall":
            told.insert(wall + 1, told.pop(fixed))
            return written(renumbered(told)), "what the seats add was told before it"
        case "commitment after the wall":
            told.insert(wall - 1, told.pop(committed))
            told.insert(wall - 1, told.pop(fixed))
            return written(renumbered(told)), ""
        case "no commitment to the second deal":
            del told[second : second + 2]
            return written(renumbered(told)), "no commitment was told before it"
        case "no commitment to the first deal":
            del told[revealed]
            del told[committed : committed + 2]
            return written(renumbered(told)), "the deals before it were not"
        case "two commitments":
            told.insert(committed, deepcopy(told[committed]))
            return written(renumbered(told)), "was committed to before"
        case "nonces twice":
            told.insert(fixed, deepcopy(told[fixed]))
            return written(renumbered(told)), "was told before"
        case "seed never shown":
            del told[revealed]
            return written(renumbered(told)), "was never shown"
        case "seed shown twice":
            told.insert(revealed, deepcopy(told[revealed]))
            return written(renumbered(told)), "was shown before"
        case "seed shown while it is played":
            told.insert(place(told, "discard") + 1, told.pop(revealed))
            return written(renumbered(told)), "the deal goes on"
        case "seed of no deal":
            event["revealed"]["deal"] = 7
            return written(told), "never committed to"
        case "another deal's commitment":
            event["committed"]["context"] = event["committed"]["context"].replace("deal:1", "deal:2")
            return written(told), "the commitment is for"
        case "another match's commitment":
            event["committed"]["context"] = event["committed"]["context"].replace(MATCH, MATCH[::-1])
            return written(told), "the commitment is for"
        case "another ruleset's commitment":
            event["committed"]["context"] = event["committed"]["context"].replace("rules:", "rules:0")
            return written(told), "the commitment is for"
        case "another match in the header":
            told[0]["match"] = MATCH[::-1]
            return written(told), "the commitment is for"
        case "a match that has no name but a text":
            told[0]["match"] = "x" * 70_000
            return written(told), "32 digits in hex"
        case "other dice":
            # Those of the event that tells them, too: only the shuffle knows better.
            dice = [7 - die for die in told[wall]["dice"]]
            told[wall]["dice"] = dice
            told[place(told, "deal_started")]["event"]["dice"] = dice
            return written(told), "the dice are"
        case "a commitment to a later deal":
            event["committed"]["deal"] = 2
            return written(told), "has no place here"
        case "an unknown key":
            event["committed"]["more"] = 1
            return written(told), "unknown key"
        case "a nonce that is no text":
            event["fixed"]["nonces"][0] = 7
            return written(told), "expected a text"
        case "capital letters":
            event["fixed"]["nonces"][0] = event["fixed"]["nonces"][0].upper()
            return written(told), "small letters"
        case "another version":
            told[fixed]["version"] += 1
            return written(told), "version"
        case _:
            raise AssertionError(change)


FORGERIES = [
    "order of nonces",
    "a nonce left out",
    "three nonces",
    "unused tiles swapped",
    "commitment after the nonces",
    "nonces after the wall",
    "commitment after the wall",
    "no commitment to the second deal",
    "no commitment to the first deal",
    "two commitments",
    "nonces twice",
    "seed never shown",
    "seed shown twice",
    "seed shown while it is played",
    "seed of no deal",
    "another deal's commitment",
    "another match's commitment",
    "another ruleset's commitment",
    "another match in the header",
    "a match that has no name but a text",
    "other dice",
    "a commitment to a later deal",
    "an unknown key",
    "a nonce that is no text",
    "capital letters",
    "another version",
]


@pytest.mark.parametrize("change", FORGERIES)
def test_a_forgery_is_found_even_under_a_seal_of_its_own(change: str) -> None:
    text, said = forged(change)
    for record in (text, sealed(text, Signer(bytes(32)))):
        found = problem(record)
        assert found is not None
        assert said in found


def test_a_deal_that_is_broken_off_shows_its_seed_as_well() -> None:
    told = rows(without_seal(broken_off()))
    revealed = place(told, "shuffle_revealed")
    shown = told.pop(revealed)
    discard = place(told, "discard", 3)
    end = told.pop()
    cut = renumbered([*told[: discard + 1], shown, end])
    assert problem(written(cut)) is None
    assert "was never shown" in str(problem(written(renumbered([*told[: discard + 1], end]))))
    # And one that was committed to and never dealt.
    first = place(told, "shuffle_committed")
    assert problem(written(renumbered([*told[: first + 1], shown, end]))) is None
    changed = deepcopy(shown)
    changed["event"]["seed"] = "00" * 32
    assert "line " in str(problem(written(renumbered([*told[: first + 1], changed, end]))))


def test_a_header_without_a_name_takes_that_of_the_first_commitment() -> None:
    told = rows(without_seal(broken_off(deals=2)))
    told[0]["match"] = None
    assert checked(written(told).encode()).shuffles.match == MATCH
    second = told[place(told, "shuffle_committed", 1)]["event"]
    second["context"] = second["context"].replace(MATCH, MATCH[::-1])
    assert "the commitment is for" in str(problem(written(told)))
    first = told[place(told, "shuffle_committed")]["event"]
    first["context"] = "table:T1|hand:1"
    assert "the commitment is for table:T1" in str(problem(written(told)))


@pytest.mark.parametrize("name", [["shuffle_committed"], {"shuffle_fixed": 1}, None, 7, "shuffle_other"])
def test_an_event_that_is_called_by_no_text_is_found(name: object) -> None:
    told = rows(without_seal(broken_off()))
    told[place(told, "shuffle_fixed")]["event"]["e"] = name
    assert problem(written(told)) is not None
