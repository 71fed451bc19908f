"""Connections: how many, how long, and how slow their clients may be. Each test has a server of its own, in a hurry."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import product

import pytest

from tests.api.live import until
from tests.doors.http import answer, asked, connected, head
from whitehall.api.http_body import Bounded
from whitehall.api.http_limits import ConnectionLimits
from whitehall.api.http_message import Message, RawHeader, Receive, Send, body, headers_of
from whitehall.api.http_server import HttpServer
from whitehall.sessions.refusal import Refusal

LIMITS = ConnectionLimits(connections=50, age=3600, request_seconds=0.3, idle_seconds=3600, write_seconds=0.3)
HANGS_SECONDS = 20.0
"""Far longer than any of the limits. Whoever waits for so long waits for ever."""


async def echo(scope: Message, receive: Receive, send: Send) -> None:
    """Answers with the body, or with why it can't be had."""
    try:
        said = await body(Bounded(receive, size=1000, seconds=0.3))
    except Refusal as refusal:
        said = refusal.reason.encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-bytes", str(len(said)).encode())]})
    await send({"type": "http.response.body", "body": said})


@asynccontextmanager
async def serving(
    limits: ConnectionLimits = LIMITS, app: object = echo, safety: Callable[[Message], list[RawHeader]] = lambda _: []
) -> AsyncIterator[str]:
    server = HttpServer(app, limits, safety=safety)
    address = await server.start("127.0.0.1:0")
    try:
        yield address
    finally:
        await server.close(1)


async def test_a_head_that_is_too_long_is_refused_however_it_comes() -> None:
    async with serving() as address:
        for headers, path in (([("x-long", "a" * 20_000)], "/"), ([(f"x-{n}", "a") for n in range(9000)], "/")):
            async with asked(address, "GET", path, headers) as refused:
                assert refused.status == 431
        async with asked(address, "GET", "/" + "a" * 20_000) as refused:
            assert refused.status == 431
            (error, *_) = json.loads(await refused.body())["details"]
            assert (error["reason"], error["metadata"]) == ("REQUEST_TOO_LARGE", {"limit": "16384", "what": "head"})
        async with connected(address) as (reader, writer):
            writer.write(b"GET / HTTP/1.1\r\nx-endless: ")
            for _ in range(40):
                writer.write(b"a" * 1000)
                await writer.drain()
            assert (await answer(reader)).status == 431
        # Of headers that say nothing the names and the ends of the lines are read all the same.
        async with asked(address, "GET", "/", [(f"{n:x}", "") for n in range(2800)]) as refused:
            assert refused.status == 431
        async with asked(address, "POST", "/", [("x-short", "a" * 10_000)], b"here") as taken:
            assert await taken.body() == b"here"


async def test_what_is_no_http_is_refused() -> None:
    async with serving() as address, connected(address) as (reader, writer):
        writer.write(b"\x16\x03\x01\x02\x00 this is TLS, or worse\r\n\r\n")
        refused = await answer(reader)
        told = json.loads(await refused.body())
        assert (refused.status, told["details"][0]["reason"]) == (400, "MALFORMED_REQUEST")
        assert await reader.read() == b""


async def test_a_request_names_one_host() -> None:
    """Somebody in between might take another one of two for its own; only HTTP/1.0 may have none (RFC 9112, 3.2)."""
    one = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"
    two = (b"host: a\r\nhost: b\r\n", b"host: a\r\nHost: a\r\n", b"host: a\r\nhost:\r\n")
    line = b"GET / HTTP/%b\r\n%b\r\n"
    wrong = [(b"1.1", b""), *product((b"1.1", b"1.0"), two)]
    await are_malformed([line % each for each in wrong], one)
    for hosts in (b"", b"host: a\r\n"):
        async with serving() as address, connected(address) as (reader, writer):
            writer.write(b"GET / HTTP/1.0\r\n" + hosts + b"\r\n")
            assert (await answer(reader)).status == 200


async def test_a_request_is_of_a_version_that_is_spoken_here() -> None:
    """HTTP/0.9 knows no headers to answer in, and HTTP/2 is another protocol (RFC 9110, 2.5)."""
    lines = (b"GET / HTTP/2.0", b"GET / HTTP/0.9", b"GET /", b"GET / HTTP/1.2", b"GET / HTTP/3.0")
    sent = [line + b"\r\n" + host + b"\r\n" for line in lines for host in (b"", b"host: a\r\n")]
    await are_malformed([*sent, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], head("GET", "/", []))


