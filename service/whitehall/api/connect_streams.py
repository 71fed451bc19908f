"""Connect's streams and gRPC-Web, by connectrpc: the one module that knows this library, with `connect_refusal`.

The library speaks the protocols: envelopes, compression, trailers. It hands over a request's bytes as they are and
takes an answer's, so that messages are read, checked and written as at all other doors. Before it has read a request,
and after the call has ended in whatever way, it calls `_Reception`, where the visit to the desk begins and ends.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

from connectrpc.code import Code
from connectrpc.codec import Codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication
from connectrpc.server import Endpoint as ConnectEndpoint

from whitehall.api import json_sentences as say
from whitehall.api.answer import proto_bytes
from whitehall.api.call import Call
from whitehall.api.connect_refusal import connect_error, refusal_of
from whitehall.api.desk import Desk, Method, Visit
from whitehall.api.endpoint import Endpoint, ServerStream, Unary, answer_type, is_safe
from whitehall.api.headers import by_name
from whitehall.api.http_message import Message, Receive, Send, headers_of
from whitehall.api.json_reading import read_json
from whitehall.api.json_writing import json_writer
from whitehall.api.pipeline import Reading, answer, asked, parsed, respond
from whitehall.api.problems import retry_after
from whitehall.sessions.refusal import Refusal, invalid_field
from whitehall.telemetry.metrics import Transport

Context = RequestContext[Any, Any]

_CHECKED: Final = {
    "connect-timeout-ms": re.compile(r"[0-9]{1,10}"),
    "grpc-timeout": re.compile(r"[0-9]{1,8}[HMSmun]"),
    "connect-protocol-version": re.compile(r"1"),
}
"""Headers that the library refuses without our details, and what they may be."""
_BAD: Final = "x-whitehall-bad-"
"""What stands before the name of such a header that is something else, so that it is refused by us."""

_ACCEPTS: Final = ("connect-accept-encoding", "grpc-accept-encoding")
"""Headers by which a client asks for compressed answers."""

_GRPC_WEB: Final = "application/grpc-web"

_call: ContextVar[Call] = ContextVar("call")
"""The call that the running task answers."""


class ConnectStreams:
    """The app for these: for POST to the path of one of the endpoints, in one of their content types."""

    def __init__(self, endpoints: Iterable[Unary | ServerStream], desk: Desk, message_bytes: int) -> None:
        served = tuple(endpoints)
        self._app = _Application(served, desk, message_bytes)
        # What holds tokens is not compressed: its length would tell of what it shares with the rest.
        self._secretive = frozenset(f"/{each.service}/{each.name}" for each in served if not is_safe(each))

    async def __call__(self, scope: Message, receive: Receive, send: Send, kind: str) -> None:
        """Answers a request of this content type, however that was written."""
        headers = {name: value for name, value in headers_of(scope).items() if not name.startswith(_BAD)}
        headers["content-type"] = kind
        if scope["raw_path"].decode("latin-1") in self._secretive:
            for name in _ACCEPTS:
                headers.pop(name, None)
        for name, good in _CHECKED.items():
            if name in headers and not good.fullmatch(headers[name]):
                headers[_BAD + name] = headers.pop(name)
        # The library takes headers for UTF-8, which they need not be.
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        # The library's own types of ASGI are narrower than ours.
        app: Any = self._app
        await app({**scope, "headers": encoded}, receive, send)


@dataclass(frozen=True, slots=True)
class _Payload:
    """A request as it arrived, decompressed."""

    data: bytes
    is_json: bool

    def reading(self, endpoint: Endpoint) -> Reading:
        """What reads it."""
        read = read_json if self.is_json else parsed
        return lambda: (read(endpoint.request, self.data), len(self.data))


class _Application(ConnectASGIApplication[None]):
    """The library's app."""

    def __init__(self, endpoints: Iterable[Unary | ServerStream], desk: Desk, message_bytes: int) -> None:
        # The library wants to be told which kinds of endpoints there are, and does not export their names.
        served: Any = {f"/{each.service}/{each.name}": _served(each, desk) for each in endpoints}
        super().__init__(
            service=None,
            endpoints=lambda _: served,
            interceptors=[_Reception(endpoints, desk, message_bytes)],
            read_max_bytes=message_bytes,
            codecs=[_AsItIs("proto"), _AsItIs("json")],
        )

    @property
    def path(self) -> str:
        return "/"


