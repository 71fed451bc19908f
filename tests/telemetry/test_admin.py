"""The admin port, asked over real sockets: answers, refusals, and clients that mean no good."""

from __future__ import annotations

import asyncio
import gzip
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import NamedTuple
from urllib.request import Request, urlopen

import pytest
import uvloop
from prometheus_client import CollectorRegistry
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text

from whitehall.telemetry import admin
from whitehall.telemetry.admin import MAX_HEADER_BYTES, AdminServer
from whitehall.telemetry.health import CheckFailed, Health
from whitehall.telemetry.metrics import Metrics

PATIENCE_SECONDS = 5.0


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: str


class Store:
    problem: str | None = None

    async def check(self) -> None:
        if self.problem is not None:
            raise CheckFailed(self.problem)


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def health(store: Store) -> Health:
    return Health({"store": store.check})


@pytest.fixture
def metrics() -> Metrics:
    return Metrics(CollectorRegistry())


@pytest.fixture
async def server(metrics: Metrics, health: Health) -> AsyncIterator[AdminServer]:
    made = AdminServer("127.0.0.1:0", metrics, health)
    await made.start()
    yield made
    await made.stop()


@asynccontextmanager
async def connected(server: AdminServer) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    host, _, port = server.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def read_to_the_end(reader: asyncio.StreamReader) -> bytes:
    """Everything until the other side closes, which it has to do soon."""
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
    except ConnectionResetError:
        return b""


async def send(server: AdminServer, request: bytes) -> Answer:
    async with connected(server) as (reader, writer):
        writer.write(request)
        raw = await read_to_the_end(reader)
    head, _, body = raw.decode().partition("\r\n\r\n")
    first, *rest = head.split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in rest)}
    return Answer(int(first.split()[1]), headers, body)


async def ask(server: AdminServer, path: str, method: str = "GET", *headers: str) -> Answer:
    lines = [f"{method} {path} HTTP/1.1", "Host: admin", *headers, "", ""]
    return await send(server, "\r\n".join(lines).encode())


async def test_the_metrics_can_be_scraped_as_text(server: AdminServer, metrics: Metrics) -> None:
    metrics.store_conflicts.inc()
    answer = await ask(server, "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    values = {sample.name: sample.value for family in parse_text(answer.body) for sample in family.samples}
    assert values["whitehall_store_conflicts_total"] == 1


@pytest.mark.parametrize("where", ["taken", "203.0.113.1:9090", "no-such-host.invalid:9090"])
async def test_an_address_that_can_not_be_had_is_named_in_words(
    server: AdminServer, metrics: Metrics, health: Health, where: str
) -> None:
    address = server.address if where == "taken" else where
    with pytest.raises(OSError, match=f"^can't listen on {address}: ") as refusal:
        await AdminServer(address, metrics, health).start()
    assert "Errno" not in str(refusal.value)


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True),
        ("deflate, gzip;q=0.5", True),
        ("GZIP", True),
        ("gzip;q=0", False),
        ("identity", False),
        ("xgzip", False),
    ],
)
async def test_the_metrics_come_in_gzip_for_those_who_accept_it(
    server: AdminServer, accepted: str, packed: bool
) -> None:
    def get() -> tuple[str | None, bytes]:
        request = Request(f"http://{server.address}/metrics", headers={"accept-encoding": accepted})
        with urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.headers["content-encoding"], answer.read()

    encoding, body = await asyncio.to_thread(get)
    assert encoding == ("gzip" if packed else None)
    assert b"whitehall_ready" in (gzip.decompress(body) if packed else body)


async def test_the_metrics_can_be_scraped_as_openmetrics_by_those_who_ask(
    server: AdminServer, metrics: Metrics
) -> None:
    metrics.method("whitehall.catalog.v1.CatalogService", "ListRules", "unary").handled("OK", 0.002, "a" * 32)
    answer = await ask(
        server,
        "/metrics",
        "GET",
        "Accept: application/openmetrics-text;version=1.0.0;q=0.9,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
    )
    assert answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
    families = {family.name for family in parse_openmetrics(answer.body)}  # type: ignore[no-untyped-call]
    assert "grpc_server_handling_seconds" in families
    assert '# {trace_id="aaaa' in answer.body


async def test_the_process_is_alive_whatever_the_checks_find(server: AdminServer, health: Health, store: Store) -> None:
    store.problem = "away"
    await health.check()
    await health.drain()
    assert (await ask(server, "/livez")).status == 200


async def test_readiness_goes_both_ways(server: AdminServer, health: Health, store: Store) -> None:
    answer = await ask(server, "/readyz")
    assert (answer.status, answer.body) == (503, "not ready\nstore: not checked yet\n")
    await health.check()
    answer = await ask(server, "/readyz")
    assert (answer.status, answer.body) == (200, "ready\n")
    store.problem = "the store is read-only"
    await health.check()
    answer = await ask(server, "/readyz?verbose")
    assert (answer.status, answer.body) == (200, "ready\nstore: the store is read-only\n")
    await health.check()
    answer = await ask(server, "/readyz")
    assert (answer.status, answer.body) == (503, "not ready\nstore: the store is read-only\n")
    store.problem = None
    await health.check()
    answer = await ask(server, "/readyz?verbose=1")
    assert (answer.status, answer.body) == (200, "ready\nstore: ok\n")
    await health.drain()
    answer = await ask(server, "/readyz")
    assert (answer.status, answer.body) == (503, "draining\nstore: ok\n")


