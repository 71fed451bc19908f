"""Interruption: how a command ends that somebody stops, by Ctrl-C or by not reading on."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""The exit code, that of other programs which Ctrl-C ends. None of a command's own codes may be taken for it."""

UNREAD = 141
"""The exit code where nobody reads the answers any more: that of other programs that a closed pipe ends."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C, and answers that nobody reads, end what is done here without a word."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Python would try once more at the end to write what nobody reads.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(UNREAD)
