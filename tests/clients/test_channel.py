"""What the client's channel stands: large answers, long silence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import grpc
import pytest

import whitehall_client
from tests.api.service import Service
from tests.clients.cable import Cable
from whitehall_client import Overloaded, Unanswered, aio
from whitehall_client.channel import DEFAULTS
from whitehall_client.gen.whitehall.cluedo.v1 import deduction_pb2, position_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import service_pb2

LARGE = 6 << 20
QUESTION = position_pb2.ListPossibleSolutionsRequest(logs=[deduction_pb2.SuggestionLog(players=3)])
"""About a position: no game, and no store."""


@asynccontextmanager
async def large_records() -> AsyncIterator[str]:
    """A service whose records have some MiB, and nothing else."""

    async def get_record(request: bytes, context: object) -> bytes:
        return service_pb2.GetRecordResponse(text="x" * LARGE).SerializeToString()

    service = service_pb2.DESCRIPTOR.services_by_name["ScotlandYardService"].full_name
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "GetRecord": grpc.unary_unary_rpc_method_handler(get_record)
    }
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield f"127.0.0.1:{port}"
    await server.stop(0)


async def test_an_answer_of_more_than_four_mebibytes_is_taken() -> None:
    """OP-13: gRPC's own limit would refuse it."""
    async with large_records() as address, aio.connect(address) as client:
        record = await client.scotland_yard.seat("g", "token").record()
    assert len(record.text) == LARGE


async def test_a_request_that_is_too_large_is_refused_and_not_sent_again(client: aio.Service) -> None:
    """OP-13: the service takes 256 KiB. Its process goes on."""
    with pytest.raises(Overloaded):
        await client.scotland_yard.seat("a" * 26, "").play("x" * (5 << 20))
    assert (await client.catalog.build_info()).version


async def test_the_catalog_and_positions_are_served_while_the_store_is_away(storeless_service: Service) -> None:
    """Games are not, and say so."""
    async with aio.connect(storeless_service.grpc, timeout=20) as client:
        assert (await client.catalog.build_info()).version
        assert (await client.ask(client.cluedo.positions.ListPossibleSolutions, QUESTION)).solutions
    async with aio.connect(storeless_service.grpc, timeout=1) as client:
        with pytest.raises(Unanswered):
            await client.scotland_yard.create_game(players=3)


def test_they_are_to_callers_that_wait_too(storeless_service: Service) -> None:
    with whitehall_client.connect(storeless_service.grpc, timeout=30) as client:
        assert client.catalog.build_info().version
        assert client.ask(client.cluedo.positions.ListPossibleSolutions, QUESTION).solutions


def test_pings_are_no_more_frequent_than_the_service_allows() -> None:
    """OP-11: it takes one in 10 seconds, with or without calls."""
    assert dict(DEFAULTS)["grpc.keepalive_time_ms"] == 30_000


@pytest.mark.timeout(900)
@pytest.mark.parametrize("follows", [True, False], ids=["with a stream", "without a call"])
@pytest.mark.parametrize(
    "seconds", [pytest.param(100, marks=pytest.mark.slow), pytest.param(660, marks=pytest.mark.soak)]
)
async def test_the_connection_of_a_silent_client_lives_on(
    client: aio.Service, cable: Cable, seconds: float, *, follows: bool
) -> None:
    """OP-11: at least three of the client's own pings; no GOAWAY, and the next event arrives. The service ends
    connections about once a minute by itself, which is no fault: the client goes on without a gap.
    """
    made = await client.scotland_yard.create_game(players=2)
    mr_x = await client.scotland_yard.claim(made.seats["mr_x"])
    async with aio.connect(cable.address) as behind:
        seat = behind.scotland_yard.seat(made.game_id, mr_x.token)
        if not follows:
            await seat.game()
            await asyncio.sleep(seconds)  # nothing happens meanwhile: that is the point
            assert (await seat.game()).info.revision == 2
            return
        async with aclosing(seat.watch()) as news:
            await anext(news)
            await asyncio.sleep(seconds)  # nothing happens meanwhile: that is the point
            await mr_x.play((await mr_x.moves())[0])
            assert (await anext(news)).update.revision.revision == 3
    assert cable.connections <= 2 + seconds // 50
