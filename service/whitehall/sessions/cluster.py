"""A store spread over the primaries of a Redis Cluster.

The library's own client for clusters is not used. It repeats commands by itself, where only the store knows which may
be repeated; it may send an ASKING on another connection than the command that it is for; and it can't send a WAIT
behind a write on the connection of the write. So here are a map of the slots, which the library's exceptions keep
true, and an ordinary client for each node.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from redis.asyncio import Redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import AskError, ClusterDownError, MovedError, RedisError, ResponseError

from whitehall.sessions.servers import Command, execute, send

ASK_SECONDS: Final = 0.2
"""How long one node may take to tell who has what, until the next one is asked."""
_MOST_REDIRECTIONS: Final = 5
_SURVEY_PAUSE_SECONDS: Final = 1.0
"""Between surveys that are only made since some slot was elsewhere. Nodes hear of a move one after the other, and one
that has not yet would send us back.
"""

Address = tuple[str, int]


class Cluster:
    """The `Servers` of a cluster, of which some nodes are known from the start."""

    def __init__(self, seeds: Sequence[Address], connect: Callable[[Address], Redis]) -> None:
        """`connect` makes the client of a node, without sending anything."""
        self.changed: Callable[[], None] = lambda: None
        self.barred: Collection[Redis] = ()
        self._seeds = tuple(seeds)
        self._connect = connect
        self._clients: dict[Address, Redis] = {}
        self._owners: list[Address | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        self._nodes: set[Address] = set()
        """All that the last survey told of, replicas included."""
        self._doubted: set[Address] = set()
        """Those with which something has gone wrong since the last survey."""
        self._surveying: asyncio.Task[None] | None = None
        self._surveyed_at = -_SURVEY_PAUSE_SECONDS

    async def run(self, key: bytes, command: Command, *, before: Command = (), after: Command = ()) -> tuple[Any, Any]:
        """See `Servers`. Goes where the cluster says, as long as it says so."""
        slot = key_slot(key)
        if self._owners[slot] is None:
            await self.survey()
        asking: tuple[Command, ...] = ()
        address = self._owners[slot]
        for _ in range(_MOST_REDIRECTIONS):
            if address is None:
                break
            client = self._client(address)
            if client in self.barred:
                raise ClusterDownError("CLUSTERDOWN the node has yet to show that it suits")
            try:
                # ASKING is for the one command that follows it.
                commands = (*filter(len, (before,)), *asking, command, *filter(len, (after,)))
                answers = await send(client, *commands)
            except MovedError as error:
                self.moved(error, client)
                asking, address = (), self._owners[slot]
            except AskError as error:
                asking, address = (("ASKING",),), _told(error, address)
            except ResponseError:
                raise
            except BaseException:  # being given up while the node is silent included
                self._doubted.add(address)
                raise
            else:
                return (answers[-2], answers[-1]) if after else (answers[-1], None)
        raise ClusterDownError("CLUSTERDOWN no node says that it has the slot")

    def at(self, key: bytes) -> Redis | None:
        """See `Servers`."""
        owner = self._owners[key_slot(key)]
        return None if owner is None else self._client(owner)

    async def primaries(self) -> Sequence[Redis]:
        """See `Servers`."""
        await self.survey()
        return [self._client(address) for address in sorted(self._primaries)]

    def one_for_each(self, names: Iterator[str], key: Callable[[str], bytes]) -> list[str]:
        """See `Servers`."""
        found: dict[Address, str] = {}
        wanted = {address for address in self._primaries if self._client(address) not in self.barred}
        for name in names:
            if len(found) == len(wanted):
                break
            owner = self._owners[key_slot(key(name))]
            if owner in wanted:
                found.setdefault(owner, name)
        return list(found.values())

    def moved(self, error: AskError, teller: Redis) -> None:
        """See `Servers`. That slot is known now; what else has moved with it is found out in passing."""
        known = {client: address for address, client in self._clients.items()}
        place = _told(error, known.get(teller, self._seeds[0]))
        self._owners[error.slot_id] = place
        self.changed()
        if asyncio.get_running_loop().time() - self._surveyed_at > _SURVEY_PAUSE_SECONDS:
            self._begin_survey(place)

    async def survey(self) -> None:
        """See `Servers`. All who want to know wait for the same answer."""
        await asyncio.shield(self._begin_survey())

    async def doubt(self) -> None:
        """See `Servers`."""
        for address in list(self._doubted):  # which grows while connections are closed
            with suppress(RedisError):
                await self._client(address).connection_pool.disconnect(inuse_connections=False)
        with suppress(RedisError):
            await self.survey()

    async def close(self) -> None:
        """See `Servers`."""
        if self._surveying is not None:
            self._surveying.cancel()
            await asyncio.wait([self._surveying])
        for client in self._clients.values():
            await client.aclose()

    @property
    def _primaries(self) -> set[Address]:
        return {owner for owner in self._owners if owner is not None}

    def _client(self, address: Address) -> Redis:
        client = self._clients.get(address)
        if client is None:
            client = self._clients[address] = self._connect(address)
        return client

    def _begin_survey(self, first: Address | None = None) -> asyncio.Task[None]:
        if self._surveying is None or self._surveying.done():
            self._surveying = asyncio.create_task(self._ask_around(first))
            self._surveying.add_done_callback(_heard)
        return self._surveying

    async def _ask_around(self, first: Address | None) -> None:
        """Ask one node after the other, until one tells who has what."""
        self._surveyed_at = asyncio.get_running_loop().time()
        nodes = list(self._nodes.union(self._seeds))
        random.shuffle(nodes)
        nodes.sort(key=lambda node: (node != first, node in self._doubted))
        trouble: Exception = ClusterDownError("CLUSTERDOWN no node is known")
        for node in nodes:
            try:
                async with asyncio.timeout(ASK_SECONDS):
                    told = await execute(self._client(node), "CLUSTER SLOTS")
            except TimeoutError as error:
                trouble = trouble if isinstance(trouble, ResponseError) else error
            except RedisError as error:
                trouble = error
            else:
                if told:
                    await self._learn(told, node[0])
                    return
        raise trouble

    async def _learn(self, told: Sequence[Any], host: str) -> None:
        """Take a map over: from each first to each last slot the primary and its replicas."""
        owners: list[Address | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        nodes = set()
        for first, last, *servers in told:
            addresses = [(name.decode() if name else host, port) for name, port, *_ in servers]
            owners[first : last + 1] = [addresses[0]] * (last + 1 - first)
            nodes |= set(addresses)
        differs, self._owners, self._nodes = owners != self._owners, owners, nodes
        self._doubted.clear()
        gone = self._clients.keys() - nodes - set(self._seeds)
        for client in [self._clients.pop(address) for address in gone]:
            await client.aclose()
        if differs:
            self.changed()


def _told(error: AskError, teller: Address) -> Address:
    """Where a redirection leads; without a host to the one that has told it."""
    return error.host or teller[0], error.port


def _heard(survey: asyncio.Task[None]) -> None:
    """What became of a survey for which nobody waits any more does not matter: calls that need one make another."""
    if not survey.cancelled():
        survey.exception()
