"""A PostgreSQL server of the tests' own, where one is installed: in a temporary folder, on a socket there."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_PLACES: Final = ("/usr/local/bin", "/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/bin")
_USERS: Final = ("postgres", "nobody")
"""Whom root may be instead: the server refuses to run as root."""


def _program(name: str) -> str | None:
    found = shutil.which(name)
    if found is not None:
        return found
    for place in _PLACES:
        files = sorted(Path("/").glob(f"{place[1:]}/{name}"))
        if files:
            return str(files[-1])
    return None


def missing() -> str | None:
    """Why there is no server to be had; None where there is."""
    lacking = [name for name in ("initdb", "pg_ctl", "postgres") if _program(name) is None]
    if lacking:
        return f"PostgreSQL is not installed here ({', '.join(lacking)})"
    try:
        import psycopg  # noqa: F401, PLC0415 # only whether it is there
    except ImportError:
        return "psycopg is not installed here"
    if os.getuid() == 0 and shutil.which("setpriv") is None:
        return "PostgreSQL does not run as root, and there is no setpriv to be somebody else"
    return None


class PostgresServer:
    """One server; `url` leads to its database."""

    def __init__(self) -> None:
        # Sockets have short paths, and another user must get there, so it is no folder of pytest's.
        self._folder: Final = Path(tempfile.mkdtemp(prefix="parlour-pg-"))
        self._as: Final[Sequence[str]] = self._somebody()
        self._data: Final = self._folder / "data"
        self._run("initdb", "-D", str(self._data), "-A", "trust", "-U", "parlour", "-E", "UTF8", "--no-sync")
        self.start()

    def _somebody(self) -> Sequence[str]:
        if os.getuid() != 0:
            return ()
        users = [user for user in pwd.getpwall() if user.pw_name in _USERS]
        user = min(users, key=lambda one: _USERS.index(one.pw_name))
        os.chown(self._folder, user.pw_uid, user.pw_gid)
        return ("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups")

    def _run(self, name: str, *arguments: str) -> None:
        program = _program(name)
        assert program is not None
        command = [*self._as, program, *arguments]
        ended = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, timeout=60, check=False)
        assert ended.returncode == 0, f"{name}: {ended.stdout}{ended.stderr}"

    @property
    def url(self) -> str:
        """Of its one database."""
        return f"postgresql://parlour@/postgres?host={self._folder}"

    def start(self) -> None:
        """Begin, and wait until it answers. Nothing is forced to the platter: tests do not pull the plug."""
        options = f"-k {self._folder} -c listen_addresses='' -c fsync=off -c shared_buffers=16MB"
        server = _program("postgres")
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._data), "-p", str(server), "-w", "-l", log, "-o", options, "start")

    def kill(self) -> None:
        """End as after a crash, without a word to anybody."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def remove(self) -> None:
        """End it and take its folder away."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)
