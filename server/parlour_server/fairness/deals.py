"""Walls and dice of a match as the fair shuffle gives them; the engine is handed both and knows nothing of it."""

from collections.abc import Sequence
from typing import Final

from attrs import field, frozen

from parlour_engine.procedure import Procedure
from parlour_engine.tiles import Kind, full_wall
from parlour_server.fairness.shuffle import (
    SEED_BYTES,
    TokenBytes,
    commitment,
    context,
    dealt,
    hexed,
    kind_of,
    nonces_of,
)


@frozen
class Commitment:
    """A deal's seed, and what may be told before it is played: `context` and `commit`."""

    seed: str = field(repr=False)
    """Hex; a secret until the deal is over."""
    context: str
    commit: str


class FairDeals:
    """The deals of one match: first a commitment each, then, when the seats have added their part, the wall."""

    def __init__(self, match: str, digest: str, token_bytes: TokenBytes) -> None:
        """`match` is the public name of the match, `digest` the ruleset's."""
        self._match: Final = match
        self._digest: Final = digest
        self._token_bytes: Final = token_bytes

    def commit(self, number: int) -> Commitment:
        """A fresh seed for the deal with this number, from 1."""
        seed = self._token_bytes(SEED_BYTES)
        ctx = context(self._match, number, self._digest)
        return Commitment(seed.hex(), ctx.decode(), commitment(ctx, seed).hex())

    def deal(
        self, number: int, procedure: Procedure, seed: str, nonces: Sequence[str | None]
    ) -> tuple[list[Kind], tuple[int, ...]]:
        """The wall in drawing order and the dice; `nonces` by seat, None where a seat adds nothing.

        ValueError for a seed or nonce of another form.
        """
        tiles, dice = dealt(
            context(self._match, number, self._digest),
            hexed(seed, SEED_BYTES),
            nonces_of(nonces),
            len(full_wall(procedure.flowers)),
            procedure.dice,
        )
        return [kind_of(tile) for tile in tiles], tuple(dice)
