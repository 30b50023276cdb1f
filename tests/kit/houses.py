"""A server out of its parts, as tests need it."""

import asyncio
from collections.abc import Awaitable, Callable
from importlib.resources.abc import Traversable

from parlour_server.chance import Chance
from parlour_server.fairness.seal import Signer
from parlour_server.hall import BOT_NAMES, Hall
from parlour_server.keeping import Keeping
from parlour_server.people.house import House as Rulings
from parlour_server.people.people import People
from parlour_server.server import Parlour
from parlour_server.settings import Settings
from parlour_server.storage.changes import StoredMatch
from parlour_server.storage.store import Store
from parlour_server.table.journal import Row
from parlour_server.table.shuffling import Deals


class ListeningKeeping(Keeping):
    """Tells `heard` every row of a journal beside keeping it."""

    heard: Callable[[str, list[Row]], None] = staticmethod(lambda _, __: None)

    def record(self, table: str, rows: list[Row], written: Callable[[], None]) -> None:
        self.heard(table, rows)
        super().record(table, rows, written)


def build(
    settings: Settings,
    page: Traversable,
    store: Store,
    *,
    deals_of: Callable[[str], Deals] | None = None,
    record: Callable[[str, list[Row]], None] | None = None,
    rulings: Rulings | None = None,
    keep_file: Callable[[StoredMatch], None] | None = None,
    chance: Chance | None = None,
    signer: Signer | None = None,
    aside: Callable[[Callable[[], None]], Awaitable[None]] = asyncio.to_thread,
) -> Parlour:
    """A server over a store, not open yet; its hall has to `resume` first."""
    keeping = ListeningKeeping(
        store, program="test", deals=deals_of, keep_file=keep_file, chance=chance, signer=signer, aside=aside
    )
    if record is not None:
        keeping.heard = record
    people = People(store, settings.limits.guests, names=BOT_NAMES, chance=chance)
    hall = Hall(settings, keeping, people, rulings=rulings, chance=chance)
    parlour = Parlour(settings, page, hall)
    store.on_trouble(parlour.storage_trouble)
    store.on_refused(hall.refused)
    return parlour
