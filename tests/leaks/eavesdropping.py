"""What an eavesdropper makes of the times and sizes of what is told, and whether that is better than guessing."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count, pairwise
from math import exp, sqrt
from random import Random
from typing import Any, Final

from attrs import evolve, field, frozen

from parlour_server import bot_seats
from parlour_server.protocol.codec import MSGPACK_SUBPROTOCOL, encode
from parlour_server.protocol.events import Drew, Exhausted
from parlour_server.protocol.lobby import CreateTable
from parlour_server.protocol.messages import Accepted, Ask, Events, Pause, Say, WhyNot
from parlour_server.table.journal import Answered, Happened, Offered, Row
from tests.kit.deals import Deals
from tests.leaks.plots import Follower, Plot, laid
from tests.leaks.room import Ear, Room, play

FEATURES = ("gap", "first", "frames", "octets", "next", "reply")
"""Seconds to the next event, and to the next message of any kind; messages in between, and their octets; octets of
the next event; seconds that a reply took, at most."""


@frozen
class Window:
    """One window as somebody uninvolved has met it; `asked` says what they are not to find out."""

    asked: bool
    kind: str
    length: float
    """By the table's clock, from the rows."""
    gap: float
    first: float
    frames: float
    octets: float
    next: float
    reply: float


@frozen
class Case:
    """A kind of table, and what people do at it."""

    name: str
    wish: CreateTable
    people: int
    claims: Callable[[Random], float | None]
    """After how many seconds somebody answers in a window; None: not at all."""
    turns: Callable[[Random], float | None] = field(default=lambda chance: chance.uniform(0.02, 0.4))
    restless: bool = False
    """Lines drop and come back, people pause and talk; nobody does so because of what he is asked."""
    commit: float = 0.004


def _before_floor(chance: Random) -> float:
    return chance.uniform(0.01, 0.55)


def _whenever(chance: Random) -> float | None:
    return None if chance.random() < 0.15 else chance.choice((0.0, chance.uniform(0, 4.2), chance.uniform(3.5, 4.5)))


def _slow_turns(chance: Random) -> float | None:
    return None if chance.random() < 0.05 else chance.uniform(0.02, 1.0)


_TOGETHER = CreateTable(clocks="off", bots=["random"] * 3, start="together")
_PADDED = evolve(_TOGETHER, pad_windows=True, clocks="brisk")

CASES = (
    Case("four people", _TOGETHER, 4, _before_floor),
    Case("one person", _TOGETHER, 1, _before_floor),
    Case("classical", evolve(_TOGETHER, ruleset="classical"), 2, _before_floor),
    Case("a slow disk", _TOGETHER, 2, _before_floor, commit=0.012),
    Case("padded", _PADDED, 4, _whenever, _slow_turns, restless=True),
    Case("padded, with bots", _PADDED, 2, _whenever, _slow_turns, restless=True),
)


def cases(plot: Plot | None) -> Sequence[Case]:
    """The kinds of table, with a ruleset that has such windows."""
    if plot is None:
        return CASES
    if plot.kind == "wash":
        return [evolve(case, wish=evolve(case.wish, ruleset="classical-limit")) for case in CASES]
    return [case for case in CASES if case.wish.ruleset == "lrc" or 13 in plot.could]


NAIVE = Case("no floor", evolve(_TOGETHER, floor_ms=0), 4, _before_floor)
"""A table that hides nothing: an eavesdropper has to notice."""


def windows(case: Case, seed: int, most: int, plot: Plot | None = None) -> list[Window]:
    """So many windows, as a watcher and the seats that were not asked have met them. With a plot, those that it is
    about, from as many matches as that takes."""
    met: list[Window] = []
    for number in count():
        found = _match(case, seed + 1_000_003 * number, most - len(met), plot)
        met += found
        if len(met) == most or plot is None or not found:
            return met
    raise AssertionError


@contextmanager
def _following(plot: Plot | None) -> Iterator[None]:
    """Bots and stand-ins follow the plot inside."""
    module: Any = bot_seats
    real = module.make_bot
    if plot is not None:
        module.make_bot = lambda _: Follower(plot)
    try:
        yield
    finally:
        module.make_bot = real


def _laid(plot: Plot, chance: Random, room: Room) -> Callable[[str], Deals]:
    return laid(plot, chance, lambda: room.live._table._course.next_deal().dealer)


