"""Streams in place of those that are missing: whoever starts a program may have closed its input or its output."""

import os
import sys
from typing import TextIO, cast


def nothing(mode: str) -> TextIO:
    """A stream with nothing to read, and where nothing that is written is missed, to the end of the process."""
    return cast(TextIO, open(os.devnull, mode))  # noqa: PTH123 - as said


def complete() -> None:
    """Puts streams where some are missing. Words to the side are not missed where nobody reads them, answers are: the
    stream for these fails once something is written, as one does that has been closed.
    """
    # In this order each gets the number that it has in every program, lest a file or a connection gets that.
    if sys.stdin is None:
        sys.stdin = nothing("r")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = nothing("w")
