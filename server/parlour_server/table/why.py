"""Why a seat cannot win now, as its owner is told: the engine's answer in the protocol's words."""

from typing import Final, get_args

from parlour_engine.deal import Deal
from parlour_engine.seats import Seat
from parlour_engine.shortfall import why_not
from parlour_server.protocol.messages import WhyNot, WhyNotReason
from parlour_server.table import wire

_REASONS: Final[dict[str, WhyNotReason]] = {reason: reason for reason in get_args(WhyNotReason)}


def answer(about: int, version: int, deal: Deal | None, seat: Seat | None) -> WhyNot:
    """The answer to request `about`: `not_seated` for a watcher, `over` where nothing is being played."""
    if seat is None or deal is None:
        return WhyNot(about, version, "over" if deal is None else "not_seated", 0, "standard", [], [], [])
    found = why_not(deal, seat)
    return WhyNot(
        about,
        version,
        _REASONS[found.reason],
        found.missing,
        found.form,
        wire.tiles(found.completing),
        wire.tiles(found.helping),
        wire.tiles(found.barred),
    )
