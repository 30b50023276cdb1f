"""A record that somebody brings: played again by the engine first, then a match like any other."""

import hashlib
from collections.abc import Sequence

from parlour_engine.rulesets import Ruleset
from parlour_engine.seats import SEATS
from parlour_server.fairness.seal import Chain
from parlour_server.protocol.values import Names
from parlour_server.records.replay import Replay
from parlour_server.records.rows import Header, RecordError, SeatRow, read_rows
from parlour_server.storage.changes import StoredMatch, StoredSeat, Utc

_DIGITS = 32


def imported_match(header: Header, lines: Sequence[bytes], ruleset: Ruleset, now: Utc) -> StoredMatch:
    """The match of a record's lines, the header's first; nobody of this house has played in it.

    `ruleset` is the header's, under its switches. Raises RecordError, Difference and Mismatch as the replay does, and
    RecordError for a record without an end.
    """
    seal = Chain()
    seal.take(lines[0])
    replay = Replay(header, ruleset, seal)
    names = [(mark.name, mark.level) for mark in header.seats]
    for number, row in read_rows(seal.over(lines[1:])):
        replay.take(number, row)
        if isinstance(row, SeatRow):
            names[row.seat] = row.name, row.level if row.player == "bot" else None
    if not replay.ended:
        raise RecordError(len(lines), "the record stops before its end: only whole ones are taken in")
    text = "".join([_as_written(line) for line in lines])
    scores = replay.course.history.scores
    began = header.began or now
    return StoredMatch(
        match=header.match or hashlib.sha256(text.encode()).hexdigest()[:_DIGITS],
        ruleset=header.ruleset.key,
        ruleset_version=header.ruleset.version,
        digest=header.ruleset.digest,
        ruleset_name=Names(ruleset.names["en"], ruleset.names["zh-Hant"]),
        options=dict(header.ruleset.options),
        rounds=header.rounds,
        began=began,
        ended=began,
        deals=replay.deals - _open(replay),
        finished=replay.course.over,
        public=True,
        demonstration=False,
        seats=[
            StoredSeat(*names[seat], None, scores[seat], 1 + sum(score > scores[seat] for score in scores))
            for seat in SEATS
        ],
        results=[],
        text=text,
    )


def _as_written(line: bytes) -> str:
    """A line without what an editor has put there; where a record is sealed it has put nothing."""
    text = line.decode("utf-8-sig")
    return text.removesuffix("\r\n") + "\n" if text.endswith("\r\n") else text


def _open(replay: Replay) -> int:
    """1 where the last deal was broken off."""
    deal = replay.course.deal
    return int(deal is not None and not deal.is_over())
