"""The sampler of the event loop's lag."""

from __future__ import annotations

import asyncio
import time

import pytest
from prometheus_client import CollectorRegistry

from whitehall.telemetry.lag import SAMPLE_SECONDS, sample_loop_lag
from whitehall.telemetry.metrics import Metrics


class Samples(list[float]):
    def observe(self, amount: float) -> None:
        self.append(amount)


class Done(Exception):
    """Ends a sampler after the sleeps that a test has prepared."""


async def test_a_sample_is_how_much_later_than_due_the_loop_woke_us() -> None:
    now = 100.0
    late = iter([0.0, 0.125, 2.0, -0.001])

    async def sleep(seconds: float) -> None:
        nonlocal now
        try:
            now += seconds + next(late)
        except StopIteration:
            raise Done from None

    samples = Samples()
    with pytest.raises(Done):
        await sample_loop_lag(samples, clock=lambda: now, sleep=sleep)
    assert samples == pytest.approx([0.0, 0.125, 2.0, 0.0])


async def test_a_loop_that_is_held_up_shows_in_the_metric() -> None:
    metrics = Metrics(CollectorRegistry())
    sampled = asyncio.Event()

    class Watched:
        def observe(self, amount: float) -> None:
            metrics.event_loop_lag.observe(amount)
            sampled.set()

    sampler = asyncio.create_task(sample_loop_lag(Watched()))
    await asyncio.sleep(0)
    time.sleep(SAMPLE_SECONDS + 0.1)  # noqa: ASYNC251 - it is to block
    await asyncio.wait_for(sampled.wait(), 5)
    sampler.cancel()
    text = metrics.exposition("")[0].decode()
    assert 'whitehall_event_loop_lag_seconds_bucket{le="0.05"} 0.0' in text
    assert "whitehall_event_loop_lag_seconds_count 1.0" in text
