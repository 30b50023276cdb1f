"""The wheel works where there is no checkout: it carries the rules, config/ and the built client."""

import json
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow

# H1 of tests/cases/lrc.jsonl: an exposed all-sheung hand won by the seat South on West's 3 circles.
WORKED_EXAMPLE = {
    "id": "H1",
    "ruleset": "lrc",
    "hand": "55m12456p123789s",
    "melds": ["123m"],
    "flowers": "",
    "seat": "S",
    "round": "E",
    "win": {"tile": "3p", "by": "discard", "from": "W"},
}


def pip(python: Path, *arguments: str) -> None:
    command = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def parlour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a fresh environment that knows the wheel and the runtime lock, and no checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip(Path(sys.executable), "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    (wheel,) = folder.glob("mahjong_parlour-*.whl")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv/bin/python"
    pip(python, "install", "--require-hashes", "--only-binary", ":all:", "-r", "requirements/runtime.lock")
    pip(python, "install", "--no-deps", str(wheel))
    return folder / "venv/bin/parlour"


def run(command: Path, *arguments: str, text: str = "") -> str:
    done = subprocess.run(
        [command, *arguments],
        cwd=command.parent,
        env={"PATH": "/usr/bin:/bin", "PYTHONWARNINGS": "error"},
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_score(parlour: Path) -> None:
    answer = json.loads(run(parlour, "score", text=json.dumps(WORKED_EXAMPLE)))
    assert answer["total"] == 47
    assert answer["payments"] == {"E": 0, "S": 47, "W": -47, "N": 0}


def test_simulate(parlour: Path) -> None:
    arguments = ["--deals", "2", "--seed", "7", "--bots", "steady,random,random,random", "--json"]
    assert isinstance(json.loads(run(parlour, "simulate", "--ruleset", "lrc", *arguments)), dict)


def test_verify_and_the_verifiers_that_stand_alone(parlour: Path, tmp_path: Path) -> None:
    arguments = ["--matches", "1", "--rounds", "1", "--seed", "7", "--bots", "steady,steady,steady,steady"]
    run(parlour, "simulate", "--ruleset", "classical", *arguments, "--out", str(tmp_path / "out"))
    record = tmp_path / "out" / "match-00000.jsonl"
    assert "not checked" in run(parlour, "verify", str(record))
    python = parlour.parent / "python"
    found = run(python, "-c", "import parlour_server; print(*parlour_server.__path__)").strip()
    folder = Path(found) / "fairness" / "standalone"
    assert "</html>" in (folder / "verify.html").read_text(encoding="utf-8")
    assert "NOT CHECKED" in run(Path(sys.executable), str(folder / "verify.py"), str(record))


class TestServe:
    @pytest.fixture
    def address(self, parlour: Path) -> Iterator[str]:
        """Where a server of the wheel answers: it is given port 0 and says which one it got."""
        server = subprocess.Popen(
            [parlour, "serve", "--host", "127.0.0.1", "--port", "0"],
            cwd=parlour.parent,
            env={"PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert server.stdout is not None
        alarm = threading.Timer(30, server.kill)
        alarm.start()
        said: list[str] = []
        for line in server.stdout:
            said.append(line)
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                yield found[0]
                break
        else:
            pytest.fail("the server named no address:\n" + "".join(said))
        alarm.cancel()
        server.terminate()
        server.communicate(timeout=10)
        assert server.returncode == 0

    def test_the_page_and_its_health(self, address: str) -> None:
        with urllib.request.urlopen(f"{address}/healthz") as health:
            assert health.status == 200
        with urllib.request.urlopen(address) as page:
            text = page.read().decode()
        assert "<!doctype html>" in text.lower()
        (script,) = re.findall(r'<script[^>]* src="([^"]+)"', text)
        with urllib.request.urlopen(f"{address}{script}") as code:
            assert code.status == 200
