"""Bad frames at the decoder: it refuses them or understands them, in little memory and few words. `make frames` decodes
a million."""

import tracemalloc
from random import Random, SystemRandom

import pytest

from parlour_server.protocol.codec import ProtocolError, decode
from tests.kit.hostile import bad_bytes, bomb, mutated, real_frames

FRAMES = 20_000
MOST_MEMORY = 256 * 1024
"""Bytes that one frame may cost at its worst (N03)."""


def refusal(frame: bytes | str) -> str | None:
    """What the decoder says of a frame, None where it understands it. Whatever else it raises fails the test."""
    try:
        decode(frame)
    except ProtocolError as error:
        return str(error)
    return None


def test_bad_frames_are_refused_in_a_few_words() -> None:
    """N01, N03: whatever bytes come, it is a message or a refusal of at most 200 bytes."""
    seed = SystemRandom().randrange(2**32)
    print(f"frames of seed {seed}")  # noqa: T201 # shown when it fails
    chance, real = Random(seed), real_frames()
    refused = 0
    for number in range(FRAMES):
        frame = bad_bytes(chance, real)
        said = refusal(frame if number % 5 else frame.decode("latin-1"))
        refused += said is not None
        assert said is None or len(said.encode()) <= 200
    # Noise in a text may leave a fair message.
    assert refused > FRAMES * 0.8


def test_no_frame_takes_much_memory() -> None:
    """N03: at most 256 KiB at the worst, for lengths and depths that are announced and not there too."""
    seed = SystemRandom().randrange(2**32)
    print(f"frames of seed {seed}")  # noqa: T201 # shown when it fails
    chance, real = Random(seed), real_frames()
    frames = [bomb(chance) for _ in range(200)] + [mutated(chance.choice(real), chance) for _ in range(100)]
    frames += [b"[" * 4000, b'{"a":' * 800, b"\x93" * 4096, b"\xde\x05\x00" + b"\xa1a\xc0" * 1280, b"\x90" * 4096]
    tracemalloc.start()
    try:
        for frame in frames:
            for said in (frame, frame.decode("latin-1")):
                tracemalloc.reset_peak()
                before, _ = tracemalloc.get_traced_memory()
                refusal(said)
                _, peak = tracemalloc.get_traced_memory()
                assert peak - before <= MOST_MEMORY, frame[:40]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["dd", "df", "c6", "db", "c9"])
def test_a_length_of_a_gibibyte_costs_nothing(kind: str) -> None:
    """N03: a list, map, binary, text or extension that says it is 1 GiB long is refused before anything is reserved."""
    frame = bytes.fromhex(kind) + (2**30).to_bytes(4, "big") + b"\x00" * 100
    tracemalloc.start()
    try:
        assert refusal(frame) is not None
        assert tracemalloc.get_traced_memory()[1] <= MOST_MEMORY
    finally:
        tracemalloc.stop()
