"""A scoring request, as a decoded JSON object, read into ScoringRecords (docs/scoring-record.md).

What is wrong is looked for in this order: `bad_record` (keys, types, facts of the win that exclude each other), then
`bad_tiles` (tiles that no set holds, or too many or few of them), then `not_winning`, which the score itself finds.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from parlour_engine.notation import NotationError, hand_text, parse_meld, parse_tiles
from parlour_engine.rulesets.errors import OptionError
from parlour_engine.scoring.fields import (
    BAD_RECORD,
    BAD_TILES,
    NOT_WINNING,
    RequestError,
    bad_record,
    flag,
    known_keys,
    number,
    quoted,
    text,
    texts,
    wind,
)
from parlour_engine.scoring.lawful import lawful_tiles, of_one_table
from parlour_engine.scoring.record import (
    DEALT,
    DISCARD,
    FAR,
    FLOWERS,
    LOST,
    ROBBED_GONG,
    SELF_DRAW,
    WAYS,
    ScoringRecord,
)
from parlour_engine.seats import EAST, WINDS, Wind
from parlour_engine.tiles import is_flower

if TYPE_CHECKING:
    from parlour_engine.rulesets import Ruleset

__all__ = [
    "BAD_RECORD",
    "BAD_TILES",
    "NOT_WINNING",
    "Choice",
    "Request",
    "RequestError",
    "TableRequest",
    "is_table",
    "parse_request",
    "parse_table",
]

HANDS: Final = "hands"
"""The key that makes a request one of a whole table."""
MANDARINS: Final = "mandarins"
"""The key, and the option it sets, of rulesets that play flowers only at will."""
_KEYS: Final = {
    "id": True,
    "ruleset": True,
    "hand": True,
    "melds": True,
    "flowers": True,
    "seat": True,
    "round": True,
    "win": True,
    "tiles_on_table": False,
    "called": False,
    "streak": False,
    "options": False,
}
"""The keys of a request, and whether they must be there."""
_OWN: Final = ("id", "seat", "hand", "win")
"""The keys that a table cannot state once for all hands."""
_ALIKE: Final = ("ruleset", "round", MANDARINS, "options")
"""The keys in which the hands of a table agree."""
_STATED: Final = ("seat", "flowers", "melds", "tiles_on_table", "called", "streak")
"""The other keys in which a hand agrees with what the table states once."""
_WIN_KEYS: Final = ("tile", "by", "from", "replacement", "last_tile", "first_discard", "gong_on_gong")


@frozen
class Request:
    """A request that reads well: who asked, under which rules, for which hand."""

    id: str
    ruleset: "Ruleset"
    record: ScoringRecord


@frozen
class TableRequest:
    """A whole table that reads well: the winner's hand and the other three, in turn order from East."""

    id: str
    ruleset: "Ruleset"
    winner: ScoringRecord
    others: tuple[ScoringRecord, ...]


Choice = Callable[[str, Mapping[str, object]], "Ruleset"]
"""The ruleset of a name under some switches; raises OptionError where there is none."""


def is_table(request: Mapping[str, object]) -> bool:
    """Whether a request is one of a whole table, for `parse_table`."""
    return HANDS in request


def parse_request(request: Mapping[str, object], choose: Choice) -> Request:
    """Read one request for one hand; raises RequestError with the code `bad_record` or `bad_tiles`."""
    ruleset = _ruleset(request, choose)
    facts = _facts(ruleset, request, named=True)
    return Request(facts.id, ruleset, _record(ruleset, facts))


def parse_table(request: Mapping[str, object], choose: Choice) -> TableRequest:
    """Read one request for a whole table; raises RequestError with the code `bad_record` or `bad_tiles`.

    Every hand is looked at as a record of its own, with what the table states once, before hands are compared.
    """
    once = {key: value for key, value in request.items() if key not in ("id", HANDS, "winner")}
    known_keys(once, [key for key in (*_KEYS, MANDARINS) if key not in _OWN], "a table")
    name = text(request, "id")
    winner = wind(request, "winner")
    found = [_hand_of_table({**once, "seat": seat}, hand, choose) for seat, hand in _hands(request).items()]
    ruleset = found[0][0]
    if not ruleset.scores_all:
        bad_record(f'"{HANDS}": this ruleset scores only hands that won')
    for seat, (rules, one) in enumerate(found):
        differing = _differing((rules, one), found[0], _ALIKE)
        if differing:
            bad_record(f'the hands of one table differ in "{differing}"')
        if (one.by != LOST) != (seat == winner):
            bad_record(f'"win" of {WINDS[seat]} does not fit: the winner is {WINDS[winner]}')
    records = [_record(ruleset, one) for _, one in found]
    of_one_table(records)
    return TableRequest(name, ruleset, records[winner], tuple([one for one in records if one.seat_wind != winner]))


