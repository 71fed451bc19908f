"""Watchers see each revision once and in order, whatever becomes of their connections."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

import whitehall_client
from tests.api.service import Service
from tests.clients.cable import Cable
from whitehall_client import NotAllowed, NotFound, Unanswered, aio


async def shuffle_on(seats: list[aio.cluedo.Seat], turns: int) -> None:
    """So many turns of Cluedo: whoever is to move makes the first move that is listed."""
    for _ in range(turns):
        game = await seats[0].game()
        if not game.info.to_move:
            return
        seat = seats[game.info.to_move[0]]
        await seat.play((await seat.moves())[0])


async def test_a_watcher_misses_nothing_over_killed_connections(client: aio.Service, cable: Cable) -> None:
    made = await client.cluedo.create_game(players=3)
    seats = [await client.cluedo.claim(invited) for invited in made.seats.values()]
    last = (await seats[0].game()).info.revision + 24
    async with aio.connect(cable.address) as behind:
        watcher = behind.cluedo.seat(made.game_id, seats[1].token)
        told: list[int] = []
        async with aclosing(watcher.watch()) as news:
            first = (await anext(news)).update.revision.revision

            async def play() -> None:
                for _ in range(6):
                    await shuffle_on(seats, 4)
                    await cable.cut()

            playing = asyncio.create_task(play())
            async for message in news:
                told.append(message.update.revision.revision)
                assert not message.reset
                if told[-1] == last:
                    assert message.update.game.info.revision >= last
                    break
            await playing
    assert told == list(range(first + 1, last + 1))
    assert cable.connections > 3


async def test_a_watcher_is_told_the_end_and_then_no_more(client: aio.Service) -> None:
    made = await client.scotland_yard.create_game(players=2)
    host = client.scotland_yard.host(made.game_id, made.host_token)
    mr_x = await client.scotland_yard.claim(made.seats["mr_x"])
    async with aclosing(mr_x.watch()) as news:
        await anext(news)
        await host.abandon()
        rest = [message.update.revision.events[0].session.WhichOneof("kind") async for message in news]
    assert rest == ["game_abandoned"]


async def test_a_watcher_whose_seat_is_taken_back_is_told_so(client: aio.Service) -> None:
    made = await client.scotland_yard.create_game(players=2)
    host = client.scotland_yard.host(made.game_id, made.host_token)
    mr_x = await client.scotland_yard.claim(made.seats["mr_x"])
    async with aclosing(mr_x.watch()) as news:
        await anext(news)
        invitation = await host.reissue(0)
        with pytest.raises(NotAllowed):
            await anext(news)
    assert (await (await client.scotland_yard.claim(invitation)).game()).view.mr_x.HasField("station")


async def test_a_watcher_of_a_deleted_game_is_told_so(client: aio.Service) -> None:
    made = await client.scotland_yard.create_game(players=2, allow_spectators=True)
    spectator = client.scotland_yard.spectator(made.game_id, made.spectator_token)
    async with aclosing(spectator.watch()) as news:
        await anext(news)
        await client.scotland_yard.host(made.game_id, made.host_token).delete()
        with pytest.raises(NotFound):
            await anext(news)


async def test_a_watcher_gives_up_where_nobody_is_there() -> None:
    async with aio.connect("127.0.0.1:1") as nowhere:
        seat = nowhere.scotland_yard.seat("a" * 26, "")
        with pytest.raises(Unanswered):
            await asyncio.wait_for(anext(seat.watch(patience=0.2)), 20)


def test_the_blocking_client_watches_too(service: Service) -> None:
    with whitehall_client.connect(service.grpc) as client:
        made = client.scotland_yard.create_game(players=2)
        mr_x = client.scotland_yard.claim(made.seats["mr_x"])
        news = mr_x.watch()
        start = next(news).update.game
        mr_x.play(mr_x.moves()[0])
        assert next(news).update.revision.revision == start.info.revision + 1
        news.close()
