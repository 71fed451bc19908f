"""Notices: nobody who waits for a game sleeps through a change."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack

import pytest

from tests.lag import lag
from tests.sessions.samples import HOST, a_game, a_write, accepted, stored
from tests.sessions.servers import Server
from whitehall.sessions import notices
from whitehall.sessions.layout import game_key
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import Caller, StoreUnavailable


async def test_the_first_wait_returns_at_once_and_the_next_one_only_with_a_change(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    async with store.subscribe(game_id) as subscription:
        assert await subscription.wait(5)
        assert not await subscription.wait(0.05)
        await accepted(store, a_write(game_id, version))
        assert await subscription.wait(5)
        assert not await subscription.wait(0.05)


async def test_many_changes_before_a_wait_are_one_notice(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    async with store.subscribe(game_id) as subscription, store.subscribe(game_id) as other:
        assert await subscription.wait(5)
        for _ in range(5):
            version = await accepted(store, a_write(game_id, version))
        assert await other.wait(5)
        assert await subscription.wait(5)
        # The notices come in order; what is published now comes behind those of the five writes.
        marker_id, marker_version = await a_game(store)
        async with store.subscribe(marker_id) as marker:
            assert await marker.wait(5)
            await accepted(store, a_write(marker_id, marker_version))
            assert await marker.wait(5)
        await subscription.wait(0)
        assert not await subscription.wait(0.05)


async def test_a_notice_comes_from_any_process_and_goes_to_that_game_alone(
    store: RedisStore, shared_server: Server
) -> None:
    other_process = await RedisStore.connect(shared_server.url)
    game_id, version = await a_game(store)
    quiet_id, _ = await a_game(store)
    async with store.subscribe(game_id) as subscription, store.subscribe(quiet_id) as quiet:
        assert await subscription.wait(5)
        assert await quiet.wait(5)
        await accepted(other_process, a_write(game_id, version))
        assert await subscription.wait(5)
        assert not await quiet.wait(0.05)
    await other_process.close()


async def test_a_deletion_is_noticed(store: RedisStore) -> None:
    game_id, _ = await a_game(store)
    async with store.subscribe(game_id) as subscription:
        assert await subscription.wait(5)
        await store.delete(game_id, Caller(HOST, 0))
        assert await subscription.wait(5)
        assert await store.read(game_id) is None


async def test_watchers_share_one_channel_which_is_left_with_the_last_of_them(
    store: RedisStore, shared_server: Server
) -> None:
    game_id, version = await a_game(store)
    async with AsyncExitStack() as stack:
        watchers = [await stack.enter_async_context(store.subscribe(game_id)) for _ in range(50)]
        assert all([await watcher.wait(5) for watcher in watchers])
        assert shared_server.listeners(game_key(game_id)) == 1
        await accepted(store, a_write(game_id, version))
        assert all([await watcher.wait(5) for watcher in watchers])
    # The next subscription is confirmed only after the server has taken leave of the last one.
    async with store.subscribe((await a_game(store))[0]):
        assert shared_server.listeners(game_key(game_id)) == 0


async def test_whoever_reads_when_told_ends_up_with_the_newest_revision(store: RedisStore) -> None:
    """Watchers come and go while a writer writes; each must see the last revision without any timeout's help."""
    game_id, version = await a_game(store)
    last = version.revision + 200

    async def watch() -> None:
        seen = 0
        while seen < last:
            async with store.subscribe(game_id) as subscription:
                for _ in range(7):
                    assert await subscription.wait(10)
                    seen = (await stored(store, game_id)).version.revision
                    if seen >= last:
                        break

    watchers = [asyncio.create_task(watch()) for _ in range(5)]
    while version.revision < last:
        version = await accepted(store, a_write(game_id, version))
    await asyncio.wait_for(asyncio.gather(*watchers), 10)


async def test_a_lost_connection_is_made_good_with_a_notice(server: Server) -> None:
    store = await RedisStore.connect(server.url)
    game_id, version = await a_game(store)
    other_id, _ = await a_game(store)
    async with store.subscribe(game_id) as subscription, store.subscribe(other_id) as other:
        assert await subscription.wait(5)
        assert await other.wait(5)
        server.kill()
        assert not await subscription.wait(0.05)
        server.start()
        assert await subscription.wait(5)
        assert await other.wait(5)
        await accepted(store, a_write(game_id, version))
        assert await subscription.wait(5)
        assert not await other.wait(0.05)
    await store.close()


async def test_a_subscription_needs_a_server_and_says_so_in_time(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "SUBSCRIBE_SECONDS", 0.3)
    store = await RedisStore.connect(server.url)
    game_id, _ = await a_game(store)
    server.kill()
    started = time.monotonic()
    async with lag() as late:
        with pytest.raises(StoreUnavailable):
            async with store.subscribe(game_id):
                pass
    assert 0.2 < time.monotonic() - started < 1 + late.seconds
    monkeypatch.undo()
    server.start()
    async with store.subscribe(game_id) as subscription:
        assert await subscription.wait(5)
    await store.close()


async def test_closing_the_store_lets_nobody_wait(shared_server: Server) -> None:
    store = await RedisStore.connect(shared_server.url)
    async with store.subscribe("any") as subscription:
        assert await subscription.wait(5)
        waiting = asyncio.create_task(subscription.wait(30))
        await asyncio.sleep(0)
        await store.close()
        await asyncio.wait_for(waiting, 5)
