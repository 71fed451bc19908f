"""What it costs to be watched: a scrape over several workers, and the counting in each call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from unittest import mock
from urllib.request import Request, urlopen

import grpc
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from tests.api.live import live, store_at
from tests.bench.footprint import whitehall_serve
from tests.bench.matches import Matchmaker
from tests.bench.yard import GAMES
from tests.sessions.servers import Server
from whitehall.sessions.embedded import server_binary
from whitehall.telemetry import log
from whitehall.telemetry.metrics import Metrics

WORKERS: Final = 4
_COUNTED_CALLS = 100
_WAYS_TO_COUNT = ((Counter, "inc"), (Gauge, "inc"), (Gauge, "dec"), (Gauge, "set"), (Histogram, "observe"))
_AS_PROMETHEUS = {"accept": "application/openmetrics-text; version=1.0.0; charset=utf-8", "accept-encoding": "gzip"}


class Watched(NamedTuple):
    """What was found."""

    scrapes: list[float]
    """Seconds from asking for the metrics of all workers to their last byte, scrape by scrape."""
    counting: float
    """Seconds of the processor that counting takes in each reading of a game."""


async def watched(folder: Path, scrapes: int) -> Watched:
    """Has an otherwise idle service of several workers scraped so often, after some games."""
    async with (
        whitehall_serve(folder / "watched", f"--workers={WORKERS}") as served,
        grpc.aio.insecure_channel(served.grpc) as channel,
    ):
        matchmaker = Matchmaker(channel, GAMES, Random("watched"))
        for _ in range(WORKERS):
            await matchmaker.match()
        # The first one finds out what all others find known.
        taken = [await asyncio.to_thread(_scrape, served.metrics) for _ in range(scrapes + 1)][1:]
    log.configure("json", "error")
    counted = folder / "counted"
    counted.mkdir()
    return Watched(taken, await counted_for_each_call(counted) * seconds_for_one())


def _scrape(url: str) -> float:
    began = time.perf_counter()
    with urlopen(Request(url, headers=_AS_PROMETHEUS), timeout=30) as answer:
        assert answer.read()
    return time.perf_counter() - began


async def counted_for_each_call(folder: Path) -> float:
    """How many numbers the service touches for each reading of a game, from its first line to its last."""
    server = Server(server_binary(), folder)
    server.start()
    try:
        async with store_at(server.url) as store, live(store) as service:
            table = await service.yard.table(3)
            with _tallied() as touched:
                for _ in range(_COUNTED_CALLS):
                    await table.get(table.mr_x)
                return touched() / _COUNTED_CALLS
    finally:
        server.kill()


@contextmanager
def _tallied() -> Iterator[Callable[[], int]]:
    """How often anything was counted, since the block was entered."""
    touches = count()
    with ExitStack() as stack:
        for kind, name in _WAYS_TO_COUNT:
            stack.enter_context(mock.patch.object(kind, name, _telling(getattr(kind, name), touches)))
        yield lambda: next(touches)


def _telling(does: Callable[..., None], touches: Iterator[int]) -> Callable[..., None]:
    def counts(*arguments: Any, **named: Any) -> None:
        next(touches)
        does(*arguments, **named)

    return counts


def seconds_for_one() -> float:
    """Of the processor, for the dearest way to count: a duration, with the trace that it is an example of."""
    method = Metrics(CollectorRegistry()).method("service", "Method", "unary")
    began = time.process_time()
    for _ in range(20_000):
        method.handled("OK", 0.003, "4bf92f3577b34da6a3ce929d0e0e4736")
    return (time.process_time() - began) / 40_000
