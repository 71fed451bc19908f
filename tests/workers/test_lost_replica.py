"""`durability = "replica"` while the replica is away: whoever starts meanwhile serves what needs no store, unready."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.api.live import until
from tests.sessions.servers import Server, free_port
from tests.workers.crew import Crew, kill
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2, catalog_pb2_grpc
from whitehall.sessions.embedded import server_binary

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


class Pair:
    """A primary, and a replica that can be lost and brought back."""

    def __init__(self, folder: Path) -> None:
        self._port = str(free_port())
        for name in ("a", "b"):
            (folder / name).mkdir()
        quick = ("--repl-diskless-sync-delay", "0")
        self.primary = Server(server_binary(), folder / "a", "--port", self._port, "--bind", "127.0.0.1", *quick)
        self.replica = Server(server_binary(), folder / "b")

    def begin_to_replicate(self) -> None:
        self.replica.start()
        with self.replica.client() as follower:
            follower.execute_command("REPLICAOF", "127.0.0.1", self._port)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """Only the primary runs at first."""
    made = Pair(tmp_path)
    made.primary.start()
    yield made
    made.replica.kill()
    made.primary.kill()


async def readiness(crew: Crew) -> str:
    try:
        return await crew.page("/readyz?verbose")
    except HTTPError as unready:
        return unready.read().decode()


async def says(crew: Crew, *parts: str) -> bool:
    told = await readiness(crew)
    return all(part in told for part in parts)


async def health_of(channel: grpc.aio.Channel, service: str) -> int:
    health: Any = health_pb2_grpc.HealthStub(channel)
    answer = await health.Check(health_pb2.HealthCheckRequest(service=service))
    return int(answer.status)


async def serves_what_needs_no_store_alone(crew: Crew) -> None:
    async with grpc.aio.insecure_channel(crew.grpc) as channel:
        catalog = catalog_pb2_grpc.CatalogServiceStub(channel)
        assert (await catalog.GetBuildInfo(catalog_pb2.GetBuildInfoRequest(), timeout=10)).version
        assert await health_of(channel, "whitehall.catalog.v1.CatalogService") == SERVING
        assert await health_of(channel, "whitehall.scotlandyard.v1.ScotlandYardPositionService") == SERVING
        assert await health_of(channel, "whitehall.scotlandyard.v1.ScotlandYardService") == NOT_SERVING


async def test_a_lost_replica_makes_new_processes_unready_and_not_absent(tmp_path: Path, pair: Pair) -> None:
    """From a start without one, with the key of the tokens still to be made, over a loss, to the replica's return."""
    settings = {"workers": 2, "redis_url": pair.primary.url, "durability": "replica"}
    async with Crew.at_work(tmp_path / "data", settings) as crew:
        await until(partial(says, crew, "not ready", "store: no replica has confirmed the write"), 60)
        await serves_what_needs_no_store_alone(crew)
        pair.begin_to_replicate()
        await until(partial(says, crew, "ready\n", "worker 1, store: ok", "worker 2, store: ok"), 60)
        table = await (await crew.yard()).table(3)
        await asyncio.to_thread(pair.replica.kill)
        for pid in crew.pids:
            kill(pid)
        lost = "store: no replica has confirmed the write"
        await until(partial(says, crew, "not ready", f"worker 3, {lost}", f"worker 4, {lost}"), 60)
        await serves_what_needs_no_store_alone(crew)
        pair.begin_to_replicate()
        await until(partial(says, crew, "worker 3, store: ok", "worker 4, store: ok"), 60)
        await table.get(table.mr_x)
