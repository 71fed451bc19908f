"""Scenarios: games that go on while one blow after another falls, and the judgement over all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from random import Random

from tests.faults.blows import Blow
from tests.faults.games import PLAYED, Played
from tests.faults.laws import findings
from tests.faults.service import Replica
from tests.faults.table import Table
from tests.faults.tally import Count, Tally

TABLES = 3
"""Games that are played at the same time."""
BETWEEN_BLOWS = (10, 40)
"""How many changes are acknowledged from one blow to the next, at least and at most."""


async def play(replicas: Sequence[Replica], blows: Iterable[Blow], random: Random, tally: Tally) -> list[Table]:
    """Play whole games, one after another at each table, until the last blow has fallen and each game is over."""
    addresses = [replica.address for replica in replicas]
    played: list[Table] = []
    calm = asyncio.Event()

    async def keep_playing(random: Random, game: Played) -> None:
        while True:
            table = Table(addresses, random, tally, game)
            await table.play()
            played.append(table)
            if calm.is_set():
                return

    async with asyncio.TaskGroup() as group:
        for number in range(TABLES):
            group.create_task(keep_playing(Random(random.getrandbits(64)), PLAYED[number % len(PLAYED)]))
        for blow in blows:
            await tally.more(Count.ACKNOWLEDGED, random.randint(*BETWEEN_BLOWS))
            await blow()
        calm.set()
    return played


async def judge(tables: Iterable[Table], store_url: str) -> list[str]:
    """What the laws have against the games that were played."""
    return [
        f"game {table.history.game_id}: {finding.detail} ({finding.law})"
        for table in tables
        for finding in findings(table.history, await table.ending(store_url))
    ]
