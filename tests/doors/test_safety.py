"""What an answer over HTTP says besides: to caches, to browsers, and to pages of other origins."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest

from tests.api.live import live
from tests.api.service import Service
from tests.api.table import Yard, bearing
from tests.doors.door import DoorChannel
from tests.doors.doors import DOORS
from tests.doors.http import asked
from tests.doors.speech import BUILD_INFO, CREATE_GAME, GET_GAME, asked_for
from tests.doors.test_scenario import scenario
from whitehall.sessions.redis_store import RedisStore

JSON = [("content-type", "application/json")]
PAGE = "https://play.example"
PREFLIGHT = [
    ("origin", PAGE),
    ("access-control-request-method", "POST"),
    ("access-control-request-headers", "authorization,connect-protocol-version,content-type"),
]
CONNECT_AND_GRPC_WEB = {
    "authorization",
    "connect-protocol-version",
    "connect-timeout-ms",
    "content-type",
    "grpc-timeout",
    "x-grpc-web",
    "x-user-agent",
}
"""The headers that connectrpc.com/docs/cors asks for, and ours."""


async def test_every_answer_is_private_and_says_nothing_to_sniffers_and_referrers(service: Service) -> None:
    for verb, path, body in (
        ("POST", BUILD_INFO, b"{}"),
        ("POST", GET_GAME, b"{}"),
        ("POST", GET_GAME, b"{"),
        ("GET", "/nowhere", b""),
        ("GET", CREATE_GAME, b""),
    ):
        async with asked(service.http, verb, path, JSON, body) as answer:
            assert answer.headers["cache-control"] == "private, no-store"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert "server" not in answer.headers


async def test_no_page_of_another_origin_may_call_unless_the_operator_says_so(service: Service) -> None:
    async with asked(service.http, "OPTIONS", GET_GAME, PREFLIGHT) as answer:
        assert answer.status >= 400
        assert not any(name.startswith("access-control") for name in answer.headers)
    async with asked(service.http, "POST", BUILD_INFO, [*JSON, ("origin", PAGE)], b"{}") as answer:
        assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize("allowed", ["*", f"http://localhost:3000,{PAGE}"])
async def test_pages_of_allowed_origins_may_send_and_read_what_the_protocols_need(
    store: RedisStore, allowed: str
) -> None:
    async with live(store, {"cors_origins": allowed}) as service:
        async with asked(service.http, "OPTIONS", GET_GAME, PREFLIGHT) as answer:
            assert answer.status == 204
            assert answer.headers["access-control-allow-origin"] == ("*" if allowed == "*" else PAGE)
            assert set(answer.headers["access-control-allow-headers"].split(", ")) >= CONNECT_AND_GRPC_WEB
            assert {"GET", "POST"} <= set(answer.headers["access-control-allow-methods"].split(", "))
            assert int(answer.headers["access-control-max-age"]) > 0
        # A refusal has to be readable just as well.
        async with asked(service.http, "POST", GET_GAME, [*JSON, ("origin", PAGE)], b"{") as answer:
            assert answer.headers["access-control-allow-origin"] == ("*" if allowed == "*" else PAGE)
            exposed = set(answer.headers["access-control-expose-headers"].split(", "))
            assert exposed >= {"grpc-status", "grpc-message", "grpc-status-details-bin"}
            assert "access-control-allow-credentials" not in answer.headers


async def test_a_page_may_read_why_its_request_never_became_one(store: RedisStore) -> None:
    async with live(store, {"cors_origins": PAGE}) as service:
        headers = [("origin", PAGE), ("x-long", "a" * 20_000)]
        async with asked(service.http, "GET", "/", headers) as answer:
            assert (answer.status, answer.headers["access-control-allow-origin"]) == (431, PAGE)
            assert answer.headers["cache-control"] == "private, no-store"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "no-referrer"


async def test_a_page_of_an_origin_that_is_not_on_the_list_is_told_nothing(store: RedisStore) -> None:
    """And caches are told that another origin would have got another answer."""
    async with live(store, {"cors_origins": PAGE}) as service:
        for origin in ("https://evil.example", f"{PAGE}.evil.example", "null", PAGE.upper()):
            async with asked(service.http, "POST", BUILD_INFO, [*JSON, ("origin", origin)], b"{}") as answer:
                assert not any(name.startswith("access-control") for name in answer.headers)
                assert "origin" in answer.headers["vary"].lower()


async def test_a_whole_game_through_the_doors_leaves_no_token_in_the_log(store: RedisStore, log: io.StringIO) -> None:
    """By GET too, where the request stands in the address."""
    async with live(store) as service:
        for name in ("connect-get", "connect-json", "grpc-web-text"):
            await scenario(Yard(DoorChannel(DOORS[name](service.http))))  # type: ignore[arg-type]
    lines = log.getvalue()
    assert "wh_" not in lines
    assert "?" not in lines
    doors = [json.loads(line).get("door") for line in lines.splitlines()]
    assert doors.count("connect") > 40
    assert doors.count("grpc_web") > 20
    assert '"fault"' not in lines


async def test_a_token_in_the_address_is_no_token(service: Service, yard: Yard) -> None:
    table = await yard.table(3)
    query = f"?connect=v1&encoding=json&message=%7B%22gameId%22:%22{table.game_id}%22%7D"
    for name in ("token", "access_token", "authorization"):
        for bears in ([], bearing(table.host)):
            refusal = await asked_for(service.http, "GET", f"{GET_GAME}{query}&{name}={table.host}", bears)
            assert refusal is not None
            assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", [name])
            assert table.host not in refusal.message


async def test_calls_are_counted_by_the_door_they_came_through(start_service: Callable[..., Service]) -> None:
    service = start_service("--drain-seconds", "0")
    async with asked(service.http, "POST", BUILD_INFO, JSON, b"{}") as answer:
        assert answer.status == 200
    async with asked(service.http, "POST", BUILD_INFO, [("content-type", "application/grpc-web")], b"\0\0\0\0\0"):
        pass
    for door in ("connect", "grpc_web"):
        counted = service.metric(
            "grpc_server_handled_total", transport=door, grpc_method="GetBuildInfo", grpc_code="OK"
        )
        assert counted == 1
