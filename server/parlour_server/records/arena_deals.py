"""The arena's records of single deals (docs/bots.md) played again: the moves are those that the events tell."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from parlour_bots.deals import BrokenDeal, events_of, record_line, replayed
from parlour_bots.records import event_text
from parlour_engine import play
from parlour_engine.deal import Deal
from parlour_engine.events import (
    Called,
    DealStarted,
    Discarded,
    Event,
    HandShown,
    Melded,
    Promoted,
    Washed,
    Won,
)
from parlour_engine.legal import legal_moves, waiting_on
from parlour_engine.melds import CHOW, PONG
from parlour_engine.moves import (
    CALLS,
    CHOWS,
    CONCEALED_GONGS,
    DISCARDS,
    GONGS,
    PASS_MOVE,
    PONGS,
    PROMOTIONS,
    WASH_MOVE,
    WIN_MOVE,
    IllegalMove,
    Move,
    move_text,
)
from parlour_engine.phases import Discarding
from parlour_engine.rulesets import OptionError, Ruleset
from parlour_engine.scoring.fields import MOST
from parlour_engine.seats import SEATS
from parlour_server.record_text import shown
from parlour_server.records.differences import Difference, Words, first_difference
from parlour_server.records.replay import Mismatch, check_dice, check_wall
from parlour_server.records.rows import RecordError, is_name

KEYS: Final = frozenset(
    {
        "deal",
        "seed",
        "ruleset",
        "seats",
        "dealer",
        "round_wind",
        "streak",
        "dice",
        "wall",
        "events",
        "decisions",
        "settlement",
    }
)


def is_arena_deal(value: Mapping[str, Any]) -> bool:
    """True for what may be a line of deals.jsonl, and is no header of a match."""
    return "record" not in value and "deal" in value and "seed" in value


def ruleset_of(value: Mapping[str, Any], line: int) -> tuple[str, str]:
    """Key and version of the ruleset that the deal was played under; raises RecordError."""
    mark = value.get("ruleset")
    if not isinstance(mark, dict) or not (is_name(mark.get("key")) and is_name(mark.get("version"))):
        raise RecordError(line, "the ruleset has no key and version")
    return mark["key"], mark["version"]


def replay_deal(value: Mapping[str, Any], line: int, ruleset: Ruleset) -> int:
    """Play a record's deal again; the number of its events. Raises Difference, RecordError or Mismatch."""
    if value.keys() != KEYS:
        wrong = shown(", ".join(sorted(value.keys() ^ KEYS)), 80)
        raise RecordError(line, f"keys that are missing or unknown: {wrong}")
    key, version = ruleset_of(value, line)
    if (key, version) != (ruleset.key, ruleset.version):
        made, here = f"{key} {version}", f"{ruleset.key} {ruleset.version}"
        cure = "name the file it was made under with --ruleset FILE.toml"
        raise Mismatch(f"line {line} was made under {made}, and this is {here}: {cure}")
    try:
        chosen = ruleset.with_options(value["ruleset"].get("options") or {})
    except (OptionError, AttributeError) as error:
        raise Mismatch(f"the options of line {line} cannot be set: {error}") from error
    decisions, index, seed = [_number(value, key, line) for key in ("decisions", "deal", "seed")]
    names = value["seats"]
    if not isinstance(names, list) or len(names) != len(SEATS) or not all(isinstance(name, str) for name in names):
        raise RecordError(line, "seats: expected a list of four texts")
    try:
        told = events_of(value)
    except ValueError as error:
        raise RecordError(line, str(error)) from None
    events = _played(told, line, chosen)
    try:
        record = replayed(chosen, events, decisions)
    except BrokenDeal as error:
        raise Difference(line, "settlement", Words("the deal is sound"), Words(str(error))) from error
    again: dict[str, Any] = json.loads(record_line(chosen, names, seed, index, record))
    found = first_difference(dict(value), again, "record")
    if found is not None:
        raise Difference(line, *found)
    return len(events)


