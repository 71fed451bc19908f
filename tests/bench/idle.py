"""gRPC's door alone, and with an HTTP listener beside it that nobody calls.

`python -m tests.bench.idle` says where gRPC listens. Told `true` or `false` in a line, it opens the HTTP listener or
closes it and says so; it ends with its input.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import uvloop
from prometheus_client import CollectorRegistry

from tests.bench.calls import unary
from tests.bench.child import Child
from tests.bench.machine import Cores
from tests.bench.sides import Asking
from whitehall.api.connect_app import ConnectApp
from whitehall.api.desk import Desk
from whitehall.api.endpoint import Unary
from whitehall.api.grpc_door import GrpcDoor, Limits
from whitehall.api.http_door import HttpDoor
from whitehall.api.http_limits import ConnectionLimits, HttpLimits
from whitehall.api.http_message import App
from whitehall.api.rest.app import RestApp
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.telemetry import log
from whitehall.telemetry.metrics import Metrics

SERVICE, METHOD = "whitehall.catalog.v1.CatalogService", "GetBuildInfo"
HOUR = 3600.0
BYTES = 262_144


class Beside(Asking):
    """Calls over gRPC while the HTTP listener is there, or is not."""

    def __init__(self, child: Child, channel: grpc.aio.Channel, in_flight: int, *, listens: bool) -> None:
        question = ((), catalog_pb2.GetBuildInfoRequest().SerializeToString())
        super().__init__(child.pid, in_flight, unary(channel, SERVICE, METHOD), [question])
        self._child = child
        self._listens = listens

    async def prepare(self) -> None:
        await self._child.ask(self._listens)


@asynccontextmanager
async def open_sides(folder: Path, cores: Cores, in_flight: int) -> AsyncIterator[tuple[Beside, Beside]]:
    """With the listener, and without."""
    child = await Child.start(*(sys.executable, "-m", "tests.bench.idle"), log=folder / "idle.log", cores=cores.serving)
    try:
        async with grpc.aio.insecure_channel(await child.hear()) as channel:
            yield (
                Beside(child, channel, in_flight, listens=True),
                Beside(child, channel, in_flight, listens=False),
            )
    finally:
        await child.stop()


async def _answer(_request: object, _call: object) -> catalog_pb2.GetBuildInfoResponse:
    return catalog_pb2.GetBuildInfoResponse(version="1")


async def serve() -> None:
    """Runs both doors until there is no more input."""
    log.configure("json", "info")
    endpoints = [Unary(SERVICE, METHOD, catalog_pb2.GetBuildInfoRequest, _answer)]
    desk = Desk(Metrics(CollectorRegistry()), concurrent_calls=1000, default_deadline=10)
    door = GrpcDoor(endpoints, desk, Limits(BYTES, 100, 100, HOUR, HOUR, 5))
    _say(f"127.0.0.1:{await door.start('127.0.0.1:0')}")
    web: HttpDoor | None = None
    while line := await asyncio.to_thread(sys.stdin.readline):
        if json.loads(line) and web is None:
            apps: list[App] = [ConnectApp(endpoints, desk, BYTES), RestApp(endpoints, desk, BYTES)]
            web = HttpDoor(apps, HttpLimits(ConnectionLimits(1000, HOUR), BYTES))
            await web.start("127.0.0.1:0")
        elif not json.loads(line) and web is not None:
            await web.close(1)
            web = None
        _say(web is not None)
    if web is not None:
        await web.close(0)
    await door.close(0)


def _say(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    uvloop.run(serve())
