"""What a scrape over several workers costs the whole way: their reports, the sums, and the text over HTTP."""

from __future__ import annotations

import asyncio
import gzip
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics

from tests.api.live import until
from tests.workers.crew import Crew
from whitehall.telemetry.ledger import Ledger, Report
from whitehall.workers import supervisor
from whitehall.workers.hand import Hand

StartCrew = Callable[..., Awaitable[Crew]]

LONGEST_SECONDS = 0.2
SCRAPES = 5
AS_PROMETHEUS = {"accept": "application/openmetrics-text; version=1.0.0; charset=utf-8", "accept-encoding": "gzip"}


def scraped(admin: str) -> bytes:
    with urlopen(Request(f"http://{admin}/metrics", headers=AS_PROMETHEUS), timeout=30) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["content-type"].startswith("application/openmetrics-text")
        packed = answer.read()
        assert isinstance(packed, bytes)
        return packed


def processor_seconds(pid: int) -> float:
    """User's and system's time of a process, by the system's clock ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def spent(pids: Sequence[int]) -> tuple[float, list[float]]:
    """What this process, which has the supervisor, and the workers have spent so far."""
    return time.process_time(), [processor_seconds(pid) for pid in pids]


async def test_a_scrape_of_four_idle_workers_takes_a_fifth_of_a_second_at_most(start_crew: StartCrew) -> None:
    """Of the processor, one after the other: a worker's report, which all make at once, and the supervisor's part."""
    crew = await start_crew(workers=4)
    packed = await asyncio.to_thread(scraped, crew.admin)
    text = gzip.decompress(packed).decode()
    assert len(packed) < len(text) / 10
    assert list(parse_openmetrics(text))  # type: ignore[no-untyped-call]
    costs = []
    for _ in range(SCRAPES):
        mine, theirs = spent(crew.pids)
        await asyncio.to_thread(scraped, crew.admin)
        mine_then, theirs_then = spent(crew.pids)
        slowest = max(then - before for before, then in zip(theirs, theirs_then, strict=True))
        costs.append(mine_then - mine + slowest)
    # Others on the same core make it more, and nothing makes it less.
    assert min(costs) < LONGEST_SECONDS


async def test_workers_count_on_and_tell_of_it_only_when_a_scrape_wants_to_know(
    start_crew: StartCrew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report holds up the calls of its worker, so that none is made just to see whether it is well."""
    monkeypatch.setattr(supervisor, "ASK_SECONDS", 0.01)
    monkeypatch.setattr(supervisor, "COUNT_EVERY", 1_000_000)
    told: list[int] = []
    asked = 0
    heard, report = Ledger.heard, Hand.report

    def hears(ledger: Ledger, process: int, metrics: Report) -> None:
        told.append(process)
        heard(ledger, process, metrics)

    async def asks(hand: Hand, seconds: float, *, metrics: bool) -> bool:
        nonlocal asked
        asked += 1
        return await report(hand, 30, metrics=metrics)

    monkeypatch.setattr(Ledger, "heard", hears)
    monkeypatch.setattr(Hand, "report", asks)
    crew = await start_crew(workers=2)
    await until(lambda: asked > 50)
    assert sorted(told) == [1, 2], "once at the start"
    await crew.page("/metrics")
    assert sorted(told) == [0, 1, 1, 2, 2]
