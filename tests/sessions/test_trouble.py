"""Why a store can't be reached: the log tells it once, without a secret, and callers are told nothing of it."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.doors.certificates import Authority
from tests.sessions.servers import Server, free_port
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.redis_store import RedisStore, StoreUnsuitable
from whitehall.sessions.store import StoreUnavailable
from whitehall.telemetry.log import configure, flush

PASSWORD = "tell-nobody"
UNREACHABLE = "the store can't be reached"


@asynccontextmanager
async def hanging_up(tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """The port of a server that answers no Redis: by TLS, or by words of its own."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            await reader.read(1)
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()
            await writer.wait_closed()

    port = free_port()
    async with await asyncio.start_server(serve, "127.0.0.1", port, ssl=tls):
        yield port


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """A server's side of TLS, with a certificate that nobody knows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*Authority(tmp_path_factory.mktemp("unknown"), "nobody").signed("store"))
    return context


class SlowNames:
    """In place of the system's lookup: answers nothing until it is told to, and then that a name is this machine."""

    def __init__(self) -> None:
        self.answer = threading.Event()
        self.asked: list[str] = []

    def __call__(self, host: str, port: object, *_: object, **__: object) -> list[tuple[object, ...]]:
        self.asked.append(host)
        self.answer.wait(30)
        # Nobody listens at the first of them.
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in ("127.0.0.77", "127.0.0.1")]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowNames]:
    names = SlowNames()
    monkeypatch.setattr(socket, "getaddrinfo", names)
    yield names
    names.answer.set()


Told = Callable[[], list[str]]


@pytest.fixture
def causes(capsys: pytest.CaptureFixture[str]) -> Told:
    """The causes that the log has told since it was asked last, after a look for secrets."""

    def told() -> list[str]:
        assert flush()
        log = capsys.readouterr().err
        assert PASSWORD not in log
        lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
        return [line["cause"] for line in lines if line["event"] == UNREACHABLE]

    return told


async def fails(url: str, times: int = 2, seconds: float = 0.4) -> None:
    """Asks for a proof, which is not given; what is told of it is the same for all causes."""
    configure("json", "info")
    store = RedisStore.at(url)
    try:
        for _ in range(times):
            with pytest.raises(StoreUnavailable) as refusal:
                await store.prove(seconds)
            assert refusal.value.reason == UNREACHABLE
    finally:
        await store.close()


async def test_a_certificate_that_is_not_known_is_named(tls: ssl.SSLContext, causes: Told) -> None:
    async with hanging_up(tls) as port:
        await fails(f"rediss://user:{PASSWORD}@127.0.0.1:{port}")
    assert causes() == ["its certificate is not accepted: unable to get local issuer certificate"]


async def test_a_certificate_has_to_be_for_the_name_and_not_for_one_of_its_addresses(
    names: SlowNames, causes: Told, tmp_path: Path
) -> None:
    names.answer.set()
    authority = Authority(tmp_path, "somebody")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*authority.signed("store"))
    async with hanging_up(context) as port:
        url = f"rediss://{{}}:{port}?ssl_ca_certs={authority.certificate}&ssl_check_hostname=true"
        await fails(url.format("store.example"), times=1)
        with pytest.raises(StoreUnsuitable, match="does not speak"):  # which it had to be asked for, behind its TLS
            await RedisStore.connect(url.format("localhost"))
    (cause,) = causes()
    assert "Hostname mismatch" in cause


async def test_tls_with_a_store_that_speaks_none_is_named(causes: Told) -> None:
    async with hanging_up() as port:
        await fails(f"rediss://user:{PASSWORD}@127.0.0.1:{port}")
    (cause,) = causes()
    assert cause.startswith("no TLS with it: ")


async def test_a_store_that_wants_tls_and_is_not_spoken_to_by_tls_is_named(tls: ssl.SSLContext, causes: Told) -> None:
    async with hanging_up(tls) as port:
        await fails(f"redis://user:{PASSWORD}@127.0.0.1:{port}")
    (cause,) = causes()
    assert cause.startswith("it closes the connection") or cause == "Connection reset by peer"
    assert "TLS" in cause


@pytest.mark.parametrize("kind", ["redis://{}", "redis+cluster://{}"])
async def test_a_port_where_nobody_listens_is_named(kind: str, causes: Told) -> None:
    await fails(kind.format(f"user:{PASSWORD}@127.0.0.1:{free_port()}"))
    assert causes() == ["Connection refused"]


async def test_a_socket_that_is_not_there_is_named(tmp_path: Path, causes: Told) -> None:
    await fails(f"unix://user:{PASSWORD}@{tmp_path / 'none'}")
    assert causes() == ["No such file or directory"]


@pytest.fixture
def full() -> Iterator[int]:
    """A port where connections are no longer taken, as so many wait already."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, ExitStack() as stack:
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(server.getsockname())
        yield server.getsockname()[1]


async def test_a_server_that_takes_no_connection_is_named(full: int, causes: Told) -> None:
    await fails(f"redis://user:{PASSWORD}@127.0.0.1:{full}", times=1, seconds=1.5)
    assert causes() == ["no connection in time"]


@pytest.mark.parametrize("kind", ["redis://{}", "redis+sentinel://{}/games", "redis+cluster://{}"])
async def test_a_name_is_looked_up_once_however_often_the_store_is_tried(names: SlowNames, kind: str) -> None:
    store = RedisStore.at(kind.format("store.example:6379"))
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await store.prove(0.4)
    assert names.asked == ["store.example"]
    names.answer.set()
    await store.close()


async def test_a_name_that_is_looked_up_for_too_long_is_named_and_used_once_it_is_known(
    names: SlowNames, causes: Told, tmp_path: Path
) -> None:
    configure("json", "info")
    port = free_port()
    server = Server(server_binary(), tmp_path, "--port", str(port), "--bind", "127.0.0.1")
    server.start()
    store = RedisStore.at(f"redis://store.example:{port}")
    with pytest.raises(StoreUnavailable, match=UNREACHABLE):
        await store.prove(1.5)
    assert causes() == ["its name is not found: no answer in time"]
    names.answer.set()
    await store.prove(10)
    await store.close()
    server.kill()


async def test_that_no_sentinel_answers_is_named_without_their_password(causes: Told) -> None:
    await fails(f"redis+sentinel://user:{PASSWORD}@127.0.0.1:{free_port()}/games?sentinel_password={PASSWORD}")
    assert causes() == ["no sentinel tells where the primary is"]


async def test_a_cause_is_told_again_when_it_is_another_one_and_when_the_store_was_there_meanwhile(
    server: Server, causes: Told
) -> None:
    configure("json", "info")
    store = await RedisStore.connect(server.url)

    async def is_away() -> None:
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match=UNREACHABLE):
                await store.check()

    server.kill()
    await is_away()
    first = causes()
    assert len(first) == 1
    server.socket.unlink(missing_ok=True)
    await is_away()
    assert causes() == [cause for cause in ["No such file or directory"] if cause != first[-1]]
    server.start()
    await store.check()
    assert causes() == []
    server.kill()
    await is_away()
    assert len(causes()) == 1
    await store.close()
