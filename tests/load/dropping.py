"""Lines that are lost: in every state in which a table waits for somebody, in every way, at every seat, at every kind
of table, and after every message (G05, T07)."""

from collections.abc import Callable
from random import Random
from typing import Any, Final, Literal

from attrs import evolve, field, frozen

from parlour_engine.views import View
from parlour_server import bot_seats
from parlour_server.door import CLOSING
from parlour_server.heartbeat import EVERY, PATIENCE, QUIET
from parlour_server.live_table import LiveTable
from parlour_server.protocol import lobby, messages
from parlour_server.protocol.messages import Ask, FromClient, Table, ToClient
from tests.kit.deals import Deals, unforeseen
from tests.kit.folding import fold
from tests.leaks.plots import PLOTS, Follower, Plot, laid
from tests.leaks.stage import Someone, Stage

Fault = Literal["fin", "rst", "freeze", "half-open"]
FAULTS: Final[tuple[Fault, ...]] = ("fin", "rst", "freeze", "half-open")
UNNOTICED: Final = EVERY * (QUIET + PATIENCE) + CLOSING
"""Seconds until a line that says nothing is given up: a ping is sent, not answered, and the goodbye is not either."""
GRACE: Final = 5.0
"""Seconds that a dropped line is waited for."""
BOT: Final = 1.3
FLOOR: Final = 0.6
RESTART: Final = 20.0
"""Seconds that a table waits for its people after a restart."""


@frozen
class Kind:
    """A kind of table; `turn` and `claim` are all the seconds that its clocks give, the bank's among them."""

    name: str
    wish: lobby.CreateTable
    turn: float | None
    claim: float | None
    window: float = FLOOR
    states: tuple[str, ...] = field(default=("turn", "claim", "rob", "gate", "shuffle", "paused", "restart", "waiting"))


def _kind(name: str, turn: float | None, claim: float | None, window: float = FLOOR, **wish: Any) -> Kind:
    table = lobby.CreateTable(start="together", bots=["random"] * 3, public=True)
    return Kind(name, evolve(table, **wish), turn, claim, window)


KINDS: Final = (
    _kind("clocks off", None, None, clocks="off"),
    _kind("casual", 80.0, 68.0, clocks="casual"),
    _kind("brisk, late", 28.0, 24.0, clocks="brisk", watching="late"),
    _kind("padded, never", 28.0, 4.0, 4.0, clocks="brisk", pad_windows=True, watching="never"),
    _kind("classical", None, None, clocks="off", ruleset="classical", reveal="deal"),
    evolve(_kind("washing", None, None, clocks="off", ruleset="classical-limit"), states=("wash",)),
)
CASES: Final = [(kind, state) for kind in KINDS for state in kind.states]


class Player(Someone):
    """Keeps the table as folded from what it is told; follows the plot, unless it is out of the way."""

    folded: Table | None = None
    still = False
    """Answers nothing any more."""

    def _hear(self, message: ToClient, frame: bytes, written: int) -> None:
        if isinstance(message, Table):
            self.folded = message
        elif isinstance(message, messages.Events) and self.folded is not None:
            self.folded = fold(self.folded, message)
        super()._hear(message, frame, written)

    def lose(self, fault: Fault) -> None:
        """The line is gone, one way or another; nothing is said any more."""
        self.still = True
        client = self.client
        assert client is not None
        match fault:
            case "fin":
                client.finish()
            case "rst":
                client.reset()
            case "freeze":
                # The system still takes what comes; nobody reads it, and no ping is answered.
                assert client.line is not None
                client.line.reading = False
            case "half-open":
                assert client.line is not None
                client.line.silent = True

    def back(self, *, afresh: bool = False) -> None:
        """Come back by what is known, or for the whole table."""
        assert self.table is not None
        self.still = False
        client = self.client
        if client is not None and client.line is not None:
            if client.line.reading and not client.line.silent:
                client.reset()
            client.over = True
            client.line.forget()
        self.come(messages.Join(self.table, None if afresh else self.version))


