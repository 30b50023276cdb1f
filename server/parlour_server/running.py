"""The life of the process: listen, say where, wait for a signal, stop."""

import asyncio
import errno
import os
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from importlib.metadata import version
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from attrs import frozen

from parlour_bots.levels import LEVELS
from parlour_server.admin.desk import Desk
from parlour_server.admin.listening import AdminBusy, AdminSocket
from parlour_server.admin.rulings import Rulings, utc_text
from parlour_server.fairness.seal import KeyUnusable, house_signer
from parlour_server.gentle import calm_collector, clear_up, collector_away
from parlour_server.hall import BOT_NAMES, Hall
from parlour_server.keeping import Keeping, utc_now
from parlour_server.log import log, start_log
from parlour_server.loop_lag import watch_loop
from parlour_server.metrics import Metrics
from parlour_server.people.people import People
from parlour_server.places import admin_socket, key_folder
from parlour_server.premises import Premises
from parlour_server.proxies import Proxies
from parlour_server.records.folder import RecordFiles
from parlour_server.server import Parlour
from parlour_server.settings import Settings, SettingsError
from parlour_server.storage.changes import Pruned, StoredMatch
from parlour_server.storage.opening import open_store
from parlour_server.storage.store import StoreError
from parlour_server.storage.threads import ThreadedStore

SESSION_DAYS: Final = 400
"""Days after which a token that was never shown again is void."""
_DAY: Final = 86_400.0


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
    """Serve until SIGINT, SIGTERM or SIGHUP; the tables stand again at the next start.

    Raises SettingsError where the address or the storage cannot be had, RulesetError and ResourceMissing where a file
    is wrong.
    """
    start_log(settings.log.level)
    _allow_sockets(settings.limits.sockets)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        # A terminal that closes is a goodbye like Ctrl-C, but for whoever has said nohup.
        loop.add_signal_handler(signal.SIGHUP, stop.set)
    async with AsyncExitStack() as stack:
        stack.enter_context(collector_away())
        store = _open(settings)
        stack.push_async_callback(_close, store)
        house = await _house(settings, client, store, stop.set)
        # Whatever else goes wrong, nobody plays on where nothing is written any more.
        stack.callback(house.hall.leave_off)
        await house.hall.resume()
        if settings.tables.demonstration:
            house.hall.demonstrate()
        house.parlour.readiness.resumed = True
        try:
            await stack.enter_async_context(house.parlour)
        except OSError as error:
            raise SettingsError(_unusable(settings, error)) from None
        desk = Desk(house.premises, house.rulings, Proxies(settings.listen.trusted_proxies))
        try:
            await stack.enter_async_context(AdminSocket(admin_socket(settings), desk, house.premises))
        except (AdminBusy, OSError) as error:
            raise SettingsError(f"{admin_socket(settings)} cannot be made ({error}); see admin.socket") from None
        for chore in (
            watch_loop(house.metrics.lag),
            _prune(settings, store),
            clear_up(lambda: house.parlour.doorkeeper.inside),
        ):
            stack.callback(loop.create_task(chore).cancel)
        calm_collector()
        _say(f"Mahjong Parlour is at {house.parlour.url} (Ctrl-C stops it)")
        log.info("started", port=house.parlour.port, tables=len(house.hall))
        await stop.wait()
        log.info("stopping")
        house.premises.drain(on=True)
        await house.hall.keeping.settle()


@frozen
class _House:
    hall: Hall
    parlour: Parlour
    premises: Premises
    rulings: Rulings
    metrics: Metrics


def _open(settings: Settings) -> ThreadedStore:
    loop = asyncio.get_running_loop()
    try:
        url, synchronous = settings.storage.url, settings.storage.synchronous
        return open_store(url, loop.call_soon_threadsafe, synchronous, loop.call_soon)
    except StoreError as error:
        raise SettingsError(str(error)) from None


async def _close(store: ThreadedStore) -> None:
    left = await store.close()
    if left:
        log.error("changes lost", changes=left)


async def _house(settings: Settings, client: Traversable, store: ThreadedStore, stop: Callable[[], None]) -> _House:
    metrics = Metrics()
    rulings = Rulings(store.write, await store.bans(), await store.mutes())
    program = f"mahjong-parlour {version('mahjong-parlour')}"
    keep_file = _record_folder(settings)
    try:
        signer = house_signer(key_folder(settings))
    except KeyUnusable as error:
        raise SettingsError(str(error)) from None
    keeping = Keeping(store, program=program, signer=signer, keep_file=keep_file)
    names = [*BOT_NAMES, *[level.title() for level in LEVELS]]
    people = People(store, settings.limits.guests, names=names)
    hall = Hall(settings, keeping, people, rulings=rulings, metrics=metrics)
    try:
        parlour = Parlour(settings, client, hall, metrics=metrics, rulings=rulings)
    except OSError as error:
        cure = "check its permissions, or build it anew"
        raise SettingsError(f"the built client cannot be read ({error}); {cure}") from None
    premises = Premises(parlour, stop, lambda: store.waiting)
    metrics.count(premises.census)
    store.on_trouble(parlour.storage_trouble)
    store.on_trouble(metrics.store_trouble)
    store.on_refused(hall.refused)
    store.on_refused(lambda _, __: metrics.store_refused())
    store.on_commit(metrics.committed)
    return _House(hall, parlour, premises, rulings, metrics)


async def _prune(settings: Settings, store: ThreadedStore) -> None:
    """Forget, once a day, what the settings do not keep."""
    while True:
        now = utc_now()
        store.write(
            Pruned(
                matches_before=_days_ago(now, settings.records.keep_days),
                demonstration_before=_days_ago(now, settings.records.keep_demonstration_days),
                sessions_before=_days_ago(now, SESSION_DAYS),
            )
        )
        await asyncio.sleep(_DAY)


def _days_ago(now: datetime, days: int) -> str | None:
    return utc_text(now - timedelta(days=days)) if days else None


def _record_folder(settings: Settings) -> Callable[[StoredMatch], None] | None:
    folder = settings.records.folder
    if not folder:
        return None
    try:
        files = RecordFiles(Path(folder))
    except OSError as error:
        problem = f"records.folder {folder} cannot be written ({error.strerror or error})"
        raise SettingsError(f"{problem}; name a folder that can, or leave it empty") from None

    def keep(match: StoredMatch) -> None:
        files.keep(match)

    return keep


def _unusable(settings: Settings, error: OSError) -> str:
    where = f"{settings.listen.host} port {settings.listen.port}"
    if error.errno == errno.EADDRINUSE:
        return f"{where} is in use by another program; stop that one, or choose another with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{settings.listen.host} is no address of this machine; choose another with --host"
    if error.errno == errno.EACCES:
        return f"{where} is not allowed to this user; choose a port from 1024 up with --port"
    return f"{where} cannot be listened on ({error.strerror or error}); see listen.host and --host"
