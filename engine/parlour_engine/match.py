"""Deals in sequence: dealer, streak, round wind, scores, the end (lrc P19-P21, A-85, A-86; classical 1, 5)."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from parlour_engine.deal import Deal
from parlour_engine.events import Event, Paid
from parlour_engine.phases import Over, Washing
from parlour_engine.procedure import Procedure
from parlour_engine.seats import EAST, SEATS, Seat, Wind, after, seat_wind


class NextDeal(NamedTuple):
    """What `play.start` has to be told of the next deal; `deal_index` deals were played before it."""

    dealer: Seat
    round_wind: Wind
    streak: int
    deal_index: int


class Standing(NamedTuple):
    """A line of the final standing; `place` is 1-4."""

    place: int
    seat: Seat
    score: int


class Match:
    """The sitting. `rounds` is its length in rounds of four dealerships, 1-4; scores start at 0 and may go below.

    `streak` is the dealer's run of wins before the next deal, `index` the number of deals finished, `over` says that no
    further deal is due.
    """

    __slots__ = ("dealer", "first_dealer", "index", "over", "procedure", "round_wind", "rounds", "scores", "streak")

    def __init__(self, procedure: Procedure, rounds: int = 4, first_dealer: Seat = 0) -> None:
        """ValueError for a length or a seat that does not exist."""
        if rounds not in range(1, 5):
            raise ValueError(f"a match is 1 to 4 rounds long, not {rounds}")
        if first_dealer not in SEATS:
            raise ValueError(f"there is no seat {first_dealer}")
        self.procedure: Final[Procedure] = procedure
        self.rounds: Final[int] = rounds
        self.first_dealer: Final[Seat] = first_dealer
        self.scores: Final[list[int]] = [0, 0, 0, 0]
        self.dealer: Seat = first_dealer
        self.round_wind: Wind = EAST
        self.streak = 0
        self.index = 0
        self.over = False

    @classmethod
    def at(
        cls, procedure: Procedure, rounds: int, due: NextDeal, scores: Sequence[int], first_dealer: Seat = 0
    ) -> "Match":
        """A match in which `due` is the next deal and the scores stand so: as it was when it told the same.

        ValueError for what no match comes to.
        """
        match = cls(procedure, rounds, first_dealer)
        if due.dealer not in SEATS or due.round_wind not in range(rounds) or due.streak < 0:
            raise ValueError(f"no match of {rounds} rounds comes to {due}")
        # Before every other dealership somebody passed the deal, and each win in a row was a deal.
        passed = 4 * due.round_wind + seat_wind(due.dealer, first_dealer)
        if due.deal_index < passed + due.streak:
            raise ValueError(f"{due.deal_index} deals are too few for {due}")
        if len(scores) != 4 or sum(scores) != 0:
            raise ValueError(f"the scores of four seats sum to zero, not {list(scores)}")
        match.scores[:] = scores
        match.dealer = due.dealer
        match.round_wind = due.round_wind
        match.streak = due.streak
        match.index = due.deal_index
        return match

    def next_deal(self) -> NextDeal:
        """The deal to start now. ValueError when the match is over."""
        if self.over:
            raise ValueError("the match is over")
        return NextDeal(self.dealer, self.round_wind, self.streak, self.index)

    def pay(self, events: Iterable[Event]) -> None:
        """Count the instant payments among `events` at once; each event of a deal is to be given once."""
        for event in events:
            if isinstance(event, Paid):
                self._add(event.changes)

    def finish(self, deal: Deal, changes: Sequence[int]) -> None:
        """Count the settlement of `deal` (`changes` by seat, all winners together) and move on to the next deal.

        The instant payments of the deal went to `pay` before. ValueError when the deal is not over, is not the one that
        was due, or the changes do not sum to zero; nothing has changed then.
        """
        phase = deal.phase
        if not isinstance(phase, Over):
            raise ValueError("the deal is not over")
        if self.over or (deal.dealer, deal.round_wind, deal.streak) != (self.dealer, self.round_wind, self.streak):
            raise ValueError("this is not the deal that was due")
        if len(changes) != 4 or sum(changes) != 0:
            raise ValueError(f"payments among four seats sum to zero, not {list(changes)}")
        self._add(changes)
        self.index += 1
        if self.dealer in phase.winners:
            self.streak += 1
        elif phase.winners or not (self.procedure.dealer_stays_on_draw or isinstance(deal.ended_in, Washing)):
            self._pass_the_deal()

    def standing(self) -> tuple[Standing, ...]:
        """The seats by score, highest first; equal scores in seat order from the first dealer."""
        in_order = [(self.first_dealer + turn) & 3 for turn in range(4)]
        in_order.sort(key=lambda seat: -self.scores[seat])
        return tuple([Standing(place, seat, self.scores[seat]) for place, seat in enumerate(in_order, start=1)])

    def copy(self) -> "Match":
        """An independent match in the same state."""
        match = Match(self.procedure, self.rounds, self.first_dealer)
        match.scores[:] = self.scores
        match.dealer = self.dealer
        match.round_wind = self.round_wind
        match.streak = self.streak
        match.index = self.index
        match.over = self.over
        return match

    def _add(self, changes: Sequence[int]) -> None:
        for seat in SEATS:
            self.scores[seat] += changes[seat]

    def _pass_the_deal(self) -> None:
        self.streak = 0
        self.dealer = after(self.dealer)
        if self.dealer == self.first_dealer:
            # P20, P21: all four have been dealer and passed.
            if self.round_wind + 1 == self.rounds:
                self.over = True
            else:
                self.round_wind += 1
