"""What stands between an empty machine and a running table: the interpreter, Node, the browser, the make targets."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import chromium

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def bare_path(tmp_path: Path) -> Path:
    """A folder for PATH with what a shell script needs, and neither Python nor Node."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "dirname", "env", "rm", "uname"):
        program = shutil.which(name)
        assert program is not None
        (folder / name).symlink_to(program)
    return folder


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def checkout(folder: Path) -> Path:
    """A checkout with only what tools/*.sh reads."""
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    (folder / "web-client").mkdir()
    return folder


def run(command: list[str | Path], path: Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in {"PYTHON", "VIRTUAL_ENV"}}
    environment["PATH"] = str(path)
    return subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, check=False)


def test_too_old_a_python_is_refused_with_the_cure(tmp_path: Path, bare_path: Path) -> None:
    script(bare_path / "python3", "exit 1")  # answers as an interpreter whose version does not fit

    refused = run([checkout(tmp_path / "copy") / "tools/venv.sh", "requirements/runtime.lock"], bare_path)

    assert refused.returncode == 1
    assert "needs Python 3.11 or newer" in refused.stderr
    assert "apt-get install python3" in refused.stderr
    assert not (tmp_path / "copy/.venv").exists()


def test_a_python_without_venv_is_refused_with_the_cure(tmp_path: Path, bare_path: Path) -> None:
    script(bare_path / "python3", '[ "$1" = -m ] && exit 1 || exit 0')  # new enough, but cannot make one

    refused = run([checkout(tmp_path / "copy") / "tools/venv.sh", "requirements/runtime.lock"], bare_path)

    assert refused.returncode == 1
    assert "apt-get install python3-venv" in refused.stderr


def test_a_node_that_is_there_is_used(tmp_path: Path, bare_path: Path) -> None:
    script(bare_path / "node", "exit 0")
    script(bare_path / "npm", 'echo "npm of the machine: $*"')

    used = run([checkout(tmp_path / "copy") / "tools/npm.sh", "run", "build"], bare_path)

    assert (used.returncode, used.stdout) == (0, "npm of the machine: run build\n")


@pytest.mark.parametrize("node", ["exit 1", None], ids=["too old", "none"])
def test_without_a_fitting_node_one_is_asked_of_pypi(tmp_path: Path, bare_path: Path, node: str | None) -> None:
    copy = checkout(tmp_path / "copy")
    if node is not None:
        script(bare_path / "node", node)
        script(bare_path / "npm", "echo the wrong npm")
    installs = 'echo "pip $*" >&2; for n in node npm; do printf "#!/bin/sh\\necho npm of the wheel: \\$*\\n" > {0}/$n; '
    script(copy / ".venv/bin/python", (installs + "{1} {0}/$n; done").format(".venv/bin", "/bin/chmod +x"))

    first = run([copy / "tools/npm.sh", "ci"], bare_path)
    second = run([copy / "tools/npm.sh", "ci"], bare_path)

    assert first.stdout == second.stdout == "npm of the wheel: ci\n"
    assert "--require-hashes" in first.stderr
    assert "requirements/node.lock" in first.stderr
    assert second.stderr == ""


def test_where_pypi_has_no_node_the_message_says_what_to_do(tmp_path: Path, bare_path: Path) -> None:
    copy = checkout(tmp_path / "copy")
    script(copy / ".venv/bin/python", "exit 1")

    refused = run([copy / "tools/npm.sh", "ci"], bare_path)

    assert refused.returncode == 1
    assert "https://nodejs.org" in refused.stderr


@pytest.mark.slow
def test_the_node_wheel_runs_npm(tmp_path: Path, bare_path: Path) -> None:
    copy = checkout(tmp_path / "copy")
    subprocess.run([sys.executable, "-m", "venv", copy / ".venv"], check=True)

    version = run([copy / "tools/npm.sh", "--version"], bare_path)

    assert version.returncode == 0, version.stderr
    assert int(version.stdout.split(".")[0]) >= 10


