"""A record played again by the engine, row by row, until the first difference."""

from collections import Counter, deque
from collections.abc import Sequence
from typing import Any, Final

from parlour_bots.records import parse_wall
from parlour_engine.legal import late_move, legal_moves, waiting_on
from parlour_engine.moves import move_text, parse_move
from parlour_engine.notation import NotationError, tile_text
from parlour_engine.phases import Over
from parlour_engine.procedure import Procedure
from parlour_engine.rulesets import OptionError, Ruleset
from parlour_engine.seats import SEATS
from parlour_engine.tiles import ALL_KINDS, Kind, full_wall
from parlour_server.fairness.seal import Chain, SealBroken, check_seal
from parlour_server.fairness.shuffles import EVENTS, Shuffles
from parlour_server.record_text import counted, json_text
from parlour_server.records.differences import Contradiction, Difference, Words, same
from parlour_server.records.rows import (
    AnsweredRow,
    EndRow,
    EventRow,
    Header,
    OfferedRow,
    RecordError,
    RecordRow,
    SealRow,
    SeatRow,
    WallRow,
    plain_event,
)
from parlour_server.table.course import Course
from parlour_server.table.journal import AnsweredBy, Happened, Row

_MOST_KINDS: Final = 5
"""Kinds that are named where a wall has too many or too few of them."""


class Mismatch(ValueError):
    """The ruleset at hand is not the one that the record was made under; the text says the cure."""


def ruleset_for(header: Header, ruleset: Ruleset) -> Ruleset:
    """`ruleset` under the record's switches, where it is the one that the record was made under; raises Mismatch."""
    mark = header.ruleset
    made, here = f"{mark.key} {mark.version}", f"{ruleset.key} {ruleset.version}"
    cure = "name the file it was made under with --ruleset FILE.toml"
    if (mark.key, mark.version) != (ruleset.key, ruleset.version):
        raise Mismatch(f"the record was made under {made}, and this is {here}: {cure}")
    if mark.digest != ruleset.digest:
        raise Mismatch(
            f"the record was made under another text of {made} (digest {mark.digest[:12]}, this is "
            f"{ruleset.digest[:12]}): {cure}"
        )
    try:
        return ruleset.with_options(mark.options)
    except OptionError as error:
        raise Mismatch(f"the record's options cannot be set: {error}") from error


def check_dice(line: int, dice: Sequence[int], procedure: Procedure) -> None:
    """Raise Difference where these are not the dice that break the wall; the engine only tells them (P4)."""
    if len(dice) != procedure.dice or not all(1 <= die <= 6 for die in dice):
        wanted = f"{procedure.dice} {'die' if procedure.dice == 1 else 'dice'} of 1 to 6"
        raise Difference(line, "dice", list(dice), Words(wanted))


def check_wall(line: int, wall: Sequence[Kind], procedure: Procedure) -> None:
    """Raise Difference where this is no full set of tiles, naming the kinds of which there are too many or too few."""
    full = full_wall(procedure.flowers)
    there, wanted = Counter(wall), Counter(full)
    wrong = [kind for kind in range(ALL_KINDS) if there[kind] != wanted[kind]]
    if wrong:
        counts = [f"{there[kind]} {tile_text(kind)} instead of {wanted[kind]}" for kind in wrong[:_MOST_KINDS]]
        others = ", and others" if len(wrong) > _MOST_KINDS else ""
        record = f"{counted(len(wall), 'tile')} with {', '.join(counts)}{others}"
        raise Difference(line, "wall", Words(record), Words(f"a wall holds each of the {len(full)} tiles once"))


