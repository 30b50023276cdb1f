"""A whole deal played by bots without sockets or clocks, and the record of it."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from parlour_bots.bot import Bot
from parlour_bots.chance import Chance, stream
from parlour_bots.records import event_text, parse_event, parse_wall, wall_text
from parlour_engine import play
from parlour_engine.deal import Deal
from parlour_engine.events import WIN_WAYS, DealStarted, Event, Won
from parlour_engine.legal import legal_moves, waiting_on
from parlour_engine.notation import hand_text
from parlour_engine.outcome import losing_records, scoring_records
from parlour_engine.procedure import Procedure
from parlour_engine.rulesets import OptionValue, Ruleset
from parlour_engine.scoring.payment import Entry, Transfer, settle
from parlour_engine.scoring.tally import Award, Score
from parlour_engine.seats import EAST, SEATS, WINDS, Seat, Wind
from parlour_engine.soundness import problems
from parlour_engine.tiles import Kind, full_wall
from parlour_engine.views import view

MOST_DECISIONS: Final = 2000
"""No deal of 144 tiles comes near; one that passes it is stuck."""
Points = tuple[int, int, int, int]
"""By seat."""


class BrokenDeal(Exception):
    """A deal that is stuck, loses or gains a tile, or pays what nobody gets: a fault of ours, never of a player."""


@frozen
class Winning:
    """One winner's part of the settlement: who, how (an `events` constant), the hand's score, what each seat gets."""

    seat: Seat
    by: int
    entry: Entry
    payments: Points


@frozen
class Losing:
    """A hand that did not win and is scored all the same."""

    seat: Seat
    score: Score


@frozen
class Paying:
    """A payment from seat to seat; `reason` and `doubled` are those of `scoring.payment.Transfer`."""

    source: Seat
    target: Seat
    amount: int
    reason: str
    doubled: bool


@frozen
class DealRecord:
    """A finished deal: its events from the first to the last, and what they were worth.

    `losing` are the hands of the others where they are scored too, `transfers` what was paid from seat to seat.
    `instant` are the instant payments by seat, `changes` those and the transfers together.
    """

    events: tuple[Event, ...]
    decisions: int
    winnings: tuple[Winning, ...]
    instant: Points
    changes: Points
    losing: tuple[Losing, ...] = ()
    transfers: tuple[Paying, ...] = ()


def wall_of(procedure: Procedure, seed: int, index: int) -> list[Kind]:
    """The wall of deal `index` of a run: a full set of tiles, shuffled by the stream (seed, index, "wall")."""
    return stream(seed, index, "wall").shuffled(full_wall(procedure.flowers))


def dice_of(procedure: Procedure, seed: int, index: int) -> tuple[int, ...]:
    """The dice of deal `index`, from the stream (seed, index, "dice"); they are told and change nothing (P4)."""
    dice = stream(seed, index, "dice")
    return tuple([1 + dice.randrange(6) for _ in range(procedure.dice)])


def chances_of(seed: int, index: int) -> list[Chance]:
    """What each seat's bot leaves to luck in deal `index`: the streams (seed, index, "seat 0") to "seat 3"."""
    return [stream(seed, index, f"seat {seat}") for seat in SEATS]


def play_deal(
    ruleset: Ruleset,
    wall: Sequence[Kind],
    dice: Sequence[int],
    dealer: Seat,
    round_wind: Wind,
    bots: Sequence[Bot],
    chances: Sequence[Chance],
) -> DealRecord:
    """Play one deal to its end and settle it; `bots[seat]` decides for `seat`, with `chances[seat]`.

    No streak stands before it. Raises BrokenDeal where the deal does not end, its tiles are not all there or its
    payments do not sum to zero, and `IllegalMove` where a bot moves against the rules.
    """
    deal, log = play.start(ruleset.procedure, wall, dice, dealer, round_wind)
    decisions = 0
    while not deal.is_over():
        waiting = waiting_on(deal)
        for seat in waiting:
            move = bots[seat].decide(view(deal, seat), legal_moves(deal, seat), chances[seat])
            log += play.apply(deal, seat, move)
        decisions += len(waiting)
        if not deal.is_over() and not waiting_on(deal):
            log += play.close(deal)
        if decisions > MOST_DECISIONS:
            raise BrokenDeal(f"the deal is not over after {decisions} decisions")
    return _settled(ruleset, deal, log, decisions)


