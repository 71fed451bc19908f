"""The servers that the store's tests run on: the embedded Valkey and Debian's Redis 7."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tests.sessions.servers import Server
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.redis_store import RedisStore


@pytest.fixture(scope="session", params=["valkey", "redis"])
def program(request: pytest.FixtureRequest, external_program: Callable[[str], Path]) -> Path:
    return server_binary() if request.param == "valkey" else external_program("redis-server")


@pytest.fixture(scope="session")
def shared_server(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """For tests that leave the server as it is."""
    server = Server(program, tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def server(program: Path, tmp_path: Path) -> Iterator[Server]:
    """For tests that kill it, or change its settings."""
    server = Server(program, tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
async def store(shared_server: Server) -> AsyncIterator[RedisStore]:
    store = await RedisStore.connect(shared_server.url)
    yield store
    await store.close()
