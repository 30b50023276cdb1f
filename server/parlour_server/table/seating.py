"""The four chairs, and who has moved between them: nobody is to see the table twice over, or one hand after another."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from parlour_engine.seats import Seat
from parlour_server.table.chairs import Chair


class Seating:
    """`chairs` by seat. What is kept of those who moved lasts for the running deal, after which every hand is new."""

    __slots__ = ("_left", "_moved", "chairs", "players")

    def __init__(self, chairs: Sequence[Chair]) -> None:
        self.chairs: Final = tuple(chairs)
        self._moved: Final[dict[str, int]] = {}
        """The version at which a person last took or left a seat: what it has folded before does not go on."""
        self._left: Final[dict[str, tuple[int, Seat]]] = {}
        """The deal in which a person last left a seat, and the seat, whose hand it has seen."""

        self.players: Final[set[str]] = set()
        """Everybody who has, or had, a seat in this match."""

    def begin(self) -> None:
        """The match begins."""
        self.players.update([chair.person.id for chair in self.chairs if chair.person is not None])

    def chair_of(self, person: str) -> Chair | None:
        """The chair that a person owns, present or not."""
        for chair in self.chairs:
            if chair.person is not None and chair.person.id == person:
                return chair
        return None

    def owned(self) -> list[Chair]:
        """The chairs of persons."""
        return [chair for chair in self.chairs if chair.person is not None]

    def sees_anew(self, person: str, seen: int) -> bool:
        """True where what a person has folded up to version `seen` was folded from another place at the table."""
        return seen <= self._moved.get(person, -1)

    def knows_other(self, person: str, seat: Seat, deal: int) -> bool:
        """True where a person has held another hand than that of `seat` in this deal."""
        left = self._left.get(person)
        return left is not None and left[0] == deal and left[1] != seat

    def took(self, person: str, version: int) -> None:
        """A person has sat down after event `version`."""
        self._moved[person] = version
        if version:
            self.players.add(person)

    def left(self, person: str, version: int, deal: int, seat: Seat) -> None:
        """A person has left a seat in this deal (0 before the first)."""
        self._moved[person] = version
        if deal:
            self._left[person] = (deal, seat)

    def forget_before(self, version: int) -> None:
        """A deal begins after event `version`: what was folded before it is of no use to anybody."""
        for person in [who for who, at in self._moved.items() if at < version]:
            del self._moved[person]

    def new_hands(self) -> None:
        """It is dealt: nobody has seen any of these hands."""
        self._left.clear()

    def moved(self) -> dict[str, int]:
        """Who has moved since the deal before, and after which event."""
        return dict(sorted(self._moved.items()))

    def put_back(self, moved: Mapping[str, int], players: Iterable[str]) -> None:
        """As `moved` and `players` told it."""
        self.players.update(players)
        self._moved.update(moved)
