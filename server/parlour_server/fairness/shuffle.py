"""The shuffle that nobody can choose: a seed that is committed to first, and what the seats add to it afterwards.

Pure functions of their arguments, as docs/fairness.md gives them octet by octet; two programs that share nothing with
this one (`standalone/`) compute the same.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from typing import Final

SEED_BYTES: Final = 32
NONCE_BYTES: Final = 16
NO_NONCE: Final = bytes(NONCE_BYTES)
"""What stands for a seat that adds nothing: a bot, or a person whose part did not come."""
_COMMIT: Final = b"mj-commit-v1"
_KEY: Final = b"mj-key-v1"
_STREAM: Final = b"mj-stream-v1"
_SIXES: Final = 252
"""The largest multiple of six that a byte holds."""


def context(match: str, deal: int, digest: str) -> bytes:
    """What a commitment is for: the match, the deal's number from 1, the digest of the ruleset."""
    return f"match:{match}|deal:{deal}|rules:{digest}".encode()


def with_length(octets: bytes) -> bytes:
    """L(x) = two octets of length, the greater first, and x. ValueError for more than 65,535 octets."""
    if len(octets) > 0xFFFF:
        raise ValueError(f"{len(octets)} octets have no length in two octets")
    return len(octets).to_bytes(2, "big") + octets


def commitment(ctx: bytes, seed: bytes) -> bytes:
    """What binds the server to `seed` and tells nothing of it. ValueError where it has not 32 octets."""
    _of_length(seed, SEED_BYTES, "a seed")
    return hashlib.sha256(_COMMIT + with_length(ctx) + with_length(seed)).digest()


def stream_key(ctx: bytes, seed: bytes, nonces: Sequence[bytes]) -> bytes:
    """The key of the stream: the seed's and each seat's, `nonces` by seat. ValueError for a wrong length or number."""
    _of_length(seed, SEED_BYTES, "a seed")
    if len(nonces) != 4:
        raise ValueError(f"four seats have a nonce each, and there are {len(nonces)}")
    for nonce in nonces:
        _of_length(nonce, NONCE_BYTES, "a nonce")
    return hmac.digest(seed, _KEY + with_length(ctx) + b"".join([with_length(nonce) for nonce in nonces]), "sha256")


def octets_of(key: bytes) -> Iterator[int]:
    """The stream, octet by octet, without end."""
    counter = 0
    while True:
        yield from hmac.digest(key, _STREAM + counter.to_bytes(8, "big"), "sha256")
        counter += 1


def below(bound: int, octets: Iterator[int]) -> int:
    """A number from 0 to `bound` - 1, each as likely as any other, from two octets or, after a rejection, two more."""
    limit = 0x10000 - 0x10000 % bound
    while True:
        drawn = next(octets) << 8 | next(octets)
        if drawn < limit:
            return drawn % bound


def shuffled(number: int, octets: Iterator[int]) -> list[int]:
    """The tiles 0 to `number` - 1 in the order of the wall (Fisher-Yates from the last place down)."""
    tiles = list(range(number))
    for place in range(number - 1, 0, -1):
        other = below(place + 1, octets)
        tiles[place], tiles[other] = tiles[other], tiles[place]
    return tiles


def die(octets: Iterator[int]) -> int:
    """1 to 6, each as likely as any other, from one octet or, after a rejection, the next."""
    while True:
        drawn = next(octets)
        if drawn < _SIXES:
            return 1 + drawn % 6


def dealt(ctx: bytes, seed: bytes, nonces: Sequence[bytes], tiles: int, dice: int) -> tuple[list[int], list[int]]:
    """The wall as numbers of tiles in drawing order, and the dice, which come from the same stream after it."""
    octets = octets_of(stream_key(ctx, seed, nonces))
    return shuffled(tiles, octets), [die(octets) for _ in range(dice)]


def kind_of(tile: int) -> int:
    """The kind of a physical tile: four of each of the kinds 0 to 33, then the flowers 34 to 41, one of each."""
    return tile // 4 if tile < 136 else tile - 102


def hexed(text: str, length: int) -> bytes:
    """The octets of a text in hex, small letters only, so that one value has one text. ValueError else."""
    octets = bytes.fromhex(text)
    if octets.hex() != text or len(octets) != length:
        raise ValueError(f"this is not {length} octets in hex of small letters")
    return octets


def nonces_of(told: Sequence[str | None]) -> list[bytes]:
    """The seats' parts as the key takes them: sixteen zero octets for each that is missing. ValueError as `hexed`."""
    return [NO_NONCE if nonce is None else hexed(nonce, NONCE_BYTES) for nonce in told]


def _of_length(octets: bytes, length: int, what: str) -> None:
    if len(octets) != length:
        raise ValueError(f"{what} has {length} octets, and this one {len(octets)}")


TokenBytes = Callable[[int], bytes]
"""So many octets that nobody can foresee."""
