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
from google.protobuf.message import Message as Request

from whitehall.api import json_sentences as say
from whitehall.api.answer import Answer, proto_bytes
from whitehall.api.call import Call
from whitehall.api.connect_refusal import connect_error, refusal_of
from whitehall.api.desk import Desk, Method, Visit
from whitehall.api.endpoint import Endpoint, ServerStream, Unary, answer_type
from whitehall.api.http_message import Message, Receive, Send
from whitehall.api.json_reading import read_json
from whitehall.api.json_writing import json_writer
from whitehall.api.pipeline import read, respond
from whitehall.api.problems import retry_after
from whitehall.api.validity import checked
from whitehall.sessions.refusal import Refusal, invalid_field
from whitehall.telemetry.metrics import Transport

Context = RequestContext[Any, Any]

_CHECKED: Final = {
    b"connect-timeout-ms": re.compile(rb"[0-9]{1,10}"),
    b"grpc-timeout": re.compile(rb"[0-9]{1,8}[HMSmun]"),
    b"connect-protocol-version": re.compile(rb"1"),
}
"""Headers that the library refuses without our details, and what they may be."""
_BAD: Final = "x-whitehall-bad-"
"""What stands before the name of such a header that is something else, so that it is refused by us."""

_GRPC_WEB: Final = "application/grpc-web"

_call: ContextVar[Call] = ContextVar("call")
"""The call that the running task answers."""


class ConnectStreams:
    """The app for these: for POST to the path of one of the endpoints, in one of their content types."""

    def __init__(self, endpoints: Iterable[Unary | ServerStream], desk: Desk, message_bytes: int) -> None:
        self._app = _Application(endpoints, desk, message_bytes)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        headers = [
            (_BAD.encode() + name if name in _CHECKED and not _CHECKED[name].fullmatch(value) else name, value)
            for name, value in scope["headers"]
        ]
        # The library's own types of ASGI are narrower than ours.
        app: Any = self._app
        await app({**scope, "headers": headers}, receive, send)


@dataclass(frozen=True, slots=True)
class _Payload:
    """A request as it arrived, decompressed."""

    data: bytes
    is_json: bool


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
        visit = method.visit(list(headers.allitems()), None if left is None else max(0.0, left / 1000))
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
    written = _writer(endpoint)

    async def handle(payload: _Payload, _context: Context) -> bytes:
        call = _call.get()
        request = _request(endpoint, payload)
        with desk.place():
            return written(await respond(endpoint, request, call), payload.is_json)

    return handle


def _server_stream(endpoint: ServerStream) -> Callable[[_Payload, Context], AsyncIterator[bytes]]:
    written = _writer(endpoint)

    async def handle(payload: _Payload, _context: Context) -> AsyncIterator[bytes]:
        call = _call.get()
        async with aclosing(endpoint.handler(_request(endpoint, payload), call)) as stream:
            async for answer in stream:
                yield written(answer, payload.is_json)

    return handle


def _request(endpoint: Endpoint, payload: _Payload) -> Request:
    if payload.is_json:
        return checked(read_json(endpoint.request, payload.data), len(payload.data))
    return read(endpoint.request, payload.data)


def _writer(endpoint: Endpoint) -> Callable[[Answer, bool], bytes]:
    write_json = json_writer(answer_type(endpoint))

    def write(answer: Answer, as_json: bool) -> bytes:
        data = proto_bytes(answer)
        return write_json(data) if as_json else data

    return write
