import ast
import asyncio
import fcntl
import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from parlour_server.log import LogPipe, log, log_loop_trouble, start_log


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


def pipe(most: int) -> tuple[LogPipe, int, int]:
    """A log into a pipe of the system's least size, and the pipe's two ends."""
    read, write = os.pipe()
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
    return LogPipe(write, most), read, write


def drained(read: int, write: int) -> list[str]:
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as reader:
        return reader.read().splitlines()


def test_lines_come_out_in_order_and_whole() -> None:
    writer, read, write = pipe(1000)
    for number in range(50):
        writer.put(f"line {number}")
    writer.close()

    assert drained(read, write) == [f"line {number}" for number in range(50)]
    assert writer.lost == 0


@pytest.mark.skipif(not hasattr(fcntl, "F_SETPIPE_SZ"), reason="only Linux lets a pipe be made so small")
def test_a_reader_that_does_not_read_holds_up_nobody() -> None:
    writer, read, write = pipe(100)
    line = "x" * 500
    began = time.monotonic()
    for _ in range(500):
        writer.put(line)
    writer.close(0.05)
    assert time.monotonic() - began < 1, "a write into a full pipe would wait for ever"
    # The pipe holds eight lines, the queue 100, and one may be under way.
    assert 500 - 100 - 10 <= writer.lost <= 400

    with open(read, encoding="utf-8", closefd=False) as reader:
        assert reader.readline() == line + "\n"
    waiting = b""
    while len(waiting) < 50 * 500:
        waiting += os.read(read, 65536)
    os.close(write)
    os.close(read)


def test_what_was_lost_is_said_once_there_is_room() -> None:
    writer, read, write = pipe(3)
    blocker = "b" * 5000
    writer.put(blocker)
    for _ in range(200):
        writer.put("x")
        if writer.lost:
            break
        time.sleep(0.001)
    lost = writer.lost
    assert lost > 0
    text = b""
    while b"lines lost" not in text or not text.endswith(b"\n"):
        text += os.read(read, 65536)
    writer.close()
    os.close(write)
    os.close(read)

    (said,) = [json.loads(line) for line in text.decode().splitlines() if line.startswith("{")]
    assert (said["event"], said["lines"], said["level"]) == ("log lines lost", lost, "warning")


def test_a_pipe_that_nobody_reads_any_more_loses_lines_and_nothing_else() -> None:
    writer, read, write = pipe(1000)
    os.close(read)
    writer.put("to nobody")
    writer.close()
    os.close(write)

    assert writer.lost == 1


def test_a_pipe_that_never_waits_is_waited_for_by_the_writer_alone() -> None:
    writer, read, write = pipe(1000)
    os.set_blocking(write, False)
    for _ in range(100):
        writer.put("x" * 499)
    text = b""
    while len(text) < 100 * 500:
        text += os.read(read, 65536)
    writer.close()
    os.close(write)
    os.close(read)

    assert text == (b"x" * 499 + b"\n") * 100
    assert writer.lost == 0


SERVER = """
import sys
from parlour_server.log import log, lost_lines, start_log
start_log("info")
for number in range(int(sys.argv[1])):
    log.info("line", number=number, filling="x" * 400)
print(lost_lines())
"""


def test_the_last_lines_are_written_before_the_process_ends() -> None:
    done = subprocess.run([sys.executable, "-c", SERVER, "300"], capture_output=True, text=True, check=True, timeout=60)

    assert [json.loads(line)["number"] for line in done.stderr.splitlines()] == list(range(300))


def test_a_process_ends_although_nobody_reads_its_log() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, "3000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.wait(timeout=60) == 0
    assert process.stdout is not None
    assert process.stderr is not None
    assert int(process.stdout.read()) == 0, "they all had room in the queue"
    assert "Fatal" not in process.stderr.read()
    process.stdout.close()
    process.stderr.close()


def test_the_keeper_is_told_what_every_event_means() -> None:
    """docs/operations.md has each event that the server may log, and none besides."""
    root = Path(__file__).resolve().parents[2]
    logged = {"log lines lost"}
    """Written by the log itself."""
    for source in (root / "server" / "parlour_server").rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("log."):
                event = node.args[0]
                assert isinstance(event, ast.Constant), ast.unparse(node)
                logged.add(str(event.value))
    document = (root / "docs" / "operations.md").read_text(encoding="utf-8")
    table = document.split("| event | meaning |\n")[1].split("\n\n")[0]
    cells = [row.split("|")[1] for row in table.splitlines()[1:]]
    assert sorted(logged) == sorted(event for cell in cells for event in re.findall(r"`(.*?)`", cell))
