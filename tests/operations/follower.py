"""A follower of a game: one stream, and when which revision came by it."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

import grpc

from tests.bench.calls import WatchCall, bearing
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2


class Sighting(NamedTuple):
    """A revision, and when it came."""

    revision: int
    at: float


class Follower:
    """Follows a game by the call that it is given, from its first message until it leaves."""

    def __init__(self, watch: WatchCall, game_id: str, token: str) -> None:
        request = service_pb2.WatchGameRequest(game_id=game_id)
        self._call = watch(request.SerializeToString(), metadata=bearing(token))
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())
        self.seen: list[Sighting] = []
        """In the order in which they came."""

    async def is_let_in(self) -> bool:
        """Whether there was a place for it. Waits for the first message."""
        news = asyncio.ensure_future(self._news.wait())
        await asyncio.wait({news, self._reading}, return_when=asyncio.FIRST_COMPLETED)
        news.cancel()
        if not self._reading.done():
            return True
        error = self._reading.exception()
        if not isinstance(error, grpc.aio.AioRpcError) or error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
            raise AssertionError("a stream has ended otherwise than by being one too many") from error
        return False

    async def reach(self, revision: int) -> None:
        """Wait until a revision, or a later one, has come."""
        while not self.seen or self.seen[-1].revision < revision:
            assert not self._reading.done(), "the stream has ended"
            self._news.clear()
            await self._news.wait()

    async def leave(self) -> None:
        """End the stream."""
        self._call.cancel()
        await asyncio.wait({self._reading})

    async def _read(self) -> None:
        try:
            async for message in self._call:
                told = service_pb2.WatchGameResponse.FromString(message)
                if told.HasField("update"):
                    self.seen.append(Sighting(told.update.revision.revision, time.perf_counter()))
                self._news.set()
        finally:
            self._news.set()
