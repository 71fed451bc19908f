"""Replicas that are restarted one after another under the client: no call fails, and no watcher misses a thing."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress

import pytest

from tests.clients.replicas import Replicas, restart_all
from whitehall_client import aio

TABLES = 6


class Table:
    """A game that goes on and on, made new when it is over, with a spectator who writes down what comes."""

    def __init__(self, client: aio.Service) -> None:
        self._client = client
        self.calls = 0

    async def play(self, ended: asyncio.Event) -> None:
        while not ended.is_set():
            made = await self._client.cluedo.create_game(players=3, allow_spectators=True)
            seats = [await self._client.cluedo.claim(invitation) for invitation in made.seats.values()]
            spectator = self._client.cluedo.spectator(made.game_id, made.spectator_token)
            watching = asyncio.create_task(self._watch(spectator))
            game = await spectator.game()
            while game.info.to_move and not ended.is_set():
                seat = seats[game.info.to_move[0]]
                game = (await seat.play((await seat.moves())[-1])).update.game
                self.calls += 2
            await self._client.cluedo.host(made.game_id, made.host_token).abandon()
            revisions = await asyncio.wait_for(watching, 30)
            assert revisions == list(range(revisions[0], game.info.revision + 2))

    async def _watch(self, spectator: aio.cluedo.Viewer) -> list[int]:
        async with aclosing(spectator.watch()) as news:
            return [message.update.revision.revision async for message in news]


async def play_through_restarts(replicas: Replicas, rounds: int) -> None:
    # No call is to fail, which is another thing than being quick: the machine may be busy.
    async with aio.connect("ipv4:" + ",".join(replicas.addresses), timeout=30) as client:
        tables = [Table(client) for _ in range(TABLES)]
        ended = asyncio.Event()
        playing = [asyncio.create_task(table.play(ended)) for table in tables]
        restarting = asyncio.create_task(restart_all(replicas, tables, rounds))
        # A table that stops has met a call that failed.
        await asyncio.wait([restarting, *playing], return_when=asyncio.FIRST_COMPLETED)
        ended.set()
        if not restarting.done():
            restarting.cancel()
            with suppress(asyncio.CancelledError):
                await restarting
        await asyncio.gather(*playing)
        await restarting


async def test_no_call_fails_while_both_replicas_are_restarted(replicas: Replicas) -> None:
    await play_through_restarts(replicas, 1)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_no_call_fails_in_six_rounds_of_restarts(replicas: Replicas) -> None:
    await play_through_restarts(replicas, 6)
