"""A store that loses everything under running replicas, which goes on being one store to all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import grpc
import pytest
from redis.asyncio import Redis

from tests.api.live import Live, live
from tests.api.table import Table
from tests.sessions.servers import Server
from whitehall.api.shared_key import SharedKey
from whitehall.sessions import layout
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import new_write_id

KEY = layout.secret_key("token-key")
PATIENCE_SECONDS = 10.0


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A store that may be emptied."""
    server = Server(server_binary(), tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
async def behind(own_server: Server) -> AsyncIterator[Redis]:
    """A plain client, for looking behind the store's back."""
    client = Redis(unix_socket_path=str(own_server.socket))
    yield client
    await client.aclose()


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait for something that nobody tells of."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await condition():  # noqa: ASYNC110 - it becomes true elsewhere
            await asyncio.sleep(0.01)


async def held(client: Redis) -> bytes:
    """The token key in the store, once there is one."""

    async def there() -> bool:
        return bool(await client.exists(KEY))

    await until(there)
    key = await client.get(KEY)
    assert isinstance(key, bytes)
    return key


async def shares(maker: Live, reader: Live) -> bool:
    """Whether the tokens of a game that one replica makes are good at another one."""
    table = await maker.yard.table(3)
    there = Table(reader.yard, table.created)
    try:
        await there.get(there.mr_x)
    except grpc.aio.AioRpcError as error:
        if error.code() is not grpc.StatusCode.UNAUTHENTICATED:
            raise
        return False
    return True


async def test_a_key_that_the_store_has_lost_is_put_back_and_a_new_replica_takes_it(
    own_server: Server, behind: Redis
) -> None:
    first, second = await RedisStore.connect(own_server.url), await RedisStore.connect(own_server.url)
    async with live(first) as old:
        key = await held(behind)
        await behind.flushall()
        assert await held(behind) == key
        async with live(second) as new:
            assert await shares(old, new)
            assert await shares(new, old)
    await first.close()
    await second.close()


async def test_a_key_that_was_made_by_a_new_replica_first_is_taken_over_by_the_old_one(
    own_server: Server, behind: Redis
) -> None:
    """Games that the old one has made before stay its own: their tokens are still good there."""
    first, second = await RedisStore.connect(own_server.url), await RedisStore.connect(own_server.url)
    async with live(first) as old:
        before = await old.yard.table(3)
        await behind.set(KEY, bytes(32))
        async with live(second) as new:
            await until(lambda: shares(old, new))
            assert await shares(new, old)
            await before.get(before.mr_x)
    await first.close()
    await second.close()


async def test_the_key_last_seen_is_the_one_that_goes_back(own_server: Server, behind: Redis) -> None:
    store = await RedisStore.connect(own_server.url)
    key = SharedKey(store, new_write_id)
    made = await key.look()
    assert await key.look() == made
    await behind.set(KEY, b"another")
    assert await key.look() == b"another"
    await behind.flushall()
    assert await key.look() == b"another"
    assert await behind.get(KEY) == b"another"
    await store.close()
