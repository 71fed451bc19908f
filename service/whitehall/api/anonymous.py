"""What anybody may ask without a token: health and reflection. Each has limits of its own, so that nobody who asks for
the one can take the other, or the games, away from others.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from typing import Any, Final

import grpc
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection, reflection_pb2

from whitehall.api.arrivals import REQUEST_SECONDS, Arrivals, close
from whitehall.api.grpc_refusal import Context, refusing
from whitehall.api.grpc_server import send_the_last, sending
from whitehall.api.pipeline import parsed
from whitehall.api.places import Places
from whitehall.sessions.refusal import Reason, Refusal

HEALTH_WATCHES: Final = 400
"""Streams of Health.Watch that may be open. A client has up to two: one for games, one for what needs no store."""
REFLECTION_STREAMS: Final = 20
"""Streams of reflection that may be open. A tool needs one for a moment."""
REFLECTION_IDLE_SECONDS: Final = 5.0
"""How long a stream of reflection may ask nothing."""
RETRY_AFTER: Final = 1.0
"""Seconds after which a stream that was one too many may try again."""


class HealthService(health.aio.HealthServicer):
    """Tells health checkers how we are. Their streams have to be ended: none of them would leave within the grace."""

    def __init__(self, arrivals: Arrivals) -> None:
        super().__init__()
        self._arrivals = arrivals
        self._watches = Places(HEALTH_WATCHES, Reason.TOO_MANY_STREAMS, RETRY_AFTER)
        self._streams: set[asyncio.Timeout] = set()

    def handlers(self) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:
        """By method: what answers it."""
        serializer = health_pb2.HealthCheckResponse.SerializeToString
        return {
            "Check": grpc.stream_unary_rpc_method_handler(self._check, response_serializer=serializer),
            "Watch": grpc.stream_stream_rpc_method_handler(self._watch, response_serializer=serializer),
        }

    def end_streams(self) -> None:
        """Ends every Watch."""
        for stream in self._streams:
            stream.reschedule(asyncio.get_running_loop().time())

    async def _check(self, data: AsyncIterator[bytes], context: Context) -> health_pb2.HealthCheckResponse | None:
        async with refusing(context):
            told = await self.Check(await self._request(data), context)
            send_the_last()
            return told
        return None

    async def _watch(self, data: AsyncIterator[bytes], context: Context) -> None:
        async with refusing(context):
            request = await self._request(data)
            with self._watches.one(), suppress(TimeoutError):
                async with asyncio.timeout(None) as stream:
                    self._streams.add(stream)
                    try:
                        postbox: Any = _Postbox(context)
                        await self.Watch(request, postbox)
                    finally:
                        self._streams.remove(stream)

    async def _request(self, data: AsyncIterator[bytes]) -> health_pb2.HealthCheckRequest:
        return parsed(health_pb2.HealthCheckRequest, await self._arrivals.request(data, REQUEST_SECONDS))


class _Postbox:
    """A watcher's context that never keeps whoever writes to it: the library writes while it holds the lock that every
    change of our health has to pass, and one client that does not read would keep all others from learning of any.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._watch = asyncio.current_task()
        self._last: asyncio.Task[None] | None = None

    async def write(self, message: health_pb2.HealthCheckResponse) -> None:
        """Sends it as soon as all before it are sent."""
        self._last = asyncio.create_task(self._send(message, self._last))

    async def _send(self, message: health_pb2.HealthCheckResponse, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait({before})
        # Whoever has left meanwhile is told nothing.
        with sending(self._watch), suppress(grpc.RpcError, grpc.aio.BaseError):
            await self._context.write(message)


class ReflectionService(reflection.aio.ReflectionServicer):
    """Tells tools what can be called."""

    def __init__(self, services: Iterable[str]) -> None:
        super().__init__(services)
        self._places = Places(REFLECTION_STREAMS, Reason.TOO_MANY_STREAMS, RETRY_AFTER)

    def handlers(self) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:
        """By method: what answers it."""
        serializer = reflection_pb2.ServerReflectionResponse.SerializeToString
        return {
            "ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(self._info, response_serializer=serializer)
        }

    async def _info(
        self, requests: AsyncIterator[bytes], context: Context
    ) -> AsyncIterator[reflection_pb2.ServerReflectionResponse]:
        async with refusing(context):
            with self._places.one():
                # An async generator, whatever its annotations say.
                answers: Any = self.ServerReflectionInfo(_prompt(requests), context)
                try:
                    async for answer in answers:
                        with sending():
                            yield answer
                finally:
                    await close(requests)


async def _prompt(requests: AsyncIterator[bytes]) -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
    """The requests, as long as none of them keeps us waiting."""
    while True:
        try:
            async with asyncio.timeout(REFLECTION_IDLE_SECONDS):
                request = await anext(requests, None)
        except TimeoutError:
            raise Refusal(Reason.DEADLINE_EXCEEDED) from None
        if request is None:
            return
        yield parsed(reflection_pb2.ServerReflectionRequest, request)
