"""A real server process for the long runs: started with a configuration, watched, stopped or killed."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
_START: Final = """
import sys
from parlour_server.cli import main
sys.argv[0] = "parlour"
main()
"""


class Served:
    """`with Served(folder, config) as served:`; `url` is its address, `log()` the lines of its log so far."""

    def __init__(self, folder: Path, config: str, *, cores: set[int] | None = None, code: str = _START) -> None:
        """`config` without [storage]: the database is in the folder. `cores` it may run on; `code` is what the
        interpreter runs, with `serve ...` as arguments."""
        self.folder = folder
        self.url = ""
        self._code = code
        self._cores = cores
        self._config = folder / "server.toml"
        self.database = folder / "parlour.db"
        self._config.write_text(f'{config}\n[storage]\nurl = "{self.database}"\n', encoding="utf-8")
        self._process: subprocess.Popen[str] | None = None

    def start(self, port: int = 0, patience: float = 60.0) -> float:
        """Start it and wait until it says where it is; returns how many seconds that took."""
        begun = time.monotonic()
        log = (self.folder / "log").open("a", encoding="utf-8")
        self._process = subprocess.Popen(
            [sys.executable, "-c", self._code, "serve", "--port", str(port), "--config", str(self._config)],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            cwd=ROOT,
            env={key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")},
        )
        log.close()
        if self._cores is not None:
            os.sched_setaffinity(self._process.pid, self._cores)
        assert self._process.stdout is not None
        deadline = begun + patience
        while time.monotonic() < deadline:
            line = self._process.stdout.readline()
            found = re.search(r"at (http://\S+)", line)
            if found:
                self.url = found[1]
                return time.monotonic() - begun
            if not line:
                break
        raise RuntimeError(f"the server did not start: {self.log()[-5:]}")

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._close()

    @property
    def pid(self) -> int:
        """The process's number."""
        assert self._process is not None
        return self._process.pid

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rsplit(":", 1)[1])

    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """End it as a power cut would: SIGKILL."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()

    def log(self) -> list[dict[str, Any]]:
        """What it has logged; a line that is no JSON is `{"raw": line}`."""
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return [_line(line) for line in lines]

    def errors(self) -> list[dict[str, Any]]:
        """The lines of its log that tell of a fault."""
        return [line for line in self.log() if line.get("level") in {"error", "critical", None}]

    def memory(self) -> int:
        """Bytes of RSS now."""
        return int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def most_memory(self) -> int:
        """Bytes of RSS at its highest."""
        text = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmHWM:\s+(\d+) kB", text)
        assert found is not None
        return int(found[1]) * 1024

    def cpu(self) -> float:
        """Seconds of processor that its threads have used."""
        return _used(list(Path(f"/proc/{self.pid}/task").iterdir()))

    def loop_cpu(self) -> float:
        """Those of its first thread, which runs the event loop."""
        return _used([Path(f"/proc/{self.pid}/task/{self.pid}")])


def _used(tasks: list[Path]) -> float:
    """To the nanosecond: the ticks of `stat` see nothing of what runs between two of them."""
    found = 0
    for task in tasks:
        with suppress(OSError):  # a thread that has ended meanwhile
            found += int((task / "schedstat").read_text(encoding="ascii").split()[0])
    return found / 1e9


def _line(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"raw": line}


def temporary() -> "tempfile.TemporaryDirectory[str]":
    """A folder for one run."""
    return tempfile.TemporaryDirectory(prefix="parlour-")
