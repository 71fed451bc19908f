"""TS-09: the process is killed in the middle of games, and another one goes on with them."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import grpc
import pytest

from tests.api.derivation import check_chance
from tests.api.service import Service
from tests.api.table import WAITING, Table, Yard
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2


@pytest.fixture
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that may be killed."""
    service = Service(tmp_path_factory.mktemp("mortal"), "--drain-seconds", "0")
    service.start()
    yield service
    service.stop()


async def seen(table: Table, tokens: list[str]) -> list[tuple[game_pb2.Game, list[game_pb2.Revision]]]:
    """The game and its history as each of these tokens sees them, but for the time that it has left."""
    views = []
    for token in tokens:
        game = await table.get(token)
        game.info.ClearField("expire_time")
        views.append((game, await table.history(token)))
    return views


async def test_a_killed_process_takes_nothing_with_it(mortal: Service) -> None:
    """Revision, views, whose turn it is, what was answered, who may play, and the chance that is to come."""
    request_id = str(uuid4())
    async with grpc.aio.insecure_channel(mortal.grpc) as channel:
        yard = Yard(channel)
        table = await yard.table(3, allow_spectators=True)
        await table.claim(1)
        await table.play_on(4)
        seat = (await table.get()).info.to_move[0]
        move = (await table.harmless(seat))[0]
        answer = await table.play(seat, move, request_id=request_id)
        waiting = await yard.table(4, start_mode=WAITING, client_seed="host")
        await waiting.claim(2, client_seed="ours")
        commitment = (await waiting.get()).info.commitment
        tokens = [table.host, table.spectator, *table.seats]
        before = await seen(table, tokens)
        legal = [await table.legal(other) for other in range(3)]

    mortal.kill()
    mortal.start()

    async with grpc.aio.insecure_channel(mortal.grpc) as channel:
        table.move_to(Yard(channel))
        waiting.move_to(table.yard)
        assert await seen(table, tokens) == before
        assert [await table.legal(other) for other in range(3)] == legal
        again = await table.play(seat, move, request_id=request_id)
        assert (again.replayed, again.update.revision) == (True, answer.update.revision)
        await table.play_on(3)
        assert (await table.get()).info.revision == before[0][0].info.revision + 3
        # The chance that was committed to before the kill is the one that is dealt after it.
        await waiting.start()
        await waiting.abandon()
        record = await waiting.record()
        assert [seed.seed for seed in record.fairness.client_seeds] == ["host", "ours"]
        check_chance(record, commitment)


async def test_moves_that_were_answered_before_a_kill_are_all_there(mortal: Service) -> None:
    """Killed right after each of several answers."""
    async with grpc.aio.insecure_channel(mortal.grpc) as channel:
        table = await Yard(channel).table(2)
    for expected in (2, 3, 4):
        async with grpc.aio.insecure_channel(mortal.grpc) as channel:
            table.move_to(Yard(channel))
            await table.play_on(1)
            mortal.kill()
        mortal.start()
        async with grpc.aio.insecure_channel(mortal.grpc) as channel:
            table.move_to(Yard(channel))
            assert (await table.get()).info.revision == expected


async def test_a_service_that_is_told_to_stop_keeps_its_games(mortal: Service) -> None:
    async with grpc.aio.insecure_channel(mortal.grpc) as channel:
        table = await Yard(channel).table(3)
        await table.play_on(2)
        before = await seen(table, [table.host, *table.seats])
    mortal.terminate()
    assert mortal.wait() == 0
    mortal.start()
    async with grpc.aio.insecure_channel(mortal.grpc) as channel:
        table.move_to(Yard(channel))
        assert await seen(table, [table.host, *table.seats]) == before
