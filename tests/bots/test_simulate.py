"""The command `parlour simulate`, as people and scripts use it."""

import json
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from parlour_bots import arena as arena_module
from parlour_bots.arena import Chunk, Failure
from parlour_bots.deals import BrokenDeal, DealRecord, index_deal
from parlour_bots.tallies import Tally
from parlour_engine.events import WIN_WAYS
from parlour_server.cli import simulate as simulate_module
from parlour_server.cli.out_folder import RECORDS
from parlour_server.cli.simulate import command
from parlour_server.records import bot_match
from parlour_server.records.bot_match import MatchPlan

PROGRAM = (sys.executable, "-c", "from parlour_server.cli import main; main()", "simulate")


def simulate(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_json_is_one_object_on_standard_output_and_nothing_else(tmp_path: Path) -> None:
    result = simulate("--deals", "30", "--seed", "7", "--jobs", "1", "--json", "--out", str(tmp_path))
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    summary = json.loads(result.stdout)
    records = [json.loads(line) for line in (tmp_path / RECORDS).read_text(encoding="utf-8").splitlines()]
    assert summary["records"] == str(tmp_path / RECORDS)
    assert [record["deal"] for record in records] == list(range(30))
    # The summary against its own records, counted here once more.
    won = [win for record in records for win in record["settlement"]["wins"]]
    assert summary["wins"] == {way: sum(win["by"] == way for win in won) for way in WIN_WAYS}
    assert summary["exhausted"] == sum(not record["settlement"]["wins"] for record in records)
    assert summary["decisions"] == sum(record["decisions"] for record in records)
    assert summary["mean_total"] == pytest.approx(sum(win["total"] for win in won) / len(won), abs=1e-4)
    for seat, line in enumerate(summary["seats"]):
        points = [record["settlement"]["changes"][seat] for record in records]
        assert line["bot"] == ("steady", "random", "random", "random")[seat]
        assert line["points"] == sum(points)
        assert line["wins"] == sum(win["seat"] == seat for win in won)
        assert line["mean"] == pytest.approx(sum(points) / 30, abs=1e-4)
        low, high = line["ci95"]
        assert low <= line["mean"] <= high
    assert summary["deals"] == 30
    assert summary["failures"] == []
    assert summary["seconds"] > 0
    assert summary["deals_per_second"] > 0


def test_the_report_says_what_people_ask_for() -> None:
    result = simulate("--deals", "20", "--bots", "steady, steady, random, random")
    assert result.exit_code == 0
    assert result.stderr == ""
    for words in ("20 deals in", "deals/s", "decisions/s", "by discard", "by self-draw", "by robbed gong"):
        assert words in result.stdout
    for words in ("by dealt hand", "by flowers", "wall exhausted", "points a deal", "95 % confidence"):
        assert words in result.stdout
    rows = [line.split()[:2] for line in result.stdout.splitlines()[-4:]]
    assert rows == [["0", "steady"], ["1", "steady"], ["2", "random"], ["3", "random"]]


def test_only_plays_that_deal_of_the_run(tmp_path: Path) -> None:
    whole, alone = tmp_path / "whole", tmp_path / "alone"
    simulate("--deals", "12", "--out", str(whole))
    result = simulate("--deals", "12", "--only", "11", "--json", "--out", str(alone))
    summary = json.loads(result.stdout)
    assert (summary["deals"], summary["only"], summary["seats"][0]["ci95"]) == (1, 11, None)
    assert (alone / RECORDS).read_text() == (whole / RECORDS).read_text().splitlines(keepends=True)[11]
    assert "one deal tells nothing" in simulate("--only", "11").stdout


def test_switches_are_read_by_their_type() -> None:
    options = ("calling=true", "base=10", "winners=nearest", "early_counts_melds=false")
    given = [word for option in options for word in ("--option", option)]
    summary = json.loads(simulate("--deals", "2", "--json", *given).stdout)
    assert summary["ruleset"]["key"] == "lrc"
    assert summary["ruleset"]["options"] == {
        "calling": True,
        "base": 10,
        "winners": "nearest",
        "early_counts_melds": False,
    }


@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        (["--bots", "steady,random"], "2 bots cannot play: name four"),
        (["--bots", "steady,random,random,hero"], "no bot is called 'hero': choose among random, steady"),
        (["--bots", ""], "name four"),
        (["--ruleset", "gravity"], "lrc; a file of your own ends in .toml"),
        (["--ruleset", "no-such-file.toml"], "no-such-file.toml"),
        (["--option", "calling"], "write it as calling=VALUE"),
        (["--option", "calling=yes"], "option calling of lrc may be true or false"),
        (["--option", "base=ten"], "option base of lrc may be a whole number"),
        (["--option", "base=-1"], "option base of lrc may be a whole number"),
        (["--option", "winners=first"], "all or nearest"),
        (["--option", "gravity=1"], "no option 'gravity'"),
        (["--deals", "0"], "--deals"),
        (["--deals", "many"], "--deals"),
        (["--jobs", "0"], "--jobs"),
        (["--only", "-1"], "--only"),
        (["--seed", "x"], "--seed"),
        # Options of which one would have no effect.
        (["--deals", "2", "--matches", "2"], "--deals plays single deals and --matches whole matches: give one"),
        (["--deals", "1000", "--matches", "2"], "give one of the two"),
        (["--rounds", "4", "--deals", "1"], "--rounds is the length of a match: add --matches N"),
        (["--rounds", "1"], "add --matches N, or leave it out"),
        (["--option", "winners=all", "--option", "winners=nearest"], "--option sets winners twice: give it once"),
        (["--option", "base=5", "--option", "base=5"], "--option sets base twice: give it once"),
        (["--between", "5", "1"], "--between 5 1 allows no total: write the least one first"),
        (["--deals", "3", "--only", "3"], "--only 3 is not in this run: --deals 3 counts from 0 to 2"),
        (["--matches", "3", "--only", "4"], "--only 4 is not in this run: --matches 3 counts from 0 to 2"),
    ],
)
def test_a_bad_argument_is_refused_with_its_cure(arguments: Sequence[str], cure: str) -> None:
    result = simulate(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert cure in result.stderr
    assert "Traceback" not in result.stderr


def test_a_folder_that_cannot_be_written_is_refused_with_its_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        result = simulate("--deals", "1", "--out", str(out))
        assert result.exit_code == 2
        assert "--out" in result.stderr
        assert "Traceback" not in result.stderr


def test_a_failed_deal_says_how_to_play_it_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def some_fail(ruleset: object, seed: int, index: int, bots: object) -> DealRecord:
        if index in (3, 4):
            raise BrokenDeal("a tile too many")
        return index_deal(ruleset, seed, index, bots)  # type: ignore[arg-type]  # passed on as they are

    monkeypatch.setattr(arena_module, "index_deal", some_fail)
    arguments = ("--deals", "6", "--seed", "9", "--option", "calling=true", "--out", str(tmp_path))
    result = simulate(*arguments, "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["deals"] == 4
    assert told["failures"] == [{"deal": index, "error": "BrokenDeal: a tile too many"} for index in (3, 4)]
    assert "deal 3 of seed 9 failed: BrokenDeal: a tile too many" in result.stderr
    again = "parlour simulate --seed 9 --bots steady,random,random,random --option calling=true --only 3"
    assert again in result.stderr
    lines = [json.loads(line) for line in (tmp_path / RECORDS).read_text().splitlines()]
    assert lines[3] == {"deal": 3, "seed": 9, "failed": "BrokenDeal: a tile too many"}
    alone = simulate(*again.split()[2:])
    assert alone.exit_code == 1
    assert "Traceback" in alone.stderr
    assert "some_fail" in alone.stderr


def begin(folder: Path, jobs: str) -> "subprocess.Popen[bytes]":
    """A run that is long under way: its records have been begun."""
    run = subprocess.Popen(
        [*PROGRAM, "--deals", "1000000", "--jobs", jobs, "--out", str(folder)],
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A shell starts what is in its background deaf to Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 # one thread
    )
    begun = threading.Event()
    while not any(folder.iterdir()):
        assert run.poll() is None
        begun.wait(0.05)
    return run


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_leaves_nothing_half_written(tmp_path: Path, jobs: str, number: signal.Signals) -> None:
    run = begin(tmp_path, jobs)
    if number == signal.SIGINT:
        os.killpg(run.pid, number)  # a terminal tells all
    else:
        run.send_signal(number)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert errors == b"parlour: interrupted, nothing was written\n"
    assert list(tmp_path.iterdir()) == []


def test_interrupted_it_tells_of_the_matches_that_are_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A match is there as soon as it is whole; Ctrl-C comes in the third."""

    def played(plan: MatchPlan, jobs: int) -> Iterator[Chunk]:
        for index in range(2):
            yield Chunk(range(index, index + 1), (f"match {index}\n",), Tally(), ())
        raise KeyboardInterrupt

    monkeypatch.setattr(bot_match, "run", played)
    result = simulate("--matches", "5", "--out", str(tmp_path))
    assert result.exit_code == 130
    assert result.stderr == f"parlour: interrupted, 2 files of records written to {tmp_path}, each whole\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match-00000.jsonl", "match-00001.jsonl"]


@pytest.mark.parametrize("arguments", [["--deals", "2"], ["--matches", "1"], ["--deals", "2", "--only", "1"]])
@pytest.mark.parametrize(
    ("there", "told"),
    [
        (["deals.jsonl"], "(deals.jsonl)"),
        (["match-00002.jsonl"], "(match-00002.jsonl)"),
        (["match-00000.jsonl", "match-00001.jsonl", "match-100000.jsonl"], "(match-00000.jsonl and 2 more)"),
    ],
)
def test_a_folder_that_holds_another_runs_records_is_refused(
    tmp_path: Path, arguments: list[str], there: list[str], told: str
) -> None:
    for name in there:
        (tmp_path / name).write_text("an older one\n")
    result = simulate(*arguments, "--out", str(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"--out {tmp_path} holds records of another run {told}: name a new or empty folder" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == there
    assert {(tmp_path / name).read_text() for name in there} == {"an older one\n"}


def test_a_folder_with_other_files_is_free(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("of the club\n")
    (tmp_path / "new").mkdir()
    for out in (tmp_path, tmp_path / "new", tmp_path / "not" / "yet"):
        assert simulate("--deals", "1", "--out", str(out)).exit_code == 0
        assert len((out / RECORDS).read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--deals", "1"], "1 deal in "),
        (["--deals", "2"], "2 deals in "),
        (["--deals", "5", "--only", "4"], "1 deal in "),
        (["--matches", "1", "--bots", "steady,steady,steady,steady"], " of 1 match in "),
        (["--matches", "2", "--bots", "steady,steady,steady,steady"], " of 2 matches in "),
    ],
)
def test_one_is_no_plural(arguments: list[str], told: str) -> None:
    assert told in simulate(*arguments).stdout.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "failed", "told"),
    [
        (["--deals", "20"], 11, "and 1 more deal failed"),
        (["--deals", "20"], 12, "and 2 more deals failed"),
        (["--matches", "20"], 11, "and 1 more match failed"),
        (["--matches", "20"], 12, "and 2 more matches failed"),
    ],
)
def test_many_failures_are_counted(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], failed: int, told: str
) -> None:
    def played(plan: object, jobs: int) -> Iterator[Chunk]:
        yield Chunk(range(20), (), Tally(), tuple([Failure(index, "x", "") for index in range(failed)]))

    monkeypatch.setattr(bot_match, "run", played)
    monkeypatch.setattr(simulate_module, "run", played)
    result = simulate(*arguments)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == f"parlour: {told}"


AS_ONE_BEGINS = """
import os
from multiprocessing import util
from parlour_server.cli import main

spawn = util.spawnv_passfds

def spawn_and_be_told(*arguments):
    pid = spawn(*arguments)
    if any(b"spawn_main" in os.fsencode(part) for part in arguments[1]):
        os.kill(os.getpid(), {number})
    return pid

util.spawnv_passfds = spawn_and_be_told
if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_as_it_begins_a_process_it_leaves_none_half_told(tmp_path: Path, number: signal.Signals) -> None:
    run = subprocess.run(
        [
            *(sys.executable, "-c", AS_ONE_BEGINS.format(number=int(number)), "simulate"),
            *("--deals", "1000000", "--jobs", "2", "--out", str(tmp_path)),
        ],
        capture_output=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert run.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert run.stderr == b"parlour: interrupted, nothing was written\n"
    assert list(tmp_path.iterdir()) == []


def test_killed_outright_it_leaves_no_process_behind(tmp_path: Path) -> None:
    run = begin(tmp_path, "2")
    run.kill()
    # Whoever lives on holds the other end of the pipe, and it would not end.
    run.communicate(timeout=60)
    assert run.returncode == -signal.SIGKILL


def test_a_terminal_sees_a_bar_and_a_pipe_does_not() -> None:
    arguments = [*PROGRAM, "--deals", "60"]
    leader, follower = pty.openpty()
    shown = subprocess.run(
        arguments, stdout=subprocess.PIPE, stderr=follower, env={**os.environ, "TERM": "xterm"}, check=True
    )
    os.close(follower)
    bar = os.read(leader, 65536)
    os.close(leader)
    assert b"60/60" in bar
    assert b"deals in" in shown.stdout
    piped = subprocess.run(arguments, capture_output=True, check=True)
    assert piped.stderr == b""
