"""What every bot owes the table: legal moves, no luck of its own, no look at what is hidden."""

import ast
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

import parlour_bots
from parlour_bots.bot import Bot
from parlour_bots.chance import Chance, Stream, stream
from parlour_bots.check import BotFault, check_bot
from parlour_bots.levels import LEVELS, UnknownLevel, make_bot
from parlour_bots.steady import SteadyBot
from parlour_engine.deal import Deal
from parlour_engine.legal import legal_moves
from parlour_engine.moves import DISCARDS, Move
from parlour_engine.seats import SEATS, Seat
from parlour_engine.tiles import FIRST_FLOWER
from parlour_engine.views import View, view
from parlour_engine.wall import Wall
from tests.kit.walks import Walk


class Still:
    """A clock that stands."""

    def __call__(self) -> float:
        return 0.0


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_passes_the_examiner(level: str) -> None:
    examined = check_bot(make_bot(level), deals=8, clock=Still())
    assert examined.deals == 32
    assert examined.decisions > 32 * 15


@pytest.mark.parametrize("level", LEVELS)
def test_no_decision_of_a_level_holds_a_table_up(level: str) -> None:
    """G22: bots decide in the server's loop, so none may think for long; docs/bots.md tells what they take."""
    check_bot(make_bot(level), deals=1, clock=time.thread_time)
    assert check_bot(make_bot(level), deals=16, clock=time.thread_time).longest < 0.02


class FirstMove:
    """Legal and dull."""

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        return legal[0]


class Cheat(FirstMove):
    """Discards a tile that may not be there."""

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        return DISCARDS[0]


class Forgetful(FirstMove):
    """Has luck of its own."""

    def __init__(self) -> None:
        self.luck = random.Random(3)

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        return self.luck.choice(legal)


class Silent(FirstMove):
    """Answers nothing."""

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        return None  # type: ignore[return-value]  # the fault that is looked for


@pytest.mark.parametrize(
    ("bot", "fault"),
    [(Cheat(), "not among the legal moves"), (Forgetful(), "asked twice"), (Silent(), "not among the legal moves")],
)
def test_the_examiner_finds_what_is_wrong_and_where(bot: Bot, fault: str) -> None:
    with pytest.raises(BotFault, match=rf"16 tiles, seed 5, deal \d+: .*{fault}"):
        check_bot(bot, seed=5, clock=Still())


def test_the_examiner_finds_a_slow_bot() -> None:
    class Slow:
        now = 0.0

        def __call__(self) -> float:
            self.now += 0.004
            return self.now

    assert check_bot(FirstMove(), deals=1, clock=Slow()).longest == pytest.approx(0.004)
    with pytest.raises(BotFault, match=r"takes 4\.00 ms, more than 3\.00 ms"):
        check_bot(FirstMove(), deals=1, budget=0.003, clock=Slow())


def test_levels_have_names() -> None:
    assert LEVELS == ("random", "steady")
    with pytest.raises(UnknownLevel, match="choose among random, steady"):
        make_bot("stead")


def test_random_is_uniform_over_the_legal_moves() -> None:
    walk = Walk(3)
    legal = legal_moves(walk.deal, walk.deal.dealer)
    seen = view(walk.deal, walk.deal.dealer)
    bot, chance = make_bot("random"), stream("uniform")
    times = 400 * len(legal)
    counts = Counter(bot.decide(seen, legal, chance).id for _ in range(times))
    assert set(counts) == {move.id for move in legal}
    # 400 each expected with a standard deviation of 20.
    assert all(300 < count < 500 for count in counts.values())


def test_no_bot_has_luck_of_its_own() -> None:
    folder = Path(parlour_bots.__file__).parent
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert "hmac" in imported
    assert not imported & {"random", "secrets", "uuid", "numpy"}


def permuted(deal: Deal, viewer: Seat, chance: random.Random) -> Deal:
    """The same deal with every tile that `viewer` cannot know put somewhere else: other hands and the wall. Flowers
    stay in the wall, since nobody holds one."""
    other = deal.copy()
    wall = deal.wall
    left = list(wall.tiles[wall.head : wall.tail])
    places = [place for place, kind in enumerate(left) if kind < FIRST_FLOWER]
    pool = [left[place] for place in places]
    for seat in SEATS:
        if seat != viewer:
            for kind in other.hands[seat].tiles():
                pool.append(kind)
                other.hands[seat].remove(kind)
    chance.shuffle(pool)
    for seat in SEATS:
        if seat != viewer:
            for _ in range(deal.hands[seat].size):
                other.hands[seat].add(pool.pop())
    for place in places:
        left[place] = pool.pop()
    assert not pool
    other.wall = Wall([*wall.tiles[: wall.head], *left, *wall.tiles[wall.tail :]], wall.reserve)
    other.wall.head, other.wall.tail = wall.head, wall.tail
    return other


@pytest.mark.parametrize("level", LEVELS)
def test_hidden_tiles_change_no_decision(level: str) -> None:
    bot = make_bot(level)
    changed = decisions = 0
    for seed in range(6):
        chance = random.Random(f"hidden {seed}")

        def strategy(_: random.Random, deal: Deal, seat: Seat, moves: tuple[Move, ...]) -> Move:
            nonlocal changed, decisions
            luck = str(decisions).encode()
            other = permuted(deal, seat, chance)  # noqa: B023 # the walk ends before the next begins
            changed += any(other.hands[one].counts != deal.hands[one].counts for one in SEATS)
            move = bot.decide(view(deal, seat), moves, Stream(luck))
            assert bot.decide(view(other, seat), moves, Stream(luck)) is move
            decisions += 1
            return move

        Walk(seed, strategy=strategy).to_the_end()
    assert decisions > 150
    assert changed > decisions * 0.9


def test_steady_asks_for_no_luck() -> None:
    class NoLuck(Chance):
        def randrange(self, stop: int, /) -> int:
            raise AssertionError("steady asked for luck")

    def strategy(_: random.Random, deal: Deal, seat: Seat, moves: tuple[Move, ...]) -> Move:
        return SteadyBot().decide(view(deal, seat), moves, NoLuck())

    for seed in range(5):
        Walk(seed, strategy=strategy).to_the_end()
