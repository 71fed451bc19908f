"""One service for all tests that leave it as it is, and a way to start others."""

from __future__ import annotations

import io
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import grpc
import pytest
import structlog

from tests.api.live import store_at
from tests.api.service import Service
from tests.api.table import Table, Yard
from tests.sessions.servers import Server
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.redis_store import RedisStore
from whitehall.telemetry.log import configure, flush


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service as it is on a fresh machine: an embedded store, no operator keys. For tests that don't harm it."""
    service = Service(tmp_path_factory.mktemp("service"), "--drain-seconds", "0")
    service.start()
    yield service
    service.stop()


@pytest.fixture
def start_service(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """`start_service("--heartbeat-seconds", "0.2")` starts a service of the test's own, which ends with the test."""
    services: list[Service] = []

    def start(*flags: str) -> Service:
        folder = tmp_path / f"service{len(services)}"
        folder.mkdir()
        services.append(Service(folder, *flags))
        services[-1].start()
        return services[-1]

    yield start
    for service in services:
        service.stop()


@pytest.fixture
async def yard(service: Service) -> AsyncIterator[Yard]:
    """The shared service's methods over a channel of the test's own."""
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        yield Yard(channel)


@pytest.fixture
async def table(yard: Yard) -> Table:
    """A new game of three players, started."""
    return await yard.table(3)


@pytest.fixture(scope="session")
def store_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A store's server without a service on it, for tests that bring their own and leave the server as it is."""
    server = Server(server_binary(), tmp_path_factory.mktemp("store"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
async def store(store_server: Server) -> AsyncIterator[RedisStore]:
    """A store on that server."""
    async with store_at(store_server.url) as store:
        yield store


@pytest.fixture
async def other_store(store_server: Server) -> AsyncIterator[RedisStore]:
    """Another store on that server, for a second replica."""
    async with store_at(store_server.url) as store:
        yield store


class Written(io.StringIO):
    """A log as text, once all of it is written."""

    def getvalue(self) -> str:
        assert flush(5), "lines are still waiting"
        return super().getvalue()


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The log of services in the test's own process: JSON lines, down to the least important ones."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    lines = Written()
    configure("json", "debug", lines)
    yield lines
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)
