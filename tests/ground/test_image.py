"""The image cannot be built where the tests run, so its steps are tried one by one, with what they would have."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from parlour_server.cli import main
from parlour_server.places import admin_socket, key_folder
from parlour_server.settings_file import load_settings
from parlour_server.storage.opening import file_of

ROOT = Path(__file__).resolve().parents[2]


def instructions() -> list[tuple[str, str]]:
    """What the Dockerfile says, a line each."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n\s*", "", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines.splitlines() if line)]


def copied() -> list[tuple[str, str]]:
    """What comes from the checkout, and where it goes to."""
    pairs = []
    for word, rest in instructions():
        if word == "COPY" and "--from" not in rest:
            *sources, target = rest.split()
            pairs += [(source.rstrip("/"), target) for source in sources]
    return pairs


def ignored(path: str) -> bool:
    """Whether .dockerignore keeps a path out; the last rule that fits counts, and a folder's fits what is in it."""
    out = False
    parts = path.split("/")
    fronts = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        rule = line.strip()
        if not rule or rule.startswith("#"):
            continue
        kept = rule.startswith("!")
        pattern = rule.lstrip("!")
        tried = [pattern, pattern.removeprefix("**/")]
        names = [*fronts, *(parts if pattern.startswith("**/") else [])]
        if any(fnmatch(name, each) for name in names for each in tried):
            out = not kept
    return out


def last_stage() -> list[tuple[str, str]]:
    steps = instructions()
    return steps[max(n for n, (word, _) in enumerate(steps) if word == "FROM") :]


def environment() -> dict[str, str]:
    return dict(part.split("=", 1) for word, rest in last_stage() if word == "ENV" for part in shlex.split(rest))


def tracked() -> list[str]:
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def test_everything_that_is_copied_is_there_and_reaches_the_builder() -> None:
    files = tracked()
    assert copied()
    for source, _ in copied():
        assert (ROOT / source).exists(), source
        inside = [file for file in files if file == source or file.startswith(f"{source}/")]
        assert [file for file in inside if not ignored(file)], source


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".venv/bin/python",
        "parlour.db",
        "config/parlour.db",
        "server/parlour.db-wal",
        "tests/conftest.py",
        "web-client/node_modules/vite/package.json",
        "server/parlour_server/__pycache__/hall.cpython-312.pyc",
        "secrets.env",
    ],
)
def test_what_is_nobodys_business_stays_at_home(path: str) -> None:
    assert ignored(path)


def test_every_package_comes_from_a_lock() -> None:
    installs = [step for _, rest in instructions() for step in rest.split("&&") if "pip install" in step]
    assert installs
    for install in installs:
        assert "--require-hashes" in install or ("--no-index" in install and "--no-deps" in install)
    assert any(rest.startswith("npm ci ") for word, rest in instructions() if word == "RUN")
    assert not any("npm install" in rest for _, rest in instructions())


def test_it_runs_as_nobody_in_particular_and_keeps_what_it_writes_in_one_place() -> None:
    said = dict(last_stage())
    user, group = map(int, said["USER"].split(":"))
    assert min(user, group) >= 1000
    (made,) = [rest for word, rest in last_stage() if word == "RUN"]
    assert f"groupadd --gid {group} parlour" in made
    assert f"useradd --uid {user} --gid {group} " in made
    assert f"install -d -o parlour -g parlour -m 0700 {said['VOLUME']}" in made
    assert said["VOLUME"] == said["WORKDIR"]
    assert said["STOPSIGNAL"] == "SIGTERM"


