"""An event loop without time: one callback a step, and the clock is moved by whoever drives it.

It has just what a server of ours asks of a loop. A thread's work is done at once and its answer comes a little later.
"""

import asyncio
import contextvars
import heapq
import socket
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from tests.simulation.agenda import Agenda

T = TypeVar("T")
_FUNERALS = 20
"""A cancelled task may wait once more, to close what it holds."""
Listener = Callable[[], asyncio.BaseProtocol]


class Listening:
    """What `loop.create_server` gives: the place where lines are opened."""

    def __init__(self, loop: "VirtualLoop", factory: Listener) -> None:
        self._loop = loop
        self.factory: Listener | None = factory
        self.sockets = (_Name(),)

    def close(self) -> None:
        """No more lines."""
        self.factory = None

    async def wait_closed(self) -> None:
        """As asyncio's, which does not wait for lines either (3.11)."""

    async def start_serving(self) -> None:
        """It serves from the beginning."""

    def is_serving(self) -> bool:
        return self.factory is not None

    def get_loop(self) -> "VirtualLoop":
        return self._loop


class _Name:
    family = socket.AF_INET

    def getsockname(self) -> tuple[str, int]:
        return HERE


HERE = ("127.0.0.1", 8000)
"""The server's address in the simulated network."""
THREAD_SECONDS = 0.05
"""How long a thread takes for anything."""


class VirtualLoop(asyncio.AbstractEventLoop):
    """Callbacks in the order asyncio promises, run by `step`, one at a time."""

    def __init__(self, agenda: Agenda, steps: int = 0) -> None:
        self._agenda = agenda
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._number = 0
        self._handler: Callable[[asyncio.AbstractEventLoop, dict[str, Any]], object] | None = None
        self._tasks: list[asyncio.Task[Any]] = []
        self.steps = steps
        """Callbacks that were run, counted on from those of the loops before."""
        self.troubles: list[dict[str, Any]] = []
        """Every exception that reached the loop."""
        self.listening: Listening | None = None

    # --- driven from outside ---

    def due(self) -> float | None:
        """When there is something to run: now, at the first timer's time, or never."""
        if self._ready:
            return self._agenda.now
        while self._timers and self._timers[0][2].cancelled():
            heapq.heappop(self._timers)
        return max(self._agenda.now, self._timers[0][0]) if self._timers else None

    def step(self) -> None:
        """Run one callback; the clock stands where it is due."""
        now = self._agenda.now
        while self._timers and self._timers[0][0] <= now:
            timer = heapq.heappop(self._timers)[2]
            if not timer.cancelled():
                self._ready.append(timer)
        if self._ready:
            handle = self._ready.popleft()
            if not handle.cancelled():
                self.steps += 1
                with self.running():
                    handle._run()

    @contextmanager
    def running(self) -> Iterator[None]:
        """This loop is the running one inside."""
        before = asyncio._get_running_loop()
        asyncio._set_running_loop(self)
        try:
            yield
        finally:
            asyncio._set_running_loop(before)

    def bury(self) -> None:
        """End every task of a process that is dead; whoever calls has cut what it could still touch."""
        self._handler = None
        for _ in range(_FUNERALS):
            for task in self._tasks:
                if not task.done():
                    task.cancel()
            self._timers.clear()
            while self._ready:
                self.step()
        self._tasks.clear()

    def tasks(self) -> list[asyncio.Task[Any]]:
        """Those that were started, without some that are done."""
        return list(self._tasks)

    # --- asked from inside ---

    def time(self) -> float:
        return self._agenda.now

    def call_soon(  # type: ignore[override] # the wider type of a callback
        self, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_soon_threadsafe(  # type: ignore[override] # as above
        self, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def call_later(  # type: ignore[override] # as above
        self, delay: float, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override] # as above
        self, when: float, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._number += 1
        heapq.heappush(self._timers, (when, self._number, timer))
        return timer

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """A cancelled timer is passed over when its time comes."""

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override] # as above
        self, coro: Coroutine[Any, Any, T], *, name: str | None = None, context: contextvars.Context | None = None
    ) -> asyncio.Task[T]:
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks.append(task)
        if len(self._tasks) > 1000:
            self._tasks = [task for task in self._tasks if not task.done()]
        return task

    def run_in_executor(  # type: ignore[override] # as above
        self, executor: Any, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        future: asyncio.Future[T] = self.create_future()

        def answer(settle: Callable[[Any], None], value: Any) -> None:
            if not future.done():
                settle(value)

        try:
            found = func(*args)
        except Exception as error:  # noqa: BLE001 # it is the caller's
            self.call_later(THREAD_SECONDS, answer, future.set_exception, error)
        else:
            self.call_later(THREAD_SECONDS, answer, future.set_result, found)
        return future

    async def create_server(self, protocol_factory: Any, host: Any = None, port: Any = None, **_: Any) -> Any:
        self.listening = Listening(self, protocol_factory)
        return self.listening

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def set_exception_handler(self, handler: Any) -> None:
        self._handler = handler

    def get_exception_handler(self) -> Any:
        return self._handler

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        self.troubles.append(context)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.troubles.append(context)
        if self._handler is not None:
            self._handler(self, context)


def pass_time(loop_now: Callable[[], VirtualLoop], agenda: Agenda, seconds: float) -> None:
    """Let time pass, for a server on its loop and for what else is on the agenda, each in its turn. A server may be
    killed and another come up meanwhile, so it is asked each time which loop there is."""
    end = agenda.now + seconds
    while True:
        loop = loop_now()
        server, outside = loop.due(), agenda.due()
        if server is not None and server <= end and (outside is None or server <= outside):
            agenda.now = max(agenda.now, server)
            loop.step()
            assert not loop.troubles, loop.troubles
        elif outside is not None and outside <= end:
            agenda.step()
        else:
            agenda.now = end
            return
