"""The way in: `connect` gives a service, and the service its games and its catalog."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from types import TracebackType
from typing import Self, TypeVar

import grpc
from google.protobuf.message import Message

from whitehall_client.aio.caller import Caller
from whitehall_client.aio.catalog import Catalog
from whitehall_client.aio.cluedo import Cluedo
from whitehall_client.aio.scotland_yard import ScotlandYard
from whitehall_client.channel import (
    GAMES,
    STORELESS,
    ChannelOption,
    channel_credentials,
    channel_options,
    operator_token,
)
from whitehall_client.faults import checked_language, checked_seconds, checked_target

RequestT = TypeVar("RequestT", bound=Message)
ResponseT = TypeVar("ResponseT")


def connect(
    target: str = "localhost:50051",
    *,
    operator_key: str | None = None,
    language: str = "",
    timeout: float = 10.0,
    tls: bool | grpc.ChannelCredentials = False,
    options: Sequence[ChannelOption] = (),
) -> Service:
    """A connection to the service at `target`: `host:port`, or any other name that gRPC resolves, such as
    `dns:///whitehall.example:50051` for all replicas behind it. It is made when it is first needed, and again
    whenever it is lost.

    `operator_key` is `id:secret`, where the service asks for one. `language` is that of refusals: `en` or `fr`.
    `timeout` is how many seconds a call may take, its repetitions included. `tls` is needed where a proxy ends TLS
    before the service. `options` are gRPC's, for a channel that differs from the defaults.

    Raises `ValueError` where `target` is a URL of HTTP, where the key is none, such as an empty one, and where no
    header can bear the key or the language, and where `timeout` is no number.
    """
    return Service(target, operator_key, language, timeout, tls, options)


class Service:
    """A connection to the service."""

    def __init__(
        self,
        target: str,
        operator_key: str | None,
        language: str,
        timeout: float,
        tls: bool | grpc.ChannelCredentials,
        options: Sequence[ChannelOption],
    ) -> None:
        target, language, operator = checked_target(target), checked_language(language), operator_token(operator_key)
        credentials = channel_credentials(tls)

        def channel(health: str) -> grpc.aio.Channel:
            settings = channel_options(health, options)
            if credentials is None:
                return grpc.aio.insecure_channel(target, settings)
            return grpc.aio.secure_channel(target, credentials, settings)

        self.channel = channel(GAMES)
        """For generated stubs; they know nothing of deadlines, repetitions and refusals. It leaves replicas out that do
        not serve games now."""
        self.storeless_channel = channel(STORELESS)
        """The same for stubs of the catalog and of positions, which are served also while the store is away. No
        connection is made before the first call."""
        self._caller = Caller(self.channel, self.storeless_channel, operator, language, checked_seconds(timeout))
        self.scotland_yard = ScotlandYard(self._caller)
        self.cluedo = Cluedo(self._caller)
        self.catalog = Catalog(self._caller)

    async def ask(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[RequestT, ResponseT],
        request: RequestT,
        *,
        token: str = "",
        timeout: float | None = None,
    ) -> ResponseT:
        """Calls a method of any stub with all that calls get here: `service.scotland_yard.positions.LocateStations`,
        say. Raises `WhitehallError`.
        """
        return await self._caller.ask(method, request, token=token, timeout=timeout)

    def converse(
        self,
        method: grpc.aio.StreamStreamMultiCallable[RequestT, ResponseT],
        requests: Iterable[RequestT],
        *,
        timeout: float | None = None,
    ) -> AsyncGenerator[ResponseT, None]:
        """The answers to a stream of questions, one for each in order: millions of positions in one call. Nothing is
        repeated. Without a `timeout` it lasts as long as there are questions. Raises `WhitehallError`.
        """
        return self._caller.converse(method, requests, timeout=timeout)

    async def close(self) -> None:
        """Ends the connection, with every stream and call on it. They, and whatever comes later, raise `Closed`."""
        self._caller.ending.has_come = True
        await self.channel.close()
        await self.storeless_channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
