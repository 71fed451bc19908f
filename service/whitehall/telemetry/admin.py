"""The admin port: metrics and health for machines, over HTTP, away from the public and from the calls.

| path     | answers                                                                                     |
|----------|---------------------------------------------------------------------------------------------|
| /metrics | all metrics, as OpenMetrics where `Accept` asks for it, in gzip where that is accepted     |
| /livez   | 200 as long as the event loop turns; knows of nothing else, so nothing else gets us killed  |
| /readyz  | 200 or 503; with `?verbose`, or when not ready, a line for each check                       |

uvicorn does the HTTP, in the event loop of the calls. Three paths need nothing more on top of it.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import parse_qs

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from whitehall.telemetry.health import CheckResult
from whitehall.telemetry.sockets import address_of, listen

Message = MutableMapping[str, Any]
"""A scope or an event of ASGI."""

CONNECTION_SECONDS: Final = 10.0
"""How long a client has for all of its request and of our answer."""
MAX_HEADER_BYTES: Final = 16_384
"""The longest request line and headers that are read."""
GZIP_LEVEL: Final = 1
"""Takes a tenth of what the text takes to be written, and makes a twentieth of it."""
_GZIP: Final = re.compile(r"(?:^|,)\s*gzip\s*(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))(?:[;,]|$)", re.IGNORECASE)
_METHODS: Final = ("GET", "HEAD")


class Counted(Protocol):
    """Who is asked for the metrics: those of this process, or of several."""

    async def scrape(self, accept: str) -> tuple[bytes, str]:
        """All metrics as text, and its content type."""
        ...


class Checked(Protocol):
    """Who is asked whether calls should be sent here."""

    @property
    def ready(self) -> bool:
        """Whether they should."""
        ...

    @property
    def draining(self) -> bool:
        """Whether that is over for good."""
        ...

    @property
    def results(self) -> tuple[CheckResult, ...]:
        """What each check found."""
        ...


class AdminServer:
    """Serves the admin port from `start` to `stop`. Leaves signals, logging and the choice of event loop alone."""

    def __init__(self, address: str, metrics: Counted, health: Checked) -> None:
        """`address` is host:port, an IPv6 host in brackets; port 0: any free one."""
        self._address = address
        self._metrics = metrics
        self._health = health
        self._running: _Running | None = None

    @property
    def address(self) -> str:
        """Where it listens, as host:port; before `start`, where it is to."""
        return self._address if self._running is None else address_of(self._running.listener)

    async def start(self) -> str:
        """Listen, and tell the real address. Raises OSError where that is not possible."""
        config = uvicorn.Config(
            self._app,
            interface="asgi3",
            http=_Connection,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",  # Its warnings are of what any stranger may do, and as often as they like.
            access_log=False,
            proxy_headers=False,
            server_header=False,
            headers=[("connection", "close")],
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            timeout_graceful_shutdown=1,
        )
        config.load()
        listener = await listen(self._address)
        # What Server.serve does, less its signal handlers.
        server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets=[listener])
        self._running = _Running(server, listener, asyncio.create_task(server.main_loop()))
        return self.address

    async def stop(self) -> None:
        """Stop listening, finish what is being answered, and end within about a second. Can be repeated."""
        if self._running is None:
            return
        server, listener, ticking = self._running
        self._running = None
        ticking.cancel()
        await asyncio.wait([ticking])
        await server.shutdown(sockets=[listener])

    async def __aenter__(self) -> str:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _app(self, scope: Message, _receive: object, send: Callable[[Message], Awaitable[None]]) -> None:
        answer = await self._answer(scope)
        body = answer.body
        headers = [
            (b"content-type", answer.content_type.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            *answer.headers,
        ]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, request: Message) -> _Answer:
        paths = {"/metrics": self._scrape, "/livez": _livez, "/readyz": self._readyz}
        answer = paths.get(request["path"])
        if answer is None:
            return _text(HTTPStatus.NOT_FOUND, f"There are {', '.join(paths)}.")
        if request["method"] not in _METHODS:
            allowed = ", ".join(_METHODS)
            return _text(HTTPStatus.METHOD_NOT_ALLOWED, f"Only {allowed}.", (b"allow", allowed.encode()))
        return await answer(request)

    async def _scrape(self, request: Message) -> _Answer:
        body, content_type = await self._metrics.scrape(_header(request, b"accept"))
        vary = (b"vary", b"accept, accept-encoding")
        if not _GZIP.search(_header(request, b"accept-encoding")):
            return _Answer(HTTPStatus.OK, body, content_type, (vary,))
        packed = gzip.compress(body, compresslevel=GZIP_LEVEL, mtime=0)
        return _Answer(HTTPStatus.OK, packed, content_type, (vary, (b"content-encoding", b"gzip")))

    async def _readyz(self, request: Message) -> _Answer:
        ready = self._health.ready
        verdict = "ready" if ready else "draining" if self._health.draining else "not ready"
        lines = [verdict]
        if not ready or "verbose" in parse_qs(request["query_string"].decode("latin-1"), keep_blank_values=True):
            lines += [f"{check.name}: {check.problem or 'ok'}" for check in self._health.results]
        return _text(HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE, "\n".join(lines))


class _Running(NamedTuple):
    server: uvicorn.Server
    listener: socket.socket
    ticking: asyncio.Task[None]


class _Answer(NamedTuple):
    status: HTTPStatus
    body: bytes
    content_type: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class _Connection(H11Protocol):
    """A connection that carries one request and ends in time, however slowly its client sends or reads.

    uvicorn itself only ends connections that are quite silent.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._end = self.loop.call_later(CONNECTION_SECONDS, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end.cancel()
        super().connection_lost(exc)


def _header(request: Message, name: bytes) -> str:
    return b",".join(value for each, value in request["headers"] if each == name).decode("latin-1")


async def _livez(_request: Message) -> _Answer:
    return _text(HTTPStatus.OK, "alive")


def _text(status: HTTPStatus, text: str, *headers: tuple[bytes, bytes]) -> _Answer:
    return _Answer(status, f"{text}\n".encode(), "text/plain; charset=utf-8", headers)
