"""Hands that were really played: what play hands over is a lawful record, and both scorers agree on it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.notation import hand_text, meld_text, tile_text
from parlour_engine.outcome import scoring_records
from parlour_engine.scoring.payment import settle
from parlour_engine.scoring.record import WAYS, ScoringRecord
from parlour_engine.seats import WINDS
from tests.engine.scoring import plain
from tests.engine.scoring.hands import lrc, settled
from tests.kit.walks import Walk, eager


def written(record: ScoringRecord) -> dict[str, Any]:
    """The record as a person would write it."""
    win: dict[str, Any] = {"by": WAYS[record.by]}
    if record.win_tile >= 0:
        win["tile"] = tile_text(record.win_tile)
    if record.from_wind >= 0:
        win["from"] = WINDS[record.from_wind]
    for fact in ("replacement", "last_tile", "first_discard", "gong_on_gong"):
        win[fact] = getattr(record, fact)
    return {
        "id": "deal",
        "ruleset": "lrc",
        "hand": hand_text([kind for kind, count in enumerate(record.counts) for _ in range(count)]),
        "melds": [meld_text(meld) for meld in record.melds],
        "flowers": hand_text(record.flowers),
        "seat": WINDS[record.seat_wind],
        "round": WINDS[record.round_wind],
        "win": win,
        "tiles_on_table": record.tiles_on_table,
        "called": record.called,
        "streak": record.streak,
    }


def check(seed: int) -> int:
    """Play one deal; returns how many won it."""
    walk = Walk(seed, lrc().procedure, eager)
    for _ in walk.steps():
        pass
    records = scoring_records(walk.deal)
    if not records:
        return 0
    settlement = settle(lrc(), records)
    assert sum(settlement.net) == 0
    assert [entry.seat_wind for entry in settlement.entries] == [record.seat_wind for record in records]
    for record, entry in zip(records, settlement.entries, strict=True):
        expected = plain.best(written(record))
        assert (entry.score.points, entry.score.total) == (expected["points"], expected["total"]), written(record)
        assert settled(written(record)).entries == (entry,)
    return len(records)


@given(st.integers(0, 2**32))
def test_a_played_deal_settles_as_its_record_says(seed: int) -> None:
    check(seed)


def test_some_of_the_deals_are_won() -> None:
    assert sum(check(seed) for seed in range(12)) > 2
