"""The gRPC door: every endpoint behind one asyncio server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection

from whitehall.api.anonymous import HEALTH_WATCHES, REFLECTION_STREAMS, HealthService, ReflectionService
from whitehall.api.arrivals import close
from whitehall.api.desk import Desk, Method
from whitehall.api.endpoint import Duplex, Endpoint, ServerStream, Unary
from whitehall.api.errors import locale
from whitehall.api.grpc_refusal import Context, refuse
from whitehall.api.grpc_server import GrpcServer, Handler, send_the_last, sending
from whitehall.api.headers import Headers, by_name
from whitehall.api.pipeline import answer, answers, converse
from whitehall.api.problems import PATH, unsupported
from whitehall.sessions.refusal import Refusal
from whitehall.telemetry.sockets import why_not

HANDSHAKE_SECONDS: Final = 10.0
"""How long a client has from its connection to its first frame of HTTP/2, TLS and all."""

CONNECTION_CALLS: Final = 1000
"""Calls of all kinds that one connection may have open. Clients keep more of them back until others have ended."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one connection and one process may ask for. Times in seconds."""

    message_bytes: int
    connections: int
    """Those in their handshake among them. gRPC ends what comes beyond that, without a word."""
    streams: int
    """Streams that the endpoints allow. They count them themselves."""
    connection_age: float
    longest_stream: float
    ping_interval: float
    """How much time clients must leave between pings when nothing else is sent. gRPC's own limit is 300 s."""

    def last_resort(self, concurrent_calls: int) -> int:
        """Calls of all kinds that gRPC lets in. Ours are refused first and by name; those that gRPC turns away itself,
        it turns away without a word.
        """
        arriving_or_answered = 2 * concurrent_calls
        return 2 * (arriving_or_answered + self.streams + HEALTH_WATCHES + REFLECTION_STREAMS)


