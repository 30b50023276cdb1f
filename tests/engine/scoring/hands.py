"""Hands for scoring tests: the ruleset as it is shipped, records in short, and winning hands by seed."""

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from parlour_engine.rulesets import OptionError, Ruleset, parse
from parlour_engine.scoring.payment import Settlement, settle
from parlour_engine.scoring.request import parse_request
from parlour_engine.scoring.tally import Score
from tests.engine.scoring.plain import HONOURS, KINDS, NUMBERS, ORPHANS

LRC_TOML = Path(__file__).parents[3] / "config" / "rulesets" / "lrc.toml"


@cache
def lrc() -> Ruleset:
    return parse(LRC_TOML.read_text(encoding="utf-8"), "lrc.toml")


def choose(name: str, options: Any) -> Ruleset:
    if name != "lrc":
        raise OptionError(f"no ruleset {name}")
    return lrc().with_options(options)


def record(hand: str, win: str = "", melds: str = "", flowers: str = "", **facts: Any) -> dict[str, Any]:
    """A record in short: `win` is "3m" (self-drawn) or "3m<W" (claimed from West); facts go where they belong."""
    by = facts.pop("by", "discard" if "<" in win else "self_draw")
    tile, _, giver = win.partition("<")
    how: dict[str, Any] = {"by": by} | ({"tile": tile} if tile else {}) | ({"from": giver} if giver else {})
    for key in ("replacement", "last_tile", "first_discard", "gong_on_gong"):
        if key in facts:
            how[key] = facts.pop(key)
    own = {"id": "test", "ruleset": "lrc", "hand": hand, "melds": melds.split(), "flowers": flowers}
    return own | {"seat": "S", "round": "W", "win": how} | facts


def settled(one: dict[str, Any]) -> Settlement:
    request = parse_request(one, choose)
    return settle(request.ruleset, [request.record])


def scored(one: dict[str, Any]) -> Score:
    return settled(one).entries[0].score


def lines(score: Score) -> dict[str, int]:
    """Award -> points of every line."""
    return {award.award: award.points for award in score.awards}


def winning_hand(seed: int) -> dict[str, Any]:
    """A record of a winning hand, never with a fifth tile of a kind; the same for the same seed."""
    random = Random(seed)
    while True:
        made = random.choice((_standard,) * 7 + (_nico, _thirteen, _sixteen))(random)
        if made is None:
            continue
        concealed, melds = made
        every = Counter(concealed) + Counter(tile for meld in melds for tile in _tiles(meld))
        if max(every.values()) <= 4:
            return _won(random, concealed, melds)


def _tiles(meld: str) -> list[str]:
    digits, letter = meld.strip("()")[:-1], meld.strip("()")[-1]
    return [digit + letter for digit in digits]


def _standard(random: Random) -> tuple[list[str], list[str]] | None:
    suits = random.choice(("m", "p", "s", "mp", "ps", "mps", "mps", "mps"))
    ranks = random.choice(("123456789", "123456789", "12345", "23456", "12378", "1789", "34567"))
    numbers = [rank + suit for suit in suits for rank in ranks]
    honours = random.choice(([], [], HONOURS, HONOURS[:4], HONOURS[4:]))
    chows = random.choice((0.0, 0.3, 0.7, 1.0))
    concealed: list[str] = []
    melds: list[str] = []
    declared = random.choice((0, 0, 0, 1, 2, 3, 4, 5))
    for place in range(5):
        starts = [tile for tile in numbers if int(tile[0]) <= 7]
        if starts and random.random() < chows:
            start = random.choice(starts)
            tiles = [f"{int(start[0]) + step}{start[1]}" for step in range(3)]
            texts = ["".join(tile[0] for tile in tiles) + start[1]]
        else:
            tile = random.choice(numbers + honours * 2)
            tiles = [tile] * 3
            texts = [tile[0] * 3 + tile[1], tile[0] * 4 + tile[1], f"({tile[0] * 4}{tile[1]})"]
        if place < declared:
            melds.append(random.choice(texts))
        else:
            concealed += tiles
    concealed += [random.choice(numbers + honours)] * 2
    return concealed, melds


def _nico(random: Random) -> tuple[list[str], list[str]] | None:
    kinds = random.choice((KINDS, NUMBERS[:9], NUMBERS[9:18] + HONOURS, HONOURS))
    pairs = [random.choice(kinds) for _ in range(7)]
    return pairs * 2 + [random.choice(kinds)] * 3, []


def _thirteen(random: Random) -> tuple[list[str], list[str]] | None:
    tile = random.choice(KINDS)
    concealed = [*ORPHANS, random.choice(ORPHANS)]
    if random.random() < 0.2:
        return concealed, [f"({tile[0] * 4}{tile[1]})"]
    if tile in NUMBERS and int(tile[0]) <= 7 and random.random() < 0.5:
        return concealed + [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)], []
    return concealed + [tile] * 3, []


def _sixteen(random: Random) -> tuple[list[str], list[str]] | None:
    concealed = list(HONOURS)
    for suit in "mps":
        low = random.randint(1, 3)
        middle = random.randint(low + 3, 6)
        concealed += [f"{rank}{suit}" for rank in (low, middle, random.randint(middle + 3, 9))]
    return [*concealed, random.choice(concealed)], []


def _won(random: Random, concealed: list[str], melds: list[str]) -> dict[str, Any]:
    random.shuffle(concealed)
    seat = random.choice("ESWN")
    facts: dict[str, Any] = {"seat": seat, "round": random.choice("ESWN")}
    flowers = random.sample(range(1, 9), random.choice((0, 0, 0, 1, 2, 4, 6)))
    if random.random() < 0.5:
        facts["tiles_on_table"] = random.choice((0, 3, 4, 5, 7, 8, 10, 11, 50))
    if random.random() < 0.2:
        facts["called"] = True
    if random.random() < 0.4:
        facts["streak"] = random.randint(0, 4)
    by = random.choice(("discard", "discard", "discard", "self_draw", "self_draw", "robbed_gong", "dealt"))
    if by == "dealt" and (melds or seat != "E"):
        by = "self_draw"
    win = ""
    if by == "dealt":
        facts["by"] = by
    else:
        win = concealed.pop()
        if by != "self_draw":
            giver = random.choice([wind for wind in "ESWN" if wind != seat])
            win += "<" + giver
            facts["by"] = by
            if by == "discard" and giver == "E" and random.random() < 0.3:
                facts["first_discard"] = True
        else:
            facts |= {"replacement": random.random() < 0.3, "last_tile": random.random() < 0.2}
            gongs = sum(len(_tiles(meld)) == 4 for meld in melds)
            facts["gong_on_gong"] = facts["replacement"] and gongs >= 2 and random.random() < 0.5
    return record("".join(concealed), win, " ".join(melds), "".join(f"{number}f" for number in flowers), **facts)
