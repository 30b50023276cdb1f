"""How often each of many may do something: a little at once, and as much again in a while. Time is an argument."""

from collections import OrderedDict
from typing import Final

REMEMBERED: Final = 10_000
"""Names of which it is kept how much is left."""
_NEARLY_ONE: Final = 1 - 1e-6


class Budgets:
    """An allowance for each of many names; the one that was used longest ago is forgotten first."""

    __slots__ = ("_left", "_most")

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most: Final = most
        self._left: Final[OrderedDict[str, tuple[float, float]]] = OrderedDict()

    def take(self, name: str, burst: int, seconds: float, now: float) -> bool:
        """Whether `name` may once more: `burst` times at once, and as often again in `seconds`."""
        left, at = self._left.pop(name, (float(burst), now))
        left = min(burst, left + (now - at) * burst / seconds)
        allowed = left >= _NEARLY_ONE
        self._left[name] = (left - 1 if allowed else left, now)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return allowed

    def give_back(self, name: str) -> None:
        """The last one does not count."""
        if name in self._left:
            left, at = self._left[name]
            self._left[name] = (left + 1, at)

    def forget(self, name: str) -> None:
        """All that was taken is given back."""
        self._left.pop(name, None)
