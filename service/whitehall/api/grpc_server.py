"""gRPC's asyncio server, which here takes its calls by itself.

From 1.84 on grpcio reads the name of every call in the one loop that takes all of them. A name that is no UTF-8 ends
that loop, and with it every call and stream there is, for good: any stranger needs one request for it. The core of
gRPC knows its methods by their bytes. So each of ours is registered there and has a loop of its own, in which no name
has to be read; whatever the core does not know is answered without a look at what it is called.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

import grpc
from grpc._cython import cygrpc  # type: ignore[attr-defined]

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

_UNKNOWN: Final = "a method that there is not"
"""What grpcio's own log calls it."""


class GrpcServer(cygrpc.AioServer):  # type: ignore[misc]
    """Serves `methods`, by their paths, and everything else by `unknown`. When `most` calls are open, further ones are
    turned away by grpcio, in words of its own.
    """

    def __init__(
        self, methods: Mapping[str, Handler], unknown: Handler, most: int, options: Mapping[str, int | str]
    ) -> None:
        self._methods = dict(methods)
        self._unknown = unknown
        self._most = most
        self._events = asyncio.get_running_loop()
        self._open: set[asyncio.Task[None]] = set()
        super().__init__(self._events, None, (), (), tuple(options.items()), None)
        self.add_registered_method_handlers(self._methods)

    def listen(self, address: str, credentials: grpc.ServerCredentials | None = None) -> int:
        """Binds an address, before the start, and returns the port; 0 where it can't be had. With credentials there is
        nothing but TLS.
        """
        try:
            if credentials is None:
                return int(self.add_insecure_port(address.encode()))
            return int(self.add_secure_port(address.encode(), credentials))
        except RuntimeError:
            return 0

    def _make_request_call_future(self, method: bytes | None) -> asyncio.Future[None]:
        """What grpcio waits for: the next call of a method, or of one that is not registered. Here it waits in vain, as
        all calls are taken on the way; until the server is shut down, which ends the wait.
        """
        if method is None:
            return self._events.create_task(self._take(_UNKNOWN, self._unknown, self._request_call))
        path = method.decode()
        return self._events.create_task(
            self._take(path, self._methods[path], lambda: self._request_registered_call(method))
        )

    async def _take(self, name: str, handler: Handler, next_call: Callable[[], Awaitable[Any]]) -> None:
        resolver = _Resolver(handler)
        while True:
            state = await next_call()
            is_full = len(self._open) >= self._most
            answering = cygrpc._handle_rpc(name, resolver, (), state, self._events, is_full)
            call = self._events.create_task(cygrpc._schedule_rpc_coro(answering, state, self._events, name))
            self._open.add(call)
            call.add_done_callback(self._open.discard)


class _Resolver:
    """Tells grpcio who answers calls of one method."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler

    def resolve_handler(self, _: grpc.HandlerCallDetails) -> Handler:
        return self._handler
