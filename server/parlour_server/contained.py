"""Around a call that may fail: what it raises goes no further."""

from collections.abc import Callable
from types import TracebackType
from typing import Final


class Contained:
    """`with contained:`; afterwards `follows` is called, where nothing was raised, and `failed` with what was.

    A class and no generator: it stands around every move of every table.
    """

    __slots__ = ("_failed", "_follows")

    def __init__(self, failed: Callable[[Exception], None], follows: Callable[[], None] | None = None) -> None:
        self._failed: Final = failed
        self._follows: Final = follows

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """True where an Exception ends here; what ends the process goes on."""
        if error is None and self._follows is not None:
            try:
                self._follows()
            except Exception as found:  # noqa: BLE001 # told
                error = found
        if isinstance(error, Exception):
            self._failed(error)
            return True
        return False
