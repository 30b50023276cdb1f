"""The units for systemd and what the operations document promises about settings, metrics and commands."""

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
from parlour_server.places import admin_socket, key_folder
from parlour_server.settings_file import load_settings
from parlour_server.storage.opening import file_of

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "docs" / "parlour.service"
BACKUP = ROOT / "docs" / "parlour-backup.service"
KEEPER = ROOT / "docs" / "parlour-as-keeper.sh"
DOCUMENT = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def said(unit: Path = UNIT) -> dict[str, list[str]]:
    found = defaultdict(list)
    for line in unit.read_text(encoding="utf-8").splitlines():
        if line and line[0] not in "#[":
            key, _, value = line.partition("=")
            found[key].append(value)
    return found


def test_what_the_unit_starts_can_be_started(tmp_path: Path) -> None:
    (line,) = said()["ExecStart"]
    program, *arguments = shlex.split(line)
    assert program.endswith("/bin/parlour")
    config = tmp_path / "server.toml"
    shutil.copy(ROOT / "config" / "server.toml", config)
    given = [*(str(config) if word == "/etc/parlour/server.toml" else word for word in arguments), "--check"]
    result = CliRunner().invoke(main, given, env={"PARLOUR_STORAGE_URL": str(tmp_path / "parlour.db")})

    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("url", ["", "postgresql:///parlour?host=/var/run/postgresql"])
def test_what_the_unit_writes_lies_in_its_own_folder(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = said()
    (variable,) = unit["Environment"]
    monkeypatch.setenv(*variable.split("=", 1))
    folder = Path("/var/lib") / unit["StateDirectory"][0]
    settings = load_settings(environment={"PARLOUR_STORAGE_URL": url})

    assert admin_socket(settings).parent == key_folder(settings) == folder
    if not url:
        assert file_of(settings.storage.url).parent == folder
    assert unit["WorkingDirectory"] == [str(folder)]
    assert unit["ProtectSystem"] == ["strict"]
    assert unit["User"] == ["parlour"]


def test_the_keeper_and_the_nightly_copy_find_what_the_server_writes() -> None:
    (variable,) = said()["Environment"]
    config = said()["ExecStart"][0].split()[-1]
    for words in (KEEPER.read_text(encoding="utf-8").split(), said(BACKUP)["Environment"][0].split()):
        assert variable in words
        assert f"PARLOUR_CONFIG={config}" in words
    assert said(BACKUP)["StateDirectory"][0].split()[0] == said()["StateDirectory"][0]
    assert said(BACKUP)["User"] == said()["User"]


def test_what_the_document_installs_is_there() -> None:
    section = DOCUMENT[DOCUMENT.index("## An installation") :]
    block = section.split("```")[1]
    named = set(re.findall(r"(?<= )(?:docs|config|requirements)/[\w.-]+", block))

    assert {"docs/parlour.service", "docs/parlour-as-keeper.sh", "requirements/runtime.lock"} <= named
    for name in named:
        assert (ROOT / name).is_file(), name
    assert f"-m 0700 /var/lib/{said()['StateDirectory'][0]}\n" in block


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_the_units_are_ones_that_systemd_understands(tmp_path: Path) -> None:
    # It looks whether the programs are there, which they are on no machine that only tests.
    copies = []
    for unit in (UNIT, BACKUP, BACKUP.with_suffix(".timer")):
        copies.append(tmp_path / unit.name)
        copies[-1].write_text(unit.read_text(encoding="utf-8").replace("/opt/parlour/bin/parlour", "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *copies], capture_output=True, text=True, timeout=60, check=False
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
