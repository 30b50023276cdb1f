"""What the server counts and times, for `/metrics`.

Without a token whoever has an account on this machine may read it, so no number is a secret in disguise. Nothing is
counted by table, seat, person or address, and no label is made of what somebody wrote. Plays, and what only follows
from being asked (UNCOUNTED), are not counted at all: beside the discards that everybody sees, their number would say
how often somebody could claim. Windows are neither counted nor timed, and the text is made anew only every few seconds
(FRESH). What it does say is how busy the house is: how many are here, and how many messages of each other kind go by.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, get_args

import attrs
from attrs import field, frozen
from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

from parlour_server.log import lost_lines
from parlour_server.protocol.messages import ErrorCode, FromClient, ToClient

# Else every one of them has a twin that says when it was made.
disable_created_metrics()  # type: ignore[no-untyped-call]  # as the library has it

FRESH: Final = 10.0
"""Seconds that one text is given out; about one claim window, and less than the usual time between two scrapes."""
UNCOUNTED: Final = frozenset({"play", "ask", "accepted"})
"""Types of messages that depend on who is asked in a claim window."""
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
OTHER: Final = "other"
BUCKETS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
"""Seconds; 0.02 and 0.05 are the goals of an action and of the loop."""

TABLE_STATES: Final = ("waiting", "playing", "paused", "stopped", "frozen", "over")
"""What a table may be: not begun; in a match; standing still by agreement; by the house (storage, restart); shut after
faults; after its match."""
REASONS: Final = {
    "reads too slowly": "slow",
    "stalled": "stalled",
    "too many control frames or fragments": "flood",
    "too many messages": "flood",
    "goes on after its end": "flood",
    "no hello came": "no_hello",
    "unsupported protocol": "protocol",
    "too many lines of one guest": "too_many",
    "too many connections": "too_many",
    "banned": "banned",
    "internal error": "internal",
    "request too slow": "slow_request",
    "signed out": "signed_out",
}
"""Why the server ended a line, in words -> its label."""


def _types(union: object) -> frozenset[str]:
    """The tags of a union of messages."""
    return frozenset(str(attrs.fields(cls).type.default) for cls in get_args(union))


@frozen
class Census:
    """What there is at this moment."""

    lines: int = 0
    strangers: int = 0
    guests: int = 0
    """People who are here with at least one line."""
    tables: Mapping[str, int] = field(factory=dict)
    """State -> number; `TABLE_STATES`."""
    store_queue: int = 0
    """Changes that wait to be written."""
    draining: bool = False


class _Live:
    """Reads what is counted elsewhere when a text is made."""

    def __init__(self, census: Callable[[], Census]) -> None:
        self.census = census
        # The library's own counters take a lock each time, and a message passes here for everybody who is told.
        self.heard = dict.fromkeys([*sorted(_types(FromClient) - UNCOUNTED), OTHER], 0)
        self.told = dict.fromkeys([*sorted(_types(ToClient) - UNCOUNTED), OTHER], 0)

    def describe(self) -> Iterable[Metric]:
        """Nothing in advance: asking the census before there is a house would be too early."""
        return ()

    def collect(self) -> Iterator[Metric]:
        now = self.census()
        yield GaugeMetricFamily("parlour_lines", "Open sockets, page requests included.", now.lines)
        yield GaugeMetricFamily("parlour_strangers", "Sockets that have not said hello yet.", now.strangers)
        yield GaugeMetricFamily("parlour_guests", "People who are here.", now.guests)
        tables = GaugeMetricFamily("parlour_tables", "Tables by state.", labels=["state"])
        for state in TABLE_STATES:
            tables.add_metric([state], now.tables.get(state, 0))
        yield tables
        yield GaugeMetricFamily("parlour_store_queue", "Changes that wait to be written.", now.store_queue)
        yield GaugeMetricFamily("parlour_draining", "1 while no new table is made.", int(now.draining))
        for name, words, counts in (
            ("in", "Messages of clients by type.", self.heard),
            ("out", "Messages to clients by type.", self.told),
        ):
            messages = CounterMetricFamily(f"parlour_messages_{name}", words, labels=["type"])
            for kind, count in counts.items():
                messages.add_metric([kind], count)
            yield messages
        lost = CounterMetricFamily("parlour_log_lines_lost", "Lines of the log that nobody can read.")
        lost.add_metric([], lost_lines())
        yield lost


def _count(counts: dict[str, int], kind: str, number: int) -> None:
    if kind in counts:
        counts[kind] += number
    elif kind not in UNCOUNTED:
        counts[OTHER] += number


class Metrics:
    """Counts for one server. Its methods belong to the loop's thread but where they say otherwise."""

    def __init__(self, census: Callable[[], Census] = Census) -> None:
        # A registry of its own: the library's default one tells of the process, its Python and its start.
        self.registry = CollectorRegistry(auto_describe=False)
        self._live = _Live(census)
        self.registry.register(self._live)
        errors = self._counter("errors", "Requests refused, by the code of the error.", "code")
        ended = self._counter("lines_ended", "Lines that the server ended, by reason.", "reason")
        self._errors = {code: errors.labels(code) for code in (*get_args(ErrorCode), OTHER)}
        self._ended = {label: ended.labels(label) for label in {*REASONS.values(), OTHER}}
        self._written = self._histogram("action", "From an accepted message to the last write that follows from it.")
        self._lag = self._histogram("loop_lag", "How late the event loop comes to what was due.")
        self._committed = self._histogram("store_commit", "One commit of the storage, whatever it holds.")
        self._changes = self._counter("store_changes", "Changes that were committed.")
        self._troubles = self._counter("store_troubles", "Times that the storage began to fail.")
        self._refused = self._counter("store_refused", "Changes that could never be written; each is a fault.")
        self._crashes = self._counter("table_crashes", "Faults at a table; it is restarted, or frozen after the third.")
        self._text = b""
        self._until = float("-inf")

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(name, words, labels, namespace="parlour", registry=self.registry)

    def _histogram(self, name: str, words: str) -> Histogram:
        return Histogram(name, words, namespace="parlour", unit="seconds", registry=self.registry, buckets=BUCKETS)

    def count(self, census: Callable[[], Census]) -> None:
        """Ask this from now on what there is."""
        self._live.census = census

    def heard(self, kind: str) -> None:
        """A message of this type came."""
        _count(self._live.heard, kind, 1)

    def told(self, kind: str, lines: int = 1) -> None:
        """A message of this type went to so many lines."""
        _count(self._live.told, kind, lines)

    def refused(self, code: str) -> None:
        """Somebody was told an error of this code."""
        (self._errors.get(code) or self._errors[OTHER]).inc()

    def ended(self, why: str) -> None:
        """The server has ended a line, for a reason in words of ours."""
        self._ended[REASONS.get(why, OTHER)].inc()

    def written(self, seconds: float) -> None:
        """All that followed from an action has been written to the sockets."""
        self._written.observe(seconds)

    def lag(self, seconds: float) -> None:
        """The loop was so late."""
        self._lag.observe(seconds)

    def committed(self, seconds: float, changes: int) -> None:
        """The storage has made so many changes durable. May be told by any thread."""
        self._committed.observe(seconds)
        self._changes.inc(changes)

    def store_trouble(self, failing: bool) -> None:
        """The storage begins to fail, or is well again."""
        if failing:
            self._troubles.inc()

    def store_refused(self) -> None:
        """A change could never be written."""
        self._refused.inc()

    def table_crashed(self) -> None:
        """A table met a fault of ours."""
        self._crashes.inc()

    def text(self, now: float) -> bytes:
        """All of it as Prometheus reads it, at most FRESH old."""
        if now >= self._until:
            self._text = generate_latest(self.registry)
            self._until = now + FRESH
        return self._text


UNHEARD: Final = Metrics()
"""Counts that nobody reads, for lines and tables that stand alone."""
