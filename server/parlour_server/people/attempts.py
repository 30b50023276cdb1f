"""How often somebody may fail before being slowed down."""

from typing import Final

from parlour_server.budgets import Budgets
from parlour_server.limits import household, is_loopback
from parlour_server.refused import Refused

FAILURES: Final = 5
"""Of one address, and at one account, in `MINUTE` seconds."""
MINUTE: Final = 60.0
LOOPBACK_FAILURES: Final = 500
"""Of this machine itself: behind a proxy that is everybody."""


class Attempts:
    """Failures to log in, by address and by account. A try counts as a failure until it has succeeded."""

    __slots__ = ("_accounts", "_addresses")

    def __init__(self) -> None:
        self._addresses: Final = Budgets()
        self._accounts: Final = Budgets()

    def begin(self, address: str, account: str, now: float) -> None:
        """Somebody tries; raises Refused after too many failures."""
        burst = LOOPBACK_FAILURES if is_loopback(address) else FAILURES
        if not self._addresses.take(household(address), burst, MINUTE, now):
            raise Refused("too_many", "too many failures from this address; wait a minute")
        if not self._accounts.take(account, FAILURES, MINUTE, now):
            raise Refused("too_many", "too many failures with this account; wait a minute")

    def succeeded(self, address: str, account: str) -> None:
        """It was the right password."""
        self._accounts.forget(account)
        # Not all of it: who has an account of their own would try those of others as often as they like.
        self._addresses.give_back(household(address))
