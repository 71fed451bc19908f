"""What every store promises, on three primaries of a cluster: the tests of one server, run again."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from tests.sessions import test_notices, test_races, test_store
from tests.sessions.clusters import Cluster
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.redis_store import RedisStore

pytestmark = pytest.mark.slow


def _tests(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """Those of a module that share a server. The others kill one of their own, and clusters have others for that."""
    tests = {name: test for name, test in vars(module).items() if name.startswith("test_")}
    return {name: test for name, test in tests.items() if "server" not in inspect.signature(test).parameters}


globals().update(_tests(test_store) | _tests(test_notices) | _tests(test_races))


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(server_binary(), tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.kill()


@pytest.fixture
async def store(shared_server: Cluster) -> AsyncIterator[RedisStore]:
    store = await RedisStore.connect(shared_server.url)
    yield store
    await store.close()
