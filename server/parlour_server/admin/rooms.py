"""What the keeper's socket asks of the house."""

from collections.abc import Iterable
from typing import Protocol

from attrs import field, frozen


@frozen(kw_only=True)
class Room:
    """A table as its keeper may see it. The table's own id is a secret link, and no part of this."""

    match: str
    """The public name of its match; the first letters of it name the table."""
    state: str
    """One of `metrics.TABLE_STATES`."""
    ruleset: str
    deal: int
    """The number of the running deal, or of the last one; 0 before the first."""
    people: int
    """Players who are here."""
    watchers: int
    public: bool
    demonstration: bool
    age_s: int
    """Seconds since it was made, whatever has happened to the server since."""
    idle_s: int | None
    """Seconds since the last of its people was here; None while one is."""
    seats: list[str]
    """Names by seat, bots' too."""


@frozen(kw_only=True)
class Visitor:
    """A line as the keeper may see it."""

    number: int
    address: str
    identity: str | None
    """None for a stranger, who has not said hello."""
    name: str
    match: str | None
    """Of the table it is at."""
    age_s: int


@frozen(kw_only=True)
class Standing:
    """The house at a glance."""

    version: str
    uptime_s: int
    lines: int
    people: int
    tables: dict[str, int]
    """State -> number."""
    playing: int
    """Tables with a deal under way."""
    draining: bool
    store_queue: int
    lacks: list[str] = field(factory=list)
    """Why it is not ready (`Readiness.lacks`)."""


class Rooms(Protocol):
    """The house. Its methods belong to the loop, and none but one waits. `match` is that of one of `rooms()`."""

    def standing(self) -> Standing:
        """The house at a glance."""

    def rooms(self) -> Iterable[Room]:
        """Every table."""

    def visitors(self) -> Iterable[Visitor]:
        """Every line."""

    def people(self) -> Iterable[tuple[str, str]]:
        """Everybody who is here or was lately: identity and name."""

    def freeze(self, match: str) -> None:
        """Let the table stand still until it is thawed; its people are told. Nothing where it is frozen."""

    def thaw(self, match: str) -> None:
        """Let it go on. A table that was frozen after faults is made anew from its journal first; raises ValueError
        with the reason where that cannot be."""

    def close_room(self, match: str) -> None:
        """End the table; its people are told, and its record is kept as far as it goes."""

    def drain(self, on: bool) -> None:
        """Make no new table and begin no further deal, or do so again. People are told of it."""

    def stop(self) -> None:
        """End the process as SIGTERM would; the tables will stand again at the next start."""

    async def new_password(self, account: str) -> tuple[str, int] | None:
        """Another password for an account, and how many lines of its person were ended; None where there is no such
        account. This one waits, for the hash and the disk; raises Refused where too many do."""

    def dismiss(self, identity: str | None, address: str | None) -> int:
        """End the lines of somebody, or of everybody whose household (`limits.household`) is `address`; how many."""
