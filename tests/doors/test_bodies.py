"""Bodies of every kind that may be sent: compressed, too large, torn, or nothing that any message looks like."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.service import Service
from tests.api.table import Yard
from tests.doors.connect import END, envelope, envelopes
from tests.doors.http import answer, asked, connected, head
from tests.doors.speech import (
    BUILD_INFO,
    CREATE_GAME,
    GET_BOARD,
    GET_GAME,
    REST_GAME,
    WATCH_GAME,
    as_text,
    asked_for,
    post,
    read_refusal,
)

LIMIT = 262_144
NOBODY = b'{"gameId":"' + b"a" * 26 + b'"}'
NOBODY_PROTO = b"\n\x1a" + b"a" * 26
MOVE = b'{"moves":[{"text":"taxi 1"}]}'
GZIP = [("content-encoding", "gzip")]


@pytest.fixture
def address(service: Service) -> str:
    return service.http


async def test_a_compressed_request_is_read_in_every_protocol(address: str) -> None:
    stream = envelope(1, gzip.compress(NOBODY_PROTO))
    for kind, path, body, encoding in (
        ("application/json", GET_GAME, gzip.compress(NOBODY), "content-encoding"),
        ("application/json", f"{REST_GAME}/moves", gzip.compress(MOVE), "content-encoding"),
        ("application/proto", GET_GAME, gzip.compress(NOBODY_PROTO), "content-encoding"),
        ("application/connect+proto", WATCH_GAME, stream, "connect-content-encoding"),
        ("application/grpc-web+proto", GET_GAME, stream, "grpc-encoding"),
        ("application/grpc-web-text", GET_GAME, as_text(stream), "grpc-encoding"),
    ):
        refusal = await post(address, path, kind, body, [(encoding, "gzip")])
        assert refusal is not None
        assert refusal.reason == "TOKEN_MISSING", f"{kind} was not read"


async def test_a_large_answer_is_compressed_for_who_asks_for_it(address: str) -> None:
    kind, board = ("content-type", "application/json"), b'{"name": "london-2013"}'
    async with asked(address, "POST", GET_BOARD, [kind], board) as plain:
        assert "content-encoding" not in plain.headers
        expected = await plain.body()
    # Who names no coding wants none (RFC 9110, 12.5.3).
    for wish in ("", " ", "identity", "gzip;q=0"):
        async with asked(address, "POST", GET_BOARD, [kind, ("accept-encoding", wish)], board) as plain:
            assert (plain.headers.get("content-encoding"), await plain.body()) == (None, expected), wish
    async with asked(address, "POST", GET_BOARD, [kind, ("accept-encoding", "gzip")], board) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        assert gzip.decompress(await answer.body()) == expected


@pytest.mark.parametrize("path", [GET_GAME, f"{REST_GAME}/moves"])
async def test_compression_is_named_as_http_has_it(address: str, path: str) -> None:
    """In any spelling; two of them at once, or one that nobody knows, are refused by name and by header."""
    kind = ("content-type", "application/json")
    body = NOBODY if path == GET_GAME else MOVE
    for coding, sent in (("GZIP", gzip.compress(body)), ("x-gzip", gzip.compress(body)), ("identity", body)):
        refusal = await post(address, path, kind[1], sent, [("content-encoding", coding)])
        assert refusal is not None
        assert refusal.reason == "TOKEN_MISSING", coding
    for coding in ("br", "gzip, gzip", "deflate"):
        async with asked(address, "POST", path, [kind, ("content-encoding", coding)], gzip.compress(body)) as answer:
            assert (answer.status, answer.headers["accept-encoding"]) == (415, "gzip, identity")
    twice = await post(address, path, kind[1], gzip.compress(body), [*GZIP, *GZIP])
    assert twice is not None
    assert twice.metadata["what"] == "compression"


async def test_op13_a_request_of_5_mib_is_refused_by_name_and_does_no_harm(address: str) -> None:
    large = b'{"gameId":"' + b"a" * (5 << 20) + b'"}'
    for kind, path, body in (
        ("application/json", GET_GAME, large),
        ("application/proto", GET_GAME, large),
        ("application/connect+proto", WATCH_GAME, envelope(0, large)),
        ("application/grpc-web+proto", GET_GAME, envelope(0, large)),
        ("application/grpc-web-text", GET_GAME, as_text(envelope(0, large))),
    ):
        refusal = await post(address, path, kind, body)
        assert refusal is not None
        assert (refusal.reason, refusal.code.name) == ("REQUEST_TOO_LARGE", "RESOURCE_EXHAUSTED"), kind
        assert refusal.metadata == {"limit": str(LIMIT)}, "it is a message's, however it is sent"
    assert await post(address, BUILD_INFO, "application/json", b"{}") is None


async def test_a_request_of_the_limit_is_read_and_one_byte_more_is_not(address: str) -> None:
    for kind, path in (("application/json", GET_GAME), ("application/grpc-web+proto", GET_GAME)):
        for size, reason in ((LIMIT, {"INVALID_FIELD", "MALFORMED_REQUEST"}), (LIMIT + 1, {"REQUEST_TOO_LARGE"})):
            body = b'{"gameId":"' + b"a" * (size - 13) + b'"}'
            assert len(body) == size
            refusal = await post(address, path, kind, body if "json" in kind else envelope(0, body))
            assert refusal is not None
            assert refusal.reason in reason, kind


async def test_what_is_small_and_becomes_large_is_not_unpacked(address: str) -> None:
    """Two hundred times the limit in a fifth of it, in every place where something compressed may stand."""
    bomb = gzip.compress(b"0" * (LIMIT * 200))
    assert len(bomb) < LIMIT / 4
    packed = envelope(1, bomb)
    refusals = [
        await post(address, GET_GAME, "application/json", bomb, GZIP),
        await post(address, f"{REST_GAME}/moves", "application/json", bomb, GZIP),
        await post(address, GET_GAME, "application/proto", bomb, GZIP),
        await post(address, WATCH_GAME, "application/connect+json", packed, [("connect-content-encoding", "gzip")]),
        await post(address, WATCH_GAME, "application/grpc-web+proto", packed, [("grpc-encoding", "gzip")]),
        await post(address, GET_GAME, "application/grpc-web+proto", packed, [("grpc-encoding", "gzip")]),
    ]
    for refusal in refusals:
        assert refusal is not None
        assert refusal.reason == "REQUEST_TOO_LARGE"
        assert refusal.metadata["limit"] == str(LIMIT)


async def test_a_compression_that_nobody_knows_is_named(address: str) -> None:
    for kind, path, body, encoding in (
        ("application/json", GET_GAME, NOBODY, "content-encoding"),
        ("application/json", f"{REST_GAME}/moves", b"{}", "content-encoding"),
        ("application/connect+json", WATCH_GAME, envelope(1, NOBODY), "connect-content-encoding"),
        ("application/grpc-web+proto", GET_GAME, envelope(1, NOBODY_PROTO), "grpc-encoding"),
    ):
        refusal = await post(address, path, kind, body, [(encoding, "shrink")])
        assert refusal is not None
        assert (refusal.reason, refusal.code.name) == ("UNSUPPORTED", "UNIMPLEMENTED")
        assert refusal.metadata["what"] == "compression"
        assert "gzip" in refusal.metadata["supported"]


TORN = {
    "no JSON": ("application/json", GET_GAME, b"{", []),
    "a list": ("application/json", GET_GAME, b"[]", []),
    "half a surrogate": ("application/json", GET_GAME, b'{"gameId":"\\ud800"}', []),
    "no UTF-8": ("application/json", GET_GAME, b'{"gameId":"\xff"}', []),
    "deep": ("application/json", CREATE_GAME, b'{"overrides":' * 3000 + b"1" + b"}" * 3000, []),
    "no message": ("application/proto", GET_GAME, b"\xff", []),
    "rest: torn gzip": ("application/json", f"{REST_GAME}/moves", gzip.compress(b"{}")[:-9], GZIP),
    "rest: no gzip": ("application/json", f"{REST_GAME}/moves", b"gzip", GZIP),
    "more behind gzip": ("application/proto", GET_GAME, gzip.compress(NOBODY_PROTO) + b"more", GZIP),
    "torn gzip": ("application/proto", GET_GAME, gzip.compress(NOBODY_PROTO)[:-9], GZIP),
    "no gzip": ("application/proto", GET_GAME, b"gzip", GZIP),
    "deflate called gzip": ("application/proto", GET_GAME, zlib.compress(NOBODY_PROTO), GZIP),
    "no envelope": ("application/connect+json", WATCH_GAME, b"", []),
    "half an envelope": ("application/connect+json", WATCH_GAME, b"\0\0\0", []),
    "a torn message": ("application/connect+json", WATCH_GAME, envelope(0, NOBODY)[:-3], []),
    "two messages": ("application/connect+json", WATCH_GAME, envelope(0, NOBODY) * 2, []),
    "unknown flags": ("application/connect+json", WATCH_GAME, envelope(64, NOBODY), []),
    "compressed by nothing": ("application/connect+json", WATCH_GAME, envelope(1, NOBODY), []),
    "web: no envelope": ("application/grpc-web", GET_GAME, b"", []),
    "web: compressed by nothing": ("application/grpc-web", GET_GAME, envelope(1, NOBODY_PROTO), []),
    "web: a torn message": ("application/grpc-web", GET_GAME, envelope(0, NOBODY_PROTO)[:-3], []),
    "text: no Base64": ("application/grpc-web-text", GET_GAME, b"****", []),
    "text: half of it": ("application/grpc-web-text", GET_GAME, as_text(envelope(0, NOBODY_PROTO))[:-2], []),
}


@pytest.mark.parametrize("name", TORN)
async def test_what_can_t_be_read_is_the_caller_s_mistake(address: str, name: str) -> None:
    kind, path, body, headers = TORN[name]
    refusal = await post(address, path, kind, body, headers)
    assert refusal is not None
    assert refusal.code.name == "INVALID_ARGUMENT", refusal.message
    assert refusal.reason in ("MALFORMED_REQUEST", "INVALID_FIELD")


KINDS = ["application/json", "application/proto", "application/grpc-web+proto", "application/grpc-web-text"]
STREAMS = ["application/connect+json", "application/connect+proto", *KINDS[2:]]


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    asked=st.sampled_from([(GET_GAME, kind) for kind in KINDS] + [(WATCH_GAME, kind) for kind in STREAMS]),
    body=st.binary(max_size=200) | st.binary(max_size=60).map(lambda data: envelope(data[0] if data else 0, data)),
    encoding=st.sampled_from([[], GZIP, [("grpc-encoding", "gzip"), ("connect-content-encoding", "gzip")]]),
)
async def test_no_bytes_at_all_are_a_fault_of_ours(
    address: str, asked: tuple[str, str], body: bytes, encoding: list[tuple[str, str]]
) -> None:
    path, kind = asked
    refusal = await post(address, path, kind, body, encoding)
    assert refusal is not None, "no such bytes name a game and bear its token"
    assert refusal.reason not in ("", "INTERNAL_FAULT"), refusal.message
    assert refusal.code.name not in ("INTERNAL", "UNKNOWN")


async def test_get_asks_what_has_no_side_effects_and_nothing_else(address: str) -> None:
    asking = "?connect=v1&encoding=json&message="
    assert await asked_for(address, "GET", f"{BUILD_INFO}{asking}%7B%7D", []) is None
    for query, reason in (
        ("", "INVALID_FIELD"),
        ("%7B", "MALFORMED_REQUEST"),
        ("%7B%22a%22:1%7D", "INVALID_FIELD"),
    ):
        refusal = await asked_for(address, "GET", f"{GET_GAME}{asking if query else '?encoding=json'}{query}", [])
        assert refusal is not None
        assert refusal.reason == reason
    async with asked(address, "GET", f"{CREATE_GAME}{asking}%7B%7D") as answer:
        assert (answer.status, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    "header",
    [
        ("connect-timeout-ms", "soon"),
        ("connect-timeout-ms", "-1"),
        ("connect-timeout-ms", "99999999999"),
        ("connect-protocol-version", "2"),
    ],
)
async def test_a_header_of_the_protocol_that_makes_no_sense_is_named(address: str, header: tuple[str, str]) -> None:
    refusal = await post(address, GET_GAME, "application/json", NOBODY, [header])
    assert refusal is not None
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", [header[0]])


async def test_a_bad_timeout_of_grpc_web_is_named_too(address: str) -> None:
    for timeout in ("", "5", "5 S", "123456789S", "5x"):
        refusal = await post(
            address, GET_GAME, "application/grpc-web", envelope(0, NOBODY_PROTO), [("grpc-timeout", timeout)]
        )
        assert refusal is not None
        assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ["grpc-timeout"])


async def test_nobody_can_have_a_header_refused_that_was_not_sent(address: str) -> None:
    """The door's own mark of a bad header means nothing when a client sends it."""
    sent = [("x-whitehall-bad-grpc-timeout", "5")]
    refusal = await post(address, GET_GAME, "application/grpc-web", envelope(0, NOBODY_PROTO), sent)
    assert refusal is not None
    assert refusal.reason == "TOKEN_MISSING"


