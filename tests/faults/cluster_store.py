"""A store that is a cluster: one of its primaries falls at a time, and its replica takes over; slots move about."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import redis.exceptions
from redis.crc import key_slot

from tests.sessions.clusters import PRIMARIES, Cluster, Migration, Node, wait_until
from whitehall.sessions.embedded import server_binary


class ClusterStore:
    """Three primaries with a replica each, for replicas of the service that want each write confirmed by one."""

    def __init__(self, folder: Path, random: Random) -> None:
        folder.mkdir()
        self._cluster = Cluster(server_binary(), folder, replicas=True)
        self.url = self._cluster.url
        self._random = random
        self._down: Node | None = None

    async def start(self) -> None:
        """What is down comes back; wait until each primary has a replica that has all that it has."""
        if self._down is not None:
            self._down.server.start()
            self._down = None
        await asyncio.to_thread(wait_until, self._is_in_step)

    def kill(self) -> None:
        """SIGKILL for one of those that are primaries by now."""
        if self._down is None:
            self._down = self._random.choice(self._primaries())
            self._down.server.kill()

    def hang(self) -> None:
        """One of the primaries stands still, until others take it for dead or it goes on."""
        self._down = self._random.choice(self._primaries())
        self._down.server.pause()

    def go_on(self) -> None:
        """End a hang."""
        if self._down is not None:
            self._down.server.resume()
            self._down = None

    async def move_a_slot(self) -> None:
        """The slot of some game goes to another primary, one key after the other."""
        await asyncio.to_thread(wait_until, self._is_in_step)
        await asyncio.to_thread(self._move_a_slot)

    def stop(self) -> None:
        """End all of it."""
        self._cluster.kill()

    def _primaries(self) -> list[Node]:
        return [node for node in self._cluster.nodes if node is not self._down and node.ask("ROLE")[0] == b"master"]

    def _is_in_step(self) -> bool:
        try:
            primaries = self._primaries()
            return (
                len(primaries) == PRIMARIES
                and self._cluster.is_whole()
                and all(node.ask("WAIT", 1, 100) == 1 for node in primaries)
            )
        except redis.exceptions.RedisError:
            return False

    def _move_a_slot(self) -> None:
        source, target = self._random.sample(self._primaries(), 2)
        keys = source.ask("KEYS", "wh:{*}:g")
        if keys:
            slot = key_slot(self._random.choice(keys))
            migration = Migration(slot, source, target)
            for key in source.ask("CLUSTER GETKEYSINSLOT", slot, 100):
                migration.take(key)
            migration.end()