@pytest.mark.parametrize("url", ["", "postgresql://parlour:secret@database/parlour"])
def test_all_that_it_writes_lies_in_its_volume(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    volume = Path(dict(last_stage())["VOLUME"])
    monkeypatch.setenv("XDG_DATA_HOME", environment()["XDG_DATA_HOME"])
    settings = load_settings(environment={**environment(), "PARLOUR_STORAGE_URL": url})

    assert key_folder(settings) == admin_socket(settings).parent == volume
    if not url:
        assert file_of(settings.storage.url).parent == volume
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert f'volumes: ["data:{volume}"]' in compose


def test_its_command_and_settings_are_ones_that_the_server_takes(tmp_path: Path) -> None:
    said = dict(last_stage())
    words: list[str] = json.loads(said["ENTRYPOINT"]) + json.loads(said["CMD"])
    program, *arguments = words
    assert program == "parlour"
    own = {key: value for key, value in environment().items() if key.startswith("PARLOUR_")}
    result = CliRunner().invoke(
        main, [*arguments, "--check"], env={**own, "PARLOUR_STORAGE_URL": str(tmp_path / "parlour.db")}
    )

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"listen: 0.0.0.0 port {said['EXPOSE']},")


@pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False)])
def test_it_is_healthy_where_the_server_is_ready(status: int, healthy: bool) -> None:
    (check,) = [rest for word, rest in last_stage() if word == "HEALTHCHECK"]
    command = json.loads(check[check.index("CMD ") + 4 :])
    asked = []

    class Ready(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the library's name
            asked.append(self.path)
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Ready) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        own = [sys.executable, *command[1:-1], command[-1].replace(":8000", f":{server.server_port}")]
        done = subprocess.run(own, capture_output=True, timeout=20, check=False)
        server.shutdown()

    assert command[0] == "python"
    assert asked == ["/readyz"]
    assert (done.returncode == 0) is healthy


def test_every_setting_of_the_compose_file_is_one_that_the_server_takes() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    variables = dict(re.findall(r"^[ #]*(PARLOUR_[A-Z_]+): (\S+)$", text, re.MULTILINE))

    assert {"PARLOUR_LISTEN_PUBLIC_ORIGINS", "PARLOUR_METRICS_TOKEN", "PARLOUR_STORAGE_URL"} <= variables.keys()
    settings = load_settings(environment=variables)
    (network,) = settings.listen.trusted_proxies
    assert f"- subnet: {network}\n" in text


def with_everything(text: str) -> str:
    """The compose file with the comment marks taken off all that may be added to it."""
    keys = r"PARLOUR_[A-Z_]+: |[a-z_]+:( |$)|  |POSTGRES_"
    return re.sub(rf"^( *)# (?=(?:{keys}))", r"\1", text, flags=re.MULTILINE)


def compose_program() -> list[str] | None:
    """Docker's Compose, as a plug-in or a program; it checks a file without Docker."""
    for program in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(program[0]) is not None:
            asked = subprocess.run([*program, "version", "--short"], capture_output=True, timeout=60, check=False)
            if asked.returncode == 0:
                return program
    return None


@pytest.mark.parametrize("more", [False, True])
def test_compose_understands_its_file(more: bool, tmp_path: Path) -> None:
    program = compose_program()
    if program is None:
        pytest.skip("Docker's Compose is not installed here")
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    copy = tmp_path / "compose.yaml"
    copy.write_text(with_everything(text) if more else text, encoding="utf-8")
    done = subprocess.run(
        [*program, "-f", copy, "config", "--services"], capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == ({"parlour", "proxy", "database"} if more else {"parlour"})


@pytest.mark.slow
def test_what_is_copied_is_enough_for_the_wheel(tmp_path: Path) -> None:
    for file in tracked():
        if any(file == source or file.startswith(f"{source}/") for source, _ in copied()) and not ignored(file):
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, tmp_path / file)
    # The page's own stage has built this.
    (tmp_path / "web-client" / "dist").mkdir()
    (tmp_path / "web-client" / "dist" / "index.html").write_text("<!doctype html>")
    (step,) = [rest for word, rest in instructions() if word == "RUN" and "pip wheel" in rest]
    flags = shlex.split(step.split("&&")[0])[4:]
    flags[flags.index("/wheels")] = str(tmp_path / "wheels")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *flags],
        cwd=tmp_path,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "wheels").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "parlour_server/_config/server.toml" in names
    assert "parlour_server/_client/index.html" in names
    assert "parlour_engine/shapes/tables.bin" in names
