"""Somebody the house knows, and the lines by which they speak to it."""

import asyncio
from typing import Final, Protocol

PONG_SECONDS: Final = 2.0
"""How long a line may take to show that it is still there, when another of the same person needs its place."""


class PersonLine(Protocol):
    """A line of somebody. `session` is the hash of the token it came with."""

    session: bytes

    @property
    def at_table(self) -> bool:
        """Whether it is at a table."""

    async def answers(self) -> bool:
        """Ask whether it is still there; may wait as long as it likes."""

    def dismiss(self, reason: str, *, signed_out: bool = False) -> None:
        """Take it from its table and from its person at once, and close it."""


class Identity:
    """Somebody the house has met. `id` stays the same over all tokens, `account` is None for a guest."""

    __slots__ = ("account", "id", "lines", "name")

    def __init__(self, identity: str, name: str, account: str | None = None) -> None:
        self.id: Final[str] = identity
        self.name = name
        self.account = account
        self.lines: list[PersonLine] = []
        """Those that are up, oldest first."""

    def __repr__(self) -> str:
        return f"Identity({self.id[:6]})"


async def room_for_line(identity: Identity, most: int) -> bool:
    """Make room for one more line, so that nobody is locked out by lines that are dead and not known to be.

    A line that no longer answers is dismissed first, then the oldest that is at no table; False where there is none.
    """
    while len(identity.lines) >= most:
        answers = await _answers(identity.lines)
        # Others may have come and gone meanwhile.
        silent = [line for line in identity.lines if answers.get(id(line)) is False]
        idle = [line for line in identity.lines if not line.at_table]
        if len(identity.lines) < most:
            break
        if not silent and not idle:
            return False
        (silent or idle)[0].dismiss("too many lines of one guest")
    return True


async def _answers(lines: list[PersonLine]) -> dict[int, bool]:
    """Which of the lines are there, by the id of each; all of them stay alive in `tasks` until this returns."""
    tasks = {asyncio.ensure_future(line.answers()): line for line in lines}
    try:
        await asyncio.wait(tasks, timeout=PONG_SECONDS)
        return {id(line): _is_yes(task) for task, line in tasks.items()}
    finally:
        for task in tasks:
            task.cancel()


def _is_yes(task: "asyncio.Task[bool]") -> bool:
    return task.done() and not task.cancelled() and task.exception() is None and task.result()
