"""How long each attempt at a change may take: a short time at first, so that a lost answer is soon asked for again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import pairwise

import grpc
import pytest

import whitehall_client
from whitehall_client import aio
from whitehall_client.gen.whitehall.cluedo.v1 import service_pb2

ATTEMPTS = 3
WHOLE_CALL = 600
"""Seconds that all attempts may take together."""


class Reluctant:
    """A service that answers a move at the last of some attempts, and writes down how long it had for each."""

    def __init__(self, failure: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE) -> None:
        self.allowed: list[float] = []
        self._failure = failure

    async def play_move(self, request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        remaining = context.time_remaining()
        assert remaining is not None
        self.allowed.append(remaining)
        if len(self.allowed) < ATTEMPTS:
            await context.abort(self._failure)
        return service_pb2.PlayMoveResponse().SerializeToString()

    @asynccontextmanager
    async def served(self) -> AsyncIterator[str]:
        methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
            "PlayMove": grpc.unary_unary_rpc_method_handler(self.play_move)
        }
        service = service_pb2.DESCRIPTOR.services_by_name["CluedoService"].full_name
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        yield f"127.0.0.1:{port}"
        await server.stop(0)


@pytest.mark.parametrize("blocking", [False, True], ids=["asyncio", "blocking"])
async def test_a_service_that_takes_its_time_is_given_more_at_each_attempt(*, blocking: bool) -> None:
    """A busy machine may need seconds. Were all attempts as short as the first, none would be answered."""
    service = Reluctant()
    async with service.served() as address:
        if blocking:
            await asyncio.to_thread(_play, address)
        else:
            async with aio.connect(address, timeout=WHOLE_CALL) as client:
                await client.cluedo.seat("g", "token").play("roll")
    assert len(service.allowed) == ATTEMPTS
    # On a busy machine the first ones may be over before they have come.
    assert service.allowed[0] < WHOLE_CALL / 10
    assert all(later > earlier for earlier, later in pairwise(service.allowed))
    assert service.allowed[-1] > 3


async def test_no_attempt_is_longer_than_what_is_left_of_the_call() -> None:
    service = Reluctant()
    async with service.served() as address, aio.connect(address, timeout=2.5) as client:
        with suppress(whitehall_client.Unanswered):  # as on a busy machine
            await client.cluedo.seat("g", "token").play("roll")
    assert all(allowed <= 2.5 for allowed in service.allowed)


@pytest.mark.parametrize("code", [grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS])
async def test_what_breaks_on_the_way_without_a_reason_is_tried_again(code: grpc.StatusCode) -> None:
    """The service itself would tell a reason. So it has not refused, and nobody knows whether the move was made."""
    service = Reluctant(code)
    async with service.served() as address, aio.connect(address, timeout=WHOLE_CALL) as client:
        await client.cluedo.seat("g", "token").play("roll")
        assert len(service.allowed) == ATTEMPTS
        service.allowed.clear()
        with pytest.raises(whitehall_client.Unanswered) as failed:
            await client.ask(client.cluedo._stub.PlayMove, service_pb2.PlayMoveRequest())
    assert (failed.value.code, failed.value.is_temporary) == (code, True)


def _play(address: str) -> None:
    with whitehall_client.connect(address, timeout=WHOLE_CALL) as client:
        client.cluedo.seat("g", "token").play("roll")
