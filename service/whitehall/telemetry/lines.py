"""Lines on their way out, in a thread of their own: whoever reads the log slowly, or never, holds up nothing else."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Full, Queue
from threading import Thread
from typing import Final, TextIO

WAITING_LINES: Final = 10_000
"""Lines that may wait for their reader: some megabytes, and a second or so of the busiest service."""

_END: Final = None


class Lines:
    """Writes lines to a stream, in order. Whoever gives it a line never waits, and is never told of a broken stream.

    Where the reader lags too far behind, new lines are dropped and counted.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._waiting: Queue[str | None] = Queue(WAITING_LINES)
        self._dropped = 0
        # It may hang in a write when the process ends, and must not keep it from ending.
        Thread(target=self._write_all, name="log", daemon=True).start()

    @property
    def dropped(self) -> int:
        """Lines that were never written because too many others waited."""
        return self._dropped

    def write(self, line: str) -> None:
        """Takes one line, without its line break."""
        try:
            self._waiting.put_nowait(line)
        except Full:
            self._dropped += 1

    debug = info = warning = error = critical = write

    def flush(self, seconds: float) -> bool:
        """Waits until every line given so far is out, or so many seconds have passed; whether they are out."""
        deadline = time.monotonic() + seconds
        with self._waiting.all_tasks_done:
            while self._waiting.unfinished_tasks:
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._waiting.all_tasks_done.wait(left)
        return True

    def close(self, seconds: float) -> None:
        """Ends the thread, after a flush of at most so many seconds."""
        if self.flush(seconds):
            self._waiting.put(_END)

    def _write_all(self) -> None:
        write = _writer(self._stream)
        while (line := self._waiting.get()) is not _END:
            with suppress(OSError, ValueError):
                write(line + "\n")
            self._waiting.task_done()
        self._waiting.task_done()


def _writer(stream: TextIO) -> Callable[[str], object]:
    """Writes to the file below Python's buffers where there is one: a thread that hangs in a buffer's write would block
    the interpreter's end.
    """
    try:
        number = stream.fileno()
    except OSError:
        return stream.write

    def write(text: str) -> None:
        left = text.encode(errors="backslashreplace")
        while left:
            left = left[os.write(number, left) :]

    return write
