"""Watching while the game is played at another replica, and while the store dies and comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from tests.api.live import live, store_at
from tests.api.quiet import play_on
from tests.api.table import Table
from tests.api.watcher import Watcher, revisions
from tests.sessions.servers import Server
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.redis_store import RedisStore


@pytest.fixture
def mortal_server(tmp_path: Path) -> Iterator[Server]:
    """A store's server that the test may kill."""
    server = Server(server_binary(), tmp_path)
    server.start()
    yield server
    server.kill()


async def test_watchers_at_one_replica_see_what_is_played_at_another(
    store: RedisStore, other_store: RedisStore
) -> None:
    async with live(store) as here, live(other_store) as there:
        table = await here.yard.table(3)
        watcher = Watcher(Table(there.yard, table.created), table.seats[1])
        await watcher.update()
        for revision in range(2, 12):
            await play_on(table, 1, seed=revision)
            update = await watcher.update()
            assert update.revision.revision == revision
            assert update.game.view == (await table.get(table.seats[1])).view
        watcher.leave()


async def test_ts11_a_watcher_goes_on_at_another_replica_where_it_stopped_at_the_first(
    store: RedisStore, other_store: RedisStore
) -> None:
    async with live(store) as here, live(other_store) as there:
        table = await here.yard.table(3)
        watcher = Watcher(table, table.seats[1])
        await watcher.update()
        await play_on(table, 3)
        seen = [1, *revisions(await watcher.updates(2))]
        again = Watcher(Table(there.yard, table.created), table.seats[1], watcher.cursor)
        seen += revisions([await again.update()])
        await play_on(table, 1)
        seen += revisions([await again.update()])
        assert seen == [1, 2, 3, 4, 5]
        watcher.leave()
        again.leave()


async def test_nothing_is_missed_when_the_store_is_killed_under_a_stream(mortal_server: Server) -> None:
    """The stream goes on, or it fails as unavailable and is opened again where it stood."""
    async with store_at(mortal_server.url) as store, live(store) as service:
        table = await service.yard.table(3)
        watcher = Watcher(table, table.seats[1])
        seen = revisions([await watcher.update()])
        for deaths in range(3):
            await play_on(table, 1, seed=deaths)
            mortal_server.kill()
            await asyncio.sleep(0.1 * deaths)  # dead for a shorter or a longer time
            await asyncio.to_thread(mortal_server.start)
            await play_on(table, 2, seed=10 + deaths)
            while seen[-1] < 4 + 3 * deaths:
                try:
                    seen += revisions([await watcher.update()])
                except grpc.aio.AioRpcError as error:
                    if error.code() is not grpc.StatusCode.UNAVAILABLE:
                        raise
                    watcher = Watcher(table, table.seats[1], watcher.cursor)
        assert seen == list(range(1, 11))
        watcher.leave()
