"""The life of the process: listen, say where, wait for a signal, stop."""

import asyncio
import errno
import os
import signal
from contextlib import AsyncExitStack
from importlib.metadata import version
from importlib.resources.abc import Traversable
from pathlib import Path

from parlour_server.gentle import calm_collector
from parlour_server.hall import Hall
from parlour_server.log import log, start_log
from parlour_server.records.folder import RecordFolder
from parlour_server.server import Parlour
from parlour_server.settings import Settings, SettingsError


def _allow_sockets(wanted: int) -> None:
    """Raise the soft limit of open files, where the system lets us, so that the settings' own limit is the one met."""
    try:
        import resource  # noqa: PLC0415 # not on Windows, which has no such limit
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = wanted + 100 if hard == resource.RLIM_INFINITY else min(wanted + 100, hard)
    if soft != resource.RLIM_INFINITY and soft < target:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))


def _say(text: str) -> None:
    """Print a line where somebody can read it."""
    try:
        print(text, flush=True)  # noqa: T201 # said to a person
    except OSError:
        # Nobody listens any more; else Python would try again at its end, and fail there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


async def run(settings: Settings, client: Traversable) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises SettingsError where the address cannot be had, RulesetError and ResourceMissing where a file is wrong.
    """
    start_log(settings.log.level)
    _allow_sockets(settings.limits.sockets)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    recording = _record_folder(settings)
    hall = Hall(settings) if recording is None else Hall(settings, record=recording)
    try:
        parlour = Parlour(settings, client, hall)
    except OSError as error:
        cure = "check its permissions, or build it anew"
        raise SettingsError(f"the built client cannot be read ({error}); {cure}") from None
    async with AsyncExitStack() as stack:
        if recording is not None:
            # Pushed first, so closed last: the tables' last rows come when the house closes.
            stack.callback(recording.close)
        try:
            await stack.enter_async_context(parlour)
        except OSError as error:
            raise SettingsError(_unusable(settings, error)) from None
        calm_collector()
        _say(f"Mahjong Parlour is at {parlour.url} (Ctrl-C stops it)")
        log.info("started", port=parlour.port)
        await stop.wait()
        log.info("stopping")


def _record_folder(settings: Settings) -> RecordFolder | None:
    folder = settings.records.folder
    if not folder:
        return None
    try:
        return RecordFolder(Path(folder), f"mahjong-parlour {version('mahjong-parlour')}")
    except OSError as error:
        problem = f"records.folder {folder} cannot be written ({error.strerror or error})"
        raise SettingsError(f"{problem}; name a folder that can, or leave it empty") from None


def _unusable(settings: Settings, error: OSError) -> str:
    where = f"{settings.listen.host} port {settings.listen.port}"
    if error.errno == errno.EADDRINUSE:
        return f"{where} is in use by another program; stop that one, or choose another with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{settings.listen.host} is no address of this machine; choose another with --host"
    if error.errno == errno.EACCES:
        return f"{where} is not allowed to this user; choose a port from 1024 up with --port"
    return f"{where} cannot be listened on ({error.strerror or error}); see listen.host and --host"
