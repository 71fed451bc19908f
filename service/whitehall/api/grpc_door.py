"""The gRPC door: every endpoint behind one asyncio server, with its errors, its metrics and its log lines."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import grpc
import structlog
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection

from whitehall.api.anonymous import HEALTH_WATCHES, REFLECTION_STREAMS, HealthService, ReflectionService
from whitehall.api.arrivals import RETRY_AFTER, Arrivals
from whitehall.api.call import Call
from whitehall.api.endpoint import Duplex, Endpoint, ServerStream, Unary
from whitehall.api.errors import ERRORS, locale
from whitehall.api.grpc_refusal import Context, refuse
from whitehall.api.pipeline import answer, answers, converse
from whitehall.api.places import Places
from whitehall.sessions.refusal import Reason, Refusal
from whitehall.telemetry import trace
from whitehall.telemetry.log import CallLogger, call_logger
from whitehall.telemetry.metrics import MethodKind, MethodMetrics, Metrics

DOOR: Final = "grpc"

_KINDS: dict[type, MethodKind] = {Unary: "unary", ServerStream: "server_stream", Duplex: "bidi_stream"}

CONNECTION_CALLS: Final = 1000
"""Calls of all kinds that one connection may have open. Clients keep more of them back until others have ended."""
BACK_SECONDS: Final = 1.0
"""How long a caller is asked to wait when the process is about to end: long enough not to meet its end."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one connection and one process may ask for. Times in seconds."""

    message_bytes: int
    concurrent_calls: int
    """Calls that are answered at the same time, streams aside."""
    streams: int
    """Streams that the endpoints allow. They count them themselves."""
    default_deadline: float
    connection_age: float
    longest_stream: float
    ping_interval: float
    """How much time clients must leave between pings when nothing else is sent. gRPC's own limit is 300 s."""

    @property
    def last_resort(self) -> int:
        """Calls of all kinds that gRPC lets in. Ours are refused first and by name; those that gRPC turns away itself,
        it turns away without a word.
        """
        arriving_or_answered = 2 * self.concurrent_calls
        return 2 * (arriving_or_answered + self.streams + HEALTH_WATCHES + REFLECTION_STREAMS)