def _walls(stage: Stage, plot: Plot, seed: int) -> Callable[[str], Deals]:
    """The plot's at the table that is made first, any at others."""

    def deals_of(table: str) -> Deals:
        if next(iter(stage.hall.tables), table) != table:
            return unforeseen
        return laid(plot, Random(seed), lambda: stage.hall.find(table)._table._course.next_deal().dealer)(table)

    return deals_of


class Scene:
    """`with Scene(kind, state) as scene`: four people play to where the table waits, in this state, for `seat`."""

    def __init__(self, kind: Kind, state: str, seat: int, *, told: bool = True, seed: int = 1) -> None:
        """With `told` the seat knows by then that it is waited for."""
        self._told = told
        self.kind, self.state, self.seat = kind, state, seat
        self._plot: Plot | None = None if state == "shuffle" else PLOTS["wash" if state == "wash" else "rob"]
        self.stage = Stage(seed)
        if self._plot is not None:
            # Somebody can always do what the window is about.
            plot = evolve(self._plot, nobody=self._plot.could)
            self.stage.deals = _walls(self.stage, plot, seed)

    def __enter__(self) -> "Scene":
        module: Any = bot_seats
        self._real = module.make_bot
        if self._plot is not None:
            plot = self._plot
            module.make_bot = lambda _: Follower(plot)
        stage = self.stage.__enter__()
        stage.wait(0.5)
        names = ("ann", "bob", "cat", "dan")
        self.players = [Player(stage, name, text=name == "cat") for name in names]
        ann = self.players[0]
        ann.come(self.kind.wish)
        stage.wait(0.3)
        assert ann.table is not None
        free = [seat for seat in range(4) if seat != ann.you]
        for player, seat in zip(self.players[1:], free, strict=True):
            player.come(messages.Join(ann.table), messages.TakeSeat(seat))
            stage.wait(0.3)
        for player in self.players:
            player.answer = self._answer
        stage.agenda.after(0.05, self._tend)
        if self.state != "waiting":
            ann.say(messages.Start())
            self._play_on()
        return self

    def __exit__(self, *error: object) -> None:
        module: Any = bot_seats
        module.make_bot = self._real
        self.stage.__exit__(*error)

    @property
    def target(self) -> Player:
        """Whom the table waits for."""
        return next(player for player in self.players if player.you == self.seat)

    @property
    def others(self) -> list[Player]:
        """Those who keep their lines."""
        return [player for player in self.players if player is not self.target]

    def version(self) -> int:
        """The table's."""
        return self.live()._table.version

    def live(self) -> LiveTable:
        """The table that they have come for; some make another."""
        return next(iter(self.stage.hall.tables.values()))

    def faults(self) -> list[object]:
        """What the server has logged of its own faults."""
        return [line for _, line in self.stage.log if line["level"] in {"error", "critical", "exception"}]

    # --- what people do ---

    def _answer(self, someone: Someone, ask: Ask) -> None:
        assert isinstance(someone, Player)
        assert someone.you is not None
        view: View = self.live()._table.view_for(someone.you)
        move = self._plot.choose(view, ask.moves) if self._plot is not None else ask.moves[-1]
        self.stage.agenda.after(0.2, self._play, someone, messages.Play(ask.version, move, 1))

    def _play(self, player: Player, play: messages.Play) -> None:
        if not player.still:
            player.say(play)

    def _tend(self) -> None:
        """Go on after a settlement, add to the shuffle, end a pause."""
        for player in self.players:
            if player.still or player.client is None or player.client.over or player.folded is None:
                continue
            table = player.folded
            if table.settled is not None and table.standing is None:
                player.say(messages.Ready(table.settled.deal))
            if table.shuffle is not None and table.shuffle.nonces is None and player.you is not None:
                player.say(messages.Entropy(table.shuffle.deal, "00" * 16))
        self.stage.agenda.after(0.3, self._tend)

    # --- where the table waits ---

    def _play_on(self) -> None:
        """Play until it waits for the seat."""
        for _ in range(20_000):
            if self._waits():
                break
            self.stage.wait(0.01)
        else:
            raise AssertionError(f"the table never waits for seat {self.seat}: {self.state}")
        self.target.still = True
        if self._told:
            self.stage.wait(0.1)
        if self.state == "paused":
            for player in self.players:
                player.say(messages.Pause(wanted=True))
            self.stage.wait(0.1)
            assert self.live().stopped == "agreed"
        elif self.state == "restart":
            self.stage.kill()
            self.stage.wait(0.5)
            self.stage.open()
            self.stage.wait(0.5)
            assert self.live().stopped == "restart"

    def _waits(self) -> bool:
        table = self.live()._table
        chair = table._chairs[self.seat]
        match self.state:
            case "gate":
                return table._flow.gate is not None and not chair.ready
            case "shuffle":
                return table._flow._shuffling.ends is not None and table._flow._shuffling.nonces[self.seat] is None
            case _:
                wanted = "turn" if self.state in ("paused", "restart") else self.state
                return chair.question is not None and chair.question.kind == wanted

    def go_on(self) -> None:
        """What the others do so that a table which stands still can go on."""
        if self.state == "paused":
            self.others[0].say(messages.Pause(wanted=False))
        elif self.state == "restart":
            for player in self.others:
                player.back()

    def within(self, fault: Fault) -> float:
        """Seconds in which the table has to have gone on: whatever it waits for, and one."""
        kind = self.kind
        noticed = 0.0 if fault in ("fin", "rst") else UNNOTICED
        replaced = noticed + GRACE + BOT
        clock = kind.turn if self.state in ("turn", "paused", "restart") else kind.claim
        match self.state:
            case "shuffle":
                due = 2.0
            case "gate":
                due = replaced if kind.turn is None else min(60.0, replaced)
            case "restart":
                # The table has waited for everybody already; nobody is waited for twice.
                due = RESTART + GRACE + BOT
            case "turn" | "paused":
                due = replaced if clock is None else min(clock, replaced)
            case _:
                due = max(kind.window, replaced if clock is None else min(clock, replaced))
        return due + 1.0

    def resumed(self) -> None:
        """Whoever comes back by what he knows knows as much as whoever asks for all of it."""
        target = self.target
        target.back()
        self.stage.wait(0.3)
        folded = target.folded
        target.back(afresh=True)
        self.stage.wait(0.1)
        whole = target.folded
        assert folded is not None
        assert whole is not None
        if folded.version == whole.version:
            for name in ("deal", "scores", "settled", "standing", "shuffle"):
                assert getattr(folded, name) == getattr(whole, name), name


