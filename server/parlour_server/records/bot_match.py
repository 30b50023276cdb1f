"""Whole matches between bots, at the same table that people play at, each with its record.

Match i of a run depends on the seed and on i alone: the wall and the dice of each deal and the luck of each seat are
streams named by them (docs/bots.md).
"""

import traceback
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from typing import Final, Literal

from attrs import field, frozen

from parlour_bots.arena import Chunk, Failure, make_bots, spread
from parlour_bots.bot import Bot as Player
from parlour_bots.chance import stream
from parlour_bots.deals import BrokenDeal, check_totals
from parlour_bots.tallies import Tally
from parlour_engine.events import WIN_WAYS
from parlour_engine.moves import move_text, parse_move
from parlour_engine.procedure import Procedure
from parlour_engine.rulesets import OptionValue, Ruleset
from parlour_engine.seats import SEATS
from parlour_engine.tiles import full_wall
from parlour_server.protocol.events import Settled
from parlour_server.protocol.messages import Error, Play
from parlour_server.records.rows import ArenaMark, EndRow, header_of, line_of, row_of
from parlour_server.table import Bot, Settings, Table, ToBot
from parlour_server.table.journal import Happened, MatchBegun, Row
from parlour_server.table.shuffling import Laid

MOST_DEALS: Final = 2000
"""Deals of one match: where the dealer stays on a drawn deal, chance alone ends it, and long before this."""


@frozen
class MatchPlan:
    """What to play; see `arena.Plan`. The deals of a match follow each other as at a table: dealer, streak, winds."""

    load: Callable[[], Ruleset]
    names: tuple[str, ...]
    seed: int
    matches: int
    rounds: Literal[1, 4]
    options: Mapping[str, OptionValue] = field(factory=dict)
    only: int | None = None
    keep_records: bool = True
    between: tuple[int, int] | None = None
    program: str = ""

    def ruleset(self) -> Ruleset:
        """The ruleset with the options set; raises what `load` raises, or OptionError."""
        return self.load().with_options(self.options)

    def indices(self) -> range:
        """The matches to play."""
        return range(self.matches) if self.only is None else range(self.only, self.only + 1)


def run(plan: MatchPlan, jobs: int = 1) -> Generator[Chunk, None, None]:
    """Play `plan` in `jobs` processes; see `arena.run`. A line of a chunk is the whole record of a match."""
    _Worker(plan)
    return spread(partial(_Worker, plan), plan.indices(), jobs, 1)


class _Worker:
    def __init__(self, plan: MatchPlan) -> None:
        self._plan = plan
        self._ruleset = plan.ruleset()
        self._bots = make_bots(plan.names)

    def __call__(self, indices: range) -> Chunk:
        tally = Tally()
        records: list[str] = []
        failures: list[Failure] = []
        for index in indices:
            counted = Tally()
            try:
                record = play_match(self._plan, self._ruleset, self._bots, index, counted)
            except Exception as error:  # noqa: BLE001 # whatever went wrong in one match, the others are to be played
                failures.append(Failure(index, f"{type(error).__name__}: {error}", traceback.format_exc()))
                continue
            tally.merge(counted)
            if self._plan.keep_records:
                records.append(record)
        return Chunk(indices, tuple(records), tally, tuple(failures))


def play_match(plan: MatchPlan, ruleset: Ruleset, bots: Sequence[Player], index: int, tally: Tally) -> str:
    """The record of match `index`; its deals are added to `tally`. Raises BrokenDeal for a table that went wrong."""
    seed = plan.seed

    def deals(number: int, procedure: Procedure) -> Laid:
        if number > MOST_DEALS:
            raise BrokenDeal(f"the match is not over after {MOST_DEALS} deals")
        wall = stream(seed, "match", index, number, "wall").shuffled(full_wall(procedure.flowers))
        dice = stream(seed, "match", index, number, "dice")
        return wall, tuple([1 + dice.randrange(6) for _ in range(procedure.dice)])

    settings = Settings(
        rounds=plan.rounds,
        options=dict(plan.options),
        clocks="off",
        discard_ms=None,
        claim_ms=None,
        floor_ms=0,
        pause_ms=0,
        presence_ms=0,
        unwatched=True,
    )
    chances = [stream(seed, "match", index, f"seat {seat}") for seat in SEATS]
    table = Table(
        "arena", ruleset, settings, [Bot(name, f"{name} {seat}") for seat, name in enumerate(plan.names)], deals
    )
    rows: list[Row] = []
    decisions = 0
    table.start(0.0)
    while True:
        rows += table.to_record()
        asks = [delivery for delivery in table.to_send() if isinstance(delivery, ToBot)]
        if not asks:
            break
        for asked in asks:
            seat, ask = asked.seat, asked.ask
            view = table.view_for(seat)
            move = bots[seat].decide(view, [parse_move(text) for text in ask.moves], chances[seat])
            answer = table.receive_bot(seat, Play(ask.version, move_text(move)), 0.0)
            if isinstance(answer, Error):
                raise BrokenDeal(f"seat {seat} may not play {move_text(move)}: {answer.message}")
            decisions += 1
    if not table.over:
        raise BrokenDeal("the table waits for nobody and the match is not over")
    _count(rows, decisions, plan.between, tally)
    lines: list[str] = []
    for row in rows:
        if isinstance(row, MatchBegun):
            lines.append(line_of(header_of(row, plan.program, None, ArenaMark(seed, index))))
        else:
            kept = row_of(row, 0.0)
            if kept is not None:
                lines.append(line_of(kept))
    lines.append(line_of(EndRow(0, "finished")))
    return "".join(lines)


def _count(rows: Sequence[Row], decisions: int, between: tuple[int, int] | None, tally: Tally) -> None:
    """Add the settlements of a journal to `tally`; raises BrokenDeal for one that does not sum to zero."""
    for row in rows:
        if isinstance(row, Happened) and isinstance(row.event, Settled):
            settled = row.event
            changes = list(settled.changes)
            for paid in settled.instant:
                changes = [one + other for one, other in zip(changes, paid.changes, strict=True)]
            if sum(changes) or sum(settled.scores):
                raise BrokenDeal(f"deal {settled.deal} pays {changes} and leaves {settled.scores}: no sum is zero")
            check_totals([win.total for win in settled.wins], between)
            tally.add(
                decisions,
                [(win.seat, WIN_WAYS.index(win.by), win.total) for win in settled.wins],
                (changes[0], changes[1], changes[2], changes[3]),
                doubles=sum([win.doubles for win in settled.wins]),
                limited=sum([win.limited for win in settled.wins]),
                washed=any(paid.reason == "washing" for paid in settled.instant),
            )
            # They were counted for the whole match.
            decisions = 0
