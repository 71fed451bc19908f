"""Replicas of the service, restarted one after another under a client that goes on playing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

import pytest

from tests.api.live import until
from tests.api.service import Service
from tests.sessions.servers import Server, free_port
from whitehall.sessions.embedded import server_binary

SIX_ROUNDS = (pytest.mark.slow, pytest.mark.timeout(900))
"""The marks of six rounds of restarts, which take a busy machine more than five minutes."""
STOP_SECONDS = 120
"""Longer than the service lets calls go on when it ends, on a machine with too much to do."""
CALLS_BETWEEN = 40
"""How many more calls are to be answered at each stage of a restart."""


class Counted(Protocol):
    """Whoever plays, and how many calls have been answered."""

    calls: int


class Replicas:
    """Two replicas on one store, each at addresses that it comes back to."""

    def __init__(self, folder: Path) -> None:
        (folder / "store").mkdir()
        self._store = Server(server_binary(), folder / "store")
        self._store.start()
        self.addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
        """Those of gRPC."""
        self.http_addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
        self.services = []
        for number, (address, http) in enumerate(zip(self.addresses, self.http_addresses, strict=True)):
            home = folder / f"replica{number}"
            home.mkdir()
            # A drain as an operator would have it: replicas say that they are about to stop, and wait to be believed.
            flags = ("--redis-url", self._store.url, "--grpc-address", address, "--http-address", http)
            self.services.append(Service(home, *flags, "--drain-seconds", "1.5"))
            self.services[-1].start()

    def stop(self) -> None:
        for service in self.services:
            if service.runs:
                service.terminate()
        for service in self.services:
            service.stop()
        self._store.kill()


async def restart_all(replicas: Replicas, tables: Sequence[Counted], rounds: int) -> None:
    async def more_calls() -> None:
        goal = sum(table.calls for table in tables) + CALLS_BETWEEN
        await until(lambda: sum(table.calls for table in tables) >= goal, 60)

    for _ in range(rounds):
        for service in replicas.services:
            await more_calls()
            service.terminate()
            await asyncio.to_thread(service.wait, STOP_SECONDS)
            await more_calls()
            await asyncio.to_thread(service.start)
            # Not before the client has come back to it: else there would be a moment without any replica.
            await until(partial(has_moved, service), 30)
    await more_calls()


async def has_moved(service: Service) -> bool:
    """Whether moves were played through it since its start."""
    return await asyncio.to_thread(service.metric, "grpc_server_handled_total", grpc_method="PlayMove") > 0
