"""A ruleset as plain data for the rule book: what the client shows, drawn from the file that scoring reads.

Every text is `{"en": ..., "zh": ...}`; tiles are text (`5p`). docs/rulesets.md describes the shape.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from parlour_engine.melds import MELD_NAMES
from parlour_engine.notation import TILE_TEXT, parse_meld, parse_tiles
from parlour_engine.rulesets import Example, InstantPayment, Option, Paragraph, Ruleset, SheetRow, Switch
from parlour_engine.scoring.facts import UNFINISHED
from parlour_server.switch_text import changes

Plain = dict[str, Any]

_TILES: Final = frozenset(("hand", "melds", "flowers", "seat", "round", "win", "options"))
"""Keys of a scoring record that a hand shows by themselves; the others are its facts."""
_WIN: Final = frozenset(("tile", "by", "from"))


def rulebook(ruleset: Ruleset) -> Plain:
    """The whole rule book of one ruleset, with the points its switches give; plain data that JSON can say."""
    rows = ruleset.sheet
    return {
        "key": ruleset.key,
        "version": ruleset.version,
        "name": texts(ruleset.names),
        "source": ruleset.source,
        "based_on": texts(ruleset.base_names) if ruleset.base_names else None,
        "words": {word: texts(said) for word, said in ruleset.words.items()},
        "sections": [
            {
                "id": section.id,
                "name": texts(section.names),
                "rows": [_row(row, ruleset) for row in rows if row.section == section.id],
            }
            for section in ruleset.sections
        ],
        "instants": [_instant(payment, ruleset) for payment in ruleset.instants.values()],
        "options": [_option(option) for option in ruleset.options.values()],
        "procedure": [_paragraph(paragraph) for paragraph in ruleset.procedures],
    }


def texts(by_language: Mapping[str, str]) -> Plain:
    """A text in the two languages of the client, under the client's names for them."""
    return {"en": by_language["en"], "zh": by_language["zh-Hant"]}


def replaced(row: SheetRow, ruleset: Ruleset) -> list[str]:
    """The rows that give way where this one applies too: in one of its groups, and worth less (of equal ones, those
    that the group says). A row that counts each time is taken as worth what it gives once."""
    later = {group.id for group in ruleset.groups if group.equal_later}
    places = {other.id: place for place, other in enumerate(ruleset.sheet)}
    found: list[str] = []
    for other in ruleset.sheet:
        shared = set(row.groups) & set(other.groups)
        if other.id == row.id or not shared:
            continue
        order = 1 if shared & later else -1
        mine = (*_worth(row), order * places[row.id])
        if mine > (*_worth(other), order * places[other.id]):
            found.append(other.id)
    return found


def _worth(row: SheetRow) -> tuple[int, int, int]:
    return (("", "half", "whole").index(row.limit), row.doubles, row.points)


def _row(row: SheetRow, ruleset: Ruleset) -> Plain:
    english, chinese = [changes(row, ruleset.options, lang) for lang in ("en", "zh-Hant")]
    return {
        "id": row.id,
        "name": texts(row.names),
        "rule": texts(row.rules),
        "points": row.points,
        "points_from": row.points_from or None,
        "doubles": row.doubles,
        "limit": row.limit or None,
        "each": row.each,
        "step": row.step,
        "clause": row.clause,
        "replaces": replaced(row, ruleset),
        "everyone": UNFINISHED in row.readings,
        "switches": [_switch(*switch) for switch in zip(row.switches, english, chinese, strict=True)],
        "example": _hand(row.example),
        "near_miss": _hand(row.near_miss),
    }


def _switch(switch: Switch, english: str | None, chinese: str | None) -> Plain:
    changed = {
        "question": switch.question,
        "groups": switch.groups,
        "readings": switch.readings,
        "points": switch.points,
    }
    return {
        "when": dict(switch.when),
        "says": None if english is None else {"en": english, "zh": chinese},
        "set": {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in changed.items()
            if value is not None
        },
    }


def _instant(payment: InstantPayment, ruleset: Ruleset) -> Plain:
    return {
        "id": payment.id,
        "name": texts(payment.names),
        "rule": texts(payment.rules),
        "points": list(payment.points) or [payment.bases * ruleset.procedure.base],
        "bases": payment.bases,
        "clause": payment.clause,
    }


def _option(option: Option) -> Plain:
    return {
        "id": option.id,
        "name": texts(option.names),
        "rule": None if option.rules is None else texts(option.rules),
        "type": option.type,
        "default": option.default,
        "values": list(option.values),
        "value_names": {value: texts(names) for value, names in option.value_names.items()},
        "clause": option.clause,
    }


def _paragraph(paragraph: Paragraph) -> Plain:
    return {
        "id": paragraph.id,
        "name": texts(paragraph.names),
        "rule": texts(paragraph.rules),
        "clause": paragraph.clause,
    }


def _hand(example: Example | None) -> Plain | None:
    """A scoring record (which `parse` has found readable) with its tiles one by one."""
    if example is None:
        return None
    record: Mapping[str, Any] = example.record
    melds = [parse_meld(text) for text in record["melds"]]
    facts = {key: value for key, value in record.items() if key not in _TILES}
    win = record["win"]
    if win is not None:
        facts |= {key: value for key, value in win.items() if key not in _WIN}
    return {
        "concealed": _tiles(sorted(parse_tiles(record["hand"]))),
        "melds": [{"form": MELD_NAMES[meld.form], "tiles": _tiles(meld.tiles())} for meld in melds],
        "flowers": _tiles(parse_tiles(record["flowers"])),
        "seat": record["seat"],
        "round": record["round"],
        "win": None if win is None else {"tile": win.get("tile"), "by": win["by"], "from": win.get("from")},
        "facts": facts,
        "options": dict(record.get("options", {})),
    }


def _tiles(kinds: Sequence[int]) -> list[str]:
    return [TILE_TEXT[kind] for kind in kinds]
