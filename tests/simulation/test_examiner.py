"""The simulation notices what it is there to notice: each fault is put into the server, and a world must fail."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from parlour_server.first_written import FirstWritten, Turn
from parlour_server.heartbeat import Heartbeat
from parlour_server.live_table import LiveTable
from parlour_server.protocol import events
from parlour_server.protocol.events import TableEvent
from parlour_server.protocol.values import Stopped
from parlour_server.storage.changes import RowsTold
from parlour_server.table.audience import Audience
from parlour_server.table.flow import Flow
from parlour_server.table.history import Entry, History
from parlour_server.table.journal import Row
from parlour_server.table.table import Table
from tests.kit.folding import Gap
from tests.simulation.disk import SimulatedStore
from tests.simulation.examiner import Broken
from tests.simulation.house import ServerFault
from tests.simulation.plan import Plan
from tests.simulation.world import World

SEEDS = range(30)


def fails(kind: type[AssertionError], words: str) -> None:
    """One of some worlds fails, in this way."""
    for seed in SEEDS:
        try:
            World(Plan.of(seed)).run()
        except kind as fault:
            assert words in str(fault)  # noqa: PT017 # which of the worlds meets the fault is not known
            return
    pytest.fail("no world has noticed")


def test_a_hidden_tile_in_a_foreign_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Entry, "seen_by", lambda entry, _: entry.whole)
    fails(Broken, "I7")


def test_a_hidden_hand_in_a_foreign_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Table._snapshot

    def opened(table: Table, viewer: int) -> Any:
        found = real(table, viewer)
        return found if found.deal is None else evolve(found, deal=table._course.deal_view((found.you or 0) ^ 1))

    monkeypatch.setattr(Table, "_snapshot", opened)
    fails(Broken, "I7")


def test_an_event_that_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., None] = Audience.tell

    def forgetful(audience: Audience, entries: Any, version: int, **more: Any) -> None:
        if version % 7:
            real(audience, entries, version, **more)

    monkeypatch.setattr(Audience, "tell", forgetful)
    fails(Gap, "begins with")


def test_an_event_that_is_not_the_recorded_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(entry: Entry, seat: int | None) -> TableEvent:
        found = entry.public if seat is None else entry.private.get(seat, entry.public)
        return evolve(found, drawn=not found.drawn) if isinstance(found, events.Discarded) else found

    monkeypatch.setattr(Entry, "seen_by", other)
    fails(Broken, "V05")


def test_an_event_that_is_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Table.to_record

    def forgetful(table: Table) -> list[Row]:
        rows = real(table)
        return rows if table.version < 6 else []

    monkeypatch.setattr(Table, "to_record", forgetful)
    fails(Broken, "journal")


def test_scores_that_do_not_sum_up(monkeypatch: pytest.MonkeyPatch) -> None:
    real = History._tell

    def generous(history: History, deal: Any, event: Any) -> Entry:
        history.scores[0] += 1
        return real(history, deal, event)

    monkeypatch.setattr(History, "_tell", generous)
    fails(Broken, "I2")


def test_a_table_that_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Flow, "deadline", lambda _: None)
    fails(Broken, "I4")


def test_a_table_that_goes_on_though_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    real = LiveTable.stop

    def careless(live: LiveTable, reason: Stopped) -> None:
        if reason != "storage":
            real(live, reason)

    monkeypatch.setattr(LiveTable, "stop", careless)
    fails(Broken, "goes on though nothing can be written")


def test_a_table_that_stands_still_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trouble that is over holds nobody: else the whole world would stand still, and its match not go on."""
    monkeypatch.setattr(LiveTable, "go_on", lambda *_: None)
    fails(Broken, "stands still for nothing")


def test_a_silent_line_that_nobody_looks_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Heartbeat, "watch", lambda *_: None)
    fails(Broken, "a silent line is kept")


def test_an_exception_at_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(Table, "receive", failing)
    fails(ServerFault, "a fault of ours")


def test_something_told_before_it_is_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., None] = FirstWritten.put

    def hasty(turns: FirstWritten, rows: list[Row], deliveries: Any, gone: Any, *_: Any, **__: Any) -> None:
        turns._deliver(Turn(deliveries, gone, None, written=True))
        real(turns, rows, [], [])

    monkeypatch.setattr(FirstWritten, "put", hasty)
    fails(Broken, "told before")


def test_a_row_that_a_crash_takes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    real = SimulatedStore._commit

    def forgetful(store: SimulatedStore) -> list[Callable[[], None]]:
        kept = [queued for queued in store._batch if not isinstance(queued[0], RowsTold) or len(queued[0].rows) < 3]
        lost = [queued for queued in store._batch if queued not in kept]
        store._batch = kept
        return real(store) + [done for _, done in lost if done is not None]

    monkeypatch.setattr(SimulatedStore, "_commit", forgetful)
    fails(Broken, "")
