"""A call that waits at a gate, through any of the doors that run over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prometheus_client import CollectorRegistry

from tests.api.live import until
from tests.doors.connect import envelope
from tests.doors.http import Headers, connected, head
from tests.doors.speech import BUILD_INFO
from whitehall.api.call import Call
from whitehall.api.connect_app import ConnectApp
from whitehall.api.desk import Desk
from whitehall.api.endpoint import Unary
from whitehall.api.http_door import HttpDoor
from whitehall.api.http_limits import ConnectionLimits, HttpLimits
from whitehall.api.rest.app import RestApp
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.telemetry.metrics import Metrics

SERVICE = "whitehall.catalog.v1.CatalogService"
JSON = [("content-type", "application/json")]
REST = "/v1/catalog/build-info"
GET = f"{BUILD_INFO}?connect=v1&encoding=json&message=%7B%7D"

ASKED = {
    "rest": ("GET", REST, [], b"", "rest"),
    "connect": ("POST", BUILD_INFO, JSON, b"{}", "connect"),
    "connect by GET": ("GET", GET, [], b"", "connect"),
    "grpc-web": ("POST", BUILD_INFO, [("content-type", "application/grpc-web")], envelope(0, b""), "grpc_web"),
}
"""By door: a call, and what its transport is called in metrics."""
DOUBT_SECONDS = 0.02
"""How soon a client that says no more is asked whether it is still there."""


class Gate:
    """An endpoint that answers when its gate is open, at an address of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.opened = asyncio.Event()
        self.waiting = 0
        self.given_up = 0
        self.address = ""

    async def answer(self, _: object, __: Call) -> catalog_pb2.GetBuildInfoResponse:
        self.waiting += 1
        try:
            await self.opened.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        finally:
            self.waiting -= 1
        return catalog_pb2.GetBuildInfoResponse(version="1")

    def handled(self, transport: str, code: str) -> float:
        """How many calls through this door have ended with this code."""
        return self._metric("grpc_server_handled_total", transport=transport, grpc_code=code)

    def started(self, transport: str) -> float:
        """How many calls through this door have begun."""
        return self._metric("grpc_server_started_total", transport=transport)

    def seconds(self, transport: str) -> float:
        """How long they have taken together."""
        return self._metric("grpc_server_handling_seconds_sum", transport=transport)

    def _metric(self, name: str, **labels: str) -> float:
        labels |= {"grpc_type": "unary", "grpc_service": SERVICE, "grpc_method": "GetBuildInfo"}
        return self.registry.get_sample_value(name, labels) or 0.0


@asynccontextmanager
async def guarded(body_seconds: float) -> AsyncIterator[Gate]:
    """A gate whose visitors have so long to send their bodies."""
    gate = Gate()
    endpoint = Unary(SERVICE, "GetBuildInfo", catalog_pb2.GetBuildInfoRequest, gate.answer)
    desk = Desk(Metrics(gate.registry), concurrent_calls=1, default_deadline=60)
    connections = ConnectionLimits(connections=10, age=3600, doubt_seconds=DOUBT_SECONDS)
    limits = HttpLimits(connections, message_bytes=1000, body_seconds=body_seconds)
    door = HttpDoor([ConnectApp([endpoint], desk, 1000), RestApp([endpoint], desk, 1000)], limits)
    gate.address = f"127.0.0.1:{await door.start('127.0.0.1:0')}"
    try:
        yield gate
    finally:
        await door.close(1)


@asynccontextmanager
async def calling(
    gate: Gate, verb: str, path: str, headers: Headers, body: bytes
) -> AsyncIterator[asyncio.StreamReader]:
    """A call that has reached the endpoint, for as long as its client waits."""
    async with connected(gate.address) as (reader, writer):
        writer.write(head(verb, path, [*headers, ("content-length", str(len(body)))]) + body)
        await until(lambda: gate.waiting == 1)
        yield reader
