"""Changes to write, and how tests wait for them."""

import asyncio
from collections.abc import Sequence
from typing import Final

from parlour_server.protocol.values import Names
from parlour_server.storage.changes import Change, RowsTold, SeatMeta, TableMade, TableMeta
from parlour_server.storage.matches import match_id
from parlour_server.storage.store import Store
from parlour_server.table.journal import Answered, Row
from parlour_server.table.settings import Settings

QUICK: Final = (0.0,)
"""A write that failed is tried again at once."""
NOON: Final = "2026-01-31T12:00:00Z"


def meta(table: str, **other: object) -> TableMeta:
    """What a table may have been made of."""
    values: dict[str, object] = {
        "ruleset": "lrc",
        "ruleset_version": "1",
        "digest": "d" * 64,
        "ruleset_name": Names("LRC", "港式"),
        "options": {"streak": True, "most": 3, "way": "short"},
        "settings": Settings.of("brisk", floor_ms=400),
        "occupants": [SeatMeta("Ann", "ann", None), *[SeatMeta("Mei 梅", None, "steady")] * 3],
        "owner": "ann",
        "public": True,
        "made_at": NOON,
        "match": match_id(table),
    }
    return TableMeta(**(values | other))  # type: ignore[arg-type]  # the fields of TableMeta


def made(table: str, **other: object) -> TableMade:
    """A table."""
    return TableMade(table, meta(table, **other))


def row(number: int) -> Row:
    """A row that can be told from all others."""
    return Answered(number / 8, number, number % 4, f"discard {number % 9 + 1}m", "person")


def rows(table: str, *numbers: int) -> RowsTold:
    """Rows with these numbers."""
    return RowsTold(table, [row(number) for number in numbers])


async def written(store: Store, *changes: Change) -> None:
    """Write these and wait until the last is durable."""
    done = asyncio.Event()
    for change in changes[:-1]:
        store.write(change)
    store.write(changes[-1], done.set)
    await asyncio.wait_for(done.wait(), 20)


def numbers(told: Sequence[Row]) -> list[int]:
    """The numbers of such rows."""
    return [one.version for one in told if isinstance(one, Answered)]
