"""Clients that close their side once they have asked, as `ncat` does and many a simple program: they are answered."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvloop

from tests.api.live import until
from tests.api.provoked import a_puzzling_game
from tests.api.service import Service
from tests.api.table import Yard, bearing
from tests.doors.gate import ASKED, JSON, Gate, guarded
from tests.doors.http import Answer, answer, connected, head
from tests.doors.speech import BUILD_INFO, REST_GAME, SERVICE

ENDS_SECONDS = 30.0
CONTINUE = 100
"""The status that says no more than that the answer has still to come."""


@pytest.fixture
async def gate() -> AsyncGenerator[Gate]:
    async with guarded(body_seconds=60) as gate:
        yield gate


@asynccontextmanager
async def having_said(address: str, said: bytes) -> AsyncIterator[asyncio.StreamReader]:
    """A client that says this and no more, and listens."""
    async with connected(address) as (reader, writer), asyncio.timeout(ENDS_SECONDS):
        writer.write(said)
        writer.write_eof()
        yield reader


async def last_answer(reader: asyncio.StreamReader) -> Answer:
    """The answer behind those that only say that it has still to come."""
    told = await answer(reader)
    while told.status == CONTINUE:
        told = await answer(reader)
    return told


def call(name: str, *headers: tuple[str, str]) -> bytes:
    """One of the calls that a gate answers."""
    verb, path, its_own, body, _ = ASKED[name]
    return head(verb, path, [*its_own, *headers, ("content-length", str(len(body)))]) + body


@pytest.mark.parametrize("name", ASKED)
async def test_who_has_said_all_is_answered_at_once(gate: Gate, name: str) -> None:
    gate.opened.set()
    async with having_said(gate.address, call(name)) as reader:
        told = await answer(reader)
        assert told.status == 200
        await told.body()
        assert await reader.read() == b""


@pytest.mark.parametrize("name", ASKED)
async def test_who_has_said_all_is_answered_after_a_while(gate: Gate, name: str) -> None:
    """Until then it hears now and then that it is still remembered, which is how one finds that it is still there."""
    async with having_said(gate.address, call(name)) as reader:
        await until(lambda: gate.waiting == 1)
        for _ in range(2):
            assert (await answer(reader)).status == CONTINUE
        gate.opened.set()
        told = await last_answer(reader)
        assert told.status == 200
        await told.body()
        assert await reader.read() == b""
    await until(lambda: gate.handled(ASKED[name][-1], "OK") == 1)
    assert gate.given_up == 0


async def test_an_older_client_has_its_answer_and_nothing_else(gate: Gate) -> None:
    """HTTP/1.0 knows of no answers before the answer (RFC 9110, 15.2)."""
    async with having_said(gate.address, call("rest").replace(b"HTTP/1.1", b"HTTP/1.0")) as reader:
        await until(lambda: gate.waiting == 1)
        asyncio.get_running_loop().call_later(0.2, gate.opened.set)  # In which others would have been asked twice.
        told = await answer(reader)
        assert (told.status, b'"version":"1"' in await told.body()) == (200, True)


async def test_all_that_was_asked_at_once_is_answered_but_for_what_was_not_said_to_its_end(gate: Gate) -> None:
    for rest in (b"", b"\r\n", b"GET /v1", head("POST", BUILD_INFO, [*JSON, ("content-length", "9")]) + b"{}"):
        gate.opened.clear()
        async with having_said(gate.address, call("rest") * 3 + rest) as reader:
            await until(lambda: gate.waiting == 1)
            gate.opened.set()
            for turn in (1, 2, 3):
                told = await last_answer(reader)
                assert (told.status, b'"version":"1"' in await told.body()) == (200, True)
                assert (told.headers.get("connection") == "close") is (turn == 3)
            assert await reader.read() == b""


async def test_what_is_wrong_is_told_as_well(gate: Gate) -> None:
    """Before and behind a request, and of a request itself."""
    async with having_said(gate.address, b"this is no HTTP\r\n\r\n") as reader:
        assert (await answer(reader)).status == 400
    async with having_said(gate.address, call("rest", ("x", "a" * 20_000))) as reader:
        assert (await answer(reader)).status == 431
    async with having_said(gate.address, head("GET", "/nowhere", [])) as reader:
        assert (await answer(reader)).status == 404
    gate.opened.set()
    async with having_said(gate.address, call("rest") + b"this is no HTTP\r\n\r\n") as reader:
        assert (await answer(reader)).status == 200


@pytest.mark.parametrize("name", ["rest", "connect"])
async def test_who_says_no_more_in_the_middle_of_a_request_has_left(gate: Gate, name: str) -> None:
    for said in (call(name)[:-1], head("POST", BUILD_INFO, [*JSON, ("content-length", "9")]) + b"{}", b""):
        async with having_said(gate.address, said) as reader:
            assert await reader.read() == b""
    assert gate.waiting == 0


@pytest.mark.parametrize("name", ASKED)
async def test_who_goes_away_after_that_gives_its_place_back(gate: Gate, name: str) -> None:
    async with having_said(gate.address, call(name)):
        await until(lambda: gate.waiting == 1)
    await until(lambda: gate.given_up == 1)
    await until(lambda: gate.handled(ASKED[name][-1], "CANCELLED") == 1)


@pytest.mark.parametrize("has_said_all", [False, True])
async def test_who_breaks_off_gives_its_place_back(gate: Gate, *, has_said_all: bool) -> None:
    """With a reset, as the end of a process may be."""
    async with connected(gate.address) as (_, writer):
        writer.write(call("rest"))
        await until(lambda: gate.waiting == 1)
        if has_said_all:
            writer.write_eof()
        now = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
        writer.transport.abort()
    await until(lambda: gate.given_up == 1)
    await until(lambda: gate.handled("rest", "CANCELLED") == 1)


@pytest.mark.parametrize("name", ["rest", "grpc-web"])
def test_all_this_holds_on_the_loop_that_the_service_runs_on(name: str) -> None:
    """It has transports of its own."""

    async def each_in_turn() -> None:
        async with guarded(body_seconds=60) as gate:
            await test_who_goes_away_after_that_gives_its_place_back(gate, name)
        async with guarded(body_seconds=60) as gate:
            await test_who_has_said_all_is_answered_after_a_while(gate, name)
            await test_who_has_said_all_is_answered_at_once(gate, name)
            await test_all_that_was_asked_at_once_is_answered_but_for_what_was_not_said_to_its_end(gate)
        async with guarded(body_seconds=60) as gate:
            await test_who_breaks_off_gives_its_place_back(gate, has_said_all=True)

    uvloop.run(each_in_turn())


async def test_the_service_answers_who_has_said_all(service: Service, yard: Yard) -> None:
    """A quick call, and one that takes a while, until it turns out to be too much work; and of those who leave instead
    nothing stays behind.
    """
    table = await a_puzzling_game(yard)
    body = b'{"gameId":"' + table.game_id.encode() + b'","hindsight":true}'
    headers = [*JSON, *bearing(table.seats[1]), ("content-length", str(len(body)))]
    long = head("POST", f"{SERVICE}/GetDeductions", headers) + body
    quick = head("GET", "/v1/catalog/build-info", [])
    for said, status, part in ((quick, 200, b'"version"'), (long, 429, b"TOO_MUCH_WORK")):
        async with having_said(service.http, said) as reader:
            told = await last_answer(reader)
            assert (told.status, part in await told.body()) == (status, True)
            assert await reader.read() == b""
        for _ in range(3):
            async with having_said(service.http, said):
                pass
    await until(lambda: service.metric("whitehall_long_answers") == 0, 60)


async def test_a_stream_ends_soon_after_its_client_has_said_all(service: Service, yard: Yard) -> None:
    """Whether that is there nobody can tell: what there was to tell at first, it hears; and its place is free again."""
    before = service.metric("whitehall_watchers")
    table = await yard.table(3)
    path = REST_GAME.rpartition("/")[0] + f"/{table.game_id}/events"
    headers = [("accept", "text/event-stream"), *bearing(table.seats[1])]
    async with having_said(service.http, head("GET", path, headers)) as reader:
        heard = await reader.read()
        assert heard.startswith(b"HTTP/1.1 200 ")
    await until(lambda: service.metric("whitehall_watchers") == before)
    async with connected(service.http) as (reader, writer):
        writer.write(head("GET", path, headers))
        assert (await answer(reader)).status == 200
        writer.write_eof()
        await until(lambda: service.metric("whitehall_watchers") == before)
