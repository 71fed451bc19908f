"""Replicas that are restarted one after another under the client: no call fails, and no watcher misses a thing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing, suppress
from functools import partial
from pathlib import Path

import pytest

from tests.api.live import until
from tests.api.service import Service
from tests.sessions.servers import Server, free_port
from whitehall.sessions.embedded import server_binary
from whitehall_client import aio

TABLES = 6
CALLS_BETWEEN = 40
"""How many more calls are to be answered at each stage of a restart."""


class Replicas:
    """Two replicas on one store, each at an address that it comes back to."""

    def __init__(self, folder: Path) -> None:
        (folder / "store").mkdir()
        self._store = Server(server_binary(), folder / "store")
        self._store.start()
        self.addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
        self.services = []
        for number, address in enumerate(self.addresses):
            home = folder / f"replica{number}"
            home.mkdir()
            # A drain as an operator would have it: replicas say that they are about to stop, and wait to be believed.
            flags = ("--redis-url", self._store.url, "--grpc-address", address, "--drain-seconds", "1.5")
            self.services.append(Service(home, *flags))
            self.services[-1].start()

    def stop(self) -> None:
        for service in self.services:
            if service.runs:
                service.terminate()
        for service in self.services:
            service.stop()
        self._store.kill()


@pytest.fixture
def replicas(tmp_path: Path) -> Iterator[Replicas]:
    replicas = Replicas(tmp_path)
    yield replicas
    replicas.stop()


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


async def restart_all(replicas: Replicas, tables: list[Table], rounds: int) -> None:
    async def more_calls() -> None:
        goal = sum(table.calls for table in tables) + CALLS_BETWEEN
        await until(lambda: sum(table.calls for table in tables) >= goal, 60)

    for _ in range(rounds):
        for service in replicas.services:
            await more_calls()
            service.terminate()
            await asyncio.to_thread(service.wait)
            await more_calls()
            await asyncio.to_thread(service.start)
            # Not before the client has come back to it: else there would be a moment without any replica.
            await until(partial(has_moved, service), 30)
    await more_calls()


async def has_moved(service: Service) -> bool:
    """Whether moves were played through it since its start."""
    return await asyncio.to_thread(service.metric, "grpc_server_handled_total", grpc_method="PlayMove") > 0


async def play_through_restarts(replicas: Replicas, rounds: int) -> None:
    async with aio.connect("ipv4:" + ",".join(replicas.addresses)) as client:
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
@pytest.mark.timeout(300)
async def test_no_call_fails_in_six_rounds_of_restarts(replicas: Replicas) -> None:
    await play_through_restarts(replicas, 6)
