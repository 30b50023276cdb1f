"""What a live table has around it: the lines at it, and the house it stands in."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

from parlour_server.alarm import Alarms
from parlour_server.chance import Chance
from parlour_server.metrics import Metrics
from parlour_server.protocol.codec import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL, encode
from parlour_server.protocol.listings import TableLine, TableSeat
from parlour_server.protocol.messages import ToClient
from parlour_server.settings import Bots, Tables
from parlour_server.storage.changes import TableMeta
from parlour_server.table.deliveries import ToViewers
from parlour_server.table.journal import Row
from parlour_server.table.table import Table
from parlour_server.table_clock import TableClock

if TYPE_CHECKING:
    from parlour_server.live_table import LiveTable


class Viewer(Protocol):
    """A line at a table. `text` says whether it speaks JSON; `person` is its identity, `name` how it is shown."""

    number: int
    text: bool

    @property
    def person(self) -> str:
        """The identity behind the line."""

    @property
    def name(self) -> str:
        """Its display name."""

    def put(self, *frames: bytes) -> None:
        """Queue encoded messages."""

    @property
    def silent_since(self) -> float | None:
        """Its last sign of life by the loop's clock, where it owes another; None where it is alive or ended alive."""

    def gone_from(self, table: "LiveTable") -> None:
        """The table has let this viewer go."""


@frozen
class House:
    """What a table needs of the house it stands in.

    `record(table, rows, written)` queues journal rows; `revive(live)` gives the table back as its journal tells it;
    `over(live)` is called when the rows of a match's end are written, `ended(live)` once, when the table is closed,
    `kept(live)` when that is written; `closing()` says that no further deal is to begin.
    """

    times: Tables
    bots: Bots
    chance: Chance
    metrics: Metrics
    alarms: Alarms
    record: Callable[[str, list[Row], Callable[[], None]], None]
    revive: Callable[["LiveTable"], Awaitable[tuple[Table, float]]]
    over: Callable[["LiveTable"], None]
    ended: Callable[["LiveTable"], None]
    kept: Callable[["LiveTable"], None]
    closing: Callable[[], bool]


def framed(message: ToClient, text: bool) -> bytes:
    """The message as a line speaks it."""
    frame = encode(message, JSON_SUBPROTOCOL if text else MSGPACK_SUBPROTOCOL)
    return frame.encode() if isinstance(frame, str) else frame


def put(deliveries: Iterable[ToViewers], viewers: Mapping[int, Viewer]) -> None:
    """Queue messages at those of their viewers that are still here, encoded once for each language of lines; all that
    one viewer is told together."""
    told: dict[int, list[bytes]] = {}
    for delivery in deliveries:
        frames: dict[bool, bytes] = {}
        for number in delivery.viewers:
            viewer = viewers.get(number)
            if viewer is not None:
                if viewer.text not in frames:
                    frames[viewer.text] = framed(delivery.message, viewer.text)
                told.setdefault(number, []).append(frames[viewer.text])
    for number, queued in told.items():
        viewers[number].put(*queued)


def silent_since(viewer: Viewer | None, clock: TableClock) -> float | None:
    """The last sign of life of a silent line by the table's time, whatever stops lay between; None where it is none."""
    since = None if viewer is None else viewer.silent_since
    return None if since is None else clock.then(since)


def lets_in(table: Table, meta: TableMeta) -> bool:
    """Whether a stranger gets in at all: whoever wants a seat watches first."""
    settings = meta.settings
    return table.watchers() < settings.watchers and not (settings.watching == "never" and table.version)


def table_state(table: Table) -> str:
    """What a table is doing, one of `metrics.TABLE_STATES`."""
    if table.stopped == "frozen":
        return "frozen"
    if table.over:
        return "over"
    if table.stopped is not None:
        return "paused" if table.stopped == "agreed" else "stopped"
    return "playing" if table.deal_number else "waiting"


def table_line(table: Table, meta: TableMeta, sits: bool) -> TableLine:
    """The table as the lobby shows it; `sits` says that one may sit down."""
    settings = meta.settings
    return TableLine(
        table=table.id,
        ruleset=meta.ruleset,
        options=dict(meta.options),
        rounds=settings.rounds,
        clocks=settings.clocks,
        floor_ms=settings.floor_ms,
        pad_windows=settings.pad_windows,
        watching=settings.watching,
        seats=[TableSeat(seat.name, seat.player, seat.level, seat.present) for seat in table.seat_states()],
        watchers=table.watchers(),
        deal=table.deal_number,
        over=table.over,
        demonstration=meta.demonstration,
        open=sits,
    )
