"""Settlements added up again from what the players are shown, by the words of the rules and nothing of the engine.

Whose total a hand has is scoring's (tested there); here: the rows make up the total, and the totals the payments.
"""

from collections.abc import Sequence

from parlour_server.protocol.events import DealStarted, Paid, Settled, TableEvent
from parlour_server.protocol.values import HandValue, WinValue


def check_the_scores(told: Sequence[TableEvent], limit: int | None) -> None:
    """Walk through a match's events; `limit` is the one that its hands are cut at, None where there is none."""
    scores = [0, 0, 0, 0]
    dealer = -1
    for event in told:
        match event:
            case DealStarted():
                dealer = event.dealer
                assert event.scores == scores
            case Paid():
                assert sum(event.changes) == 0
                scores = _added(scores, event.changes)
                assert event.scores == scores
            case Settled():
                check_a_settlement(event, dealer, limit)
                scores = _added(scores, event.changes)
                assert event.scores == scores
            case _:
                pass


def check_a_settlement(event: Settled, dealer: int, limit: int | None) -> None:
    """The rows, the totals, the transfers and the changes of one deal agree."""
    for win in event.wins:
        _check_rows(win, limit)
        assert sum(win.payments) == 0
    for hand in event.hands:
        _check_rows(hand, limit)
    moved = [0, 0, 0, 0]
    for transfer in event.transfers:
        assert transfer.amount >= 0
        assert transfer.reason != "penalty" or (event.danger is not None and transfer.source == event.danger.seat)
        assert transfer.source != transfer.target
        assert not transfer.doubled or dealer in (transfer.source, transfer.target)
        moved[transfer.source] -= transfer.amount
        moved[transfer.target] += transfer.amount
    assert event.changes == moved
    if event.hands:
        assert len(event.wins) == 1, "the nearest winner alone"
        assert event.changes == _everyone(event, dealer, limit)
    else:
        assert event.changes == [sum(column) for column in zip(*[win.payments for win in event.wins], strict=True)] or (
            not event.wins and event.changes == [0, 0, 0, 0]
        )
        for win in event.wins:
            # lrc 5: who discarded pays alone, after a self-draw all three do.
            payers = [seat for seat in range(4) if seat != win.seat] if win.source is None else [win.source]
            expected = [-win.total if seat in payers else 0 for seat in range(4)]
            expected[win.seat] = win.total * len(payers)
            assert win.payments == expected


def _everyone(event: Settled, dealer: int, limit: int | None) -> list[int]:
    """The classical settlement: all pay the winner, the others one another the difference, East twice (classical 3)."""
    win = event.wins[0]
    totals = {win.seat: win.total} | {hand.seat: hand.total for hand in event.hands}
    assert sorted(totals) == [0, 1, 2, 3]
    changes = [0, 0, 0, 0]
    others = [seat for seat in range(4) if seat != win.seat]
    penalised = any(transfer.reason == "penalty" for transfer in event.transfers)
    if event.danger is not None:
        assert (win.by, win.source) == ("discard", event.danger.seat)
        assert event.danger.shown
    assert penalised == (event.danger is not None and event.danger.excuse is None)
    for seat in others:
        amount = win.total * (2 if dealer in (seat, win.seat) else 1)
        payer = seat
        if penalised:
            # Harr p. 67-70: the discarder bears the loss of all, and all scores but the winner's are void.
            assert win.source is not None
            payer = win.source
        changes[payer] -= amount
        changes[win.seat] += amount
    if not penalised:
        for one in others:
            for other in others:
                if totals[one] > totals[other]:
                    amount = totals[one] - totals[other]
                    if limit is not None:
                        amount = min(amount, limit)
                    if dealer in (one, other):
                        amount *= 2
                    changes[one] += amount
                    changes[other] -= amount
    return changes


def _check_rows(scored: WinValue | HandValue, limit: int | None) -> None:
    points = sum([line.points for line in scored.awards])
    doubles = sum([line.doubles for line in scored.awards])
    assert all(
        line.name.en and line.name.zh and line.rule.en and line.rule.zh and line.clause for line in scored.awards
    )
    if scored.limited:
        assert limit is not None
        assert scored.total <= limit
        assert scored.total == limit or any(line.limit == "half" for line in scored.awards)
        return
    if isinstance(scored, WinValue) and not scored.doubles:
        # Base, calling and streak are lines of their own where they are paid.
        assert scored.total == points
    else:
        assert scored.points == points
        assert scored.doubles == doubles
        assert scored.total == points << doubles
    assert limit is None or scored.total <= limit


def _added(one: Sequence[int], other: Sequence[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)]
