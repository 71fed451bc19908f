"""Requests of which no call comes: each is refused by name, in the form that whoever sent it can read."""

from __future__ import annotations

import grpc
import pytest

from tests.api.refusals import Refused
from tests.api.service import Service
from tests.api.table import Yard
from tests.doors.http import asked
from tests.doors.speech import BUILD_INFO, CREATE_GAME, GET_GAME, SERVICE, WATCH_GAME, asked_for, read_refusal

GRPC_WEB = ("application/grpc-web", "application/grpc-web+proto", "application/grpc-web-text")
CONNECT = ("application/json", "application/proto")
STREAMS = ("application/connect+json", "application/connect+proto")
TALKING = "/whitehall.scotlandyard.v1.ScotlandYardPositionService/StreamListDestinations"
"""Connect asks for HTTP/2 where both sides talk, so these methods are gRPC's alone."""
NO_METHOD = f"{SERVICE}/UndoMove"
NO_SERVICE = "/whitehall.chess.v1.ChessService/GetGame"

NOT_THERE = [
    ("POST", "/", "application/json", 404),
    ("GET", "//", "", 404),
    ("GET", "/%00", "", 404),
    ("GET", "/favicon.ico", "", 404),
    ("GET", "/docs/nothing", "", 404),
    ("GET", "/docs/..%2f..%2fsecret", "", 404),
    ("GET", "/v1%2fcatalog/build-info", "", 404),
    ("GET", "/v1/catalog/../catalog/build-info", "", 404),
    ("POST", f"/{SERVICE[1:]}%2fGetGame", "application/json", 404),
    ("OPTIONS", "*", "", 404),
    ("POST", "/nowhere", "application/json", 404),
    ("GET", "/v1/chess/games", "", 404),
    ("POST", NO_SERVICE, "application/proto", 404),
    *(("POST", NO_METHOD, kind, 404) for kind in CONNECT),
    *(("POST", path, kind, 200) for path in (TALKING, NO_METHOD, NO_SERVICE) for kind in (*STREAMS, *GRPC_WEB)),
]
"""Method, path and content type of requests for what there is not; the status."""

WRONG_METHOD = [
    ("GET", CREATE_GAME, "", 405, "POST"),
    ("PUT", GET_GAME, "application/json", 405, "GET, POST"),
    ("DELETE", CREATE_GAME, "application/proto", 405, "POST"),
    ("OPTIONS", GET_GAME, "", 405, "GET, POST"),
    ("GET", WATCH_GAME, "", 405, "POST"),
    ("PUT", WATCH_GAME, "application/connect+json", 200, "POST"),
    ("PUT", GET_GAME, "application/grpc-web", 200, "GET, POST"),
    ("POST", "/docs", "application/json", 405, "GET, HEAD"),
    ("DELETE", "/openapi.json", "", 405, "GET, HEAD"),
    ("PUT", "/v1/catalog/build-info", "", 405, "GET, HEAD, OPTIONS"),
]

WRONG_TYPE = [
    (GET_GAME, "text/plain", 415),
    (GET_GAME, "", 415),
    (GET_GAME, "application/xml", 415),
    (GET_GAME, "application/json, text/plain", 415),
    (GET_GAME, "application/connect+json", 200),
    (WATCH_GAME, "application/json", 415),
    (WATCH_GAME, "application/connect+xml", 200),
    (GET_GAME, "application/grpc-web+thrift", 200),
    # gRPC itself needs HTTP/2, and a port of its own.
    (GET_GAME, "application/grpc", 200),
    (GET_GAME, "application/grpc+proto", 200),
]


async def refusal_of(address: str, verb: str, path: str, kind: str, language: str = "en") -> tuple[int, Refused]:
    """The status and the refusal with which a request meets."""
    headers = [("content-type", kind)] if kind else []
    async with asked(address, verb, path, [*headers, ("accept-language", language)]) as answer:
        assert kind.startswith("application/grpc") == ("grpc-status" in answer.headers)
        refusal = await read_refusal(answer)
    assert refusal is not None
    assert (refusal.reason, refusal.domain, refusal.code.name) == ("UNSUPPORTED", "whitehall", "UNIMPLEMENTED")
    return answer.status, refusal


@pytest.mark.parametrize(("verb", "path", "kind", "status"), NOT_THERE)
async def test_what_there_is_not_is_told_by_name(
    service: Service, verb: str, path: str, kind: str, status: int
) -> None:
    found, refusal = await refusal_of(service.http, verb, path, kind)
    assert (found, refusal.metadata) == (status, {"what": "path"})
    assert refusal.message == "The service does not understand requests that are sent in this way."
    _, refusal = await refusal_of(service.http, verb, path, kind, "fr")
    assert refusal.message == "Le service ne comprend pas les requêtes envoyées de cette façon."


@pytest.mark.parametrize(("verb", "path", "kind", "status", "supported"), WRONG_METHOD)
async def test_a_method_of_http_that_does_not_go_there_is_told_which_do(
    service: Service, verb: str, path: str, kind: str, status: int, supported: str
) -> None:
    found, refusal = await refusal_of(service.http, verb, path, kind)
    assert (found, refusal.metadata) == (status, {"what": "method", "supported": supported})
    if status == 405:
        async with asked(service.http, verb, path) as answer:
            assert answer.headers["allow"] == supported


@pytest.mark.parametrize(("path", "kind", "status"), WRONG_TYPE)
async def test_a_content_type_that_nobody_reads_is_told_which_are(
    service: Service, path: str, kind: str, status: int
) -> None:
    found, refusal = await refusal_of(service.http, "POST", path, kind)
    assert (found, refusal.metadata["what"]) == (status, "content type")
    assert "application/grpc-web" in refusal.metadata["supported"]
    if status == 415:
        async with asked(service.http, "POST", path, [("content-type", kind)]) as answer:
            assert answer.headers["accept-post"] == refusal.metadata["supported"]


async def test_grpc_tells_of_a_method_that_there_is_not_with_the_same_words(yard: Yard, service: Service) -> None:
    for path in (NO_METHOD, NO_SERVICE, "/UndoMove"):
        for language in ("en", "fr"):
            call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = yard.channel.unary_unary(path)
            with pytest.raises(grpc.RpcError) as caught:
                await call(b"", metadata=[("accept-language", language)])
            over_grpc = Refused(caught.value)
            _, over_web = await refusal_of(service.http, "POST", path, "application/grpc-web", language)
            assert over_grpc.status == over_web.status
            assert (over_grpc.code, over_grpc.message) == (over_web.code, over_web.message)


async def test_a_call_that_is_sent_as_json_with_a_charset_is_a_call_of_connect(service: Service) -> None:
    headers = [("content-type", "Application/JSON; charset=utf-8")]
    assert await asked_for(service.http, "POST", BUILD_INFO, headers, b"{}") is None
