"""The service, and in the same process its echoes behind a door of the same make.

`python -m tests.bench.server FOLDER` says in lines of JSON where gRPC and HTTP listen, is told how long the echoes'
answers are, says where the echoes listen, and ends with its input.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import uvloop
from prometheus_client import CollectorRegistry

from tests.bench.echo import Sizes, Step, echoes
from whitehall.api.desk import Desk
from whitehall.api.grpc_door import GrpcDoor, Limits
from whitehall.api.metered_store import MeteredStore
from whitehall.api.tokens import Tokens
from whitehall.main import PING_INTERVAL_SECONDS, running
from whitehall.sessions.redis_store import RedisStore
from whitehall.settings import Settings
from whitehall.telemetry import log
from whitehall.telemetry.metrics import Metrics

TOKEN_KEY = bytes(range(32))
OPERATOR = ("bench", "a-secret-of-the-benchmark")
OPERATOR_TOKEN = f"wh_operator_{OPERATOR[0]}_{OPERATOR[1]}"
"""What those bear who make games and ask about positions."""

HOUR = 3600.0


async def serve(folder: Path) -> None:
    """Runs both until there is no more input."""
    settings = Settings.load(
        {
            "data_dir": folder,
            "grpc_address": "127.0.0.1:0",
            "http_address": "127.0.0.1:0",
            "admin_address": "127.0.0.1:0",
            "operator_keys": ":".join(OPERATOR),
            "token_keys": TOKEN_KEY.hex(),
            # No connection is to be made anew in the middle of a turn, and none has to be drained at the end.
            "connection_age_seconds": HOUR,
            "drain_seconds": 0,
            "log_format": "json",
        },
        {},
    )
    log.configure(settings.log_format, settings.log_level)
    async with running(settings) as addresses:
        _say(addresses.grpc)
        _say(addresses.http)
        positions, reads, steps = json.loads(await _line())
        store = await RedisStore.connect(f"unix://{folder / 'valkey.sock'}")
        metrics = Metrics(CollectorRegistry())
        tokens = Tokens([TOKEN_KEY], dict([OPERATOR]))
        sizes = Sizes(positions, reads, [Step(*step) for step in steps])
        desk = Desk(metrics, settings.max_concurrent_calls, settings.default_deadline_seconds)
        door = GrpcDoor(echoes(sizes, tokens, MeteredStore(store, metrics)), desk, _limits(settings))
        _say(f"127.0.0.1:{await door.start('127.0.0.1:0')}")
        await _line()
        await door.close(0)
        await store.close()


def _limits(settings: Settings) -> Limits:
    return Limits(
        message_bytes=settings.max_message_bytes,
        connections=settings.max_connections,
        streams=settings.max_streams,
        connection_age=HOUR,
        longest_stream=HOUR,
        ping_interval=PING_INTERVAL_SECONDS,
    )


async def _line() -> str:
    return await asyncio.to_thread(sys.stdin.readline)


def _say(address: str) -> None:
    sys.stdout.write(json.dumps(address) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    uvloop.run(serve(Path(sys.argv[1])))
