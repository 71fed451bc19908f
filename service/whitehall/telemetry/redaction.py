"""What never leaves the process in a log line: tokens, passwords, and the values inside exceptions and objects.

The code is not to log any of these in the first place; this is the net beneath it. It looks at the finished line, so
that nothing gets past it inside a list, a key or another library's message.
"""

from __future__ import annotations

import math
import re
import traceback
from collections.abc import Iterator, Mapping
from datetime import date, time, timedelta
from enum import Enum
from pathlib import PurePath
from typing import Final
from uuid import UUID

MASK: Final = "[redacted]"

_TOKEN = re.compile(r"(wh_(?:host|seat|spectator|operator)_)[^\s\"'\\\x1b]+")
# The greedy end takes an @ in the password along; neither a slash nor a space can be in one.
_URL_PASSWORD = re.compile(r"(\b[A-Za-z][A-Za-z0-9+.]*://[^\s/:@\"']*:)[^\s/]*@")
_QUERY_PASSWORD = re.compile(r"([?&][\w.%-]*password=)[^\s&#\"'\\\x1b]*", re.IGNORECASE)
_MOST_FRAMES: Final = 30
_MOST_CAUSES: Final = 10


def redact(line: str) -> str:
    """The line with tokens and the passwords in URLs masked. JSON stays JSON."""
    if "wh_" in line:
        line = _TOKEN.sub(rf"\1{MASK}", line)
    if "://" in line:
        line = _URL_PASSWORD.sub(rf"\1{MASK}@", line)
        line = _QUERY_PASSWORD.sub(rf"\1{MASK}", line)
    return line


def plain(value: object) -> object:
    """The value if it is text, a number, a time, a path or made of these; of anything else, no more than its type."""
    match value:
        case None | bool():
            return value
        case Enum():
            return plain(value.value)
        case str():
            return str(value)
        case int():
            return int(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case date() | time() | timedelta() | PurePath() | UUID():
            return str(value)
        case Mapping():
            return {str(plain(key)): plain(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(item) for item in value]
        case _:
            return f"<{_name(type(value))}>"


def describe(error: BaseException) -> str:
    """The exception's type and the place of each frame, the innermost last, then the same of what it came from.

    No message and no argument: an exception of the rules may hold a position, one of a library a whole request.
    """
    return "\n".join(_described(error, set()))


def _described(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    yield _name(type(error))
    frames = list(traceback.walk_tb(error.__traceback__))
    if len(frames) > _MOST_FRAMES:
        yield f"  after {len(frames) - _MOST_FRAMES} frames more"
    for frame, line in frames[-_MOST_FRAMES:]:
        yield f"  {frame.f_code.co_filename}:{line} {frame.f_code.co_qualname}"
    for relation, origin in _origins(error):
        if id(origin) not in seen and len(seen) <= _MOST_CAUSES:
            first, *rest = _described(origin, seen)
            yield f"{relation} {first}"
            yield from rest


def _origins(error: BaseException) -> Iterator[tuple[str, BaseException]]:
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions:
            yield "holding", member
    if error.__cause__ is not None:
        yield "caused by", error.__cause__
    elif error.__context__ is not None and not error.__suppress_context__:
        yield "while handling", error.__context__


def _name(kind: type) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
