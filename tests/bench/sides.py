"""What is asked over gRPC: one question at a time, batches in streams, or whole games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle

import grpc

from tests.bench import machine
from tests.bench.calls import Question, StreamCall, UnaryCall
from tests.bench.load import Slice, Worker, closed_loop
from tests.bench.matches import Match, Matchmaker

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

    def __init__(self, pid: int, in_flight: int, call: UnaryCall, questions: Iterable[Question]) -> None:
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

    def __init__(self, pid: int, streams: int, call: StreamCall, batches: Iterable[Question], size: int) -> None:
        super().__init__(pid, streams)
        self._open = call
        self._batches = cycle(batches)
        self._size = size

    async def turn(self, seconds: float) -> Slice:
        metadata, _ = next(self._batches)
        streams = [self._open(metadata=metadata) for _ in range(self._in_flight)]
        try:
            return await self._measure([self._worker(stream) for stream in streams], seconds)
        finally:
            for stream in streams:
                stream.cancel()

    def _worker(self, stream: grpc.aio.StreamStreamCall[bytes, bytes]) -> Worker:
        async def ask() -> int:
            _, batch = next(self._batches)
            await stream.write(batch)
            await stream.read()
            return self._size

        return ask


class Playing(_Served):
    """Games, as many at a time as there are calls in flight. A game goes on in the next turn."""

    def __init__(self, pid: int, in_flight: int, call: UnaryCall, matchmaker: Matchmaker) -> None:
        super().__init__(pid, in_flight)
        self._call = call
        self._matchmaker = matchmaker
        self._under_way: list[Match] = []
        self._waiting: list[Match] = []

    async def prepare(self) -> None:
        """Enough games that none has to be made while the clock runs."""
        while len(self._under_way) < self._in_flight:
            self._under_way.append(await self._matchmaker.match())
        while len(self._waiting) < self._in_flight + SPARE_GAMES:
            self._waiting.append(await self._matchmaker.match())

    async def turn(self, seconds: float) -> Slice:
        return await self._measure([self._worker(table) for table in range(self._in_flight)], seconds)

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
