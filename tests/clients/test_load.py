"""The load generator: honest latencies, answers that are checked, limits that decide."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.api.service import Service
from whitehall.cli import main
from whitehall_client import WhitehallError, aio
from whitehall_client.aio.scotland_yard import Viewer
from whitehall_client.gen.whitehall.cluedo.v1 import game_pb2 as cluedo_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import game_pb2 as yard_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import service_pb2
from whitehall_load import loops, tables
from whitehall_load.checks import cluedo_leaks, yard_leaks
from whitehall_load.command import load
from whitehall_load.loops import Loop, moments, turns
from whitehall_load.measurements import DELAY, TURN, Measurements
from whitehall_load.page import plot
from whitehall_load.plan import Limits, Plan
from whitehall_load.questions import Questioner
from whitehall_load.report import Report
from whitehall_load.stopwatch import Stopwatch
from whitehall_load.tables import Table, lay
from whitehall_load.watching import Departures, watch


class Slow(Table):
    """A table whose first turn takes a second, and each later one no time."""

    def __init__(self) -> None:
        self._first = True

    async def prepare(self) -> None: ...

    async def leave(self) -> None: ...

    async def turn(self, since: float) -> None:
        if self._first:
            self._first = False
            await asyncio.sleep(1)

    games = create = choose = None  # type: ignore[assignment]  # nobody asks


async def test_what_is_slow_counts_for_all_turns_that_were_due_meanwhile() -> None:
    """Of 40 turns that are due within two seconds, the first takes one second. A generator that waits for it politely
    would tell of one slow turn. In truth the n-th waits for 1 - n / 20 seconds: ten of them for half a second and
    more.
    """
    stopwatch = Stopwatch()
    plan = Plan("", duration=2, rate=20, tables=1, positions=0)
    loop = Loop(plan, [Slow()], None, stopwatch)  # type: ignore[arg-type]  # no positions are asked about
    await loop.run()
    measured = stopwatch.take()
    assert measured.count(TURN) == 40
    assert measured.milliseconds(TURN, 100) >= 1000
    assert measured.milliseconds(TURN, 100 * (1 - 10 / 40)) >= 400
    assert not measured.failures


async def test_turns_that_nobody_could_make_in_time_are_told_as_many_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rate far beyond what is possible takes no longer for it: nothing is kept for each turn that is due."""
    monkeypatch.setattr(loops, "LATEST", 0.2)
    stopwatch = Stopwatch()
    plan = Plan("", duration=0.1, rate=1e8, tables=1, positions=0)
    await Loop(plan, [Slow()], None, stopwatch).run()  # type: ignore[arg-type]  # no positions are asked about
    measured = stopwatch.take()
    assert measured.failures == {(TURN, "LATE"): 10_000_000}
    assert not measured.latencies


async def test_a_table_leaves_a_game_of_which_a_call_has_failed(client: aio.Service) -> None:
    """Nobody knows whether that call was carried out, so that nothing that comes later could be called wrong."""
    stopwatch = Stopwatch()
    (table,) = lay(client, Plan("", duration=1, tables=1, deductions=0, mix={"new": 1}), stopwatch)
    await table.prepare()
    await table.turn(time.monotonic())
    await table.leave()
    await table.prepare()
    gone = table._host
    await gone.delete()
    with pytest.raises(WhitehallError):
        await table.turn(time.monotonic())
    await table.prepare()
    assert table._host.game_id != gone.game_id
    await table.turn(time.monotonic())
    await table.leave()
    assert not stopwatch.take().wrong


def test_turns_are_due_at_an_even_rate_after_an_even_ramp() -> None:
    due = list(moments(rate=10, ramp=4, duration=3))
    assert len(due) == turns(rate=10, ramp=4, duration=3)
    assert due == sorted(due)
    assert [sum(second <= moment < second + 1 for moment in due) for second in range(7)] == pytest.approx(
        [1.25, 3.75, 6.25, 8.75, 10, 10, 10], abs=1
    )


def test_the_parts_of_a_plan_are_the_whole() -> None:
    parts = Plan("", duration=1, rate=90, tables=7).share(3)
    assert [part.tables for part in parts] == [3, 2, 2]
    assert [part.rate for part in parts] == [30, 30, 30]
    assert len({part.seed for part in parts}) == 3
    assert len(Plan("", duration=1, tables=2).share(3)) == 2


def view_of_a_hunter(**mr_x: int) -> yard_pb2.View:
    view = yard_pb2.View(seat=1, mr_x=yard_pb2.MrX(**mr_x))
    view.log.add(number=1, station=5, surfaced=True)
    return view


