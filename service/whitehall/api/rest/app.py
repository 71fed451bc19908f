"""The REST app: HTTP's side of every call that comes by a path of the contract."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, cast

from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message as Request

from whitehall.api.answer import Answer, proto_bytes
from whitehall.api.call import Call
from whitehall.api.desk import Desk, Header, Method
from whitehall.api.endpoint import Endpoint, ServerStream, Unary, answer_type
from whitehall.api.errors import locale
from whitehall.api.http_message import ClientLeft, Message, Receive, Send, body, headers_of, while_connected
from whitehall.api.json_writing import json_writer
from whitehall.api.pipeline import respond
from whitehall.api.rest.asked import IF_MATCH, request_of
from whitehall.api.rest.events import (
    PRELUDE,
    SILENCE,
    SILENCE_SECONDS,
    error_event,
    event_writer,
    with_silences,
)
from whitehall.api.rest.negotiation import EVENTS, JSON, is_json, quality
from whitehall.api.rest.problems import ACCEPT, COMPRESSION, CONTENT_TYPE, METHOD, PATH, Problem, problem, unsupported
from whitehall.api.rest.routes import Found, Route, RouteTable
from whitehall.api.validity import checked
from whitehall.sessions.refusal import Reason, Refusal

FIRST_SECONDS: Final = 0.5
"""How long the headers of a stream wait for its first message, so that a refusal can have its status."""
WORTH_COMPRESSING: Final = 4096
"""Bytes from which on an answer is compressed for those who can read it: smaller ones cost more than they save."""
COMPRESSED_APART: Final = 262_144
"""Bytes from which on it is compressed in a thread, lest others wait."""

_VARY: Final = (b"vary", b"authorization, accept, accept-encoding, accept-language")
_NO_BODY: Final = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


class RestApp:
    """Every endpoint that has a path. One of HTTP's verbs, a path, JSON in and out; streams as Server-Sent Events.

    A body may have `message_bytes`.
    """

    def __init__(self, endpoints: Iterable[Endpoint], desk: Desk, message_bytes: int) -> None:
        self._message_bytes = message_bytes
        self._table = RouteTable(endpoints)
        methods = {id(route.endpoint): desk.method(route.endpoint, "rest") for route in self._table.routes}
        self._served = {id(route): _Served.of(route, methods[id(route.endpoint)]) for route in self._table.routes}
        self.segments = frozenset(route.template.segments[0] for route in self._table.routes)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        exchange = _Exchange(scope, receive, send, self._message_bytes)
        try:
            found = self._table.find(scope["raw_path"])
            if found is None:
                raise unsupported(PATH)
            if scope["method"] == "OPTIONS":
                allowed = (b"allow", ", ".join(found.verbs).encode())
                await exchange.send(HTTPStatus.NO_CONTENT, [allowed], b"")
                return
            served = self._served[id(_chosen(found, scope["method"], exchange.headers.get("accept")))]
        except Refusal as refusal:
            await exchange.refuse(problem(refusal, locale(exchange.headers.get("accept-language"))))
            return
        try:
            await exchange.read_body()
            if served.write_event is None:
                await self._unary(exchange, served, found.path)
            else:
                await self._stream(exchange, served, found.path, served.write_event)
        except ClientLeft:
            pass

    async def _unary(self, exchange: _Exchange, served: _Served, path: tuple[bytes, ...]) -> None:
        endpoint = served.route.endpoint
        assert isinstance(endpoint, Unary), "streams are answered by events"
        visit = served.method.visit(exchange.pairs, None)
        try:
            with visit as call:
                request = exchange.request(served.route, path)
                with served.method.desk.place():
                    answer = served.write(proto_bytes(await respond(endpoint, request, call)))
        except Refusal as refusal:
            conditional = IF_MATCH in exchange.headers
            await exchange.refuse(problem(refusal, visit.language, conditional=conditional))
        else:
            await exchange.answer(served, call, answer)

    async def _stream(
        self, exchange: _Exchange, served: _Served, path: tuple[bytes, ...], write: Callable[[Answer], bytes]
    ) -> None:
        endpoint = served.route.endpoint
        assert isinstance(endpoint, ServerStream), "only streams are answered by events"
        visit = served.method.visit(exchange.pairs, None)
        try:
            async with while_connected(exchange.receive):
                with visit as call:
                    answers = endpoint.handler(exchange.request(served.route, path), call)
                    async with aclosing(_events(answers, write)) as events:
                        async for event in events:
                            await exchange.stream(event)
        except Refusal as refusal:
            if not exchange.has_begun:
                await exchange.refuse(problem(refusal, visit.language))
                return
            await exchange.stream(error_event(refusal, visit.language))
        await exchange.end_stream()


async def _events(answers: AsyncGenerator[Answer], write: Callable[[Answer], bytes]) -> AsyncGenerator[bytes]:
    """The answers as events, and something whenever they keep the client waiting."""
    spaced = with_silences(answers, FIRST_SECONDS, SILENCE_SECONDS)
    async with aclosing(spaced) as items:
        async for item in items:
            yield SILENCE if item is None else write(item)


@dataclass(frozen=True, slots=True)
class _Served:
    """A route with all that is worked out once for its calls."""

    route: Route
    method: Method
    write: Callable[[bytes], bytes]
    write_event: Callable[[Answer], bytes] | None
    is_read: bool
    """Whether it changes nothing, and so tells nobody a new token."""

    @staticmethod
    def of(route: Route, method: Method) -> _Served:
        kind = answer_type(route.endpoint)
        is_read = route.method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS
        write_event = event_writer(kind) if route.streams else None
        return _Served(route, method, json_writer(kind), write_event, is_read)


def _chosen(found: Found, method: str, accept: str | None) -> Route:
    """The route that answers: of a plain one and a stream at one path the one that the client likes better."""
    routes = found.routes.get("GET" if method == "HEAD" else method)
    if routes is None:
        raise unsupported(METHOD, *found.verbs)
    liked = [(quality(accept, EVENTS if route.streams else JSON), route) for route in routes]
    best, chosen = max(liked, key=lambda each: each[0])
    if not best:
        raise unsupported(ACCEPT, *(EVENTS if route.streams else JSON for route in routes))
    return chosen


class _Exchange:
    """One request of HTTP and what becomes of it."""

    __slots__ = ("_body", "_fault", "_message_bytes", "_scope", "_send", "has_begun", "headers", "pairs", "receive")

    def __init__(self, scope: Message, receive: Receive, send: Send, message_bytes: int) -> None:
        self._scope = scope
        self._message_bytes = message_bytes
        self._send = send
        self._body = b""
        self._fault: Refusal | None = None
        self.receive = receive
        self.pairs: list[Header] = headers_of(scope)
        self.headers = cast(Mapping[str, str], dict(self.pairs))
        self.has_begun = False
        """Whether a stream has sent anything."""

    async def read_body(self) -> None:
        """Waits for the body. What is wrong with it is told when it is looked at, in the call that it is for."""
        if self.headers.get("content-length", "0") == "0" and "transfer-encoding" not in self.headers:
            return
        try:
            self._body = await body(self.receive)
        except Refusal as refusal:
            self._fault = refusal

    def request(self, route: Route, path: tuple[bytes, ...]) -> Request:
        """What is asked, if the contract allows it."""
        if self._fault is not None:
            raise self._fault
        data = self._body
        if len(data) > self._message_bytes:
            raise Refusal(Reason.REQUEST_TOO_LARGE, metadata={"limit": self._message_bytes})
        if data:
            if self.headers.get("content-encoding", "identity") != "identity":
                raise unsupported(COMPRESSION, "identity")
            if not is_json(self.headers.get("content-type")):
                raise unsupported(CONTENT_TYPE, JSON)
        query = self._scope["query_string"]
        return checked(request_of(route, path, query, data, self.headers), len(data) + len(query))

    async def answer(self, served: _Served, call: Call, data: bytes) -> None:
        """Answers, or says that the client has this answer already."""
        headers = [_VARY]
        if call.revision:
            etag = f'"{call.revision}"'
            headers.append((b"etag", etag.encode()))
            if served.route.verb == "GET" and _is_among(etag, self.headers.get("if-none-match")):
                await self.send(HTTPStatus.NOT_MODIFIED, headers, b"")
                return
        headers.append((b"content-type", JSON.encode()))
        # What holds tokens is not compressed: its length would tell of what it shares with the rest.
        if served.is_read and len(data) >= WORTH_COMPRESSING and self._reads_gzip:
            data = _compressed(data) if len(data) < COMPRESSED_APART else await asyncio.to_thread(_compressed, data)
            headers.append((b"content-encoding", b"gzip"))
        await self.send(HTTPStatus.OK, headers, data)

    @property
    def _reads_gzip(self) -> bool:
        accepted = self.headers.get("accept-encoding")
        return accepted is not None and quality(accepted, "gzip") > 0

    async def refuse(self, told: Problem) -> None:
        """Answers with a problem."""
        await self.send(told.status, [_VARY, *told.headers, (b"content-type", JSON.encode())], told.body)

    async def send(self, status: HTTPStatus, headers: list[tuple[bytes, bytes]], data: bytes) -> None:
        """Answers."""
        if status not in _NO_BODY:
            headers.append((b"content-length", str(len(data)).encode()))
        await self._send({"type": "http.response.start", "status": status.value, "headers": headers})
        await self._send({"type": "http.response.body", "body": data})

    async def stream(self, event: bytes) -> None:
        """Sends the next event; waits as long as the client is behind by more than the connection holds."""
        if not self.has_begun:
            self.has_begun = True
            # The last header is for proxies that would keep events back until there are many of them.
            headers = [_VARY, (b"content-type", EVENTS.encode()), (b"x-accel-buffering", b"no")]
            await self._send({"type": "http.response.start", "status": HTTPStatus.OK.value, "headers": headers})
            event = PRELUDE + event
        await self._send({"type": "http.response.body", "body": event, "more_body": True})

    async def end_stream(self) -> None:
        """Ends a stream. One that had nothing to say tells a browser by its status not to come back."""
        if self.has_begun:
            await self._send({"type": "http.response.body", "body": b""})
        else:
            await self.send(HTTPStatus.NO_CONTENT, [_VARY], b"")


def _is_among(etag: str, header: str | None) -> bool:
    """Whether an If-None-Match names this ETag."""
    if header is None:
        return False
    return header.strip() == "*" or any(part.strip().removeprefix("W/") == etag for part in header.split(","))


def _compressed(data: bytes) -> bytes:
    # Level 1: more would take longer than it saves on the way.
    compressor = zlib.compressobj(1, wbits=31)
    return compressor.compress(data) + compressor.flush()
