"""A client in another language, driven over stdin and stdout. The driver is a small program beside the client's tests,
the same in every language:

    execute             makes the calls that come by stdin, a line of JSON for each, and writes their outcomes
    watch GAME TOKEN    writes the number of each revision of a game of Cluedo that its watcher is told
    tables COUNT        plays games of Cluedo at so many tables until stdin ends, and writes a line for each move
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.api.live import until
from tests.clients.cable import Cable
from tests.clients.replicas import Replicas, restart_all
from tests.vectors.executors.program import program
from whitehall_client import aio

CLUEDO = "whitehall.cluedo.v1.CluedoService"
REQUEST_ID = "6f0d7a2e-8c1f-4b7d-9a35-0c4b1de7f201"
POSITIONS = "whitehall.cluedo.v1.CluedoPositionService"
CUTS = 4
"""How often a watcher's connection is cut."""

Driver = Sequence[str | Path]
"""The command that starts a driver, up to what it is to do."""


async def plays_once(driver: Driver, cable: Cable, client: aio.Service) -> None:
    """A move whose answer is lost is made once, and answered; a refused one is refused in type."""
    made = await client.cluedo.create_game(players=3)
    seat = await client.cluedo.claim(made.seats["S1"])
    before = (await seat.game()).info.revision

    async def has_come() -> bool:
        return (await seat.game()).info.revision > before

    async with program(*driver, "execute") as executor:

        async def call(method: str, **fields: Any) -> Any:
            return await executor.execute(f"{CLUEDO}/{method}", seat.token, {"gameId": made.game_id, **fields})

        assert (await call("GetGame"))["answer"]["game"]["info"]["revision"] == before
        cable.is_deaf = True
        playing = asyncio.ensure_future(call("PlayMove", move={"text": "roll"}))
        await until(has_come)
        await cable.cut()
        cable.is_deaf = False
        answer = (await playing)["answer"]
        assert (answer["replayed"], answer["update"]["revision"]["revision"]) == (True, before + 1)
        refusal = (await call("PlayMove", move={"text": "roll"}))["refusal"]
    assert (refusal["code"], refusal["reason"]) == ("FAILED_PRECONDITION", "ILLEGAL_MOVE")
    assert refusal["metadata"]["rule"].startswith("CL-")
    assert (await seat.game()).info.revision == before + 1


async def needs_no_store(driver: Driver) -> None:
    """The catalog and positions are served while the store is away."""
    async with program(*driver, "execute") as executor:

        async def call(method: str, **fields: Any) -> Any:
            return await executor.execute(method, "", fields)

        assert (await call("whitehall.catalog.v1.CatalogService/GetBuildInfo"))["answer"]["version"]
        assert "answer" in await call(f"{POSITIONS}/ListPossibleSolutions", logs=[{"players": 3}])


async def misses_nothing(driver: Driver, cable: Cable, client: aio.Service) -> None:
    """A watcher is told each revision once and in order, over connections that are cut; and the end ends it."""
    made = await client.cluedo.create_game(players=3, allow_spectators=True)
    seats = [await client.cluedo.claim(invitation) for invitation in made.seats.values()]
    process = await asyncio.create_subprocess_exec(
        *driver, "watch", made.game_id, made.spectator_token, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        told = [int(await asyncio.wait_for(process.stdout.readline(), 60))]
        for _ in range(CUTS):
            for turn in range(3):
                game = await seats[0].game()
                if game.info.to_move:
                    seat = seats[game.info.to_move[0]]
                    await seat.play((await seat.moves())[0])
                if turn == 1:
                    await cable.cut()
            while told[-1] < (await seats[0].game()).info.revision:
                told.append(int(await asyncio.wait_for(process.stdout.readline(), 60)))
        await client.cluedo.host(made.game_id, made.host_token).abandon()
        last = (await seats[0].game()).info.revision
        told += [int(line) async for line in process.stdout]
        assert await asyncio.wait_for(process.wait(), 60) == 0
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    assert told == list(range(told[0], last + 1))
    assert cable.connections > CUTS


async def takes_large_answers(driver: Driver, size: int) -> None:
    """OP-13: a record of so many bytes arrives, though gRPC's own limit would refuse it."""
    async with program(*driver, "execute") as executor:
        asked = {"gameId": "a" * 26}
        outcome = await executor.execute("whitehall.scotlandyard.v1.ScotlandYardService/GetRecord", "token", asked)
    assert len(outcome["answer"]["text"]) == size


async def outlives_silence(driver: Driver, cable: Cable, client: aio.Service, seconds: float) -> None:
    """OP-11: its pings are no more than the service allows, so that the next event comes over the same connection, or
    over the next one where the service has ended it in the regular way, about once a minute.
    """
    made = await client.cluedo.create_game(players=3, allow_spectators=True)
    seat = await client.cluedo.claim(made.seats["S1"])
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*driver, "watch", made.game_id, made.spectator_token, stdout=pipe)
    assert process.stdout is not None
    try:
        first = int(await asyncio.wait_for(process.stdout.readline(), 60))
        await asyncio.sleep(seconds)  # nothing happens meanwhile: that is the point
        await seat.play("roll")
        assert int(await asyncio.wait_for(process.stdout.readline(), 60)) == first + 1
        assert cable.connections <= 1 + seconds / 45
    finally:
        process.kill()
        await process.wait()


class Tables:
    """The tables of a driver."""

    def __init__(self, output: asyncio.StreamReader) -> None:
        self._output = output
        self.calls = 0

    async def count(self) -> None:
        """Counts until the driver ends."""
        async for _ in self._output:
            self.calls += 2


async def plays_through_restarts(driver: Driver, replicas: Replicas, rounds: int = 1) -> None:
    """No call fails while both replicas are restarted, and no watcher misses a revision: else the driver would fail."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*driver, "tables", "4", stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    tables = Tables(process.stdout)
    counting = asyncio.ensure_future(tables.count())
    complaining = asyncio.ensure_future(process.stderr.read())
    restarting = asyncio.ensure_future(restart_all(replicas, [tables], rounds))
    try:
        await asyncio.wait([restarting, counting], return_when=asyncio.FIRST_COMPLETED)
        if not restarting.done():
            restarting.cancel()
            pytest.fail((await complaining).decode())
        await restarting
        process.stdin.close()
        code = await asyncio.wait_for(process.wait(), 60)
        assert code == 0, (await complaining).decode()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        await asyncio.gather(restarting, counting, complaining, return_exceptions=True)
