"""`parlour verify` says what was checked, what could not be, and stops at the first thing that is wrong."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from parlour_server.cli.replay import command as replay_command
from parlour_server.cli.simulate import command as simulate_command
from parlour_server.cli.verify import command
from parlour_server.fairness.deals import FairDeals
from parlour_server.fairness.seal import Signer, sealed
from tests.server.fairness.built import MATCH, SIGNER, broken_off, fair_record, without_seal


def verify(folder: Path, text: str | bytes, *arguments: str) -> Result:
    """What the command says of a file with this text."""
    file = folder / "record.jsonl"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return CliRunner().invoke(command, [str(file), *arguments])


@pytest.mark.parametrize("ruleset", ["lrc", "classical", "classical-limit"])
def test_an_honest_match_in_plain_words(tmp_path: Path, ruleset: str) -> None:
    text = fair_record(ruleset)
    result = verify(tmp_path, text, "--key", SIGNER.key.upper())
    assert (result.exit_code, result.stderr) == (0, "")
    header, *deals, seal = result.stdout.splitlines()
    rows = [json.loads(line) for line in text.splitlines()]
    walls = [(at, row) for at, row in enumerate(rows, 1) if row.get("row") == "wall"]
    events = [row["event"] for row in rows if row.get("row") == "event"]
    assert header == f"{ruleset} {rows[0]['ruleset']['version']}, match {MATCH}: {len(walls)} deals"
    assert len(deals) == len(walls)
    assert f"the wall in line {walls[0][0]} and the dice are what both give" in deals[0]
    assert "seats 0 (Ann) and 2 (Cat) added a part, seats 1 and 3 nothing" in deals[0]
    assert "seats 0 (Ann), 2 (Cat) and 3 (Dan) added a part, seat 1 nothing" in deals[1]
    assert all(line.endswith("paid as the rules say") for line in deals)
    told: list[tuple[int, int]] = []
    for event in events:
        if event["e"] == "deal_started":
            told.append((0, 0))
        elif event["e"] == "draw":
            head, tail = told[-1]
            told[-1] = (head + 1, tail) if event["source"] == "wall" else (head, tail + 1)
    for line, (head, tail) in zip(deals, told, strict=True):
        assert f"{head} draw{'s' if head != 1 else ''} from its head and {tail} from its tail are that wall's" in line
    assert seal == f"seal: every line is as it was signed with the key {SIGNER.key}"


def test_whose_key_it_is_has_to_be_asked(tmp_path: Path) -> None:
    result = verify(tmp_path, fair_record())
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("not checked: whose key that is")


def test_another_houses_seal(tmp_path: Path) -> None:
    text = sealed(without_seal(fair_record()), Signer(bytes(32)))
    assert verify(tmp_path, text).exit_code == 0
    result = verify(tmp_path, text, "--key", SIGNER.key)
    assert result.exit_code == 1
    assert f"line {len(text.splitlines())}: the seal: it was made with the key" in result.stderr


def test_without_a_seal(tmp_path: Path) -> None:
    text = without_seal(fair_record())
    result = verify(tmp_path, text)
    assert result.exit_code == 0
    assert "not checked: whether it is as its house wrote it: it has no seal" in result.stdout
    result = verify(tmp_path, text, "--key", SIGNER.key)
    assert result.exit_code == 1
    assert "it has no seal, and --key insists on one" in result.stderr


def test_a_record_that_is_still_being_written(tmp_path: Path) -> None:
    lines = without_seal(fair_record(reveal="deal")).splitlines(keepends=True)
    at = next(place for place, line in enumerate(lines) if '"deal_started","deal":3' in line)
    result = verify(tmp_path, "".join(lines[: at + 1]))
    assert result.exit_code == 0
    first, second, third = result.stdout.splitlines()[1:4]
    assert "the seed is the one committed to" in first
    assert "paid as the rules say" in second
    assert third.endswith("0 draws from its head and 0 from its tail are that wall's; it was not played to its end")
    assert (
        "not checked: the walls of the deals from 3 on: the record stops before their seeds are shown" in result.stdout
    )


def test_what_is_wrong_is_told_after_what_was_right(tmp_path: Path) -> None:
    text = fair_record(reveal="deal")
    at = [place for place, line in enumerate(text.splitlines()) if '"shuffle_revealed"' in line][1]
    lines = text.splitlines(keepends=True)
    lines[at] = lines[at].replace('"seed":"', '"seed":"00')[:-6] + '"}}\n'
    result = verify(tmp_path, "".join(lines))
    assert result.exit_code == 1
    first, second = result.stdout.splitlines()[1:3]
    assert "the seed is the one committed to" in first
    assert "the seed is the one committed to" not in second
    assert f"line {at + 1}: " in result.stderr


def test_a_wall_that_nobody_added_to(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in without_seal(broken_off()).splitlines()]
    deals = FairDeals(MATCH, rows[0]["ruleset"]["digest"], bytes)
    commitment = deals.commit(1)
    told = {row["event"]["e"]: row for row in rows if row.get("row") == "event" and "shuffle" in row["event"]["e"]}
    told["shuffle_committed"]["event"]["commit"] = commitment.commit
    told["shuffle_fixed"]["event"]["nonces"] = [None] * 4
    shown = told["shuffle_revealed"]
    shown["event"]["seed"] = commitment.seed
    # It ends before the wall is laid: the deal is broken off at once.
    fixed = rows.index(told["shuffle_fixed"])
    shown["version"] = rows[fixed]["version"] + 1
    text = "".join(json.dumps(row) + "\n" for row in [*rows[: fixed + 1], shown, rows[-1]])
    result = verify(tmp_path, text)
    assert result.exit_code == 0, result.stderr
    assert "no seat added anything; it was never dealt" in result.stdout


def test_a_deal_that_was_never_dealt(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in without_seal(broken_off()).splitlines()]
    shown = next(row for row in rows if row.get("event", {}).get("e") == "shuffle_revealed")
    first = next(at for at, row in enumerate(rows) if row.get("event", {}).get("e") == "shuffle_committed")
    shown["version"] = rows[first]["version"] + 1
    text = "".join(json.dumps(row) + "\n" for row in [*rows[: first + 1], shown, rows[-1]])
    result = verify(tmp_path, text)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].endswith("before the seats added anything; it was never dealt")


def test_records_of_the_arena_say_what_cannot_be_checked(tmp_path: Path) -> None:
    out = tmp_path / "out"
    bots = ["--bots", "random,random,random,random", "--seed", "3", "--out", str(out)]
    assert CliRunner().invoke(simulate_command, ["--ruleset", "lrc", "--deals", "2", *bots]).exit_code == 0
    result = CliRunner().invoke(command, [str(out / "deals.jsonl")])
    assert result.exit_code == 0
    assert result.stdout.startswith("2 deals")
    assert "not checked: the walls and who wrote this" in result.stdout
    assert CliRunner().invoke(command, [str(out / "deals.jsonl"), "--key", SIGNER.key]).exit_code == 1
    matches = tmp_path / "matches"
    bots = ["--bots", "steady,steady,steady,steady", "--seed", "3", "--out", str(matches)]
    arguments = ["--ruleset", "classical", "--matches", "1", "--rounds", "1", *bots]
    assert CliRunner().invoke(simulate_command, arguments).exit_code == 0
    result = CliRunner().invoke(command, [str(matches / "match-00000.jsonl")])
    assert result.exit_code == 0
    assert "not checked: whether the walls were fair: the record tells no commitments" in result.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "the record is empty"), ("nonsense\n", "not JSON"), ('{"record":2}\n', "key"), ("\x00", "not UTF-8")],
)
def test_what_cannot_be_read(tmp_path: Path, text: str, said: str) -> None:
    result = verify(tmp_path, text)
    assert result.exit_code == 2
    assert "line 1: " in result.stderr
    assert said in result.stderr


def test_a_key_that_is_none(tmp_path: Path) -> None:
    result = verify(tmp_path, fair_record(), "--key", "abc")
    assert result.exit_code == 2
    assert "64 digits in hex" in result.stderr


def test_replay_checks_the_shuffle_and_the_seal_too(tmp_path: Path) -> None:
    file = tmp_path / "record.jsonl"
    file.write_text(fair_record(), encoding="utf-8")
    assert CliRunner().invoke(replay_command, [str(file)]).exit_code == 0
    file.write_text(fair_record().replace('"signature":"', '"signature":"00')[:-5] + '"}\n', encoding="utf-8")
    result = CliRunner().invoke(replay_command, [str(file)])
    assert result.exit_code == 1
    assert "the seal: its signature is not one of the key" in result.stderr
    assert CliRunner().invoke(replay_command, [str(file), "--step"]).exit_code == 1


def test_the_steps_of_a_replay_tell_the_shuffle(tmp_path: Path) -> None:
    file = tmp_path / "record.jsonl"
    file.write_text(fair_record(reveal="deal"), encoding="utf-8")
    result = CliRunner().invoke(replay_command, [str(file), "--step"])
    assert result.exit_code == 0
    events = [json.loads(line).get("event", {}) for line in fair_record(reveal="deal").splitlines()]
    for event in events:
        if event.get("e") == "shuffle_committed":
            assert f"The wall of deal {event['deal']} is committed to: {event['commit']}" in result.stdout
        elif event.get("e") == "shuffle_revealed":
            assert f"The seed of deal {event['deal']} was {event['seed']}" in result.stdout
    assert "Added to it by Ann, Cat, Dan.\n" in result.stdout
    assert "Added to it by Ann, Cat.\n" in result.stdout
    # After the seed comes the next commitment, and no hands of the deal that is over.
    lines = result.stdout.splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("The seed of deal 1"))
    assert lines[at + 2].startswith("The wall of deal 2")