def test_a_view_of_scotland_yard_that_shows_too_much_is_noticed() -> None:
    assert list(yard_leaks(view_of_a_hunter(station=5), 1)) == []
    assert list(yard_leaks(view_of_a_hunter(), 2)) == ["a view of another seat"]
    assert list(yard_leaks(view_of_a_hunter(station=6), 1)) == ["Mr X's hidden station"]
    assert list(yard_leaks(view_of_a_hunter(start=6), 1)) == ["Mr X's start"]
    covered = view_of_a_hunter()
    covered.log.add(number=2, station=7)
    assert list(yard_leaks(covered, 1)) == ["a covered station of the log"]
    covered.outcome.rule = "SY-END-01"
    assert list(yard_leaks(covered, 1)) == []


def test_a_view_of_cluedo_that_shows_too_much_is_noticed() -> None:
    fair = cluedo_pb2.View(seat=0, hand=["S1"], hand_sizes=[1, 1])
    fair.suggestions.add(seat=0, refuter=1, card="W1")
    assert list(cluedo_leaks(fair, 0)) == []
    spectator = cluedo_pb2.View(hand_sizes=[1, 1], hand=["S1"])
    spectator.envelope.suspect = "S2"
    spectator.suggestions.add(seat=0, refuter=1, card="W1")
    assert list(cluedo_leaks(spectator, None)) == [
        "a hand that is not the seat's",
        "the envelope",
        "a card shown to others",
    ]


async def test_a_watcher_notices_a_revision_that_is_missing_or_comes_twice() -> None:
    async def stream() -> AsyncGenerator[Any, None]:
        for revision in (4, 5, 7, 7):
            message = service_pb2.WatchGameResponse()
            message.update.revision.revision = revision
            yield message

    stopwatch = Stopwatch()
    departures = Departures(stopwatch)
    ear = departures.ear()
    departures.sent(5, time.monotonic())
    await watch(stream(), 1, yard_leaks, ear, stopwatch)
    measured = stopwatch.take()
    assert measured.wrong.total() == 2
    assert measured.count(DELAY) == 1


def test_a_slow_watcher_counts_for_every_move_that_it_is_told_late() -> None:
    """Of five moves it is told when the last one has left: it waits for each from that one's departure on. Another
    watcher is told of them before their mover is.
    """
    stopwatch = Stopwatch()
    departures = Departures(stopwatch)
    quick, slow = departures.ear(), departures.ear()
    for revision in range(1, 6):
        quick.hear(revision)
        departures.sent(revision, time.monotonic() - 10)
    assert departures.unheard == 5
    assert stopwatch.take().count(DELAY) == 5
    for revision in range(1, 6):
        slow.hear(revision)
    measured = stopwatch.take()
    assert departures.unheard == 0
    assert measured.count(DELAY) == 5
    assert measured.milliseconds(DELAY, 1) >= 9_900


def test_what_a_watcher_is_never_told_is_known() -> None:
    """One is deaf, one is told half. What came before a stream began is not missed, nor what a broken one misses."""
    departures = Departures(Stopwatch())
    deaf, half, late, broken = (departures.ear() for _ in range(4))
    for revision in range(1, 5):
        departures.sent(revision, time.monotonic())
    half.hear(1)
    half.hear(2)
    late.hear(4)
    broken.has_failed = True
    assert departures.unheard == 4 + 2
    for revision in range(1, 5):
        deaf.hear(revision)
    assert departures.unheard == 2


