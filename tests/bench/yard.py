"""The service under test with its echoes, as whoever asks sees it."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import grpc
import redis.asyncio

from tests.bench.calls import Question, UnaryCall, bearing, streaming, unary, watching
from tests.bench.child import Child
from tests.bench.echo import Sizes, Step
from tests.bench.machine import Cores
from tests.bench.matches import Match, Matchmaker
from tests.bench.positions import ROUND, fresh_batches, position_sets
from tests.bench.server import OPERATOR_TOKEN
from tests.bench.sides import Asking, Playing, Streaming
from tests.bench.web import Web, open_web
from whitehall.games.scotland_yard.wire import wire
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2
from whitehall.sessions import layout
from whitehall.sessions.servers import execute
from whitehall.sessions.store import WRITE_ID_BYTES

GAMES = wire.service
POSITIONS = wire.position_service

GAMES_READ = 16
"""How many games are asked about: by where Mr X stands his legal moves take from 500 to 7,000 bytes."""

LONG_GAME = 80
"""Moves that the game has to last from which the echo learns its sizes."""


@dataclass(frozen=True, slots=True)
class Yard:
    """A running service, and the questions that it is asked."""

    server: Child
    channel: grpc.aio.Channel
    web: Web
    echo: grpc.aio.Channel
    sets: dict[str, list[Question]]
    """By name, sets of batches of one position."""
    reads: dict[str, list[Question]]
    """By session method, a question about each of some games that are under way."""

    def asking(self, call: UnaryCall | Web, questions: Sequence[Question], in_flight: int) -> Asking:
        """A side that makes one kind of call."""
        return Asking(self.server.pid, in_flight, call, questions)

    def playing(self, channel: grpc.aio.Channel, service: str, in_flight: int, *, followed: bool = False) -> Playing:
        """A side that plays games, so many at a time; `followed` by all seats or by nobody."""
        matchmaker = Matchmaker(channel, service, Random(f"{service} {in_flight}"))
        watch = watching(channel, service, "WatchGame") if followed else None
        return Playing(self.server.pid, in_flight, unary(channel, service, "PlayMove"), matchmaker, watch)

    def streaming(self, size: int, streams: int) -> Streaming:
        """A side that asks about positions in batches of that size."""
        call = streaming(self.channel, POSITIONS, "StreamListPositionLegalMoves")
        new = partial(fresh_batches, Random(f"batches of {size}"), size)
        return Streaming(self.server.pid, streams, call, bearing(OPERATOR_TOKEN), new, size)


@asynccontextmanager
async def open_yard(folder: Path, cores: Cores) -> AsyncIterator[Yard]:
    """Starts the service with its data below the folder, lets it answer each question once, and starts its echoes."""
    data = folder / "yard"
    server = await Child.start(
        *(sys.executable, "-m", "tests.bench.server", data), log=folder / "yard.log", cores=cores.serving
    )
    try:
        grpc_address, http_address = await server.hear(), await server.hear()
        async with grpc.aio.insecure_channel(grpc_address) as channel, open_web(http_address) as web:
            operator = bearing(OPERATOR_TOKEN)
            sets = {name: [(operator, question) for question in asked] for name, asked in position_sets().items()}
            matchmaker = Matchmaker(channel, GAMES, Random("pilot"))
            reads = await _reads(channel, matchmaker)
            list_legal_moves = unary(channel, POSITIONS, "ListPositionLegalMoves")
            sizes = Sizes(
                positions={
                    name: [await _size(list_legal_moves, question) for question in asked]
                    for name, asked in sets.items()
                },
                reads={
                    method: [await _size(unary(channel, GAMES, method), question) for question in asked]
                    for method, asked in reads.items()
                },
                steps=await _steps(channel, matchmaker, data / "valkey.sock"),
            )
            async with grpc.aio.insecure_channel(await server.ask(sizes)) as echo:
                yield Yard(server, channel, web, echo, sets, reads)
    finally:
        await server.stop()


async def _size(call: UnaryCall, question: Question) -> int:
    metadata, request = question
    return len(await call(request, metadata=metadata))


async def _reads(channel: grpc.aio.Channel, matchmaker: Matchmaker) -> dict[str, list[Question]]:
    """Mr X's questions about games in which it is his turn, with both double tickets left."""
    reads: dict[str, list[Question]] = {"GetGame": [], "ListLegalMoves": []}
    matches = [await _under_way(channel, matchmaker) for _ in range(GAMES_READ)]
    for method, questions in reads.items():
        kind = getattr(service_pb2, f"{method}Request")
        questions += [(match.seats[0], kind(game_id=match.game_id).SerializeToString()) for match in matches]
    return reads


async def _under_way(channel: grpc.aio.Channel, matchmaker: Matchmaker) -> Match:
    """A game that has come to round `ROUND`."""
    play = unary(channel, GAMES, "PlayMove")
    while True:
        match = await matchmaker.match(keeps_doubles=True)
        for metadata, request in match.moves:
            answer = await play(request, metadata=metadata)
            if service_pb2.PlayMoveResponse.FromString(answer).update.game.view.round == ROUND:
                return match


async def _steps(channel: grpc.aio.Channel, matchmaker: Matchmaker, socket: Path) -> list[Step]:
    """How many bytes each move of a long game takes."""
    play = unary(channel, GAMES, "PlayMove")
    steps: list[Step] = []
    async with redis.asyncio.Redis(unix_socket_path=str(socket)) as store:
        while len(steps) < LONG_GAME:
            match = await matchmaker.match()
            steps = []
            for metadata, request in match.moves:
                answer = await play(request, metadata=metadata)
                snapshot = await execute(store, "HSTRLEN", layout.game_key(match.game_id), "s")
                entry = await execute(store, "LINDEX", layout.log_key(match.game_id), -1)
                steps.append(Step(len(answer), snapshot, len(entry) - WRITE_ID_BYTES))
    return steps
