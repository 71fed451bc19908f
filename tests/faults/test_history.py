"""Random clients play whole games while the service and its store are killed and started again.

Afterwards every acknowledged change is in the log exactly once, the log's replay gives the snapshot, and the watchers
have seen each revision once and in order; `tests.faults.laws` says it in full. `FAULTS_SEED` sets another seed;
`FAULTS_SECONDS` how long each of the slow scenarios goes on.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from tests.faults import scenario
from tests.faults.blows import Blow, Blows
from tests.faults.cluster_store import ClusterStore
from tests.faults.service import Replica, Store
from tests.faults.tally import Count, Tally
from whitehall.sessions.embedded import server_binary

Report = Callable[[str], None]
Site = tuple[list[Replica], Store | ClusterStore | None]

SLOW_SECONDS = float(os.environ.get("FAULTS_SECONDS", "180"))
PATIENCE_SECONDS = 90.0
"""How long games may go on after the last blow; a client that hangs is a fault too."""


@asynccontextmanager
async def a_site(
    folder: Path, random: Random, program: Path | None = None, replicas: int = 1, workers: int = 1
) -> AsyncIterator[Site]:
    """Replicas on one store of this program, or a single one on its embedded store."""
    store = None if program is None else Store(program, folder / "store")
    url = store.url if store else None
    site = [Replica(folder / f"replica{n}", url, workers) for n in range(replicas)]
    try:
        if store is not None:
            await store.start()
        await asyncio.gather(*(replica.start() for replica in site))
        yield site, store
    finally:
        for replica in site:
            replica.stop()
        if store is not None:
            store.stop()


@asynccontextmanager
async def a_site_on_a_cluster(folder: Path, random: Random) -> AsyncIterator[Site]:
    """Two replicas on a cluster, whose every change one replica of its primary has confirmed."""
    store = ClusterStore(folder / "store", random)
    site = [Replica(folder / f"replica{n}", store.url, durability="replica") for n in range(2)]
    try:
        await store.start()
        await asyncio.gather(*(replica.start() for replica in site))
        yield site, store
    finally:
        for replica in site:
            replica.stop()
        store.stop()


async def survive(
    site: Site, choose: Callable[[Blows], Iterable[Blow]], seed: int, random: Random, report: Report, seconds: float = 0
) -> Tally:
    """Play under the blows, kill everything once more, and find that no law was broken."""
    replicas, store = site
    tally = Tally()
    blows = Blows(replicas, store, random, tally)
    began = time.monotonic()
    try:
        async with asyncio.timeout(seconds + PATIENCE_SECONDS):
            tables = await scenario.play(replicas, choose(blows), random, tally)
    finally:
        lasted = time.monotonic() - began
        pace = tally[Count.ACKNOWLEDGED] / lasted
        report(f"seed {seed}: {tally}; {pace:.0f} acknowledged a second for {lasted:.1f} s")
    await blows.kill_all()
    found = await scenario.judge(tables, replicas[0].redis_url)
    assert not found, "\n".join(found)
    faults = [line for replica in replicas for line in replica.faults()]
    assert not faults, "\n".join(faults)
    assert tally[Count.LOST] > 0, "no blow was felt"
    return tally


async def test_killed_services_and_embedded_stores_lose_nothing(tmp_path: Path, seed: int, report: Report) -> None:
    """A service that is killed leaves its store behind, and the next one takes it over; or both are killed."""
    random = Random(seed)

    def choose(blows: Blows) -> list[Blow]:
        chosen: list[Blow] = [blows.kill_service, blows.kill_service_twice, blows.kill_store]
        random.shuffle(chosen)
        return chosen

    async with a_site(tmp_path, random) as site:
        await survive(site, choose, seed, random, report)


async def test_replicas_and_their_valkey_are_killed_in_turn_and_lose_nothing(
    tmp_path: Path, seed: int, report: Report
) -> None:
    random = Random(seed)
    async with a_site(tmp_path, random, server_binary(), replicas=2) as site:
        await survive(site, lambda blows: 2 * [blows.kill_store, blows.kill_service], seed, random, report)


async def test_killed_workers_and_killed_supervisors_lose_nothing(tmp_path: Path, seed: int, report: Report) -> None:
    """The others serve on, and the killed one is replaced; all of them end with their supervisor."""
    random = Random(seed)
    async with a_site(tmp_path, random, workers=3) as site:
        await survive(site, lambda blows: [*3 * [blows.kill_worker], blows.kill_service], seed, random, report)


async def test_a_service_on_redis_loses_nothing(
    tmp_path: Path, seed: int, report: Report, external_program: Callable[[str], Path]
) -> None:
    random = Random(seed)
    async with a_site(tmp_path, random, external_program("redis-server")) as site:
        await survive(site, lambda blows: [blows.kill_service, blows.kill_store], seed, random, report)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.timeout(SLOW_SECONDS + 3 * PATIENCE_SECONDS)
@pytest.mark.parametrize(("program", "replicas"), [(None, 1), ("valkey", 2), ("redis-server", 2)])
async def test_nothing_is_lost_however_long_it_goes_on(
    tmp_path: Path,
    seed: int,
    report: Report,
    external_program: Callable[[str], Path],
    program: str | None,
    replicas: int,
) -> None:
    random = Random(seed)
    path = server_binary() if program == "valkey" else external_program(program) if program else None

    def choose(blows: Blows) -> Iterator[Blow]:
        possible = [blows.kill_service, blows.kill_service_twice, blows.kill_store, blows.kill_all, blows.hang_service]
        if program:
            possible.append(blows.hang_store)
        end = time.monotonic() + SLOW_SECONDS
        while time.monotonic() < end:
            yield random.choice(possible)

    async with a_site(tmp_path, random, path, replicas) as site:
        tally = await survive(site, choose, seed, random, report, SLOW_SECONDS)
    assert tally[Count.RECOGNISED] > 0, "no retry found its request carried out"


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.timeout(SLOW_SECONDS + 3 * PATIENCE_SECONDS)
async def test_nothing_is_lost_on_a_cluster_whose_primaries_die_and_whose_slots_move(
    tmp_path: Path, seed: int, report: Report
) -> None:
    """A primary that is killed or stands still is replaced by its replica; games change their primary meanwhile."""
    random = Random(seed)

    def choose(blows: Blows) -> Iterator[Blow]:
        possible = [blows.kill_store, blows.hang_store, blows.kill_service, blows.kill_all]
        end = time.monotonic() + SLOW_SECONDS
        while time.monotonic() < end:
            yield blows.move_slot
            yield random.choice(possible)

    async with a_site_on_a_cluster(tmp_path, random) as site:
        tally = await survive(site, choose, seed, random, report, SLOW_SECONDS)
    assert tally[Count.RECOGNISED] > 0, "no retry found its request carried out"
