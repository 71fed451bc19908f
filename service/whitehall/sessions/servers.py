"""The servers of a store: which of them has a key, and how commands get there. One server, or those of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any, Protocol

from redis.asyncio import Redis
from redis.exceptions import AskError, RedisError

Command = Sequence[str | bytes | int]


class Servers(Protocol):
    """What a store needs to know of its servers."""

    changed: Callable[[], None]
    """Told whenever keys may have got another server."""
    barred: Collection[Redis]
    """Those that have yet to show that they suit: as long as there are others, nothing of theirs is touched."""

    async def run(self, key: bytes, command: Command, *, before: Command = (), after: Command = ()) -> tuple[Any, Any]:
        """The plain answers to a command about a key, and to the one `after` it on the same connection (or None).

        `before` goes ahead of both; its answer only matters if it is an error. Raises the first error.
        """

    def at(self, key: bytes) -> Redis | None:
        """The server that has a key, None while nobody is known to."""

    async def primaries(self) -> Sequence[Redis]:
        """All that take writes."""

    def one_for_each(self, names: Iterator[str], key: Callable[[str], bytes]) -> list[str]:
        """Of an endless row of names the first one for each primary, such that its key lies there. What is barred has
        none.
        """

    def moved(self, error: AskError, teller: Redis) -> None:
        """A server has told who has a slot instead of it."""

    async def survey(self) -> None:
        """Find out anew which server has what."""

    async def doubt(self) -> None:
        """Something has failed: close what is not in use where it has, so that the next calls connect anew, to whatever
        an address then means, and find out anew which server has what.
        """

    async def close(self) -> None:
        """Give up every connection."""


async def execute(client: Redis, *command: str | bytes | int) -> Any:
    """The server's plain answer to one command."""
    return await client.execute_command(*command)  # type: ignore[no-untyped-call]


async def send(client: Redis, *commands: Command) -> list[Any]:
    """The plain answers to commands that are sent at once, on one connection; raises the first error among them."""
    if len(commands) == 1:
        return [await execute(client, *commands[0])]
    async with client.pipeline(transaction=False) as pipeline:
        for command in commands:
            pipeline.execute_command(*command)
        # Errors are picked up here, as the pipeline would put the whole command, snapshot and all, into its own error.
        answers: list[Any] = await pipeline.execute(raise_on_error=False)
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


class OneServer:
    """All keys are at one server, or at the primary that sentinels know of."""

    def __init__(self, client: Redis) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.barred: Collection[Redis] = ()
        self._client = client

    async def run(self, key: bytes, command: Command, *, before: Command = (), after: Command = ()) -> tuple[Any, Any]:
        """See `Servers`."""
        answers = await send(self._client, *filter(len, (before, command, after)))
        return (answers[-2], answers[-1]) if after else (answers[-1], None)

    def at(self, key: bytes) -> Redis | None:
        """See `Servers`."""
        return self._client

    async def primaries(self) -> Sequence[Redis]:
        """See `Servers`."""
        return [self._client]

    def one_for_each(self, names: Iterator[str], key: Callable[[str], bytes]) -> list[str]:
        """See `Servers`."""
        return [next(names)]

    def moved(self, error: AskError, teller: Redis) -> None:
        """A server of a cluster, reached as if it were the only one; nothing else can be done about it."""
        raise error

    async def survey(self) -> None:
        """See `Servers`."""

    async def doubt(self) -> None:
        """See `Servers`."""
        with suppress(RedisError):
            await self._client.connection_pool.disconnect(inuse_connections=False)

    async def close(self) -> None:
        """See `Servers`."""
        await self._client.aclose()
