"""Faults X: the walls. The half of each case that is not told elsewhere."""

import random
from functools import cache
from itertools import permutations

import pytest
from attrs import evolve, frozen

from parlour_engine.procedure import Procedure
from parlour_engine.tiles import ALL_KINDS
from parlour_server.fairness.shuffle import commitment, context, dealt, kind_of, nonces_of
from parlour_server.fairness.shuffles import Shuffles
from parlour_server.protocol.events import ShuffleCommitted, ShuffleFixed, ShuffleRevealed
from parlour_server.records.differences import Contradiction
from parlour_server.records.rows import EventRow, Header, read_header
from parlour_server.rulesets import load_ruleset
from tests.server.fairness.built import MATCH, broken_off

RULESETS = ("lrc", "classical")
HONEST = 1000
"""A tenth of the deals that a long run would look at."""


@frozen
class Told:
    """What a record tells of a deal's wall; bytes, so that a bit of them can be another."""

    ruleset: str
    context: str
    commit: bytes
    nonces: tuple[bytes | None, ...]
    wall: tuple[int, ...]
    dice: tuple[int, ...]
    seed: bytes


@cache
def header(ruleset: str) -> Header:
    return read_header(broken_off(ruleset).encode().splitlines(keepends=True)[0])


@cache
def procedure(ruleset: str) -> Procedure:
    return load_ruleset(ruleset).procedure


def honest(ruleset: str, chance: random.Random) -> Told:
    """A deal as an honest house tells it: some seats add something, others do not."""
    game = procedure(ruleset)
    ctx = context(MATCH, 1, header(ruleset).ruleset.digest)
    seed = chance.randbytes(32)
    nonces = [chance.randbytes(16) if chance.random() < 0.7 else None for _ in range(4)]
    parts = nonces_of([None if nonce is None else nonce.hex() for nonce in nonces])
    tiles, dice = dealt(ctx, seed, parts, 144 if game.flowers else 136, game.dice)
    wall = tuple([kind_of(tile) for tile in tiles])
    return Told(ruleset, ctx.decode(), commitment(ctx, seed), tuple(nonces), wall, tuple(dice), seed)


def refused(told: Told) -> bool:
    """Whether the verifier finds something wrong with it."""
    shuffles = Shuffles(header(told.ruleset), procedure(told.ruleset))
    nonces = [None if nonce is None else nonce.hex() for nonce in told.nonces]
    committed = ShuffleCommitted(1, told.context, told.commit.hex())
    fixed, revealed = ShuffleFixed(1, nonces), ShuffleRevealed(1, told.seed.hex())
    try:
        shuffles.event(2, EventRow(0, 1, _plain(committed)), playing=False, over=False)
        shuffles.event(3, EventRow(0, 2, _plain(fixed)), playing=False, over=False)
        shuffles.wall(4, told.wall, told.dice)
        shuffles.event(5, EventRow(0, 3, _plain(revealed)), playing=False, over=False)
    except Contradiction:
        return True
    return False


def _plain(event: ShuffleCommitted | ShuffleFixed | ShuffleRevealed) -> dict[str, object]:
    return {name: getattr(event, name) for name in ("e", *[field.name for field in event.__attrs_attrs__])}


def bits(octets: bytes) -> list[bytes]:
    """Everything that differs from these octets in one bit."""
    number = int.from_bytes(octets)
    return [(number ^ 1 << bit).to_bytes(len(octets)) for bit in range(8 * len(octets))]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_x04_honest_deals_are_found_right(ruleset: str) -> None:
    chance = random.Random(4)
    assert not any(refused(honest(ruleset, chance)) for _ in range(HONEST))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_x04_no_bit_of_seed_commitment_parts_wall_and_dice_can_be_another(ruleset: str) -> None:
    """A commitment alone would fix the wall and not say that it was nobody's choice: each part of it counts."""
    chance = random.Random(5)
    told = honest(ruleset, chance)
    while None not in told.nonces or told.nonces.count(None) > 2:
        told = honest(ruleset, chance)
    assert not refused(told)
    changed = [evolve(told, seed=seed) for seed in bits(told.seed)]
    changed += [evolve(told, commit=commit) for commit in bits(told.commit)]
    for seat, nonce in enumerate(told.nonces):
        others: list[bytes | None] = [*bits(bytes(16) if nonce is None else nonce)]
        others += [None] if nonce is not None else []
        changed += [evolve(told, nonces=(*told.nonces[:seat], other, *told.nonces[seat + 1 :])) for other in others]
    for place, kind in enumerate(told.wall):
        kinds = [kind ^ 1 << bit for bit in range(6) if kind ^ 1 << bit < ALL_KINDS]
        changed += [evolve(told, wall=(*told.wall[:place], other, *told.wall[place + 1 :])) for other in kinds]
    for place, die in enumerate(told.dice):
        for other in {die ^ 1 << bit for bit in range(3)}:
            changed.append(evolve(told, dice=(*told.dice[:place], other, *told.dice[place + 1 :])))
    assert len(changed) > 256 + 256 + 512 + 5 * len(told.wall)
    assert all(refused(other) for other in changed)


def test_x04_the_parts_of_the_seats_cannot_change_places() -> None:
    told = honest("lrc", random.Random(6))
    while None in told.nonces:
        told = honest("lrc", random.Random(told.seed))
    orders = [order for order in permutations(told.nonces) if order != told.nonces]
    assert len(orders) == 23
    assert all(refused(evolve(told, nonces=order)) for order in orders)
