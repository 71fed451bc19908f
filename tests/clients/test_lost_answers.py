"""Answers that get lost: the client asks again, and what it asked for is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.api.live import until
from tests.clients.cable import Cable
from whitehall_client import IllegalMove, Unanswered, aio
from whitehall_client.gen.whitehall.common.v1 import game_pb2


async def lose_an_answer(cable: Cable, host: aio.scotland_yard.Host, revision: int) -> None:
    """Swallows what the service says until the game has come to this revision; then the connection breaks."""

    async def has_come() -> bool:
        return (await host.game()).info.revision >= revision

    cable.is_deaf = True
    await until(has_come)
    await cable.cut()
    cable.is_deaf = False


async def test_a_move_whose_answer_is_lost_is_made_once_and_answered(client: aio.Service, cable: Cable) -> None:
    made = await client.scotland_yard.create_game(players=2)
    host = client.scotland_yard.host(made.game_id, made.host_token)
    async with aio.connect(cable.address) as behind:
        mr_x = await behind.scotland_yard.claim(made.seats["mr_x"])
        revision = (await host.game()).info.revision
        (move, *_) = await mr_x.moves()
        played, _ = await asyncio.gather(mr_x.play(move), lose_an_answer(cable, host, revision + 1))
    assert played.replayed
    assert played.update.revision.revision == revision + 1
    assert (await host.game()).info.revision == revision + 1


async def test_every_change_survives_the_loss_of_its_answer(client: aio.Service, cable: Cable) -> None:
    """Claiming, starting, reissuing: each is done once, and the token that it gave is the one in force."""
    waiting = game_pb2.START_MODE_WAITING
    made = await client.scotland_yard.create_game(players=2, start_mode=waiting, allow_spectators=True)
    host = client.scotland_yard.host(made.game_id, made.host_token)
    async with aio.connect(cable.address) as behind:
        yard = behind.scotland_yard
        far = yard.host(made.game_id, made.host_token)
        changes: tuple[Callable[[], Awaitable[Any]], ...] = (
            lambda: yard.claim(made.seats["mr_x"], client_seed="mine"),
            far.start,
            lambda: far.reissue(0),
            far.reissue_spectators,
        )
        results = []
        for number, change in enumerate(changes):
            await far.game()  # so that there is a connection to break
            result, _ = await asyncio.gather(change(), lose_an_answer(cable, host, number + 2))
            assert (await host.game()).info.revision == number + 2
            results.append(result)
    spectator = client.scotland_yard.spectator(made.game_id, results[3])
    assert (await spectator.game()).info.revision == len(changes) + 1
    assert (await client.scotland_yard.claim(results[2])).token


async def test_a_new_game_whose_answer_is_lost_is_the_same_game(cable: Cable) -> None:
    """The request id makes it the same; here the caller brings its own and asks twice."""
    request_id = "6f0d7a2e-8c1f-4b7d-9a35-0c4b1de7f201"
    async with aio.connect(cable.address) as behind:
        first = await behind.cluedo.create_game(players=3, request_id=request_id)
        await cable.cut()
        again = await behind.cluedo.create_game(players=3, request_id=request_id)
    assert (first.game_id, first.seats, first.host_token) == (again.game_id, again.seats, again.host_token)


async def test_nobody_answers_for_as_long_as_the_caller_waits(cable: Cable) -> None:
    """Nothing is promised then, and the time is kept."""
    cable.is_deaf = True
    async with aio.connect(cable.address, timeout=0.5) as behind:
        with pytest.raises(Unanswered):
            await asyncio.wait_for(behind.catalog.build_info(), 10)


async def test_a_refusal_is_not_asked_for_twice(client: aio.Service) -> None:
    made = await client.scotland_yard.create_game(players=2)
    mr_x = await client.scotland_yard.claim(made.seats["mr_x"])
    with pytest.raises(IllegalMove) as refused:
        await mr_x.play("taxi 999")
    assert refused.value.rule == "SY-MOVE-01"
    assert not refused.value.is_temporary
