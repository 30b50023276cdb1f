"""`parlour rules`: the rulesets there are, one of them in words, whether a file is right, and how two differ."""

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Final, ParamSpec

import click

from parlour_engine.rulesets import Ruleset, RulesetError, differences, failing, idle, misfits
from parlour_server.record_text import counted
from parlour_server.resources import ResourceMissing
from parlour_server.ruleset_text import LANGUAGES, difference_lines, identified, page, print_lines, title, wrapped
from parlour_server.rulesets import load_base, load_ruleset, misnamed, ruleset_names

P = ParamSpec("P")

_LANG: Final = click.option(
    "--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of names and rules."
)


def _told(command: Callable[P, None]) -> Callable[P, None]:
    """The command, with what is wrong in a file told on one line and exit status 2."""

    @wraps(command)
    def told(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except (RulesetError, ResourceMissing) as error:
            click.echo(f"parlour: {error}", err=True)
            sys.exit(2)

    return told


@click.group()
def command() -> None:
    """Look at rulesets, and check one of your own.

    NAME is the name of a packaged ruleset, or the path of a file that ends in .toml. docs/rulesets.md says how such a
    file is written.
    """


@command.command("list")
@_LANG
@_told
def list_them(lang: str) -> None:
    """List the packaged rulesets."""
    for name in ruleset_names():
        ruleset = load_ruleset(name)
        click.echo(f"{name:16} {title(ruleset, lang)}")
        click.echo(f"{'':16} {ruleset.source}")


@command.command()
@click.argument("name")
@_LANG
@_told
def show(name: str, lang: str) -> None:
    """Print a ruleset: its sheet, switches, payments and procedure, each with what a file calls it."""
    print_lines(page(load_ruleset(name, any_key=True), lang))


@command.command()
@click.argument("file")
@_LANG
@_told
def check(file: str, lang: str) -> None:
    """Say whether a ruleset file is right, and what it changes.

    Reads the file as the server does and scores every hand that it shows. What is wrong is told with file, line and
    cure, and the exit status is 2. A file that can be used, and whose rows or hands its own play has put out of reach,
    is told so in the first line.
    """
    ruleset = load_ruleset(file)
    problems = list(failing(ruleset))
    for problem in problems:
        click.echo(f"parlour: {problem}", err=True)
    if problems:
        sys.exit(2)
    base = load_base(file, ruleset)
    shown = sum((row.example is not None) + (row.near_miss is not None) for row in ruleset.printed)
    doubts = list(_doubts(file, ruleset, base, lang))
    if doubts:
        print_lines(wrapped(f"{file} can be used, but {' and '.join(short for short, _ in doubts)}.", ""))
        for _, detail in doubts:
            print_lines(wrapped(detail, "- ", "  "))
        print_lines(wrapped(f"It is {title(ruleset, lang)}.", ""))
    else:
        print_lines(wrapped(f"{file} is fine: {title(ruleset, lang)}.", ""))
    rows, switches = counted(len(ruleset.printed), "row"), counted(len(ruleset.options), "switch", "switches")
    hands = counted(shown, "hand")
    click.echo(f"It has {rows} and {switches}; {hands} {'was' if shown == 1 else 'were'} scored.")
    if base is not None:
        print_lines(wrapped(f"It is based on {title(base, lang)}, and changes:", ""))
        _print_differences(base, ruleset, lang)


@command.command()
@click.argument("before")
@click.argument("after")
@_LANG
@_told
def diff(before: str, after: str, lang: str) -> None:
    """Print what is different in AFTER from BEFORE."""
    old, new = load_ruleset(before, any_key=True), load_ruleset(after, any_key=True)
    print_lines(wrapped(f"{title(old, lang)} -> {title(new, lang)}", "", "  "))
    _print_differences(old, new, lang)


def _doubts(file: str, ruleset: Ruleset, base: Ruleset | None, lang: str) -> Iterator[tuple[str, str]]:
    """What is not wrong in a file and seldom meant, for the headline, and in a line of its own."""
    name = misnamed(file, ruleset)
    if name is not None:
        yield "its name is not its key", name
    lost = () if base is None else misfits(base, ruleset)
    if lost:
        # Most rows lose both of theirs.
        rows = dict.fromkeys(identified(row, lang) for row, _ in lost)
        yield (
            f"{counted(len(lost), 'hand')} of its base {'does' if len(lost) == 1 else 'do'} not fit its own play",
            f"Cannot be scored and is no longer shown, a hand of: {_listed(list(rows))}. See [play] and the switches.",
        )
    never = idle(ruleset)
    if never:
        names = [identified(row, lang) for row in never]
        yield f"{counted(len(never), 'row')} can never apply", f"Can never apply: {_listed(names)}."


_LISTED: Final = 12
"""Rows that are named; of more one sees what they have in common."""


def _listed(names: list[str]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:_LISTED])} and {more} more"


def _print_differences(old: Ruleset, new: Ruleset, lang: str) -> None:
    found = differences(old, new)
    print_lines(difference_lines(found, lang) if found else ["nothing"])
