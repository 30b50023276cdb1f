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
