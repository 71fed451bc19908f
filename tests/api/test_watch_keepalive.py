"""Clients that ping: often enough to keep an idle stream alive, or so often that it is an attack."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import CollectorRegistry

from tests.api.live import live
from tests.api.quiet import play_on
from tests.api.table import Table, Yard
from tests.api.watcher import Watcher
from whitehall.api.grpc_door import GrpcDoor, Limits
from whitehall.sessions.redis_store import RedisStore
from whitehall.telemetry.metrics import Metrics

SILENT: dict[str, object] = {"heartbeat_seconds": 300, "stream_minutes": 10}
"""Settings under which a stream on which nothing happens is quite idle."""


def pinging(address: str, milliseconds: int) -> grpc.aio.Channel:
    """A connection that the client pings so often, whether there is a call on it or not."""
    return grpc.aio.insecure_channel(
        address,
        options=[
            ("grpc.keepalive_time_ms", milliseconds),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.max_pings_without_data", 0),
            ("grpc.use_local_subchannel_pool", 1),
        ],
    )


async def test_op11_a_client_that_pings_without_end_is_cut_off_and_nobody_else(store: RedisStore) -> None:
    async with live(store, SILENT) as service, pinging(service.grpc, 100) as hostile:
        table = await service.yard.table(3)
        patient = Watcher(table, table.seats[1])
        await patient.update()
        cut_off = Watcher(Table(Yard(hostile), table.created), table.seats[1])
        await cut_off.update()
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await cut_off.read()
        assert ended.value.code() is grpc.StatusCode.UNAVAILABLE
        assert "Too many pings" in str(ended.value.details())
        await play_on(table, 1)
        assert (await patient.update()).revision.revision == 2
        patient.leave()


async def test_op11_an_idle_stream_outlives_pings_that_come_slower_than_the_limit() -> None:
    """On a door with a low limit. gRPC's clients ping once a second at most, and a fourth ping too many is fatal."""
    limits = Limits(
        message_bytes=4096,
        concurrent_calls=10,
        default_deadline=5,
        connection_age=60,
        longest_stream=60,
        ping_interval=0.5,
    )
    door = GrpcDoor([], Metrics(CollectorRegistry()), limits)
    port = await door.start("127.0.0.1:0")
    async with pinging(f"127.0.0.1:{port}", 1000) as line:
        health: Any = health_pb2_grpc.HealthStub(line)
        told = health.Watch(health_pb2.HealthCheckRequest())
        assert (await told.read()).status == health_pb2.HealthCheckResponse.SERVING
        await asyncio.sleep(4.5)
        await door.serving([""], False)
        assert (await told.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
    await door.close(1)


@pytest.mark.slow
async def test_op11_an_idle_stream_outlives_pings_every_ten_seconds(store: RedisStore) -> None:
    async with live(store, SILENT) as service, pinging(service.grpc, 10_000) as line:
        table = await service.yard.table(3)
        watcher = Watcher(Table(Yard(line), table.created), table.seats[1])
        await watcher.update()
        await asyncio.sleep(65)
        await play_on(table, 1)
        assert (await watcher.update()).revision.revision == 2
        watcher.leave()
