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
from whitehall.api.desk import Desk
from whitehall.api.grpc_door import GrpcDoor, Limits
from whitehall.sessions.redis_store import RedisStore
from whitehall.telemetry.metrics import Metrics

SILENT: dict[str, object] = {"heartbeat_seconds": 1200, "stream_minutes": 30}
"""Settings under which a stream on which nothing happens is quite idle."""


def pinging(port: int, milliseconds: int) -> grpc.aio.Channel:
    """A connection that the client pings so often, whether there is a call on it or not."""
    return grpc.aio.insecure_channel(
        f"127.0.0.1:{port}",
        options=[
            ("grpc.keepalive_time_ms", milliseconds),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.max_pings_without_data", 0),
            ("grpc.use_local_subchannel_pool", 1),
        ],
    )


async def test_op11_pings_slower_than_the_limit_are_taken_and_faster_ones_cut_the_client_off() -> None:
    """Clients of gRPC ping once a second at most, so there are two doors, with limits below and above that. The third
    ping too many is fatal.
    """
    lenient, strict = _door(0.5), _door(5)
    ports = [await door.start("127.0.0.1:0") for door in (lenient, strict)]
    async with pinging(ports[0], 1000) as taken, pinging(ports[1], 1000) as cut_off:
        told = [_statuses(line) for line in (taken, cut_off)]
        for each in told:
            assert (await each.read()).status == health_pb2.HealthCheckResponse.SERVING
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await told[1].read()
        assert ended.value.code() is grpc.StatusCode.UNAVAILABLE
        assert "Too many pings" in str(ended.value.details())
        await asyncio.sleep(1.5)
        await lenient.serving([""], False)
        assert (await told[0].read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
    await lenient.close(1)
    await strict.close(1)


def _door(ping_interval: float) -> GrpcDoor:
    """A door with nothing behind it, which lets idle clients ping so often."""
    limits = Limits(
        message_bytes=4096,
        connections=8,
        streams=8,
        connection_age=60,
        longest_stream=60,
        ping_interval=ping_interval,
    )
    return GrpcDoor([], Desk(Metrics(CollectorRegistry()), concurrent_calls=10, default_deadline=5), limits)


def _statuses(line: grpc.aio.Channel) -> Any:
    health: Any = health_pb2_grpc.HealthStub(line)
    return health.Watch(health_pb2.HealthCheckRequest())


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "seconds", [pytest.param(65, marks=pytest.mark.slow), pytest.param(660, marks=pytest.mark.soak)]
)
async def test_op11_an_idle_stream_outlives_pings_every_ten_seconds(store: RedisStore, seconds: float) -> None:
    async with live(store, SILENT) as service, pinging(int(service.grpc.rpartition(":")[2]), 10_000) as line:
        table = await service.yard.table(3)
        watcher = Watcher(Table(Yard(line), table.created), table.seats[1])
        await watcher.update()
        await asyncio.sleep(seconds)  # nothing happens meanwhile: that is the point
        await play_on(table, 1)
        assert (await watcher.update()).revision.revision == 2
        watcher.leave()
