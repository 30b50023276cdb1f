"""All chance that the server itself needs, handed in: the system's, or a seeded one where a run must be repeatable."""

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from random import Random, SystemRandom


class Chance:
    """Choices (`random`) and secrets (`token_bytes`). The default cannot be foreseen; nothing else may ever serve."""

    __slots__ = ("random", "token_bytes")

    def __init__(self, random: Random | None = None, token_bytes: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self.random: Random = SystemRandom() if random is None else random
        self.token_bytes: Callable[[int], bytes] = token_bytes

    @classmethod
    def seeded(cls, seed: int) -> "Chance":
        """The same every time: for simulations and tests alone."""
        random = Random(seed)
        return cls(random, random.randbytes)

    def token(self, size: int) -> str:
        """A secret text of `size` random bytes that may be part of an address."""
        return urlsafe_b64encode(self.token_bytes(size)).rstrip(b"=").decode()
