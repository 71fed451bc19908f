"""A rolling restart: replicas are replaced one by one, and callers who know of all of them notice nothing.

The callers are set up as every client can be: the addresses of all replicas, turn by turn, none that does not say that
it serves, and one more try where a replica was not to be had.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import grpc
import grpc_health.v1.health_pb2  # noqa: F401 - what the channel asks replicas with
import pytest

from tests.faults.rolling import Callers, restart_all, two_replicas
from tests.faults.service import Replica

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


@pytest.mark.parametrize(("workers", "rounds"), [(1, 1), pytest.param(2, 4, marks=pytest.mark.slow)])
@pytest.mark.timeout(300)
async def test_no_call_fails_while_replicas_are_restarted_one_by_one(
    tmp_path: Path, workers: int, rounds: int, report: Callable[[str], None]
) -> None:
    async with two_replicas(tmp_path, workers) as replicas, balanced(replicas) as channel:
        async with Callers(channel) as callers:
            for _ in range(rounds):
                await restart_all(replicas)
        report(f"{callers.answered} calls answered during {2 * rounds} restarts, {len(callers.failed)} failed")
    assert callers.failed == []
    assert callers.answered > 100