async def are_malformed(each_sent: Sequence[bytes], behind: bytes) -> None:
    """Each is refused, and what stands behind it is not read."""

    async def is_malformed(address: str, sent: bytes) -> None:
        async with connected(address) as (reader, writer):
            writer.write(sent + behind)
            refused = await answer(reader)
            told = json.loads(await refused.body())
            assert (refused.status, told["details"][0]["reason"]) == (400, "MALFORMED_REQUEST"), sent
            assert await reader.read() == b"", sent

    async with serving() as address:
        await asyncio.gather(*(is_malformed(address, sent) for sent in each_sent))


@pytest.mark.parametrize("last", [b"", b"keep-alive, ", b"close, "], ids=["", "keep-alive", "close"])
@pytest.mark.parametrize("version", [b"1.1", b"1.0"])
async def test_who_would_rather_speak_another_protocol_has_its_body_read(version: bytes, last: bytes) -> None:
    """As Java's client asks, and `curl --http2`: in whatever pieces it comes, whatever is sent behind it, and whether
    the connection is used again or not.
    """
    wish = b"connection: " + last + b"Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nhttp2-settings: AAMAAABkAAQCAAAA\r\n"
    bare = head("POST", "/", []).replace(b"1.1", version)[:-2] + wish
    long = bare + b"content-length: 5\r\n\r\n"
    chunked = bare + b"transfer-encoding: chunked\r\n\r\n"
    whole = b"5\r\nwhole\r\n0\r\n\r\n"
    for pieces in (
        [long + b"whole"],
        [long, b"who", b"le"],
        [long[:-1], long[-1:] + b"whole"],
        [chunked + whole],
        [chunked, b"2\r\nwh\r\n", b"3\r\nole\r\n0\r\n\r\n"],
        [bytes([byte]) for byte in chunked + whole],
        [long + b"whole" + long + b"whole" + chunked + whole],
        [long + b"whole" + head("POST", "/", [("content-length", "5")]) + b"whole"],
    ):
        stays = version == b"1.1" and b"close" not in last
        async with serving() as address, connected(address) as (reader, writer), asyncio.timeout(HANGS_SECONDS):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
            for _ in range(b"".join(pieces).count(b"POST") if stays else 1):
                told = await answer(reader)
                assert told.headers["x-bytes"] == "5", pieces
                assert (told.headers.get("connection") == "close") is not stays, pieces
                assert await reader.readuntil(b"0\r\n\r\n") == whole, pieces
            assert stays or await reader.read() == b"", pieces


async def test_who_would_rather_speak_another_protocol_and_sends_nothing_is_answered() -> None:
    wish = [("upgrade", "websocket"), ("x-empty", "")]
    for connection in ("upgrade", "close, upgrade", "Upgrade, Close"):
        for version in (b"1.1", b"1.0"):
            sent = head("GET", "/", [("connection", connection), *wish]).replace(b"1.1", version)
            async with serving() as address, connected(address) as (reader, writer), asyncio.timeout(HANGS_SECONDS):
                writer.write(sent)
                assert (await answer(reader)).headers["x-bytes"] == "0", sent


async def test_what_stands_behind_a_connect_is_read() -> None:
    """There is no tunnel here that it could be meant for."""
    async with serving() as address, connected(address) as (reader, writer):
        writer.write(head("CONNECT", "/", []) + head("POST", "/", [("content-length", "5")]) + b"whole")
        for size in ("0", "5"):
            told = await answer(reader)
            assert told.headers["x-bytes"] == size
            assert len(await told.body()) == int(size)


async def test_a_client_that_never_finishes_its_head_is_left() -> None:
    """Whether it says nothing at all, or a little now and then."""
    async with serving() as address:
        async with connected(address) as (reader, _), asyncio.timeout(HANGS_SECONDS):
            assert await reader.read() == b""
        async with connected(address) as (reader, writer), asyncio.timeout(HANGS_SECONDS):
            writer.write(b"GET / HTTP/1.1\r\n")
            with pytest.raises(OSError, match=r"."):  # noqa: PT012 - whichever of the writes meets the end
                while not reader.at_eof():
                    writer.write(b"x-more: a\r\n")
                    await writer.drain()
                    await asyncio.sleep(0.05)
                raise OSError("the other side has closed")


