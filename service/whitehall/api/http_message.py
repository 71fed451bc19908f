"""What the HTTP door's apps exchange with it: ASGI's messages, and the few things that all of them do with these."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, Protocol

from whitehall.api.desk import Header

Message = MutableMapping[str, Any]
"""A scope or an event of ASGI."""
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class ClientLeft(Exception):
    """The client has closed the connection before its request was there."""


class App(Protocol):
    """One protocol over HTTP, as an ASGI app that is called for the paths whose first segment is one of `segments`.

    The door has bounded the request's headers and body: `receive` raises a `Refusal` where the body is too large or too
    slow, which the app answers in its protocol's way as it does all others: see `whitehall.api.desk`. The door adds the
    headers of safety and of CORS to the answer, and sees to it that the app is not called once the process drains.
    """

    @property
    def segments(self) -> frozenset[str]:
        """What may stand between the first two slashes of a path of this app."""
        ...

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers one request."""
        ...


def headers_of(scope: Message) -> list[Header]:
    """The request's headers as the desk reads them."""
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]


async def body(receive: Receive) -> bytes:
    """The whole body of a request. Raises the `Refusal` of one that is too large or too slow, or `ClientLeft`."""
    chunks = []
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise ClientLeft
        chunks.append(event.get("body", b""))
        if not event.get("more_body", False):
            return b"".join(chunks)


@asynccontextmanager
async def while_connected(receive: Receive) -> AsyncIterator[None]:
    """Cancels what runs in the block when the client leaves, and raises `ClientLeft` afterwards. For requests whose
    body has been read. The visit has to be inside the block, so that it counts the call as cancelled.
    """

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        bound.reschedule(asyncio.get_running_loop().time())

    bound = asyncio.timeout(None)
    try:
        async with bound:
            watching = asyncio.ensure_future(watch())
            try:
                yield
            finally:
                watching.cancel()
    except TimeoutError:
        if bound.expired():
            raise ClientLeft from None
        raise
