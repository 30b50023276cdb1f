"""The invariants of a simulated world, examined after every event: at the table, in the journal, at every client."""

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Any

from attrs import evolve

from parlour_engine.seats import SEATS
from parlour_engine.soundness import problems
from parlour_engine.views import view
from parlour_server.door import CLOSING
from parlour_server.heartbeat import EVERY, PATIENCE, QUIET
from parlour_server.live_table import LiveTable
from parlour_server.protocol import events as told
from parlour_server.protocol import lobby, messages
from parlour_server.protocol.codec import CONVERTER
from parlour_server.protocol.events import TableEvent
from parlour_server.protocol.messages import ToClient
from parlour_server.protocol.values import DealView
from parlour_server.table import wire
from parlour_server.table.journal import Closed, Happened, Offered, Row
from tests.kit.folding import fold
from tests.simulation.disk import Disk
from tests.simulation.network import Line
from tests.simulation.person import Person


class Broken(AssertionError):
    """An invariant of docs of reliability does not hold; the text names it first."""


def _must(holds: bool, what: str, *details: object) -> None:
    if not holds:
        raise Broken(f"{what}: {details}" if details else what)


TILE = re.compile(r"[1-9][mpszf]")


class Journal:
    """What was recorded of one table, folded by itself: every hand open."""

    def __init__(self) -> None:
        self.version = 0
        self.events: dict[int, TableEvent] = {}
        self.rows: list[Row] = []
        self.views: dict[tuple[int | None, int], DealView] = {}
        """What a seat, or a watcher, knows at a version; of the versions that end a step."""
        self.whole: messages.Table | None = None
        self.offered: dict[tuple[int, int], list[str]] = {}
        """The moves that a seat was asked to choose from, by version and seat."""
        self.examined = -1

    def take(self, row: Row) -> None:
        """The next row."""
        self.rows.append(row)
        if isinstance(row, Offered):
            self.offered[row.version, row.seat] = row.moves
        if isinstance(row, Happened):
            _must(row.version == self.version + 1, "I5 versions of the journal", row.version, self.version)
            self.version = row.version
            self.events[row.version] = row.event
            self.whole = fold(self.whole or _nothing(), messages.Events("", row.version, [row.event]))

    def lives(self) -> bool:
        """Whether its table is to be there."""
        return bool(self.rows) and not isinstance(self.rows[-1], Closed)


