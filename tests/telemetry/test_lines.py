"""Lines on their way out: in order, never waited for, and counted where they are dropped."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import TextIO

import pytest

from whitehall.telemetry.lines import WAITING_LINES, Lines

SPEAKER = """
import structlog
from whitehall.telemetry import log
log.configure("json", "info")
for number in range(100_000):
    structlog.get_logger().info("hello", number=number)
print(log.dropped_lines() > 0, flush=True)
"""
"""A process that says far more than fits into a pipe."""


@pytest.fixture
def pipe() -> Iterator[tuple[TextIO, TextIO]]:
    """The end that is read, and the one that is written."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "r") as reader, os.fdopen(writing, "w") as writer:
        yield reader, writer


def test_lines_come_out_in_their_order() -> None:
    out = io.StringIO()
    lines = Lines(out)
    for number in range(1000):
        lines.write(str(number))
    assert lines.flush(5)
    assert out.getvalue().splitlines() == [str(number) for number in range(1000)]
    assert lines.dropped == 0


def test_who_gives_a_line_to_a_log_that_nobody_reads_does_not_wait_and_what_is_too_much_is_counted(
    pipe: tuple[TextIO, TextIO],
) -> None:
    reader, writer = pipe
    lines = Lines(writer)
    given = 3 * WAITING_LINES
    for number in range(given):
        lines.write(f"{number:100}")
    assert not lines.flush(0.05), "the pipe has taken all of it"
    dropped = lines.dropped
    assert 0 < dropped < given
    read = [int(reader.readline()) for _ in range(given - dropped)]
    assert read == sorted(set(read)), "in order, and none twice"
    assert lines.flush(5)
    lines.write("again")
    assert reader.readline() == "again\n"
    assert lines.dropped == dropped


def test_after_its_close_all_is_written_and_the_thread_has_ended() -> None:
    out = io.StringIO()
    lines = Lines(out)
    lines.write("last")
    lines.close(5)
    assert out.getvalue() == "last\n"
    assert lines.flush(5)


def test_a_process_whose_log_nobody_reads_ends_all_the_same() -> None:
    with subprocess.Popen([sys.executable, "-c", SPEAKER], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"True\n"
        assert process.wait(10) == 0


def test_a_process_that_ends_has_written_its_last_lines() -> None:
    speaker = SPEAKER.replace("100_000", "500")
    ended = subprocess.run([sys.executable, "-c", speaker], capture_output=True, check=True)
    assert ended.stdout == b"False\n"
    assert len(ended.stderr.splitlines()) == 500
