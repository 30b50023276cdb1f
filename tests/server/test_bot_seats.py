"""How long bots think: by public things alone, and within the floor where a window is open."""

import asyncio

from parlour_engine import play
from parlour_engine.legal import legal_moves
from parlour_engine.moves import DISCARD
from parlour_engine.views import View, view
from parlour_server.bot_seats import BotSeats
from parlour_server.chance import Chance
from parlour_server.protocol.messages import Ask
from parlour_server.settings import Bots
from parlour_server.table.chairs import AskKind
from tests.kit.walls import LRC, scripted_wall


def seen(discards: int) -> View:
    """Seat 0's view of a deal in which it has made so many discards."""
    deal, _ = play.start(LRC, scripted_wall(["", "", "", ""]), (1, 2, 3), 0, 0, 0)
    if discards:
        play.apply(deal, 0, next(move for move in legal_moves(deal, 0) if move.verb == DISCARD))
    return view(deal, 0)


def seats(answers: list[tuple[int, int, str]], discards: int = 1, delays: Bots | None = None) -> BotSeats:
    return BotSeats(
        Bots(500, 1300) if delays is None else delays,
        600,
        lambda seat, version, move: answers.append((seat, version, move)),
        lambda _: seen(discards),
        Chance(),
    )


def test_a_turn_takes_its_time_and_the_first_one_little() -> None:
    turn = Ask(1, "turn", ["discard 1m"], None, None)

    later = [seats([])._delay(0, turn) for _ in range(50)]
    first = [seats([], discards=0)._delay(0, turn) for _ in range(50)]

    assert 0.5 <= min(later) <= max(later) <= 1.3
    assert first == [0.0] * 50
    assert len(set(later)) > 40


def test_a_claim_is_answered_within_the_floor() -> None:
    bots = seats([])

    kinds: tuple[AskKind, ...] = ("claim", "rob", "wash")
    for kind in kinds:
        delays = [bots._delay(0, Ask(1, kind, ["win", "pass"], None, None)) for _ in range(200)]
        assert 0 < min(delays) < 0.2
        assert 0.4 < max(delays) < 0.6


async def test_a_seat_that_is_asked_anew_answers_once() -> None:
    answers: list[tuple[int, int, str]] = []
    bots = seats(answers, delays=Bots(0, 0))
    for version in (1, 2, 3):
        bots.ask(0, "steady", Ask(version, "turn", ["discard 1m"], None, None))
    for _ in range(3):
        await asyncio.sleep(0)

    assert answers == [(0, 3, "discard 1m")]


async def test_after_the_end_nobody_answers() -> None:
    answers: list[tuple[int, int, str]] = []
    bots = seats(answers, delays=Bots(0, 0))
    bots.ask(0, "steady", Ask(1, "turn", ["discard 1m"], None, None))
    bots.stop()
    for _ in range(3):
        await asyncio.sleep(0)

    assert answers == []
