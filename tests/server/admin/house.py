"""A house that a keeper looks after: what it has, and what it was told to do."""

from collections.abc import Iterable

from parlour_server.admin.rooms import Room, Standing, Visitor
from parlour_server.refused import Refused
from parlour_server.storage.changes import Change

FIRST, SECOND, OTHER = "aaaa1111" + "0" * 24, "aaaa2222" + "0" * 24, "bbbb3333" + "0" * 24
ADA, BEN = "0a0a" + "1" * 28, "0b0b" + "2" * 28


def unkept(_: Change) -> None:
    """A storage for those who do not look into it."""


def room(match: str, state: str = "playing") -> Room:
    return Room(
        match=match,
        state=state,
        ruleset="lrc",
        deal=3,
        people=1,
        watchers=2,
        public=True,
        demonstration=False,
        age_s=600,
        idle_s=None,
        seats=["Ada", "Mei 梅", "\u202egnol\x1b[31m", "x"],
    )


class FakeRooms:
    """Satisfies `Rooms`."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []
        self.playing = 2
        self.draining = False
        self.tables = {match: room(match) for match in (FIRST, SECOND, OTHER)}
        self.here = [
            Visitor(number=1, address="203.0.113.5", identity=ADA, name="Ada", match=FIRST, age_s=60),
            Visitor(number=2, address="203.0.113.6", identity=BEN, name="\u202eBen\n", match=None, age_s=10_000),
            Visitor(number=3, address="2001:db8:1:2::7", identity=None, name="", match=None, age_s=1),
        ]
        self.away: list[tuple[str, str]] = []
        """People who were here lately."""
        self.damaged = ""

    def standing(self) -> Standing:
        return Standing(
            version="1",
            uptime_s=7200,
            lines=3,
            people=2,
            tables={"playing": 3, "frozen": 0},
            playing=self.playing,
            draining=self.draining,
            store_queue=5,
            lacks=["the storage cannot be written"],
        )

    def rooms(self) -> Iterable[Room]:
        return list(self.tables.values())

    def visitors(self) -> Iterable[Visitor]:
        return self.here

    def people(self) -> Iterable[tuple[str, str]]:
        here = [(one.identity, one.name) for one in self.here if one.identity is not None]
        return [*here, *self.away]

    def freeze(self, match: str) -> None:
        self.told.append(("freeze", match))
        self.tables[match] = room(match, "frozen")

    def thaw(self, match: str) -> None:
        if self.damaged:
            raise ValueError(self.damaged)
        self.told.append(("thaw", match))
        self.tables[match] = room(match)

    def close_room(self, match: str) -> None:
        self.told.append(("close", match))
        del self.tables[match]

    def drain(self, on: bool) -> None:
        self.told.append(("drain", on))
        self.draining = on

    def stop(self) -> None:
        self.told.append(("stop",))

    async def new_password(self, account: str) -> tuple[str, int] | None:
        if account == "crowd":
            raise Refused("too_many", "too many people sign in at this moment; try again")
        self.told.append(("new_password", account))
        return ("sixteen-letters!", 2) if account == "Ada" else None

    def dismiss(self, identity: str | None, address: str | None) -> int:
        self.told.append(("dismiss", identity, address))
        return 1
