"""Server-Sent Events: a stream of answers as `text/event-stream`.

    event: update
    id: 17-0123456789abcdef
    data: {"update": {...}, "reset": false}

An event is named by the case that its message is, and has the whole message for data. Its id is the cursor of the
revision that it brings: sent back as `Last-Event-ID`, the stream goes on behind it. Whatever ends the stream but its
own end comes as the event `error`, a `google.rpc.Status`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final, TypeVar, cast

from google.protobuf.message import Message

from whitehall.api.answer import Answer, Encoded, proto_bytes
from whitehall.api.json_writing import json_writer
from whitehall.api.problems import problem_body
from whitehall.api.streams import END, upcoming
from whitehall.sessions.refusal import Refusal

T = TypeVar("T")

FIRST_SECONDS: Final = 0.5
"""How long the headers of a stream wait for its first message, so that a refusal can have its status."""
PRELUDE: Final = b"retry: 1000\n\n"
"""How many milliseconds a browser waits before it comes back."""
SILENCE: Final = b":\n\n"
"""A comment, which says no more than that the stream is alive."""
SILENCE_SECONDS: Final = 20.0
"""How long nothing may be sent, lest somebody between takes the connection for dead."""

_KIND: Final = "kind"
_CURSOR: Final = ("update", "revision", "cursor")


def event_writer(kind: type[Message]) -> Callable[[Answer], bytes]:
    """What writes a stream's messages of this type as events."""
    write = json_writer(kind)
    has_kind = _KIND in kind.DESCRIPTOR.oneofs_by_name

    def event(answer: Answer) -> bytes:
        message: Any = kind.FromString(answer.proto) if isinstance(answer, Encoded) else answer
        lines = []
        if has_kind:
            case = message.WhichOneof(_KIND)
            if case is not None:
                lines.append(b"event: " + case.encode())
            if case == _CURSOR[0]:
                for step in _CURSOR:
                    message = getattr(message, step)
                lines.append(b"id: " + message.encode())
        lines.append(b"data: " + write(proto_bytes(answer)))
        return b"\n".join(lines) + b"\n\n"

    return event


def error_event(refusal: Refusal, language: str) -> bytes:
    """The last event of a stream that was refused after it had begun."""
    return b"event: error\ndata: " + problem_body(refusal, language) + b"\n\n"


async def with_silences(items: AsyncGenerator[T], first: float, later: float) -> AsyncGenerator[T | None]:
    """The items, and None where nothing came for so many seconds. Closes them when it ends or is closed itself."""
    coming = asyncio.ensure_future(upcoming(items))
    seconds = first
    try:
        while True:
            await asyncio.wait({coming}, timeout=seconds)
            seconds = later
            if not coming.done():
                yield None
                continue
            item = coming.result()
            if item is END:
                return
            yield cast(T, item)
            coming = asyncio.ensure_future(upcoming(items))
    finally:
        # The generator can't be closed while a task is inside it.
        coming.cancel()
        await asyncio.wait({coming})
        await items.aclose()
