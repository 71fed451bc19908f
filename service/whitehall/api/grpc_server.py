"""gRPC's asyncio server, which here takes its calls by itself.

From 1.84 on grpcio reads the name of every call in the one loop that takes all of them. A name that is no UTF-8 ends
that loop, and with it every call and stream there is, for good: any stranger needs one request for it. The core of
gRPC knows its methods by their bytes. So each of ours is registered there and has a loop of its own, in which no name
has to be read; whatever the core does not know is answered without a look at what it is called.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeAlias

import grpc
from grpc._cython import cygrpc  # type: ignore[attr-defined]

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

SEND_SECONDS: Final = 20.0
"""How long a client may take to take what is sent to it. gRPC itself would wait for as long as the connection lives."""

_call: ContextVar[asyncio.Task[None] | None] = ContextVar("call")
"""What sees to the call as a whole, for whoever answers it in a task of his own."""

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
            self._begin(name, resolver, await next_call())

    def _begin(self, name: str, resolver: _Resolver, state: Any) -> None:
        """Sees to a call. Nothing here may hold its `state` after that, which is what holds the call in the core."""
        is_full = len(self._open) >= self._most
        answering = cygrpc._handle_rpc(name, resolver, (), state, self._events, is_full)
        call = self._events.create_task(self._see_to(answering, state, name))
        self._open.add(call)
        call.add_done_callback(self._open.discard)

    async def _see_to(self, answering: Awaitable[None], state: Any, name: str) -> None:
        # Put back at the end, as a task would hold itself otherwise by what is known in it.
        before = _call.set(asyncio.current_task())
        try:
            await cygrpc._schedule_rpc_coro(answering, state, self._events, name)
        finally:
            _call.reset(before)
            # What ends the task knows this frame.
            del answering, state


@contextmanager
def sending(*served: asyncio.Task[Any] | None) -> Iterator[None]:
    """For as long as something is sent: ends a call whose client does not take it in time, and with it the tasks that
    `served` it besides this one.
    """
    timer = _give_up_later(*served)
    try:
        yield
    finally:
        timer.cancel()


def send_the_last() -> None:
    """From now on nothing but the end of the call is sent: ends it where its client does not take that in time."""
    timer, call = _give_up_later(), _call.get()
    assert call is not None
    call.add_done_callback(lambda _: timer.cancel())


def _give_up_later(*served: asyncio.Task[Any] | None) -> asyncio.TimerHandle:
    tasks = (*served, asyncio.current_task(), _call.get())

    def give_up() -> None:
        # Nothing holds the call any more then, so that the core resets it, and lets go of what was to be sent.
        for task in tasks:
            if task is not None:
                task.cancel()

    return asyncio.get_running_loop().call_later(SEND_SECONDS, give_up)


class _Resolver:
    """Tells grpcio who answers calls of one method."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler

    def resolve_handler(self, _: grpc.HandlerCallDetails) -> Handler:
        return self._handler
