"""The unit for systemd and what the operations document promises about settings, metrics and commands."""

import re
import shlex
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from click import Group
from click.testing import CliRunner

from parlour_server.cli import main
from parlour_server.cli.admin import command as admin
from parlour_server.metrics import Metrics
from parlour_server.settings_file import load_settings

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "docs" / "parlour.service"
DOCUMENT = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def said() -> dict[str, list[str]]:
    found = defaultdict(list)
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line and line[0] not in "#[":
            key, _, value = line.partition("=")
            found[key].append(value)
    return found


@pytest.mark.parametrize("key", ["ExecStartPre", "ExecStart"])
def test_what_the_unit_starts_can_be_started(key: str, tmp_path: Path) -> None:
    (line,) = said()[key]
    program, *arguments = shlex.split(line)
    assert program.endswith("/bin/parlour")
    config = tmp_path / "server.toml"
    shutil.copy(ROOT / "config" / "server.toml", config)
    given = [str(config) if word == "/etc/parlour/server.toml" else word for word in arguments]
    if "--check" not in given:
        given.append("--check")
    result = CliRunner().invoke(main, given, env={"PARLOUR_STORAGE_URL": str(tmp_path / "parlour.db")})

    assert (result.exit_code, result.stderr) == (0, "")


def test_what_the_unit_writes_lies_in_its_own_folder() -> None:
    unit = said()
    variables = dict(pair.split("=", 1) for pair in unit["Environment"])
    folder = Path("/var/lib") / unit["StateDirectory"][0]

    assert Path(load_settings(environment=variables).storage.url).parent == folder
    assert unit["WorkingDirectory"] == [str(folder)]
    assert unit["ProtectSystem"] == ["strict"]
    assert unit["User"] == ["parlour"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_the_unit_is_one_that_systemd_understands(tmp_path: Path) -> None:
    # It looks whether the programs are there, which they are on no machine that only tests.
    text = UNIT.read_text(encoding="utf-8").replace("/opt/parlour/bin/parlour", "/bin/true")
    copy = tmp_path / "parlour.service"
    copy.write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", copy], capture_output=True, text=True, timeout=60, check=False
    )

    assert [line for line in done.stderr.splitlines() if "parlour" in line] == []


def test_every_metric_is_in_the_document() -> None:
    names = {line.split()[2] for line in Metrics().text(0.0).decode().splitlines() if line.startswith("# TYPE")}
    written = set(re.findall(r"`(parlour_\w+?)(?:\{\w+\})?`", DOCUMENT))

    assert names == written
    assert names


def test_every_command_of_the_keeper_is_in_the_document() -> None:
    assert isinstance(admin, Group)
    section = DOCUMENT[DOCUMENT.index("## The keeper's commands") : DOCUMENT.index("## Watching it")]
    written = {
        name for row in re.findall(r"^\| (`.+?) \|", section, re.MULTILINE) for name in re.findall(r"`([a-z]+)", row)
    }

    assert written == set(admin.commands)


def test_every_key_that_the_document_names_is_one() -> None:
    settings = load_settings()
    for section, key in re.findall(r"`(listen|limits|tables|storage|records|admin|metrics|log)\.([a-z_]+)`", DOCUMENT):
        if key == "sock":
            continue  # a file's name
        assert hasattr(getattr(settings, section), key), f"{section}.{key}"
