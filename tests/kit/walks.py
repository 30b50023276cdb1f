"""Seeded players and the walks they take through whole deals."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from parlour_engine import play
from parlour_engine.deal import Deal
from parlour_engine.events import Event
from parlour_engine.legal import legal_moves, waiting_on
from parlour_engine.moves import CALL, CONCEALED, DISCARD, PASS, PROMOTE, WIN, Move
from parlour_engine.procedure import Procedure
from parlour_engine.seats import Seat
from parlour_engine.shapes import least_discards
from parlour_engine.tiles import full_wall

Strategy = Callable[[random.Random, Deal, Seat, tuple[Move, ...]], Move]
"""A player: it chooses one of the legal moves."""


def uniform(chance: random.Random, deal: Deal, seat: Seat, moves: tuple[Move, ...]) -> Move:
    """Any legal move."""
    return chance.choice(moves)


def eager(chance: random.Random, deal: Deal, seat: Seat, moves: tuple[Move, ...]) -> Move:
    """Wins and gongs when it can, calls and claims now and then, else keeps near to a win: deals with many endings."""
    if moves[0].verb == WIN and chance.random() < 0.9:
        return moves[0]
    gongs = [move for move in moves if move.verb in (CONCEALED, PROMOTE)]
    if gongs and chance.random() < 0.9:
        return chance.choice(gongs)
    if moves[-1].verb == PASS:
        return chance.choice(moves)
    calls = [move for move in moves if move.verb == CALL]
    if calls and chance.random() < 0.5:
        return chance.choice(calls)
    hand = deal.hands[seat]
    keys = (hand.keys[0], hand.keys[1], hand.keys[2], hand.keys[3])
    least = least_discards(hand.counts, keys, deal.procedure.sets - len(hand.melds))
    best = [move for move in moves if move.verb == DISCARD and any(move.kind == kind for _, kind, _ in least)]
    return chance.choice(best or [move for move in moves if move.verb == DISCARD])


def stubborn(chance: random.Random, deal: Deal, seat: Seat, moves: tuple[Move, ...]) -> Move:
    """As `eager`, but it often lets a win pass, so that missed wins come up."""
    if moves[0].verb == WIN and chance.random() < 0.7 and len(moves) > 1:
        moves = moves[1:]
    return eager(chance, deal, seat, moves)


@dataclass
class Step:
    """One call of the engine: who made which move (None, None where a window closed) and what happened."""

    seat: Seat | None
    move: Move | None
    events: list[Event]


@dataclass
class Walk:
    """A deal played by seeded players. Iterate over `steps()`; the deal changes between them."""

    seed: int
    procedure: Procedure = field(default_factory=Procedure)
    strategy: Strategy = uniform

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        wall = full_wall(self.procedure.flowers)
        self.chance.shuffle(wall)
        dice = (self.chance.randint(1, 6), self.chance.randint(1, 6), self.chance.randint(1, 6))
        dealer = self.chance.randrange(4)
        self.deal, self.events = play.start(
            self.procedure, wall, dice, dealer, self.chance.randrange(4), self.chance.randrange(3)
        )
        self.start_events = list(self.events)
        self.script: list[tuple[Seat, Move] | None] = []

    def steps(self) -> Iterator[Step]:
        """Step by step to the end; a window closes when nobody is waited for."""
        while not self.deal.is_over():
            waiting = waiting_on(self.deal)
            if waiting:
                seat = self.chance.choice(waiting)
                move = self.strategy(self.chance, self.deal, seat, legal_moves(self.deal, seat))
                self.script.append((seat, move))
                events = play.apply(self.deal, seat, move)
                self.events += events
                yield Step(seat, move, events)
            else:
                self.script.append(None)
                events = play.close(self.deal)
                self.events += events
                yield Step(None, None, events)

    def to_the_end(self) -> Deal:
        """The finished deal."""
        for _ in self.steps():
            pass
        return self.deal
