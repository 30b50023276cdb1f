"""`parlour simulate`: bots play whole deals or matches; what happened is counted, and written down where asked."""

import json
import re
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal, NoReturn

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from parlour_bots.arena import Chunk, Failure, Plan, run
from parlour_bots.deals import chosen_options
from parlour_bots.levels import LEVELS
from parlour_bots.tallies import Tally
from parlour_engine.events import WIN_WAYS
from parlour_engine.rulesets import OptionValue, Ruleset, RulesetError
from parlour_engine.rulesets.ruleset import BOOLEAN, INTEGER
from parlour_engine.seats import SEATS
from parlour_server.cli.out_folder import RECORDS, check_free, keeping_deals, keeping_matches, records_in
from parlour_server.record_text import counted, noun
from parlour_server.records import bot_match
from parlour_server.records.bot_match import MatchPlan
from parlour_server.resources import ResourceMissing
from parlour_server.rulesets import load_ruleset

DEFAULT: Final = "lrc"
DEALS: Final = 1000
INTERRUPTED: Final = 130
TERMINATED: Final = 143
MOST_TOLD: Final = 10
"""Failed deals that are told one by one."""
NUMBER: Final = re.compile(r"[0-9]{1,9}")
LABELS: Final = {
    "discard": "discard",
    "self_draw": "self-draw",
    "robbed_gong": "robbed gong",
    "dealt": "dealt hand",
    "flowers": "flowers",
}
"""How each way to win is called in the report."""


class _Terminated(BaseException):
    """SIGTERM came: end as after Ctrl-C, with the exit status that tells which it was."""


def _terminated(*_: object) -> NoReturn:
    raise _Terminated


