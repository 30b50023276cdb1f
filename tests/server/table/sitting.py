"""A table on a fake clock, with clients that fold and bots that answer by a rule of the test's own."""

import random
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import attrs
from attrs import frozen

from parlour_bots.levels import make_bot
from parlour_engine.deal import Deal
from parlour_engine.moves import move_text, parse_move
from parlour_engine.procedure import Procedure
from parlour_engine.rulesets import Ruleset, parse
from parlour_engine.soundness import problems
from parlour_engine.tiles import Kind, full_wall
from parlour_server.protocol.messages import Accepted, Ask, Error, Play, Ready, TakeSeat
from parlour_server.protocol.values import Stopped
from parlour_server.table import Bot, Deals, FairDeals, Occupant, Person, Row, Settings, Table, ToBot, ToViewers
from parlour_server.table.course import Walls
from parlour_server.table.journal import Checkpoint
from parlour_server.table.requests import Request
from tests.server.table.client import Client, plain


def _ruleset(name: str) -> Ruleset:
    file = Path(__file__).parents[3] / "config" / "rulesets" / f"{name}.toml"
    return parse(file.read_text(encoding="utf-8"), file.name)


LRC = _ruleset("lrc")
CLASSICAL = _ruleset("classical")
LIMIT = _ruleset("classical-limit")
RULESETS = (LRC, CLASSICAL, LIMIT)

STEADY = make_bot("steady")

PEOPLE = ("ann", "bob", "cat", "dan")
FAST = Settings(
    clocks="off",
    discard_ms=None,
    claim_ms=None,
    floor_ms=0,
    pause_ms=0,
    grace_ms=1000,
    presence_ms=0,
    bot_ms=10_000,
    unwatched=True,
)
"""Nothing waits but for people."""

BotRule = Callable[[Table, int, Ask], str | None]
"""The move of a bot's seat, None to leave it unanswered."""


def cautious(table: Table, seat: int, ask: Ask) -> str:
    """Wins and passes; else throws what it drew last or holds highest."""
    for move in ("win", "pass"):
        if move in ask.moves:
            return move
    return [move for move in ask.moves if move.startswith("discard")][-1]


def silent(table: Table, seat: int, ask: Ask) -> None:
    """Never answers."""


def steady(table: Table, seat: int, ask: Ask) -> str:
    """The project's own better bot, whose matches are short."""
    view = table.view_for(seat)
    return move_text(STEADY.decide(view, view.moves, random.Random(1)))


def by_chance(seed: int) -> BotRule:
    """Any legal move."""
    chance = random.Random(seed)
    return lambda table, seat, ask: chance.choice(ask.moves)


def people(*seats: int) -> list[Occupant]:
    """Persons on these seats, bots on the others."""
    return [Person(PEOPLE[seat], PEOPLE[seat].title()) if seat in seats else Bot("random", "Bot") for seat in range(4)]


def shuffled(seed: int) -> Walls:
    """A seeded wall for each deal."""

    def deals(number: int, procedure: Procedure) -> tuple[Sequence[Kind], Sequence[int]]:
        wall = full_wall(procedure.flowers)
        chance = random.Random(seed * 1000 + number)
        chance.shuffle(wall)
        return wall, [chance.randint(1, 6) for _ in range(procedure.dice)]

    return deals


@frozen
class Sealed:
    """A seed that says which deal it is for; not secret, and good for a test."""

    seed: str
    context: str
    commit: str


class CountedDeals:
    """Fair in form: the wall is a function of the seed and of what the seats add; `asked` are the calls."""

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed
        self.asked: list[str] = []

    def commit(self, number: int) -> Sealed:
        self.asked.append(f"commit {number}")
        seed = sha256(f"{self.seed} {number}".encode()).hexdigest()
        return Sealed(seed, f"deal {number}", sha256(seed.encode()).hexdigest())

    def deal(
        self, number: int, procedure: Procedure, seed: str, nonces: Sequence[str | None]
    ) -> tuple[Sequence[Kind], Sequence[int]]:
        self.asked.append(f"deal {number}")
        wall = full_wall(procedure.flowers)
        random.Random(f"{seed} {nonces}").shuffle(wall)
        return wall, [1] * procedure.dice


