"""Kills a real server again and again while people play: `make kill-loop`, 300 times with 50 tables.

    python -m tools.kill_loop --rounds 300 --tables 50 --seed 7

Scripted people over real sockets keep every event they are told. After each SIGKILL the database is checked, the server
is started again on it, everybody comes back by the last version they know, and nothing may be lost, doubled, paid
twice or asked otherwise. Exit status 1 where something was; the figures are printed as one line of JSON.
"""

import argparse
import asyncio
import json
import sqlite3
import statistics
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

from attrs import evolve
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from parlour_server.protocol import events as told
from parlour_server.protocol import lobby, messages
from parlour_server.protocol.codec import MSGPACK_SUBPROTOCOL, decode_reply, encode
from parlour_server.protocol.messages import Ask, Events, FromClient, Table
from tests.kit.folding import Gap, fold
from tools.served import Served, temporary

CONFIG: Final = """
[limits]
messages_per_second = 1000
messages_burst = 1000
[tables]
most = 1000
floor_ms = 50
demonstration = false
[bots]
least_delay_ms = 0
most_delay_ms = 50
[log]
level = "info"
"""
PEOPLE: Final = 2
"""At each table; the other seats are bots'."""
PATIENCE: Final = 60.0


class Faults:
    """What should not have been."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def found(self, what: str, *details: object) -> None:
        """Count it, and show the first of each kind."""
        self.counts[what] += 1
        if self.counts[what] <= 3:
            print(f"{what}: {str(details)[:1500]}", file=sys.stderr, flush=True)


class Player:
    """Somebody at a table, over all lives of the server."""

    def __init__(self, name: str, chance: Random, faults: Faults) -> None:
        self.name = name
        self.token: str | None = None
        self.link: str | None = None
        self.table: Table | None = None
        self.asked: Ask | None = None
        self.back = asyncio.Event()
        """Knows, on this line, where the table is, and that it goes on."""
        self.made = asyncio.Event()
        self.wish: lobby.CreateTable | None = None
        self.events = 0
        self.matches = 0
        self._chance = chance
        self._faults = faults
        self._line: ClientConnection | None = None
        self._scores: list[int] | None = None
        self._asks: dict[int, list[str]] = {}
        self._doubt = False
        self._joined = False

    async def live(self, url: str) -> None:
        """One life of the server: come back, play until the line is gone."""
        self.back.clear()
        self.asked = None
        self._joined = False
        try:
            async with connect(
                url,
                subprotocols=[Subprotocol(MSGPACK_SUBPROTOCOL)],
                compression=None,
                proxy=None,
                open_timeout=PATIENCE,
            ) as line:
                self._line = line
                await self.say(messages.Hello(messages.PROTOCOL, self.token, self.name))
                while True:
                    await self._hear(decode_reply(await line.recv()))
        except (ConnectionClosed, InvalidHandshake, OSError):
            self._line = None

    async def say(self, message: FromClient) -> None:
        """Say something, if there is somebody to hear it."""
        if self._line is not None:
            with suppress(ConnectionClosed):
                await self._line.send(encode(message, MSGPACK_SUBPROTOCOL))

    async def _hear(self, message: messages.ToClient) -> None:
        match message:
            case lobby.Welcome():
                if self.token is not None and message.token is not None:
                    self._faults.found("an identity was lost", self.name)
                self.token = message.token or self.token
                await self._go()
            case Table():
                await self._at(message)
            case Events():
                self._fold(message)
                await self._look()
            case messages.Still():
                if self.table is not None:
                    self.table = evolve(self.table, standstill=message.standstill)
                    self._see()
            case messages.Seats():
                if self.table is not None:
                    self.table = evolve(self.table, you=message.you, seats=message.seats)
                    # With nothing missed this is the first thing told; an agreement may not have been written.
                    self._joined = True
                    self._see()
                    if message.you is not None and not message.seats[message.you].ready:
                        await self._look()
            case Ask():
                await self._ask(message)
            case messages.Error():
                if message.code in {"no_such_table", "bad_token", "internal"}:
                    self._faults.found(f"error {message.code}", message.message)
            case _:
                pass

    async def _go(self) -> None:
        if self.link is not None:
            # Every other one asks for the whole table, which is compared with what was told.
            self._doubt = self._chance.random() < 0.5
            seen = None if self._doubt or self.table is None else self.table.version
            await self.say(messages.Join(self.link, seen))
        elif self.wish is not None:
            await self.say(self.wish)

    async def _at(self, table: Table) -> None:
        before = self.table
        if before is not None and before.table == table.table:
            if table.version < before.version:
                self._faults.found("told events were lost", before.version, table.version)
            elif table.version == before.version and before.you == table.you:
                for name in ("deal", "scores", "settled", "standing"):
                    if getattr(before, name) != getattr(table, name):
                        self._faults.found("the table differs from what was told", name, before, table)
        if sum(table.scores):
            self._faults.found("scores do not sum to zero", table.scores)
        self.table, self._scores = table, list(table.scores)
        self.link = table.table
        self.made.set()
        self._joined = True
        if table.you is None and table.standing is None:
            seat = next((seat.seat for seat in table.seats if seat.player == "bot"), None)
            if seat is not None:
                await self.say(messages.TakeSeat(seat))
        self._see()
        await self._look()

    def _fold(self, message: Events) -> None:
        if self.table is None:
            self._faults.found("events before a table")
            return
        self.asked = None
        self.events += len(message.events)
        try:
            self.table = fold(self.table, message)
        except Gap as gap:
            self._faults.found("events were lost or doubled", str(gap))
        for event in message.events:
            self._pay(event)
        if not self._joined:
            self._joined = True
        self._see()

    def _pay(self, event: told.TableEvent) -> None:
        if isinstance(event, told.DealStarted):
            if self._scores is not None and self._scores != event.scores:
                self._faults.found("scores changed between deals", self._scores, event.scores)
        if isinstance(event, told.Paid | told.Settled):
            if sum(event.changes):
                self._faults.found("a payment does not sum to zero", event)
            if self._scores is not None:
                due = [score + change for score, change in zip(self._scores, event.changes, strict=True)]
                if due != event.scores:
                    self._faults.found("a payment is wrong", self._scores, event)
            self._scores = list(event.scores)

    def told(self) -> str:
        """What it knows, for a report."""
        table = self.table
        known = None if table is None else (table.version, table.you, table.standstill, table.seats, table.standing)
        return f"{self.link} on a line: {self._line is not None}, joined: {self._joined}, {known}"

    def _see(self) -> None:
        if self._joined and self.table is not None and self.table.standstill.stopped is None:
            self.back.set()

    async def _look(self) -> None:
        table = self.table
        if table is None or table.you is None:
            return
        if table.standing is not None:
            self.matches += 1
            self._asks.clear()
            if self.wish is not None:
                self.table = self.link = self._scores = None
                await self.say(self.wish)
            return
        if table.settled is not None:
            await self.say(messages.Ready(table.settled.deal))
        if table.shuffle is not None and table.shuffle.nonces is None:
            await self.say(messages.Entropy(table.shuffle.deal, self._chance.randbytes(16).hex()))

    async def _ask(self, ask: Ask) -> None:
        assert self.table is not None
        known = self._asks.get(ask.version)
        if known is not None and known != ask.moves:
            self._faults.found("another prompt than before", ask.version, known, ask.moves)
        self._asks[ask.version] = ask.moves
        if ask.version != self.table.version:
            self._faults.found("an ask of another version", ask.version, self.table.version)
        self.asked = ask
        await asyncio.sleep(self._chance.choice((0.0, 0.01, 0.05, 0.3)))
        if self.asked is ask:
            move = "win" if "win" in ask.moves else self._chance.choice(ask.moves)
            await self.say(messages.Play(ask.version, move, 1))


class Hearer(Player):
    """A player whose thinking does not keep it from listening."""

    async def _ask(self, ask: Ask) -> None:
        self._thinking = asyncio.get_running_loop().create_task(super()._ask(ask))


async def life(
    served: Served, players: list[Player], begun: float, first: bool, faults: Faults
) -> tuple[list[asyncio.Task[None]], float]:
    """Let everybody come (back); their tasks, and the seconds until every table could be played at."""
    url = served.url.replace("http", "ws", 1) + "/ws"
    tasks: list[asyncio.Task[None]] = []
    if first:
        for place in range(0, len(players), PEOPLE):
            maker = players[place]
            tasks.append(asyncio.create_task(maker.live(url)))
            async with asyncio.timeout(PATIENCE):
                await maker.made.wait()
            for other in players[place + 1 : place + PEOPLE]:
                other.link = maker.link
                tasks.append(asyncio.create_task(other.live(url)))
    else:
        tasks += [asyncio.create_task(player.live(url)) for player in players]
    waiting = [asyncio.create_task(player.back.wait()) for player in players]
    _, missing = await asyncio.wait(waiting, timeout=PATIENCE)
    for player, task in zip(players, waiting, strict=True):
        if task in missing:
            task.cancel()
            faults.found("somebody could not go on", player.name, player.told())
    return tasks, time.monotonic() - begun


def checked(database: Path, faults: Faults) -> None:
    """What SQLite itself says of the file that was left."""
    connection = sqlite3.connect(database)
    try:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        if found != ["ok"]:
            faults.found("the database is damaged", found)
    finally:
        connection.close()


async def run(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """All rounds."""
    chance, faults = Random(options.seed), Faults()
    starts: list[float] = []
    playable: list[float] = []
    with Served(folder, CONFIG) as served:
        players: list[Player] = [
            Hearer(f"P{number}", Random(f"{options.seed} {number}"), faults)
            for number in range(options.tables * PEOPLE)
        ]
        for maker in players[::PEOPLE]:
            maker.wish = lobby.CreateTable(
                ruleset=chance.choice(("lrc", "classical")), clocks="casual", bots=["random"] * 3, rounds=4
            )
        for round_number in range(options.rounds + 1):
            begun = time.monotonic()
            started = await asyncio.to_thread(served.start)
            tasks, seconds = await life(served, players, begun, round_number == 0, faults)
            if round_number:
                starts.append(started)
                playable.append(seconds)
            await asyncio.sleep(chance.uniform(0.05, options.seconds))
            if round_number < options.rounds:
                served.kill()
            else:
                for task in tasks:
                    task.cancel()
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*tasks, return_exceptions=True)
            for task in tasks:
                if not task.cancelled() and task.exception() is not None:
                    faults.found("a client failed", repr(task.exception()))
            if round_number < options.rounds:
                checked(served.database, faults)
            if round_number and round_number % 20 == 0:
                print(f"{round_number} kills, faults {dict(faults.counts)}", flush=True)
        errors = served.errors()
    for line in errors[:5]:
        print(json.dumps(line)[:2000], file=sys.stderr)
    return {
        "kills": options.rounds,
        "tables": options.tables,
        "events_told": sum(player.events for player in players),
        "matches_over": sum(player.matches for player in players) // PEOPLE,
        "faults": dict(faults.counts),
        "errors_logged": len(errors),
        "start_s": _points(starts),
        "playable_s": _points(playable),
        "good": not faults.counts and not errors,
    }


def _points(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered), 2),
        "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 2),
        "most": round(ordered[-1], 2),
    }


def main() -> int:
    """As the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1.0, help="a server lives so long at most")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    with temporary() as folder:
        found = asyncio.run(run(options, Path(folder)))
    print(json.dumps(found))
    return 0 if found["good"] else 1


if __name__ == "__main__":
    sys.exit(main())
