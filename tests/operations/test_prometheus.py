"""A real Prometheus against the service under traffic: every query of every panel and every rule finds data."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import grpc

from tests.api.live import until
from tests.api.service import Service
from tests.api.table import Yard, a_request_id, bearing, move_texts
from tests.api.watcher import Watcher
from tests.operations.prometheus import Prometheus
from tests.operations.queries import Query, alerts, compared, panels, records
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2

WINDOW = "10s"
"""Stands for the interval that Grafana chooses."""
PATIENCE_SECONDS = 60.0


async def traffic(address: str, over: asyncio.Event) -> None:
    """A bit of everything, again and again: games made, played, watched, deduced and ended, moves refused, repeats."""
    async with grpc.aio.insecure_channel(address) as channel:
        while not over.is_set():
            table = await Yard(channel).table(3)
            watcher = Watcher(table, table.seats[1])
            await watcher.update()
            (move, *_) = move_texts((await table.legal(0)).moves)
            with suppress(grpc.RpcError):
                await table.play(0, "taxi 199")
            request_id = a_request_id()
            for _ in range(2):
                await table.play(0, move, request_id=request_id)
            request = service_pb2.GetDeductionsRequest(game_id=table.game_id)
            await table.calls.GetDeductions(request, metadata=bearing(table.seats[1]))
            await table.abandon()
            await watcher.to_the_end()


def as_asked(query: Query) -> str:
    """A panel's query with its variables filled in."""
    return query.text.replace("$__rate_interval", WINDOW).replace("$job", ".*")


async def test_every_panel_and_every_rule_finds_data(
    start_service: Callable[..., Service], external_program: Callable[[str], Path], tmp_path: Path
) -> None:
    program = external_program("prometheus")
    service = start_service("--drain-seconds", "0")
    prometheus = Prometheus(program, tmp_path / "prometheus", service.admin)
    missing = {
        query: as_asked(query)
        for query in [*panels(), *records(), *(part for alert in alerts() for part in compared(alert))]
    }
    assert len(missing) > 80
    over = asyncio.Event()
    playing = asyncio.create_task(traffic(service.grpc, over))
    prometheus.start()

    async def all_found() -> bool:
        for query, text in list(missing.items()):
            if await asyncio.to_thread(prometheus.ask, text):
                del missing[query]
        return not missing

    try:
        await until(all_found, PATIENCE_SECONDS)
        assert await asyncio.to_thread(prometheus.ask, 'count(ALERTS{severity="critical"}) or vector(0)')
    except AssertionError as error:
        raise AssertionError(f"without data: {[query.where for query in missing]}") from error
    finally:
        over.set()
        prometheus.stop()
        await playing