class Examiner:
    """Looks at everything and raises `Broken`. `mark` is the fingerprint of all bytes that arrived and of all rows."""

    def __init__(self) -> None:
        self.journals: dict[str, Journal] = {}
        self.mark = hashlib.sha256()
        self.events = 0
        self.deals = 0
        self.messages = 0
        self._silent: dict[Line, float] = {}

    def journal(self, table: str) -> Journal:
        """The journal of a table."""
        return self.journals.setdefault(table, Journal())

    # --- rows ---

    def recorded(self, table: str, rows: list[Row]) -> None:
        """Rows are handed to storage."""
        journal = self.journal(table)
        for row in rows:
            self.mark.update(repr(row).encode())
            journal.take(row)
            if isinstance(row, Happened):
                self.events += 1
                self.deals += isinstance(row.event, told.DealStarted)

    def crashed(self, disk: Disk) -> None:
        """Of what was recorded, what is on the disk is left."""
        for table, before in list(self.journals.items()):
            durable = disk.rows.get(table, [])
            after = self.journals[table] = Journal()
            for row in durable:
                after.take(row)
            _must(before.rows[: len(after.rows)] == after.rows, "the disk has other rows than were queued", table)
            after.views = {key: known for key, known in before.views.items() if key[1] <= after.version}

    def resumed(self, tables: dict[str, int]) -> None:
        """A server has taken these tables up, at these versions."""
        for table, version in tables.items():
            _must(version == self.journal(table).version, "resumed elsewhere than the journal ends", table, version)
        missing = [table for table, journal in self.journals.items() if journal.lives() and table not in tables]
        _must(not missing, "not resumed", missing)

    # --- lines, every second ---

    def listen(self, lines: Iterable[Line], now: float) -> None:
        """A line from which nothing comes is not kept for longer than it takes to ask it, whoever waits for it."""
        silent = [line for line in lines if line.silent]
        self._silent = {line: self._silent.get(line, now) for line in silent}
        for line, since in self._silent.items():
            _must(now - since <= EVERY * (QUIET + PATIENCE) + CLOSING, "a silent line is kept", line.number, since, now)

    # --- the table, after every step of the server ---

    def examine(self, tables: Iterable[LiveTable]) -> None:
        """Whatever has a new version since it was last looked at."""
        for live in tables:
            table = live._table
            journal = self.journals.get(table.id)
            if journal is None or table.version == journal.examined:
                continue
            journal.examined = table.version
            self._table(live, journal)

    def _table(self, live: LiveTable, journal: Journal) -> None:
        table = live._table
        course, flow, chairs = table._course, table._flow, table._chairs
        history = course.history
        _must(journal.version == table.version, "I8 the journal has every event", journal.version, table.version)
        _must(sum(history.scores) == 0, "I2 scores", history.scores)
        deal = course.deal
        if deal is None or journal.whole is None or journal.whole.deal is None:
            return
        found = problems(deal)
        _must(not found, "I1 I3 I4 the deal", found)
        self._clocks(table)
        left = {wire.deal_view(view(deal, seat), history.deal, history.discards).left for seat in (None, *SEATS)}
        _must(len(left) == 1 and min(left) >= 0, "I9 what is left", left)
        seats = {chair.seat for chair in chairs if chair.viewer is not None}
        for seat in (None, *seats):
            known = course.deal_view(seat)
            assert known is not None
            journal.views[seat, table.version] = known
        _must(journal.whole.scores == list(history.scores), "I8 scores", journal.whole.scores, history.scores)
        for seat in SEATS:
            own = wire.deal_view(view(deal, seat), history.deal, history.discards).seats[seat]
            told_of = journal.whole.deal.seats[seat]
            _must(_of_hand(own) == _of_hand(told_of), "I8 fold of the journal", seat, own, told_of)
        _must(flow is not None, "a table has a flow")

    @staticmethod
    def _clocks(table: Any) -> None:
        chairs = table._chairs
        asked = [chair for chair in chairs if chair.question is not None]
        for chair in asked:
            _must(chair.question.version == table.version, "I6 a question of an older version", chair.seat)
        if table.over:
            return
        deal = table._course.current()
        waiting = table.deadline() is not None
        present = [chair for chair in chairs if chair.viewer is not None]
        if not waiting and table.stopped is None:
            gate = table._flow.gate is not None
            _must(
                bool(asked) or (gate and (bool(present) or not table.viewers())),
                "I4 nobody can act and no timer runs",
                type(deal.phase).__name__,
            )

    @staticmethod
    def stands(tables: Iterable[LiveTable], troubled: bool) -> None:
        """While nothing can be written no table goes on, and for that none stands still afterwards."""
        for live in tables:
            if not live.closed and not live.reviving():
                still = "storage" in live._table._standstill.reasons
                _must(still or not troubled, "a table goes on though nothing can be written", live.id, live.stopped)
                _must(troubled or not still, "a table stands still for nothing", live.id, live.stopped)

    # --- clients ---

    def heard(self, person: Person, message: ToClient, frame: bytes, durable: Callable[[str], int]) -> None:
        """A message has come: only what its hearer may know, in order, and durable before it was written."""
        self.mark.update(b"%d:%d:" % (person.number, len(frame)) + frame)
        self.messages += 1
        seat = None if person.table is None else person.table.you
        match message:
            case messages.Events():
                # A frame of noise may have asked for events that its speaker has no table for.
                _must(person.table is not None or person.manners.hostile, "I5 events without a table")
                for event in message.events if person.table is not None else ():
                    _no_secret(event, seat)
                self._same_as_recorded(message, seat)
                _must(message.version <= durable(message.table), "told before it was on disk", message.version)
            case messages.Table():
                _must(message.version <= durable(message.table), "told before it was on disk", message.version)
                _must(sum(message.scores) == 0, "I2 scores of a snapshot", message.scores)
                if message.deal is not None:
                    _no_secret_in_view(message.deal, message.you)
            case messages.Ask():
                _must(person.table is not None and seat is not None, "I7 an ask for somebody without a seat")
                assert person.table is not None
                _must(message.version == person.table.version, "I6 an ask of another version", message.version)
                offered = self.journal(person.table.table).offered.get((message.version, seat or 0))
                _must(offered == message.moves, "an ask for other moves than are recorded", offered, message.moves)
            case (
                messages.WhyNot()
                | messages.DealSoFar()
                | lobby.Welcome()
                | lobby.Tables()
                | lobby.Matches()
                | lobby.Statistics()
                | messages.Said()
                | lobby.Renamed()
            ):
                pass
            case messages.Error():
                _must(message.code != "internal", "an internal error was told", message.message)
            case _:
                found = [text for text in _texts(CONVERTER.unstructure(message)) if TILE.fullmatch(text)]
                _must(not found, "I7 a tile in a message that has none", message.type, found)

    def _same_as_recorded(self, message: messages.Events, seat: int | None) -> None:
        """V05: what is told is the journal's event with things left out, and nothing else."""
        journal = self.journals.get(message.table)
        _must(journal is not None, "told of a table without a journal")
        assert journal is not None
        first = message.version - len(message.events) + 1
        for version, event in enumerate(message.events, first):
            whole = journal.events.get(version)
            _must(whole is not None, "told before it was recorded", version)
            _must(_is_part(event, whole), "V05 another event than the recorded one", event, whole)

    def folded(self, person: Person) -> None:
        """Somebody has folded news: the outcome is what a fresh snapshot of that version would say."""
        table = person.table
        assert table is not None
        journal = self.journals.get(table.table)
        if journal is None or table.settings.watching != "live":
            return
        known = journal.views.get((table.you, table.version))
        if known is not None and table.deal is not None:
            _must(known == table.deal, "I8 a client's fold differs from the table", _difference(known, table.deal))


