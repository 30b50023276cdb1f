"""The clock of one question: the time that costs nothing, then the bank of the seat.

The bank burns only while the seat's owner could answer: its line is up, and no stand-in plays. A line that is down
burns nothing. So that nobody stalls the table by dropping again and again, the time is counted that a question spends
without its owner after its own time is over; when it comes to the grace that a dropped line has, the clock answers.

A line that falls silent is found only later. What the bank has been charged since its last sign of life is given back.
"""

from typing import Final

UNNOTICED_MS: Final = 16_000
"""So much at most of one question is given back. A silent line that is asked is found within fifteen seconds; whoever
keeps silent on purpose, to come back on another line, wins no more than that."""

Charges = list[tuple[float, int]]
"""What a bank was charged for in this deal: from when on, in seconds, and how many milliseconds."""


def take_back(charges: Charges, since: float) -> int:
    """Take what was charged since then out of `charges`; returns how much that is, in milliseconds."""
    found = 0
    for at, (begun, charged) in enumerate(charges):
        before = min(charged, _ms(since - begun))
        charges[at] = begun, before
        found += charged - before
    charges[:] = [charge for charge in charges if charge[1]]
    return found


class Clock:
    """`ends` is when the time that costs nothing is over, in seconds (None without clocks), `bank_ms` what the bank
    held when that was last worked out (None where the question may not use it), `grace_ms` what a dropped line has;
    `charges` grows by what the bank is charged.

    It stands at first; `run`, `drop` and `rest` say what the seat is doing from then on.
    """

    __slots__ = ("_charges", "_down", "_runs", "bank_ms", "ends", "grace_ms")

    def __init__(self, ends: float | None, bank_ms: int | None, grace_ms: int, charges: Charges) -> None:
        self.ends: Final = ends
        self.bank_ms = None if ends is None else bank_ms
        self.grace_ms = grace_ms
        self._charges: Final = charges
        self._runs: float | None = None
        self._down: float | None = None

    def run(self, now: float) -> None:
        """The owner can answer from now on."""
        if self._runs is None:
            self.rest(now)
            self._runs = now

    def drop(self, now: float) -> None:
        """The owner's line is down from now on."""
        self.rest(now)
        self._down = now

    def settle(self, now: float) -> None:
        """Charge the bank for what it owes by now; all goes on as it was."""
        if self._runs is not None:
            self.rest(now)
            self.run(now)

    def rest(self, now: float) -> None:
        """The owner has answered, or somebody else plays from now on."""
        if self.ends is not None and self.bank_ms is not None:
            if self._runs is not None:
                begun = max(self.ends, self._runs)
                charged = min(self.bank_ms, _ms(now - begun))
                if charged:
                    self.bank_ms -= charged
                    self._charges.append((begun, charged))
            elif self._down is not None:
                self.grace_ms = max(0, self.grace_ms - _ms(now - max(self.ends, self._down)))
        self._runs = self._down = None

    def left_ms(self, now: float) -> int | None:
        """What is left of the time that costs nothing, None without clocks."""
        return None if self.ends is None else max(0, round((self.ends - now) * 1000))

    def bank_left_ms(self, now: float) -> int | None:
        """What is left of the bank, None where it may not be used."""
        if self.ends is None or self.bank_ms is None or self._runs is None:
            return self.bank_ms
        return max(0, self.bank_ms - _ms(now - max(self.ends, self._runs)))

    def due(self) -> float | None:
        """When the clock answers for the owner, None if never."""
        if self.ends is None or not self.bank_ms:
            return self.ends
        if self._runs is not None:
            return max(self.ends, self._runs) + self.bank_ms / 1000
        if self._down is not None:
            return max(self.ends, self._down) + self.grace_ms / 1000
        return self.ends


def _ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))
