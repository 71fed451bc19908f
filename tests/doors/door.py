"""A door as tests see it, and a channel by which the stubs that gRPC generates call through it.

With that, whatever a test does over gRPC it does just as well over another protocol: `Yard(DoorChannel(door))`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing
from typing import Any, Protocol

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.rpc import status_pb2

from tests.api.contract import contract, path_of
from tests.api.refusals import DETAILS
from tests.doors.http import Headers

METHODS = {path_of(method): method for method in contract().values()}
"""Every method of the contract by its path."""
CODES = {code.value[0]: code for code in grpc.StatusCode}


class Door(Protocol):
    """One protocol, from the client's side. Messages go in and come out in protobuf's binary form, whatever is sent."""

    async def unary(self, method: MethodDescriptor, request: bytes, headers: Headers) -> bytes:
        """The answer to one request. Raises `Told`."""
        ...

    def stream(self, method: MethodDescriptor, request: bytes, headers: Headers) -> AsyncGenerator[bytes]:
        """The stream of answers to one request; closing it leaves. Raises `Told`."""
        ...


class Told(grpc.RpcError):
    """A refusal as a door has told it, in the guise of gRPC's own."""

    def __init__(self, status: status_pb2.Status) -> None:
        super().__init__(f"{CODES[status.code].name}: {status.message}")
        self.status = status

    def code(self) -> grpc.StatusCode:
        return CODES[self.status.code]

    def details(self) -> str:
        return str(self.status.message)

    def trailing_metadata(self) -> Any:
        return [(DETAILS, self.status.SerializeToString())]


Serializer = Callable[[Any], bytes]
Deserializer = Callable[[bytes], Any]


class DoorChannel:
    """What the stubs need of a channel."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def unary_unary(
        self,
        path: str,
        request_serializer: Serializer = bytes,
        response_deserializer: Deserializer = bytes,
        **_: object,
    ) -> Callable[..., Awaitable[Any]]:
        async def call(request: Any, metadata: Iterable[tuple[str, str]] = ()) -> Any:
            data = request_serializer(request)
            return response_deserializer(await self._door.unary(METHODS[path], data, list(metadata)))

        return call

    def unary_stream(
        self,
        path: str,
        request_serializer: Serializer = bytes,
        response_deserializer: Deserializer = bytes,
        **_: object,
    ) -> Callable[..., DoorStream]:
        def call(request: Any, metadata: Iterable[tuple[str, str]] = ()) -> DoorStream:
            data = request_serializer(request)
            return DoorStream(self._door.stream(METHODS[path], data, list(metadata)), response_deserializer)

        return call

    def stream_stream(self, path: str, *_: object, **__: object) -> Callable[..., Any]:
        def call(*_: object, **__: object) -> Any:
            raise AssertionError(f"{path} is for gRPC alone")

        return call


class DoorStream:
    """A stream of answers, read and left as gRPC's."""

    def __init__(self, answers: AsyncGenerator[bytes], read: Deserializer) -> None:
        self._answers: asyncio.Queue[Any] = asyncio.Queue()
        self._reading = asyncio.ensure_future(self._read_all(answers, read))

    async def read(self) -> Any:
        """The next answer, or `grpc.aio.EOF`. Raises the refusal with which the stream has ended."""
        answer = await self._answers.get()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def cancel(self) -> None:
        """The client leaves."""
        self._reading.cancel()

    async def __aiter__(self) -> AsyncGenerator[Any]:
        while (answer := await self.read()) is not grpc.aio.EOF:
            yield answer

    async def _read_all(self, answers: AsyncGenerator[bytes], read: Deserializer) -> None:
        try:
            async with aclosing(answers):
                async for answer in answers:
                    self._answers.put_nowait(read(answer))
        except Exception as error:
            self._answers.put_nowait(error)
        else:
            self._answers.put_nowait(grpc.aio.EOF)
