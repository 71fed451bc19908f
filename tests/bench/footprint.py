"""How soon the service is ready, and how much room it takes: in the memory of its processes, and in the store."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import chain, cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

import grpc
import redis.asyncio

from tests.bench import machine, mansion
from tests.bench.calls import bearing, unary
from tests.bench.child import ChildFailed
from tests.bench.matches import Matchmaker
from tests.bench.positions import position_sets
from tests.bench.server import OPERATOR, OPERATOR_TOKEN
from tests.bench.yard import GAMES, POSITIONS
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2
from whitehall.sessions import layout
from whitehall.sessions.servers import execute

WHITEHALL = str(Path(sys.executable).with_name("whitehall"))
"""The command, as it was installed beside this Python."""

IN_FLIGHT = 16


class StoredGame(NamedTuple):
    """A complete game in the store."""

    revisions: int
    bytes: int
    """What both its keys take."""


class Footprint(NamedTuple):
    """What was found."""

    ready: list[float]
    """Seconds from the start of the process to the answer to a first call that needs the store, start by start."""
    games: list[StoredGame]
    calls: int
    """How many calls the service had answered when its memory was looked at."""
    service_bytes: int
    store_bytes: int
    """The memory of the two processes."""
    deduction_bytes: int
    """The most that a deduction of Cluedo keeps at a time."""


async def footprint(folder: Path, *, starts: int, games: int, calls: int) -> Footprint:
    """Starts the service so often, each time without any data, and gives the last one games and calls to work on."""
    ready = []
    for number in range(starts):
        data = folder / f"start{number}"
        began = time.perf_counter()
        async with whitehall_serve(data) as served, grpc.aio.insecure_channel(served.grpc) as channel:
            matchmaker = Matchmaker(channel, GAMES, Random(f"footprint {number}"))
            await matchmaker.match()
            ready.append(time.perf_counter() - began)
            if number + 1 < starts:
                continue
            stored = [await _complete_game(channel, matchmaker, data / "valkey.sock") for _ in range(games)]
            share = calls // IN_FLIGHT
            await asyncio.gather(*(_mixed_calls(channel, matchmaker, share) for _ in range(IN_FLIGHT)))
            own, *others = machine.family(served.pid)
            store_bytes = sum(map(machine.resident_bytes, others))
            return Footprint(ready, stored, calls, machine.resident_bytes(own), store_bytes, mansion.most_bytes())
    raise ValueError("at least one start is needed")


class Served(NamedTuple):
    """A running service."""

    pid: int
    grpc: str
    """Where it listens."""
    metrics: str
    """The URL of a scrape."""


@asynccontextmanager
async def whitehall_serve(data: Path, *others: str) -> AsyncIterator[Served]:
    """The service as people start it, with other flags besides."""
    flags = {
        "--data-dir": str(data),
        "--grpc-address": "127.0.0.1:0",
        "--http-address": "127.0.0.1:0",
        "--admin-address": "127.0.0.1:0",
        "--operator-keys": ":".join(OPERATOR),
        "--drain-seconds": "0",
    }
    process = await asyncio.create_subprocess_exec(
        *(WHITEHALL, "serve", *chain.from_iterable(flags.items()), *others),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    address = ""
    try:
        async for line in process.stdout:
            match line.decode().split():
                case ["gRPC", address]:
                    pass
                case ["metrics", url]:
                    yield Served(process.pid, address, url)
                    break
        else:
            raise ChildFailed(f"{WHITEHALL} serve has ended before it was ready")
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.communicate()


async def _complete_game(channel: grpc.aio.Channel, matchmaker: Matchmaker, socket: Path) -> StoredGame:
    """Plays a game to its end, every move with a request id, and looks at what the store keeps of it."""
    match = await matchmaker.match()
    play = unary(channel, GAMES, "PlayMove")
    for metadata, request in match.moves:
        await play(request, metadata=metadata)
    async with redis.asyncio.Redis(unix_socket_path=str(socket)) as store:
        keys = (layout.game_key(match.game_id), layout.log_key(match.game_id))
        taken = [await execute(store, "MEMORY USAGE", key, "SAMPLES", 0) for key in keys]
        return StoredGame(await execute(store, "LLEN", keys[1]), sum(taken))


async def _mixed_calls(channel: grpc.aio.Channel, matchmaker: Matchmaker, count: int) -> None:
    """In turn a move, a look at the game, and a question about a position, `count` calls in all."""
    play, get = unary(channel, GAMES, "PlayMove"), unary(channel, GAMES, "GetGame")
    ask = unary(channel, POSITIONS, "ListPositionLegalMoves")
    questions = cycle(position_sets()["Mixed"])
    done = 0
    while done < count:
        match = await matchmaker.match()
        look = service_pb2.GetGameRequest(game_id=match.game_id).SerializeToString()
        for metadata, move in match.moves:
            await play(move, metadata=metadata)
            await get(look, metadata=metadata)
            await ask(next(questions), metadata=bearing(OPERATOR_TOKEN))
            done += 3
            if done >= count:
                break
