"""The classical rulesets as they are shipped, and records of their hands and tables in short."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from parlour_engine.rulesets import OptionError, Ruleset, parse
from parlour_engine.scoring.payment import Settlement, settle
from parlour_engine.scoring.request import parse_request, parse_table
from parlour_engine.scoring.tally import Score, score

ROOT = Path(__file__).parents[3]
FREE, LIMIT = "classical", "classical-limit"
NAMES = (FREE, LIMIT)


@cache
def ruleset(name: str) -> Ruleset:
    return parse((ROOT / "config" / "rulesets" / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")


def choose(name: str, options: Any) -> Ruleset:
    if name not in NAMES:
        raise OptionError(f"no ruleset {name}")
    return ruleset(name).with_options(options)


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (ROOT / "tests" / "cases" / f"{name}.jsonl").read_text("utf-8").splitlines()]


def hand(tiles: str, win: str = "", melds: str = "", **facts: Any) -> dict[str, Any]:
    """A record: `win` is "3m" (drawn), "3m<W" (claimed from West), "dealt" or, for a hand that did not win, "". South's
    in the East round, in `classical`, unless the facts say otherwise."""
    how: dict[str, Any] | None = None
    if win == "dealt":
        how = {"by": "dealt"}
    elif win:
        tile, _, giver = win.partition("<")
        how = {"tile": tile, "by": "discard", "from": giver} if giver else {"tile": tile, "by": "self_draw"}
        for key in ("by", "replacement", "last_tile", "first_discard", "gong_on_gong"):
            if key in facts:
                how[key] = facts.pop(key)
    own = {"id": "test", "ruleset": FREE, "hand": tiles, "melds": melds.split(), "flowers": ""}
    return own | {"seat": "S", "round": "E", "win": how} | facts


def limited(tiles: str, win: str = "", melds: str = "", **facts: Any) -> dict[str, Any]:
    """The same in `classical-limit`."""
    return hand(tiles, win, melds, ruleset=LIMIT, **facts)


def scored(record: dict[str, Any]) -> Score:
    request = parse_request(record, choose)
    return score(request.ruleset, request.record)


def points(record: dict[str, Any]) -> dict[str, int]:
    """award -> points of every line that gives any."""
    return {award.award: award.points for award in scored(record).awards if award.points}


def doubles(record: dict[str, Any]) -> dict[str, int]:
    """award -> doubles of every line that gives any."""
    return {award.award: award.doubles for award in scored(record).awards if award.doubles}


def table(winner: str, name: str = FREE, **facts: Any) -> dict[str, Any]:
    """A whole table: E, S, W and N are hands, without what the table states once."""
    hands = {
        seat: {key: value for key, value in facts.pop(seat).items() if key in ("hand", "melds", "win")}
        for seat in "ESWN"
    }
    return {"id": "test", "ruleset": name, "round": "E", "flowers": "", "winner": winner, "hands": hands} | facts


def settled(request: dict[str, Any]) -> Settlement:
    read = parse_table(request, choose)
    return settle(read.ruleset, [read.winner], read.others)


def totals(settlement: Settlement) -> dict[str, int]:
    return {"ESWN"[entry.seat_wind]: entry.score.total for entry in settlement.entries}


def net(settlement: Settlement) -> dict[str, int]:
    return dict(zip("ESWN", settlement.net, strict=True))


def paid(settlement: Settlement) -> dict[str, int]:
    """ "EW" -> what East pays West."""
    found: dict[str, int] = {}
    for transfer in settlement.transfers:
        pair = "ESWN"[transfer.source] + "ESWN"[transfer.target]
        found[pair] = found.get(pair, 0) + transfer.amount
    return found
