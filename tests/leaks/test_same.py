"""Two deals that differ in nothing but what a viewer may not know: it is sent the same octets at the same moments.

Everything is in it: what is told unasked, what is refused and answered, who comes back, a crash, the lobby, the log.
"""

from random import Random
from typing import Any

import pytest
from attrs import field, frozen

from parlour_engine.moves import Move, move_text
from parlour_engine.tiles import full_wall
from parlour_engine.views import View
from parlour_server import bot_seats
from parlour_server.protocol import lobby, messages
from parlour_server.protocol.messages import FromClient
from parlour_server.protocol.values import Clocks, Watching
from tests.leaks.course import Course, Elsewhere, hidden_places, swapped
from tests.leaks.stage import Heard, Someone, Stage, walls

SECONDS = 30.0
DROPPED, LATE, LEFT, TOOK = 7.0, 9.0, 12.3, 17.1
PLAYERS = ("ann", "bob", "cat", "dan")


@frozen
class Run:
    """What everybody heard, and when; the log; where tiles were hidden at the end."""

    heard: dict[str, list[Heard]]
    seats: dict[str, int | None]
    log: list[Any]
    health: dict[str, Any]
    places: dict[int | None, list[int]] = field(repr=False)
    killed: float | None
    passes: int
    events: frozenset[str]


class _Thrower:
    """A bot that passes, and throws what it drew."""

    def decide(self, view: View, legal: list[Move], _: Any) -> Move:
        for move in legal:
            if move_text(move) == "pass":
                return move
        return next(move for move in legal if move_text(move).startswith("discard") and move.kind == view.drawn)


def probes(someone: Someone) -> list[FromClient]:
    """Every request that is refused, or that has an answer for its speaker alone."""
    at, taken = someone.version, 0 if someone.you != 0 else 1
    return [
        messages.Why(7),
        messages.AskHistory(),
        messages.AskHistory(1),
        messages.Play(max(0, at - 1), "pass", 8),
        messages.Play(at, "discard 8f", 9),
        messages.Play(at + 1, "win", 10),
        messages.Ready(1),
        messages.Entropy(1, "00" * 16),
        messages.Entropy(2, "zz" * 16),
        messages.Pause(wanted=False),
        messages.EndMatch(wanted=True),
        messages.Start(),
        messages.TakeSeat(taken),
        messages.Say("\u202e"),
        lobby.CreateTable(ruleset="none"),
        lobby.Ping(3),
        messages.Join("nowhere"),
        messages.Join(someone.table or "", max(0, at - 2)),
    ]


class _Prober:
    """Asks one thing after another, ten a second."""

    def __init__(self, someone: Someone, asks: Any = probes, every: float = 0.1) -> None:
        self._someone, self._asks, self._every, self._turn = someone, asks, every, 0
        someone.stage.agenda.after(every, self._probe)

    def _probe(self) -> None:
        someone = self._someone
        if someone.client is not None and not someone.client.over and someone.table is not None:
            asks = self._asks(someone)
            someone.say(asks[self._turn % len(asks)])
            self._turn += 1
        someone.stage.agenda.after(self._every, self._probe)


def _lobby(_: Someone) -> list[FromClient]:
    return [lobby.ListTables(), lobby.ListMatches(mine=False), lobby.AskStatistics(), lobby.ListMatches()]


def play(
    wall: list[int],
    course: Course,
    *,
    kill: float | None = None,
    watching: Watching = "live",
    clocks: Clocks = "off",
    pad: bool = False,
    ruleset: str = "lrc",
    seconds: float = SECONDS,
) -> Run:
    """Four people, a watcher, and somebody in the lobby; a line drops and comes back, a watcher comes late, a player
    leaves for a bot and watches, a newcomer takes that seat. `kill` ends the process amid the first window after it."""
    wish = lobby.CreateTable(
        ruleset=ruleset,
        clocks=clocks,
        pad_windows=pad,
        public=True,
        start="together",
        watching=watching,
        bots=["random"] * 3,
    )
    with Stage(1, walls(wall)) as stage:
        everybody = {
            name: Someone(stage, name, text=name in ("eve", "lou")) for name in (*PLAYERS, "eve", "fay", "lou", "hal")
        }
        ann = everybody["ann"]
        stage.wait(0.5)
        ann.come(wish)
        stage.wait(0.5)
        link = ann.table
        assert link is not None
        free = [seat for seat in range(4) if seat != ann.you]
        for name, seat in zip(PLAYERS[1:], free, strict=True):
            everybody[name].come(messages.Join(link), messages.TakeSeat(seat))
            stage.wait(0.3)
        everybody["eve"].come(messages.Join(link))
        everybody["lou"].come(lobby.ListTables())
        everybody["lou"].table = link
        stage.wait(0.5)
        seats = {name: someone.you for name, someone in everybody.items()}
        assert {seats[name] for name in PLAYERS} == {0, 1, 2, 3}
        for someone in everybody.values():
            someone.answer = course.answer
            _Prober(someone, _lobby if someone.name == "lou" else probes)
        begun = stage.agenda.now
        ann.say(messages.Start())

        def due(after: float, what: Any) -> None:
            stage.agenda.at(begun + after, what)

        def back(name: str) -> Any:
            return lambda: everybody[name].come(messages.Join(link, everybody[name].version))

        due(DROPPED, everybody["eve"].cut)
        due(DROPPED + 0.7, back("eve"))
        due(LATE, lambda: everybody["fay"].come(messages.Join(link), messages.AskHistory()))
        due(LEFT, lambda: everybody["dan"].say(messages.Leave(), messages.Join(link, everybody["dan"].version)))
        taken = seats["dan"]
        assert taken is not None
        due(TOOK, lambda: everybody["hal"].come(messages.Join(link), messages.TakeSeat(taken)))
        if kill is not None:
            if kill < 0:
                stage.wait(-kill)
                while stage.table._table._flow.window_ends is None:
                    stage.wait(0.01)
                stage.wait(0.45)
                kill = stage.agenda.now - begun
            else:
                stage.wait(begun + kill - stage.agenda.now)
            stage.kill()
            here = [name for name, one in everybody.items() if one.client is not None]
            stage.agenda.after(1.0, stage.open)
            for name in here:
                stage.agenda.after(2.0, back(name) if name != "lou" else everybody["lou"].come)
        stage.wait(begun + seconds - stage.agenda.now)
        seats["hal"] = taken
        return Run(
            heard={name: someone.frames for name, someone in everybody.items()},
            seats=seats,
            log=[(at, {key: value for key, value in line.items() if key != "line"}) for at, line in stage.log],
            health={**stage.parlour.health(), "uptime_s": 0},
            places=hidden_places(stage, wall, stage.rows),
            killed=kill,
            passes=course.passes,
            events=frozenset(
                event.e for said in everybody["eve"].said if isinstance(said, messages.Events) for event in said.events
            ),
        )