def index_deal(ruleset: Ruleset, seed: int, index: int, bots: Sequence[Bot]) -> DealRecord:
    """Deal `index` of the run with `seed`: the dealer is seat index % 4, the round wind East, whatever came before."""
    procedure = ruleset.procedure
    return play_deal(
        ruleset,
        wall_of(procedure, seed, index),
        dice_of(procedure, seed, index),
        index % 4,
        EAST,
        bots,
        chances_of(seed, index),
    )


def replayed(ruleset: Ruleset, events: Sequence[Event], decisions: int = 0) -> DealRecord:
    """The record of a deal that is over, from its events alone. Raises BrokenDeal as `play_deal` does."""
    return _settled(ruleset, play.fold(ruleset.procedure, events), list(events), decisions)


def check_totals(totals: Sequence[int], between: tuple[int, int] | None) -> None:
    """Raises BrokenDeal for a winner's total that is not between the two, these included."""
    for total in totals:
        if between is not None and not between[0] <= total <= between[1]:
            raise BrokenDeal(f"a winner scores {total}, which is not between {between[0]} and {between[1]}")


def _settled(ruleset: Ruleset, deal: Deal, events: list[Event], decisions: int) -> DealRecord:
    wrong = problems(deal)
    if wrong:
        raise BrokenDeal("; ".join(wrong))
    winners = scoring_records(deal)
    winnings: list[Winning] = []
    losing: list[Losing] = []
    transfers: list[Paying] = []
    settled: Points = (0, 0, 0, 0)
    dealer = deal.dealer
    if winners:
        settlement = settle(ruleset, winners, losing_records(deal))
        by_wind = {entry.seat_wind: entry for entry in settlement.entries}
        for won in deal.wins:
            entry = by_wind[(won.seat - dealer) & 3]
            winnings.append(Winning(won.seat, won.by, entry, _by_seat(entry.payments, dealer)))
        losing = [Losing((entry.seat_wind + dealer) & 3, entry.score) for entry in settlement.entries if not entry.won]
        transfers = [_paying(transfer, dealer) for transfer in settlement.transfers]
        settled = _by_seat(settlement.net, dealer)
    instant = (deal.paid[0], deal.paid[1], deal.paid[2], deal.paid[3])
    first, second, third, fourth = [instant[seat] + settled[seat] for seat in SEATS]
    changes = (first, second, third, fourth)
    unbalanced = _unbalanced(winnings, transfers, settled, instant)
    if unbalanced:
        raise BrokenDeal(unbalanced)
    return DealRecord(tuple(events), decisions, tuple(winnings), instant, changes, tuple(losing), tuple(transfers))


def _unbalanced(winnings: Sequence[Winning], transfers: Sequence[Paying], settled: Points, instant: Points) -> str:
    """What is wrong with payments that do not come to zero, or not to what was settled; empty where nothing is."""
    payments = [winning.payments for winning in winnings]
    if any(sum(points) for points in (*payments, settled, instant)):
        return f"the payments {payments}, {settled} and {instant} do not sum to zero"
    moved = [0, 0, 0, 0]
    for paying in transfers:
        if paying.amount <= 0 or paying.source == paying.target:
            return f"seat {paying.source} pays {paying.amount} to seat {paying.target}"
        moved[paying.source] -= paying.amount
        moved[paying.target] += paying.amount
    if moved != list(settled):
        return f"the transfers come to {moved}, the settlement to {list(settled)}"
    return ""


def _paying(transfer: Transfer, dealer: Seat) -> Paying:
    source, target = (transfer.source + dealer) & 3, (transfer.target + dealer) & 3
    return Paying(source, target, transfer.amount, transfer.reason, transfer.doubled)


