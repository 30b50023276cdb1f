"""L04, G15: neither do the windows that are rare show who could have used them: a gong that may be robbed, the last
discard of a wall, the washing of the tiles as dealt. `tools/leaks.py` looks at thousands of each."""

from collections.abc import Iterator

import pytest
import structlog
from attrs import evolve

from tests.leaks.eavesdropping import NAIVE, Case, cases, told_apart, verdict, windows
from tests.leaks.plots import PLOTS

MOST = {"rob": 80, "wash": 120, "last": 24}
QUICK = [
    (kind, case) for kind, plot in PLOTS.items() for case in cases(plot) if case.name in ("one person", "padded")
] + [("rob", case) for case in cases(PLOTS["rob"]) if case.name == "classical"]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    yield
    structlog.reset_defaults()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "case"), QUICK, ids=[f"{kind}, {case.name}" for kind, case in QUICK])
def test_a_rare_window_that_somebody_could_use_looks_like_any_other(kind: str, case: Case) -> None:
    plot, most = PLOTS[kind], MOST[kind] // (2 if case.wish.pad_windows else 1)
    met = windows(case, 21, most, plot)
    assert len(met) == most
    assert most / 4 < sum(window.asked for window in met) < most * 3 / 4
    full = 4.0 if case.wish.pad_windows else 0.6
    assert {round(window.length, 6) for window in met} == {full}, "every window, of every kind, lasts its time"
    assert not told_apart(case, 22, most, plot)


@pytest.mark.parametrize("kind", ["rob", "wash"])
def test_the_eavesdropper_finds_out_where_nothing_is_hidden(kind: str) -> None:
    """Else the test above would say nothing."""
    plot = PLOTS[kind]
    naive = evolve(NAIVE, wish=evolve(cases(plot)[0].wish, floor_ms=0))
    same, right, chance = verdict(windows(naive, 23, 200, plot))["gap"]
    assert same < 1e-9
    assert right > 0.99 > chance
