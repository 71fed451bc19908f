"""File descriptors: whoever opens connections without end takes none from the store, the admin port or who is in."""

from __future__ import annotations

import asyncio
import resource
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.api.live import until
from tests.api.service import Service
from tests.doors.certificates import Authority
from tests.doors.http import answer, connected, head
from tests.doors.test_connections import LIMITS, echo
from whitehall.api import descriptors
from whitehall.api.http_server import HttpServer

FILES = 700
CROWD = 400
"""Connections to each door: many more than such a process can have."""
CREATE = b'{"preset": "new", "players": 2}'


@pytest.fixture
def limited() -> Iterator[Callable[[int], None]]:
    """Lowers the soft limit of this process, to be raised again."""
    found = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield lambda files: resource.setrlimit(resource.RLIMIT_NOFILE, (files, found[1]))
    resource.setrlimit(resource.RLIMIT_NOFILE, found)


def test_the_limit_of_the_process_is_raised_as_far_as_need_be(limited: Callable[[int], None]) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limited(512)
    assert descriptors.connections(300, doors=2, besides=32) == 300
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert 2 * 300 + 32 < soft <= 2000
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] == hard


def test_where_it_can_t_be_raised_there_are_fewer_connections_or_no_start(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 1024
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
    allowed = descriptors.connections(2000, doors=2, besides=32)
    assert 300 < allowed < 500
    assert descriptors.connections(10, doors=2, besides=32) == 10
    limit = 200
    with pytest.raises(descriptors.TooFewDescriptors, match="ulimit -n"):
        descriptors.connections(2000, doors=2, besides=32)


async def test_a_crowd_at_both_doors_starves_neither_the_store_nor_the_admin_port(tmp_path: Path) -> None:
    service = Service(tmp_path, "--drain-seconds", "0", files=FILES)
    service.start()
    try:
        assert "fewer connections than set" in service.log.read_text(encoding="utf-8")
        async with connected(service.http) as (reader, writer):
            with ExitStack() as crowd:
                for address in (service.http, service.grpc):
                    host, _, port = address.rpartition(":")
                    for _ in range(CROWD):
                        silent = crowd.enter_context(socket.create_connection((host, int(port)), 10))
                        if address == service.http:
                            silent.sendall(b"POST /v1/scotland-yard/games HTTP/1.1\r\n")

                async def is_full() -> bool:
                    return service.metric("process_open_fds") > FILES // 3

                await until(is_full)
                for _ in range(3):
                    headers = [("content-type", "application/json"), ("content-length", str(len(CREATE)))]
                    writer.write(head("POST", "/v1/scotland-yard/games", headers) + CREATE)
                    made = await answer(reader)
                    assert (made.status, b"gameId" in await made.body()) == (200, True)
                ready = await asyncio.to_thread(urlopen, f"http://{service.admin}/readyz", timeout=10)
                assert ready.status == 200
    finally:
        service.stop()


async def test_a_handshake_that_never_comes_is_counted_and_ends(
    tmp_path: Path, external_program: Callable[[str], Path]
) -> None:
    external_program("openssl")
    authority = Authority(tmp_path, "authority")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*authority.signed("service"))
    server = HttpServer(echo, replace(LIMITS, connections=2, handshake_seconds=2.0, request_seconds=60), tls)
    address = await server.start("127.0.0.1:0")
    host, _, port = address.rpartition(":")
    try:
        silent = [await asyncio.open_connection(host, int(port)) for _ in range(70)]
        ended = [asyncio.ensure_future(reader.read()) for reader, _ in silent]
        # Two that are served and 64 that would be told that they are too many are kept; the others are not.
        async with asyncio.timeout(20):
            await asyncio.wait(ended[66:])
        assert not any(reading.done() for reading in ended[:66]), "these have a while yet"
        async with asyncio.timeout(20):
            await asyncio.wait(ended)
        trusting = ssl.create_default_context(cafile=str(authority.certificate))

        async def is_served() -> bool:
            reader, writer = await asyncio.open_connection(host, int(port), ssl=trusting)
            writer.write(head("GET", "/", []))
            told = await answer(reader)
            writer.close()
            return told.status == 200

        await until(is_served)
        for _, writer in silent:
            writer.close()
    finally:
        await server.close(1)
