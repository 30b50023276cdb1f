"""What a seeded chance repeats, and the system's does not."""

import re

from parlour_server.chance import Chance


def test_a_seed_gives_the_same_choices_and_secrets_again() -> None:
    one, other = Chance.seeded(5), Chance.seeded(5)

    assert [one.random.random(), one.token_bytes(16), one.token(16)] == [
        other.random.random(),
        other.token_bytes(16),
        other.token(16),
    ]


def test_the_systems_never_comes_twice_and_may_stand_in_an_address() -> None:
    tokens = {Chance().token(16) for _ in range(100)}

    assert len(tokens) == 100
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", token) for token in tokens)
