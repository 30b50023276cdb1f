"""A table that died is given back by its journal, exactly: all that shows, all that waits, all that follows."""

from collections.abc import Sequence

import attrs
import pytest

from parlour_server.table import Delivery, Row, Table, ToBot
from parlour_server.table.journal import Checkpoint
from tests.server.table.sitting import CLASSICAL, FAST, LIMIT, LRC, timed
from tests.server.table.turns import Making, everything, rejoin

QUICK = attrs.evolve(FAST, pause_ms=1000)
CLOCKED = timed(presence_ms=0, pause_ms=1000, grace_ms=3000, bank_ms=20_000)
SHORT = attrs.evolve(CLOCKED, discard_ms=900, claim_ms=700, grace_ms=1500, bank_ms=4000)
"""So short that many are late."""
FAIR = attrs.evolve(SHORT, bank_ms=30_000, discard_ms=2000)
MATCHES = [
    pytest.param(Making(LRC, CLOCKED, (0, 2), 1), id="lrc, casual"),
    pytest.param(Making(LRC, SHORT, (0, 1, 2, 3), 2), id="lrc, late"),
    pytest.param(Making(CLASSICAL, SHORT, (1, 3), 3), id="classical, late"),
    pytest.param(Making(CLASSICAL, QUICK, (0, 1, 2), 4), id="classical, no clocks"),
    pytest.param(Making(LRC, attrs.evolve(SHORT, pad_windows=True), (0,), 5), id="lrc, padded"),
    pytest.param(Making(LIMIT, FAIR, (0, 1), 6, fair=True), id="limit, washing, shuffled, revealed at the end"),
    pytest.param(
        Making(LRC, attrs.evolve(FAIR, reveal="deal", watching="late"), (1, 2), 7, fair=True),
        id="lrc, shuffled, revealed, one deal late",
    ),
    pytest.param(
        Making(LRC, attrs.evolve(FAIR, start="together", watching="never"), (0, 3), 8, fair=True),
        id="lrc, waiting, not watched",
    ),
]
FOLLOWED = 6
"""Turns after a crash that are compared one by one."""


def streams(sent: Sequence[Delivery]) -> dict[int, list[object]]:
    """What each line and (below zero) each bot is sent, in order."""
    found: dict[int, list[object]] = {}
    for delivery in sent:
        if isinstance(delivery, ToBot):
            found.setdefault(-1 - delivery.seat, []).append(delivery)
        else:
            for viewer in delivery.viewers:
                found.setdefault(viewer, []).append(delivery.message)
    return found


def follow(making: Making, table: Table, first: int, last: int) -> None:
    """The same turns come to the same messages and the same rows."""
    for number, turn in enumerate(making.turns[first:last], first):
        turn.call(table, turn.now)
        here, there = streams(turn.sent), streams(table.to_send())
        if turn.joins is not None:
            # Whoever was away may have missed what was said before the crash, and is shown the whole table.
            here.pop(turn.joins), there.pop(turn.joins)
        assert there == here, f"turn {number}, {turn.text}"
        assert table.to_record() == turn.rows, f"turn {number}, {turn.text}"


@pytest.mark.parametrize("making", MATCHES)
def test_after_every_turn_the_journal_gives_the_table_back(making: Making) -> None:
    # C10, C05: a crash at any moment; dealer, streak, wind, scores, prompts, clocks and what follows are the same.
    making.play()
    live = making.fresh()
    rows: list[Row] = []
    for number, turn in enumerate(making.turns):
        turn.call(live, turn.now)
        live.to_send()
        rows += live.to_record()
        if not turn.rows:
            continue
        back = making.restored(rows, turn.now)
        assert back.to_record() == []
        rejoin(back, live, turn.now)
        back.to_send()
        # Whoever was here is here again, so nothing has happened.
        assert back.to_record() == [], f"turn {number}, {turn.text}"
        here, there = everything(live), everything(back)
        for part, value in here.items():
            assert there[part] == value, f"{part} after turn {number}, {turn.text}"
        follow(making, back, number + 1, len(making.turns) if number % 97 == 0 else number + 1 + FOLLOWED)
    assert sum(isinstance(row, Checkpoint) for row in rows) >= 1
