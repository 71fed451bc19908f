"""Streams that are silent, old, too many, slow to read, or left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import grpc
import pytest
from google.rpc import error_details_pb2

from tests.api.live import Live, live, until
from tests.api.quiet import play_on
from tests.api.refusals import refused
from tests.api.table import Table, Yard
from tests.api.watcher import Watcher, fill_the_line, narrow_line, revisions
from whitehall.sessions.redis_store import RedisStore

WATCHERS = 'whitehall_watchers{game="scotland-yard"}'


async def test_a_silent_stream_gives_signs_of_life_with_the_games_revision(store: RedisStore) -> None:
    async with live(store, {"heartbeat_seconds": 0.1}) as service:
        table = await service.yard.table(3)
        watcher = Watcher(table, table.seats[1])
        await watcher.update()
        for revision in (1, 2):
            for _ in range(2):
                message = await watcher.read()
                assert message is not None
                assert message.heartbeat.revision == revision
            if revision == 1:
                await play_on(table, 1)
                await watcher.update()


async def test_an_old_stream_asks_to_reconnect_and_the_next_one_goes_on_without_a_gap(store: RedisStore) -> None:
    """The game is played on all the while, and the watcher comes back as often as it is asked to."""
    async with live(store, {"stream_minutes": 0.3 / 60, "heartbeat_seconds": 0.05}) as service:
        table = await service.yard.table(3)
        seen, streams = [1], 0
        cursor = (await table.get()).info.cursor
        playing = asyncio.create_task(_play_slowly(table))
        while seen[-1] < 20:
            streams += 1
            watcher = Watcher(table, table.seats[1], cursor)
            messages = await watcher.to_the_end()
            kinds = [message.WhichOneof("kind") for message in messages]
            assert kinds.index("reconnect") == len(kinds) - 1
            seen += [message.update.revision.revision for message in messages if message.HasField("update")]
            cursor = watcher.cursor
        await playing
        assert seen == list(range(1, 21))
        assert streams > 2


async def _play_slowly(table: Table) -> None:
    for move in range(19):
        await play_on(table, 1, seed=move)
        await asyncio.sleep(0.05)


async def test_a_game_has_a_limit_of_streams_and_closed_ones_give_their_place_back(store: RedisStore) -> None:
    async with live(store, {"max_streams_per_game": 2, "max_streams": 3}) as service:
        table, other, third = [await service.yard.table(3) for _ in range(3)]
        watchers = [Watcher(table, token) for token in table.seats[:2]]
        for watcher in watchers:
            await watcher.update()
        await _is_full(table)
        watchers.append(Watcher(other, other.seats[0]))
        await watchers[2].update()
        await _is_full(third)
        assert await service.metric(WATCHERS) == 3
        watchers[0].leave()
        await until(lambda: _watched_by(service, 2))
        again = Watcher(table, table.seats[2])
        await again.update()
        await _is_full(table)
        await table.delete()
        for watcher in (watchers[1], again):
            with refused("GAME_NOT_FOUND"):
                await watcher.read()
        await until(lambda: _watched_by(service, 1))
        watchers[2].leave()


async def _is_full(table: Table) -> None:
    with refused("TOO_MANY_STREAMS", grpc.StatusCode.RESOURCE_EXHAUSTED) as refusal:
        await Watcher(table, table.seats[2]).read()
    assert refusal.detail(error_details_pb2.RetryInfo)


async def _watched_by(service: Live, number: int) -> bool:
    return await service.metric(WATCHERS) == number


async def test_refused_streams_take_no_place(store: RedisStore) -> None:
    async with live(store, {"max_streams_per_game": 1, "max_streams": 1}) as service:
        table = await service.yard.table(3)
        await table.claim(0)
        for _ in range(3):
            with refused("TOKEN_REVOKED"):
                await Watcher(table, table.created.invitations[0].token).read()
            with refused("INVALID_FIELD"):
                await Watcher(table, table.seats[0], "nonsense").read()
        await Watcher(table, table.seats[0]).update()


async def test_a_slow_reader_holds_up_nobody_and_misses_nothing(store: RedisStore) -> None:
    """It reads nothing while far more happens than fits on the line, and is then told the rest in short."""
    async with live(store) as service, narrow_line(service.grpc) as slow_line:
        table = await service.yard.table(6, allow_spectators=True)
        slow = Watcher(Table(Yard(slow_line), table.created), table.seats[1])
        await slow.update()
        newest = await fill_the_line(table)
        updates = []
        while slow.cursor != newest:
            updates.append(await slow.update())
        assert revisions(updates) == list(range(2, len(updates) + 2))
        assert [update for update in updates if not update.HasField("game")]
        assert updates[-1].game.view == (await table.get(table.seats[1])).view
        slow.leave()


async def test_who_comes_back_to_far_too_much_news_begins_anew(store: RedisStore) -> None:
    """A host can make as many revisions as it likes, by exchanging tokens."""
    async with live(store) as service:
        table = await service.yard.table(3, allow_spectators=True)
        for _ in range(501):
            await table.rotate(table.host, spectators=True)
        far_behind = Watcher(table, table.seats[1], table.created.game.info.cursor)
        message = await far_behind.read()
        assert message is not None
        assert (message.reset, message.update.revision.revision) == (True, 502)
        assert message.update.game.view == (await table.get(table.seats[1])).view
        far_behind.leave()
        behind = Watcher(table, table.seats[1], (await table.events(table.host, page_size=2)).revisions[1].cursor)
        assert revisions(await behind.updates(500)) == list(range(3, 503))
        behind.leave()


async def _leave(watcher: Watcher, line: grpc.aio.Channel) -> None:
    watcher.leave()


async def _hang_up(watcher: Watcher, line: grpc.aio.Channel) -> None:
    await line.close()


@pytest.mark.parametrize("go", [_leave, _hang_up])
async def test_a_reader_that_goes_while_its_stream_is_stuck_gives_its_place_back(
    store: RedisStore, go: Callable[[Watcher, grpc.aio.Channel], Awaitable[None]]
) -> None:
    async with live(store) as service, narrow_line(service.grpc) as slow_line:
        table = await service.yard.table(6, allow_spectators=True)
        stuck = Watcher(Table(Yard(slow_line), table.created), table.seats[1])
        await stuck.update()
        await fill_the_line(table)
        await until(lambda: _watched_by(service, 1))
        await go(stuck, slow_line)
        await until(lambda: _watched_by(service, 0))