def _hands(request: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """What the four hands say, from East on."""
    given = request[HANDS]
    if not isinstance(given, dict) or set(given) != set(WINDS):
        bad_record(f'"{HANDS}" is no object with exactly the keys E S W N')
    for seat in WINDS:
        if not isinstance(given[seat], dict):
            bad_record(f"the hand of {seat} is no object")
    return {seat: given[seat] for seat in WINDS}


def _hand_of_table(once: Mapping[str, object], hand: Mapping[str, object], choose: Choice) -> "tuple[Ruleset, _Facts]":
    """A hand with what is stated `once`, which it may say again but not otherwise."""
    said = _hand({**once, **hand}, choose)
    if once.keys() & hand.keys():
        differing = _differing(said, _hand({**hand, **once}, choose), (*_ALIKE, *_STATED))
        if differing:
            bad_record(f'"{differing}" of the hand of {once["seat"]} is not what the table says')
    return said


def _hand(request: Mapping[str, object], choose: Choice) -> "tuple[Ruleset, _Facts]":
    ruleset = _ruleset(request, choose)
    return ruleset, _facts(ruleset, request, named=False)


def _differing(one: "tuple[Ruleset, _Facts]", other: "tuple[Ruleset, _Facts]", keys: Sequence[str]) -> str:
    """The first of the keys in which two hands do not mean the same; empty where there is none."""
    first, second = _meaning(*one), _meaning(*other)
    return next((key for key in keys if first[key] != second[key]), "")


def _meaning(ruleset: "Ruleset", facts: "_Facts") -> dict[str, object]:
    """What a hand comes to in the keys that a table may state once: defaults filled in, tiles in order."""
    return {
        "ruleset": ruleset.key,
        MANDARINS: ruleset.values.get(MANDARINS),
        "options": dict(ruleset.values),
        "round": facts.round_wind,
        "seat": facts.seat,
        "flowers": _in_order(facts.flowers),
        "melds": sorted([_in_order(meld) for meld in facts.melds]),
        "tiles_on_table": facts.tiles_on_table,
        "called": facts.called,
        "streak": facts.streak,
    }


def _in_order(tiles: str) -> str:
    """A text of tiles as it may be compared; whether it is lawful is looked at later."""
    try:
        return hand_text(parse_tiles(tiles))
    except NotationError:
        return tiles


# bad_record


def _ruleset(request: Mapping[str, object], choose: Choice) -> "Ruleset":
    """The ruleset that a request names, under its options; `mandarins` of a request is the option of that name."""
    name = text(request, "ruleset")
    options = request.get("options", {})
    if not isinstance(options, dict):
        bad_record('"options" is no object')
    try:
        ruleset = choose(name, options)
        if MANDARINS not in request or MANDARINS not in ruleset.options:
            return ruleset
        mandarins = flag(request, MANDARINS)
        if options.get(MANDARINS, mandarins) is not mandarins:
            bad_record(f'"{MANDARINS}" and the option of that name differ')
        return choose(name, {**options, MANDARINS: mandarins})
    except OptionError as error:
        raise RequestError(BAD_RECORD, str(error)) from error


@frozen
class _Facts:
    """A hand whose keys read well; its tiles are still text."""

    id: str
    hand: str
    melds: list[str]
    flowers: str
    seat: Wind
    round_wind: Wind
    tiles_on_table: int
    called: bool
    streak: int
    by: int = LOST
    tile: str | None = None
    from_wind: Wind = -1
    replacement: bool = False
    last_tile: bool = False
    gong_on_gong: bool = False
    first_discard: bool = False


def _facts(ruleset: "Ruleset", request: Mapping[str, object], named: bool) -> _Facts:
    """The keys of one hand; `named` where it must have an `id`."""
    known_keys(request, [*_KEYS, *([MANDARINS] if MANDARINS in ruleset.options else [])], "a record")
    for key, needed in _KEYS.items():
        if needed and key not in request and (named or key != "id"):
            bad_record(f'the record has no "{key}"')
    facts = _Facts(
        id=text(request, "id") if named or "id" in request else "",
        seat=wind(request, "seat"),
        round_wind=wind(request, "round"),
        hand=text(request, "hand"),
        flowers=text(request, "flowers"),
        melds=texts(request, "melds"),
        tiles_on_table=number(request, "tiles_on_table", FAR),
        streak=number(request, "streak", 0),
        called=flag(request, "called"),
    )
    if request["win"] is not None or not ruleset.scores_all:
        facts = _won(ruleset, facts, request["win"])
    flower_win = ruleset.procedure.flower_win
    if facts.by != FLOWERS and 0 < flower_win <= _flowers(facts.flowers):
        bad_record(f'{flower_win} flowers win by themselves: "by" must be "flowers"')
    return facts


def _won(ruleset: "Ruleset", facts: _Facts, win: object) -> _Facts:
    """The facts with those of the win."""
    if not isinstance(win, dict):
        bad_record('"win" is no object' + ("" if ruleset.scores_all else ": this ruleset scores only hands that won"))
    known_keys(win, _WIN_KEYS, '"win"')
    by = _way(ruleset, win)
    facts = evolve(
        facts,
        by=by,
        from_wind=_from_wind(win, by, facts.seat),
        replacement=_fact(win, "replacement", by, SELF_DRAW),
        last_tile=_fact(win, "last_tile", by, SELF_DRAW),
        gong_on_gong=_fact(win, "gong_on_gong", by, SELF_DRAW),
        first_discard=_fact(win, "first_discard", by, DISCARD),
        tile=_win_tile(win, by),
    )
    if facts.first_discard and facts.from_wind != EAST:
        bad_record('the first discard is East\'s: "first_discard" needs "from": "E"')
    if facts.gong_on_gong and not (facts.replacement and _gongs(facts.melds) >= 2):
        bad_record('"gong_on_gong" needs "replacement" and two gongs')
    if by == DEALT and (facts.seat != EAST or facts.melds):
        bad_record('a "dealt" hand is East\'s and has no melds')
    return facts


def _way(ruleset: "Ruleset", win: Mapping[str, object]) -> int:
    way = text(win, "by")
    if way not in WAYS:
        bad_record(f'"by" is {quoted(way)}, not one of {", ".join(WAYS)}')
    by = WAYS.index(way)
    if by == FLOWERS and not ruleset.procedure.flower_win:
        bad_record('"by" is "flowers", which win nothing in this ruleset')
    if by == ROBBED_GONG and not ruleset.procedure.robbing:
        bad_record('"by" is "robbed_gong", and no gong is robbed at this table')
    return by


def _from_wind(win: Mapping[str, object], by: int, seat: Wind) -> Wind:
    if by in (DISCARD, ROBBED_GONG):
        giver = wind(win, "from")
        if giver == seat:
            bad_record('"from" is the winner\'s own seat')
        return giver
    if "from" in win:
        bad_record(f'"from" is not given where "by" is "{WAYS[by]}"')
    return -1


def _fact(win: Mapping[str, object], key: str, by: int, needed: int) -> bool:
    fact = flag(win, key)
    if fact and by != needed:
        bad_record(f'"{key}" needs "by": "{WAYS[needed]}"')
    return fact


def _win_tile(win: Mapping[str, object], by: int) -> str | None:
    if by in (DEALT, FLOWERS):
        if "tile" in win:
            bad_record(f'"tile" is not given where "by" is "{WAYS[by]}"')
        return None
    return text(win, "tile")


def _gongs(melds: list[str]) -> int:
    """How many of the melds read as gongs; whether all of them are lawful is looked at later."""
    gongs = 0
    for one in melds:
        try:
            gongs += parse_meld(one).is_gong()
        except NotationError:
            continue
    return gongs


def _flowers(flowers: str) -> int:
    """How many flowers a text names; whether it is lawful is looked at later."""
    try:
        return sum([is_flower(kind) for kind in parse_tiles(flowers)])
    except NotationError:
        return 0


# bad_tiles


def _record(ruleset: "Ruleset", facts: _Facts) -> ScoringRecord:
    """The facts with their tiles read."""
    counts, melds, flowers, win_tile = lawful_tiles(
        ruleset.procedure, facts.hand, facts.melds, facts.flowers, facts.tile, facts.by
    )
    return ScoringRecord(
        counts,
        melds,
        flowers,
        facts.seat,
        facts.round_wind,
        win_tile,
        facts.by,
        facts.from_wind,
        replacement=facts.replacement,
        last_tile=facts.last_tile,
        first_discard=facts.first_discard,
        gong_on_gong=facts.gong_on_gong,
        tiles_on_table=facts.tiles_on_table,
        called=facts.called,
        streak=facts.streak,
    )
