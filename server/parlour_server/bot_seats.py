"""The bots of one table: each is asked as a person is, thinks for a while, and answers by the same way."""

import asyncio
from collections.abc import Callable
from typing import Final

from parlour_bots.bot import Bot
from parlour_bots.levels import make_bot
from parlour_engine.moves import move_text, parse_move
from parlour_engine.views import View
from parlour_server.chance import Chance
from parlour_server.log import log
from parlour_server.protocol.messages import Ask
from parlour_server.settings import Bots

_LEAST_OF_FLOOR: Final = 0.15
_MOST_OF_FLOOR: Final = 0.85
"""Claims are answered somewhere inside the floor of the window, so that the answer's time shows nothing."""


class BotSeats:
    """Schedules the answers of a table's bots. `answer(seat, version, move)` takes one to the table."""

    def __init__(
        self,
        delays: Bots,
        floor_ms: int,
        answer: Callable[[int, int, str], None],
        view: Callable[[int], View],
        chance: Chance,
    ) -> None:
        """`chance` gives delays and the bots' luck: unforeseeable, for a foreseeable bot could be read."""
        self._chance: Final = chance.random
        self._delays = delays
        self._floor_ms = floor_ms
        self._answer = answer
        self._view = view
        self._bots: dict[str, Bot] = {}
        self._thinking: dict[int, asyncio.Handle] = {}

    def ask(self, seat: int, level: str, ask: Ask, left: float | None = None) -> None:
        """A bot's seat is asked: it will answer after a while, unless asked anew before. `left` are the seconds until
        the open window may close."""
        before = self._thinking.pop(seat, None)
        if before is not None:
            before.cancel()
        loop = asyncio.get_running_loop()
        delay = self._delay(seat, ask, left)
        # Even without a delay the loop has its turn in between: a table of bots must not hold the others up.
        if delay > 0:
            self._thinking[seat] = loop.call_later(delay, self._decide, seat, level, ask)
        else:
            self._thinking[seat] = loop.call_soon(self._decide, seat, level, ask)

    def stop(self) -> None:
        """Nobody answers any more."""
        for handle in self._thinking.values():
            handle.cancel()
        self._thinking.clear()

    def _delay(self, seat: int, ask: Ask, left: float | None = None) -> float:
        """Seconds; they depend on nothing that is hidden."""
        if ask.kind != "turn":
            # A bot that is asked amid a window, for somebody who has gone or after a stop, must not make it longer.
            floor = self._floor_ms / 1000
            floor = floor if left is None else max(0.0, min(floor, left))
            return self._chance.uniform(_LEAST_OF_FLOOR, _MOST_OF_FLOOR) * floor
        if not self._view(seat).seats[seat].discards:
            # Whoever has just sat down is to have a turn soon: the first go-round takes its windows' floors only.
            return 0.0
        return self._chance.uniform(self._delays.least_delay_ms, self._delays.most_delay_ms) / 1000

    def _decide(self, seat: int, level: str, ask: Ask) -> None:
        self._thinking.pop(seat, None)
        self._answer(seat, ask.version, self._choose(seat, level, ask))

    def _choose(self, seat: int, level: str, ask: Ask) -> str:
        try:
            bot = self._bots.get(level)
            if bot is None:
                bot = self._bots[level] = make_bot(level)
            chosen = move_text(bot.decide(self._view(seat), [parse_move(text) for text in ask.moves], self._chance))
            if chosen in ask.moves:
                return chosen
            log.error("bot chose no legal move", level=level, kind=ask.kind)
        except Exception:  # noqa: BLE001 # a bot's fault must not end the table
            log.exception("bot failed", level=level, kind=ask.kind)
        # A pass where there is one, as for anybody who is late; else the first move there is.
        return "pass" if "pass" in ask.moves else ask.moves[0]
