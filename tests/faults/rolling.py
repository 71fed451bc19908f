"""Replicas that are replaced one by one, and callers who call on and on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import grpc

from tests.api.live import until
from tests.api.table import Yard, a_request_id
from tests.faults.service import Replica, Store
from whitehall.sessions.embedded import server_binary

CALLERS = 8


@asynccontextmanager
async def two_replicas(folder: Path, workers: int = 1, drain_seconds: int = 1) -> AsyncIterator[list[Replica]]:
    """On one store, with a drain that lets callers take note."""
    store = Store(server_binary(), folder / "store")
    others = {"drain_seconds": str(drain_seconds), "log_level": "info", "log_format": "json"}
    replicas = [Replica(folder / f"replica{number}", store.url, workers, **others) for number in range(2)]
    try:
        await store.start()
        await asyncio.gather(*(replica.start() for replica in replicas))
        yield replicas
    finally:
        for replica in replicas:
            replica.stop()
        store.stop()


class Callers:
    """Callers over one channel, from entering the block to its end. Each makes games, reads them and plays a move."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._yard = Yard(channel)
        self._over = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.failed: list[str] = []
        """What went wrong, call by call."""
        self.answered = 0
        """Calls that went well."""

    async def __aenter__(self) -> Callers:
        self._tasks = [asyncio.create_task(self._call_on()) for _ in range(CALLERS)]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._over.set()
        await asyncio.gather(*self._tasks)

    async def _call_on(self) -> None:
        while not self._over.is_set():
            try:
                table = await self._yard.table(2, request_id=a_request_id())
                game = await table.get(table.seats[0])
                assert game.info.revision == 1
                (move, *_) = [ride.text for ride in (await table.legal(0)).moves.pieces[0].rides]
                await table.play(0, move, request_id=a_request_id())
                self.answered += 4
            except grpc.RpcError as error:
                self.failed.append(f"{error.code()}: {error.details()}")


async def restart_all(replicas: Sequence[Replica]) -> None:
    """One after the other, as an orchestrator does: gone once it has drained, and the next one is there once it has
    been given calls.
    """
    for replica in replicas:
        await asyncio.to_thread(replica.stop)
        answered = _calls_answered(replica)
        await replica.start()
        await until(partial(_has_answered, replica, answered + CALLERS), 30)


def _has_answered(replica: Replica, number: int) -> bool:
    return _calls_answered(replica) >= number


def _calls_answered(replica: Replica) -> int:
    """How many calls its log tells of."""
    return replica.log.read_text().count('"code": "OK"')
