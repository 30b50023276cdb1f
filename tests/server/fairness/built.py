"""Records of matches with a fair shuffle: bots play them, two seats add a part to each wall, the house seals them."""

import random
from functools import cache
from typing import Literal

from attrs import evolve

from parlour_bots.arena import make_bots
from parlour_bots.chance import stream
from parlour_engine.moves import move_text, parse_move
from parlour_engine.procedure import Procedure
from parlour_engine.rulesets import Ruleset, RulesetError
from parlour_server.deals import Dealt
from parlour_server.fairness.deals import Commitment, FairDeals
from parlour_server.fairness.seal import Chain, Signer, sealed
from parlour_server.protocol.events import MatchEnded, Settled, ShuffleCommitted, ShuffleFixed, ShuffleRevealed
from parlour_server.protocol.events import TableEvent as Event
from parlour_server.protocol.messages import Play
from parlour_server.records.differences import Difference
from parlour_server.records.replay import Mismatch, Replay, ruleset_for
from parlour_server.records.rows import (
    AnsweredRow,
    EndRow,
    EventRow,
    OfferedRow,
    RecordError,
    SeatRow,
    WallRow,
    header_of,
    line_of,
    plain_event,
    read_header,
    read_rows,
    row_of,
)
from parlour_server.resources import ResourceMissing
from parlour_server.rulesets import load_ruleset
from parlour_server.table import Bot, Settings, Table, ToBot
from parlour_server.table.journal import Happened, MatchBegun, Row

MATCH = "00112233445566778899aabbccddeeff"
SIGNER = Signer(bytes(range(32)))
LEVELS = ("steady", "steady", "steady", "steady")


class Shuffling:
    """The deals of a match, with what the shuffle tells of each kept aside."""

    def __init__(self, seed: int, digest: str) -> None:
        self._chance = random.Random(seed)
        self._deals = FairDeals(MATCH, digest, self._chance.randbytes)
        self.told: list[tuple[Commitment, list[str | None]]] = []

    def __call__(self, number: int, procedure: Procedure) -> Dealt:
        commitment = self._deals.commit(number)
        # A bot on seat 1, and a person on seat 3 whose part came for every other deal only.
        late = None if number % 2 else self._chance.randbytes(16).hex()
        nonces = [self._chance.randbytes(16).hex(), None, self._chance.randbytes(16).hex(), late]
        self.told.append((commitment, nonces))
        return self._deals.deal(number, procedure, commitment.seed, nonces)


def played(ruleset: str, seed: int) -> tuple[list[Row], Shuffling]:
    """The journal of a match of one round, as a table without shuffle events writes it."""
    rules = load_ruleset(ruleset)
    shuffling = Shuffling(seed, rules.digest)
    settings = Settings(
        rounds=1, clocks="off", discard_ms=None, claim_ms=None, floor_ms=0, pause_ms=0, presence_ms=0, unwatched=True
    )
    table = Table("fair", rules, settings, [Bot(level, level) for level in LEVELS], shuffling)
    bots, chances = make_bots(LEVELS), [stream(seed, "bot", seat) for seat in range(4)]
    rows: list[Row] = []
    table.start(0.0)
    while not table.over:
        rows += table.to_record()
        for asked in [delivery for delivery in table.to_send() if isinstance(delivery, ToBot)]:
            moves = [parse_move(text) for text in asked.ask.moves]
            move = bots[asked.seat].decide(table.view_for(asked.seat), moves, chances[asked.seat])
            table.receive_bot(asked.seat, Play(asked.ask.version, move_text(move)), 0.0)
    return rows + table.to_record(), shuffling


@cache
def fair_record(
    ruleset: str = "lrc", seed: int = 5, reveal: Literal["deal", "match"] = "match", seal: bool = True
) -> str:
    """The record of a match, each wall with its events where a table tells them."""
    rows, shuffling = played(ruleset, seed)
    lines: list[str] = []
    added = 0

    def tell(event: Event, after: int) -> None:
        nonlocal added
        added += 1
        lines.append(line_of(EventRow(0, after + added, plain_event(event))))

    version = 0
    hidden: list[ShuffleRevealed] = []
    for row in rows:
        if isinstance(row, MatchBegun):
            lines.append(line_of(header_of(row, "a test", None, match=MATCH)))
            continue
        kept = row_of(row, 0.0)
        if kept is None:
            continue
        if isinstance(kept, WallRow):
            commitment, nonces = shuffling.told[kept.deal - 1]
            tell(ShuffleCommitted(kept.deal, commitment.context, commitment.commit), version)
            tell(ShuffleFixed(kept.deal, nonces), version)
            hidden.append(ShuffleRevealed(kept.deal, commitment.seed))
        elif isinstance(kept, SeatRow | EventRow | OfferedRow | AnsweredRow):
            version = kept.version
            kept = evolve(kept, version=version + added)
        lines.append(line_of(kept))
        event = row.event if isinstance(row, Happened) else None
        between = isinstance(event, Settled) and event.next is not None
        if isinstance(event, MatchEnded) or (between and reveal == "deal"):
            for revealed in hidden:
                tell(revealed, version)
            hidden.clear()
    lines.append(line_of(EndRow(0, "finished")))
    text = "".join(lines)
    return sealed(text, SIGNER) if seal else text


@cache
def broken_off(ruleset: str = "lrc", seed: int = 5, deals: int = 1) -> str:
    """The sealed record of a match whose table was closed after so many deals."""
    lines: list[str] = []
    for line in fair_record(ruleset, seed, "deal").splitlines(keepends=True):
        lines.append(line)
        if f'"e":"shuffle_revealed","deal":{deals},' in line:
            break
    lines.append(line_of(EndRow(0, "closed")))
    return sealed("".join(lines), SIGNER)


def without_seal(text: str) -> str:
    """The same record, which nobody has sealed."""
    *lines, seal = text.splitlines(keepends=True)
    assert seal.startswith('{"row":"seal"')
    return "".join(lines)


def checked(octets: bytes, key: str | None = None) -> Replay:
    """The record played again with all its checks; raises RecordError or Difference."""
    lines = [line + b"\n" for line in octets.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    chain = Chain()
    taken = chain.over(line for line in lines if line)
    header = read_header(next(taken))
    replay = Replay(header, ruleset_for(header, _ruleset(header.ruleset.key)), chain, key)
    for line, row in read_rows(taken):
        replay.take(line, row)
    return replay


@cache
def _ruleset(key: str) -> Ruleset:
    try:
        return load_ruleset(key)
    except (RulesetError, ResourceMissing) as error:
        raise RecordError(1, str(error)) from error


def problem(text: str | bytes, key: str | None = None) -> str | None:
    """What is wrong with a record, None where nothing is."""
    try:
        checked(text if isinstance(text, bytes) else text.encode(), key)
    except (Difference, RecordError, Mismatch) as error:
        return f"line {getattr(error, 'line', 1)}: {error}"
    return None