async def test_watchers_that_hear_nothing_fail_the_load(client: aio.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their streams are open and silent."""

    async def silence(_: Any) -> AsyncGenerator[Any, None]:
        await asyncio.Event().wait()
        yield

    monkeypatch.setattr(Viewer, "watch", silence)
    monkeypatch.setattr(tables, "FAREWELL", 0.1)
    stopwatch = Stopwatch()
    plan = Plan("", duration=1, ramp=0, tables=1, watchers=2, deductions=0, mix={"new": 1})
    (table,) = lay(client, plan, stopwatch)
    await table.prepare()
    for _ in range(3):
        await table.turn(time.monotonic())
    await table.leave()
    measured = stopwatch.take()
    assert measured.failures == {("watch", "UNHEARD"): 6}
    report = Report(plan, Limits(errors=1))
    report.add(measured)
    assert not report.passed


def test_measurements_of_several_processes_add_up() -> None:
    """Percentiles of the sum, not sums of percentiles."""
    whole = Measurements()
    for seconds in (0.001, 0.1):
        part = Measurements()
        for _ in range(500):
            part.answered("move", seconds)
        part.failed("move", "DRAINING")
        part.objected("something")
        whole.add(part.packed().unpacked())
    assert whole.count("move") == 1000
    assert whole.milliseconds("move", 49) == pytest.approx(1, rel=0.01)
    assert whole.milliseconds("move", 51) == pytest.approx(100, rel=0.01)
    assert whole.failures == {("move", "DRAINING"): 2}
    assert whole.wrong == {"something": 2}


async def test_every_kind_of_question_about_positions_is_answered(client: aio.Service) -> None:
    stopwatch = Stopwatch()
    questioner = Questioner(client, Random(1), stopwatch)
    for _ in range(20):
        await questioner.ask(time.monotonic())
    measured = stopwatch.take()
    assert set(measured.latencies) == {"position moves", "possible locations", "reachable places"}
    assert not measured.wrong


@pytest.mark.parametrize(
    ("highest", "labels"),
    [
        (4760.0, ["0", "2000", "4000", "6000", "8000"]),
        (78.0, ["0", "20", "40", "60", "80"]),
        (4.0, ["0", "1", "2", "3", "4"]),
        (0.35, ["0", "0.1", "0.2", "0.3", "0.4"]),
        (0.0, ["0", "1", "2", "3", "4"]),
    ],
)
def test_the_lines_of_a_plot_are_at_round_numbers_up_to_the_highest_value(highest: float, labels: list[str]) -> None:
    assert re.findall(r'text-anchor="end">([^<]*)<', plot(["1", "2"], {"p50": [0.0, highest]})) == labels


@pytest.mark.timeout(180)
def test_load_plays_all_games_from_two_processes_and_reports(service: Service, tmp_path: Path) -> None:
    files = {"--json": tmp_path / "report.json", "--html": tmp_path / "report.html"}
    quick = ("--duration", "3", "--ramp", "1", "--tables", "8", "--watchers", "2", "--processes", "2", "--rate", "10")
    paths = [str(word) for pair in files.items() for word in pair]
    done = CliRunner().invoke(main, ["load", service.grpc, *quick, *paths])
    assert done.exit_code == 0, done.output
    report = json.loads(files["--json"].read_text())
    assert report["passed"]
    assert report["wrong_answers"] == {}
    assert report["failures"] == []
    assert report["latency_ms"]["turn"]["count"] >= 28
    assert {"move", "legal moves", DELAY, TURN} <= set(report["latency_ms"])
    assert "operator_key" not in report["plan"]
    html = files["--html"].read_text()
    assert html.count("<svg") == 3
    assert not re.search(r"(src|href)=|https?://|@import", html), "the page needs something from elsewhere"


def test_a_limit_that_is_missed_is_told_by_the_exit_code(service: Service) -> None:
    quick = ("--duration", "0.5", "--ramp", "0", "--tables", "2", "--mix", "new=1", "--min-rate", "100000")
    done = CliRunner().invoke(main, ["load", service.grpc, *quick])
    assert done.exit_code == 1, done.output
    assert "FAIL turns a second" in done.output


def test_a_load_that_is_interrupted_reports_what_was_measured(service: Service, tmp_path: Path) -> None:
    """By Ctrl-C in a terminal, which tells every process of the group; or by a signal to the first alone."""
    for told in (os.killpg, os.kill):
        words = ("--duration", "600", "--tables", "2", "--mix", "new=1", "--processes", "2")
        with loading(service, tmp_path, *words) as process:
            told(process.pid, signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        assert process.returncode == 1, output.decode()
        assert b"Traceback" not in output
        assert b"FAIL it went on for 600 s" in output
        found = json.loads((tmp_path / "report.json").read_text())
        assert found["latency_ms"]["move"]["count"] > 0
        assert found["failures"] == []


@contextmanager
def loading(service: Service, folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A load of which some moves have been answered."""
    before = played(service)
    command = (sys.executable, "-m", "whitehall_load.command", service.grpc, "--ramp", "0", "--json", "report.json")
    pipe, ours = subprocess.PIPE, [*command, *words]
    with subprocess.Popen(ours, stdout=pipe, stderr=subprocess.STDOUT, cwd=folder, process_group=0) as process:
        try:
            deadline = time.monotonic() + 60
            while played(service) < before + 20:
                assert time.monotonic() < deadline, "no load has begun"
                time.sleep(0.05)  # between two questions; what is waited for is the service's own count
            yield process
        finally:
            process.kill()


@pytest.mark.slow
def test_a_service_that_stands_still_is_felt_by_all_turns_that_were_due(service: Service, tmp_path: Path) -> None:
    """Two seconds of ten: a fifth of all turns waits, for a second and more half of them. Nothing fails, and nothing
    is wrong.
    """
    with loading(service, tmp_path, "--duration", "10", "--rate", "20", "--tables", "60") as process:
        os.kill(service.pid, signal.SIGSTOP)
        try:
            time.sleep(2)  # this is the fault
        finally:
            os.kill(service.pid, signal.SIGCONT)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output.decode()
    turns = json.loads((tmp_path / "report.json").read_text())["latency_ms"]["turn"]
    assert turns["count"] == 200
    assert turns["p90"] >= 900
    assert turns["p100"] >= 1900


@pytest.mark.slow
def test_a_service_that_is_killed_is_told_of_as_failures_and_not_as_wrong_answers(tmp_path: Path) -> None:
    service = Service(tmp_path, "--drain-seconds", "0")
    service.start()
    try:
        with loading(service, tmp_path, "--duration", "5", "--watchers", "2", "--tables", "4") as process:
            service.kill()
            output, _ = process.communicate(timeout=100)
    finally:
        service.stop()
    assert process.returncode == 1, output.decode()
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["wrong_answers"] == {}
    assert {failure["reason"] for failure in report["failures"]} <= {"UNAVAILABLE", "DEADLINE_EXCEEDED"}
    assert report["failures"]


def played(service: Service) -> float:
    return service.metric("grpc_server_handled_total", grpc_method="PlayMove")


def test_a_report_that_cannot_be_written_is_told_before_the_load(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["load", "127.0.0.1:1", "--html", str(tmp_path / "nowhere" / "report.html")])
    assert done.exit_code == 2
    assert "No such file" in done.output


def test_a_service_that_cannot_be_reached_is_told_by_the_exit_code_and_in_plain_words(tmp_path: Path) -> None:
    """Not only as what became of one address, such as an IPv6 one where the service listens on IPv4. An earlier report
    stays as it is.
    """
    (report := tmp_path / "report.json").write_text("an earlier one")
    done = CliRunner().invoke(main, ["load", "localhost:1", "--duration", "1", "--json", str(report)])
    assert done.exit_code == 3
    assert report.read_text() == "an earlier one"
    assert "Error: no load at localhost:1: nobody answers gRPC there, at no address of that name." in done.output
    assert "port of gRPC, which is 50051" in done.output


NUMBERS = [option.opts[0] for option in load.params if isinstance(option.type, click.FloatRange)]
"""The options that take any number of a range."""


@pytest.mark.parametrize("option", NUMBERS)
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e400"])
def test_a_number_that_is_not_finite_is_refused(option: str, value: str) -> None:
    done = CliRunner().invoke(main, ["load", "127.0.0.1:1", f"{option}={value}"])
    assert done.exit_code == 2
    assert option in done.output


def test_every_number_with_a_fraction_is_among_them() -> None:
    assert {"--duration", "--ramp", "--rate", "--think", "--errors", "--p99", "--min-rate"} <= set(NUMBERS)
    assert not [option.opts for option in load.params if option.type is click.FLOAT]


@pytest.mark.parametrize("target", ["http://localhost:8080", "https://localhost:8080"])
def test_a_target_that_is_a_url_is_refused_with_a_hint(target: str) -> None:
    done = CliRunner().invoke(main, ["load", target])
    assert done.exit_code == 2
    assert "host:port of gRPC" in done.output


@pytest.mark.parametrize("key", ["me:secret\n", "secret", "me:", ""])
def test_an_operators_key_that_is_none_or_that_no_header_can_bear_is_refused_and_not_told(key: str) -> None:
    done = CliRunner().invoke(main, ["load", "127.0.0.1:1", "--operator-key", key])
    assert done.exit_code == 2
    assert "operator's key" in done.output
    assert "secret" not in done.output.replace("id:secret", "")


def test_an_empty_variable_holds_no_operators_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHITEHALL_LOAD_OPERATOR_KEY", "")
    assert load.make_context("load", []).params["operator_key"] is None


@pytest.mark.parametrize("mix", ["chess=1", "new=x", "new=0", "new=-1,cluedo=2", "new=nan", "new=1,cluedo=inf"])
def test_a_mix_that_makes_no_sense_is_refused(mix: str) -> None:
    assert CliRunner().invoke(main, ["load", "--mix", mix]).exit_code == 2
