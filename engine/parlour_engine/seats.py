"""What a seat is: 0-3, fixed for the match, in order of play; its wind changes with the dealer."""

from typing import Final

Seat = int
"""0-3; seat 1 plays after seat 0."""
Wind = int
"""0 East, 1 South, 2 West, 3 North."""

SEATS: Final[tuple[Seat, ...]] = (0, 1, 2, 3)
WINDS: Final = "ESWN"
"""Letters of the winds in order."""
EAST: Final[Wind] = 0


def after(seat: Seat) -> Seat:
    """The seat that plays next (anticlockwise at a real table; lrc P11)."""
    return (seat + 1) & 3


def seat_wind(seat: Seat, dealer: Seat) -> Wind:
    """The wind of `seat`: the dealer is always East (lrc P20)."""
    return (seat - dealer) & 3


def in_turn_from(seat: Seat) -> tuple[Seat, Seat, Seat]:
    """The other three seats in turn order, beginning on the right of `seat`."""
    return ((seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3)
