"""What counting costs: at most a twentieth of the processor's time that a call takes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.bench.watched import counted_for_each_call, seconds_for_one
from tests.workers.crew import Crew
from tests.workers.test_scrape import processor_seconds

StartCrew = Callable[..., Awaitable[Crew]]

LARGEST_SHARE = 0.05
CALLS = 600


async def test_counting_takes_a_twentieth_of_a_call_at_most(start_crew: StartCrew, tmp_path: Path) -> None:
    """Readings of a game are the cheapest of all calls to one. Both sides are time of the processor, so that it matters
    little how busy the machine is.
    """
    touched = await counted_for_each_call(tmp_path)
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
