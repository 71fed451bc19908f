"""HTTP that is none, or nearly: refused with a reason, and nothing that stands behind it is taken for a request."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.live import until
from tests.api.service import Service
from tests.doors.http import answer, asked, connected, head
from tests.doors.speech import BUILD_INFO, GET_GAME, REST_GAME, as_text

BEHIND = head("GET", "/v1/catalog/build-info", [])
JSON = [("content-type", "application/json")]
SECONDS = 20.0
"""Longer than an answer takes."""


def _posted(*headers: tuple[str, str], body: bytes = b"{}") -> bytes:
    return head("POST", BUILD_INFO, [*JSON, *headers]) + body


def _chunked(body: bytes) -> bytes:
    return _posted(("transfer-encoding", "chunked"), body=body)


def _with(line: bytes) -> bytes:
    return head("GET", "/v1/catalog/build-info", []).replace(b"\r\n\r\n", b"\r\n" + line + b"\r\n\r\n")


NO_REQUESTS = {
    "a chunk of no number": _chunked(b"zz\r\n{}\r\n0\r\n\r\n"),
    "a chunk of less than nothing": _chunked(b"-2\r\n{}\r\n0\r\n\r\n"),
    "a chunk longer than numbers are": _chunked(b"f" * 18 + b"\r\n{}\r\n0\r\n\r\n"),
    "a chunk with a space": _chunked(b"2 \r\n{}\r\n0\r\n\r\n"),
    "a chunk that goes on": _chunked(b"2\r\n{}}0\r\n\r\n"),
    "a chunk of bare line feeds": _chunked(b"2\n{}\n0\n\n"),
    "a length among the trailers": _chunked(b"2\r\n{}\r\n0\r\ncontent-length: 5\r\n\r\n"),
    "a length and chunks": _posted(("content-length", "2"), ("transfer-encoding", "chunked")),
    "chunks and a length": _posted(("transfer-encoding", "chunked"), ("content-length", "2")),
    "chunks twice": _posted(("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")),
    "chunks within another coding": _posted(("transfer-encoding", "chunked, gzip")),
    "a coding that nobody knows": _posted(("transfer-encoding", "xchunked")),
    **{
        f"chunks beside {coding!r}": _posted(("transfer-encoding", f"{coding}, chunked"), body=b"2\r\n{}\r\n0\r\n\r\n")
        for coding in ("gzip", "identity", "x")
    },
    "two lengths": _posted(("content-length", "2"), ("content-length", "3")),
    "one length twice": _posted(("content-length", "2"), ("content-length", "2")),
    **{
        f"{length!r} as a length": _posted(("content-length", length))
        for length in ("-1", "+2", "0x2", "2, 2", "", "2.0")
    },
    "a length longer than numbers are": _posted(("content-length", "9" * 40)),
    "a header without a colon": _with(b"header"),
    "a space before the colon": _with(b"x : y"),
    "a header on two lines": _with(b"x: y\r\n  z"),
    "a bare line feed": _with(b"x: y\nz: z"),
    "a bare carriage return": _with(b"x: y\rz: z"),
    "a NUL": _with(b"x: y\0z"),
    "a header's name in UTF-8": _with("é: y".encode()),
    "a path in Latin-1": b"GET /v1/\xff HTTP/1.1\r\nhost: a\r\n\r\n",
    "a path without a slash": b"GET v1 HTTP/1.1\r\nhost: a\r\n\r\n",
    "an address without a path": b"GET http://elsewhere.example HTTP/1.1\r\nhost: a\r\n\r\n",
    "a version that there is not": b"GET / HTTP/9.9\r\nhost: a\r\n\r\n",
    "a method that there is not": b"FOO / HTTP/1.1\r\nhost: a\r\n\r\n",
    "a method in small letters": b"get / HTTP/1.1\r\nhost: a\r\n\r\n",
    "a proxy's method": b"CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: elsewhere.example\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
}


async def test_what_nobody_can_tell_the_end_of_is_the_last_that_is_read(service: Service) -> None:
    """One answer, with a reason, and the end: whoever stands between may have seen another request in it."""

    async def last_words(request: bytes) -> tuple[int, str, dict[str, str], bytes]:
        async with connected(service.http) as (reader, writer), asyncio.timeout(SECONDS):
            writer.write(request + BEHIND)
            refused = await answer(reader)
            told = json.loads(await refused.body())
            info = next(detail for detail in told["details"] if "metadata" in detail)
            return refused.status, info["reason"], info["metadata"], await reader.read()

    # All at once: each connection is left open for a moment, lest its end overtakes the answer.
    told = await asyncio.gather(*map(last_words, NO_REQUESTS.values()))
    for name, words in zip(NO_REQUESTS, told, strict=True):
        assert words == (400, "MALFORMED_REQUEST", {"type": "HTTP"}, b""), name


async def test_what_is_no_request_writes_nothing_into_the_log(service: Service) -> None:
    """Any stranger could fill it with that. The admin port is no place for strangers, and does as the others do."""
    before = len(service.log.read_text(encoding="utf-8"))

    async def said(address: str, request: bytes) -> None:
        async with connected(address) as (reader, writer), asyncio.timeout(SECONDS):
            writer.write(request)
            writer.write_eof()
            assert (await answer(reader)).status >= 400

    def since() -> list[dict[str, object]]:
        return [json.loads(line) for line in service.log.read_text(encoding="utf-8")[before:].splitlines()]

    requests = [NO_REQUESTS[name] for name in ("two lengths", "a NUL", "a method that there is not", "HTTP/2")]
    await asyncio.gather(*(said(address, each) for each in requests for address in (service.http, service.admin)))
    # Lines are written in their order: when that of a call is there, all before it would be.
    async with asked(service.http, "POST", BUILD_INFO, JSON, b"{}") as told:
        assert told.status == 200
    await until(lambda: any(line.get("method") == BUILD_INFO[1:] for line in since()))
    assert [line for line in since() if "logger" in line] == []


@pytest.mark.parametrize(
    "segment",
    ["%", "%zz", "%00", "%2F", "a%2fb", "%c3%a9", "%ff", "%ed%a0%80", "%2e%2e", "..", "a:b", ":", "%0d%0ax:y", "*"],
)
async def test_a_path_of_any_characters_names_nothing_and_does_no_harm(service: Service, segment: str) -> None:
    """What is encoded is no part of the path's form: no slash, no way up, no line. The connection goes on."""
    prefix = REST_GAME.rpartition("/")[0]
    async with connected(service.http) as (reader, writer), asyncio.timeout(SECONDS):
        for path in (f"{prefix}/{segment}", f"{prefix}/{segment}/events", f"/docs/{segment}", f"{GET_GAME}/{segment}"):
            writer.write(head("GET", path, []) + BEHIND)
            refused = await answer(reader)
            told = json.loads(await refused.body())
            assert refused.status in (400, 401, 404), path
            assert told["code"] in (3, 12, 16, "unimplemented"), path
            assert "x" not in refused.headers
            behind = await answer(reader)
            assert (behind.status, b'"version"' in await behind.body()) == (200, True)


