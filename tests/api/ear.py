"""An ear on the line: every byte that the bearer of one token is sent, before any library makes a message of it."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import grpc
from google.protobuf.message import Message

from tests.api.table import bearing
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2

SERVICE = service_pb2.DESCRIPTOR.services_by_name["ScotlandYardService"].full_name
PATIENCE_SECONDS = 20.0


class Heard(NamedTuple):
    """What came back."""

    answer: bytes | None
    code: grpc.StatusCode
    message: str
    headers: tuple[Any, ...]
    trailers: tuple[Any, ...]


class Ear:
    """Calls a game's service for one token's bearer."""

    def __init__(self, channel: grpc.aio.Channel, token: str | None, service: str = SERVICE) -> None:
        self._channel = channel
        self._service = service
        self._metadata = bearing(token)

    async def ask(self, method: str, request: Message) -> Heard:
        """One call and all that it answers."""
        unary: Any = self._channel.unary_unary(f"/{self._service}/{method}", request_serializer=_bytes)
        call = unary(request, metadata=self._metadata, timeout=PATIENCE_SECONDS)
        try:
            answer = await call
        except grpc.aio.AioRpcError:
            answer = None
        return await _heard(answer, call)

    def watch(self, request: Message) -> Stream:
        """A stream."""
        stream: Any = self._channel.unary_stream(f"/{self._service}/WatchGame", request_serializer=_bytes)
        return Stream(stream(request, metadata=self._metadata))


class Stream:
    """A stream, message by message."""

    def __init__(self, call: Any) -> None:
        self._call = call

    async def read(self) -> bytes | Heard:
        """The bytes of the next message, or how the stream has ended."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                message = await self._call.read()
        except grpc.aio.AioRpcError:
            message = grpc.aio.EOF
        return message if isinstance(message, bytes) else await _heard(None, self._call)


async def _heard(answer: bytes | None, call: Any) -> Heard:
    headers, trailers = tuple(await call.initial_metadata()), tuple(await call.trailing_metadata())
    return Heard(answer, await call.code(), await call.details(), headers, trailers)


def _bytes(message: Message) -> bytes:
    return message.SerializeToString()
