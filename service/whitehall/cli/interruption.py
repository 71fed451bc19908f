"""Interruption: what Ctrl-C makes of a command that answers questions."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""The exit code, that of other programs which Ctrl-C ends. None of a command's own codes may be taken for it."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C ends what is done here without a word."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