async def test_a_body_that_never_comes_or_is_too_large_is_refused_by_name() -> None:
    async with serving() as address:
        async with connected(address) as (reader, writer), asyncio.timeout(HANGS_SECONDS):
            writer.write(head("POST", "/", [("content-length", "100")]) + b"not all")
            slow = await answer(reader)
            assert await slow.body() == b"DEADLINE_EXCEEDED"
            assert await reader.read() == b"", "nobody waits for the rest for ever"
        async with asked(address, "POST", "/", body=b"a" * 1001) as large:
            assert await large.body() == b"REQUEST_TOO_LARGE"
        async with asked(address, "POST", "/", body=b"a" * 1000) as taken:
            assert len(await taken.body()) == 1000


async def test_a_body_that_goes_on_after_its_answer_is_not_read_for_ever() -> None:
    hasty = replace(LIMITS, late_bytes=100_000, request_seconds=3600)
    async with serving(hasty) as address, connected(address) as (reader, writer), asyncio.timeout(HANGS_SECONDS):
        writer.write(head("POST", "/", [("content-length", str(1 << 40))]) + b"a" * 2000)
        assert await (await answer(reader)).body() == b"REQUEST_TOO_LARGE"
        with pytest.raises(OSError, match=r"."):  # noqa: PT012 - whichever of the writes meets the end
            while True:
                writer.write(b"a" * 10_000)
                await writer.drain()
                await asyncio.sleep(0)


async def test_a_client_that_does_not_read_is_left() -> None:
    left = asyncio.Event()

    async def torrent(scope: Message, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        try:
            while True:
                await send({"type": "http.response.body", "body": b"a" * 65_536, "more_body": True})
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            left.set()
            raise

    async with serving(app=torrent) as address, connected(address) as (_, writer):
        writer.write(head("GET", "/", []))
        async with asyncio.timeout(HANGS_SECONDS):
            await left.wait()


async def test_there_are_so_many_connections_and_no_more() -> None:
    async with serving(replace(LIMITS, connections=2, request_seconds=3600)) as address:
        async with connected(address), connected(address), connected(address) as (reader, _):
            refused = await answer(reader)
            assert (refused.status, refused.headers["retry-after"]) == (503, "1")
            told = json.loads(await refused.body())
            assert (told["details"][0]["reason"], told["details"][0]["metadata"]) == (
                "TOO_MANY_CONNECTIONS",
                {"limit": "2"},
            )

        async def there_is_room() -> bool:
            async with connected(address) as (reader, writer):
                writer.write(head("GET", "/", []))
                return (await answer(reader)).status == 200

        await until(there_is_room)


async def test_a_connection_is_used_again_until_it_has_reached_its_age() -> None:
    for age, closing in ((3600.0, False), (0.0, True)):
        async with serving(replace(LIMITS, age=age)) as address, connected(address) as (reader, writer):
            writer.write(head("GET", "/", []))
            first = await answer(reader)
            assert await first.body() == b""
            assert (first.headers.get("connection") == "close") is closing
            if not closing:
                writer.write(head("GET", "/", []))
                assert (await answer(reader)).status == 200


async def test_what_the_server_refuses_itself_is_as_safe_as_any_answer() -> None:
    def safety(scope: Message) -> list[RawHeader]:
        return [(b"x-safe", b"yes"), (b"x-origin", headers_of(scope).get("origin", "none").encode())]

    page = ("origin", "https://play.example")
    one = replace(LIMITS, connections=1, request_seconds=3600)
    async with serving(one, safety=safety) as address, connected(address) as (reader, writer):
        async with connected(address) as (late, _):
            refused = await answer(late)
        assert (refused.status, refused.headers["x-safe"], refused.headers["x-origin"]) == (503, "yes", "none")
        writer.write(head("GET", "/", [page, ("x-long", "a" * 20_000)]))
        refused = await answer(reader)
        assert (refused.status, refused.headers["x-safe"], refused.headers["x-origin"]) == (431, "yes", page[1])
    async with serving(safety=safety) as address, connected(address) as (reader, writer):
        writer.write(b"this is no HTTP\r\n\r\n")
        refused = await answer(reader)
        assert (refused.status, refused.headers["x-safe"]) == (400, "yes")
