"""Readiness on a cluster of which a primary is away: whoever can serve the games of the others is ready."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest
from redis.crc import key_slot

from tests.api.live import Live, live, until
from tests.sessions.clusters import Cluster, Node
from whitehall.sessions import layout
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.redis_store import RedisStore

pytestmark = pytest.mark.slow

ROUNDS = 4
"""So many checks, once a second. Two in a row that fail make a process unready."""
TOKEN_KEY = "00" * 32


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(server_binary(), tmp_path, "--cluster-require-full-coverage", "no")
    yield cluster
    cluster.kill()


@pytest.fixture
def keeper(cluster: Cluster) -> Node:
    """The primary that has the token key, where it is shared."""
    return cluster.owner(key_slot(layout.secret_key("token-key")))


@asynccontextmanager
async def started(cluster: Cluster, **settings: object) -> AsyncIterator[Live]:
    """A process on the cluster, as `main` starts it."""
    store = await RedisStore.connect(cluster.url, timeout=2)
    try:
        async with live(store, settings) as service:
            yield service
    finally:
        await store.close()


async def readiness(service: Live) -> str:
    try:
        return await service.admin_page("/readyz")
    except HTTPError as unready:
        return unready.read().decode()


async def is_ready(service: Live) -> bool:
    return await readiness(service) == "ready\n"


async def stays_ready(service: Live) -> None:
    """Over some rounds of checks."""
    done = 'whitehall_store_operation_seconds_count{operation="check",outcome="ok"}'
    first = await service.metric(done)

    async def is_over() -> bool:
        assert await is_ready(service)
        return await service.metric(done) >= first + ROUNDS

    await until(is_over, 60)


async def test_the_key_of_tokens_may_be_away_for_whoever_has_seen_it_and_not_for_a_newcomer(
    cluster: Cluster, keeper: Node
) -> None:
    async with started(cluster) as old:
        await until(lambda: is_ready(old))
        keeper.server.kill()
        await stays_ready(old)
        async with started(cluster) as new:
            await until(lambda: _says(new, "the token key: "))
            keeper.server.start()
            await until(lambda: is_ready(new), 30)
        await stays_ready(old)


async def _says(service: Live, words: str) -> bool:
    return words in await readiness(service)


async def test_with_a_key_of_its_own_a_newcomer_is_ready(cluster: Cluster, keeper: Node) -> None:
    keeper.server.kill()
    async with started(cluster, token_keys=[TOKEN_KEY]) as new:
        await until(lambda: is_ready(new))
        await stays_ready(new)