class Sitting:
    """`occupants` at a table; `walls` are those of the first deals, later ones are shuffled from `seed`."""

    def __init__(
        self,
        occupants: Sequence[Occupant],
        settings: Settings = FAST,
        *,
        walls: Sequence[Sequence[Kind]] = (),
        seed: int = 1,
        bots: BotRule = cautious,
        ruleset: Ruleset = LRC,
        fair: FairDeals | None = None,
        owner: str | None = None,
    ) -> None:
        """With `fair`, walls come from there."""
        rest = shuffled(seed)

        def deals(number: int, procedure: Procedure) -> tuple[Sequence[Kind], Sequence[int]]:
            dice = (1, 2, 3, 4)[: procedure.dice]
            return (walls[number - 1], dice) if number <= len(walls) else rest(number, procedure)

        self.made_of: Final[tuple[Ruleset, Settings, Sequence[Occupant], Deals]] = (
            ruleset,
            settings,
            occupants,
            deals if fair is None else fair,
        )
        self.owner: Final = owner
        self.table = Table("t", *self.made_of, owner=owner)
        self.now = 100.0
        self.bots = bots
        self.clients: dict[int, Client] = {}
        self.rows: list[Row] = []
        self.bot_asks: list[tuple[int, Ask]] = []
        self.replies: list[Accepted | Error] = []
        self.next_viewer = 1

    # --- coming and going ---

    def start(self) -> "Sitting":
        self.table.start(self.now)
        self.drain()
        return self

    def join(
        self, person: str, seen: int | None = None, client: Client | None = None, silent: float | None = None
    ) -> Client:
        """A new connection of `person`; with `client`, one that goes on from what that client has folded. `silent` is
        for how long the one before has said nothing."""
        viewer = self.next_viewer
        self.next_viewer += 1
        fresh = Client(viewer, person)
        if client is not None:
            fresh.fold, fresh.version = client.fold, client.version
            seen = client.version
        self.clients[viewer] = fresh
        self.table.join(viewer, person, person.title(), seen, self.now, self._since(silent))
        self.drain()
        return fresh

    def drop(self, client: Client, silent: float | None = None) -> None:
        """A line is lost, after so long a silence."""
        self.table.disconnect(client.viewer, self.now, self._since(silent))
        del self.clients[client.viewer]
        self.drain()

    def _since(self, silent: float | None) -> float | None:
        return None if silent is None else self.now - silent

    def leave(self, client: Client) -> None:
        self.table.leave(client.viewer, self.now)
        self.drain()

    # --- doing ---

    def play(self, client: Client, move: str, version: int | None = None, about: int = 7) -> None:
        """Answers the ask that the client has (or that of `version`)."""
        if version is None:
            assert client.ask is not None, f"{client.person} is not asked"
            version = client.ask.version
        self.table.receive(client.viewer, Play(version, move, about), self.now)
        self.drain()

    def ready(self, client: Client, deal: int) -> None:
        self.table.receive(client.viewer, Ready(deal), self.now)
        self.drain()

    def take_seat(self, client: Client, seat: int) -> None:
        self.table.receive(client.viewer, TakeSeat(seat), self.now)
        self.drain()

    def want(self, client: Client, message: Request) -> None:
        self.table.receive(client.viewer, message, self.now)
        self.drain()

    def stop(self, reason: Stopped) -> None:
        self.table.stop(reason, self.now)
        self.drain()

    def go_on(self, reason: Stopped) -> None:
        self.table.go_on(reason, self.now)
        self.drain()

    def crash(self) -> None:
        """The server dies, and starts again with what was told of the table, which is just as it was."""
        before = self.state()
        told = self.rows
        begin = max([at for at, row in enumerate(told) if isinstance(row, Checkpoint)], default=0)
        self.table = Table.restore("t", *self.made_of, told[begin:], self.now, owner=self.owner)
        assert self.state() == before
        self.clients.clear()
        self.drain()

    # --- time ---

    def wait(self, seconds: float) -> None:
        """Let time pass, with a tick at every deadline."""
        end = self.now + seconds
        assert self.table.stopped is None, "the time of a table that stands still does not pass"
        while (due := self.table.deadline()) is not None and due <= end:
            self.now = max(self.now, due)
            self.table.tick(self.now)
            self.drain()
            due_now = self.table.deadline()
            assert due_now is None or due_now > self.now, "a tick left something undone"
        self.now = end
        self.table.tick(self.now)
        self.drain()

    # --- what the shell does ---

    def drain(self) -> None:
        """Deliver, let the bots answer, until nothing moves; then everybody must know what a newcomer would."""
        while True:
            deliveries = self.table.to_send()
            self.rows += self.table.to_record()
            if not deliveries:
                break
            asks: list[ToBot] = []
            for delivery in deliveries:
                match delivery:
                    case ToViewers():
                        for viewer in delivery.viewers:
                            if viewer in self.clients:
                                self.clients[viewer].hear(delivery.message)
                    case ToBot():
                        asks.append(delivery)
            for delivery in asks:
                self.bot_asks.append((delivery.seat, delivery.ask))
                move = self.bots(self.table, delivery.seat, delivery.ask)
                if move is not None:
                    self.replies.append(
                        self.table.receive_bot(delivery.seat, Play(delivery.ask.version, move), self.now)
                    )
        self.check()

    def check(self) -> None:
        """Always: a sound deal, scores that sum to zero, everybody shown what is so, and something that can happen."""
        deal = self.table._course.deal
        if deal is not None:
            assert problems(deal) == []
        assert sum(self.table._course.history.scores) == 0
        for viewer, client in self.clients.items():
            if self.table.here(viewer) and client.fold is not None:
                shown, true = client.table, plain(self.table._snapshot(viewer))
                # What it has used of its bank, a client hears with each ask.
                true["bank_ms"] = shown["bank_ms"]
                if self.table._audience.due() is not None:
                    # So many came and went at once that who is here is told a moment later.
                    shown, true = [
                        {key: value for key, value in table.items() if key not in {"seats", "watchers"}}
                        for table in (shown, true)
                    ]
                assert shown == true, f"{client.person} is shown something else"
        held = self.table._standstill.holds
        if self.table.version and not self.table.over and self.table.viewers() and not held:
            assert self.someone_can_act() or self.table.deadline() is not None, "the table is stuck"

    def someone_can_act(self) -> bool:
        if self.table._flow.gate is not None:
            return any(chair.viewer is not None and not chair.ready for chair in self.table._chairs)
        return any(
            chair.question is not None and (chair.viewer is not None or chair.bot_plays())
            for chair in self.table._chairs
        )

    @property
    def deal(self) -> Deal:
        return self.table._course.current()

    def state(self) -> tuple[object, ...]:
        """The game as it stands, presence apart: a refused message must not change it."""
        table = self.table
        deal = table._course.deal
        return (
            table.version,
            None if deal is None else deal.state(),
            () if deal is None else tuple(getattr(deal.phase, "answers", ())),
            tuple(table._parts.shuffling.nonces),
            tuple(table._course.history.scores),
            table._flow.gate,
            table._flow.window_ends,
            tuple(
                (chair.ready, None if chair.question is None else tuple(chair.question.moves))
                for chair in table._chairs
            ),
        )


def all_call(
    wall: Sequence[Kind], ruleset: Ruleset, order: Sequence[int], gone: int | None = None
) -> tuple[Sitting, list[Client]]:
    """Four people; seat 0 discards 5p, and the others call to win in this order. `gone` is cut off when it has."""
    sitting = Sitting(people(0, 1, 2, 3), FAST, walls=[wall], ruleset=ruleset)
    clients = [sitting.join(person) for person in PEOPLE]
    sitting.start()
    sitting.play(clients[0], "discard 5p")
    for seat in order:
        sitting.play(clients[seat], "win")
        if seat == gone:
            sitting.drop(clients[seat])
    return sitting, clients


def tile_of(move: str) -> Kind:
    """The kind a move is about."""
    return parse_move(move).kind


def timed(**changes: object) -> Settings:
    """Casual clocks without a bank and the usual floor, with changes."""
    usual = {"unwatched": True, "pause_ms": 0, "bank_ms": None}
    return attrs.evolve(Settings.of("casual"), **usual | changes)  # type: ignore[arg-type]  # names of fields
