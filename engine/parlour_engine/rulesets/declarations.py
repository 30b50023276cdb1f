"""Reading what a ruleset's file declares beside its rows: play, words, options, groups, headings, payments, prose."""

from collections.abc import Mapping
from typing import Final

from attrs import evolve

from parlour_engine.rulesets.ruleset import (
    BOOLEAN,
    INTEGER,
    MOST,
    SWITCHES_OF_PLAY,
    TEXT,
    TYPES,
    Group,
    InstantPayment,
    Option,
    OptionValue,
    Paragraph,
    Section,
)
from parlour_engine.rulesets.tables import Table
from parlour_engine.shapes import FORMS

WASHING: Final = "washing"
INSTANTS: Final = ("mixed_flower_set", "full_flower_set", "concealed_gong", WASHING)
"""The occasions at which the play half makes instant payments; one that is not there pays nothing."""
TILES, FLOWERS = 136, 8
"""In the wall without flowers, and how many of these there are."""
DEAD_WALL: Final = "dead_wall"
WORDS: Final = ("chow", "pong", "gong", "win", "wins", "flower")
"""What a game has words of its own for; nothing in the engine reads them."""
LONGEST_WORD: Final = 20
"""Characters of such a word: it has to fit on a button."""
LONGEST_NAME: Final = 40
"""Characters of the name of a switch's value: it has to fit into a list on a phone."""


def play(table: Table) -> dict[str, object]:
    """The fixed part of the procedure, as keyword arguments of `Procedure`; and `rounds`, the length of a match."""
    found: dict[str, object] = {
        "hand_size": table.number("hand_size"),
        "sets": table.number("sets"),
        "forms": table.texts("forms"),
        "flowers": table.flag("flowers"),
        "flower_win": table.number("flower_win", 0),
        "reserve": table.number("reserve", 0),
        "last_discard_only_wins": table.flag("last_discard_only_wins"),
        "reserve_replaces": table.flag("reserve_replaces", True),
        "loose_tiles": table.number("loose_tiles", 0),
        "dice": table.number("dice", 3),
        "show_hands": table.flag("show_hands"),
        "nearest_winner_only": table.flag("nearest_winner_only"),
        "missed_win": table.flag("missed_win", True),
        "rounds": table.number("rounds", 4),
    }
    if found["loose_tiles"] not in (0, 2):
        table.wrong("loose_tiles", "loose tiles lie in pairs", "write loose_tiles = 2, or 0 for none")
    for form in table.texts("forms"):
        table.known("forms", form, FORMS)
    table.finish()
    if not 1 <= table.number("dice", 3) <= 4:
        table.wrong("dice", "the wall is broken with 1 to 4 dice", "write dice = 3")
    if found["rounds"] not in (1, 4):
        table.wrong("rounds", "a match is one round or all four", "write rounds = 4, or 1 for the round of East alone")
    if table.number("flower_win", 0) > 8:
        table.wrong("flower_win", "there are eight flowers", "write flower_win = 7, or 0 where they win nothing")
    if found["hand_size"] != 3 * table.number("sets") + 1:
        table.wrong(
            "hand_size", "a hand of this size is never one tile short of its sets and eyes", "write 3 * sets + 1"
        )
    if not 1 <= table.number("sets") <= 5:
        table.wrong("sets", "a complete hand has 1 to 5 sets", "write sets = 5, or 4 for a hand of 13 tiles")
    if table.number("reserve", 0) > _after_the_deal(table.number("hand_size")):
        table.wrong("reserve", "the wall has not so many tiles after the deal", "write reserve = 16, or 0 for none")
    return found


def _after_the_deal(hand_size: int) -> int:
    """Tiles in the wall once all have theirs, at the least."""
    return TILES - 4 * hand_size - 1 - FLOWERS


def words(table: Table) -> dict[str, Mapping[str, str]]:
    """What players of this game call things, by language."""
    found = {word: table.in_languages(word, "word", LONGEST_WORD) for word in WORDS}
    table.finish()
    return found


_DECIDED_BY: Final[Mapping[str, str]] = {
    "reserve": DEAD_WALL,
    "flowers": "mandarins",
    "missed_win": "missed_win",
    "nearest_winner_only": "winners",
}
"""Keys of [play] that an option decides, where there is one."""


def decided(table: Table, play: Mapping[str, object], options: Mapping[str, Option]) -> None:
    """Raise RulesetError where the file itself sets a key of [play] that an option decides otherwise."""
    for key, name in _DECIDED_BY.items():
        if name not in options or not table.gives(key):
            continue
        default = options[name].default
        if play[key] != (default == "nearest" if name == "winners" else default):
            problem = f"{key!r} of [play] changes nothing: option {name!r} decides it"
            table.wrong(key, problem, f"give option {name!r} another default instead, or write the same value here")


