"""`parlour explain`: the derivation of one scoring record, as a referee would want it, or what its hand lacks."""

import sys
from typing import BinaryIO, Final

import click

from parlour_engine.rulesets import RulesetError
from parlour_engine.scoring.explanation import explain, explain_lost
from parlour_engine.scoring.record import LOST, ScoringRecord
from parlour_engine.scoring.request import BAD_RECORD, RequestError, is_table, parse_request, parse_table
from parlour_engine.scoring.tally import NotWinning
from parlour_engine.shortfall import partial_reading, shortfall
from parlour_server.cli.streams import lines_of
from parlour_server.derivation.plain import explanation_value, game_value, hand_value, shortfall_value
from parlour_server.derivation.text import explanation_text, hand_lines, heading, record_lines, shortfall_text
from parlour_server.derivation.words import LANGUAGES, words_of
from parlour_server.record_text import json_text, object_of, text_of
from parlour_server.resources import ResourceMissing
from parlour_server.rulesets import Shelf

ONE_RECORD: Final = "explain takes one record; parlour score takes many, one a line"


@click.command()
@click.argument("file", required=False, type=click.File("rb"), default="-")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of the text.")
@click.option("--json", "as_json", is_flag=True, help="Print the derivation as one JSON object, in both languages.")
@click.option(
    "--ruleset",
    "files",
    multiple=True,
    metavar="FILE.toml",
    help="A ruleset file of your own; records name it by its key. May be given several times.",
)
def command(file: BinaryIO, lang: str, as_json: bool, files: tuple[str, ...]) -> None:
    """Explain what a hand is worth, and why.

    FILE holds one scoring record (a JSON object), or a whole table; without it, it is read from standard input. The
    answer tells the reading that counts, every row with its rule and where it stands, what gave way, the sum step by
    step and the payments; for a hand that does not win, what it lacks. A bad record ends with exit status 2.
    docs/scoring-record.md describes records, docs/explain.md the answer.
    """
    try:
        answer = answer_to(b"".join(lines_of(file)), Shelf(files=files), lang)
    except RequestError as error:
        click.echo(f"parlour: {error.code}: {error}", err=True)
        sys.exit(2)
    except (RulesetError, ResourceMissing) as error:
        click.echo(f"parlour: {error}", err=True)
        sys.exit(2)
    lines, value = answer
    click.echo(json_text(value, indent=2) if as_json else "\n".join(lines))


def answer_to(octets: bytes, shelf: Shelf, language: str) -> tuple[list[str], dict[str, object]]:
    """The derivation as text and as plain data; raises RequestError for a record that cannot be read."""
    text = text_of(octets)
    if not text:
        raise RequestError(BAD_RECORD, "there is no record here, only an empty file: docs/scoring-record.md shows one")
    record = object_of(text, ONE_RECORD)
    others: tuple[ScoringRecord, ...] = ()
    if is_table(record):
        table = parse_table(record, shelf.choose)
        name, ruleset, hand, others = table.id, table.ruleset, table.winner, table.others
    else:
        request = parse_request(record, shelf.choose)
        name, ruleset, hand = request.id, request.ruleset, request.record
    value: dict[str, object] = {"id": name, **game_value(ruleset)}
    words = words_of(ruleset, language)
    lines = heading(ruleset, words, name)
    if hand.by == LOST:
        told = explain_lost(ruleset, hand)
        lines += ["", *hand_lines(told, words)]
        value |= {"wins": False, "hands": [hand_value(told)]}
        problem = None
    else:
        try:
            explanation = explain(ruleset, [hand], others)
        except NotWinning as error:
            lines += ["", *record_lines(hand, words, wins=False)]
            value["wins"] = False
            problem = str(error)
        else:
            return lines + explanation_text(explanation, words), value | {
                "wins": True,
                **explanation_value(explanation),
            }
    lack = shortfall(hand.counts, hand.melds, ruleset.procedure)
    reading = partial_reading(hand.counts, hand.melds, ruleset.procedure)
    forms = {row.id: row.names for row in ruleset.sheet if row.id in ruleset.procedure.forms}
    lines += ["", *shortfall_text(lack, reading, forms, words)]
    return lines, value | {"problem": problem, "lacks": shortfall_value(lack, reading, forms)}
