"""How Redis is reached: the one place where a URL becomes a client, and where its failures get a name.

The library's own retries are off. It would repeat any command, and only the store knows which may be repeated.
"""

from __future__ import annotations

from typing import Any

import redis.exceptions as failures
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

CONNECT_SECONDS = 0.5

_PASSING_REFUSALS = {
    "BUSY": "busy with a script",
    "CLUSTERDOWN": "without a complete cluster",
    "LOADING": "still loading its data",
    "MASTERDOWN": "cut off from its primary",
    "MISCONF": "unable to write to its disk",
    "NOREPLICAS": "without enough replicas",
    "OOM": "out of memory",
    "READONLY": "read-only",
    "TRYAGAIN": "moving data between nodes",
}
"""The server's error codes that say something about its state and nothing about our command."""


def make_client(url: str, connections: int) -> Redis:
    """A client for `redis://`, `rediss://` or `unix://`; nothing is sent yet. ValueError if the URL is none of these.

    No more than `connections` calls may be under way at once, and the caller sees to it: the pool only refuses more,
    and the library's waiting pool lets those who wait be overtaken by those who come.
    It has no socket timeouts, as every call here has a deadline of its own, and a call that is given up closes its
    connection. Notices of maintenance are off, as with them the library would reuse connections with unread data.
    """
    pool = ConnectionPool.from_url(
        url,
        max_connections=connections,
        protocol=3,
        decode_responses=False,
        socket_timeout=None,
        socket_connect_timeout=CONNECT_SECONDS,
        retry=Retry(NoBackoff(), 0),
        driver_info=None,
        maint_notifications_config=MaintNotificationsConfig(enabled=False),
    )
    return Redis.from_pool(pool)


async def execute(client: Redis, *command: str | bytes | int) -> Any:
    """The server's plain answer to one command."""
    return await client.execute_command(*command)  # type: ignore[no-untyped-call]


def code_of(error: failures.RedisError) -> str:
    """The server's error code, such as `READONLY`; empty if the error is not the server's."""
    if error.status_code:
        return error.status_code
    return str(error).partition(" ")[0] if isinstance(error, failures.ResponseError) else ""


def concerns_credentials(error: failures.RedisError) -> bool:
    """Whether the server knows us not."""
    return isinstance(_root(error), failures.AuthenticationError | failures.AuthorizationError)


def reason_of(error: failures.RedisError) -> str | None:
    """Why the store can't answer for now, in words for everybody; None if the error is a fault in what we asked."""
    error = _root(error)
    if refusal := _PASSING_REFUSALS.get(code_of(error)):
        return f"the store is {refusal}"
    if concerns_credentials(error):
        return "the store does not accept our credentials"
    if isinstance(error, failures.ConnectionError | failures.TimeoutError):
        return "the store can't be reached"
    return None


def _root(error: failures.RedisError) -> failures.RedisError:
    """What the server said. On a Unix socket the library takes every refusal of its greeting for a lost connection."""
    said = error.__cause__
    return said if isinstance(error, failures.ConnectionError) and isinstance(said, failures.RedisError) else error
