"""`parlour admin`: look after the server that runs on this machine, through its socket."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from parlour_server.admin.calling import NotHeard, call
from parlour_server.admin.desk import short
from parlour_server.cli.configured import configured
from parlour_server.cli.streams import UNUSABLE
from parlour_server.places import admin_socket
from parlour_server.record_text import columns
from parlour_server.records.telling import printable
from parlour_server.resources import ResourceMissing
from parlour_server.settings import SettingsError

REFUSED: Final = 1

_F = TypeVar("_F", bound=Callable[..., Any])


@click.group()
@click.option("--config", type=click.Path(), help="The file of the server's settings, as for `parlour serve`.")
@click.option("--socket", "path", type=click.Path(), help="The server's socket, where the settings are not at hand.")
@click.option("--json", "as_json", is_flag=True, help="Print the server's answer as it is.")
@click.pass_context
def command(ctx: click.Context, config: str | None, path: str | None, as_json: bool) -> None:
    """Look after a running server.

    Tables and people are named by the first letters of their ids, as `tables` and `sockets` show them, people by their
    names as well.
    """
    try:
        place = Path(path) if path else admin_socket(configured(config))
    except (SettingsError, ResourceMissing) as error:
        click.echo(f"parlour: {error}", err=True)
        sys.exit(UNUSABLE)
    ctx.obj = _Caller(place, as_json)


class _Caller:
    """Gives orders and prints what comes back."""

    def __init__(self, path: Path, as_json: bool) -> None:
        self._path = path
        self._as_json = as_json

    def ask(self, do: str, tell: Callable[[Mapping[str, Any]], Iterable[str]], **order: Any) -> None:
        """Give one order; `tell` makes lines of the answer."""
        try:
            for answer in call(self._path, {"do": do, **{key: v for key, v in order.items() if v is not None}}):
                if answer.get("ok") is False:
                    # It may repeat what somebody typed.
                    click.echo(f"parlour: {printable_line(str(answer.get('error')))}", err=True)
                    sys.exit(REFUSED)
                lines = [json.dumps(answer)] if self._as_json else tell(answer)
                for line in lines:
                    click.echo(line)
        except NotHeard as error:
            click.echo(f"parlour: {error}", err=True)
            sys.exit(UNUSABLE)


def printable_line(text: str) -> str:
    """A text as a terminal may show it, on one line."""
    return "".join([letter if letter.isprintable() else "?" for letter in text])[:400]


def _rows(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterable[str]:
    """A table in columns, as wide as what stands in them."""
    texts = [list(head), *[[str(cell) for cell in row] for row in rows]]
    widths = [max(columns(row[column]) for row in texts) for column in range(len(head))]
    for row in texts:
        cells = [cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()


def _span(seconds: int | None) -> str:
    """A time as people say it."""
    if seconds is None:
        return "-"
    for name, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return f"{seconds} s"


@command.command()
@click.pass_obj
def status(caller: _Caller) -> None:
    """Say how the house is."""

    def tell(said: Mapping[str, Any]) -> Iterable[str]:
        yield f"version {said['version']}, up for {_span(said['uptime_s'])}" + (
            ", drained: no new table" if said["draining"] else ""
        )
        yield f"lines: {said['lines']}, people: {said['people']}, deals under way: {said['playing']}"
        yield "tables: " + (", ".join([f"{n} {state}" for state, n in said["tables"].items() if n]) or "none")
        yield f"changes that wait to be written: {said['store_queue']}"
        for lack in said["lacks"]:
            yield f"not ready: {lack}"

    caller.ask("status", tell)


@command.command()
@click.pass_obj
def tables(caller: _Caller) -> None:
    """List the tables."""

    def tell(said: Mapping[str, Any]) -> Iterable[str]:
        yield from _rows(
            ("table", "state", "game", "deal", "people", "watchers", "listed", "age", "empty for", "seats"),
            [
                (
                    short(room["match"]),
                    room["state"],
                    room["ruleset"],
                    room["deal"],
                    room["people"],
                    room["watchers"],
                    "show" if room["demonstration"] else "public" if room["public"] else "private",
                    _span(room["age_s"]),
                    _span(room["idle_s"]),
                    ", ".join([printable(name) for name in room["seats"]]),
                )
                for room in said["tables"]
            ],
        )
        yield from _further(said, "tables")

    caller.ask("tables", tell)


def _further(said: Mapping[str, Any], what: str) -> Iterable[str]:
    left = said["count"] - len(said[what])
    if left:
        yield f"and {left} more"


@command.command()
@click.pass_obj
def sockets(caller: _Caller) -> None:
    """List the lines and whose they are."""

    def tell(said: Mapping[str, Any]) -> Iterable[str]:
        yield from _rows(
            ("line", "person", "name", "address", "table", "age"),
            [
                (
                    visitor["number"],
                    "-" if visitor["identity"] is None else short(visitor["identity"]),
                    printable(visitor["name"]) or "-",
                    visitor["address"],
                    "-" if visitor["match"] is None else short(visitor["match"]),
                    _span(visitor["age_s"]),
                )
                for visitor in said["sockets"]
            ],
        )
        yield from _further(said, "sockets")

    caller.ask("sockets", tell)


def _of_table(name: str, done: str, words: str) -> None:
    @command.command(name, help=words)
    @click.argument("table")
    @click.pass_obj
    def obeying(caller: _Caller, table: str) -> None:
        caller.ask(name, lambda said: [f"{short(said['table'])} {done}"], table=table.lower())


_of_table("freeze", "stands still until it is thawed", "Let a table stand still until it is thawed.")
_of_table("thaw", "goes on", "Let a frozen table go on.")
_of_table("close", "is closed", "End a table. Its record is kept as far as it goes.")


@command.command()
@click.option("--wait", is_flag=True, help="Stop the server once no deal is under way.")
@click.option("--within", default=10.0, show_default=True, metavar="MINUTES", help="Stop it then in any case.")
@click.option("--off", is_flag=True, help="Let new tables and deals begin again.")
@click.pass_obj
def drain(caller: _Caller, wait: bool, within: float, off: bool) -> None:
    """Let no new table and no further deal begin.

    Nothing is lost by stopping at once either: the tables stand again after the start. This lets people finish a deal.
    """
    if wait and off:
        raise click.UsageError("--off takes a drain back, so there is nothing to --wait for.")

    def tell(said: Mapping[str, Any]) -> Iterable[str]:
        if said.get("stopping") is not None:
            yield "the server stops" if said["stopping"] else "the drain was taken back"
        elif "draining" in said:
            yield "no new table, no further deal" if said["draining"] else "tables and deals begin again"
        if "playing" in said:
            yield f"deals under way: {said['playing']}"

    caller.ask("drain", tell, on=not off, within_s=within * 60 if wait else None)


def _until(said: Mapping[str, Any]) -> str:
    return "for good" if said["until"] is None else f"until {said['until']}"


def _who(said: Mapping[str, Any]) -> str:
    return said["who"] if said.get("kind") == "address" else short(said["who"])


def _ruling(function: _F) -> _F:
    for option in (
        click.option("--reason", default="", help="Kept with it, for the keeper alone."),
        click.option("--hours", type=click.FloatRange(0, min_open=True), help="How long; without it, for good."),
        click.argument("who", metavar="WHO"),
    ):
        function = option(function)
    return function


@command.command()
@_ruling
@click.pass_obj
def ban(caller: _Caller, who: str, hours: float | None, reason: str) -> None:
    """Let a person or an address in no more.

    WHO is a person's name, the first letters of its id, or an address. Its lines end at once.
    """

    def tell(said: Mapping[str, Any]) -> Iterable[str]:
        yield f"{_who(said)} is banned {_until(said)}; {said['ended']} lines were ended"

    caller.ask("ban", tell, who=who, hours=hours, reason=reason)


@command.command()
@click.argument("who")
@click.pass_obj
def unban(caller: _Caller, who: str) -> None:
    """Let somebody in again."""
    caller.ask("unban", lambda said: [f"{_who(said)} may come in again"], who=who)


@command.command()
@_ruling
@click.pass_obj
def mute(caller: _Caller, who: str, hours: float | None, reason: str) -> None:
    """Let a person say nothing at the tables.

    WHO is a name or the first letters of an id.
    """
    caller.ask("mute", lambda said: [f"{_who(said)} is mute {_until(said)}"], who=who, hours=hours, reason=reason)


@command.command()
@click.argument("who")
@click.pass_obj
def unmute(caller: _Caller, who: str) -> None:
    """Let a person talk again."""
    caller.ask("unmute", lambda said: [f"{_who(said)} may talk again"], who=who)


@command.command()
@click.argument("account")
@click.pass_obj
def password(caller: _Caller, account: str) -> None:
    """Give an account another password, which is printed.

    Whoever has been logged in with it has to log in again. The name is that of the account, not what the person is
    called at the tables.
    """

    def tell(said: Mapping[str, Any]) -> Iterable[str]:
        yield f"the password of {printable(said['account'])} is now {said['password']}"
        yield f"{said['ended']} lines were ended; whoever has an old token is a stranger"

    caller.ask("password", tell, account=account)


@command.command()
@click.pass_obj
def bans(caller: _Caller) -> None:
    """List who is banned or mute."""

    def tell(said: Mapping[str, Any]) -> Iterable[str]:
        rows = [
            *[("banned", ban["who"], _until(ban), ban["at"], printable(ban["reason"])) for ban in said["bans"]],
            *[("mute", one["identity"], _until(one), one["at"], printable(one["reason"])) for one in said["mutes"]],
        ]
        yield from _rows(("", "who", "how long", "since", "reason"), rows)

    caller.ask("bans", tell)
