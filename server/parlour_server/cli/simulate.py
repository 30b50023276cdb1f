"""`parlour simulate`: bots play whole deals; what happened is counted, and written down where asked."""

import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, NoReturn, TextIO

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
from parlour_server.resources import ResourceMissing
from parlour_server.rulesets import load_ruleset

RECORDS: Final = "deals.jsonl"
"""The file of records in the folder that `--out` names."""
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
@click.option("--ruleset", "name", default="lrc", show_default=True, help="A ruleset's name, or a file *.toml.")
@click.option("--deals", type=click.IntRange(min=1), default=1000, show_default=True, help="How many deals to play.")
@click.option("--seed", type=int, default=7, show_default=True, help="The same seed gives the same deals everywhere.")
@click.option(
    "--bots",
    default="steady,random,random,random",
    show_default=True,
    help=f"The bots of seats 0 to 3, with commas between them: {', '.join(LEVELS)}.",
)
@click.option("--jobs", type=click.IntRange(min=1, max=256), default=1, show_default=True, help="Processes that play.")
@click.option("--only", type=click.IntRange(min=0), help="Play only the deal with this index of the run.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Set a switch of the ruleset.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"A folder for {RECORDS}, one record a deal; written whole or not at all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a report.")
def command(
    name: str,
    deals: int,
    seed: int,
    bots: str,
    jobs: int,
    only: int | None,
    options: tuple[str, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Let bots play whole deals and report what happened.

    The dealer of deal i is seat i modulo 4, the round wind is East and no streak stands before it. docs/bots.md
    describes the bots and the records. The exit status is 1 where a deal failed.
    """
    try:
        ruleset = load_ruleset(name)
        plan = Plan(
            partial(load_ruleset, name),
            tuple(level.strip() for level in bots.split(",")),
            seed,
            deals,
            _options(ruleset, options),
            only,
            keep_records=out is not None,
        )
        chunks = run(plan, jobs)
    except (RulesetError, ResourceMissing) as error:
        raise click.UsageError(str(error)) from error
    except ValueError as error:
        raise click.UsageError(f"{error}.") from error
    started = time.perf_counter()
    try:
        with _terminable(), closing(chunks):
            tally, failures = _played(plan, chunks, out, quiet=as_json)
    except (KeyboardInterrupt, _Terminated) as stop:
        click.echo("parlour: interrupted, nothing was written", err=True)
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
        click.echo(_failure_text(failure, plan), err=True)
    if len(failures) > MOST_TOLD:
        click.echo(f"parlour: and {len(failures) - MOST_TOLD} more deals failed", err=True)
    sys.exit(1 if failures else 0)


def _options(ruleset: Ruleset, texts: tuple[str, ...]) -> dict[str, OptionValue]:
    """The switches that NAME=VALUE texts set, read as their options' types; `with_options` judges what they say."""
    chosen: dict[str, OptionValue] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"--option {text[:60]!r} has no value: write it as {name[:40]}=VALUE.")
        option = ruleset.options.get(name)
        if option is not None and option.type == BOOLEAN and value in ("true", "false"):
            chosen[name] = value == "true"
        elif option is not None and option.type == INTEGER and NUMBER.fullmatch(value):
            chosen[name] = int(value)
        else:
            chosen[name] = value
    return chosen


def _played(plan: Plan, chunks: Iterator[Chunk], out: Path | None, quiet: bool) -> tuple[Tally, list[Failure]]:
    """Take all the chunks in: the sums and the failed deals; the records go to the folder `out`."""
    tally = Tally()
    failures: list[Failure] = []
    with _records(out) as records, _bar(len(plan.indices()), quiet) as advance:
        for chunk in chunks:
            tally.merge(chunk.tally)
            failures += chunk.failures
            if records is not None:
                records.writelines([f"{line}\n" for line in chunk.lines])
            advance(len(chunk.indices))
    return tally, failures


@contextmanager
def _records(out: Path | None) -> Iterator[TextIO | None]:
    """The file of records: under another name until it is whole, gone where it never gets so."""
    if out is None:
        yield None
        return
    unfinished = out / f".{RECORDS}.{os.getpid()}"
    try:
        out.mkdir(parents=True, exist_ok=True)
        with unfinished.open("w", encoding="utf-8", newline="\n") as records:
            yield records
            records.flush()
            os.fsync(records.fileno())
        unfinished.replace(out / RECORDS)
    except OSError as error:
        problem = f"--out {out} cannot be written ({error.strerror}): name a folder that can, with room in it."
        raise click.UsageError(problem) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


@contextmanager
def _bar(total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal, none where standard error is no terminal; what it yields moves it on by some deals."""
    console = Console(stderr=True)
    columns = ("deals", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as progress:
        task = progress.add_task("deals", total=total)
        yield partial(progress.advance, task)


def _summary(
    plan: Plan,
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
        "only": plan.only,
        "jobs": jobs,
        "seconds": round(seconds, 3),
        "deals_per_second": round(tally.deals / seconds, 1),
        "decisions": tally.decisions,
        "decisions_per_second": round(tally.decisions / seconds, 1),
        "wins": dict(zip(WIN_WAYS, tally.wins, strict=True)),
        "exhausted": tally.exhausted,
        "mean_total": _rounded(tally.totals / sum(tally.wins)) if any(tally.wins) else None,
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
        "failures": [{"deal": failure.index, "error": failure.error} for failure in failures],
        "records": None if out is None else str(out / RECORDS),
    }


def _rounded(value: float) -> float:
    return round(value, 4)


def _interval(tally: Tally, seat: int) -> list[float] | None:
    margin = tally.margin(seat)
    if margin is None:
        return None
    return [_rounded(tally.mean(seat) - margin), _rounded(tally.mean(seat) + margin)]


def _report(plan: Plan, tally: Tally, seconds: float, out: Path | None) -> str:
    """The report for people."""
    wins = ", ".join(f"{count} by {LABELS[way]}" for way, count in zip(WIN_WAYS, tally.wins, strict=True))
    rates = f"{tally.deals / seconds:,.0f} deals/s, {tally.decisions / seconds:,.0f} decisions/s"
    lines = [
        f"{tally.deals:,} deals in {seconds:.1f} s: {rates}",
        f"wins: {wins}; wall exhausted: {tally.exhausted}",
    ]
    if any(tally.wins):
        lines.append(f"mean total of a win: {tally.totals / sum(tally.wins):.2f} points")
    lines += ["", f"{'seat':<6}{'bot':<10}{'wins':>8}{'points a deal':>16}   95 % confidence"]
    for seat in SEATS:
        interval = _interval(tally, seat)
        between = "one deal tells nothing" if interval is None else f"{interval[0]:+.2f} to {interval[1]:+.2f}"
        bot, won = plan.names[seat], tally.wins_by_seat[seat]
        lines.append(f"{seat:<6}{bot:<10}{won:>8}{tally.mean(seat):>+16.2f}   {between}")
    if out is not None:
        lines += ["", f"records: {out / RECORDS}"]
    return "\n".join(lines)


def _failure_text(failure: Failure, plan: Plan) -> str:
    """What went wrong; where it is the only deal, also where in the code, else how to see that."""
    told = f"parlour: deal {failure.index} of seed {plan.seed} failed: {failure.error}"
    if plan.only is not None:
        return f"{told}\n{failure.trace}"
    options = "".join(f" --option {name}={str(value).lower()}" for name, value in plan.options.items())
    bots = ",".join(plan.names)
    return f"{told}\n  play it alone: parlour simulate --seed {plan.seed} --bots {bots}{options} --only {failure.index}"
