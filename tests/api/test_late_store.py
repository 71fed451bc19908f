"""A service whose store is not there yet: it serves what needs none, and is ready once the store answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.api.live import QUICK, until
from tests.api.positions import a_position
from tests.api.refusals import refused
from tests.api.table import Yard
from tests.sessions.gate import Gate
from tests.sessions.servers import Server, free_port
from whitehall import main
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2
from whitehall.main import Addresses, running
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.redis_store import StoreUnsuitable
from whitehall.settings import Settings

GAMES = "whitehall.scotlandyard.v1.ScotlandYardService"
POSITIONS = "whitehall.scotlandyard.v1.ScotlandYardPositionService"
KINDS = ["redis://127.0.0.1:{port}", "redis+sentinel://127.0.0.1:{port}/games", "redis+cluster://127.0.0.1:{port}"]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(server_binary(), tmp_path)
    server.start()
    yield server
    server.kill()


@asynccontextmanager
async def service_on(url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Addresses, Yard]]:
    monkeypatch.setattr(main, "FIRST_ANSWER_SECONDS", 0.05)
    settings = Settings.load({**QUICK, "redis_url": url}, {})
    async with running(settings) as addresses, grpc.aio.insecure_channel(addresses.grpc) as channel:
        yield addresses, Yard(channel)


async def page(addresses: Addresses, path: str) -> tuple[int, str]:
    """What the admin port answers."""

    def read() -> tuple[int, str]:
        try:
            with urlopen(f"http://{addresses.admin}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()

    return await asyncio.to_thread(read)


async def serves(yard: Yard, service: str) -> bool:
    health: Any = health_pb2_grpc.HealthStub(yard.channel)
    answer = await health.Check(health_pb2.HealthCheckRequest(service=service), timeout=10)
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def waits_for_its_store(addresses: Addresses, yard: Yard) -> None:
    """It lives, is not ready, answers questions about positions and refuses games for the store's sake."""
    assert (await page(addresses, "/livez"))[0] == 200
    status, words = await page(addresses, "/readyz")
    assert status == 503
    assert "store" in words
    assert not await serves(yard, "")
    assert not await serves(yard, GAMES)
    assert await serves(yard, POSITIONS)
    question = position_pb2.ListPositionLegalMovesRequest(positions=[a_position()])
    assert len((await yard.positions.ListPositionLegalMoves(question)).moves) == 1
    with refused("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE):
        await yard.table(3)


@pytest.mark.parametrize("kind", KINDS)
async def test_with_a_silent_store_a_service_starts_and_serves_what_needs_none(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Gate() as gate, service_on(kind.format(port=gate.port), monkeypatch) as (addresses, yard):
        await waits_for_its_store(addresses, yard)
        assert gate.taken


async def test_with_nobody_at_the_stores_port_a_service_starts_and_serves_what_needs_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with service_on(f"redis://127.0.0.1:{free_port()}", monkeypatch) as (addresses, yard):
        await waits_for_its_store(addresses, yard)


async def test_a_service_is_ready_once_its_store_answers(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        Gate(str(server.socket)) as gate,
        service_on(f"redis://127.0.0.1:{gate.port}", monkeypatch) as (addresses, yard),
    ):
        await waits_for_its_store(addresses, yard)
        gate.open()
        await until(lambda: serves(yard, GAMES))
        assert (await page(addresses, "/readyz"))[0] == 200
        table = await yard.table(3)
        assert (await table.get()).info.game_id == table.game_id


async def test_a_store_that_answers_and_does_not_suit_keeps_a_service_from_starting(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "FIRST_ANSWER_SECONDS", 10)
    with server.client() as client:
        client.config_set("maxmemory", "100mb")
        client.config_set("maxmemory-policy", "allkeys-lru")
    settings = Settings.load({**QUICK, "redis_url": server.url}, {})
    with pytest.raises(StoreUnsuitable, match="allkeys-lru"):
        async with running(settings):
            pass