class Seats:
    """Who plays the seats, as a record tells it: first as its header says, then as it changes."""

    def __init__(self, header: Header) -> None:
        self._marks: Final = header.seats
        self._players: Final[list[AnsweredBy]] = []
        """Who decides for each seat that has been told."""

    def take(self, line: int, row: SeatRow) -> None:
        """Who plays from here on; raises Difference where the header says otherwise of the first, RecordError for
        what cannot be."""
        if row.seat not in SEATS:
            raise RecordError(line, f"there is no seat {row.seat}")
        player: AnsweredBy = "bot" if row.player == "bot" or row.stand_in else "person"
        seat = len(self._players)
        if seat < len(self._marks):
            mark = self._marks[seat]
            told = {"seat": row.seat, "name": row.name, "player": row.player, "level": row.level}
            header = {"seat": seat, "name": mark.name, "player": mark.player, "level": mark.level}
            for key, value in (told | {"stand_in": row.stand_in}).items():
                expected = header.get(key, False)
                if value != expected:
                    raise Difference(line, key, value, expected, "the header")
            self._players.append(player)
            return
        if (row.level is None) is (player == "bot") or (row.player == "bot" and row.stand_in):
            raise RecordError(line, "a bot has a level, a person has one only where a bot stands in")
        self._players[row.seat] = player

    def all_told(self, line: int) -> None:
        """Raise Difference where a seat of the header has not been told yet."""
        seat = len(self._players)
        if seat < len(self._marks):
            raise Difference(
                line, "row", Words("something else"), Words(f"who plays seat {seat} comes first"), "the header"
            )

    def decides(self, line: int, row: AnsweredRow) -> None:
        """Raise Difference where somebody else plays this seat; the clock may decide for anybody."""
        player = self._players[row.seat]
        if row.by not in ("clock", player):
            raise Difference(line, "by", row.by, player, "the seat's own row")


