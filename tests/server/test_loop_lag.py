import asyncio
import io
import json
import time

from parlour_server.log import start_log
from parlour_server.loop_lag import LATE, watch_loop


async def test_a_loop_that_is_held_up_is_told_and_logged_once() -> None:
    said = io.StringIO()
    start_log("info", said)
    lags: list[float] = []
    watching = asyncio.get_running_loop().create_task(watch_loop(lags.append))
    await asyncio.sleep(0.25)
    assert lags, "it looks several times a second"
    for _ in range(2):
        time.sleep(LATE + 0.15)  # noqa: ASYNC251 # what must not be done is what this is about
        await asyncio.sleep(0.15)
    watching.cancel()

    assert sum(lag > LATE for lag in lags) == 2
    (line,) = [json.loads(text) for text in said.getvalue().splitlines()]
    assert (line["event"], line["level"]) == ("loop held up", "warning")
    assert line["ms"] >= LATE * 1000
