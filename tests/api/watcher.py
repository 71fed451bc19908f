"""A watcher: one stream on a game, read message by message, never waiting for ever."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc

from tests.api.table import Table, bearing
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, service_pb2

PATIENCE_SECONDS = 20.0
"""How long a message may take that has to come."""


class Watcher:
    """The stream of one token's bearer, from a cursor on or from now on."""

    def __init__(self, table: Table, token: str, cursor: str = "") -> None:
        request = service_pb2.WatchGameRequest(game_id=table.game_id, cursor=cursor)
        self.call: Any = table.calls.WatchGame(request, metadata=bearing(token))
        self.cursor = cursor
        """Where it stands."""

    async def read(self) -> service_pb2.WatchGameResponse | None:
        """The next message; None where the stream has ended well. Raises what the stream ends with."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            message = await self.call.read()
        if message is grpc.aio.EOF:
            return None
        assert isinstance(message, service_pb2.WatchGameResponse)
        if message.HasField("update"):
            self.cursor = message.update.revision.cursor
        return message

    async def update(self) -> game_pb2.Update:
        """The next update. Signs of life are passed over; nothing else may come."""
        while True:
            message = await self.read()
            assert message is not None, "the stream has ended"
            if message.WhichOneof("kind") != "heartbeat":
                assert message.WhichOneof("kind") == "update", message
                return message.update

    async def updates(self, count: int) -> list[game_pb2.Update]:
        """So many updates."""
        return [await self.update() for _ in range(count)]

    async def to_the_end(self) -> list[service_pb2.WatchGameResponse]:
        """Everything that still comes."""
        messages = []
        while (message := await self.read()) is not None:
            messages.append(message)
        return messages

    def leave(self) -> None:
        """The client goes away."""
        self.call.cancel()


def revisions(updates: list[game_pb2.Update]) -> list[int]:
    """The updates' numbers."""
    return [update.revision.revision for update in updates]


def narrow_line(address: str) -> grpc.aio.Channel:
    """A connection on which little is under way: 64 KiB, which the client does not widen."""
    return grpc.aio.insecure_channel(address, options=[("grpc.http2.bdp_probe", 0)])


async def fill_the_line(table: Table) -> str:
    """Lets things happen until a watcher has been sent far more than fits on a narrow line; where it then stands.

    The table has to allow spectators.
    """
    quick = Watcher(table, table.seats[2])
    sent = (await quick.update()).ByteSize()
    while sent < 150_000:
        await table.rotate(table.host, spectators=True)
        sent += (await quick.update()).ByteSize()
    quick.leave()
    return quick.cursor