class GrpcDoor:
    """A gRPC server on one address. `start` binds it; `close` lets running calls end."""

    def __init__(
        self, endpoints: Iterable[Endpoint], metrics: Metrics, limits: Limits, *, shares_port: bool = False
    ) -> None:
        self._limits = limits
        self._running: set[asyncio.Task[Any]] = set()
        self._arrivals = Arrivals(limits.concurrent_calls)
        self._calls = Places(limits.concurrent_calls, Reason.TOO_MANY_CALLS, RETRY_AFTER)
        self._is_closing = False
        self._health = HealthService(self._arrivals)
        self._server = grpc.aio.server(
            maximum_concurrent_rpcs=limits.last_resort,
            options=[
                ("grpc.max_concurrent_streams", CONNECTION_CALLS),
                # Of calls that come faster than we take them gRPC would cancel some at random, from 1000 on.
                ("grpc.server.max_pending_requests", limits.last_resort),
                ("grpc.server.max_pending_requests_hard_limit", 2 * limits.last_resort),
                ("grpc.max_receive_message_length", limits.message_bytes),
                ("grpc.max_connection_age_ms", round(limits.connection_age * 1000)),
                # A connection that has reached its age takes no new calls, and must let its streams live out theirs.
                ("grpc.max_connection_age_grace_ms", round(limits.longest_stream * 1000)),
                ("grpc.http2.min_ping_interval_without_data_ms", round(limits.ping_interval * 1000)),
                ("grpc.keepalive_permit_without_calls", 1),
                # A client that has vanished without a word is noticed, and gives its streams' places back.
                ("grpc.keepalive_time_ms", round(limits.connection_age * 1000)),
                ("grpc.keepalive_timeout_ms", 20_000),
                ("grpc.so_reuseport", int(shares_port)),
            ],
        )
        self._services: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {}
        for endpoint in endpoints:
            handlers = self._services.setdefault(endpoint.service, {})
            handlers[endpoint.name] = self._handler(endpoint, metrics)
        names = (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        anonymous = {
            health.SERVICE_NAME: self._health.handlers(),
            reflection.SERVICE_NAME: ReflectionService(names).handlers(),
        }
        self._server.add_generic_rpc_handlers(
            [
                grpc.method_handlers_generic_handler(service, methods)
                for service, methods in (self._services | anonymous).items()
            ]
        )

    @property
    def services(self) -> tuple[str, ...]:
        """The full names of the services behind this door."""
        return tuple(self._services)

    async def start(self, address: str) -> int:
        """Listens, and returns the port. Raises `OSError` where the address can't be had."""
        try:
            port = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise OSError(f"gRPC can't listen on {address}") from error
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

    def turn_away(self) -> None:
        """From now on refuses calls, so that their callers know that nothing was done: those that meet the end of the
        server itself can't be told.
        """
        self._is_closing = True

    async def close(self, grace: float) -> None:
        """Takes no more calls, and returns when the running ones have ended or `grace` seconds have passed."""
        self._health.end_streams()
        running = set(self._running)
        await self._server.stop(grace)
        # `stop` returns when the last bytes are out, which may be before an aborted handler has ended.
        if running:
            await asyncio.wait(running, timeout=grace)

    # --- one call -------------------------------------------------------------------------------------------------

    def _handler(self, endpoint: Endpoint, metrics: Metrics) -> grpc.RpcMethodHandler[Any, Any]:
        method = metrics.method(endpoint.service, endpoint.name, _KINDS[type(endpoint)], DOOR)
        observer = _Observer(method, call_logger(f"{endpoint.service}/{endpoint.name}", DOOR))
        # Requests arrive as bytes: gRPC would call bytes that don't parse an internal error. And we wait for them: gRPC
        # would wait for ever. On the wire one request is like a stream of them.
        match endpoint:
            case Unary():
                return grpc.stream_unary_rpc_method_handler(self._unary(endpoint, observer))
            case ServerStream():
                return grpc.stream_stream_rpc_method_handler(self._server_stream(endpoint, observer))
            case Duplex():
                return grpc.stream_stream_rpc_method_handler(self._duplex(endpoint, observer))

    def _unary(
        self, endpoint: Unary, observer: _Observer
    ) -> Callable[[AsyncIterator[bytes], Context], Awaitable[bytes]]:
        async def handle(data: AsyncIterator[bytes], context: Context) -> bytes:
            async with self._observed(observer, context) as call:
                request = await self._arrivals.request(data, call.remaining)
                if self._is_closing:
                    raise Refusal(Reason.DRAINING, retry_after=BACK_SECONDS)
                # Callers without a good token are told so before they have held the place for a turn of the loop.
                with self._calls.one():
                    return await answer(endpoint, request, call)
            raise AssertionError("an aborted call has raised")

        return handle

    def _server_stream(
        self, endpoint: ServerStream, observer: _Observer
    ) -> Callable[[AsyncIterator[bytes], Context], AsyncIterator[bytes]]:
        async def handle(data: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
            async with self._observed(observer, context) as call:
                request = await self._arrivals.request(data, call.remaining)
                async for message in answers(endpoint, request, call):
                    yield message

        return handle

    def _duplex(
        self, endpoint: Duplex, observer: _Observer
    ) -> Callable[[AsyncIterator[bytes], Context], AsyncIterator[bytes]]:
        async def handle(data: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
            async with self._observed(observer, context) as call:
                async for message in converse(endpoint, data, call):
                    yield message

        return handle

    def _observed(self, observer: _Observer, context: Context) -> _Observed:
        return _Observed(observer, context, self._running, self._limits.default_deadline)


class _Observer:
    """What one method reports to."""

    __slots__ = ("log", "metrics")

    def __init__(self, metrics: MethodMetrics, log: CallLogger) -> None:
        self.metrics = metrics
        self.log = log


class _Observed:
    """One call: counts it, times it, logs it, and turns what it raises into a status."""

    __slots__ = ("_bears_several", "_began", "_call", "_context", "_observer", "_running", "_trace")

    def __init__(
        self, observer: _Observer, context: Context, running: set[asyncio.Task[Any]], default_deadline: float
    ) -> None:
        self._observer = observer
        self._context = context
        self._running = running
        self._began = time.monotonic()
        metadata = context.invocation_metadata() or ()
        headers = dict(metadata)
        # Where a header stands twice, the last one would win without a word.
        self._bears_several = len(headers) < len(metadata) and sum(name == "authorization" for name, _ in metadata) > 1
        remaining: float | None = context.time_remaining()
        self._call = Call(
            token=_bearer_token(headers.get("authorization")),
            language=locale(_text(headers.get("accept-language"))),
            deadline=self._began + (default_deadline if remaining is None else remaining),
        )
        self._trace = trace.parse(_text(headers.get(trace.HEADER)))

    async def __aenter__(self) -> Call:
        task = asyncio.current_task()
        if task is not None:
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        self._observer.metrics.started()
        if self._bears_several:
            await self._refuse(Refusal(Reason.TOKEN_AMBIGUOUS))
        return self._call

    async def __aexit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        match error:
            case None:
                self._ended("OK", None)
            case Refusal():
                await self._refuse(error)
            case asyncio.CancelledError() if _is_cancelled():
                self._given_up()
            case Exception() | asyncio.CancelledError():
                # A cancellation that nobody asked for is a fault too: gRPC would leave the caller without an answer.
                structlog.get_logger().error("fault", exc_info=error)
                await self._refuse(Refusal(Reason.INTERNAL_FAULT))
            case _:
                self._given_up()

    async def _refuse(self, refusal: Refusal) -> None:
        code = ERRORS[refusal.reason].code
        self._ended(code.name, refusal.reason.value)
        await refuse(self._context, refusal, self._call.language)

    def _given_up(self) -> None:
        """The caller has left, or has no time left."""
        self._ended("DEADLINE_EXCEEDED" if self._context.time_remaining() == 0 else "CANCELLED", None)

    def _ended(self, code: str, reason: str | None) -> None:
        seconds = time.monotonic() - self._began
        trace_id = self._trace.trace_id if self._trace else None
        self._observer.metrics.handled(code, seconds, trace_id)
        call = self._call
        self._observer.log.ended(
            code,
            seconds,
            seat=call.token_kind or None,
            game=call.game_id or None,
            revision=call.revision or None,
            reason=reason,
            trace_id=trace_id,
        )


def _is_cancelled() -> bool:
    """Whether somebody has asked the running task to end."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _text(value: str | bytes | None) -> str | None:
    return value if isinstance(value, str) else None


def _bearer_token(value: str | bytes | None) -> str | None:
    """The token of an authorization header; something that is no token of ours where the header is of another kind."""
    if value is None:
        return None
    scheme, _, token = str(value).partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
