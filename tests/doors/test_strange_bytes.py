"""Calls over gRPC whose names or headers are no text, which no client of gRPC's own can send: nobody else notices."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Sequence
from contextlib import suppress

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.live import until
from tests.api.logbook import faults
from tests.api.raw import outcome
from tests.api.service import Service
from tests.api.table import Yard
from tests.api.watcher import Watcher
from tests.doors.http import connected

BUILD_INFO = b"/whitehall.catalog.v1.CatalogService/GetBuildInfo"
SECONDS = 20.0
HEADERS, DATA, SETTINGS = 1, 0, 4
"""Types of frames of HTTP/2 (RFC 9113, 6)."""
END_STREAM, END_HEADERS = 1, 4
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
UNIMPLEMENTED = b"\x0bgrpc-status\x0212"
"""The last header of an answer, as HPACK writes it where it uses no tables."""
OK = b"\x0bgrpc-status\x010"

Header = tuple[bytes, bytes]
NAMES = (b":method", b":path", b":authority", b"te", b"content-type", b"grpc-timeout", b"grpc-encoding", b"x-bin")
VALUES = (b"POST", BUILD_INFO, b"trailers", b"application/grpc", b"1S", b"gzip", b"\xff", b"/\xff", b"")


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name: bytes, value: bytes) -> bytes:
    """A header as HPACK writes it without any table (RFC 7541, 6.2.2)."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def call(path: bytes, extra: Sequence[Header] = ()) -> bytes:
    """All that a client sends for one call with an empty message."""
    headers = (
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", path),
        (b":authority", b"localhost"),
        (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
    )
    return sent([*headers, *extra], bytes(5))


def sent(headers: Sequence[Header], data: bytes) -> bytes:
    """These headers and this data, as the first of a connection."""
    block = b"".join(literal(*header) for header in headers)
    opened = HELLO + frame(SETTINGS, 0, 0, b"") + frame(HEADERS, END_HEADERS, 1, block)
    return opened + frame(DATA, END_STREAM, 1, data)


async def told(address: str, sent: bytes, seconds: float = SECONDS) -> bytes:
    """What comes back, up to the end of a call or of the time."""
    heard = b""
    async with connected(address) as (reader, writer):
        writer.write(sent)
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(seconds):
                while b"grpc-status" not in heard and (came := await reader.read(65_536)):
                    heard += came
    return heard


@pytest.mark.parametrize("path", [b"/\xff", BUILD_INFO + b"\xff", b"\xc3\x28/\xed\xa0\x80", b"/\0", b"", b"nothing"])
async def test_a_name_that_is_no_text_is_that_of_no_method_and_ends_nobody_s_stream(
    service: Service, yard: Yard, path: bytes
) -> None:
    table = await yard.table(3)
    watcher = Watcher(table, table.seats[1])
    await watcher.update()
    assert UNIMPLEMENTED in await told(service.grpc, call(path))
    seat = (await table.get()).info.to_move[0]
    await table.play(seat, (await table.harmless(seat))[0])
    assert (await watcher.update()).revision.revision == 2
    watcher.leave()
    assert faults(service.log) == []


async def test_a_header_that_is_no_text_is_read_as_best_one_can_and_is_no_fault(service: Service) -> None:
    before = len(service.log.read_text(encoding="utf-8"))
    for header in ((b"x-any", b"\xff"), (b"authorization", b"Bearer \xff\xfe"), (b"accept-language", b"fr\xe9")):
        assert OK in await told(service.grpc, call(BUILD_INFO, [header]))

    def since() -> str:
        return service.log.read_text(encoding="utf-8")[before:]

    await until(lambda: since().count("GetBuildInfo") == 3)
    assert '"logger"' not in since()
    assert faults(service.log) == []


async def test_a_method_that_there_is_not_is_refused_by_name(service: Service) -> None:
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        refusal = await outcome(channel, "/whitehall.catalog.v1.CatalogService/Nothing", b"")
    assert refusal is not None
    assert (refusal.reason, refusal.metadata["what"]) == ("UNSUPPORTED", "path")


@pytest.mark.slow
@pytest.mark.timeout(300)
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    headers=st.lists(
        st.tuples(st.sampled_from(NAMES) | st.binary(max_size=9), st.sampled_from(VALUES) | st.binary(max_size=60)),
        max_size=9,
    ),
    data=st.binary(max_size=12),
)
async def test_no_call_at_all_ends_the_door(service: Service, headers: list[Header], data: bytes) -> None:
    await told(service.grpc, sent(headers, data), 0.05)  # Some are never answered.
    assert OK in await told(service.grpc, call(BUILD_INFO))
    assert faults(service.log) == []
