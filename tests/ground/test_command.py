"""The command `parlour` as a whole: it lists its subcommands cheaply and fails clearly."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from parlour_server import cli


def test_help_names_every_subcommand() -> None:
    result = CliRunner().invoke(cli.main, ["--help"])
    assert result.exit_code == 0
    assert set(cli.SUBCOMMANDS) <= set(result.output.split())


def test_an_unknown_subcommand_is_a_usage_error() -> None:
    result = CliRunner().invoke(cli.main, ["shuffle"])
    assert result.exit_code == 2
    assert "No such command 'shuffle'" in result.output


@pytest.mark.parametrize("name", sorted(cli.SUBCOMMANDS))
def test_each_subcommand_explains_itself(name: str) -> None:
    result = CliRunner().invoke(cli.main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"Usage: main {name}")


@pytest.mark.parametrize("arguments", [["--help"], ["score", "--help"]], ids=" ".join)
def test_listing_and_scoring_start_no_server(arguments: list[str]) -> None:
    program = (
        "import sys; from parlour_server.cli import main; main(sys.argv[1:], standalone_mode=False);"
        "print(sorted(m for m in ('asyncio', 'websockets', 'structlog', 'parlour_bots') if m in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


HAND = (
    '{"id":"x","ruleset":"lrc","hand":"123456789m45p11s","melds":["777z"],"flowers":"",'
    '"seat":"S","round":"E","win":{"tile":"3p","by":"discard","from":"W"}}'
)
PRINTING = ["explain", "explain --json", "score", "simulate --deals 2", "simulate --deals 2 --json", "rules list"]


def parlour(command: str, redirection: str) -> subprocess.CompletedProcess[str]:
    program = f"'{sys.executable}' -c 'from parlour_server.cli import main; main()' {command} {redirection}"
    return subprocess.run(["/bin/sh", "-c", program], input=HAND, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", [*PRINTING, "--help", "--version", "score --help"])
def test_a_full_disk_is_told_and_ends_it(command: str) -> None:
    run = parlour(command, ">/dev/full")
    assert run.stderr.splitlines() == ["parlour: standard output: No space left on device"]
    assert run.returncode == 2


@pytest.mark.parametrize("command", PRINTING)
def test_a_closed_output_is_told_and_ends_it(command: str) -> None:
    run = parlour(command, ">&-")
    assert run.stderr.splitlines() == ["parlour: standard output: it is closed"]
    assert run.returncode == 2


@pytest.mark.parametrize("command", ["explain", "score"])
def test_an_input_that_cannot_be_read_is_told_by_its_name(command: str) -> None:
    # A process may not read its own memory from the start.
    run = parlour(command, "/proc/self/mem")
    assert run.stderr.splitlines() == ["parlour: /proc/self/mem: Input/output error"]
    assert run.returncode == 2


def test_a_reader_who_leaves_ends_it_quietly() -> None:
    run = parlour("rules show lrc", "| head -n 1")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("\n") == 1