def _match(case: Case, seed: int, most: int, plot: Plot | None) -> list[Window]:
    deals = None
    if plot is not None:
        deals = partial(_laid, plot, Random(seed))
    room = Room(seed, case.people, case.wish, commit=case.commit, deals=deals)
    chance = room.chance

    def answer(ear: Ear, ask: Ask) -> None:
        assert ear.you is not None
        seconds = (case.turns if ask.kind == "turn" else case.claims)(chance)
        gongs = [move for move in ask.moves if move.startswith(("concealed_gong", "promoted_gong"))]
        if plot is not None:
            move = plot.choose(room.live._table.view_for(ear.you), ask.moves)
            if move != "pass" and seconds is None:
                seconds = 0.3
            if ask.kind != "turn" and not case.wish.pad_windows:
                ends = room.live._table.window_ends
                assert ends is not None
                # Long before the floor, although the way to whoever is asked may have been through a slow commit.
                seconds = min(_before_floor(chance), max(0.0, ends - room.live._clock.now() - 0.02))
            elif ask.kind != "turn" and move != "pass":
                seconds = _before_floor(chance)
        elif "pass" in ask.moves and chance.random() < 0.9:
            move = "pass"
        else:
            move = chance.choice(gongs or [move for move in ask.moves if move != "win"] or ask.moves)
        if seconds is not None:
            play(ear, ask, move, seconds)

    def probe() -> None:
        table = room.live._table
        if plot is None or (table.deal_number and plot.near(table.view_for(0))):
            room.watcher.wonder()
        room.agenda.after(0.05 + chance.uniform(0.0, 0.02), probe)

    def stir() -> None:
        ear = chance.choice(room.sitters)
        match chance.randrange(4):
            case 0:
                if ear.up:
                    ear.cut()
                    room.agenda.after(chance.choice((0.5, 3.0, 7.0)), ear.come)
            case 1:
                ear.say(Say("."))
            case 2:
                for one in room.sitters:
                    one.say(Pause(wanted=True))
                room.agenda.after(2.0, ear.say, Pause(wanted=False))
            case _:
                room.watcher.say(Say("."))
        room.agenda.after(chance.expovariate(0.1), stir)

    for ear in room.sitters:
        ear.answer = answer
    room.agenda.after(0.0, probe)
    if case.restless:
        room.agenda.after(5.0, stir)
    met: list[Window] = []
    with _following(plot):
        try:
            while len(met) < most:
                room.wait(60.0)
                met += [window for window in _met(room) if plot is None or window.kind == plot.kind]
                if room.live.over or room.live.closed:
                    break
        finally:
            room.close()
    return met[:most]


_OPENS: Final = {"discard": "claim", "promoted": "rob", "washing_opened": "wash"}
_CLOSES: Final = {"draw", "exhausted", "washing_closed"}
"""Where nothing came of it."""


def _truth(rows: Sequence[Row]) -> dict[int, tuple[str, set[int], float]]:
    """By the version that opened it: what kind of window nothing came of, who was asked in it, how long it lasted."""
    asked: dict[int, set[int]] = {}
    claimed: set[int] = set()
    happened: list[Happened] = []
    for row in rows:
        match row:
            case Happened():
                happened.append(row)
            case Offered() if "pass" in row.moves:
                asked.setdefault(row.version, set()).add(row.seat)
            case Answered() if row.move != "pass":
                claimed.add(row.version)
            case _:
                pass
    found = {}
    for opened, then in pairwise(happened):
        kind = _OPENS.get(opened.event.e)
        if kind is None or then.event.e not in _CLOSES or opened.version in claimed:
            continue
        if isinstance(then.event, Exhausted):
            kind = "last"
        found[opened.version] = kind, asked.get(opened.version, set()), then.at - opened.at
    return found


def _size(message: Events) -> float:
    """Octets, wherever in the deal it is told, and to whom."""
    events = [evolve(event, left=0, tile=None) if isinstance(event, Drew) else event for event in message.events]
    return len(encode(evolve(message, version=0, events=events), MSGPACK_SUBPROTOCOL))


