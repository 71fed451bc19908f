"""Each alert fires when its fault is there: real faults, done to real processes, seen by a real Prometheus.

Its windows and holds are cut short, so that hours take minutes; the limits and the metrics are those of production.
That an alert waits as long as it should is what promtool's tests of the same rules show.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path

import grpc
import pytest

from tests.api.cluedo import Mansion, heavy_log
from tests.api.cluedo import Table as MansionTable
from tests.api.live import until
from tests.api.service import REPOSITORY, Service
from tests.api.table import Table, Yard
from tests.operations.prometheus import STARTS_WINDOW_SECONDS, Prometheus
from tests.operations.queries import alerts
from tests.sessions.proxy import Proxy
from tests.sessions.servers import Server, free_port
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.gen.whitehall.cluedo.v1 import position_pb2, position_pb2_grpc
from whitehall.sessions.embedded import server_binary

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

PATIENCE_SECONDS = 120.0
STUTTER_SECONDS = (6.0, 1.5)
"""For how long a process stands still, and then runs at the least: on a busy machine until it has been looked at."""
ASKING = 12
"""So many ask for deductions all the time. Those are long, so that more than one in a hundred meets a standstill."""

FAULTS: dict[str, set[str]] = {
    "a store that stands still": {
        "WhitehallErrors",
        "WhitehallSlow",
        "WhitehallStoreErrors",
        "WhitehallStorePool",
        "WhitehallUnready",
    },
    "a slow store": {"WhitehallStoreSlow"},
    "a process that stands still again and again": {"WhitehallDeductionsSlow", "WhitehallLoopLag"},
    "more long questions than there are places": {"WhitehallLongAnswers"},
    "processes that write to one game": {"WhitehallConflicts"},
    "a process that starts again and again": {"WhitehallRestarts"},
    "a process that is no more": {"WhitehallDown"},
    "a log that nobody reads": {"WhitehallLogLost"},
}
"""Which alerts each of them sets off, as a warning and as critical."""


@pytest.fixture
def own_store(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "store").mkdir()
    server = Server(server_binary(), tmp_path / "store")
    server.start()
    yield server
    server.resume()
    server.kill()


@pytest.fixture
def watched(external_program: Callable[[str], Path], tmp_path: Path) -> Iterator[Callable[..., Prometheus]]:
    """`watched(address)` is a Prometheus in a hurry that looks at an admin port."""
    servers: list[Prometheus] = []

    def start(*targets: str) -> Prometheus:
        servers.append(Prometheus(external_program("prometheus"), tmp_path / "prometheus", *targets, hurried=True))
        servers[-1].start()
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


async def fire(prometheus: Prometheus, fault: str, patience: float = PATIENCE_SECONDS) -> None:
    """Wait until all have fired that the fault should set off, in both severities, at one time or another."""
    missing = {(name, severity) for name in FAULTS[fault] for severity in ("warning", "critical")}

    async def none_is_missing() -> bool:
        missing.difference_update(await asyncio.to_thread(prometheus.firing))
        return not missing

    try:
        await until(none_is_missing, patience)
    except AssertionError as error:
        raise AssertionError(f"not fired: {sorted(missing)}") from error


async def well(prometheus: Prometheus, *silent: str) -> None:
    """Wait until the service has been seen and none of these alerts is critical. A busy machine may give warnings."""

    def is_well() -> bool:
        return bool(prometheus.ask("whitehall:ready:min > 0")) and not {name for name, _ in prometheus.firing()} & set(
            silent
        )

    async def seen_well() -> bool:
        return await asyncio.to_thread(is_well)

    await until(seen_well, PATIENCE_SECONDS)


@asynccontextmanager
async def callers(number: int, call: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """So many who call again and again, whatever comes of it."""

    async def keep_calling() -> None:
        while True:
            with suppress(grpc.RpcError):
                await call()

    tasks = [asyncio.create_task(keep_calling()) for _ in range(number)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def a_table(service: Service) -> AsyncIterator[Table]:
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        yield await Yard(channel).table(3)


def test_every_alert_has_its_fault() -> None:
    expected = {alert["alert"] for alert in alerts()}
    assert set().union(*FAULTS.values()) == expected


async def test_a_store_that_stands_still(
    own_store: Server, start_service: Callable[..., Service], watched: Callable[..., Prometheus]
) -> None:
    fault = "a store that stands still"
    # Few connections: what waits for them keeps them in use, however slowly those who call come back.
    service = start_service("--redis-url", own_store.url, "--drain-seconds", "0", "--store-pool", "8")
    prometheus = watched(service.admin)
    async with a_table(service) as table, callers(150, table.get):
        await well(prometheus, *FAULTS[fault] - {"WhitehallStorePool", "WhitehallSlow"})
        own_store.pause()
        await fire(prometheus, fault)


async def test_a_slow_store(
    own_store: Server, start_service: Callable[..., Service], watched: Callable[..., Prometheus], tmp_path: Path
) -> None:
    fault = "a slow store"
    async with Proxy(own_store.socket, tmp_path / "p") as proxy:
        service = await asyncio.to_thread(start_service, "--redis-url", proxy.url, "--drain-seconds", "0")
        prometheus = watched(service.admin)
        async with a_table(service) as table, callers(4, table.get):
            await well(prometheus, *FAULTS[fault])
            proxy.delay = lambda: 0.3
            await fire(prometheus, fault)
        await asyncio.to_thread(service.stop)


async def test_a_process_that_stands_still_again_and_again(
    start_service: Callable[..., Service], watched: Callable[..., Prometheus]
) -> None:
    fault = "a process that stands still again and again"
    service = start_service("--drain-seconds", "0")
    prometheus = watched(service.admin)

    async def stutter() -> None:
        still, runs = STUTTER_SECONDS
        try:
            while True:
                os.kill(service.pid, signal.SIGSTOP)
                await asyncio.sleep(still)  # this is the fault
                os.kill(service.pid, signal.SIGCONT)
                woken = time.time()
                await asyncio.sleep(runs)  # and this its recovery
                await until(partial(prometheus.ask, f"timestamp(whitehall_ready) > {woken}"), PATIENCE_SECONDS)
        finally:
            os.kill(service.pid, signal.SIGCONT)

    async with grpc.aio.insecure_channel(service.grpc) as channel:
        table = await Mansion(channel).table(6)
        async with callers(ASKING, lambda: deduce_now_and_then(table)):
            await well(prometheus, *FAULTS[fault])
            stuttering = asyncio.create_task(stutter())
            try:
                await fire(prometheus, fault)
            finally:
                stuttering.cancel()
                await asyncio.wait([stuttering])


async def deduce_now_and_then(table: MansionTable) -> None:
    """What somebody can know who sees no hand: as much is possible as can be. The pauses leave room for scrapes."""
    await table.deduce(table.host)
    await asyncio.sleep(0.1)  # such a pause


async def test_more_long_questions_than_there_are_places(
    start_service: Callable[..., Service], watched: Callable[..., Prometheus]
) -> None:
    fault = "more long questions than there are places"
    service = start_service("--drain-seconds", "0")
    prometheus = watched(service.admin)
    request = position_pb2.ListPossibleSolutionsRequest(logs=[heavy_log()] * 16)
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        positions = position_pb2_grpc.CluedoPositionServiceStub(channel)

        async def ask() -> None:
            try:
                await positions.ListPossibleSolutions(request, timeout=PATIENCE_SECONDS)
            except grpc.RpcError:
                await asyncio.sleep(0.5)  # a caller who was refused does not come back at once

        await well(prometheus, *FAULTS[fault])
        async with callers(260, ask):
            await fire(prometheus, fault)


async def test_processes_that_write_to_one_game(
    own_store: Server, start_service: Callable[..., Service], watched: Callable[..., Prometheus]
) -> None:
    """Each process lets its own writers to a game go one after the other, so several are needed."""
    fault = "processes that write to one game"
    services = [start_service("--redis-url", own_store.url, "--drain-seconds", "0") for _ in range(3)]
    prometheus = watched(*(service.admin for service in services))
    async with AsyncExitStack() as stack:
        yards = [Yard(await stack.enter_async_context(grpc.aio.insecure_channel(service.grpc))) for service in services]
        table = await yards[0].table(6)
        await well(prometheus, *FAULTS[fault])
        for seat in range(6):
            copy = Table(yards[seat % 3], table.created)
            await stack.enter_async_context(callers(1, rotation(copy, seat)))
        await fire(prometheus, fault)


def rotation(table: Table, seat: int) -> Callable[[], Awaitable[None]]:
    """A seat that exchanges its token whenever it is called."""

    async def rotate() -> None:
        table.seats[seat] = (await table.rotate(table.seats[seat])).token

    return rotate


@pytest.mark.timeout(2 * STARTS_WINDOW_SECONDS + 400)
async def test_a_process_that_starts_again_and_again_and_is_no_more_at_last(
    start_service: Callable[..., Service], watched: Callable[..., Prometheus]
) -> None:
    admin = f"127.0.0.1:{free_port()}"
    service = start_service("--admin-address", admin, "--drain-seconds", "0")
    prometheus = watched(admin)
    await well(prometheus, "WhitehallRestarts", "WhitehallDown")
    enough = asyncio.Event()

    async def start_again_and_again() -> None:
        while not enough.is_set():
            await asyncio.to_thread(service.kill)
            killed = time.time()
            await asyncio.to_thread(service.start)
            # Each start has been seen before the next one.
            await until(partial(prometheus.ask, f"timestamp(process_start_time_seconds) > {killed}"), 60)

    starting = asyncio.create_task(start_again_and_again())
    try:
        await fire(prometheus, "a process that starts again and again", 2 * STARTS_WINDOW_SECONDS)
    finally:
        enough.set()
        await starting
    await asyncio.to_thread(service.kill)
    await fire(prometheus, "a process that is no more")
    await asyncio.to_thread(service.start)


@contextmanager
def unread(folder: Path) -> Iterator[Sequence[str]]:
    """A service whose log goes into a pipe that nobody reads; where its gRPC and its admin port listen."""
    ports = [part for name in ("grpc", "http", "admin") for part in (f"--{name}-address", "127.0.0.1:0")]
    flags = ["--data-dir", str(folder), *ports, "--drain-seconds", "0", "--log-level", "info"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.api.serving", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    )
    assert process.stdout is not None
    try:
        yield [process.stdout.readline().strip() for _ in range(3)]
    finally:
        process.terminate()
        process.communicate(timeout=60)


async def test_a_log_that_nobody_reads(tmp_path: Path, watched: Callable[..., Prometheus]) -> None:
    fault = "a log that nobody reads"
    with unread(tmp_path / "data") as (address, _, admin):
        prometheus = watched(admin)
        await well(prometheus, *FAULTS[fault])
        async with grpc.aio.insecure_channel(address) as channel:
            catalog = Yard(channel).catalog
            async with callers(50, lambda: catalog.GetBuildInfo(catalog_pb2.GetBuildInfoRequest())):
                await fire(prometheus, fault)
