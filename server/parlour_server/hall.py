"""All tables, and everybody who may sit at them."""

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable
from random import SystemRandom
from typing import Final

from parlour_bots.levels import LEVELS
from parlour_engine.rulesets import OptionError, Ruleset
from parlour_server.catalogue import option_line, ruleset_line
from parlour_server.deals import Deals, secret_deal
from parlour_server.identity import Guest, Guests
from parlour_server.limits import Allowance
from parlour_server.live_table import ORPHANED, LiveTable
from parlour_server.log import log
from parlour_server.protocol.lobby import CreateTable
from parlour_server.protocol.messages import ErrorCode
from parlour_server.protocol.values import OptionLine
from parlour_server.rulebook import rulebook
from parlour_server.rulesets import Shelf
from parlour_server.settings import Settings
from parlour_server.table.chairs import Bot, Occupant, Person
from parlour_server.table.journal import Row
from parlour_server.table.settings import Settings as TableSettings
from parlour_server.table.table import Table

_LINK_BYTES: Final = 16
"""128 random bits: whoever has not been given the link does not find the table."""

_TABLES_A_SECOND: Final = 0.2
"""As many may one guest make in the long run; a table costs more than any other message."""
_SPARE_TABLES: Final = 4
"""As many beyond those one may have may be made at once."""

BOT_NAMES: Final = ("Mei 梅", "Lan 蘭", "Zhu 竹", "Ju 菊")
"""The four gentlemen of the flower tiles: plum, orchid, bamboo, chrysanthemum."""


class Refused(Exception):
    """A request that cannot be granted; nothing was changed. `code`, the text and `option` go to the sender alone."""

    def __init__(self, code: ErrorCode, text: str, option: OptionLine | None = None) -> None:
        super().__init__(text)
        self.code: ErrorCode = code
        self.option: OptionLine | None = option
        """The switch that may not have the value it was given."""


def _book(ruleset: Ruleset) -> bytes:
    return json.dumps(rulebook(ruleset), ensure_ascii=False, separators=(",", ":")).encode()


def _forget(_: str, __: list[Row]) -> None:
    """Tables are not kept beyond the process yet; a journal takes this place."""


class Hall:
    """The tables of one server.

    `deals_of` names where a table's walls come from, for tests and tools; no setting reaches it. `record` is given
    every table's journal rows. Raises RulesetError where a ruleset cannot be read.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        deals_of: Callable[[str], Deals] = lambda _: secret_deal,
        record: Callable[[str, list[Row]], None] = _forget,
    ) -> None:
        self._settings = settings
        self._shelf = Shelf(settings.rulesets.folder)
        # Reading them all now lets a broken one stop the start, and not the first table that asks for it.
        self._rulesets: Final = {name: self._shelf.choose(name, {}) for name in self._shelf.names}
        self.ruleset_lines: Final = [ruleset_line(ruleset) for ruleset in self._rulesets.values()]
        """The rulesets one may choose."""
        self.rule_books: Final = {f"/rules/{key}.json": _book(ruleset) for key, ruleset in self._rulesets.items()}
        """Their rule books by the path at which a client asks for them."""
        self._deals_of = deals_of
        self._record = record
        self._tables: dict[str, LiveTable] = {}
        self.guests = Guests(settings.limits.guests)

    def __len__(self) -> int:
        return len(self._tables)

    def create(self, guest: Guest, wanted: CreateTable) -> LiveTable:
        """A new table with a seat for `guest`, not started yet; raises Refused."""
        times = self._settings.tables
        now = asyncio.get_running_loop().time()
        if guest.making is None:
            guest.making = Allowance(_TABLES_A_SECOND, times.per_guest + _SPARE_TABLES, now)
        if not guest.making.take(now):
            raise Refused("too_many", "you make tables too fast; wait some seconds")
        ruleset = self._ruleset(wanted)
        floor_ms = times.floor_ms
        settings = TableSettings.of(
            wanted.clocks,
            rounds=wanted.rounds or ruleset.rounds,
            options={key: value for key, value in wanted.options.items() if value != ruleset.options[key].default},
            floor_ms=floor_ms,
            pad_windows=wanted.pad_windows,
        )
        seating = self._seating(guest, wanted.bots)
        self._make_room(guest)
        table_id = secrets.token_urlsafe(_LINK_BYTES)
        table = Table(table_id, ruleset, settings, seating, self._deals_of(table_id))
        live = LiveTable(table, guest, floor_ms, times, self._settings.bots, self._record, self._ended)
        self._tables[table_id] = live
        guest.tables += 1
        log.info("table made", table=table_id[:6], ruleset=ruleset.key, rounds=settings.rounds, clocks=wanted.clocks)
        return live

    def _make_room(self, guest: Guest) -> None:
        """Close a table that nobody is at where there is no room for another; raises Refused where there is none."""
        times = self._settings.tables
        own = [live for live in self._tables.values() if live.owner is guest]
        if len(own) >= times.per_guest and not self._close_one(own, 0.0):
            raise Refused("too_many", f"you are at {len(own)} tables already; leave one first")
        if len(self._tables) >= times.most and not self._close_one(self._tables.values(), ORPHANED):
            raise Refused("too_many", "the house is full; try again later")

    @staticmethod
    def _close_one(tables: Iterable[LiveTable], seconds: float) -> bool:
        """Close the table that has been deserted longest, and for so long at least; False where there is none."""
        latest = asyncio.get_running_loop().time() - seconds
        found = [(live.deserted, live) for live in tables if live.deserted is not None and live.deserted <= latest]
        if not found:
            return False
        _, live = min(found, key=lambda pair: pair[0])
        log.info("table swept", table=live.id[:6], over=live.over, room=True)
        live.close()
        return True

    def _ruleset(self, wanted: CreateTable) -> Ruleset:
        # The shelf's own words for unknown names repeat them, which no message does.
        if wanted.ruleset not in self._rulesets:
            raise Refused("bad_settings", f"ruleset is one of {', '.join(self._rulesets)}")
        known = self._rulesets[wanted.ruleset].options
        if not wanted.options.keys() <= known.keys():
            raise Refused("bad_settings", f"each of options is one of {', '.join(sorted(known))}")
        try:
            return self._shelf.choose(wanted.ruleset, wanted.options)
        except OptionError as error:
            wrong = option_line(known[error.option]) if error.option else None
            raise Refused("bad_settings", str(error), wrong) from None

    @staticmethod
    def _seating(guest: Guest, levels: list[str]) -> list[Occupant]:
        """The guest and three bots on seats that chance draws, as the winds are drawn before a match."""
        if len(levels) != 3 or not all(level in LEVELS for level in levels):
            raise Refused("bad_settings", f"bots is a list of three levels out of {', '.join(LEVELS)}")
        chance = SystemRandom()
        names = chance.sample(BOT_NAMES, 3)
        occupants: list[Occupant] = [Bot(level, name) for level, name in zip(levels, names, strict=True)]
        occupants.append(Person(guest.id, guest.name))
        chance.shuffle(occupants)
        return occupants

    def find(self, table: str) -> LiveTable:
        """The table of a link; raises Refused."""
        live = self._tables.get(table)
        if live is None:
            raise Refused("no_such_table", "there is no such table, or it has been closed")
        return live

    def rename(self, guest: Guest) -> None:
        """Tell the tables a guest's new name."""
        for live in list(self._tables.values()):
            live.rename(guest)

    def close(self) -> None:
        """Close every table."""
        for live in list(self._tables.values()):
            live.close()

    def _ended(self, live: LiveTable) -> None:
        del self._tables[live.id]
        live.owner.tables -= 1