WHOLE = (
    head("GET", f"{REST_GAME}/legal-moves?after.ticket=TICKET_TAXI&after.station=86", [("accept-language", "fr")]),
    head("POST", f"{REST_GAME}/moves", [*JSON, ("if-match", '"1"'), ("content-length", "12")]) + b'{"moves":[]}',
    _chunked(b"2\r\n{}\r\n0\r\n\r\n"),
    _posted(("connection", "upgrade"), ("upgrade", "h2c"), ("content-length", "2")),
    head(
        "POST",
        GET_GAME,
        [("content-type", "application/grpc-web-text"), ("grpc-timeout", "1S"), ("content-length", "8")],
    )
    + as_text(b"\0\0\0\0\0"),
    head("GET", f"{REST_GAME}/events", [("accept", "text/event-stream"), ("last-event-id", "1-0")]),
)
PIECES = (b"\r\n", b"\n", b"\0", b"%2F", b"\xff", b":", b" ", b",", b"9" * 30, b"-1", b"chunked", b"gzip", b"{", b"]")
LINES = (
    b"content-length: 5\r\n",
    b"transfer-encoding: chunked\r\n",
    b"connection: upgrade\r\nupgrade: x\r\n",
    b"host: b\r\n",
)


@st.composite
def mangled(draw: st.DrawFn) -> bytes:
    """A request in which a few bytes are others, too many or too few."""
    request = bytearray(draw(st.sampled_from(WHOLE)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(request)))
        removed = draw(st.integers(0, 8))
        request[start : start + removed] = draw(st.sampled_from((*PIECES, *LINES)) | st.binary(max_size=2))
    return bytes(request)


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(request=mangled(), says_no_more=st.booleans())
async def test_no_request_at_all_is_a_fault_of_ours(service: Service, request: bytes, *, says_no_more: bool) -> None:
    async with connected(service.http) as (reader, writer):
        writer.write(request + BEHIND)
        if says_no_more:
            writer.write_eof()
        told = b""
        try:
            async with asyncio.timeout(0.3):  # Some have no end, and are waited for.
                while came := await reader.read(65_536):
                    told += came
        except (TimeoutError, OSError):
            pass
    assert b"HTTP/1.1 5" not in told
    assert b"INTERNAL_FAULT" not in told
    log = service.log.read_text(encoding="utf-8")
    assert "Traceback" not in log
    assert '"fault"' not in log