@contextmanager
def _terminable() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, _terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@click.command()
@click.option("--ruleset", "name", default=DEFAULT, show_default=True, help="A ruleset's name, or a file *.toml.")
@click.option("--deals", type=click.IntRange(min=1), show_default=str(DEALS), help="How many deals to play.")
@click.option("--matches", type=click.IntRange(min=1), help="Play so many whole matches instead of single deals.")
@click.option("--rounds", type=click.Choice(["1", "4"]), show_default="1", help="The length of a match.")
@click.option("--seed", type=int, default=7, show_default=True, help="The same seed gives the same deals everywhere.")
@click.option(
    "--bots",
    default="steady,random,random,random",
    show_default=True,
    help=f"The bots of seats 0 to 3, with commas between them: {', '.join(LEVELS)}.",
)
@click.option("--jobs", type=click.IntRange(min=1, max=256), default=1, show_default=True, help="Processes that play.")
@click.option("--only", type=click.IntRange(min=0), help="Play only the deal (or match) with this index.")
@click.option(
    "--between",
    type=(click.IntRange(min=0), click.IntRange(min=0)),
    metavar="LEAST MOST",
    help="A deal whose winner scores less or more fails.",
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Set a switch of the ruleset.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"A new or empty folder for {RECORDS}, one record a deal, or a file a match; written whole or not at all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a report.")
def command(
    name: str,
    deals: int | None,
    matches: int | None,
    rounds: str | None,
    seed: int,
    bots: str,
    jobs: int,
    only: int | None,
    between: tuple[int, int] | None,
    options: tuple[str, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Let bots play whole deals, or matches, and report what happened.

    The dealer of deal i is seat i modulo 4, the round wind is East and no streak stands before it; in a match deals
    follow each other as at a table. docs/bots.md describes the bots and the records of deals, docs/record.md those of
    matches. The exit status is 1 where a deal failed.
    """
    _agreeing(deals, matches, rounds, only, between)
    try:
        ruleset = load_ruleset(name)
        load = partial(load_ruleset, name)
        levels = tuple(level.strip() for level in bots.split(","))
        chosen = _options(ruleset, options)
        keep = out is not None
        plan: Plan | MatchPlan
        chunks: Generator[Chunk, None, None]
        if matches is None:
            plan = Plan(load, levels, seed, deals or DEALS, chosen, only, keep_records=keep, between=between)
            chunks = run(plan, jobs)
        else:
            program = f"mahjong-parlour {version('mahjong-parlour')}"
            length: Literal[1, 4] = 4 if rounds == "4" else 1
            plan = MatchPlan(load, levels, seed, matches, length, chosen, only, keep, between, program)
            chunks = bot_match.run(plan, jobs)
    except (RulesetError, ResourceMissing) as error:
        raise click.UsageError(str(error)) from error
    except ValueError as error:
        raise click.UsageError(f"{error}.") from error
    check_free(out)
    started = time.perf_counter()
    try:
        with _terminable(), closing(chunks):
            tally, failures = _played(plan, chunks, out, quiet=as_json)
    except (KeyboardInterrupt, _Terminated) as stop:
        whole = len(records_in(out))
        told = f"{counted(whole, 'file')} of records written to {out}, each whole" if whole else "nothing was written"
        click.echo(f"parlour: interrupted, {told}", err=True)
        sys.exit(TERMINATED if isinstance(stop, _Terminated) else INTERRUPTED)
    except BrokenExecutor as error:
        click.echo(f"parlour: a process that played was killed ({error}); try again with fewer --jobs", err=True)
        sys.exit(1)
    seconds = time.perf_counter() - started
    if as_json:
        click.echo(json.dumps(_summary(plan, ruleset, jobs, tally, failures, seconds, out), ensure_ascii=False))
    else:
        click.echo(_report(plan, tally, seconds, out))
    for failure in failures[:MOST_TOLD]:
        click.echo(_failure_text(failure, plan, name), err=True)
    if len(failures) > MOST_TOLD:
        more = len(failures) - MOST_TOLD
        click.echo(f"parlour: and {more} more {_noun(plan, more)} failed", err=True)
    sys.exit(1 if failures else 0)


def _agreeing(
    deals: int | None, matches: int | None, rounds: str | None, only: int | None, between: tuple[int, int] | None
) -> None:
    """Refuse options of which one would have no effect beside another."""
    if deals is not None and matches is not None:
        raise click.UsageError("--deals plays single deals and --matches whole matches: give one of the two.")
    if rounds is not None and matches is None:
        raise click.UsageError("--rounds is the length of a match: add --matches N, or leave it out.")
    count = matches or deals
    if only is not None and count is not None and only >= count:
        option = "--deals" if matches is None else "--matches"
        raise click.UsageError(f"--only {only} is not in this run: {option} {count} counts from 0 to {count - 1}.")
    if between is not None and between[0] > between[1]:
        raise click.UsageError(f"--between {between[0]} {between[1]} allows no total: write the least one first.")


def _options(ruleset: Ruleset, texts: tuple[str, ...]) -> dict[str, OptionValue]:
    """The switches that NAME=VALUE texts set, read as their options' types; `with_options` judges what they say."""
    chosen: dict[str, OptionValue] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"--option {text[:60]!r} has no value: write it as {name[:40]}=VALUE.")
        if name in chosen:
            raise click.UsageError(f"--option sets {name[:40]} twice: give it once.")
        option = ruleset.options.get(name)
        if option is not None and option.type == BOOLEAN and value in ("true", "false"):
            chosen[name] = value == "true"
        elif option is not None and option.type == INTEGER and NUMBER.fullmatch(value):
            chosen[name] = int(value)
        else:
            chosen[name] = value
    return chosen


def _noun(plan: Plan | MatchPlan, count: int = 1) -> str:
    """What the run counts."""
    return noun(count, "deal") if isinstance(plan, Plan) else noun(count, "match", "matches")


def _played(
    plan: Plan | MatchPlan, chunks: Iterator[Chunk], out: Path | None, quiet: bool
) -> tuple[Tally, list[Failure]]:
    """Take all the chunks in: the sums and the failed deals; the records go to the folder `out`."""
    tally = Tally()
    failures: list[Failure] = []
    keeping = keeping_deals(out) if isinstance(plan, Plan) else keeping_matches(out)
    with keeping as keep, _bar(len(plan.indices()), quiet) as advance:
        for chunk in chunks:
            tally.merge(chunk.tally)
            failures += chunk.failures
            keep(chunk)
            advance(len(chunk.indices))
    return tally, failures


@contextmanager
def _bar(total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal, none where standard error is no terminal; what it yields moves it on by some deals."""
    console = Console(stderr=True)
    columns = ("deals", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as progress:
        task = progress.add_task("deals", total=total)
        yield partial(progress.advance, task)


def _summary(
    plan: Plan | MatchPlan,
    ruleset: Ruleset,
    jobs: int,
    tally: Tally,
    failures: list[Failure],
    seconds: float,
    out: Path | None,
) -> dict[str, object]:
    """The report as values for JSON."""
    chosen = ruleset.with_options(plan.options)
    return {
        "ruleset": {"key": ruleset.key, "version": ruleset.version, "options": chosen_options(chosen)},
        "seed": plan.seed,
        "deals": tally.deals,
        "matches": None if isinstance(plan, Plan) else len(plan.indices()) - len(failures),
        "only": plan.only,
        "jobs": jobs,
        "seconds": round(seconds, 3),
        "deals_per_second": round(tally.deals / seconds, 1),
        "decisions": tally.decisions,
        "decisions_per_second": round(tally.decisions / seconds, 1),
        "wins": dict(zip(WIN_WAYS, tally.wins, strict=True)),
        "exhausted": tally.exhausted,
        "washed": tally.washed,
        "mean_total": _rounded(tally.totals / sum(tally.wins)) if any(tally.wins) else None,
        "least_total": tally.least,
        "most_total": tally.most,
        "mean_doubles": _rounded(tally.doubles / sum(tally.wins)) if any(tally.wins) else None,
        "limited": tally.limited,
        "between": None if plan.between is None else list(plan.between),
        "seats": [
            {
                "seat": seat,
                "bot": plan.names[seat],
                "wins": tally.wins_by_seat[seat],
                "points": tally.points[seat],
                "mean": _rounded(tally.mean(seat)),
                "ci95": _interval(tally, seat),
            }
            for seat in SEATS
        ],
        "failures": [{_noun(plan): failure.index, "error": failure.error} for failure in failures],
        "records": None if out is None else str(out / RECORDS if isinstance(plan, Plan) else out),
    }


def _rounded(value: float) -> float:
    return round(value, 4)


def _interval(tally: Tally, seat: int) -> list[float] | None:
    margin = tally.margin(seat)
    if margin is None:
        return None
    return [_rounded(tally.mean(seat) - margin), _rounded(tally.mean(seat) + margin)]


def _report(plan: Plan | MatchPlan, tally: Tally, seconds: float, out: Path | None) -> str:
    """The report for people."""
    wins = ", ".join(f"{count} by {LABELS[way]}" for way, count in zip(WIN_WAYS, tally.wins, strict=True))
    rates = f"{tally.deals / seconds:,.0f} deals/s, {tally.decisions / seconds:,.0f} decisions/s"
    planned = len(plan.indices())
    of = "" if isinstance(plan, Plan) else f" of {planned:,} {_noun(plan, planned)}"
    washed = f"; washed: {tally.washed}" if tally.washed else ""
    lines = [
        f"{tally.deals:,} {noun(tally.deals, 'deal')}{of} in {seconds:.1f} s: {rates}",
        f"wins: {wins}; wall exhausted: {tally.exhausted}{washed}",
    ]
    if any(tally.wins):
        won = sum(tally.wins)
        scores = (
            f"mean total of a win: {tally.totals / won:.2f} points, the least {tally.least}, the most {tally.most:,}"
        )
        doubles = f"; {tally.doubles / won:.2f} doubles a win" if tally.doubles else ""
        limited = f"; {tally.limited} at the limit" if tally.limited else ""
        lines.append(f"{scores}{doubles}{limited}")
    if plan.between is not None:
        least, most = plan.between
        lines.append(f"every total has to lie between {least:,} and {most:,}")
    lines += ["", f"{'seat':<6}{'bot':<10}{'wins':>8}{'points a deal':>16}   95 % confidence"]
    for seat in SEATS:
        interval = _interval(tally, seat)
        between = "one deal tells nothing" if interval is None else f"{interval[0]:+.2f} to {interval[1]:+.2f}"
        bot, won = plan.names[seat], tally.wins_by_seat[seat]
        lines.append(f"{seat:<6}{bot:<10}{won:>8}{tally.mean(seat):>+16.2f}   {between}")
    if out is not None:
        lines += ["", f"records: {out / RECORDS if isinstance(plan, Plan) else out}"]
    return "\n".join(lines)


def _failure_text(failure: Failure, plan: Plan | MatchPlan, name: str) -> str:
    """What went wrong; where it is the only deal, also where in the code, else how to see that."""
    told = f"parlour: {_noun(plan)} {failure.index} of seed {plan.seed} failed: {failure.error}"
    if plan.only is not None:
        return f"{told}\n{failure.trace}"
    words = ["parlour simulate", "" if name == DEFAULT else f"--ruleset {name}"]
    words.append("" if isinstance(plan, Plan) else f"--matches {plan.matches} --rounds {plan.rounds}")
    words.append(f"--seed {plan.seed} --bots {','.join(plan.names)}")
    words += [f"--option {option}={str(value).lower()}" for option, value in plan.options.items()]
    words.append("" if plan.between is None else f"--between {plan.between[0]} {plan.between[1]}")
    words.append(f"--only {failure.index}")
    return f"{told}\n  play it alone: {' '.join([word for word in words if word])}"
