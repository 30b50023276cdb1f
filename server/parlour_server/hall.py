"""All tables, and everybody who may sit at them."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable
from typing import Final

from attrs import evolve

from parlour_bots.levels import LEVELS
from parlour_engine.rulesets import OptionError, Ruleset
from parlour_server.alarm import Alarms
from parlour_server.catalogue import option_line, ruleset_line
from parlour_server.chance import Chance
from parlour_server.keeping import Keeping, seat_meta
from parlour_server.limits import Allowance
from parlour_server.live_table import LiveTable
from parlour_server.lobby_list import TableList
from parlour_server.log import log
from parlour_server.metrics import UNHEARD, Metrics
from parlour_server.people.house import House as Rulings
from parlour_server.people.house import OpenHouse
from parlour_server.people.people import People
from parlour_server.protocol.lobby import CreateTable
from parlour_server.protocol.messages import LeftReason
from parlour_server.refused import Refused
from parlour_server.rulebook import rulebook
from parlour_server.rulesets import Shelf
from parlour_server.settings import Settings
from parlour_server.storage.changes import Change, RowsTold, TableMade, TableMeta
from parlour_server.storage.matches import match_id
from parlour_server.surroundings import House
from parlour_server.sweep import ORPHANED
from parlour_server.table.chairs import Bot, Occupant, Person
from parlour_server.table.settings import Settings as TableSettings
from parlour_server.table.table import Table
from parlour_server.table.verdict import names_of

_LINK_BYTES: Final = 16
"""128 random bits: whoever has not been given the link does not find the table."""

_TABLES_A_SECOND: Final = 0.2
"""As many may one person make in the long run; a table costs more than any other message."""
_SPARE_TABLES: Final = 4
"""As many beyond those one may have may be made at once."""

_LOOK: Final = 5.0
"""Seconds between two looks at whether the demonstration is over."""
_AFTERWARDS: Final = 60.0
"""Seconds that its finished match stays for those who watched it."""

BOT_NAMES: Final = ("Mei 梅", "Lan 蘭", "Zhu 竹", "Ju 菊")
"""The four gentlemen of the flower tiles: plum, orchid, bamboo, chrysanthemum."""


def _book(ruleset: Ruleset) -> bytes:
    return json.dumps(rulebook(ruleset), ensure_ascii=False, separators=(",", ":")).encode()


class Hall:
    """The tables of one server, which `keeping` keeps through everything that may happen to the process.

    Raises RulesetError where a ruleset cannot be read. `async with` is not needed: `resume` before anybody comes in,
    `leave_off` at the end.
    """

    def __init__(
        self,
        settings: Settings,
        keeping: Keeping,
        people: People,
        *,
        rulings: Rulings | None = None,
        chance: Chance | None = None,
        metrics: Metrics = UNHEARD,
    ) -> None:
        self._settings = settings
        self._shelf = Shelf(settings.rulesets.folder)
        # Reading them all now lets a broken one stop the start, and not the first table that asks for it.
        self._rulesets: Final = {name: self._shelf.choose(name, {}) for name in self._shelf.names}
        self.ruleset_lines: Final = [ruleset_line(ruleset) for ruleset in self._rulesets.values()]
        """The rulesets one may choose."""
        self.rule_books: Final = {f"/rules/{key}.json": _book(ruleset) for key, ruleset in self._rulesets.items()}
        """Their rule books by the path at which a client asks for them."""
        self.keeping: Final = keeping
        self.store: Final = keeping.store
        self.people: Final = people
        self.house: Final[Rulings] = OpenHouse() if rulings is None else rulings
        self.floor_ms: Final = settings.tables.floor_ms
        """The claim floor of a table that chooses none."""
        self.house_key: Final = keeping.house_key
        """What records are sealed with: the public half, in hex."""
        self.chance: Final = Chance() if chance is None else chance
        self.closing = False
        """Whether no new tables are made: the house is about to close."""
        self._troubled = False
        self.tables: Final[dict[str, LiveTable]] = {}
        """All that live, by their link, in the order in which they were made."""
        self.lobby: Final = TableList(self.tables.values)
        self._making: Final[dict[str, Allowance]] = {}
        self._env: Final = House(
            settings.tables,
            settings.bots,
            self.chance,
            metrics,
            Alarms(),
            keeping.record,
            self._revived,
            keeping.over,
            self._ended,
            keeping.ended,
            lambda: self.closing,
        )
        self._demonstration: LiveTable | None = None
        self._demonstrating: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self.tables)

    # --- tables ---

    def create(self, person: Person, wanted: CreateTable) -> LiveTable:
        """A new table with a seat for `person`, not started yet; raises Refused."""
        self._allow(person)
        ruleset = self._ruleset(wanted)
        times = self._settings.tables
        settings = TableSettings.of(
            wanted.clocks,
            rounds=wanted.rounds or ruleset.rounds,
            options={key: value for key, value in wanted.options.items() if value != ruleset.options[key].default},
            floor_ms=times.floor_ms if wanted.floor_ms is None else wanted.floor_ms,
            pad_windows=wanted.pad_windows,
            public=wanted.public,
            watching=wanted.watching,
            reveal=wanted.reveal,
            start=wanted.start,
        )
        seating = self._seating(person, wanted.bots)
        self._make_room(person)
        live = self._open(ruleset, settings, seating, person.id)
        log.info("table made", table=live.meta.match[:8], ruleset=ruleset.key, rounds=settings.rounds)
        return live

    @property
    def demonstration(self) -> str | None:
        """The link of the table of bots that is always there to be watched."""
        live = self._demonstration
        return None if live is None or live.closed else live.id

    def demonstrate(self) -> None:
        """See to it, now and again, that there is such a table: whoever comes in is to see the game at once."""
        loop = asyncio.get_running_loop()
        live = self._demonstration
        if live is None:
            kept = [one for one in self.tables.values() if one.meta.demonstration and not (one.over or one.frozen)]
            live = kept[-1] if kept else None
        elif live.over and not live.closed:
            loop.call_later(_AFTERWARDS, live.close)
        if not self.closing:
            if live is None or live.over or live.closed or live.frozen:
                live = self._demonstrate()
            self._demonstration = live
            self._demonstrating = loop.call_later(_LOOK, self.demonstrate)

    def _demonstrate(self) -> LiveTable:
        # The game that is played where nobody has chosen one.
        ruleset = self._rulesets[CreateTable().ruleset]
        usual = TableSettings.of("casual", rounds=ruleset.rounds, floor_ms=self.floor_ms, public=True, reveal="deal")
        bots: list[Occupant] = [Bot("steady", name) for name in self.chance.random.sample(BOT_NAMES, 4)]
        live = self._open(ruleset, evolve(usual, house=True), bots, None)
        live.start()
        return live

    def _open(
        self,
        ruleset: Ruleset,
        settings: TableSettings,
        occupants: list[Occupant],
        owner: str | None,
    ) -> LiveTable:
        table_id = self.chance.token(_LINK_BYTES)
        keeping = self.keeping
        meta = TableMeta(
            match=match_id(table_id),
            ruleset=ruleset.key,
            ruleset_version=ruleset.version,
            digest=ruleset.digest,
            ruleset_name=names_of(ruleset.names),
            options=settings.options,
            settings=settings,
            occupants=[seat_meta(occupant) for occupant in occupants],
            owner=owner,
            public=settings.public,
            made_at=keeping.utc_text(),
            demonstration=settings.house,
        )
        keeping.keep_ruleset(self._shelf, ruleset)
        keeping.store.write(TableMade(table_id, meta))
        table = Table(table_id, ruleset, settings, occupants, keeping.deals_of(table_id, ruleset), owner=owner)
        live = LiveTable(table, meta, self._env)
        live.made()
        self.tables[table_id] = live
        if self._troubled:
            live.stop("storage")
        return live

    def _allow(self, person: Person) -> None:
        now = asyncio.get_running_loop().time()
        making = self._making.get(person.id)
        if making is None:
            if len(self._making) > self._settings.limits.guests:
                self._making.clear()
            most = self._settings.tables.per_guest + _SPARE_TABLES
            making = self._making[person.id] = Allowance(_TABLES_A_SECOND, most, now)
        if not making.take(now):
            raise Refused("too_many", "you make tables too fast; wait some seconds")

    def _make_room(self, person: Person) -> None:
        """Close a table that nobody is at where there is no room for another; raises Refused where there is none."""
        times = self._settings.tables
        own = [live for live in self.tables.values() if live.meta.owner == person.id]
        if len(own) >= times.per_guest and not self._close_one(own, 0.0):
            raise Refused("too_many", f"you are at {len(own)} tables already; leave one first")
        if len(self.tables) >= times.most and not self._close_one(self.tables.values(), ORPHANED):
            raise Refused("too_many", "the house is full; try again later")

    @staticmethod
    def _close_one(tables: Iterable[LiveTable], seconds: float) -> bool:
        """Close the table that has been deserted longest, and for so long at least; False where there is none."""
        latest = asyncio.get_running_loop().time() - seconds
        found = [
            (live.deserted, live)
            for live in tables
            if live.deserted is not None and live.deserted <= latest and not live.meta.demonstration
        ]
        if not found:
            return False
        _, live = min(found, key=lambda pair: pair[0])
        log.info("table swept", table=live.meta.match[:8], over=live.over, room=True)
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

    def _seating(self, person: Person, levels: list[str]) -> list[Occupant]:
        """The person and three bots on seats that chance draws, as the winds are drawn before a match."""
        if len(levels) != 3 or not all(level in LEVELS for level in levels):
            raise Refused("bad_settings", f"bots is a list of three levels out of {', '.join(LEVELS)}")
        chance = self.chance.random
        names = chance.sample(BOT_NAMES, 3)
        occupants: list[Occupant] = [Bot(level, name) for level, name in zip(levels, names, strict=True)]
        occupants.append(person)
        chance.shuffle(occupants)
        return occupants

    def find(self, table: str) -> LiveTable:
        """The table of a link; raises Refused."""
        live = self.tables.get(table)
        if live is None:
            raise Refused("no_such_table", "there is no such table, or it has been closed")
        return live

    def rename(self, person: str, name: str) -> None:
        """Tell the tables a person's new name."""
        for live in list(self.tables.values()):
            live.rename(person, name)

    def states(self) -> Counter[str]:
        """How many tables there are of each state (`metrics.TABLE_STATES`)."""
        return Counter(live.state for live in self.tables.values())

    # --- the house opens and closes ---

    async def resume(self) -> None:
        """Take up every table that the store still has, where it was told last."""
        async for kept in self.keeping.kept():
            try:
                table, at = await self.keeping.restore(kept, self._shelf)
            except Exception:  # noqa: BLE001 # one journal that cannot be read must not keep the others closed
                log.exception("table not resumed", table=kept.meta.match[:8])
                continue
            live = LiveTable(table, kept.meta, self._env, at)
            self.tables[kept.table] = live
            live.resumed(self._settings.tables.restart_seconds)

    async def _revived(self, live: LiveTable) -> tuple[Table, float]:
        kept = await self.keeping.kept_table(live.id)
        table, at = await self.keeping.restore(kept, self._shelf)
        if self._troubled:
            table.stop("storage", at)
        return table, at

    def storage_trouble(self, trouble: bool) -> None:
        """Nothing can be written (or can again): no table goes on before it can, nor is one begun."""
        self._troubled = trouble
        for live in list(self.tables.values()):
            if trouble:
                live.stop("storage")
            else:
                live.go_on("storage")

    def refused(self, change: Change, error: Exception) -> None:
        """The store can never write this, which is a fault of ours: its table does not go on as if it were written."""
        log.error("change refused", kind=type(change).__name__, error=type(error).__name__)
        live = self.tables.get(change.table) if isinstance(change, RowsTold) else None
        if live is not None:
            live.fail()

    def close(self, reason: LeftReason = "closed") -> None:
        """Close every table for good."""
        for live in list(self.tables.values()):
            live.close(reason)

    def drain(self, on: bool) -> None:
        """Make no new table and begin no further deal, or do so again."""
        self.closing = on
        for live in list(self.tables.values()):
            if on:
                live.rest()
            else:
                live.go_on("restart")

    def leave_off(self) -> None:
        """Let every table go as it is: the next server takes it up."""
        self.closing = True
        if self._demonstrating is not None:
            self._demonstrating.cancel()
        for live in list(self.tables.values()):
            live.leave_off()

    def _ended(self, live: LiveTable) -> None:
        self.tables.pop(live.id, None)
