"""Clients over gRPC that ask and never read: what they were to be sent is let go of, and keeps nobody waiting."""

from __future__ import annotations

import asyncio
import gc
import struct
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.api.live import Live, live
from tests.doors.http import connected
from tests.doors.test_strange_bytes import DATA, END_HEADERS, END_STREAM, HEADERS, HELLO, SETTINGS, frame, literal
from whitehall.api import grpc_server
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.sessions.redis_store import RedisStore

RESET = 3
"""A frame that ends a call (RFC 9113, 6.4)."""
NO_WINDOW = frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0))
"""Lets the other side send no data at all (RFC 9113, 6.5.2)."""
CALLS = 20
SECONDS = 20.0

BOARD = catalog_pb2.GetBoardRequest(name="london-2013").SerializeToString()
UNREAD = {
    "an answer": ("/whitehall.catalog.v1.CatalogService/GetBoard", BOARD),
    "health": ("/grpc.health.v1.Health/Check", b""),
    "a stream of health": ("/grpc.health.v1.Health/Watch", b""),
    "reflection": ("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", b"\x3a\x00"),
}


@pytest.fixture
async def service(store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Live]:
    monkeypatch.setattr(grpc_server, "SEND_SECONDS", 0.3)
    async with live(store) as service:
        yield service


def call(stream: int, path: str, message: bytes) -> bytes:
    headers = (
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", path.encode()),
        (b":authority", b"localhost"),
        (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
    )
    data = b"\0" + struct.pack(">I", len(message)) + message
    block = b"".join(literal(*header) for header in headers)
    return frame(HEADERS, END_HEADERS, stream, block) + frame(DATA, END_STREAM, stream, data)


async def resets(reader: asyncio.StreamReader, number: int) -> None:
    """Returns when so many calls have been ended."""
    while number:
        head = await reader.readexactly(9)
        await reader.readexactly(int.from_bytes(head[:3]))
        number -= head[3] == RESET


async def collect() -> None:
    """Tidies up again and again: the service lets go of calls, and Python may take its time to notice."""
    while True:
        gc.collect()
        await asyncio.sleep(0.1)  # So that others get their turn.


@pytest.mark.parametrize("what", UNREAD)
async def test_what_nobody_takes_is_let_go_of_in_time(service: Live, what: str) -> None:
    async with connected(service.grpc) as (reader, writer), asyncio.timeout(SECONDS):
        writer.write(HELLO + NO_WINDOW + b"".join(call(2 * index + 1, *UNREAD[what]) for index in range(CALLS)))
        collecting = asyncio.create_task(collect())
        await resets(reader, CALLS)
        collecting.cancel()


async def test_a_watcher_who_does_not_read_keeps_nobody_from_learning_how_the_service_is(
    store: RedisStore,
) -> None:
    async with live(store) as service, connected(service.grpc) as (_, writer), asyncio.timeout(SECONDS):
        writer.write(HELLO + NO_WINDOW + call(1, *UNREAD["a stream of health"]))
        async with grpc.aio.insecure_channel(service.grpc) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            watch = health.Watch(health_pb2.HealthCheckRequest())
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