class TestChromium:
    def test_the_variable_comes_first(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        script(tmp_path / "mine", "")
        monkeypatch.setenv("CHROMIUM", str(tmp_path / "mine"))
        assert chromium.find_chromium() == tmp_path / "mine"

    def test_a_variable_that_names_nothing_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
        with pytest.raises(chromium.ChromiumMissing, match="/nowhere/chromium is no program"):
            chromium.find_chromium()

    def test_then_the_browser_on_path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        script(tmp_path / "google-chrome", "")
        monkeypatch.delenv("CHROMIUM", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert chromium.find_chromium() == tmp_path / "google-chrome"

    def test_with_none_and_no_way_to_install_one_the_cure_is_printed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.delenv("CHROMIUM", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(chromium, "APPLICATIONS", ())
        assert chromium.main() == 1
        assert "apt-get install chromium" in capsys.readouterr().err

    def test_root_on_a_debian_gets_it_installed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        script(
            tmp_path / "apt-get",
            f'echo "$*" >> {tmp_path}/log; : > {tmp_path}/chromium; /bin/chmod +x {tmp_path}/chromium',
        )
        monkeypatch.delenv("CHROMIUM", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(chromium, "APPLICATIONS", ())
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        assert chromium.main() == 0
        assert "install -qy --no-install-recommends chromium" in (tmp_path / "log").read_text()


class TestMake:
    def make(self, *arguments: str) -> str:
        environment = {key: value for key, value in os.environ.items() if key not in {"HOST", "PORT", "MAKEFLAGS"}}
        command = ["make", "--no-print-directory", "-C", str(ROOT), *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    def test_play_binds_loopback_unless_told_otherwise(self) -> None:
        assert "parlour serve --host 127.0.0.1 --port 8000\n" in self.make("-n", "play")

    def test_play_honours_host_and_port(self) -> None:
        assert "parlour serve --host 0.0.0.0 --port 9001\n" in self.make("-n", "play", "HOST=0.0.0.0", "PORT=9001")

    def test_help_explains_every_target(self) -> None:
        makefile = (ROOT / "Makefile").read_text()
        phony = next(line for line in makefile.splitlines() if line.startswith(".PHONY:"))
        # The two halves of `check` are for make, not for people.
        targets = set(phony.split()[1:]) - {"check-python", "check-client"}
        explained = {line.split()[0]: line.split()[1:] for line in self.make("help").splitlines()}
        assert set(explained) == targets
        assert all(explained.values())


class TestStamps:
    """`make setup` on a copy whose tools only note that they were called."""

    @pytest.fixture
    def copy(self, tmp_path: Path) -> Path:
        shutil.copy(ROOT / "Makefile", tmp_path)
        for name in ("pyproject.toml", "requirements/runtime.lock", "web-client/package.json"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
        for name in ("package-lock.json", "page.ts"):
            (tmp_path / "web-client" / name).touch()
        script(tmp_path / ".venv/bin/python", 'echo "python $2" >> calls')
        script(tmp_path / "tools/venv.sh", 'echo "venv $1" >> calls')
        results = "mkdir -p web-client/node_modules web-client/dist; touch web-client/dist/index.html"
        script(tmp_path / "tools/npm.sh", f'echo "npm $1 $2" >> calls; {results}')
        return tmp_path

    def calls(self, copy: Path) -> list[str]:
        """What `make setup` calls now."""
        (copy / "calls").write_text("")
        subprocess.run(["make", "setup"], cwd=copy, capture_output=True, check=True)
        return (copy / "calls").read_text().splitlines()

    def later(self, path: Path) -> None:
        """Change `path` after everything that is there, whatever the clock's grain."""
        newest = max(file.stat().st_mtime for file in path.parents[1].rglob("*") if file.is_file())
        os.utime(path, (newest + 1, newest + 1))

    def test_a_second_setup_does_nothing(self, copy: Path) -> None:
        everything = [
            "venv requirements/runtime.lock",
            "npm ci --no-audit",
            "python parlour_server.protocol.typescript",
        ]
        assert self.calls(copy) == [*everything, "npm run build"]
        assert self.calls(copy) == []

    def test_a_changed_source_of_the_client_only_builds_it(self, copy: Path) -> None:
        self.calls(copy)
        self.later(copy / "web-client/page.ts")
        assert self.calls(copy) == ["python parlour_server.protocol.typescript", "npm run build"]

    def test_a_changed_lock_installs_what_it_locks(self, copy: Path) -> None:
        self.calls(copy)
        self.later(copy / "requirements/runtime.lock")
        assert self.calls(copy) == ["venv requirements/runtime.lock"]
