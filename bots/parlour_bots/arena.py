"""Many deals between bots, in one process or several: the same seed gives the same records whatever the number.

Deal i depends on the seed and on i alone (`deals.index_deal`), and chunks come back in order.
"""

import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any, Final, TypeVar

from attrs import field, frozen

from parlour_bots.bot import Bot
from parlour_bots.deals import check_totals, failure_line, index_deal, record_line
from parlour_bots.levels import make_bot
from parlour_bots.tallies import Tally
from parlour_engine.events import Washed
from parlour_engine.rulesets import OptionValue, Ruleset
from parlour_engine.seats import SEATS

T = TypeVar("T")

MOST_IN_CHUNK: Final = 50
"""Deals that a process plays before it reports: enough to hide the cost of asking, few enough to see progress."""
HELD: Final = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a run: one in the middle of beginning a process would leave it half told, and it complains."""


@frozen
class Plan:
    """What to play. Every process reads the ruleset for itself, so `load` has to be picklable.

    `names[seat]` is the level of the bot at `seat`. With `only` the run is that one deal, as it is in the whole run.
    A deal with a winner's total that is not `between` these two (included) fails.
    """

    load: Callable[[], Ruleset]
    names: tuple[str, ...]
    seed: int
    deals: int
    options: Mapping[str, OptionValue] = field(factory=dict)
    only: int | None = None
    keep_records: bool = True
    between: tuple[int, int] | None = None

    def ruleset(self) -> Ruleset:
        """The ruleset with the options set; raises what `load` raises, or OptionError."""
        return self.load().with_options(self.options)

    def bots(self) -> list[Bot]:
        """The four bots; raises what `make_bots` does."""
        return make_bots(self.names)

    def indices(self) -> range:
        """The deals to play."""
        return range(self.deals) if self.only is None else range(self.only, self.only + 1)


def make_bots(names: Sequence[str]) -> list[Bot]:
    """The bots of seats 0 to 3; raises UnknownLevel, or ValueError unless there are four names."""
    if len(names) != len(SEATS):
        raise ValueError(f"{len(names)} bots cannot play: name four, one for each seat")
    return [make_bot(name) for name in names]


@frozen
class Failure:
    """A deal or match that could not be played to its end: its index, the error in one line, and where it came from."""

    index: int
    error: str
    trace: str


@frozen
class Chunk:
    """Some deals in a row: their records as lines (none where the plan keeps none), what they came to, what failed."""

    indices: range
    lines: tuple[str, ...]
    tally: Tally
    failures: tuple[Failure, ...]


class _Worker:
    """Plays the chunks of one plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._ruleset = plan.ruleset()
        self._bots = plan.bots()

    def __call__(self, indices: range) -> Chunk:
        plan, ruleset = self._plan, self._ruleset
        tally = Tally()
        lines: list[str] = []
        failures: list[Failure] = []
        for index in indices:
            try:
                record = index_deal(ruleset, plan.seed, index, self._bots)
                check_totals([winning.entry.score.total for winning in record.winnings], plan.between)
            except Exception as error:  # noqa: BLE001 # whatever went wrong in one deal, the others are to be played
                text = f"{type(error).__name__}: {error}"
                failures.append(Failure(index, text, traceback.format_exc()))
                if plan.keep_records:
                    lines.append(failure_line(plan.seed, index, text))
                continue
            scores = [winning.entry.score for winning in record.winnings]
            tally.add(
                record.decisions,
                [(winning.seat, winning.by, winning.entry.score.total) for winning in record.winnings],
                record.changes,
                doubles=sum([score.doubles for score in scores]),
                limited=sum([score.limited for score in scores]),
                washed=any(isinstance(event, Washed) for event in record.events),
            )
            if plan.keep_records:
                lines.append(record_line(ruleset, plan.names, plan.seed, index, record))
        return Chunk(indices, tuple(lines), tally, tuple(failures))


def run(plan: Plan, jobs: int = 1) -> Generator[Chunk, None, None]:
    """Play `plan` in `jobs` processes and yield its chunks in the order of the deals.

    Raises at once what is wrong with the plan (what `load` raises, OptionError, UnknownLevel, ValueError). A deal that
    fails is told in its chunk. Closing the generator, or an interruption, ends the processes; where one of them is
    killed from outside BrokenExecutor is raised.
    """
    _Worker(plan)
    return spread(partial(_Worker, plan), plan.indices(), jobs, MOST_IN_CHUNK)


def spread(make: Callable[[], Callable[[range], T]], indices: range, jobs: int, most: int) -> Generator[T, None, None]:
    """What the function that `make` makes says of the chunks of `indices`, of `most` at most, in their order.

    Each of `jobs` processes makes it for itself, so `make` and the answers have to be picklable. Raises ValueError for
    less than one process; else as `run`.
    """
    if jobs < 1:
        raise ValueError(f"{jobs} processes cannot play: use 1 or more")
    chunks = _chunks(indices, jobs, most)
    if jobs == 1 or len(chunks) < 2:
        play = make()
        return (play(chunk) for chunk in chunks)
    return _in_processes(make, chunks, min(jobs, len(chunks)))


def _chunks(indices: range, jobs: int, most: int) -> list[range]:
    size = max(1, min(most, -(-len(indices) // (4 * jobs))))
    return [indices[at : at + size] for at in range(0, len(indices), size)]


def _in_processes(
    make: Callable[[], Callable[[range], T]], chunks: Sequence[range], jobs: int
) -> Generator[T, None, None]:
    # A fresh interpreter a process behaves the same on every system and with every thread the caller may have.
    with _interrupts_held():
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (make,))
    try:
        waiting: deque[Future[T]] = deque()
        for chunk in chunks:
            with _interrupts_held():
                waiting.append(pool.submit(_play, chunk))
            # A few chunks for each process keep all of them busy.
            if len(waiting) > 3 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Put off what would end this process until afterwards: one being begun in here is told all it has to know.

    What is held here is held in the process begun as well: Ctrl-C, which reaches each process of a terminal, for good,
    and SIGTERM until `_begin`.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_worker: list[Callable[[range], Any]] = []
"""The one function of this process, filled by `_begin` where this process is one of several."""


def _begin(make: Callable[[], Callable[[range], Any]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker[:] = [make()]


def _end_with_parent() -> None:
    """A process that was killed outright ends no other: the ones it began would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _play(indices: range) -> Any:
    return _worker[0](indices)