async def test_a_call_whose_time_is_up_is_told_so_in_every_protocol(address: str, yard: Yard) -> None:
    table = await yard.table(3)
    token = ("authorization", f"Bearer {table.mr_x}")
    message = b'{"gameId":"' + table.game_id.encode() + b'"}'
    proto = b"\n\x1a" + table.game_id.encode()
    refusals = [
        await post(address, GET_GAME, "application/json", message, [token, ("connect-timeout-ms", "0")]),
        # Also where there is nothing to wait for.
        await post(address, BUILD_INFO, "application/json", b"{}", [("connect-timeout-ms", "0")]),
        await post(address, BUILD_INFO, "application/grpc-web", envelope(0, b""), [("grpc-timeout", "0S")]),
        await post(address, GET_GAME, "application/grpc-web", envelope(0, proto), [token, ("grpc-timeout", "1n")]),
    ]
    for refusal in refusals:
        assert refusal is not None
        assert (refusal.reason, refusal.code.name) == ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED")
    # A stream lasts as long as its caller has said, and ends with the same words.
    headers = [("content-type", "application/connect+json"), token, ("connect-timeout-ms", "400")]
    async with asked(address, "POST", WATCH_GAME, headers, envelope(0, message)) as answer:
        heard = [(flags, data) async for flags, data in envelopes(answer.chunks())]
    assert len(heard) == 2, "the game as it stands, and the end"
    flags, data = heard[-1]
    assert flags == END
    assert b"deadline_exceeded" in data


