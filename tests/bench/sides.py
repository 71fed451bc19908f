"""What is asked over gRPC: one question at a time, batches in streams, or whole games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle

import grpc

from tests.bench import machine
from tests.bench.calls import Metadata, Question, StreamCall, UnaryCall, WatchCall
from tests.bench.load import Slice, Worker, closed_loop
from tests.bench.matches import Match, Matchmaker
from tests.bench.web import Web
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2

SPARE_GAMES = 8
"""How many more games are made ready than are played at a time: some are short."""


class _Served:
    """What all sides have in common whose server is a process with its store."""

    def __init__(self, pid: int, in_flight: int) -> None:
        self._pid = pid
        self._in_flight = in_flight

    async def prepare(self) -> None:
        """Nothing, unless a side says otherwise."""

    async def _measure(self, workers: Sequence[Worker], seconds: float) -> Slice:
        serving = machine.family(self._pid)
        before = machine.cpu_seconds(serving)
        done, elapsed, latencies = await closed_loop(workers, seconds)
        return Slice(done, elapsed, machine.cpu_seconds(serving) - before, latencies)


class Asking(_Served):
    """Calls of one method, over and over the same questions."""

    def __init__(self, pid: int, in_flight: int, call: UnaryCall | Web, questions: Iterable[Question]) -> None:
        super().__init__(pid, in_flight)
        self._call = call
        self._questions = cycle(questions)

    async def turn(self, seconds: float) -> Slice:
        async def ask() -> int:
            metadata, request = next(self._questions)
            await self._call(request, metadata=metadata)
            return 1

        return await self._measure([ask] * self._in_flight, seconds)


class Streaming(_Served):
    """Batches in streams of one method, each sent when the one before is answered. Counts what the batches hold."""

    def __init__(
        self, pid: int, streams: int, call: StreamCall, metadata: Metadata, new: Callable[[], list[bytes]], size: int
    ) -> None:
        super().__init__(pid, streams)
        self._open = call
        self._metadata = metadata
        self._new = new
        self._batches: Iterator[bytes] = iter(())
        self._size = size

    async def prepare(self) -> None:
        """New batches, so that what the service remembers of a position does not help it."""
        self._batches = cycle(self._new())

    async def turn(self, seconds: float) -> Slice:
        streams = [self._open(metadata=self._metadata) for _ in range(self._in_flight)]
        try:
            return await self._measure([self._worker(stream) for stream in streams], seconds)
        finally:
            for stream in streams:
                stream.cancel()

    def _worker(self, stream: grpc.aio.StreamStreamCall[bytes, bytes]) -> Worker:
        async def ask() -> int:
            await stream.write(next(self._batches))
            await stream.read()
            return self._size

        return ask


class Playing(_Served):
    """Games, as many at a time as there are calls in flight. A game goes on in the next turn.

    With `watch` every seat of every game follows it.
    """

    def __init__(
        self, pid: int, in_flight: int, call: UnaryCall, matchmaker: Matchmaker, watch: WatchCall | None = None
    ) -> None:
        super().__init__(pid, in_flight)
        self._call = call
        self._matchmaker = matchmaker
        self._watch = watch
        self._watchers: set[asyncio.Task[None]] = set()
        self._faults: list[BaseException] = []
        self._under_way: list[Match] = []
        self._waiting: list[Match] = []

    async def prepare(self) -> None:
        """Enough games that none has to be made while the clock runs."""
        while len(self._under_way) < self._in_flight:
            self._under_way.append(await self._match())
        while len(self._waiting) < self._in_flight + SPARE_GAMES:
            self._waiting.append(await self._match())

    async def turn(self, seconds: float) -> Slice:
        measured = await self._measure([self._worker(table) for table in range(self._in_flight)], seconds)
        for fault in self._faults:
            raise fault
        return measured

    async def _match(self) -> Match:
        match = await self._matchmaker.match()
        if self._watch is not None:
            request = service_pb2.WatchGameRequest(game_id=match.game_id).SerializeToString()
            for seat in match.seats:
                stream = self._watch(request, metadata=seat)
                await stream.read()
                watcher = asyncio.create_task(_drain(stream))
                self._watchers.add(watcher)
                watcher.add_done_callback(self._watched)
        return match

    def _watched(self, watcher: asyncio.Task[None]) -> None:
        self._watchers.discard(watcher)
        if not watcher.cancelled() and (fault := watcher.exception()) is not None:
            self._faults.append(fault)

    def _worker(self, table: int) -> Worker:
        async def ask() -> int:
            question = next(self._under_way[table].moves, None)
            while question is None:
                self._under_way[table] = self._waiting.pop()
                question = next(self._under_way[table].moves, None)
            metadata, request = question
            await self._call(request, metadata=metadata)
            return 1

        return ask


async def _drain(stream: grpc.aio.UnaryStreamCall[bytes, bytes]) -> None:
    """Takes in a stream until its game is over."""
    while await stream.read() is not grpc.aio.EOF:
        pass
