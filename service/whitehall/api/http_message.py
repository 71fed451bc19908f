"""What the HTTP door's apps exchange with it: ASGI's messages, and the few things that all of them do with these."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, Protocol

from whitehall.api.headers import Headers, by_name

Message = MutableMapping[str, Any]
"""A scope or an event of ASGI."""
RawHeader = tuple[bytes, bytes]
"""A header as ASGI has it: its name in lower case, and its value."""
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


_HEADERS: Final = "whitehall.headers"
"""Where a scope keeps its headers once they have been read."""


class App(Protocol):
    """One protocol over HTTP, as an ASGI app that is called for the paths whose first segment is one of `segments`.

    The door has bounded the request's headers and body: `receive` raises a `Refusal` where the body is too large or too
    slow, which the app answers in its protocol's way as it does all others: see `whitehall.api.desk`. The door adds the
    headers of safety and of CORS to the answer, and sees to it that the app is not called once the process drains. The
    task that answers is cancelled when its client leaves.
    """

    @property
    def segments(self) -> frozenset[str]:
        """What may stand between the first two slashes of a path of this app."""
        ...

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers one request."""
        ...


def headers_of(scope: Message) -> Headers:
    """The request's headers. Of which encoding their bytes are nobody has agreed upon, so any will do."""
    found: Headers | None = scope.get(_HEADERS)
    if found is None:
        pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        found = scope[_HEADERS] = by_name(pairs)
    return found


async def body(receive: Receive) -> bytes:
    """The whole body of a request. Raises the `Refusal` of one that is too large or too slow."""
    chunks = []
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            # Half a body must never be taken for a whole one.
            raise asyncio.CancelledError
        chunks.append(event.get("body", b""))
        if not event.get("more_body", False):
            return b"".join(chunks)
