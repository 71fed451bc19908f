"""Watchers: they follow a game by its cursors, over however many streams it takes."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc

from tests.faults.client import LOST, Client
from tests.faults.history import Sighting, Watch
from tests.faults.tally import Count
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2

LONGEST_STREAM = 60
"""How many updates a watcher takes at most until it drops the stream and comes back."""
_OVER = (common_pb2.GAME_STATUS_ENDED, common_pb2.GAME_STATUS_ABANDONED)


class Watcher:
    """Writes down what it sees, and knows the newest game that it has been shown."""

    def __init__(self, client: Client, game: Any, watch: Watch) -> None:
        self.game = game
        self._client = client
        self._watch = watch
        self._news = asyncio.Event()
        self._cursor = ""

    @property
    def is_over(self) -> bool:
        """Whether it has seen the end."""
        return self.game.info.status in _OVER

    def show(self, game: Any) -> None:
        """Take note of the game, unless a newer one is known."""
        if game.info.revision > self.game.info.revision:
            self.game = game
            self._news.set()

    async def reach(self, revision: int) -> None:
        """Wait until a revision, or a later one, has been seen."""
        while self.game.info.revision < revision:
            self._news.clear()
            await self._news.wait()

    async def follow(self) -> None:
        """Watch until the game is over and its last revision was seen on a stream."""
        while True:
            try:
                if await self._stream():
                    return
            except grpc.aio.AioRpcError as error:
                if error.code() not in LOST:
                    raise
                self._client.tally.count(Count.LOST)
                await self._client.pause()
            self._client.tally.count(Count.RESUMED)

    async def _stream(self) -> bool:
        """One stream; True if it has told of the end."""
        message = self._client.requests.WatchGameRequest(game_id=self.game.info.game_id, cursor=self._cursor)
        stream = self._client.connections.any.WatchGame(message, metadata=self._client.metadata)
        left = self._client.random.randint(1, LONGEST_STREAM)
        try:
            async for told in stream:
                if told.WhichOneof("kind") != "update":
                    continue
                self._watch.sightings.append(Sighting(told.update.revision, told.reset))
                self._cursor = told.update.revision.cursor
                if told.update.HasField("game"):
                    self.show(told.update.game)
                    if told.update.game.info.status in _OVER:
                        return True
                left -= 1
                if not left:
                    return False
        finally:
            stream.cancel()
        return False