def differs(one: list[Heard], two: list[Heard]) -> str:
    """The first that is not alike."""
    for number, (first, second) in enumerate(zip(one, two, strict=False)):
        if first != second:
            return f"frame {number}: {first[0]:.4f} {first[1][-150:]!r} / {second[0]:.4f} {second[1][-150:]!r}"
    return f"{len(one)} / {len(two)} frames"


def compare(seed: int, twins: int, **how: Any) -> dict[str, int]:
    """How often each viewer was compared over walls that differ in what it cannot know."""
    chance = Random(seed)
    compared: dict[str, int] = {}
    passes = 0
    while sum(compared.values()) < 5 * twins:
        wall = full_wall()
        chance.shuffle(wall)
        course = Course(Random(seed))
        try:
            first = play(wall, course, **how)
        except (Elsewhere, StopIteration):
            continue
        for _ in range(6):
            keep = chance.choice((None, 0, 1, 2, 3))
            other = swapped(wall, first.places, chance, keep)
            course.again(chance.randrange(1 << 30), keep)
            try:
                second = play(other, course, **{**how, "kill": first.killed})
            except Elsewhere:
                continue
            passes += second.passes
            for name, seat in first.seats.items():
                if seat is None or seat == keep:
                    compared[name] = compared.get(name, 0) + 1
                    found = first.heard[name] == second.heard[name]
                    assert found, (seed, name, keep, differs(first.heard[name], second.heard[name]))
            assert first.log == second.log
            assert first.health == second.health
            break
    assert passes, "nobody was asked who could not be seen"
    return compared


@pytest.fixture(autouse=True)
def throwers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_seats, "make_bot", lambda _: _Thrower())


def test_nothing_hidden_changes_an_octet_or_its_moment() -> None:
    """L01, L04: every kind of viewer, everything they may ask, bots and newcomers included."""
    compared: dict[str, int] = {}
    for seed in range(2):
        for name, times in compare(seed, 1).items():
            compared[name] = compared.get(name, 0) + times
    assert {"eve", "fay", "lou"} <= compared.keys()


@pytest.mark.parametrize("seed", [5])
def test_nor_after_a_crash_amid_a_window(seed: int) -> None:
    """What is taken up from the disk says nothing of who had answered: neither when the window closes, nor to whom."""
    compare(seed, 1, kill=-6.0)


@pytest.mark.parametrize("seed", [7])
def test_nor_in_windows_that_last_their_full_time(seed: int) -> None:
    """Tables that pad their windows, with clocks that answer for people."""
    compare(seed, 1, pad=True, clocks="brisk", seconds=60.0)


def _of_table(frame: bytes) -> bool:
    """Whether a table has answered, and not the line or the lobby by itself, which wait for nothing."""
    return not any(word in frame for word in (b"pong", b"no_such_table", b"bad_settings", b"tables", b"welcome"))


def test_whoever_watches_one_deal_late_learns_nothing_of_the_running_one() -> None:
    """Two deals that have nothing in common: what the watchers are sent is the same, refusals and hints included.

    Not the moments: whatever the table answers waits for what it writes, and so shows when it plays, not what.
    """
    chance = Random(3)
    runs = []
    for number in range(2):
        wall = full_wall()
        chance.shuffle(wall)
        runs.append(play(wall, Course(Random(number)), watching="late"))
    for name in ("eve", "fay", "lou"):
        for of_table in (True, False):
            one, two = ([frame for _, frame in run.heard[name] if _of_table(frame) is of_table] for run in runs)
            assert len(one) > (50 if of_table and name != "lou" else 10) * (name != "lou" or not of_table)
            assert one == two
    assert runs[0].health == runs[1].health
