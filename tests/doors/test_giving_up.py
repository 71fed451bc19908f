"""Calls whose clients have left before the answer: they are given up, and counted as cancelled, as over gRPC."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import suppress

import pytest

from tests.api.live import until
from tests.doors.gate import ASKED, JSON, REST, Gate, calling, guarded
from tests.doors.http import answer, asked, connected, head
from tests.doors.speech import BUILD_INFO, read_refusal

BODY_SECONDS = 0.5


@pytest.fixture
async def gate() -> AsyncGenerator[Gate]:
    """One that is in no hurry."""
    async with guarded(body_seconds=60) as gate:
        yield gate


@pytest.mark.parametrize("name", ASKED)
async def test_a_call_is_given_up_when_its_client_leaves(gate: Gate, name: str) -> None:
    *call, transport = ASKED[name]
    async with calling(gate, *call):  # type: ignore[arg-type]
        pass
    await until(lambda: gate.given_up == 1)
    await until(lambda: gate.handled(transport, "CANCELLED") == 1)
    # Its place is free again: there is one only.
    async with calling(gate, *call) as reader:  # type: ignore[arg-type]
        gate.opened.set()
        assert (await answer(reader)).status == 200
    await until(lambda: gate.handled(transport, "OK") == 1)
    assert gate.given_up == 1


@pytest.mark.parametrize("name", ASKED)
async def test_there_are_so_many_calls_at_once_and_who_leaves_gives_its_place_back(gate: Gate, name: str) -> None:
    """The one place that there is here is the same for all doors."""
    verb, path, headers, body, _ = ASKED[name]
    for other in ASKED:
        async with calling(gate, *ASKED[other][:4]), asked(gate.address, verb, path, headers, body) as refused:
            assert refused.status == (200 if name == "grpc-web" else 429)
            assert refused.headers["retry-after"] == "1"
            refusal = await read_refusal(refused)
            assert refusal is not None
            assert (refusal.reason, refusal.metadata) == ("TOO_MANY_CALLS", {"limit": "1"})
        await until(lambda: gate.waiting == 0)


@pytest.mark.parametrize("name", ["rest", "connect"])
async def test_who_leaves_in_the_middle_of_a_body_has_called(gate: Gate, name: str) -> None:
    verb, path, _, body, transport = ASKED[name]
    async with connected(gate.address) as (_, writer):
        writer.write(head(verb, path, [*JSON, ("content-length", "100")]) + body)
        await writer.drain()
        await until(lambda: gate.started(transport) == 1)
    await until(lambda: gate.handled(transport, "CANCELLED") == 1)
    # It had no place yet that others could have wanted.
    assert gate.given_up == 0


@pytest.mark.parametrize("name", ["rest", "connect"])
async def test_the_time_that_a_body_takes_is_time_of_its_call(name: str) -> None:
    verb, path, _, body, transport = ASKED[name]
    async with guarded(BODY_SECONDS) as gate:
        async with connected(gate.address) as (reader, writer):
            writer.write(head(verb, path, [*JSON, ("content-length", "100")]) + body)
            assert (await answer(reader)).status == 504
        assert gate.handled(transport, "DEADLINE_EXCEEDED") == 1
        assert gate.seconds(transport) >= BODY_SECONDS


async def test_who_sends_a_second_request_at_once_and_leaves_has_left_the_first_one(gate: Gate) -> None:
    async with connected(gate.address) as (_, writer):
        writer.write(head("GET", REST, []) * 3)
        await until(lambda: gate.waiting == 1)
    await until(lambda: gate.given_up == 1)
    await until(lambda: gate.handled("rest", "CANCELLED") == 1)
    assert gate.waiting == 0


async def test_requests_that_are_sent_at_once_are_answered_in_turn(gate: Gate) -> None:
    async with connected(gate.address) as (reader, writer):
        writer.write(head("GET", REST, []) * 3)
        await until(lambda: gate.waiting == 1)
        gate.opened.set()
        for _ in range(3):
            told = await answer(reader)
            assert (told.status, b'"version":"1"' in await told.body()) == (200, True)
    await until(lambda: gate.handled("rest", "OK") == 3)


async def test_what_is_wrong_behind_a_request_is_not_taken_for_its_answer(gate: Gate) -> None:
    """Nor is it when there are more requests than may be sent ahead: the connection ends with the answer in turn."""
    for behind in (b"this is no HTTP\r\n\r\n", head("GET", REST, []) * 40, head("GET", REST, [("x", "a" * 20_000)])):
        gate.opened.clear()
        async with connected(gate.address) as (reader, writer):
            writer.write(head("GET", REST, []) + behind)
            await until(lambda: gate.waiting == 1)
            gate.opened.set()
            told = await answer(reader)
            assert (told.status, b'"version":"1"' in await told.body()) == (200, True)
            assert told.headers["connection"] == "close"
            assert await reader.read() == b""


async def test_who_sends_megabytes_ahead_is_left(gate: Gate) -> None:
    async with connected(gate.address) as (reader, writer):
        large = head("POST", REST, [("content-length", str(1 << 24))])
        writer.write(head("GET", REST, []) + large)
        await until(lambda: gate.waiting == 1)
        with suppress(OSError):
            for _ in range(256):
                writer.write(b"a" * 65_536)
                await writer.drain()
        await until(lambda: gate.given_up == 1)
        assert reader.at_eof() or reader.exception() is not None


async def test_a_body_that_turns_out_to_be_none_is_refused_at_once(gate: Gate) -> None:
    async with connected(gate.address) as (reader, writer):
        writer.write(head("POST", BUILD_INFO, [*JSON, ("transfer-encoding", "chunked")]) + b"1\r\n{\r\n")
        await writer.drain()
        writer.write(b"no number\r\n")
        refused = await answer(reader)
        assert (refused.status, b"MALFORMED_REQUEST" in await refused.body()) == (400, True)
        assert await reader.read() == b""
    assert gate.handled("connect", "CANCELLED") == gate.waiting == 0


async def test_who_would_rather_speak_http_2_is_answered_all_the_same(
    gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    """Java's client asks so each time, and so does `curl --http2`; nothing is written down of it."""
    gate.opened.set()
    upgrade = [("connection", "Upgrade, HTTP2-Settings"), ("upgrade", "h2c"), ("http2-settings", "AAMAAABkAAQCAAAA")]
    post = head("POST", BUILD_INFO, [*JSON, *upgrade, ("content-length", "2")])
    async with connected(gate.address) as (reader, writer):
        for part in (post, b"{}", head("GET", REST, upgrade), head("GET", REST, [])):
            writer.write(part)
            await writer.drain()
            if part != post:
                told = await answer(reader)
                assert (told.status, await told.body() != b"") == (200, True)
        # Nor is what was sent at once with it lost.
        writer.write(head("GET", REST, upgrade) * 2 + post + b"{}" + head("GET", REST, []))
        for _ in range(4):
            told = await answer(reader)
            assert (told.status, await told.body() != b"") == (200, True)
    assert not [record for record in caplog.records if record.name.startswith("uvicorn")]