async def test_head_answers_like_get_without_the_body(server: AdminServer) -> None:
    for path in ("/metrics", "/livez", "/readyz", "/nowhere"):
        full, head = await ask(server, path), await ask(server, path, "HEAD")
        assert head.status == full.status
        assert head.body == ""
        assert head.headers["content-type"] == full.headers["content-type"]
        assert int(head.headers["content-length"]) > 0


async def test_any_other_path_is_not_found(server: AdminServer) -> None:
    for path in ("/", "/metrics/", "/readyz/store", "/livez%2f", "//livez", "/..%2fmetrics"):
        assert (await ask(server, path)).status == 404, path


async def test_any_other_method_is_not_allowed(server: AdminServer) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        answer = await ask(server, "/readyz", method)
        assert answer.status == 405, method
        assert answer.headers["allow"] == "GET, HEAD"


async def test_answers_are_not_to_be_stored_and_tell_nothing_of_the_server(server: AdminServer) -> None:
    answer = await ask(server, "/readyz")
    assert answer.headers["cache-control"] == "no-store"
    assert "server" not in answer.headers


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /livez HTTP/1.1\r\nHost: admin\r\nX: " + b"x" * 2 * MAX_HEADER_BYTES,
        b"GET /" + b"x" * 2 * MAX_HEADER_BYTES,
        b"GET /livez HTTP/1.1\r\n" + b"".join(b"H%d: x\r\n" % n for n in range(4000)),
        b"nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET /livez HTTP/1.1\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    ],
)
async def test_what_is_too_long_or_no_request_is_refused_and_the_next_client_is_served(
    server: AdminServer, request_bytes: bytes
) -> None:
    assert (await send(server, request_bytes)).status in {400, 431}
    assert (await ask(server, "/livez")).status == 200


async def test_a_body_is_neither_waited_for_nor_read(server: AdminServer) -> None:
    answer = await ask(server, "/livez", "GET", "Content-Length: 1000000000")
    assert answer.status == 200


async def test_an_upgrade_is_not_taken_up(server: AdminServer) -> None:
    answer = await ask(
        server, "/livez", "GET", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"
    )
    assert answer.status == 200


@pytest.mark.parametrize("sent", [b"", b"GET /liv", b"GET /livez HTTP/1.1\r\nHost: admin\r\nX"])
async def test_a_client_that_does_not_finish_is_cut_off(
    server: AdminServer, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin, "CONNECTION_SECONDS", 0.05)
    async with connected(server) as (reader, writer):
        writer.write(sent)
        assert await read_to_the_end(reader) == b""


async def test_a_client_that_sends_a_little_all_the_time_is_cut_off_too(
    server: AdminServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin, "CONNECTION_SECONDS", 0.2)
    async with connected(server) as (reader, writer):
        writer.write(b"GET /livez HTTP/1.1\r\n")

        async def trickle() -> None:
            while True:
                writer.write(b"X: y\r\n")
                await writer.drain()
                await asyncio.sleep(0.02)

        trickling = asyncio.create_task(trickle())
        assert await read_to_the_end(reader) == b""
        trickling.cancel()
        await asyncio.gather(trickling, return_exceptions=True)


async def test_many_idle_clients_do_not_keep_a_probe_out(server: AdminServer) -> None:
    async with AsyncExitStack() as idle:
        for _ in range(100):
            await idle.enter_async_context(connected(server))
        assert (await ask(server, "/livez")).status == 200


async def test_a_client_that_hangs_does_not_hold_the_stop_up(metrics: Metrics, health: Health) -> None:
    server = AdminServer("127.0.0.1:0", metrics, health)
    await server.start()
    async with connected(server) as (_, writer):
        writer.write(b"GET /livez HTTP/1.1\r\n")
        await writer.drain()
        await asyncio.wait_for(server.stop(), 2)
        await server.stop()


async def test_after_the_stop_the_port_is_free_again(metrics: Metrics, health: Health) -> None:
    first = AdminServer("127.0.0.1:0", metrics, health)
    address = await first.start()
    await first.stop()
    second = AdminServer(address, metrics, health)
    assert await second.start() == address
    assert (await ask(second, "/livez")).status == 200
    await second.stop()


async def test_a_port_in_use_is_an_error_of_ours_to_handle(
    server: AdminServer, metrics: Metrics, health: Health
) -> None:
    with pytest.raises(OSError, match="in use"):
        await AdminServer(server.address, metrics, health).start()


async def test_ipv6_works_and_is_told_in_brackets(metrics: Metrics, health: Health) -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    server = AdminServer("[::1]:0", metrics, health)
    address = await server.start()
    assert address.startswith("[::1]:")
    assert (await ask(server, "/livez")).status == 200
    await server.stop()


def test_it_runs_in_uvloop_and_leaves_the_signals_alone(metrics: Metrics, health: Health) -> None:
    def handlers() -> list[object]:
        return [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    async def serve() -> Answer:
        before = handlers()
        server = AdminServer("127.0.0.1:0", metrics, health)
        await server.start()
        answer = await ask(server, "/livez")
        assert handlers() == before
        await server.stop()
        assert handlers() == before
        return answer

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(serve()).status == 200
