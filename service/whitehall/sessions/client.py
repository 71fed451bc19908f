"""How Redis is reached: the one place where a URL becomes a client, and where its failures get a name.

The library's own retries are off. It would repeat any command, and only the store knows which may be repeated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import redis.exceptions as failures
from redis.asyncio import Connection, ConnectionPool, Redis, SSLConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

from whitehall.sessions import cluster, cluster_url, sentinel
from whitehall.sessions.connecting import patient
from whitehall.sessions.servers import OneServer, Servers

SENTINEL_SECONDS = 0.2
"""How long one sentinel may take to answer, until the next one is asked."""
UNREACHABLE = "the store can't be reached"
"""The one reason that leaves it open what is wrong: the log has the cause."""

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

_SCRIPT_NOT_PERMITTED = ("ACL failure in script", "The user executing the script can't")
"""How Valkey and Redis begin to tell of a command within a script for which the user has no permission."""
_COMMAND = re.compile(r"(?:run the|[Uu]nknown command) ['`]([\w|]+)['`]")
_PLACE = re.compile(r"(?:access|publish to) .*\b(key|channel)s?\b")
_SCRIPT_LINE = re.compile(r"script: ([0-9a-f]{40}), on @user_script:(\d+)")
_CALLED = re.compile(r"redis\.call\('(\w+)'")


class _Telling:
    """A pool that tells of each connection, whenever one is made, and waits for none too long."""

    connected: Callable[[], None]
    connection_class: Any

    def __init__(self, *parts: Any, **options: Any) -> None:
        super().__init__(*parts, **options)
        self.connection_class = patient(self.connection_class)

    def make_connection(self) -> Any:
        connection = super().make_connection()  # type: ignore[misc]
        connection.register_connect_callback(self._tell)
        return connection

    def _tell(self, _connection: object) -> None:
        self.connected()


class _Pool(_Telling, ConnectionPool):
    """To one server."""


class _SentinelPool(_Telling, SentinelConnectionPool):
    """To the primary. Each new connection asks the sentinels where that is by then."""

    def __init__(self, place: sentinel.Place, **options: Any) -> None:
        sentinels = Sentinel(  # type: ignore[no-untyped-call]
            place.sentinels,
            sentinel_kwargs={
                "socket_timeout": SENTINEL_SECONDS,
                "socket_connect_timeout": SENTINEL_SECONDS,
                "retry": Retry(NoBackoff(), 0),
                "protocol": 2,
                **place.sentinel_options,
            },
        )
        for each in sentinels.sentinels:
            each.connection_pool.connection_class = patient(each.connection_pool.connection_class)
        super().__init__(place.service, sentinels, **place.options, **options)

    async def disconnect(self, inuse_connections: bool = True) -> None:
        """The library leaves the connections to the sentinels open."""
        await super().disconnect(inuse_connections)
        if inuse_connections:
            await self.sentinel_manager.aclose()


def make_client(url: str, connections: int, connected: Callable[[], None] = lambda: None) -> Redis:
    """A client for `redis://`, `rediss://`, `unix://` or, with `+sentinel`, for the primary that sentinels know of.
    Nothing is sent yet. `connected` is told of each connection.

    Raises ValueError if the URL is none of these, or has a part or an option that can't be used. It does not tell the
    URL, which may hold a password.

    No more than `connections` calls may be under way at once, and the caller sees to it: the pool only refuses more,
    and the library's waiting pool lets those who wait be overtaken by those who come.
    It has no timeouts of the library's, as every call here has a deadline of its own, and a call that is given up
    closes its connection. Notices of maintenance are off, as with them the library would reuse connections with unread
    data.
    """
    options = _options(connections)
    try:
        if url.startswith(sentinel.SCHEMES):
            return _client(_SentinelPool(sentinel.parse(url), **options), connected)
        return _client(_Pool.from_url(url, **options), connected)
    except (ValueError, TypeError, failures.RedisError):
        raise ValueError("the URL has a part or an option that can't be used") from None


def make_servers(url: str, connections: int, connected: Callable[[], None]) -> Servers:
    """What `make_client` makes as the one server of a store, or with `+cluster` the servers of a cluster.

    Of a cluster each node may have so many connections, as one of them may have to serve all calls at once.
    """
    if not url.startswith(cluster_url.SCHEMES):
        return OneServer(make_client(url, connections, connected))
    try:
        place = cluster_url.parse(url)
        kind = SSLConnection if place.tls else Connection
        # The kind of connection says already that there is TLS.
        tls = {name: value for name, value in place.tls.items() if name != "ssl"}

        def connect(address: cluster.Address) -> Redis:
            host, port = address
            options = {**place.credentials, **tls, **_options(connections)}
            pool = _Pool(connection_class=kind, host=host, port=port, **options)
            return _client(pool, connected)

        connect(place.addresses[0])
        return cluster.Cluster(place.addresses, connect)
    except (ValueError, TypeError, failures.RedisError):
        raise ValueError("the URL has a part or an option that can't be used") from None


def _options(connections: int) -> dict[str, Any]:
    return {
        "max_connections": connections,
        "protocol": 3,
        "decode_responses": False,
        "socket_timeout": None,
        "socket_connect_timeout": None,
        "retry": Retry(NoBackoff(), 0),
        "driver_info": None,
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }


def _client(pool: _Pool | _SentinelPool, connected: Callable[[], None]) -> Redis:
    # Options are looked at by connections only. This one is never opened.
    pool.make_connection()
    pool.connected = connected
    return Redis.from_pool(pool)


def code_of(error: failures.RedisError) -> str:
    """The server's error code, such as `READONLY`; empty if the error is not the server's."""
    if error.status_code:
        return error.status_code
    return str(error).partition(" ")[0] if isinstance(error, failures.ResponseError) else ""


def concerns_credentials(error: failures.RedisError) -> bool:
    """Whether the server knows us not."""
    return isinstance(_root(error), failures.AuthenticationError | failures.AuthorizationError)


def lacks_permission(error: failures.RedisError) -> bool:
    """Whether the server knows us, but does not let us use a command, a key or a channel."""
    error = _root(error)
    in_script = isinstance(error, failures.ResponseError) and str(error).startswith(_SCRIPT_NOT_PERMITTED)
    return in_script or code_of(error) == "NOPERM"


def fault_of(error: failures.RedisError, scripts: Mapping[str, str]) -> str:
    """Why the server can't be our store at all, for its operator; `scripts` are our scripts' texts by their hashes.

    Of what the server said only names of commands are told, as it may repeat the arguments, the password among them.
    """
    error = _root(error)
    said = str(error)
    if concerns_credentials(error):
        return "the store does not accept our credentials"
    command = _command_of(said, scripts)
    if lacks_permission(error):
        if place := _PLACE.search(said):
            lack = f"lacks {place[1]}s that begin with wh:"
        else:
            lack = f"may not use the command {command}"
        return f"the store does not permit what we need: its user {lack}"
    if isinstance(error, failures.AskError):
        return "the server is one of a cluster: its URL has to begin with redis+cluster:// or rediss+cluster://"
    if "cluster support disabled" in said:
        return "the server is not one of a cluster: its URL has to begin with redis:// or rediss://"
    if "DB index" in said:
        return "the store has no database of that number"
    if isinstance(error, failures.InvalidResponse):
        return "the store does not speak the protocol of Redis"
    if command is not None:
        return f"the store does not know the command {command}, or not as we use it"
    return f"the store refuses what we need ({code_of(error) or type(error).__name__})"


def _command_of(said: str, scripts: Mapping[str, str]) -> str | None:
    """The command that a server's error is about. Redis 7.0 tells only the line of the script."""
    if named := _COMMAND.search(said):
        return named[1].lower()
    if place := _SCRIPT_LINE.search(said):
        lines = scripts.get(place[1], "").splitlines()
        commands = _CALLED.findall(lines[int(place[2]) - 1]) if int(place[2]) <= len(lines) else []
        return " or ".join(commands).lower() or None
    return None


def reason_of(error: failures.RedisError) -> str | None:
    """Why the store can't answer for now, in words for everybody; None if the error is a fault in what we asked."""
    error = _root(error)
    if refusal := _PASSING_REFUSALS.get(code_of(error)):
        return f"the store is {refusal}"
    if concerns_credentials(error):
        return "the store does not accept our credentials"
    if lacks_permission(error):
        return "the store does not permit what we need"
    if isinstance(error, failures.ConnectionError | failures.TimeoutError):
        return UNREACHABLE
    return None


def _root(error: failures.RedisError) -> failures.RedisError:
    """What the server said. On a Unix socket the library takes every refusal of its greeting for a lost connection."""
    said = error.__cause__
    return said if isinstance(error, failures.ConnectionError) and isinstance(said, failures.RedisError) else error
