"""Going away: what callers, watchers, balancers and the store notice of a service that is told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.api.cluedo import Mansion, heavy_log
from tests.api.live import until
from tests.api.logbook import faults
from tests.api.quiet import play_on
from tests.api.refusals import Refused, refused
from tests.api.service import Service
from tests.api.table import Table, Yard, a_request_id
from tests.api.watcher import Watcher, fill_the_line, narrow_line, revisions
from tests.sessions.proxy import Proxy
from tests.sessions.servers import Server
from whitehall.gen.whitehall.cluedo.v1 import position_pb2

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
GAMES = "whitehall.scotlandyard.v1.ScotlandYardService"
CATALOG = "whitehall.catalog.v1.CatalogService"


def page(service: Service, path: str) -> tuple[int, str]:
    """Status and text of a page on the admin port."""
    try:
        with urlopen(f"http://{service.admin}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


async def ended(service: Service) -> int:
    """Waits for the end of the process; its exit code."""
    return await asyncio.to_thread(service.wait)


def store_pid(service: Service) -> int:
    """The process of the embedded store."""
    with service.store() as client:
        return int(client.info("server")["process_id"])


def lives(pid: int) -> bool:
    """Whether a process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def statuses(channel: grpc.aio.Channel, name: str) -> AsyncIterator[int]:
    """What a health checker is told of a service, change by change."""
    health: Any = health_pb2_grpc.HealthStub(channel)
    async for answer in health.Watch(health_pb2.HealthCheckRequest(service=name), timeout=30):
        yield answer.status


async def test_a_drain_tells_balancers_then_watchers_then_ends_and_loses_nothing(
    start_service: Callable[..., Service],
) -> None:
    service = start_service("--drain-seconds", "1")
    store = store_pid(service)
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        table = await Yard(channel).table(3)
        await play_on(table, 4)
        watcher = Watcher(table, table.seats[1])
        await watcher.update()
        told = [statuses(channel, name) for name in ("", GAMES, CATALOG)]
        assert [await anext(each) for each in told] == [SERVING] * 3
        assert page(service, "/readyz")[0] == 200

        began = time.monotonic()
        service.terminate()
        assert [await anext(each) for each in told] == [NOT_SERVING] * 3
        # For a second it goes on as before, while nobody new should be sent to it.
        assert page(service, "/readyz") == (503, "draining\nstore: ok\n")
        assert page(service, "/livez")[0] == 200
        await play_on(table, 1)
        assert (await watcher.update()).revision.revision == 6
        async with grpc.aio.insecure_channel(service.grpc) as newcomer:
            await Table(Yard(newcomer), table.created).get()
        last = await watcher.to_the_end()
        assert [message.WhichOneof("kind") for message in last] == ["reconnect"]
        assert time.monotonic() - began >= 1

        assert await ended(service) == 0
        assert time.monotonic() - began < 8, "it waited for somebody"
    assert not lives(store)
    assert faults(service.log) == []

    service.start()
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        table = Table(Yard(channel), table.created)
        again = Watcher(table, table.seats[1], watcher.cursor)
        await play_on(table, 1)
        assert revisions([await again.update()]) == [7]
        again.leave()


async def test_callers_who_call_on_and_on_are_answered_or_told_to_come_again(
    start_service: Callable[..., Service],
) -> None:
    """Nobody's call is cut without a word. gRPC cancels a call that arrives in the very moment in which the server
    stops; callers who wait as long as they are told do not meet it.
    """
    service = start_service("--drain-seconds", "1")
    refusals: list[Refused] = []
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        created = (await Yard(channel).table(3)).created

        async def call_on() -> None:
            options = [("grpc.use_local_subchannel_pool", 1)]
            async with grpc.aio.insecure_channel(service.grpc, options=options) as line:
                table = Table(Yard(line), created)
                while service.runs:
                    try:
                        await table.get()
                    except grpc.RpcError as error:
                        refusals.append(Refused(error))
                        retry = refusals[-1].detail(error_details_pb2.RetryInfo)
                        await asyncio.sleep(retry.retry_delay.ToTimedelta().total_seconds() if retry else 0.05)

        async with asyncio.TaskGroup() as callers:
            for _ in range(20):
                callers.create_task(call_on())
            service.terminate()
            assert await ended(service) == 0
    assert {refusal.code for refusal in refusals} <= {grpc.StatusCode.UNAVAILABLE}
    told = {refusal.reason for refusal in refusals}
    assert "DRAINING" in told
    # What is not our refusal comes from a connection that is no more.
    assert told <= {"DRAINING", ""}
    assert faults(service.log) == []


async def test_op07_a_handler_that_refuses_while_the_service_stops_is_heard_with_all_details(
    start_service: Callable[..., Service], store_server: Server, tmp_path: Path
) -> None:
    """The store is so slow that the refusal takes a second, and the signal comes while the handler waits for it."""
    async with Proxy(store_server.socket, tmp_path / "proxy") as proxy:
        service = await asyncio.to_thread(
            start_service,
            *("--redis-url", proxy.url, "--drain-seconds", "0"),
            *("--grace-seconds", "5", "--default-deadline-seconds", "4"),
        )
        async with grpc.aio.insecure_channel(service.grpc) as channel:
            table = await Yard(channel).table(3)
            proxy.delay = lambda: 0.3
            asked = time.monotonic()
            refusal = asyncio.ensure_future(table.play(0, "taxi 999", request_id=a_request_id()))
            await asyncio.sleep(0.2)
            assert not refusal.done()
            service.terminate()
            with refused("ILLEGAL_MOVE", grpc.StatusCode.FAILED_PRECONDITION) as heard:
                await refusal
            assert time.monotonic() - asked > 0.6, "the store was not slow enough to try it"
            assert heard.metadata["rule"] == "SY-MOVE-01"
            assert heard.detail(error_details_pb2.PreconditionFailure)
            assert heard.detail(error_details_pb2.LocalizedMessage)
            proxy.delay = lambda: 0
            assert await ended(service) == 0
            assert time.monotonic() - asked < 5
        assert faults(service.log) == []


