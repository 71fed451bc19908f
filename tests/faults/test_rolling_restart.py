"""A rolling restart: replicas are replaced one by one, and callers who know of all of them notice nothing.

The callers are set up as every client can be: the addresses of all replicas, turn by turn, none that does not say that
it serves, and one more try where a replica was not to be had.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import grpc_health.v1.health_pb2  # noqa: F401 - what the channel asks replicas with
import pytest

from tests.api.live import until
from tests.api.table import Yard, a_request_id
from tests.faults.service import Replica, Store
from whitehall.sessions.embedded import server_binary

CALLERS = 8

SERVICE_CONFIG = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "healthCheckConfig": {"serviceName": ""},
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.05s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
}


@asynccontextmanager
async def two_replicas(folder: Path, workers: int) -> AsyncIterator[list[Replica]]:
    """On one store, with a drain that lets callers take note."""
    store = Store(server_binary(), folder / "store")
    replicas = [
        Replica(folder / f"replica{number}", store.url, workers, drain_seconds="1", log_level="info", log_format="json")
        for number in range(2)
    ]
    try:
        await store.start()
        await asyncio.gather(*(replica.start() for replica in replicas))
        yield replicas
    finally:
        for replica in replicas:
            replica.stop()
        store.stop()


def balanced(replicas: Sequence[Replica]) -> grpc.aio.Channel:
    """A channel that calls them turn by turn."""
    options = [
        ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 1000),
        ("grpc.max_reconnect_backoff_ms", 1000),
    ]
    return grpc.aio.insecure_channel("ipv4:" + ",".join(replica.address for replica in replicas), options=options)


def calls_answered(replica: Replica) -> int:
    """How many calls its log tells of."""
    return replica.log.read_text().count('"code": "OK"')


async def restart(replica: Replica) -> None:
    """As an orchestrator does: gone once it has drained, and the next one counts once it has been given calls."""
    await asyncio.to_thread(replica.stop)
    answered = calls_answered(replica)
    await replica.start()
    await until(lambda: calls_answered(replica) > answered + CALLERS, 30)


@pytest.mark.parametrize(("workers", "rounds"), [(1, 1), pytest.param(2, 4, marks=pytest.mark.slow)])
@pytest.mark.timeout(300)
async def test_no_call_fails_while_replicas_are_restarted_one_by_one(
    tmp_path: Path, workers: int, rounds: int, report: Callable[[str], None]
) -> None:
    failed: list[str] = []
    answered = 0
    over = asyncio.Event()

    async def call_on(yard: Yard) -> None:
        nonlocal answered
        while not over.is_set():
            try:
                table = await yard.table(2, request_id=a_request_id())
                game = await table.get(table.seats[0])
                (move, *_) = [ride.text for ride in (await table.legal(0)).moves.pieces[0].rides]
                await table.play(0, move, request_id=a_request_id())
                answered += 4
                assert game.info.revision == 1
            except grpc.RpcError as error:
                failed.append(f"{error.code()}: {error.details()}")

    async with two_replicas(tmp_path, workers) as replicas, balanced(replicas) as channel:
        async with asyncio.TaskGroup() as group:
            for _ in range(CALLERS):
                group.create_task(call_on(Yard(channel)))
            for _ in range(rounds):
                for replica in replicas:
                    await restart(replica)
            over.set()
        report(f"{answered} calls answered during {2 * rounds} restarts, {len(failed)} failed")
    assert failed == []
    assert answered > 100
