"""Blows: what is killed, and how it comes back. What falls stays down until some answers are lost for it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from random import Random

from tests.faults.cluster_store import ClusterStore
from tests.faults.service import Replica, Store
from tests.faults.tally import Count, Tally

LONGEST_HANG_SECONDS = 10.0
"""How long anything stands still at most."""
MOST_LOST = 4
"""How many answers may be lost until what was killed is started again."""

Blow = Callable[[], Awaitable[None]]


class Blows:
    """Everything that can befall some replicas and their store; without `store`, it is the first replica's own."""

    def __init__(
        self, replicas: Sequence[Replica], store: Store | ClusterStore | None, random: Random, tally: Tally
    ) -> None:
        self._replicas = replicas
        self._store = store
        self._random = random
        self._tally = tally

    async def kill_service(self) -> None:
        """One replica dies. A store of its own is left behind, and has to be taken over."""
        replica = self._random.choice(self._replicas)
        self._kill(replica)
        await self._lose_answers()
        await replica.start()

    async def kill_service_twice(self) -> None:
        """One replica dies, and again while it starts."""
        replica = self._random.choice(self._replicas)
        self._kill(replica)
        replica.launch()
        await self._lose_answers()
        self._kill(replica)
        await replica.start()

    async def kill_worker(self) -> None:
        """One worker dies. Its supervisor starts another one, and the others go on meanwhile."""
        workers = self._random.choice(self._replicas).workers()
        os.kill(self._random.choice(workers), signal.SIGKILL)
        self._tally.count(Count.KILLED)
        await self._lose_answers_or_wait()

    async def hang_service(self) -> None:
        """One replica stands still, then carries out what was given up long ago."""
        replica = self._random.choice(self._replicas)
        replica.hang()
        await self._lose_answers_or_wait()
        replica.go_on()

    async def hang_store(self) -> None:
        """The store stands still, then carries out what was given up long ago. Not for an embedded one."""
        assert self._store is not None
        self._store.hang()
        await self._lose_answers_or_wait()
        self._store.go_on()

    async def kill_store(self) -> None:
        """The store dies. An embedded one is started again by its service."""
        await self._kill_store()
        if self._store is None:
            await self._replicas[0].ready()
        else:
            await self._lose_answers()
            await self._store.start()

    async def move_slot(self) -> None:
        """Games change from one primary of a cluster to another one."""
        assert isinstance(self._store, ClusterStore)
        await self._store.move_a_slot()

    async def kill_all(self) -> None:
        """The store dies, then every replica."""
        await self._kill_store()
        for replica in self._replicas:
            self._kill(replica)
        if self._store is not None:
            await self._store.start()
        await asyncio.gather(*(replica.start() for replica in self._replicas))

    async def _kill_store(self) -> None:
        if self._store is None:
            await self._replicas[0].kill_embedded_store()
        else:
            self._store.kill()
        self._tally.count(Count.KILLED)

    def _kill(self, replica: Replica) -> None:
        replica.kill()
        self._tally.count(Count.KILLED)

    async def _lose_answers_or_wait(self) -> None:
        """Where everybody happens to wait for news, on streams that have no deadline, no answer is ever lost."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_HANG_SECONDS):
                await self._lose_answers()

    async def _lose_answers(self) -> None:
        await self._tally.more(Count.LOST, self._random.randint(1, MOST_LOST))