class GrpcDoor:
    """A gRPC server on one address. `start` binds it; `close` lets running calls end."""

    def __init__(self, endpoints: Iterable[Endpoint], desk: Desk, limits: Limits, *, shares_port: bool = False) -> None:
        self._desk = desk
        self._shares_port = shares_port
        self._health = HealthService(desk.arrivals)
        last_resort = limits.last_resort(desk.concurrent_calls)
        self._services: dict[str, dict[str, Handler]] = {}
        for endpoint in endpoints:
            self._services.setdefault(endpoint.service, {})[endpoint.name] = self._handler(endpoint)
        names = (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        anonymous = {
            health.SERVICE_NAME: self._health.handlers(),
            reflection.SERVICE_NAME: ReflectionService(names).handlers(),
        }
        self._server = GrpcServer(
            {
                f"/{service}/{name}": handler
                for service, handlers in (self._services | anonymous).items()
                for name, handler in handlers.items()
            },
            grpc.stream_stream_rpc_method_handler(_no_such_method),
            last_resort,
            {
                "grpc.max_allowed_incoming_connections": limits.connections,
                "grpc.server_handshake_timeout_ms": round(HANDSHAKE_SECONDS * 1000),
                "grpc.max_concurrent_streams": CONNECTION_CALLS,
                # Of calls that come faster than we take them gRPC would cancel some at random, from 1000 on.
                "grpc.server.max_pending_requests": last_resort,
                "grpc.server.max_pending_requests_hard_limit": 2 * last_resort,
                "grpc.max_receive_message_length": limits.message_bytes,
                "grpc.max_connection_age_ms": round(limits.connection_age * 1000),
                # A connection that has reached its age takes no new calls, and must let its streams live out theirs.
                "grpc.max_connection_age_grace_ms": round(limits.longest_stream * 1000),
                "grpc.http2.min_ping_interval_without_data_ms": round(limits.ping_interval * 1000),
                "grpc.keepalive_permit_without_calls": 1,
                # A client that has vanished without a word is noticed, and gives its streams' places back.
                "grpc.keepalive_time_ms": round(limits.connection_age * 1000),
                "grpc.keepalive_timeout_ms": 20_000,
                "grpc.so_reuseport": int(shares_port),
            },
        )

    @property
    def services(self) -> tuple[str, ...]:
        """The full names of the services behind this door."""
        return tuple(self._services)

    async def start(self, address: str, credentials: grpc.ServerCredentials | None = None) -> int:
        """Listens, and returns the port. With credentials there is nothing but TLS. Raises `OSError` where the address
        can't be had.
        """
        port = self._server.listen(address, credentials)
        if not port:
            raise OSError(f"gRPC {await why_not(address, shares_port=self._shares_port)}")
        await self._server.start()
        return port

    async def serving(self, services: Iterable[str], is_serving: bool) -> None:
        """Tells health checkers whether these services answer; the empty name stands for the whole server."""
        state = health_pb2.HealthCheckResponse.SERVING if is_serving else health_pb2.HealthCheckResponse.NOT_SERVING
        for service in services:
            await self._health.set(service, state)

    async def going_away(self) -> None:
        """Tells health checkers that this process is about to end, whatever they are told afterwards."""
        await self._health.enter_graceful_shutdown()

    async def close(self, grace: float) -> None:
        """Takes no more calls, and returns when the running ones have ended or `grace` seconds have passed."""
        self._health.end_streams()
        running = set(self._desk.running)
        await self._server.shutdown(grace)
        # That returns when the last bytes are out, which may be before an aborted handler has ended.
        if running:
            await asyncio.wait(running, timeout=grace)

    # --- one call -------------------------------------------------------------------------------------------------

    def _handler(self, endpoint: Endpoint) -> Handler:
        method = self._desk.method(endpoint, "grpc")
        # Requests arrive as bytes: gRPC would call bytes that don't parse an internal error. And we wait for them: gRPC
        # would wait for ever. On the wire one request is like a stream of them.
        match endpoint:
            case Unary():
                return grpc.stream_unary_rpc_method_handler(_unary(endpoint, method))
            case ServerStream():
                return grpc.stream_stream_rpc_method_handler(_server_stream(endpoint, method))
            case Duplex():
                return grpc.stream_stream_rpc_method_handler(_duplex(endpoint, method))


async def _no_such_method(_: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
    """Answers whatever nobody else does: that there is no such method, in the words of every other refusal."""
    await refuse(context, unsupported(PATH), locale(_headers(context).get("accept-language")))
    yield b""  # Never reached: it makes this a stream.


def _headers(context: Context) -> Headers:
    return by_name(context.invocation_metadata() or ())


def _unary(endpoint: Unary, method: Method) -> Callable[[AsyncIterator[bytes], Context], Awaitable[bytes]]:
    desk = method.desk

    async def handle(data: AsyncIterator[bytes], context: Context) -> bytes:
        visit = method.visit(_headers(context), context.time_remaining())
        try:
            with visit as call:
                request = await desk.arrivals.request(data, call.remaining)
                # Callers without a good token are told so before they have held the place for a turn of the loop.
                with desk.place():
                    told = await answer(endpoint, request, call)
        except Refusal as refusal:
            await refuse(context, refusal, visit.language)
            raise AssertionError("an aborted call has raised") from refusal
        send_the_last()
        return told

    return handle


def _server_stream(
    endpoint: ServerStream, method: Method
) -> Callable[[AsyncIterator[bytes], Context], AsyncIterator[bytes]]:
    arrivals = method.desk.arrivals

    async def handle(data: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        visit = method.visit(_headers(context), context.time_remaining())
        try:
            with visit as call:
                request = await arrivals.request(data, call.remaining)
                async for message in answers(endpoint, request, call):
                    with sending():
                        yield message
        except Refusal as refusal:
            await refuse(context, refusal, visit.language)
        else:
            send_the_last()

    return handle


def _duplex(endpoint: Duplex, method: Method) -> Callable[[AsyncIterator[bytes], Context], AsyncIterator[bytes]]:
    async def handle(data: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        visit = method.visit(_headers(context), context.time_remaining())
        try:
            with visit as call:
                async for message in converse(endpoint, data, call):
                    with sending():
                        yield message
        except Refusal as refusal:
            await refuse(context, refusal, visit.language)
        else:
            send_the_last()
        finally:
            await close(data)

    return handle
