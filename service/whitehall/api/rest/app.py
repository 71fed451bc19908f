"""The REST app: HTTP's side of every call that comes by a path of the contract."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass
from http import HTTPStatus

from google.protobuf.message import Message as Request

from whitehall.api.answer import Answer
from whitehall.api.call import Call
from whitehall.api.desk import Desk, Method
from whitehall.api.endpoint import Endpoint, ServerStream, Unary, answer_type, is_safe
from whitehall.api.errors import locale
from whitehall.api.http_exchange import VARY, Exchange
from whitehall.api.http_message import Message, Receive, Send
from whitehall.api.json_writing import json_writer
from whitehall.api.negotiation import EVENTS, JSON, is_json, quality
from whitehall.api.pipeline import Reading, asked, respond
from whitehall.api.problems import ACCEPT, CONTENT_TYPE, METHOD, PATH, problem, unsupported
from whitehall.api.rest.asked import IF_MATCH, IF_NONE_MATCH, as_sent, request_of
from whitehall.api.rest.events import (
    FIRST_SECONDS,
    PRELUDE,
    SILENCE,
    SILENCE_SECONDS,
    error_event,
    event_writer,
    with_silences,
)
from whitehall.api.rest.routes import Found, Route, RouteTable
from whitehall.sessions.refusal import Refusal


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
        exchange = Exchange(scope, receive, send, self._message_bytes)
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
        if served.write_event is None:
            await _unary(exchange, served, found.path)
        else:
            await _stream(exchange, served, found.path, served.write_event)


@dataclass(frozen=True, slots=True)
class _Served:
    """A route with all that is worked out once for its calls."""

    route: Route
    method: Method
    write: Callable[[bytes], bytes]
    write_event: Callable[[Answer], bytes] | None
    tells_secrets: bool
    """Whether it changes something, and so may tell somebody a new token."""

    @staticmethod
    def of(route: Route, method: Method) -> _Served:
        kind = answer_type(route.endpoint)
        recurring = route.endpoint.recurring if isinstance(route.endpoint, Unary) else None
        write_event = event_writer(kind) if route.streams else None
        return _Served(route, method, json_writer(kind, recurring), write_event, not is_safe(route.endpoint))


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


def _reading(exchange: Exchange, route: Route, path: tuple[bytes, ...]) -> Reading:
    """What reads the request."""

    def read() -> tuple[Request, int]:
        data = exchange.body()
        if data and not is_json(exchange.headers.get("content-type")):
            raise unsupported(CONTENT_TYPE, JSON)
        query = exchange.scope["query_string"]
        return request_of(route, path, query, data, exchange.headers), len(data) + len(query)

    return read


async def _unary(exchange: Exchange, served: _Served, path: tuple[bytes, ...]) -> None:
    endpoint = served.route.endpoint
    assert isinstance(endpoint, Unary), "streams are answered by events"
    visit = served.method.visit(exchange.headers, None)
    try:
        with visit as call:
            await exchange.read_body()
            with served.method.desk.place():
                answer = served.write(await respond(endpoint, _reading(exchange, served.route, path), call))
    except Refusal as refusal:
        told = as_sent(refusal, served.route, exchange.headers)
        await exchange.refuse(problem(told, visit.language, conditional=IF_MATCH in exchange.headers))
    else:
        await _answer(exchange, served, call, answer)


async def _answer(exchange: Exchange, served: _Served, call: Call, data: bytes) -> None:
    """Answers, or says that the client has this answer already."""
    headers = [(b"content-type", JSON.encode())]
    if call.revision:
        etag = f'"{call.revision}"'
        headers.append((b"etag", etag.encode()))
        if served.route.verb == "GET" and _is_among(etag, exchange.headers.get(IF_NONE_MATCH)):
            await exchange.send(HTTPStatus.NOT_MODIFIED, headers[1:], b"")
            return
    await exchange.answer(data, headers, tells_secrets=served.tells_secrets)


def _is_among(etag: str, header: str | None) -> bool:
    """Whether an If-None-Match names this ETag."""
    if header is None:
        return False
    return header.strip() == "*" or any(part.strip().removeprefix("W/") == etag for part in header.split(","))


async def _stream(
    exchange: Exchange, served: _Served, path: tuple[bytes, ...], write: Callable[[Answer], bytes]
) -> None:
    endpoint = served.route.endpoint
    assert isinstance(endpoint, ServerStream), "only streams are answered by events"
    visit = served.method.visit(exchange.headers, None)
    stream = _EventStream(exchange)
    try:
        with visit as call:
            await exchange.read_body()
            answers = endpoint.handler(asked(endpoint, _reading(exchange, served.route, path), call), call)
            async with aclosing(_events(answers, write)) as events:
                async for event in events:
                    await stream.send(event)
                    if exchange.scope["method"] == "HEAD":
                        break  # The status is told, and that is all that was asked.
    except Refusal as refusal:
        if not stream.has_begun:
            await exchange.refuse(problem(as_sent(refusal, served.route, exchange.headers), visit.language))
            return
        await stream.send(error_event(refusal, visit.language))
    await stream.end()


async def _events(answers: AsyncGenerator[Answer], write: Callable[[Answer], bytes]) -> AsyncGenerator[bytes]:
    """The answers as events, and something whenever they keep the client waiting."""
    spaced = with_silences(answers, FIRST_SECONDS, SILENCE_SECONDS)
    async with aclosing(spaced) as items:
        async for item in items:
            yield SILENCE if item is None else write(item)


class _EventStream:
    """Server-Sent Events as the answer to a request."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self.has_begun = False
        """Whether anything has been sent."""

    async def send(self, event: bytes) -> None:
        """Sends the next event; waits as long as the client is behind by more than the connection holds."""
        send = self._exchange.send_event
        if not self.has_begun:
            self.has_begun = True
            # The last header is for proxies that would keep events back until there are many of them.
            headers = [VARY, (b"content-type", EVENTS.encode()), (b"x-accel-buffering", b"no")]
            await send({"type": "http.response.start", "status": HTTPStatus.OK.value, "headers": headers})
            event = PRELUDE + event
        await send({"type": "http.response.body", "body": event, "more_body": True})

    async def end(self) -> None:
        """Ends the stream. One that had nothing to say tells a browser by its status not to come back."""
        if self.has_begun:
            await self._exchange.send_event({"type": "http.response.body", "body": b""})
        else:
            await self._exchange.send(HTTPStatus.NO_CONTENT, [], b"")
