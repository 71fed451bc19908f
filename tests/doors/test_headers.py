"""Headers are read in one way at every door: in any case, with parameters, and where one stands several times."""

from __future__ import annotations

import base64
import json
import time

import grpc
import pytest

from tests.api.refusals import Refused
from tests.api.service import Service
from tests.api.table import Yard
from tests.doors.connect import envelope
from tests.doors.http import asked
from tests.doors.speech import BUILD_INFO, CREATE_GAME, GET_GAME, REST_GAME, WATCH_GAME, asked_for, post
from whitehall.api.headers import by_name
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2

NOBODY = b'{"gameId":"' + b"a" * 26 + b'"}'
NOBODY_PROTO = b"\n\x1a" + b"a" * 26
GZIP = [("grpc-accept-encoding", "gzip"), ("connect-accept-encoding", "gzip"), ("accept-encoding", "gzip")]
FRENCH_THEN_ENGLISH = [("accept-language", "fr"), ("accept-language", "en")]


@pytest.mark.parametrize(
    ("kind", "path", "body", "answered"),
    [
        ("application/grpc-web+json; charset=utf-8", BUILD_INFO, envelope(0, b"{}"), "application/grpc-web+json"),
        ("Application/grpc-web+proto", BUILD_INFO, envelope(0, b""), "application/grpc-web+proto"),
        ("APPLICATION/GRPC-WEB", BUILD_INFO, envelope(0, b""), "application/grpc-web"),
        ("Application/Grpc-Web-Text; x=y", BUILD_INFO, base64.b64encode(envelope(0, b"")), "application/grpc-web-text"),
        ("application/proto; x=y", BUILD_INFO, b"", "application/proto"),
        ("application/json;", BUILD_INFO, b"{}", "application/json"),
        ("application/json;; charset=UTF-8 ;", BUILD_INFO, b"{}", "application/json"),
    ],
)
async def test_a_content_type_means_the_same_however_it_is_written(
    service: Service, kind: str, path: str, body: bytes, answered: str
) -> None:
    async with asked(service.http, "POST", path, [("content-type", kind)], body) as answer:
        assert (answer.status, answer.headers.get("grpc-status", "0")) == (200, "0")
        assert answer.headers["content-type"].startswith(answered)


@pytest.mark.parametrize("charset", ["latin-1", "utf-16", '"utf-8', "", "utf-8; charset=latin-1"])
async def test_json_is_in_utf_8_at_every_door(service: Service, charset: str) -> None:
    """And is refused where its sender says that it is in anything else."""
    for path, kind, body in (
        ("/v1/scotland-yard/games", "application/json", b'{"preset": "new", "players": 3}'),
        (CREATE_GAME, "application/json", b'{"preset": "new", "players": 3}'),
        (WATCH_GAME, "application/connect+json", envelope(0, NOBODY)),
        (GET_GAME, "application/grpc-web+json", envelope(0, NOBODY)),
    ):
        refusal = await post(service.http, path, f"{kind}; charset={charset}", body)
        assert refusal is not None
        assert (refusal.reason, refusal.metadata["what"]) == ("UNSUPPORTED", "content type"), path


async def test_who_asks_for_another_protocol_and_hangs_up_is_answered_at_every_door(service: Service) -> None:
    """As `curl --http2 -H 'connection: close'` asks."""
    wish = [("connection", "Upgrade, HTTP2-Settings, close"), ("upgrade", "h2c"), ("http2-settings", "AAMA")]
    packed = base64.b64encode(envelope(0, b""))
    for method, path, kind, body in (
        ("GET", "/v1/catalog/build-info", None, b""),
        ("GET", "/docs", None, b""),
        ("GET", f"{BUILD_INFO}?encoding=json&message=%7B%7D", None, b""),
        ("POST", BUILD_INFO, "application/json", b"{}"),
        ("POST", BUILD_INFO, "application/grpc-web-text", packed),
        ("POST", "/v1/scotland-yard/games", "application/json", b'{"preset": "new", "players": 3}'),
    ):
        headers = [*wish, *([("content-type", kind)] if kind else [])]
        async with asked(service.http, method, path, headers, body) as answer:
            assert (answer.status, answer.headers["connection"]) == (200, "close"), path
            assert await answer.body() != b"", path


