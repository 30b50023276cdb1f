import asyncio
import io
import json
import sys

import pytest

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


@pytest.mark.parametrize("trouble", [BrokenPipeError(32, "gone"), OSError(28, "full"), ValueError("closed file")])
def test_a_log_that_cannot_be_written_is_no_trouble_of_the_servers(trouble: Exception) -> None:
    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise trouble

        def flush(self) -> None:
            raise trouble

    start_log("info", Broken())
    log.info("table made")
    log.error("table failed", exc_info=RuntimeError("a fault"))


def test_without_a_standard_error_there_is_no_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    start_log("info")
    log.info("table made")
    assert capsys.readouterr().out == "", "the log is not what a program reads"
