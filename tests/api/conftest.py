"""One service for all tests that leave it as it is, and a way to start others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import grpc
import pytest

from tests.api.service import Service
from tests.api.table import Yard


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
