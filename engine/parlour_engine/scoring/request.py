"""A scoring request, as a decoded JSON object, read into a ScoringRecord (docs/scoring-record.md).

What is wrong is looked for in this order: `bad_record` (keys, types, facts of the win that exclude each other), then
`bad_tiles` (tiles that no set holds, or too many or few of them), then `not_winning`, which the score itself finds.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NoReturn

from attrs import frozen

from parlour_engine.melds import Meld
from parlour_engine.notation import NotationError, parse_meld, parse_tile, parse_tiles
from parlour_engine.rulesets.errors import OptionError
from parlour_engine.scoring.record import DEALT, DISCARD, FAR, FLOWERS, ROBBED_GONG, SELF_DRAW, WAYS, ScoringRecord
from parlour_engine.seats import EAST, WINDS, Wind
from parlour_engine.tiles import COPIES, KINDS, Kind, is_flower

if TYPE_CHECKING:
    from parlour_engine.rulesets import Ruleset

BAD_RECORD: Final = "bad_record"
BAD_TILES: Final = "bad_tiles"
NOT_WINNING: Final = "not_winning"

MOST: Final = 2**53 - 1
"""The largest number a request may give: the largest that every JSON reader keeps exactly."""

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
_WIN_KEYS: Final = ("tile", "by", "from", "replacement", "last_tile", "first_discard", "gong_on_gong")


class RequestError(ValueError):
    """A request that cannot be answered with a score; `code` is one of the three above."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code: Final = code


@frozen
class Request:
    """A request that reads well: who asked, under which rules, for which hand."""

    id: str
    ruleset: "Ruleset"
    record: ScoringRecord


Choice = Callable[[str, Mapping[str, object]], "Ruleset"]
"""The ruleset of a name under some switches; raises OptionError where there is none."""


def parse_request(request: Mapping[str, object], choose: Choice) -> Request:
    """Read one request; raises RequestError with the code `bad_record` or `bad_tiles`."""
    ruleset = _ruleset(request, choose)
    _known_keys(request)
    _all_keys(request)
    name = _text(request, "id")
    seat = _wind(request, "seat")
    round_wind = _wind(request, "round")
    hand = _text(request, "hand")
    flowers = _text(request, "flowers")
    melds = _texts(request, "melds")
    tiles_on_table = _number(request, "tiles_on_table", FAR)
    streak = _number(request, "streak", 0)
    called = _flag(request, "called")
    win = _win(request)
    by = _way(win)
    from_wind = _from_wind(win, by, seat)
    replacement = _fact(win, "replacement", by, SELF_DRAW)
    last_tile = _fact(win, "last_tile", by, SELF_DRAW)
    gong_on_gong = _fact(win, "gong_on_gong", by, SELF_DRAW)
    first_discard = _fact(win, "first_discard", by, DISCARD)
    tile = _win_tile(win, by)
    if first_discard and from_wind != EAST:
        _bad_record('the first discard is East\'s: "first_discard" needs "from": "E"')
    if gong_on_gong and not (replacement and _gongs(melds) >= 2):
        _bad_record('"gong_on_gong" needs "replacement" and two gongs')
    if by == DEALT and (seat != EAST or melds):
        _bad_record('a "dealt" hand is East\'s and has no melds')
    flower_win = ruleset.procedure.flower_win
    if by != FLOWERS and 0 < flower_win <= _flowers(flowers):
        _bad_record(f'{flower_win} flowers win by themselves: "by" must be "flowers"')
    counts, lawful_melds, lawful_flowers, win_tile = _tiles(ruleset, hand, melds, flowers, tile, by)
    record = ScoringRecord(
        counts,
        lawful_melds,
        lawful_flowers,
        seat,
        round_wind,
        win_tile,
        by,
        from_wind,
        replacement=replacement,
        last_tile=last_tile,
        first_discard=first_discard,
        gong_on_gong=gong_on_gong,
        tiles_on_table=tiles_on_table,
        called=called,
        streak=streak,
    )
    return Request(name, ruleset, record)


# bad_record


def _bad_record(message: str) -> NoReturn:
    raise RequestError(BAD_RECORD, message)


def _known_keys(request: Mapping[str, object]) -> None:
    for key in request:
        if key not in _KEYS:
            _bad_record(f"{_quoted(key)} is no key of a record; there are {', '.join(_KEYS)}")


def _all_keys(request: Mapping[str, object]) -> None:
    for key, needed in _KEYS.items():
        if needed and key not in request:
            _bad_record(f'the record has no "{key}"')


def _ruleset(request: Mapping[str, object], choose: Choice) -> "Ruleset":
    name = _text(request, "ruleset")
    options = request.get("options", {})
    if not isinstance(options, dict):
        _bad_record('"options" is no object')
    try:
        return choose(name, options)
    except OptionError as error:
        raise RequestError(BAD_RECORD, str(error)) from error


def _quoted(text: str) -> str:
    """A text of the asker's as a message may repeat it: short, and in one line."""
    return repr(text[:40])


def _text(request: Mapping[str, object], key: str) -> str:
    if key not in request:
        _bad_record(f'the record has no "{key}"')
    value = request[key]
    if not isinstance(value, str):
        _bad_record(f'"{key}" is no text')
    return value


