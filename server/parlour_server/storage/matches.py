"""A match that is over, made of its journal: the record, the line for the lists, what it adds to statistics."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from parlour_engine.seats import SEATS
from parlour_server.protocol.events import MatchEnded, Paid, Settled
from parlour_server.records.rows import EndRow, header_of, line_of, row_of
from parlour_server.storage.changes import DealResult, StoredMatch, StoredSeat, TableMeta, Utc
from parlour_server.storage.store import Seal, unsealed
from parlour_server.table.journal import Closed, Happened, MatchBegun, Row, SeatChanged

_DIGITS: Final = 32


def match_id(table: str) -> str:
    """The public name of a table's match: it says nothing about the link, which is the key to the table."""
    return hashlib.sha256(table.encode()).hexdigest()[:_DIGITS]


def stored_match(
    meta: TableMeta, rows: Sequence[Row], ended: Utc, program: str, seal: Seal = unsealed
) -> StoredMatch | None:
    """The match that these rows tell, all of a table's; None where none has begun. `seal` makes the record's last line.

    The same rows give the same record, byte for byte, whenever and however often they were read.
    """
    begin = next((at for at, row in enumerate(rows) if isinstance(row, MatchBegun)), None)
    if begin is None:
        return None
    begun = rows[begin]
    assert isinstance(begun, MatchBegun)
    told = rows[begin + 1 :]
    began = meta.began or meta.made_at
    settled = [row.event for row in told if isinstance(row, Happened) and isinstance(row.event, Settled)]
    finished = any(isinstance(row, Happened) and isinstance(row.event, MatchEnded) for row in told)
    return StoredMatch(
        match=meta.match,
        ruleset=begun.ruleset,
        ruleset_version=begun.ruleset_version,
        digest=begun.digest,
        ruleset_name=meta.ruleset_name,
        options=dict(begun.options),
        rounds=begun.rounds,
        began=began,
        ended=ended,
        deals=len(settled),
        finished=finished,
        public=meta.public,
        demonstration=meta.demonstration,
        seats=_seats(begun, told),
        results=[result for result in _results(told) if result.person],
        text=seal("".join([line_of(header_of(begun, program, began, match=meta.match)), *_lines(begun, told)])),
    )


def _lines(begun: MatchBegun, told: Sequence[Row]) -> Iterator[str]:
    at = 0
    reason: Literal["finished", "closed"] = "closed"
    for row in told:
        happened = isinstance(row, Happened)
        if reason == "finished" and not happened:
            # Who comes and goes after the match is no part of it; what is revealed then is.
            continue
        if isinstance(row, Closed):
            at = round((row.at - begun.at) * 1000)
            break
        kept = row_of(row, begun.at)
        if kept is not None:
            at = round((row.at - begun.at) * 1000)
            yield line_of(kept)
        if isinstance(row, Happened) and isinstance(row.event, MatchEnded):
            reason = "finished"
    yield line_of(EndRow(at, reason))


class _Owners:
    """Who has the seats; a stand-in plays for the one who does."""

    def __init__(self) -> None:
        self.persons: Final[list[str | None]] = [None for _ in SEATS]

    def take(self, row: Row) -> None:
        if isinstance(row, SeatChanged):
            self.persons[row.seat] = row.person


def _seats(begun: MatchBegun, told: Sequence[Row]) -> list[StoredSeat]:
    """The lines of the seats as the match left them."""
    owners = _Owners()
    names = [one.name for one in begun.seats]
    levels = [one.level for one in begun.seats]
    scores = [0 for _ in SEATS]
    for row in told:
        if isinstance(row, SeatChanged):
            owners.take(row)
            names[row.seat] = row.name
            levels[row.seat] = row.level if row.person is None else None
        elif isinstance(row, Happened):
            if isinstance(row.event, Settled | Paid):
                scores = list(row.event.scores)
            elif isinstance(row.event, MatchEnded):
                break
    return [
        StoredSeat(names[seat], levels[seat], owners.persons[seat], scores[seat], _rank(scores, seat)) for seat in SEATS
    ]


def _rank(scores: Sequence[int], seat: int) -> int:
    """1 for the best; equal scores share a rank."""
    return 1 + sum(score > scores[seat] for score in scores)


def _results(told: Sequence[Row]) -> Iterator[DealResult]:
    """What each settled deal was for each seat; `person` is empty for a bot."""
    owners = _Owners()
    for row in told:
        owners.take(row)
        if not isinstance(row, Happened) or not isinstance(row.event, Settled):
            continue
        deal = row.event
        won = {one.seat: one.by for one in deal.wins}
        fed = {one.source for one in deal.wins if one.by in ("discard", "robbed_gong")}
        for seat in SEATS:
            points = deal.changes[seat] + sum([one.changes[seat] for one in deal.instant])
            yield DealResult(deal.deal, seat, owners.persons[seat] or "", won.get(seat), seat in fed, points)
