"""What no call of the Python client could mend is refused at once, and no secret is told with it."""

from __future__ import annotations

import asyncio
import math
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

import whitehall_client
from tests.api.service import Service
from whitehall_client import InvalidRequest, aio
from whitehall_client.gen.whitehall.catalog.v1 import catalog_pb2, catalog_pb2_grpc
from whitehall_client.gen.whitehall.cluedo.v1 import position_pb2, service_pb2

SOON = 30
UNFIT = ["secret\n", "secret\nsecret", "secret secret", "secret\u20ac", "secret\u00e9", "secret\0"]
NO_KEYS = ["", ":", "me", "me:", ":secret"]
CONNECTS: list[Callable[..., Any]] = [whitehall_client.connect, aio.connect]


def plain(refused: pytest.ExceptionInfo[ValueError]) -> bool:
    """Whether nothing that is printed of the error tells the secret."""
    shown = "".join(traceback.format_exception_only(refused.value))
    return "secret" not in shown and refused.value.__cause__ is None and refused.value.__context__ is None


@pytest.mark.parametrize("connect", CONNECTS, ids=["blocking", "asyncio"])
@pytest.mark.parametrize(
    "target", ["http://localhost:8080", "https://localhost", "HTTP://localhost:8080", "", " localhost:1"]
)
async def test_a_target_that_is_none_or_a_url_is_refused_with_a_hint(target: str, connect: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="host:port of gRPC"):
        connect(target)


@pytest.mark.parametrize(
    "target", ["localhost:1", "dns:///localhost:1", "unix:///tmp/nobody", "ipv4:127.0.0.1:1,127.0.0.1:2"]
)
async def test_every_other_target_is_left_to_grpc(target: str) -> None:
    await aio.connect(target).close()


@pytest.mark.parametrize("connect", CONNECTS, ids=["blocking", "asyncio"])
async def test_a_key_that_is_none_and_a_language_that_no_header_can_bear_are_refused(
    connect: Callable[..., Any],
) -> None:
    for key in [*NO_KEYS, *(f"me:{text}" for text in UNFIT)]:
        with pytest.raises(ValueError, match="operator's key") as refused:
            connect("localhost:1", operator_key=key)
        assert plain(refused)
    for language in ["fr\n", "fran\u00e7ais"]:
        with pytest.raises(ValueError, match="language"):
            connect("localhost:1", language=language)


@pytest.mark.parametrize("connect", CONNECTS, ids=["blocking", "asyncio"])
async def test_a_time_that_is_no_number_is_refused(connect: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="number of seconds"):
        connect("localhost:1", timeout=math.nan)


@pytest.mark.parametrize("seconds", [1e10, 1e300, math.inf])
async def test_any_time_is_waited_for_that_has_no_end(seconds: float, service: Service) -> None:
    """GRPC itself takes what is too long for a time that has passed."""
    asked = position_pb2.StreamListReachablePlacesRequest()
    with whitehall_client.connect(service.grpc, timeout=seconds) as blocking:
        assert blocking.catalog.build_info().version
        ask = blocking.cluedo.positions.StreamListReachablePlaces
        with pytest.raises(InvalidRequest, match="placements"):
            next(blocking.converse(ask, [asked], timeout=seconds))
    async with aio.connect(service.grpc) as waiting:
        question = catalog_pb2_grpc.CatalogServiceStub(waiting.storeless_channel).GetBuildInfo
        assert (await waiting.ask(question, catalog_pb2.GetBuildInfoRequest(), timeout=seconds)).version


async def test_nobody_waits_for_a_time_that_is_no_number() -> None:
    async with aio.connect("localhost:1") as service:
        seat = service.cluedo.seat("g", "token")
        with pytest.raises(ValueError, match="number of seconds"):
            await seat.deductions(timeout=math.nan)
        with pytest.raises(ValueError, match="number of seconds"):
            await anext(seat.watch(patience=math.nan))


async def test_the_preferences_of_a_browser_are_a_language() -> None:
    await aio.connect("localhost:1", language="fr-CH, fr;q=0.9", operator_key="me:so:fit").close()


@pytest.mark.parametrize("token", UNFIT)
async def test_a_token_that_no_header_can_bear_is_refused_at_once(
    token: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """By calls and by watches, and gRPC writes nothing of its own."""
    with whitehall_client.connect("localhost:1", timeout=3600) as blocking:
        seat = blocking.cluedo.seat("g", token)
        for call in (seat.game, lambda: seat.play("roll"), lambda: next(seat.watch())):
            with pytest.raises(ValueError, match="A token has characters") as refused:
                call()
            assert plain(refused)
    async with aio.connect("localhost:1", timeout=3600) as service:
        with pytest.raises(ValueError, match="A token has characters"):
            await service.cluedo.seat("g", token).game()
        with pytest.raises(ValueError, match="A token has characters"):
            await anext(service.cluedo.seat("g", token).watch())
    assert capfd.readouterr() == ("", "")


@asynccontextmanager
async def lost_streams(called: asyncio.Event) -> AsyncIterator[str]:
    """A service whose streams end at once."""

    async def watch_game(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> AsyncIterator[bytes]:
        called.set()
        await context.abort(grpc.StatusCode.UNAVAILABLE)
        yield b""

    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "WatchGame": grpc.unary_stream_rpc_method_handler(watch_game)
    }
    server = grpc.aio.server()
    name = service_pb2.DESCRIPTOR.services_by_name["CluedoService"].full_name
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield f"127.0.0.1:{port}"
    await server.stop(0)


async def test_a_cancelled_task_and_a_timeout_end_a_watch_that_looks_for_the_service_as_what_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not as what had failed before."""
    monkeypatch.setattr("whitehall_client.aio.caller.pause", lambda attempt, failure: 3600.0)
    called = asyncio.Event()
    async with lost_streams(called) as address, aio.connect(address) as service:
        watch = service.cluedo.seat("g", "token").watch()
        task = asyncio.ensure_future(anext(watch))
        await called.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await anext(service.cluedo.seat("g", "token").watch())
