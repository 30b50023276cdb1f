"""Records that bots have played, and what `parlour replay` says of texts made of them."""

import json
from functools import cache, partial
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from parlour_bots.tallies import Tally
from parlour_server.cli.replay import command
from parlour_server.records.bot_match import MatchPlan, run
from parlour_server.rulesets import load_ruleset

RULESETS = ("lrc", "classical", "classical-limit")


@cache
def record(ruleset: str, bots: str = "steady,steady,random,random", seed: int = 3) -> str:
    """The record of one match of one round."""
    plan = MatchPlan(partial(load_ruleset, ruleset), tuple(bots.split(",")), seed, 1, 1, program="a test")
    chunk = next(run(plan))
    assert chunk.failures == ()
    assert isinstance(chunk.tally, Tally)
    return chunk.lines[0]


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def written(values: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n" for value in values)


def replay(folder: Path, text: str | bytes, *arguments: str) -> Result:
    """What the command says of a file with this text."""
    file = folder / "record.jsonl"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return CliRunner().invoke(command, [str(file), *arguments])
