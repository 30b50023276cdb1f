import asyncio
import io
import json

from parlour_server.log import log, log_loop_trouble, start_log


def written(level: str = "info") -> io.StringIO:
    stream = io.StringIO()
    start_log(level, stream)
    return stream


def test_a_line_is_one_object_of_json() -> None:
    stream = written()
    log.info("table made", table="abc")
    log.debug("not said")

    (line,) = stream.getvalue().splitlines()
    said = json.loads(line)
    assert (said["event"], said["level"], said["table"]) == ("table made", "info", "abc")
    assert said["timestamp"].endswith("Z")


def test_a_line_that_died_makes_no_noise_and_a_fault_does() -> None:
    """N19: no traceback for each of thousands of dying sockets."""
    stream = written()
    loop = asyncio.new_event_loop()
    log_loop_trouble(loop, {"message": "Fatal write error", "exception": ConnectionResetError(104, "reset")})
    assert stream.getvalue() == ""

    log_loop_trouble(loop, {"message": "Exception in callback", "exception": RuntimeError("a fault")})
    loop.close()
    said = json.loads(stream.getvalue())
    assert said["event"] == "event loop trouble"
    assert "a fault" in said["exception"]