def _number(value: Mapping[str, Any], key: str, line: int) -> int:
    number = value[key]
    if type(number) is not int or (number < 0 and key != "seed"):
        raise RecordError(line, f"{key}: expected a whole number{'' if key == 'seed' else ', 0 or more'}")
    return number


def _played(told: Sequence[Event], line: int, ruleset: Ruleset) -> list[Event]:
    """The deal's events as the engine tells them; raises Difference at the first that is another."""
    started = told[0]
    assert isinstance(started, DealStarted)  # `events_of` has seen to it
    check_dice(line, started.dice, ruleset.procedure)
    check_wall(line, started.wall, ruleset.procedure)
    if started.streak > MOST:
        raise RecordError(line, f"no dealer has won {started.streak} times in a row: {MOST} at the most")
    try:
        deal, events = play.start(
            ruleset.procedure, started.wall, started.dice, started.dealer, started.round_wind, started.streak
        )
    except ValueError as error:
        raise Difference(line, _place(0), Words("this beginning"), Words(str(error))) from error
    _compared(told, events, 0, line)
    while not deal.is_over():
        at = len(events)
        events += _step(deal, told[at:], at, line)
        _compared(told, events, at, line)
        if len(events) == at and not waiting_on(deal):
            events += play.close(deal)
            _compared(told, events, at, line)
    if len(told) > len(events):
        raise Difference(line, _place(len(events)), event_text(told[len(events)]), Words("the deal is over"))
    return events


def _place(at: int) -> str:
    return f"events[{at}]"


def _compared(told: Sequence[Event], events: Sequence[Event], first: int, line: int) -> None:
    for at in range(first, len(events)):
        if at >= len(told):
            raise Difference(line, _place(at), Words("nothing more"), event_text(events[at]))
        if told[at] != events[at]:
            raise Difference(line, _place(at), event_text(told[at]), event_text(events[at]))


def _step(deal: Deal, coming: Sequence[Event], at: int, line: int) -> list[Event]:
    """The answers that bring the `coming` events about, given to `deal`; what came of them."""
    if not coming:
        raise Difference(line, _place(at), Words("nothing more"), Words("the deal is not over"))
    if isinstance(deal.phase, Discarding):
        answers = {deal.phase.seat: _on_turn(coming)}
    else:
        claimed = _claims(coming)
        answers = {seat: claimed.get(seat, PASS_MOVE) for seat in waiting_on(deal)}
        answers.update(claimed)
    happened: list[Event] = []
    for seat, move in answers.items():
        legal = legal_moves(deal, seat)
        try:
            if move is None:
                raise IllegalMove("no move brings this about", legal)
            happened += play.apply(deal, seat, move)
        except IllegalMove as error:
            moves = ", ".join([move_text(one) for one in legal]) or "nothing"
            raise Difference(
                line, _place(at), event_text(coming[0]), Words(f"seat {seat} may choose {moves}")
            ) from error
    return happened


def _on_turn(coming: Sequence[Event]) -> Move | None:
    match coming[0]:
        case Discarded(kind=kind):
            return DISCARDS[kind]
        case Called() if len(coming) > 1 and isinstance(coming[1], Discarded):
            return CALLS[coming[1].kind]
        case Melded(meld=meld):
            return CONCEALED_GONGS[meld.kind]
        case Promoted(kind=kind):
            return PROMOTIONS[kind]
        case Won():
            return WIN_MOVE
        case _:
            return None


def _claims(coming: Sequence[Event]) -> dict[int, Move]:
    """Who claims what, where the events after a window's end tell it."""
    first = coming[0]
    if isinstance(first, Won):
        winners: dict[int, Move] = {}
        for event in coming:
            if not isinstance(event, Won):
                break
            winners[event.seat] = WIN_MOVE
        return winners
    if isinstance(first, HandShown) and len(coming) > 1 and isinstance(coming[1], Washed):
        return {first.seat: WASH_MOVE}
    if isinstance(first, Melded):
        meld = first.meld
        if meld.form == CHOW:
            return {first.seat: CHOWS[meld.kind]}
        return {first.seat: (PONGS if meld.form == PONG else GONGS)[meld.kind]}
    return {}