async def test_a_reader_that_is_stuck_holds_up_the_end_no_longer_than_the_grace(
    start_service: Callable[..., Service],
) -> None:
    service = start_service("--drain-seconds", "0", "--grace-seconds", "1", "--default-deadline-seconds", "0.9")
    async with narrow_line(service.grpc) as line, grpc.aio.insecure_channel(service.grpc) as channel:
        table = await Yard(channel).table(6, allow_spectators=True)
        stuck = Watcher(Table(Yard(line), table.created), table.seats[1])
        await stuck.update()
        await fill_the_line(table)
        began = time.monotonic()
        service.terminate()
        assert await ended(service) == 0
        assert 1 <= time.monotonic() - began < 8
        stuck.leave()
    assert faults(service.log) == []


async def test_long_work_does_not_hold_up_the_end_whether_anybody_waits_for_it_or_not(
    start_service: Callable[..., Service],
) -> None:
    """Each of these batches takes minutes. One caller has left, one waits until it is told that the process ends."""
    service = start_service("--drain-seconds", "0", "--grace-seconds", "1", "--default-deadline-seconds", "0.9")
    request = position_pb2.ListPossibleSolutionsRequest(logs=[heavy_log()] * 16)
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        calls = [Mansion(channel).positions.ListPossibleSolutions(request, timeout=300) for _ in range(2)]
        await until(lambda: service.metric("whitehall_long_answers") == 2)
        calls[0].cancel()
        began = time.monotonic()
        service.terminate()
        assert await ended(service) == 0
        assert time.monotonic() - began < 10
        assert await calls[1].code() is not grpc.StatusCode.OK
    assert faults(service.log) == []


@pytest.mark.parametrize("signals", [[signal.SIGINT], [signal.SIGTERM] * 2])
async def test_any_of_the_signals_ends_it_well_once_or_twice(
    start_service: Callable[..., Service], signals: list[signal.Signals]
) -> None:
    service = start_service("--drain-seconds", "0.5")
    store = store_pid(service)
    os.kill(service.pid, signals[0])
    await until(lambda: page(service, "/readyz")[0] == 503)
    for number in signals[1:]:
        os.kill(service.pid, number)
    assert await ended(service) == 0
    assert not lives(store)
    assert faults(service.log) == []


# --- while it starts --------------------------------------------------------------------------------------------------


class Start:
    """`whitehall serve` on its way up."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self.data = folder / "data"
        self.log = folder / "start.log"
        any_port = "127.0.0.1:0"
        ports = ("--grpc-address", any_port, "--http-address", any_port, "--admin-address", any_port)
        program = Path(sys.executable).parent / "whitehall"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [program, "serve", "--data-dir", self.data, "--drain-seconds", "0", *ports, *flags],
                stdout=log,
                stderr=log,
            )

    def leftovers(self) -> list[str]:
        """What still runs on its data."""
        found = subprocess.run(["pgrep", "-af", str(self.data)], capture_output=True, text=True, check=False)
        return found.stdout.splitlines()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Start]]:
    """`start("--redis-url", url)` starts `whitehall serve` and does not wait for it."""
    starts: list[Start] = []

    def begin(*flags: str) -> Start:
        starts.append(Start(tmp_path, *flags))
        return starts[-1]

    yield begin
    for each in starts:
        each.process.kill()
        each.process.wait()


def _it_has_the_folder(start: Start) -> bool:
    lock = start.data / "owner.lock"
    return lock.exists() and lock.read_text() == f"{start.process.pid}\n"


def _store_is_there(start: Start) -> bool:
    return (start.data / "valkey.sock").exists()


def _it_has_said_so(start: Start) -> bool:
    return "started" in start.log.read_text()


@pytest.mark.parametrize("moment", [_it_has_the_folder, _store_is_there, _it_has_said_so])
async def test_a_signal_while_it_starts_ends_it_well_and_leaves_no_store_behind(
    start: Callable[..., Start], moment: Callable[[Start], bool]
) -> None:
    starting = start()
    await until(lambda: moment(starting))
    starting.process.terminate()
    assert await asyncio.to_thread(starting.process.wait, 10) == 0
    assert starting.leftovers() == []
    assert "Traceback" not in starting.log.read_text()


async def test_a_signal_ends_a_start_that_waits_for_a_store_which_does_not_answer(
    start: Callable[..., Start], tmp_path: Path
) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "mute"))
        listener.listen()
        listener.setblocking(False)
        starting = start("--redis-url", f"unix://{tmp_path}/mute")
        connection, _ = await asyncio.get_running_loop().sock_accept(listener)
        with connection:
            starting.process.send_signal(signal.SIGINT)
            assert await asyncio.to_thread(starting.process.wait, 5) == 0
    assert starting.log.read_text() == ""