def _nothing() -> messages.Table:
    nothing: Any = None
    return messages.Table(
        table="",
        version=0,
        you=None,
        settings=nothing,
        seats=[],
        watchers=0,
        scores=[0, 0, 0, 0],
        deal=None,
        settled=None,
        standing=None,
        shuffle=None,
        standstill=nothing,
        talk=[],
        owner=False,
        bank_ms=None,
    )


def _of_hand(seat: Any) -> Any:
    return evolve(seat, drawn=None)


def _no_secret(event: TableEvent, seat: int | None) -> None:
    match event:
        case told.Drew():
            _must(event.tile is None or event.seat == seat, "I7 another's drawn tile", event, seat)
        case told.DealStarted():
            shown = [number for number, hand in enumerate(event.hands) if hand is not None and number != seat]
            _must(not shown, "I7 another's dealt hand", shown, seat)
        case told.Melded():
            _must(
                event.meld.form != "concealed_gong" or event.meld.source is None, "I7 a concealed gong's source", event
            )
        case _:
            pass


def _no_secret_in_view(deal: DealView, you: int | None) -> None:
    if deal.phase.kind == "over":
        return
    for number, seat in enumerate(deal.seats):
        _must(number == you or (seat.tiles is None and seat.drawn is None), "I7 another's hand", number, you)


def _is_part(part: Any, whole: Any) -> bool:
    """Whether `part` is `whole` with some values left out."""
    return _covers(CONVERTER.unstructure(whole), CONVERTER.unstructure(part))


def _covers(whole: Any, part: Any) -> bool:
    if part is None or part == whole:
        return True
    if isinstance(whole, dict) and isinstance(part, dict):
        return whole.keys() == part.keys() and all(_covers(whole[key], part[key]) for key in whole)
    if isinstance(whole, list) and isinstance(part, list):
        return len(whole) == len(part) and all(map(_covers, whole, part))
    return False


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            # What people call themselves, or say, may look like anything.
            if key not in {"name", "text", "account"}:
                yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _difference(one: Any, other: Any) -> str:
    left, right = CONVERTER.unstructure(one), CONVERTER.unstructure(other)
    return "; ".join(f"{key}: {left[key]} / {right[key]}" for key in left if left[key] != right[key])
