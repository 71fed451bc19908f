"""A connection over HTTP, by uvicorn: bounded in the size of its headers, its age and how slow its client may be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from whitehall.api.errors import DEFAULT_LOCALE
from whitehall.api.http_limits import ConnectionLimits
from whitehall.api.http_message import Message, RawHeader
from whitehall.api.http_parser import RequestParser
from whitehall.api.problems import HEAD, problem
from whitehall.sessions.refusal import Reason, Refusal

_LINGER_SECONDS: Final = 1.0
"""How long a client has to read that it is refused, before the connection ends."""
_VERSIONS: Final = ("1.0", "1.1")
"""Of HTTP. The parser reads requests that say to be of older and newer ones too."""
_HEADER_BYTES: Final = len(": \r\n")
"""Of a header besides its name and its value. Many a one that says nothing is as much work as a long one."""
_PATIENCE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
"""What any client of HTTP/1.1 passes over, once or several times, while it waits for its answer (RFC 9110, 15.2)."""
Safety = Callable[[Message], Iterable[RawHeader]]
"""Which headers an answer to a request has to bear, whoever answers."""


class _HeadTooLong(Exception):
    pass


class _TooFarAhead(Exception):
    pass


class _NotOneHost(Exception):
    pass


class _OtherVersion(Exception):
    pass


class _OtherCoding(Exception):
    pass


class Connection(HttpToolsProtocol):
    """One connection. uvicorn itself bounds nothing but the time between two requests."""

    def __init__(self, limits: ConnectionLimits, safety: Safety, **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self._limits = limits
        self._safety = safety
        self._born = self.loop.time()
        self._reading: asyncio.TimerHandle | None = None
        """Ends the connection unless the client has sent what it is sending."""
        self._writing: asyncio.TimerHandle | None = None
        """Ends the connection unless the client has read what has piled up."""
        self._asking: asyncio.TimerHandle | None = None
        """Asks whether a client that will say no more is still there."""
        self._is_refused = False
        self._is_over = False
        """Whether nobody waits for an answer any more: the connection is closed, or a body turned out to be none."""
        self._answering: asyncio.Task[None] | None = None
        """The task that answers the request whose turn it is."""
        self._cycle: RequestResponseCycle | None = None
        """The same request, as uvicorn keeps it."""
        self._app, self.app = self.app, self._answer
        self._in_head = True
        self._head_bytes = 0
        """What has come since the request began, as long as its head is not complete."""
        self._told_bytes = 0
        """How much of that the parser has told of."""
        self._late_bytes = 0
        """What has come of a body since its answer was sent."""
        self._ahead_bytes = 0
        """What has come since requests wait for their turn."""
        self.parser = RequestParser(self)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections:
            limit = {"limit": self._limits.connections}
            self._refuse(Refusal(Reason.TOO_MANY_CONNECTIONS, metadata=limit, retry_after=1.0))
            return
        self._read_within_bounds()

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        """Answers a request, for as long as its client waits for that."""
        if self._is_over:
            return
        self._answering = asyncio.current_task()
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            if not self._is_over:
                raise
        finally:
            self._answering = None

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._cycle = cycle
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        self._give_up()
        for timer in (self._reading, self._writing, self._asking):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        """Ends what is being done for a request that needs no answer any more."""
        self._is_over = True
        if self._answering is not None:
            self._answering.cancel()
        if self._cycle is not None:
            # Of several requests that were sent at once uvicorn knows the last one only.
            self._cycle.disconnected = True

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client will say no more: it has left, or has said all and waits. Which of them nobody can tell before
        something is written to it. So who has asked is answered, and then the connection ends. Over TLS it ends at
        once; a stream, which has no end to wait for, ends when one begins to doubt.
        """
        cycle = self._cycle
        if self.scheme == "https" or self._is_over or cycle is None or cycle.response_complete or cycle.more_body:
            return False
        if self.pipeline and self.pipeline[0][0].more_body:
            self.pipeline.popleft()  # It was never asked to its end.
        last = self.pipeline[0][0] if self.pipeline else cycle
        last.keep_alive = False
        for timer in (self._reading, self._asking):
            if timer is not None:
                timer.cancel()
        self._asking = self.loop.call_later(self._limits.doubt_seconds, self._ask, self._limits.doubt_seconds)
        return True

    def _ask(self, waited: float) -> None:
        """Asks the client whether it is still there: to one that is gone nothing can be written a second time."""
        cycle = self._cycle
        if cycle is None or self.transport.is_closing():
            return
        if self._is_in_stream(cycle):
            self.transport.close()
            return
        if not cycle.response_started and cycle.scope["http_version"] != "1.0":
            self.transport.write(_PATIENCE)
        self._asking = self.loop.call_later(2 * waited, self._ask, 2 * waited)

    def _is_in_stream(self, cycle: RequestResponseCycle) -> bool:
        """Whether an answer has begun and goes on. One that is whole is handed over whole, as fast as it is read."""
        return cycle.response_started and not cycle.response_complete and not self.flow.write_paused

    def data_received(self, data: bytes) -> None:
        if self._is_refused or (not self._in_head and self.cycle.response_complete):
            self._late_bytes += len(data)
            if self._late_bytes > self._limits.late_bytes:
                self.transport.abort()
        if self._is_refused or self.transport.is_closing():
            return
        was_in_head = self._in_head
        super().data_received(data)
        self._read_ahead(len(data))
        # Of a header that is not complete yet the parser tells nothing, but keeps it.
        if was_in_head and self._in_head and not self._is_refused:
            self._head_bytes += len(data)
            if self._head_bytes > self._limits.header_bytes:
                self._refuse(self._too_long())

    def _read_ahead(self, size: int) -> None:
        """Reads on while requests wait for their turn: uvicorn would not, nor notice that their client has left."""
        if not self.pipeline:
            self._ahead_bytes = 0
            return
        self._ahead_bytes += size
        if self._ahead_bytes > self._limits.ahead_bytes:
            self.transport.abort()
        else:
            self.flow.resume_reading()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._head_bytes = self._told_bytes = 0
        self._read_within_bounds()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value) + _HEADER_BYTES)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._late_bytes = 0
        if len(self.pipeline) == self._limits.ahead:
            raise _TooFarAhead
        self._check_head()
        super().on_headers_complete()
        if self.loop.time() - self._born > self._limits.age:
            self.cycle.keep_alive = False

    def _check_head(self) -> None:
        """Refuses what one could read differently who stands between, and so take for a request of another host."""
        version = self.parser.get_http_version()
        if version not in _VERSIONS:
            raise _OtherVersion
        # The parser takes no other one away, and would take what is left for the body (RFC 9112, 6.1).
        if any(name == b"transfer-encoding" and value.lower() != b"chunked" for name, value in self.headers):
            raise _OtherCoding
        hosts = [name for name, _ in self.headers].count(b"host")
        # RFC 9112, 3.2: HTTP/1.0 may do without.
        if hosts > 1 or (not hosts and version != "1.0"):
            raise _NotOneHost

    def on_message_complete(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._writing = self.loop.call_later(self._limits.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        too_long = self._told_bytes > self._limits.header_bytes
        self._refuse(self._too_long() if too_long else Refusal(Reason.MALFORMED_REQUEST, metadata={"type": "HTTP"}))

    def _too_long(self) -> Refusal:
        return Refusal(Reason.REQUEST_TOO_LARGE, metadata={"limit": self._limits.header_bytes, "what": HEAD})

    def _count(self, size: int) -> None:
        self._told_bytes += size
        if self._told_bytes > self._limits.header_bytes:
            raise _HeadTooLong

    def _read_within_bounds(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._reading = self.loop.call_later(self._limits.request_seconds, self._too_slow)

    def _too_slow(self) -> None:
        """An app that still waits for the body ends its wait itself, and with an answer."""
        if self._in_head or self.cycle.response_complete:
            self.transport.close()
        else:
            self._read_within_bounds()

    def _refuse(self, refusal: Refusal) -> None:
        """Answers what never becomes a request, in the language of those who have not said theirs; and hangs up."""
        self._is_refused = True
        cycle = self._cycle
        if cycle is not None and not cycle.response_complete:
            if cycle is not self.cycle or not cycle.more_body or cycle.response_started:
                # What is wrong behind a request must not be taken for its answer, which is the last one here.
                cycle.keep_alive = False
                return
            # Its own body can't be read.
            self._give_up()
        told = problem(refusal, DEFAULT_LOCALE)
        # As far as they have come; of a connection that is one too many none have.
        came: Message = {"headers": self.headers or ()}
        length = (b"content-length", str(len(told.body)).encode())
        headers = [*told.headers, *self._safety(came), length, (b"connection", b"close")]
        first = f"HTTP/1.1 {told.status.value} {told.status.phrase}\r\n".encode()
        self.transport.write(first + b"".join(b"%b: %b\r\n" % header for header in headers) + b"\r\n" + told.body)
        # Who closes while the other side still sends takes away what it has said.
        self.loop.call_later(_LINGER_SECONDS, self.transport.close)
