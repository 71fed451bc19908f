"""`--workers`: several processes that serve as one, and what becomes of it when some of them end."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.api.live import until
from tests.api.table import Table
from tests.api.watcher import Watcher
from tests.faults.service import Replica
from tests.sessions.gate import Gate
from tests.sessions.servers import Server
from tests.workers.crew import Crew, kill, lives
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.sessions.embedded import server_binary
from whitehall.settings import Settings
from whitehall.telemetry.log import configure
from whitehall.workers import supervisor
from whitehall.workers.hand import Hand
from whitehall.workers.supervisor import WorkersFailed

StartCrew = Callable[..., Awaitable[Crew]]

KILLS = 2
SECRET = "tell-nobody-of-this"


async def handled(crew: Crew, method: str) -> float:
    """How many calls of a method were answered."""
    return await crew.metric("grpc_server_handled_total", grpc_method=method, grpc_code="OK")


async def test_op09_all_workers_answer_and_one_scrape_tells_of_all_their_calls(start_crew: StartCrew) -> None:
    """What one makes another one plays, as they share one store; deductions go to threads of their own."""
    crew = await start_crew(workers=4)
    assert len(crew.pids) == 4
    assert await crew.metric("whitehall_workers") == 4
    yards = [await crew.yard() for _ in range(16)]
    tables = await asyncio.gather(*(yard.table(3) for yard in yards))
    elsewhere = [Table(yard, table.created) for yard, table in zip(yards[1:] + yards[:1], tables, strict=True)]
    for _ in range(12):
        await asyncio.gather(*(table.get() for table in elsewhere))
    assert await handled(crew, "CreateGame") == 16
    assert await handled(crew, "GetGame") == 192
    assert await crew.metric("whitehall_games_created_total") == 16
    told = (await crew.page("/readyz?verbose")).splitlines()
    assert told[0] == "ready"
    assert [line.partition(",")[2] for line in told[1:]] == [" store: ok"] * 4


async def test_op15_counters_never_fall_and_gauges_are_true_while_workers_are_killed(start_crew: StartCrew) -> None:
    """Nothing of the dead is left but what they had counted; there is no file that it could be left in."""
    await _kill_and_scrape(await start_crew(workers=3), 3, KILLS)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_op15_thirty_kills(start_crew: StartCrew) -> None:
    await _kill_and_scrape(await start_crew(workers=4), 4, 30)


async def _kill_and_scrape(crew: Crew, workers: int, kills: int) -> None:
    table = await (await crew.yard()).table(3)
    over = asyncio.Event()

    async def call_on() -> None:
        mine = Table(await crew.yard(), table.created)
        while not over.is_set():
            try:
                await mine.get()
            except grpc.RpcError:
                await asyncio.sleep(0.05)

    async def killing() -> None:
        before = await crew.counters()
        for number in range(kills):
            kill(crew.pids[number % len(crew.pids)])
            await until(partial(_are, crew, "whitehall_worker_restarts_total", number + 1), 60)
            now = await crew.counters()
            fallen = {series for series, value in before.items() if now.get(series, -1.0) < value}
            assert not fallen
            before = now
        await until(partial(_are, crew, "whitehall_workers", workers), 60)
        over.set()

    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(call_on())
        group.create_task(killing())
    watchers = [Watcher(Table(await crew.yard(), table.created), table.seats[seat]) for seat in (0, 1, 2, 1)]
    for watcher in watchers:
        await watcher.update()
    assert await crew.metric("whitehall_watchers") == 4
    kill(crew.pids[0])
    await until(partial(_are, crew, "whitehall_worker_restarts_total", kills + 1), 60)
    alone = Table(await crew.yard(), table.created)
    ride = (await alone.legal(0)).moves.pieces[0].rides[0].text
    await alone.play(0, ride)
    still_watching = await asyncio.gather(*map(_hears_more, watchers))
    assert await crew.metric("whitehall_watchers") == sum(still_watching)
    begun, ended = [await crew.metric(f"grpc_server_{name}_total") for name in ("started", "handled")]
    assert begun - ended == sum(still_watching), "calls that are counted as open are"


async def _hears_more(watcher: Watcher) -> bool:
    try:
        await watcher.update()
    except grpc.RpcError:
        return False
    return True


async def _are(crew: Crew, name: str, number: int) -> bool:
    return await crew.metric(name) == number


async def test_each_line_of_a_worker_tells_which_one_it_is(
    start_crew: StartCrew, capfd: pytest.CaptureFixture[str]
) -> None:
    """By the number that `/readyz` knows it by."""
    crew = await start_crew(workers=2, log_level="info")
    numbers = {int(line.split()[1].rstrip(",")) for line in (await crew.page("/readyz?verbose")).splitlines()[1:]}
    assert len(numbers) == 2
    told: list[dict[str, object]] = []

    def told_by(event: str) -> set[object]:
        told.extend(json.loads(line) for line in capfd.readouterr().err.splitlines() if line.startswith("{"))
        return {line.get("worker") for line in told if line["event"] == event}

    await until(lambda: told_by("check passes") == numbers, 20)
    await until(lambda: told_by("started") >= numbers, 20)


async def test_a_worker_that_does_not_answer_any_more_is_killed_and_replaced(
    start_crew: StartCrew, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Long enough for the one that is well, however busy the machine is.
    monkeypatch.setattr(supervisor, "HUNG_SECONDS", 10.0)
    crew = await start_crew(workers=2)
    hung, well = crew.pids
    os.kill(hung, signal.SIGSTOP)
    # Meanwhile what it last said is told of it, and the other one is ready.
    assert await crew.metric("whitehall_workers") == 2
    assert (await crew.page("/readyz")).startswith("ready")
    await until(lambda: not lives(hung), 60)
    await until(partial(_are, crew, "whitehall_worker_restarts_total", 1), 60)
    await until(lambda: len(crew.pids) == 2, 60)
    assert well in crew.pids


async def test_a_worker_that_hangs_before_it_serves_is_killed_and_replaced(
    start_crew: StartCrew, monkeypatch: pytest.MonkeyPatch
) -> None:
    crew = await start_crew(workers=2)
    monkeypatch.setattr(supervisor, "START_SECONDS", 0.5)
    hire = Hand.hired
    born: list[int] = []

    async def stillborn(*arguments: Any) -> Hand:
        hand = await hire(*arguments)
        os.kill(hand.pid, signal.SIGSTOP)
        born.append(hand.pid)
        return hand

    with monkeypatch.context() as cursed:
        cursed.setattr(Hand, "hired", stillborn)
        kill(crew.pids[0])
        await until(lambda: len(born) >= 2 and not lives(born[0]), 60)
    monkeypatch.setattr(supervisor, "START_SECONDS", 60.0)
    for pid in born:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
    await until(partial(_are, crew, "whitehall_workers", 2), 60)


async def test_a_worker_that_hangs_at_the_stop_is_killed_and_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configure("json", "error")
    monkeypatch.setattr(supervisor, "MARGIN_SECONDS", 0.2)
    quick = {"workers": 2, "default_deadline_seconds": 0.2, "grace_seconds": 0.3}
    async with Crew.at_work(tmp_path / "data", quick) as crew:
        hung = crew.pids[0]
        os.kill(hung, signal.SIGSTOP)
    assert not lives(hung)
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert hung in [line["pid"] for line in told if line["event"] == "a worker does not end, and is killed"]


async def test_workers_that_hang_at_the_start_are_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "START_SECONDS", 0.01)
    with pytest.raises(WorkersFailed, match="did not serve within"):
        async with Crew.at_work(tmp_path / "data", {"workers": 2}):
            pass


async def test_a_worker_that_dies_while_it_starts_does_not_take_those_down_that_serve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hire = Hand.hired
    places: list[None] = []
    hired: list[Hand] = []

    def one_serves() -> bool:
        return any(hand.condition is not None and hand.condition.ready for hand in hired)

    async def hire_in_turn(*arguments: Any) -> Hand:
        places.append(None)
        if len(places) > 1:
            await until(one_serves, 60)
        hand = await hire(*arguments)
        hired.append(hand)
        if len(hired) == 2:
            os.kill(hand.pid, signal.SIGKILL)
        return hand

    monkeypatch.setattr(Hand, "hired", hire_in_turn)
    async with Crew.at_work(tmp_path / "data", {"workers": 2}) as crew:
        assert set(crew.pids) == {hired[0].pid, hired[2].pid}


def no_room(*_: object) -> None:
    """What the system says when it has no process or file left to give."""
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))


async def test_a_place_that_the_system_has_no_room_for_is_filled_as_soon_as_it_has(
    start_crew: StartCrew, monkeypatch: pytest.MonkeyPatch
) -> None:
    crew = await start_crew(workers=2)
    with monkeypatch.context() as crowded:
        crowded.setattr(Hand, "hired", no_room)
        kill(crew.pids[0])

        async def tried_again() -> bool:
            return await crew.metric("whitehall_worker_restarts_total") > 1

        await until(tried_again, 60)
        assert len(crew.pids) == 1
    await until(lambda: len(crew.pids) == 2, 60)


async def test_a_service_that_the_system_has_no_room_for_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hand, "hired", no_room)
    with pytest.raises(WorkersFailed, match=os.strerror(errno.EAGAIN)):
        async with Crew.at_work(tmp_path / "data", {"workers": 2}):
            pass


async def test_secrets_go_to_workers_by_no_way_that_others_can_look_into(start_crew: StartCrew) -> None:
    crew = await start_crew(workers=2, operator_keys=f"me:{SECRET}")

    def told(pid: int, name: str) -> bytes:
        return Path(f"/proc/{pid}/{name}").read_bytes()

    for pid in crew.pids:
        for name in ("cmdline", "environ"):
            assert SECRET.encode() not in told(pid, name)
    yard = await crew.yard()
    with pytest.raises(grpc.RpcError) as refusal:
        await yard.table(3)
    assert refusal.value.code() is grpc.StatusCode.UNAUTHENTICATED
    await yard.table(3, operator=f"wh_operator_me_{SECRET}")


async def test_an_address_that_somebody_else_has_is_refused_although_it_could_be_shared(
    start_crew: StartCrew, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "MARGIN_SECONDS", 0.2)
    crew = await start_crew(workers=2)
    with pytest.raises(OSError, match="somebody else does"):
        async with Crew.at_work(tmp_path / "other", {"workers": 2, "grpc_address": crew.grpc}):
            pass
    assert len(crew.pids) == 2


async def test_workers_that_can_not_start_say_why_and_leave_nothing_behind(tmp_path: Path) -> None:
    boards = tmp_path / "boards" / "scotland-yard"
    boards.mkdir(parents=True)
    (boards / "no-board.json").write_text("{}")
    settings = {"workers": 2, "boards_dir": str(boards.parent)}
    with pytest.raises(WorkersFailed, match="no-board"):
        async with Crew.at_work(tmp_path / "data", settings):
            pass


@pytest.mark.slow
async def test_workers_start_without_their_store_and_are_ready_once_it_answers(tmp_path: Path) -> None:
    server = Server(server_binary(), tmp_path)
    server.start()
    try:
        async with Gate(str(server.socket)) as gate:
            settings = {"workers": 2, "redis_url": f"redis://127.0.0.1:{gate.port}"}
            async with Crew.at_work(tmp_path / "data", settings) as crew:
                assert await crew.page("/livez")
                assert await crew.metric("whitehall_ready") == 0
                with pytest.raises(grpc.RpcError, match="UNAVAILABLE"):
                    await (await crew.yard()).table(3)
                gate.open()
                await until(partial(_are, crew, "whitehall_ready", 1), 60)

                async def all_have_it() -> bool:
                    return (await crew.page("/readyz?verbose")).count("store: ok") == 2

                await until(all_have_it, 60)
                await (await crew.yard()).table(3)
                assert await crew.metric("whitehall_worker_restarts_total") == 0
    finally:
        server.kill()


async def test_a_drain_lets_calls_and_streams_end_well_and_leaves_no_process_behind(tmp_path: Path) -> None:
    async with Crew.at_work(tmp_path / "data", {"workers": 3, "drain_seconds": 0.5}) as crew:
        pids = crew.pids
        tables = [await (await crew.yard()).table(3) for _ in range(6)]
        watchers = [Watcher(table, table.seats[1]) for table in tables]
        for watcher in watchers:
            await watcher.update()
        endings = [asyncio.create_task(watcher.to_the_end()) for watcher in watchers]
        assert all(lives(pid) for pid in pids)
    assert [[message.WhichOneof("kind") for message in await ending] for ending in endings] == [["reconnect"]] * 6
    assert not any(lives(pid) for pid in pids)


async def test_workers_end_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    replica = Replica(tmp_path / "replica", workers=2)
    try:
        await replica.start()
        pids = replica.workers()
        assert len(pids) == 2
        replica.kill()
        await until(lambda: not any(lives(pid) for pid in pids), 60)
    finally:
        replica.stop()


def test_the_command_drains_all_workers_and_ends_well(tmp_path: Path) -> None:
    addresses = [part for name in ("grpc", "http", "admin") for part in (f"--{name}-address", "127.0.0.1:0")]
    ports = (*addresses, "--drain-seconds", "0")
    program = Path(sys.executable).with_name("whitehall")
    service = subprocess.Popen(
        [program, "serve", "--workers", "2", *ports, "--data-dir", tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert service.stdout is not None
    assert service.stdout.readline().startswith("Whitehall")
    host = service.stdout.readline().split()[1]
    with grpc.insecure_channel(host) as channel:
        call = channel.unary_unary(
            "/whitehall.catalog.v1.CatalogService/GetBuildInfo",
            catalog_pb2.GetBuildInfoRequest.SerializeToString,
            catalog_pb2.GetBuildInfoResponse.FromString,
        )
        assert call(catalog_pb2.GetBuildInfoRequest(), timeout=10).version
    service.send_signal(signal.SIGTERM)
    _, errors = service.communicate(timeout=30)
    assert service.returncode == 0, errors
    assert errors.count('"draining"') == 3, "the workers' and the supervisor's"
    assert "fault" not in errors
    assert "fork" not in errors


async def test_an_address_that_this_machine_does_not_have_is_named_in_words(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"^workers can't listen on 203\.0\.113\.1:50051: ") as refusal:
        async with Crew.at_work(tmp_path / "data", {"workers": 2, "open": True, "grpc_address": "203.0.113.1:50051"}):
            pass
    assert "Errno" not in str(refusal.value)


def test_settings_are_the_same_after_the_way_to_a_worker() -> None:
    given = {
        "operator_keys": f"me:{SECRET},you:{SECRET}-2",
        "token_keys": "0123456789abcdef" * 4,
        "redis_url": f"redis://:{SECRET}@localhost:6379/0",
        "boards_dir": "/boards",
        "stream_minutes": "2.5",
        "workers": "4",
    }
    settings = Settings.load(given, {})
    arrived = Settings.load(settings.values(), {})
    assert arrived.model_dump() == settings.model_dump()
    assert arrived.values() == settings.values()