def dead_wall(table: Table, option: Option, hand_size: int) -> None:
    """Raise RulesetError where a table could choose a dead wall that the wall has no room for."""
    if not option.values or max(map(int, option.values)) > _after_the_deal(hand_size):
        problem = f"{table.title()} allows more tiles than the wall has after the deal"
        table.wrong("values", problem, "write values = [0, 14, 16], or other small numbers")


def option(table: Table) -> Option:
    """One switch."""
    type_name = table.one_of("type", TYPES)
    values = table.raw("values")
    listed = [] if values is None else values
    if not isinstance(listed, list) or not all(type(value) is TYPES[type_name] for value in listed):
        table.wrong(
            "values", f"'values' of {table.title()} are not all of its type", f"list values of type {type_name}"
        )
    if table.has("values") and not listed:
        table.wrong("values", f"'values' of {table.title()} lists nothing", "list what it may be, or leave it out")
    if len(set(listed)) < len(listed):
        table.wrong("values", f"'values' of {table.title()} lists a value twice", "list each one once")
    if type_name == TEXT and not listed:
        problem = f"{table.title()} is a text and lists no 'values'"
        table.wrong("type", problem, 'add values = ["...", "..."], all that a table may choose')
    if type_name != TEXT and table.has("value_names"):
        problem = f"{table.title()} is no text, so its values have no names"
        table.wrong("value_names", problem, "remove 'value_names'")
    for value in listed:
        if isinstance(value, str):
            table.plain("values", value)
        elif not 0 <= value <= MOST:
            problem = f"'values' of {table.title()} has {value}, not a whole number from 0 to {MOST}"
            table.wrong("values", problem, f"list whole numbers from 0 to {MOST}")
    default = table.raw("default")
    found = Option(
        id=table.ident(),
        names=table.names(),
        type=type_name,
        default=default if isinstance(default, bool | int | str) else "",
        values=tuple(listed),
        clause=table.text("clause"),
        rules=table.rules() if table.has("rule") else None,
    )
    if default is None:
        table.wrong("", f"{table.title()} has no 'default'", f"add default = and {found.allowed()}")
    if not found.allows(default):
        table.wrong("default", f"'default' of {table.title()} is no value it allows", f"write {found.allowed()}")
    expected = _PLAY_VALUES.get(found.id)
    # A file may list the numbers that a table may choose; the words are those that play knows.
    listed_right = expected is None or type_name == INTEGER or set(found.values) <= set(expected[1])
    if expected is not None and (type_name != expected[0] or not listed_right):
        table.wrong(
            "type",
            f"{table.title()} is read by the play of a deal, which needs another type or other values",
            f"write type = {expected[0]!r}" + (f" and values = {list(expected[1])}" if expected[1] else ""),
        )
    if type_name != TEXT:
        return found
    return evolve(found, value_names=table.names_of("value_names", "values", listed, LONGEST_NAME))


_PLAY_VALUES: Final[Mapping[str, tuple[str, tuple[OptionValue, ...]]]] = {
    **dict.fromkeys(SWITCHES_OF_PLAY, (BOOLEAN, ())),
    "base": (INTEGER, ()),
    "dead_wall": (INTEGER, ()),
    "limit": (INTEGER, ()),
    "dangerous_discard": (BOOLEAN, ()),
    "mixed_then_full": (TEXT, ("difference", "both")),
    "winners": (TEXT, ("all", "nearest")),
}


def group(table: Table) -> Group:
    """One group of rows."""
    return Group(
        id=table.ident(),
        clause=table.text("clause"),
        equal_later=table.one_of("equal", ("earlier", "later"), "earlier") == "later",
    )


def section(table: Table) -> Section:
    """One heading."""
    return Section(id=table.ident(), names=table.names())


def paragraph(table: Table) -> Paragraph:
    """One step of how a deal is played."""
    return Paragraph(id=table.ident(), names=table.names(), rules=table.rules(), clause=table.text("clause"))


def instant(table: Table) -> InstantPayment:
    """One payment made at once."""
    name = table.one_of("id", INSTANTS)
    return InstantPayment(
        id=name,
        names=table.names(),
        rules=table.rules(),
        bases=0 if name == WASHING else table.number("bases"),
        clause=table.text("clause"),
        points=table.numbers("points") if name == WASHING else (),
    )