class _AsItIs(Codec[bytes, _Payload]):
    """A codec that leaves messages alone."""

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        return self._name

    def encode(self, message: bytes) -> bytes:
        return message

    def decode(self, data: bytes | bytearray, message_class: type[_Payload]) -> _Payload:
        return message_class(bytes(data), self._name == "json")


class _Reception:
    """Begins and ends the visit of each call, and has refusals told in the library's words."""

    def __init__(self, endpoints: Iterable[Endpoint], desk: Desk, message_bytes: int) -> None:
        self._message_bytes = message_bytes
        self._methods: dict[tuple[str, str, Transport], Method] = {
            (endpoint.service, endpoint.name, door): desk.method(endpoint, door)
            for endpoint in endpoints
            for door in _doors(endpoint)
        }

    async def on_start(self, context: Context) -> Visit:
        headers = context.request_headers
        door: Transport = "grpc_web" if headers.get("content-type", "").startswith(_GRPC_WEB) else "connect"
        method = self._methods[context.method.service_name, context.method.name, door]
        left = context.timeout_ms
        visit = method.visit(by_name(list(headers.allitems())), None if left is None else max(0.0, left / 1000))
        try:
            _call.set(visit.begin())
            for name in headers:
                if name.startswith(_BAD):
                    fault = invalid_field(name.removeprefix(_BAD), say.NO_VALUE)
                    raise visit.end(fault) or fault
        except Refusal as refusal:
            raise _told(refusal, visit, context) from refusal
        return visit

    async def on_end(self, visit: Visit, context: Context, error: Exception | None, /) -> None:
        if isinstance(error, ConnectError):
            if error.code is Code.CANCELED:
                visit.left()
                return
            error = refusal_of(error, self._message_bytes)
        refusal = visit.end(error)
        if refusal is not None:
            raise _told(refusal, visit, context) from refusal


def _doors(endpoint: Endpoint) -> tuple[Transport, ...]:
    return ("grpc_web",) if isinstance(endpoint, Unary) else ("connect", "grpc_web")


def _told(refusal: Refusal, visit: Visit, context: Context) -> ConnectError:
    for name, value in retry_after(refusal):
        context.response_headers[name.decode()] = value.decode()
    return connect_error(refusal, visit.language)


def _served(endpoint: Unary | ServerStream, desk: Desk) -> ConnectEndpoint[_Payload, bytes]:
    method: MethodInfo[_Payload, bytes] = MethodInfo(
        name=endpoint.name,
        service_name=endpoint.service,
        input=_Payload,
        output=bytes,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.UNARY if isinstance(endpoint, Unary) else StreamType.SERVER_STREAM,
    )
    if isinstance(endpoint, Unary):
        return ConnectEndpoint.unary(method, _unary(endpoint, desk))
    return ConnectEndpoint.server_stream(method, _server_stream(endpoint))


def _unary(endpoint: Unary, desk: Desk) -> Callable[[_Payload, Context], Awaitable[bytes]]:
    write_json = json_writer(answer_type(endpoint), endpoint.recurring)

    async def handle(payload: _Payload, _context: Context) -> bytes:
        call = _call.get()
        with desk.place():
            if payload.is_json:
                return write_json(await respond(endpoint, payload.reading(endpoint), call))
            return await answer(endpoint, payload.data, call)

    return handle


def _server_stream(endpoint: ServerStream) -> Callable[[_Payload, Context], AsyncIterator[bytes]]:
    write_json = json_writer(answer_type(endpoint))

    async def handle(payload: _Payload, _context: Context) -> AsyncIterator[bytes]:
        call = _call.get()
        request = asked(endpoint, payload.reading(endpoint), call)
        async with aclosing(endpoint.handler(request, call)) as stream:
            async for message in stream:
                data = proto_bytes(message)
                yield write_json(data) if payload.is_json else data

    return handle
