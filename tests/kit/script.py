"""Plays a deal by a script of moves as text, and believes nothing: after every step the deal is examined."""

import pytest

from parlour_engine import play
from parlour_engine.deal import Deal
from parlour_engine.events import Event
from parlour_engine.legal import legal_moves, waiting_on
from parlour_engine.moves import move_text, parse_move
from parlour_engine.seats import Seat
from parlour_engine.soundness import problems


class Script:
    """A deal and what has happened in it since the script began."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.events: list[Event] = []

    def do(self, seat: Seat, move: str) -> list[Event]:
        """`seat` makes the move; returns the events, none in a window."""
        return self._done(play.apply(self.deal, seat, parse_move(move)))

    def close(self) -> list[Event]:
        """The window closes; who has not answered passes."""
        return self._done(play.close(self.deal))

    def discard(self, seat: Seat, tile: str) -> list[Event]:
        """`seat` discards, the window stays open."""
        return self.do(seat, f"discard {tile}")

    def pass_by(self, seat: Seat, tile: str) -> list[Event]:
        """`seat` discards and everybody passes."""
        return self.discard(seat, tile) + self.close()

    def legal(self, seat: Seat) -> list[str]:
        """The texts of the legal moves."""
        return [move_text(move) for move in legal_moves(self.deal, seat)]

    def waiting(self) -> tuple[Seat, ...]:
        """Who may still act."""
        return waiting_on(self.deal)

    def refuses(self, seat: Seat, move: str) -> str:
        """The move is refused, nothing changes; returns the reason."""
        before = self.deal.state()
        with pytest.raises(play.IllegalMove) as caught:
            play.apply(self.deal, seat, parse_move(move))
        assert self.deal.state() == before, "a refused move changed the deal"
        assert caught.value.legal == legal_moves(self.deal, seat)
        return caught.value.reason

    def _done(self, events: list[Event]) -> list[Event]:
        assert problems(self.deal) == []
        self.events += events
        return events