@pytest.mark.parametrize("path", [GET_GAME, f"{REST_GAME}/moves"])
async def test_what_is_said_to_be_too_large_need_not_be_sent(address: str, path: str) -> None:
    """Clients with much to send ask first, by `Expect: 100-continue`."""
    headers = [("content-type", "application/json"), ("content-length", str(9 << 20)), ("expect", "100-continue")]
    async with connected(address) as (reader, writer):
        writer.write(head("POST", path, headers))
        refused = await answer(reader)
        assert (refused.status, b"REQUEST_TOO_LARGE" in await refused.body()) == (413, True)


async def test_headers_may_hold_any_characters(address: str) -> None:
    """HTTP's are bytes, of which nobody has said in which encoding they are."""
    for kind, path, body in (
        ("application/json", GET_GAME, NOBODY),
        ("application/grpc-web", GET_GAME, envelope(0, NOBODY_PROTO)),
        ("application/connect+json", WATCH_GAME, envelope(0, NOBODY)),
    ):
        headers = [("content-type", kind), ("content-length", str(len(body))), ("x-name", "?")]
        async with connected(address) as (reader, writer):
            writer.write(head("POST", path, headers).replace(b"?", b"\xe9") + body)
            refusal = await read_refusal(await answer(reader))
        assert refusal is not None
        assert refusal.reason == "TOKEN_MISSING", kind
