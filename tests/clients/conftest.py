"""The service that clients call: one as it is on a fresh machine, for tests that leave it as it is."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.api.service import Service
from tests.clients.cable import Cable
from tests.clients.replicas import Replicas
from tests.sessions.servers import Server
from whitehall.sessions.embedded import server_binary
from whitehall_client import aio


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("service"), "--drain-seconds", "0")
    service.start()
    yield service
    service.stop()


@pytest.fixture(scope="session")
def storeless_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose store is away, and which knows it."""
    (store_folder := tmp_path_factory.mktemp("lost") / "store").mkdir()
    store = Server(server_binary(), store_folder)
    store.start()
    flags = ("--redis-url", store.url, "--drain-seconds", "0")
    service = Service(tmp_path_factory.mktemp("storeless"), *flags)
    service.start()
    store.kill()
    deadline = time.monotonic() + 60
    while service.metric("whitehall_ready"):
        assert time.monotonic() < deadline, "it has not noticed"
        time.sleep(0.05)  # between two questions; what is waited for is the service's own word
    yield service
    service.stop()


@pytest.fixture
async def client(service: Service) -> AsyncIterator[aio.Service]:
    """The client, connected."""
    async with aio.connect(service.grpc) as client:
        yield client


@pytest.fixture
async def cable(service: Service) -> AsyncIterator[Cable]:
    """A way to the service that can be cut."""
    async with Cable(service.grpc) as cable:
        yield cable


@pytest.fixture
def replicas(tmp_path: Path) -> Iterator[Replicas]:
    replicas = Replicas(tmp_path)
    yield replicas
    replicas.stop()
