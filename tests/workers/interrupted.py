"""The program of a worker that gets SIGTERM at one moment of its start: `python -m tests.workers.interrupted MOMENT`.

A moment is a function of the service, as module:name, and whether the signal comes before it is entered or after it has
returned. So the signal falls where it should, however fast or slow the machine is.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import signal
import sys
from typing import Any

from whitehall.workers import worker


def interrupt(moment: str) -> None:
    """Replace the moment's function by one that sends the signal."""
    when, _, place = moment.partition(" ")
    module, _, name = place.partition(":")
    *path, last = name.split(".")
    owner = functools.reduce(getattr, path, importlib.import_module(module))
    original: Any = inspect.getattr_static(owner, last)
    function = original.__func__ if isinstance(original, classmethod | staticmethod) else original

    def hit(at: str) -> None:
        if at == when:
            os.kill(os.getpid(), signal.SIGTERM)

    @functools.wraps(function)
    def plain(*args: Any, **named: Any) -> Any:
        hit("before")
        try:
            return function(*args, **named)
        finally:
            hit("after")

    @functools.wraps(function)
    async def waiting(*args: Any, **named: Any) -> Any:
        hit("before")
        try:
            return await function(*args, **named)
        finally:
            hit("after")

    changed: Any = waiting if inspect.iscoroutinefunction(function) else plain
    setattr(owner, last, classmethod(changed) if isinstance(original, classmethod) else changed)


if __name__ == "__main__":
    interrupt(sys.argv[1])
    worker.main()
