"""Records of matches that a table with a fair shuffle has told: people and a bot play them, the house seals them."""

import random
from functools import cache
from typing import Final, Literal

from parlour_bots.levels import make_bot
from parlour_engine.moves import move_text, parse_move
from parlour_engine.rulesets import Ruleset, RulesetError
from parlour_server.fairness.deals import FairDeals
from parlour_server.fairness.seal import Chain, Signer, sealed
from parlour_server.protocol.events import ShuffleCommitted
from parlour_server.protocol.messages import Ask, Entropy, Events, Play, Ready
from parlour_server.records.differences import Difference
from parlour_server.records.replay import Mismatch, Replay, ruleset_for
from parlour_server.records.rows import (
    EndRow,
    RecordError,
    header_of,
    line_of,
    read_header,
    read_object,
    read_rows,
    row_of,
)
from parlour_server.resources import ResourceMissing
from parlour_server.rulesets import load_ruleset
from parlour_server.table import Bot, Occupant, Person, Settings, Table, ToBot, ToViewers
from parlour_server.table.journal import MatchBegun, Row

MATCH: Final = "00112233445566778899aabbccddeeff"
SIGNER: Final = Signer(bytes(range(32)))
STEADY: Final = make_bot("steady")
PEOPLE: Final = {0: "Ann", 2: "Cat", 3: "Dan"}
"""Who sits where, with the number of the seat for a line; a bot called Bot has seat 1."""
MOST_TURNS: Final = 50_000


class Sitting:
    """A table where Ann and Cat add to every shuffle, and Dan to that of every other deal. All play like the bot."""

    def __init__(self, ruleset: str, reveal: Literal["deal", "match"], seed: int) -> None:
        rules = load_ruleset(ruleset)
        self._chance: Final = random.Random(seed)
        settings = Settings(
            rounds=1,
            clocks="off",
            discard_ms=None,
            claim_ms=None,
            floor_ms=0,
            pause_ms=0,
            presence_ms=0,
            unwatched=True,
            reveal=reveal,
        )
        seated: list[Occupant] = [
            Person(PEOPLE[seat], PEOPLE[seat]) if seat in PEOPLE else Bot("steady", "Bot") for seat in range(4)
        ]
        deals = FairDeals(MATCH, rules.digest, self._chance.randbytes)
        self.table: Final = Table("fair", rules, settings, seated, deals)
        self.added: Final[dict[tuple[int, int], str]] = {}
        """What was sent, by deal and seat."""
        self._rows: Final[list[Row]] = []
        self._now = 0.0
        for seat, name in PEOPLE.items():
            self.table.join(seat, name, name, None, self._now)
        self.table.start(self._now)

    def turn(self) -> None:
        """Answer all that was sent; where nothing was, time passes."""
        self._rows.extend(self.table.to_record())
        sent = self.table.to_send()
        for delivery in sent:
            if isinstance(delivery, ToBot):
                self.table.receive_bot(delivery.seat, self._move(delivery.seat, delivery.ask), self._now)
            elif isinstance(delivery, ToViewers):
                for viewer in delivery.viewers:
                    self._answer(viewer, delivery.message)
        due = self.table.deadline()
        if not sent and due is not None:
            self._now = max(self._now, due)
            self.table.tick(self._now)

    def _move(self, seat: int, ask: Ask) -> Play:
        moves = [parse_move(text) for text in ask.moves]
        return Play(ask.version, move_text(STEADY.decide(self.table.view_for(seat), moves, self._chance)))

    def _answer(self, seat: int, message: object) -> None:
        if isinstance(message, Ask):
            self.table.receive(seat, self._move(seat, message), self._now)
        elif isinstance(message, Events):
            for event in message.events:
                if event.e == "settled" and event.next is not None:
                    self.table.receive(seat, Ready(event.deal), self._now)
                elif isinstance(event, ShuffleCommitted) and (seat != 3 or event.deal % 2 == 0):
                    nonce = self._chance.randbytes(16).hex()
                    self.added[event.deal, seat] = nonce
                    self.table.receive(seat, Entropy(event.deal, nonce), self._now)

    def end(self) -> None:
        """The match is broken off here."""
        self.table.end(self._now)

    def record(self) -> str:
        """The record of what has been played, without a seal."""
        self._rows.extend(self.table.to_record())
        lines: list[str] = []
        for row in self._rows:
            if isinstance(row, MatchBegun):
                lines.insert(0, line_of(header_of(row, "a test", None, match=MATCH)))
                continue
            kept = row_of(row, 0.0)
            if kept is not None:
                lines.append(line_of(kept))
        reason: Literal["finished", "closed"] = "finished" if self.table.over else "closed"
        lines.append(line_of(EndRow(round(self._now * 1000), reason)))
        return "".join(lines)


@cache
def fair_record(ruleset: str = "lrc", seed: int = 5, reveal: Literal["deal", "match"] = "match") -> str:
    """The sealed record of a match of one round."""
    sitting = Sitting(ruleset, reveal, seed)
    for _ in range(MOST_TURNS):
        if sitting.table.over:
            return sealed(sitting.record(), SIGNER)
        sitting.turn()
    raise AssertionError(f"the match of seed {seed} does not end")


@cache
def broken_off(ruleset: str = "lrc", seed: int = 5, deals: int = 1) -> str:
    """The sealed record of a match whose table was closed after so many deals."""
    lines: list[str] = []
    for line in fair_record(ruleset, seed, "deal").splitlines(keepends=True):
        lines.append(line)
        if f'"e":"shuffle_revealed","deal":{deals},' in line:
            break
    at = read_object(lines[-1].encode(), 1)["at"]
    lines.append(line_of(EndRow(at, "closed")))
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