async def test_a_stream_of_connect_is_one_in_whatever_case(service: Service) -> None:
    refusal = await post(service.http, WATCH_GAME, "Application/Connect+JSON; charset=utf-8", envelope(0, NOBODY))
    assert refusal is not None
    assert refusal.reason == "TOKEN_MISSING"


@pytest.mark.parametrize("kind", ["application/grpc-web+proto", "application/grpc-web-text", "application/json"])
async def test_no_answer_that_holds_tokens_is_compressed(service: Service, kind: str) -> None:
    request = service_pb2.CreateGameRequest(preset="new", players=6).SerializeToString()
    body = {
        "application/grpc-web+proto": envelope(0, request),
        "application/grpc-web-text": base64.b64encode(envelope(0, request)),
        "application/json": b'{"preset": "new", "players": 6}',
    }[kind]
    async with asked(service.http, "POST", CREATE_GAME, [("content-type", kind), *GZIP], body) as answer:
        assert answer.headers.get("grpc-encoding", "identity") == "identity"
        assert "content-encoding" not in answer.headers
        told = await answer.body()
    assert b"wh_seat_0_" in (base64.b64decode(told) if kind.endswith("text") else told)


async def test_answers_without_tokens_are_compressed_over_grpc_web(service: Service) -> None:
    headers = [("content-type", "application/grpc-web+proto"), *GZIP]
    async with asked(service.http, "POST", BUILD_INFO, headers, envelope(0, b"")) as answer:
        assert answer.headers["grpc-encoding"] == "gzip"


async def test_of_two_headers_for_the_language_both_are_read_at_every_door(service: Service, yard: Yard) -> None:
    kinds = {"application/json": NOBODY, "application/grpc-web": envelope(0, NOBODY_PROTO)}
    refusals = [
        await post(service.http, f"{GET_GAME}x", "application/json", NOBODY, FRENCH_THEN_ENGLISH),
        *[await post(service.http, GET_GAME, kind, body, FRENCH_THEN_ENGLISH) for kind, body in kinds.items()],
        await asked_for(service.http, "GET", REST_GAME, FRENCH_THEN_ENGLISH),
    ]
    with pytest.raises(grpc.RpcError) as caught:
        await yard.games.GetGame(service_pb2.GetGameRequest(game_id="a" * 26), metadata=FRENCH_THEN_ENGLISH)
    refusals.append(Refused(caught.value))
    found = [refusal.message for refusal in refusals if refusal is not None]
    assert found[0] == "Le service ne comprend pas les requêtes envoyées de cette façon."
    assert len(found) == 5
    assert len(set(found[1:])) == 1
    assert "jeton" in found[1]


async def test_two_tokens_are_ambiguous_whether_in_two_headers_or_in_one(service: Service, yard: Yard) -> None:
    table = await yard.table(2)
    one = f"Bearer {table.mr_x}"
    for headers in ([("authorization", one), ("authorization", one)], [("authorization", f"{one}, {one}")]):
        message = json.dumps({"gameId": table.game_id}).encode()
        for refusal in (
            await post(service.http, GET_GAME, "application/json", message, headers),
            await asked_for(service.http, "GET", f"/v1/scotland-yard/games/{table.game_id}", headers),
        ):
            assert refusal is not None
            assert refusal.reason == "TOKEN_AMBIGUOUS"
        with pytest.raises(grpc.RpcError) as caught:
            await yard.games.GetGame(service_pb2.GetGameRequest(game_id=table.game_id), metadata=headers)
        assert Refused(caught.value).reason == "TOKEN_AMBIGUOUS"


def test_the_work_of_reading_headers_grows_with_their_number_and_no_faster() -> None:
    """A stranger may send thousands of them, each of them twice."""
    names = [f"x-{number}" for number in range(20_000)]
    began = time.process_time()
    headers = by_name([(name, value) for name in names for value in ("a", "b")])
    assert time.process_time() - began < 5  # Were each compared with each, it would be minutes.
    assert headers == dict.fromkeys(names, "a, b")
