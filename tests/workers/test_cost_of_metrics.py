"""What counting costs: at most a twentieth of the processor's time that a call takes."""

from __future__ import annotations

import asyncio
import time
from collections import Counter as Tally
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from tests.api.live import live, store_at
from tests.sessions.servers import Server
from tests.workers.crew import Crew
from tests.workers.test_scrape import processor_seconds
from whitehall.sessions.embedded import server_binary
from whitehall.telemetry.metrics import Metrics

StartCrew = Callable[..., Awaitable[Crew]]

LARGEST_SHARE = 0.05
CALLS = 600
COUNTED_CALLS = 100
WAYS_TO_COUNT = ((Counter, "inc"), (Gauge, "inc"), (Gauge, "dec"), (Gauge, "set"), (Histogram, "observe"))


async def counted_for_each_call(folder: Path, monkeypatch: pytest.MonkeyPatch) -> float:
    """How many numbers the service touches for each reading of a game, from its first line to its last."""
    server = Server(server_binary(), folder)
    server.start()
    tally: Tally[str] = Tally()
    try:
        async with store_at(server.url) as store, live(store) as service:
            table = await service.yard.table(3)
            with monkeypatch.context() as counting:
                for kind, name in WAYS_TO_COUNT:
                    counting.setattr(kind, name, tallied(getattr(kind, name), tally))
                for _ in range(COUNTED_CALLS):
                    await table.get(table.mr_x)
    finally:
        server.kill()
    return tally.total() / COUNTED_CALLS


def tallied(count: Callable[..., None], tally: Tally[str]) -> Callable[..., None]:
    def counts(*arguments: Any, **named: Any) -> None:
        tally["all"] += 1
        count(*arguments, **named)

    return counts


def seconds_for_one() -> float:
    """Of the processor, for the dearest way to count: a duration, with the trace that it is an example of."""
    method = Metrics(CollectorRegistry()).method("service", "Method", "unary")
    began = time.process_time()
    for _ in range(20_000):
        method.handled("OK", 0.003, "4bf92f3577b34da6a3ce929d0e0e4736")
    return (time.process_time() - began) / 40_000


async def test_counting_takes_a_twentieth_of_a_call_at_most(
    start_crew: StartCrew, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readings of a game are the cheapest of all calls to one. Both sides are time of the processor, so that it matters
    little how busy the machine is.
    """
    touched = await counted_for_each_call(tmp_path, monkeypatch)
    assert touched >= 3, "begun, ended, and how long it took"
    crew = await start_crew(workers=1)
    table = await (await crew.yard()).table(3)
    (pid,) = crew.pids
    await table.get(table.mr_x)
    before = processor_seconds(pid)
    for _ in range(CALLS // 20):
        await asyncio.gather(*(table.get(table.mr_x) for _ in range(20)))
    call = (processor_seconds(pid) - before) / CALLS
    counting = touched * seconds_for_one()
    assert counting <= LARGEST_SHARE * call, f"{counting * 1e6:.1f} of {call * 1e6:.0f} microseconds"