def kinds_of_message() -> list[type[FromClient]]:
    """Every message that a client has."""
    return _members(FromClient)


def _members(union: object) -> list[type[FromClient]]:
    found: list[type[FromClient]] = []
    for member in getattr(union, "__args__", ()):
        found += _members(member) or [member]
    return found


def said(kind: type[FromClient], player: Player) -> FromClient:
    """A message of the kind that means something in a turn of this player's."""
    link = player.table or ""
    version = player.version
    match kind.__name__:
        case "Hello":
            return messages.Hello(messages.PROTOCOL, player.token)
        case "Join":
            return messages.Join(link, version)
        case "Play":
            assert player.ask is not None
            return messages.Play(version, next(move for move in player.ask.moves if move.startswith("discard")), 5)
        case "Ready":
            return messages.Ready(1)
        case "Entropy":
            return messages.Entropy(1, "00" * 16)
        case "TakeSeat":
            return messages.TakeSeat(0)
        case "Pause":
            return messages.Pause(wanted=True)
        case "EndMatch":
            return messages.EndMatch(wanted=True)
        case "Say":
            return messages.Say("hello")
        case "Rename":
            return lobby.Rename("Zoe")
        case "Register":
            return lobby.Register("zoe.smith", "a good password")
        case "LogIn":
            return lobby.LogIn("nobody", "a good password")
        case "Ping":
            return lobby.Ping(7)
        case _:
            # The others are words alone, or all that they hold has a default.
            bare: Callable[[], FromClient] = kind
            return bare()