def _texts(request: Mapping[str, object], key: str) -> list[str]:
    value = request[key]
    if not isinstance(value, list):
        _bad_record(f'"{key}" is no list of texts')
    texts: list[str] = []
    for item in value:
        if not isinstance(item, str):
            _bad_record(f'"{key}" is no list of texts')
        texts.append(item)
    return texts


def _number(request: Mapping[str, object], key: str, default: int) -> int:
    value = request.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        _bad_record(f'"{key}" is no whole number from 0 to {MOST}')
    return value


def _flag(request: Mapping[str, object], key: str) -> bool:
    value = request.get(key, False)
    if not isinstance(value, bool):
        _bad_record(f'"{key}" is neither true nor false')
    return value


def _wind(request: Mapping[str, object], key: str) -> Wind:
    value = _text(request, key)
    if len(value) != 1 or value not in WINDS:
        _bad_record(f'"{key}" is {_quoted(value)}, not one of E S W N')
    return WINDS.index(value)


def _win(request: Mapping[str, object]) -> Mapping[str, object]:
    win = request["win"]
    if not isinstance(win, dict):
        _bad_record('"win" is no object: this ruleset scores only hands that won')
    for key in win:
        if key not in _WIN_KEYS:
            _bad_record(f'{_quoted(key)} is no key of "win"; there are {", ".join(_WIN_KEYS)}')
    return win


def _way(win: Mapping[str, object]) -> int:
    way = _text(win, "by")
    if way not in WAYS:
        _bad_record(f'"by" is {_quoted(way)}, not one of {", ".join(WAYS)}')
    return WAYS.index(way)


def _from_wind(win: Mapping[str, object], by: int, seat: Wind) -> Wind:
    if by in (DISCARD, ROBBED_GONG):
        wind = _wind(win, "from")
        if wind == seat:
            _bad_record('"from" is the winner\'s own seat')
        return wind
    if "from" in win:
        _bad_record(f'"from" is not given where "by" is "{WAYS[by]}"')
    return -1


def _fact(win: Mapping[str, object], key: str, by: int, needed: int) -> bool:
    fact = _flag(win, key)
    if fact and by != needed:
        _bad_record(f'"{key}" needs "by": "{WAYS[needed]}"')
    return fact


def _win_tile(win: Mapping[str, object], by: int) -> str | None:
    if by in (DEALT, FLOWERS):
        if "tile" in win:
            _bad_record(f'"tile" is not given where "by" is "{WAYS[by]}"')
        return None
    return _text(win, "tile")


def _gongs(melds: list[str]) -> int:
    """How many of the melds read as gongs; whether all of them are lawful is looked at later."""
    gongs = 0
    for text in melds:
        try:
            gongs += parse_meld(text).is_gong()
        except NotationError:
            continue
    return gongs


def _flowers(text: str) -> int:
    """How many flowers a text names; whether it is lawful is looked at later."""
    try:
        return sum([is_flower(kind) for kind in parse_tiles(text)])
    except NotationError:
        return 0


# bad_tiles


def _bad_tiles(message: str) -> NoReturn:
    raise RequestError(BAD_TILES, message)


def _tiles(
    ruleset: "Ruleset", hand: str, melds: list[str], flowers: str, tile: str | None, by: int
) -> tuple[list[int], tuple[Meld, ...], tuple[Kind, ...], Kind]:
    """Counts of the concealed tiles, melds, flowers and win tile (-1 without one)."""
    try:
        held = parse_tiles(hand)
        declared = tuple([parse_meld(text) for text in melds])
        shown = tuple(sorted(parse_tiles(flowers)))
        win_tile = -1 if tile is None else parse_tile(tile)
    except NotationError as error:
        raise RequestError(BAD_TILES, str(error)) from error
    if any(is_flower(kind) for kind in held) or is_flower(win_tile):
        _bad_tiles('a flower stands in "hand" or as the win tile; flowers belong to "flowers"')
    if not all(is_flower(kind) for kind in shown):
        _bad_tiles('a tile in "flowers" is no flower')
    if len(set(shown)) < len(shown):
        _bad_tiles("a flower is there twice")
    _right_number(ruleset, len(held), len(declared), by)
    counts = [0] * KINDS
    for kind in held:
        counts[kind] += 1
    _no_fifth(counts, declared, win_tile)
    return counts, declared, shown, win_tile


def _right_number(ruleset: "Ruleset", tiles: int, melds: int, by: int) -> None:
    """A seat holds `hand_size` tiles less 3 a meld; a dealt hand one more, a flower win either (A-23)."""
    held = ruleset.procedure.hand_size - 3 * melds
    allowed = {DEALT: (held + 1,), FLOWERS: (held, held + 1)}.get(by, (held,))
    if held < 1:
        _bad_tiles(f"{melds} melds are more than a hand has")
    if tiles not in allowed:
        numbers = " or ".join([str(number) for number in allowed])
        _bad_tiles(f'"hand" has {tiles} tiles; with {melds} melds it must be {numbers}')


def _no_fifth(counts: list[int], melds: tuple[Meld, ...], win_tile: Kind) -> None:
    held = counts.copy()
    for meld in melds:
        for kind in meld.tiles():
            held[kind] += 1
    if win_tile >= 0:
        held[win_tile] += 1
    if max(held) > COPIES:
        _bad_tiles("more than four of a kind")
