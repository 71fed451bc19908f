"""What an accepted write survives, and whether a server can give that: the inspection of each primary of a store.

How a server is set up is inspected once, and one that is set up wrongly is refused. Whether a replica is there changes
from hour to hour: a primary that has none is told of, and taken. Its writes wait for one, and so does readiness.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import structlog
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from whitehall.sessions.client import lacks_permission, reason_of

_OLDEST_SERVER: Final = (7, 0)
_APPENDFSYNC: Final = {"process": ("always", "no"), "aof": ("always",)}
"""How a server has to write its log for the durabilities that rest on it. With `everysec` it may answer beforehand."""


class Durability(StrEnum):
    """What an accepted write survives."""

    MEMORY = "memory"
    """As much as the server happens to be set up for."""
    PROCESS = "process"
    """The end of the server, however it ends: its log was written, though perhaps not yet forced to the disk."""
    AOF = "aof"
    """The loss of the machine's power: the server has `appendonly yes` and `appendfsync always`."""
    REPLICA = "replica"
    """The loss of the primary: one replica has confirmed the write."""


class StoreUnsuitable(Exception):
    """The server can't be our store; the text says why, for the operator, and holds no secret.

    It is too old, does not let us do what we need, is less durable than demanded, or its URL is none.
    """


async def inspect(client: Redis, durability: Durability) -> None:
    """Raises `StoreUnsuitable`, which names the server, if a primary is too old, would drop games, or is not set up to
    be as durable as demanded. One whose replica is away is only told of in the log.
    """
    try:
        await _inspect(client, durability)
    except StoreUnsuitable as error:
        raise StoreUnsuitable(f"{error} (at {place(client)})") from error


async def _inspect(client: Redis, durability: Durability) -> None:
    server = await client.info("server")
    version = tuple(map(int, str(server["redis_version"]).split(".")[:2]))
    if version < _OLDEST_SERVER:
        raise StoreUnsuitable(f"the store has to be Redis 7.0 or newer, or Valkey; this is {server['redis_version']}")
    await _inspect_eviction(client)
    if durability in _APPENDFSYNC:
        await _inspect_append_only(client, durability)
    elif durability is Durability.REPLICA:
        replication = await client.info("replication")
        if not replication.get("connected_slaves"):
            structlog.get_logger().warning("a primary has no replica, and takes no writes", server=place(client))


def place(client: Redis) -> str:
    """Where a server is, as the operator knows it."""
    where = client.connection_pool.connection_kwargs
    # The primary that sentinels know of has no address of its own here.
    return ":".join(str(where[part]) for part in ("path", "host", "port") if part in where) or "the primary"


async def _inspect_eviction(client: Redis) -> None:
    """A server that makes room by dropping keys would drop games. One that hides its settings is trusted."""
    try:
        settings = await client.config_get("maxmemory", "maxmemory-policy")
    except ResponseError as error:
        if reason_of(error) and not lacks_permission(error):
            raise
        return
    if settings["maxmemory"] != "0" and settings["maxmemory-policy"] != "noeviction":
        policy = settings["maxmemory-policy"]
        raise StoreUnsuitable(
            f"the server would drop games when its memory is full: maxmemory-policy is {policy}, "
            "and has to be noeviction"
        )


async def _inspect_append_only(client: Redis, durability: Durability) -> None:
    appendfsync = _APPENDFSYNC[durability]
    try:
        settings = await client.config_get("appendonly", "appendfsync")
    except ResponseError as error:
        if reason_of(error) and not lacks_permission(error):
            raise
        raise StoreUnsuitable(
            f"durability `{durability}` can't be verified: the server does not let us read its settings"
        ) from error
    if settings["appendonly"] != "yes" or settings["appendfsync"] not in appendfsync:
        raise StoreUnsuitable(
            f"durability `{durability}` needs a server with `appendonly yes` "
            f"and `appendfsync {' or '.join(appendfsync)}`"
        )
