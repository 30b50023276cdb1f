"""What a table is made of, put together."""

from collections.abc import Sequence
from typing import Final

from parlour_engine.rulesets import Ruleset
from parlour_engine.seats import Seat
from parlour_server.protocol.messages import Error, ErrorCode
from parlour_server.table.audience import Audience
from parlour_server.table.chairs import Bot, Chair, Occupant
from parlour_server.table.course import Course
from parlour_server.table.flow import Flow
from parlour_server.table.halting import Halting
from parlour_server.table.journal import MatchBegun, Row
from parlour_server.table.keeping import Keeping
from parlour_server.table.presence import Presence
from parlour_server.table.seating import Seating
from parlour_server.table.settings import Settings
from parlour_server.table.shown import Shown
from parlour_server.table.shuffling import Deals, Shuffling
from parlour_server.table.standstill import Standstill
from parlour_server.table.talk import Talk


class Parts:
    """One table's, by name; see the class of each. `rows` are those that wait to be recorded."""

    __slots__ = (
        "_digest",
        "_value",
        "audience",
        "course",
        "flow",
        "halting",
        "id",
        "keeping",
        "owner",
        "presence",
        "rows",
        "seating",
        "settings",
        "shown",
        "shuffling",
        "standstill",
        "talk",
    )

    def __init__(
        self,
        table_id: str,
        ruleset: Ruleset,
        settings: Settings,
        occupants: Sequence[Occupant],
        deals: Deals,
        stand_in: Bot,
        owner: str | None,
    ) -> None:
        self.id: Final[str] = table_id
        self.settings: Final = settings
        self.owner: Final = owner
        self._value: Final = settings.value(ruleset)
        self._digest: Final = ruleset.digest
        rows: list[Row] = []
        still, talk = Standstill(), Talk()
        seating = Seating([Chair(seat, occupants[seat], stand_in, settings.bank) for seat in range(4)])
        audience = Audience(table_id, settings.presence_ms, live=settings.watching == "live")
        shuffling = Shuffling(deals)
        course = Course(ruleset, settings.rounds, shuffling.lay, rows)
        presence = Presence(settings, seating, course.history, audience, still, rows)
        flow = Flow(settings, seating, presence, course, shuffling, audience, still, rows)
        shown = Shown(table_id, self._value, owner, seating, audience, course, flow, shuffling, still, talk)
        keeping = Keeping(course, seating, still, shuffling, talk, shown)
        flow.checkpoint, flow.deal_over = keeping.checkpoint, shown.deal_over
        self.rows: Final = rows
        self.standstill: Final = still
        self.talk: Final = talk
        self.seating: Final = seating
        self.audience: Final = audience
        self.shuffling: Final = shuffling
        self.course: Final = course
        self.presence: Final = presence
        self.flow: Final = flow
        self.shown: Final = shown
        self.keeping: Final = keeping
        self.halting: Final = Halting(table_id, seating, audience, presence, flow, still, rows)

    def begin(self, absent: Sequence[Seat], now: float) -> None:
        """Begin the match; the lines of the owners of the seats `absent` are not up. ValueError the second time."""
        if self.course.history.version:
            raise ValueError("the match has begun")
        value = self._value
        begun = MatchBegun(
            at=now,
            ruleset=value.ruleset,
            ruleset_version=value.ruleset_version,
            digest=self._digest,
            options=value.options,
            rounds=value.rounds,
            seats=[chair.sitter() for chair in self.seating.chairs],
            absent=list(absent),
        )
        self.rows.append(begun)
        self.flow.start(absent, now)

    def error(self, viewer: int, code: ErrorCode, text: str, about: int | None = None) -> None:
        """Refuse something to one viewer."""
        self.audience.send(viewer, Error(code, text, about))
