"""`parlour score`: what hands are worth, one JSON record a line, one JSON answer a line."""

import json
import sys
from typing import BinaryIO

import click

from parlour_engine.rulesets import RulesetError
from parlour_engine.scoring.payment import settle
from parlour_engine.scoring.request import (
    NOT_WINNING,
    Request,
    RequestError,
    TableRequest,
    is_table,
    parse_request,
    parse_table,
)
from parlour_engine.scoring.tally import Award, NotWinning, score
from parlour_engine.seats import WINDS
from parlour_server.cli.streams import lines_of
from parlour_server.record_text import object_of, text_of
from parlour_server.resources import ResourceMissing
from parlour_server.rulesets import Shelf


@click.command()
@click.argument("file", required=False, type=click.File("rb"), default="-")
@click.option(
    "--ruleset",
    "files",
    multiple=True,
    metavar="FILE.toml",
    help="A ruleset file of your own; records name it by its key. May be given several times.",
)
def command(file: BinaryIO, files: tuple[str, ...]) -> None:
    """Say what hands are worth.

    FILE holds one scoring record (a JSON object) a line; without it they are read from standard input. Every line gets
    one answer, in order, at once. A line that cannot be scored gets an answer that says why; the exit status is then 1.
    docs/scoring-record.md describes records and answers.
    """
    try:
        shelf = Shelf(files=files)
        failed = False
        for line in lines_of(file):
            answer = answer_of(line, shelf)
            if answer is not None:
                failed = failed or "error" in answer
                click.echo(json.dumps(answer, separators=(",", ":")))
    except (RulesetError, ResourceMissing) as error:
        click.echo(f"parlour: {error}", err=True)
        sys.exit(2)
    sys.exit(1 if failed else 0)


def answer_of(line: bytes, shelf: Shelf) -> dict[str, object] | None:
    """The answer to one line; None for a blank one. Whatever the line holds, only a broken ruleset file raises."""
    name: object = None
    try:
        text = text_of(line)
        if not text:
            return None
        record = object_of(text)
        name = record.get("id")
        if is_table(record):
            return _table(parse_table(record, shelf.choose))
        request = parse_request(record, shelf.choose)
        return _doubled(request) if request.ruleset.scores_all else _paid(request)
    except RequestError as error:
        return _error(name, error.code, str(error))
    except NotWinning as error:
        return _error(name, NOT_WINNING, str(error))


def _paid(request: Request) -> dict[str, object]:
    """A winning hand of a game in which nobody else's counts: its points and who pays them."""
    settlement = settle(request.ruleset, [request.record])
    scored = settlement.entries[0].score
    return {
        "id": request.id,
        "points": scored.points,
        "total": scored.total,
        "awards": [{"award": award.award, "points": award.points, "count": award.count} for award in scored.awards],
        "payments": dict(zip(WINDS, settlement.net, strict=True)),
    }


def _doubled(request: Request) -> dict[str, object]:
    """A hand of a game that scores all: what is paid for it depends on the others."""
    scored = score(request.ruleset, request.record)
    return {
        "id": request.id,
        "basic": scored.points,
        "doubles": scored.doubles,
        "total": scored.total,
        "awards": [_line(award) for award in scored.awards],
    }


def _line(award: Award) -> dict[str, object]:
    line: dict[str, object] = {
        "award": award.award,
        "points": award.points,
        "doubles": award.doubles,
        "count": award.count,
    }
    if award.limit:
        line["limit"] = award.limit
    return line


def _table(request: TableRequest) -> dict[str, object]:
    """All four hands of a deal and who pays whom, everything from one seat to another in one payment."""
    settlement = settle(request.ruleset, [request.winner], request.others)
    totals = {WINDS[entry.seat_wind]: entry.score.total for entry in settlement.entries}
    paid: dict[tuple[str, str], int] = {}
    for transfer in settlement.transfers:
        pair = (WINDS[transfer.source], WINDS[transfer.target])
        paid[pair] = paid.get(pair, 0) + transfer.amount
    return {
        "id": request.id,
        "scores": {wind: totals[wind] for wind in WINDS},
        "payments": [[source, target, amount] for (source, target), amount in paid.items()],
        "net": dict(zip(WINDS, settlement.net, strict=True)),
    }


def _error(name: object, code: str, message: str) -> dict[str, object]:
    return {"id": name if isinstance(name, str) else None, "error": {"code": code, "message": message}}