def _by_seat(by_wind: Points, dealer: Seat) -> Points:
    first, second, third, fourth = [by_wind[(seat - dealer) & 3] for seat in SEATS]
    return (first, second, third, fourth)


def record_line(ruleset: Ruleset, names: Sequence[str], seed: int, index: int, record: DealRecord) -> str:
    """The record as one line of JSON (docs/bots.md), without the line's end."""
    started = record.events[0]
    assert isinstance(started, DealStarted)  # every deal begins with it
    # The wall stands once, beside the events.
    bare = DealStarted(started.dealer, started.round_wind, started.streak, started.dice, (), started.hands)
    return _json(
        {
            "deal": index,
            "seed": seed,
            "ruleset": {"key": ruleset.key, "version": ruleset.version, "options": chosen_options(ruleset)},
            "seats": list(names),
            "dealer": started.dealer,
            "round_wind": WINDS[started.round_wind],
            "streak": started.streak,
            "dice": list(started.dice),
            "wall": wall_text(started.wall),
            "events": [event_text(event) for event in (bare, *record.events[1:])],
            "decisions": record.decisions,
            "settlement": {
                "wins": [_win(record, winning) for winning in record.winnings],
                **_others(record),
                "instant": list(record.instant),
                "changes": list(record.changes),
            },
        }
    )


def failure_line(seed: int, index: int, error: str) -> str:
    """What stands in the place of a record where the deal failed."""
    return _json({"deal": index, "seed": seed, "failed": error})


def chosen_options(ruleset: Ruleset) -> dict[str, OptionValue]:
    """The options that are set otherwise than the ruleset's file sets them, by name."""
    return {
        name: ruleset.values[name]
        for name, option in sorted(ruleset.options.items())
        if ruleset.values[name] != option.default
    }


def events_of(record: Mapping[str, object]) -> list[Event]:
    """The events of a record that was read as JSON, the wall put back; raises NotationError or ValueError."""
    texts, wall = record.get("events"), record.get("wall")
    if not isinstance(texts, list) or not isinstance(wall, str) or not texts:
        raise ValueError("a record has the keys wall and events: read it as docs/bots.md says")
    started, *rest = [parse_event(str(text)) for text in texts]
    if not isinstance(started, DealStarted):
        raise ValueError("the events of a record begin with the deal")
    whole = DealStarted(
        started.dealer, started.round_wind, started.streak, started.dice, parse_wall(wall), started.hands
    )
    return [whole, *rest]


def _win(record: DealRecord, winning: Winning) -> dict[str, object]:
    score = winning.entry.score
    won = next(event for event in record.events if isinstance(event, Won) and event.seat == winning.seat)
    tile = {} if won.kind < 0 else {"tile": hand_text([won.kind])}
    source = {} if won.source < 0 else {"from": won.source}
    return {
        "seat": winning.seat,
        "by": WIN_WAYS[winning.by],
        **tile,
        **source,
        **_worth(score),
        "payments": list(winning.payments),
    }


def _others(record: DealRecord) -> dict[str, object]:
    """The hands that did not win and what was paid from seat to seat, in games that score all hands."""
    if not record.losing:
        return {}
    return {
        "others": [{"seat": losing.seat, **_worth(losing.score)} for losing in record.losing],
        "transfers": [
            {
                "from": paying.source,
                "to": paying.target,
                "amount": paying.amount,
                "reason": paying.reason,
                "doubled": paying.doubled,
            }
            for paying in record.transfers
        ],
    }


def _worth(score: Score) -> dict[str, object]:
    return {
        "points": score.points,
        **({"doubles": score.doubles} if score.doubles else {}),
        "total": score.total,
        **({"limited": True} if score.limited else {}),
        "awards": [_award(line) for line in score.awards],
    }


def _award(line: Award) -> dict[str, object]:
    return {
        "award": line.award,
        "points": line.points,
        "count": line.count,
        **({"doubles": line.doubles} if line.doubles else {}),
        **({"limit": line.limit} if line.limit else {}),
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