class Replay:
    """Plays a match again. `take` each row in order; it raises Difference, or RecordError for what is no record.

    `course` is the match as the engine has it, `shuffles` what has been told of its walls, `seal` the record's seal
    once it has been taken and found right.
    """

    def __init__(self, header: Header, ruleset: Ruleset, chain: Chain | None = None, key: str | None = None) -> None:
        """`ruleset` as `ruleset_for` gives it; `chain` runs over the lines that the rows are read from, and where it is
        None the seal is not checked; `key` is the house's that has to have sealed the record, None for any."""
        self._rows: Final[list[Row]] = []
        self._seats: Final = Seats(header)
        self._procedure: Final = ruleset.procedure
        self._at = 0
        self.course: Final = Course(ruleset, header.rounds, self._wall_of, self._rows)
        self._due: Final[deque[tuple[int, dict[str, Any]]]] = deque()
        """Events that the engine has told and the record has not yet."""
        self._asked: Final[set[int]] = set()
        self._version = 0
        self._chain: Final = chain
        self._key: Final = key
        self.shuffles: Final = Shuffles(header, self._procedure)
        self.seal: SealRow | None = None
        self._next: tuple[Sequence[Kind], Sequence[int]] = ((), ())
        self.deals = self.events = self.answers = 0
        self.ended = False
        self.course.begin_match(0.0)
        self._told()

    @property
    def between_steps(self) -> bool:
        """True where the record has told every event of the engine's last step."""
        return not self._due

    def take(self, line: int, row: RecordRow) -> None:
        """The next row."""
        if isinstance(row, SealRow):
            self._sealed(line, row)
            return
        if self.ended:
            raise RecordError(line, "the record goes on after its end")
        if row.at < self._at:
            other = "the row before" if self._at else "its beginning"
            raise Difference(line, "at", row.at, Words(f"{self._at} or later"), other)
        self._at = row.at
        if self._version > 0 and not isinstance(row, SeatRow | EndRow):
            self._seats.all_told(line)
        # Whatever a record calls its events: a list, which no dictionary can be asked for, as well.
        shuffling = isinstance(row, EventRow) and row.event.get("e") in [*EVENTS]
        # People leave a table whose match was broken off.
        if not shuffling and not isinstance(row, SeatRow | EndRow):
            self.shuffles.goes_on(line)
        match row:
            case WallRow():
                self._wall(line, row)
            case EventRow() if shuffling:
                self._shuffling(line, row)
            case EventRow():
                self._event(line, row)
            case OfferedRow():
                self._offered(line, row)
            case AnsweredRow():
                self._answered(line, row)
            case SeatRow():
                self._seats.take(line, row)
                self._nothing_due(line, f"who plays seat {row.seat}")
                same(line, "version", row.version, self._version)
            case EndRow():
                self._end(line, row)

    def _wall_of(self, _: int, __: Procedure) -> tuple[Sequence[Kind], Sequence[int]]:
        return self._next

    def _told(self) -> None:
        for row in self._rows:
            if isinstance(row, Happened):
                self._due.append((row.version, plain_event(row.event)))
        self._rows.clear()

    def _nothing_due(self, line: int, record: str) -> None:
        if self._due:
            raise Difference(line, "row", Words(record), Words(f"the event {json_text(self._due[0][1])}"))

    def _wall(self, line: int, row: WallRow) -> None:
        self._nothing_due(line, "a new wall")
        course = self.course
        if course.over or (course.deal is not None and not course.deal.is_over()):
            raise Difference(
                line,
                "row",
                Words("a new wall"),
                Words("the match is over" if course.over else "the deal is not over"),
            )
        same(line, "deal", row.deal, self.deals + 1)
        try:
            self._next = (parse_wall(row.wall), row.dice)
        except NotationError as error:
            raise RecordError(line, f"the wall cannot be read: {error}") from None
        check_dice(line, row.dice, self._procedure)
        check_wall(line, self._next[0], self._procedure)
        self.shuffles.wall(line, *self._next)
        course.begin_deal(0.0)
        self.deals += 1
        self._told()

    def _event(self, line: int, row: EventRow) -> None:
        if not self._due:
            self._go_on(line, row)
        version, event = self._due.popleft()
        same(line, "event", row.event, event)
        same(line, "version", row.version, version)
        self._version = version
        self.events += 1

    def _shuffling(self, line: int, row: EventRow) -> None:
        self._nothing_due(line, f"the event {row.event['e']}")
        deal = self.course.deal
        playing = deal is not None and not deal.is_over()
        event = self.shuffles.event(line, row, playing, self.course.over)
        # Told between the engine's steps, and counted with its events.
        self.course.history.add(event)
        self._version += 1
        same(line, "version", row.version, self._version)
        self.events += 1

    def _sealed(self, line: int, row: SealRow) -> None:
        if not self.ended or self.seal is not None:
            raise RecordError(line, "a record is sealed once, after its last row")
        if self._chain is not None:
            try:
                check_seal(row, self._chain.before, self._key)
            except SealBroken as error:
                saved = self._chain.saved
                cure = f" (the file has {saved}, by some editor: take it as its house gave it out)" if saved else ""
                raise Contradiction(line, f"the seal: {error}{cure}") from error
        self.seal = row

    def _go_on(self, line: int, row: EventRow) -> None:
        """Resolve the window, where that is what brings the next event about."""
        deal = self.course.deal
        said = Words(f"the event {json_text(row.event)}")
        if deal is None or isinstance(deal.phase, Over):
            raise Difference(line, "row", said, Words("nothing more happens before the next wall"))
        for seat in waiting_on(deal):
            moves = ", ".join([move_text(move) for move in legal_moves(deal, seat)])
            raise Difference(line, "row", said, Words(f"seat {seat} is to answer first: {moves}"))
        self.course.close(0.0)
        self._told()

    def _offered(self, line: int, row: OfferedRow) -> None:
        self._nothing_due(line, f"seat {row.seat} is asked")
        same(line, "version", row.version, self._version)
        deal = self.course.deal
        legal = () if deal is None or row.seat in self._asked else legal_moves(deal, row.seat)
        same(line, "moves", row.moves, [move_text(move) for move in legal])
        self._asked.add(row.seat)

    def _answered(self, line: int, row: AnsweredRow) -> None:
        self._nothing_due(line, f"seat {row.seat} answers")
        same(line, "version", row.version, self._version)
        deal = self.course.deal
        if deal is None or row.seat not in self._asked:
            raise Difference(line, "row", Words(f"seat {row.seat} answers"), Words("it was not asked"))
        legal = {move_text(move): move for move in legal_moves(deal, row.seat)}
        if row.move not in legal:
            raise Difference(line, "move", row.move, Words(f"the legal moves are {', '.join(legal)}"))
        self._seats.decides(line, row)
        if row.by == "clock":
            same(line, "move", row.move, move_text(late_move(deal, row.seat)))
        self._asked.remove(row.seat)
        self.course.apply(row.seat, parse_move(row.move), 0.0)
        self.answers += 1
        self._told()

    def _end(self, line: int, row: EndRow) -> None:
        if row.reason == "finished":
            self._nothing_due(line, "the match is over")
            if not self.course.over:
                raise Difference(line, "row", Words("the match is over"), Words("it goes on"))
        elif self.course.over:
            raise Difference(line, "reason", row.reason, "finished")
        self.shuffles.end(line, row)
        self.ended = True