def _met(room: Room) -> list[Window]:
    """The windows of the last minute, each met by one who was not asked; what was told and recorded is used up."""
    truth = _truth(room.rows)
    met: dict[int, list[Window]] = {}
    for ear in (room.watcher, *room.sitters):
        opened: tuple[float, Events] | None = None
        between: list[tuple[float, int]] = []
        reply = 0.0
        for at, size, message, delay in ear.heard:
            if isinstance(message, WhyNot):
                reply = max(reply, delay)
            elif isinstance(message, Events):
                if opened is not None and opened[1].version in truth:
                    begun, version = opened[0], opened[1].version
                    kind, seats, length = truth[version]
                    if ear.you not in seats and message.version > version:
                        window = Window(
                            asked=bool(seats),
                            kind=kind,
                            length=length,
                            gap=at - begun,
                            first=(between[0][0] if between else at) - begun,
                            frames=len(between),
                            octets=sum(octets for _, octets in between),
                            next=_size(message),
                            reply=reply,
                        )
                        met.setdefault(version, []).append(window)
                opened, between, reply = (at, message), [], 0.0
            elif not isinstance(message, Ask | Accepted):
                # Why those two come, whoever gets them knows.
                between.append((at, size))
        ear.heard.clear()
    room.rows.clear()
    # What several have met of one window is one observation; the watcher, who is the first, asks for replies.
    all_of = [window for _, window in sorted(met.items())]
    chosen = [(window[0], window[0] if room.chance.random() < 0.5 else room.chance.choice(window)) for window in all_of]
    return [evolve(one, reply=watchers.reply) for watchers, one in chosen]


# --- guessing -----------------------------------------------------------------------------------------------------


def same(one: Sequence[float], two: Sequence[float]) -> float:
    """The chance that two samples of one distribution differ at least as much as these: Kolmogorov and Smirnov."""
    d = _distance(one, two)
    size = sqrt(len(one) * len(two) / (len(one) + len(two)))
    x = (size + 0.12 + 0.11 / size) * d
    return 1.0 if x < 0.2 else min(1.0, 2 * sum([(-1) ** (k - 1) * exp(-2 * (k * x) ** 2) for k in range(1, 101)]))


def _distance(one: Sequence[float], two: Sequence[float]) -> float:
    one, two = sorted(one), sorted(two)
    return max(
        [abs(bisect_right(one, x) / len(one) - bisect_right(two, x) / len(two)) for x in {*one, *two}], default=0.0
    )


def guess(one: Sequence[float], two: Sequence[float]) -> tuple[float, float]:
    """How often the best threshold of the first halves is right about the second halves, both groups counted alike;
    and what mere chance stays under in 99 of 100 cases."""
    learnt, unseen = (one[::2], two[::2]), (one[1::2], two[1::2])
    below = [sorted(group) for group in learnt]

    def share(groups: Sequence[Sequence[float]], x: float) -> float:
        return sum(value <= x for value in groups[0]) / len(groups[0]) - sum(v <= x for v in groups[1]) / len(groups[1])

    best, sign = 0.0, 1.0
    score = -1.0
    for x in {*below[0], *below[1]}:
        by = bisect_right(below[0], x) / len(below[0]) - bisect_right(below[1], x) / len(below[1])
        if abs(by) > score:
            best, sign, score = x, (1.0 if by > 0 else -1.0), abs(by)
    right = 0.5 + sign * share(unseen, best) / 2
    spread = sqrt(0.25 / len(unseen[0]) + 0.25 / len(unseen[1])) / 2
    return right, 0.5 + 2.33 * spread


def verdict(met: Sequence[Window]) -> dict[str, tuple[float, float, float]]:
    """By feature: the chance of being the same, how often a guess is right, and what chance stays under."""
    found = {}
    for feature in FEATURES:
        groups = [[getattr(window, feature) for window in met if window.asked is asked] for asked in (False, True)]
        found[feature] = (same(*groups), *guess(*groups))
    return found


def shows(found: tuple[float, float, float]) -> bool:
    """Whether a figure of a verdict is worse than mere chance has it in 99 of 100 cases."""
    same, right, chance = found
    return same <= 0.01 or right >= chance


def bound(found: tuple[float, float, float]) -> float:
    """What a guess by this figure of a verdict is right in at most: in 99 of 100 samples as this one."""
    _, right, chance = found
    return right + chance - 0.5


def told_apart(case: Case, seed: int, most: int, plot: Plot | None = None) -> set[str]:
    """The features by which windows can be told apart: in one sample, and in a fresh one too, for in dozens of figures
    there is always one that one in a hundred would be as bad as."""
    first = verdict(windows(case, seed, most, plot))
    suspect = {feature for feature, found in first.items() if shows(found)}
    if suspect:
        again = verdict(windows(case, seed + 1_000_000_007, most, plot))
        suspect = {feature for feature in suspect if shows(again[feature])}
    return suspect
