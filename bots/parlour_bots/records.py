"""The text of a deal's events, both ways: one line an event, as written in the arena's records (docs/bots.md).

>>> event_text(parse_event("2 melds chow 456p 5p 1"))
'2 melds chow 456p 5p 1'
"""

from collections.abc import Iterable
from typing import Final

from parlour_engine.events import (
    PAYMENT_REASONS,
    WIN_WAYS,
    Called,
    DealStarted,
    Discarded,
    Drew,
    Event,
    Exhausted,
    FlowersExposed,
    HandShown,
    Melded,
    Paid,
    Promoted,
    Washed,
    WashingClosed,
    WashingOpened,
    Won,
)
from parlour_engine.melds import MELD_NAMES, Meld
from parlour_engine.notation import NotationError, hand_text, parse_tile, parse_tiles, tile_text
from parlour_engine.seats import WINDS, Seat
from parlour_engine.tiles import Kind

SOURCES: Final = ("wall", "flower", "gong")
"""The word for where a tile was drawn from, by the constants of `events`."""


def wall_text(wall: Iterable[Kind]) -> str:
    """The tiles one after the other in drawing order, each with its suit: `5p1f5p`."""
    return "".join([tile_text(kind) for kind in wall])


def parse_wall(text: str) -> tuple[Kind, ...]:
    """The kinds of `wall_text`; raises NotationError."""
    return tuple([parse_tile(text[at : at + 2]) for at in range(0, len(text), 2)])


def _tile(kind: Kind) -> str:
    return "-" if kind < 0 else tile_text(kind)


def _seat(seat: Seat) -> str:
    return "-" if seat < 0 else str(seat)


def event_text(event: Event) -> str:
    """One line: the seat (or the table's word), what it did, with which tiles; `-` stands for none."""
    match event:
        case DealStarted():
            wind = WINDS[event.round_wind]
            dice = ",".join(map(str, event.dice)) or "-"
            hands = " ".join([hand_text(hand) for hand in event.hands])
            return f"deal {event.dealer} {wind} {event.streak} {dice} {wall_text(event.wall) or '-'} {hands}"
        case FlowersExposed():
            return f"{event.seat} flowers {hand_text(event.kinds)}"
        case Drew():
            return f"{event.seat} draws {tile_text(event.kind)} {SOURCES[event.source]}"
        case Called():
            return f"{event.seat} calls"
        case Discarded():
            return f"{event.seat} discards {tile_text(event.kind)}{' drawn' if event.drawn else ''}"
        case Melded(meld=meld):
            tiles = hand_text(meld.tiles())
            return f"{event.seat} melds {MELD_NAMES[meld.form]} {tiles} {_tile(meld.claimed)} {_seat(meld.source)}"
        case Promoted():
            return f"{event.seat} promotes {tile_text(event.kind)}"
        case Paid():
            changes = " ".join([f"{change:+d}" for change in event.changes])
            return f"{event.seat} paid {PAYMENT_REASONS[event.reason]} {changes}"
        case Won():
            how = f"{WIN_WAYS[event.by]} {_tile(event.kind)} {_seat(event.source)}"
            return f"{event.seat} wins {how} {hand_text(event.concealed)}"
        case HandShown():
            return f"{event.seat} shows {hand_text(event.concealed)}"
        case Washed():
            return f"{event.seat} washes {event.heads}"
        case WashingOpened():
            return "washing opens"
        case WashingClosed():
            return "washing closes"
        case Exhausted():
            return "exhausted"
        case _:
            raise TypeError(f"{event!r} has no text")


def _kind_of(word: str) -> Kind:
    return -1 if word == "-" else parse_tile(word)


def _seat_of(word: str) -> Seat:
    return -1 if word == "-" else int(word)


def _seat_event(seat: Seat, verb: str, words: list[str]) -> Event:
    match verb, words:
        case "flowers", [tiles]:
            return FlowersExposed(seat, tuple(parse_tiles(tiles)))
        case "draws", [tile, source]:
            return Drew(seat, parse_tile(tile), SOURCES.index(source))
        case "calls", []:
            return Called(seat)
        case "discards", [tile]:
            return Discarded(seat, parse_tile(tile), False)
        case "discards", [tile, "drawn"]:
            return Discarded(seat, parse_tile(tile), True)
        case "melds", [form, tiles, claimed, source]:
            lowest = min(parse_tiles(tiles))
            return Melded(seat, Meld(MELD_NAMES.index(form), lowest, _kind_of(claimed), _seat_of(source)))
        case "promotes", [tile]:
            return Promoted(seat, parse_tile(tile))
        case "paid", [reason, first, second, third, fourth]:
            changes = (int(first), int(second), int(third), int(fourth))
            return Paid(seat, PAYMENT_REASONS.index(reason), changes)
        case "wins", [by, tile, source, *concealed]:
            # A hand of claimed sets alone has no concealed tile to write down.
            kinds = tuple(parse_tiles("".join(concealed)))
            return Won(seat, WIN_WAYS.index(by), _kind_of(tile), _seat_of(source), kinds)
        case "shows", [tiles]:
            return HandShown(seat, tuple(parse_tiles(tiles)))
        case "washes", [heads]:
            return Washed(seat, int(heads))
        case _:
            raise ValueError(verb)


def parse_event(text: str) -> Event:
    """The event of an `event_text`; raises NotationError."""
    words = text.split()
    try:
        match words:
            case ["exhausted"]:
                return Exhausted()
            case ["washing", "opens"]:
                return WashingOpened()
            case ["washing", "closes"]:
                return WashingClosed()
            case ["deal", dealer, wind, streak, dice, wall, *hands]:
                rolled = () if dice == "-" else tuple([int(die) for die in dice.split(",")])
                drawn = () if wall == "-" else parse_wall(wall)
                dealt = tuple([tuple(parse_tiles(hand)) for hand in hands])
                return DealStarted(int(dealer), WINDS.index(wind), int(streak), rolled, drawn, dealt)
            case [seat, verb, *rest]:
                return _seat_event(int(seat), verb, rest)
            case _:
                raise ValueError(text)
    except ValueError as error:
        raise NotationError(f"{text[:60]!r} is no event: write it as docs/bots.md says") from error
