"""A worker that is told to end while it still starts ends at once, at whichever moment of its start that is."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sessions.servers import Server
from whitehall.sessions.embedded import server_binary
from whitehall.settings import Settings
from whitehall.workers.hand import Hand
from whitehall.workers.link import Assignment, Link

MOMENTS = [
    f"{when} {place}"
    for place in (
        "whitehall.workers.worker:work",
        "whitehall.workers.link:Link.over",
        "whitehall.settings:Settings.load",
        "whitehall.telemetry.log:configure",
        "whitehall.workers.worker:until_stopped",
        "whitehall.workers.worker:store_at",
        "whitehall.sessions.redis_store:RedisStore.prove",
        "whitehall.sessions.redis_store:rehearse",
        "whitehall.api.shared_key:SharedKey.look",
        "whitehall.main:hosted_games",
        "whitehall.main:_endpoints",
        "whitehall.main:GrpcDoor.serving",
        "whitehall.main:GrpcDoor.start",
        "whitehall.main:HttpDoor.start",
        "whitehall.telemetry.health:Health.check",
        "whitehall.main:_background",
        "whitehall.workers.link:Link.tell",
    )
    for when in ("before", "after")
    # After these two there is nothing left to be ended.
    if (when, place.rpartition(":")[2]) not in (("after", "work"), ("after", "until_stopped"))
]
GRACE_SECONDS = 90.0
"""What a worker gives its calls to end. It has none here."""
QUICK_SECONDS = 45.0
"""Far below that, and far more than it takes to start and to end, however busy the machine is."""


@pytest.mark.slow
@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_worker_that_is_told_to_end_while_it_starts_ends_at_once(moment: str, tmp_path: Path) -> None:
    server = Server(server_binary(), tmp_path)
    server.start()
    settings = Settings.load(
        {
            "grpc_address": "127.0.0.1:0",
            "http_address": "127.0.0.1:0",
            "redis_url": server.url,
            "drain_seconds": 0,
            "grace_seconds": GRACE_SECONDS,
        },
        {},
    )
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", "tests.workers.interrupted", moment]
    process = subprocess.Popen(command, stdin=theirs.fileno())  # noqa: ASYNC220 - as `Hand.hired` does
    theirs.close()
    hand = Hand(1, process, await Link.over(ours), lambda _: None)
    hand._link.tell(Assignment(settings.values(), "memory", 1))
    try:
        code = await asyncio.wait_for(hand.listen(), QUICK_SECONDS)
    finally:
        hand.kill()
        server.kill()
    assert code in (0, -signal.SIGTERM)
    assert hand.failure is None
