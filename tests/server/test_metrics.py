import re
from typing import get_args

import attrs

from parlour_server.metrics import FRESH, REASONS, TABLE_STATES, Census, Metrics
from parlour_server.protocol.messages import FromClient, ToClient


def read(metrics: Metrics, now: float = 0.0) -> dict[str, float]:
    """Every sample of a text."""
    lines = metrics.text(now).decode().splitlines()
    return {
        name: float(value) for name, _, value in [line.rpartition(" ") for line in lines if not line.startswith("#")]
    }


def test_what_happens_is_counted() -> None:
    metrics = Metrics()
    metrics.heard("say")
    metrics.heard("say")
    metrics.told("events", 7)
    metrics.refused("stale")
    metrics.ended("reads too slowly")
    metrics.committed(0.003, 12)
    metrics.store_trouble(True)
    metrics.store_trouble(False)
    metrics.store_refused()
    metrics.table_crashed()

    samples = read(metrics)
    assert samples['parlour_messages_in_total{type="say"}'] == 2
    assert samples['parlour_messages_in_total{type="hello"}'] == 0, "what has not happened yet is told too"
    assert samples['parlour_messages_out_total{type="events"}'] == 7
    assert samples['parlour_errors_total{code="stale"}'] == 1
    assert samples['parlour_lines_ended_total{reason="slow"}'] == 1
    assert samples["parlour_store_changes_total"] == 12
    assert samples["parlour_store_troubles_total"] == 1
    assert samples["parlour_store_refused_total"] == 1
    assert samples["parlour_table_crashes_total"] == 1


def test_times_fall_into_buckets_at_the_goals() -> None:
    metrics = Metrics()
    for seconds in (0.004, 0.019, 0.021):
        metrics.written(seconds)
    metrics.lag(0.049)

    samples = read(metrics)
    assert samples['parlour_action_seconds_bucket{le="0.02"}'] == 2
    assert samples['parlour_action_seconds_bucket{le="+Inf"}'] == 3
    assert samples["parlour_action_seconds_count"] == 3
    assert samples['parlour_loop_lag_seconds_bucket{le="0.05"}'] == 1
    assert samples['parlour_loop_lag_seconds_bucket{le="0.02"}'] == 0
    assert samples["parlour_store_commit_seconds_count"] == 0


def test_what_there_is_is_asked_for_when_it_is_told() -> None:
    now = Census(lines=3, strangers=1, guests=2, tables={"playing": 4, "frozen": 1}, store_queue=9, draining=True)
    metrics = Metrics()
    metrics.count(lambda: now)

    samples = read(metrics)
    assert [samples[f"parlour_{name}"] for name in ("lines", "strangers", "guests", "store_queue", "draining")] == [
        3,
        1,
        2,
        9,
        1,
    ]
    assert [samples[f'parlour_tables{{state="{state}"}}'] for state in TABLE_STATES] == [0, 4, 0, 0, 1, 0]


def test_a_name_that_nobody_knows_becomes_no_label() -> None:
    """A label is never made of what somebody wrote."""
    metrics = Metrics()
    metrics.heard("Zaphod")
    metrics.told("Zaphod")
    metrics.refused("Zaphod")
    metrics.ended("Zaphod")

    samples = read(metrics)
    assert "Zaphod" not in metrics.text(0.0).decode()
    assert samples['parlour_messages_in_total{type="other"}'] == 1
    assert samples['parlour_lines_ended_total{reason="other"}'] == 1


def test_nobody_is_told_how_often_somebody_could_claim() -> None:
    """Every user of the machine may read the numbers, and count the discards as a watcher."""
    metrics = Metrics()
    before = metrics.text(0.0)
    for _ in range(5):
        metrics.told("ask")
        metrics.heard("play")
        metrics.told("accepted")

    assert metrics.text(FRESH) == before


def test_every_label_is_one_of_ours() -> None:
    labels = {found for name in read(Metrics()) for found in re.findall(r'(\w+)="([^"]*)"', name)}

    types = {attrs.fields(cls).type.default for union in (FromClient, ToClient) for cls in get_args(union)} | {"other"}
    assert {value for label, value in labels if label == "type"} == types - {"play", "ask", "accepted"}
    assert {value for label, value in labels if label == "reason"} == {*REASONS.values(), "other"}
    assert {label for label, _ in labels} == {"type", "code", "reason", "state", "le"}


def test_nothing_is_told_of_the_process_and_its_machine() -> None:
    assert {name for name in read(Metrics()) if not name.startswith("parlour_")} == set()


def test_a_text_is_given_out_for_some_seconds_so_that_no_single_answer_is_seen() -> None:
    metrics = Metrics()
    key = 'parlour_messages_in_total{type="say"}'
    before = read(metrics, 100.0)[key]
    metrics.heard("say")

    assert read(metrics, 100.0 + FRESH - 0.001)[key] == before
    assert read(metrics, 100.0 + FRESH)[key] == before + 1
