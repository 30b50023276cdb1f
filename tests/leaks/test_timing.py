"""L04: nobody finds out from times and sizes whether somebody could have claimed a discard.

Half of what an eavesdropper can do is to watch, the other half to ask and see how long the answer takes. Windows in
which nobody could claim are compared with those in which somebody could and passed. `tools/leaks.py` looks at ten
thousand of each kind of table.
"""

import os
from collections.abc import Iterator

import pytest
import structlog

from parlour_server import unseen
from tests.leaks.eavesdropping import CASES, NAIVE, Case, told_apart, verdict, windows

QUICK = 1000
LONG = 10_000


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    yield
    structlog.reset_defaults()


def _looks_the_same(case: Case, seed: int, most: int) -> None:
    met = windows(case, seed, most)
    assert len(met) == most
    assert sum(window.asked for window in met) > most / 10
    full = 4.0 if case.wish.pad_windows else 0.6
    assert {round(window.length, 6) for window in met} == {full}, "every window, of every kind, lasts its time"
    for feature, (same, right, chance) in verdict(met).items():
        assert same > 0.01, (case.name, seed, feature, same)
        assert right < chance, (case.name, seed, feature, right)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_window_in_which_somebody_could_claim_looks_like_any_other(case: Case) -> None:
    _looks_the_same(case, 11, QUICK * 2 // 5 if case.wish.pad_windows else QUICK)


@pytest.mark.skipif(os.environ.get("HYPOTHESIS_PROFILE") != "long", reason="as long as make leaks, or make long")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_ten_thousand_windows_look_alike(case: Case) -> None:
    assert not told_apart(case, 12, LONG)


def test_the_eavesdropper_finds_out_where_nothing_is_hidden() -> None:
    """Else the tests above would say nothing."""
    same, right, chance = verdict(windows(NAIVE, 13, QUICK))["gap"]
    assert same < 1e-9
    assert right > 0.99 > chance


def test_the_eavesdropper_finds_out_where_answers_are_written_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replies that wait for the commit of somebody's answer give it away, a few milliseconds at a time."""
    monkeypatch.setattr(unseen, "shows_nothing", lambda _: False)
    (case,) = [case for case in CASES if case.name == "a slow disk"]
    same, right, chance = verdict(windows(case, 14, 3 * QUICK))["reply"]
    assert same < 0.001
    assert right > chance
