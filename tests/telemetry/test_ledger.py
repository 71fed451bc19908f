"""The ledger: several processes' metrics as one, whatever becomes of the processes."""

from __future__ import annotations

import json
import time
from functools import partial
from operator import eq

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text

from whitehall.telemetry.ledger import Ledger
from whitehall.telemetry.metrics import Metrics

SERVICE = "whitehall.scotlandyard.v1.ScotlandYardService"
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"


class Process:
    """A process that reports to the ledger, by JSON as over the link."""

    def __init__(self, ledger: Ledger, number: int) -> None:
        self._ledger = ledger
        self._number = number
        self.metrics = Metrics(CollectorRegistry())
        self.metrics.workers.set(1)
        self.method = self.metrics.method(SERVICE, "PlayMove", "unary")
        self.game = self.metrics.game("scotland-yard", ["SY-MOVE-04"])

    def reports(self) -> None:
        self._ledger.heard(self._number, json.loads(json.dumps(self.metrics.report())))

    def ends(self) -> None:
        self._ledger.gone(self._number)


def total(ledger: Ledger, name: str, **labels: str) -> float:
    text, _ = ledger.exposition("text/plain")
    found = [
        sample.value
        for family in parse_text(text.decode())
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    ]
    assert len(found) == 1, (name, found)
    return found[0]


def test_what_several_processes_counted_is_added_up() -> None:
    ledger = Ledger()
    here, there = Process(ledger, 1), Process(ledger, 2)
    here.game.accepted(3)
    there.game.accepted(4)
    there.game.refused("SY-MOVE-04")
    here.method.handled("OK", 0.004)
    there.method.handled("OK", 0.4)
    here.reports()
    there.reports()
    assert total(ledger, "whitehall_moves_accepted_total") == 7
    assert total(ledger, "whitehall_moves_refused_total") == 1, "a series that only one of them has"
    assert total(ledger, "grpc_server_handling_seconds_count") == 2
    assert total(ledger, "grpc_server_handling_seconds_bucket", le="0.005") == 1
    assert total(ledger, "grpc_server_handling_seconds_sum") == pytest.approx(0.404)
    assert total(ledger, "whitehall_workers") == 2


def test_a_process_that_reports_again_is_not_counted_twice() -> None:
    ledger = Ledger()
    process = Process(ledger, 1)
    process.game.created()
    process.reports()
    process.game.created()
    process.reports()
    assert total(ledger, "whitehall_games_created_total") == 2


def test_what_was_counted_outlives_its_process_and_what_is_so_now_does_not() -> None:
    ledger = Ledger()
    first, second = Process(ledger, 1), Process(ledger, 2)
    with first.game.watching(), second.game.watching():
        first.game.accepted(5)
        second.game.accepted(6)
        first.reports()
        second.reports()
        assert total(ledger, "whitehall_watchers") == 2
        first.ends()
        assert total(ledger, "whitehall_watchers") == 1
    assert total(ledger, "whitehall_moves_accepted_total") == 11
    third = Process(ledger, 3)
    third.game.accepted(7)
    third.reports()
    assert total(ledger, "whitehall_moves_accepted_total") == 18
    assert total(ledger, "whitehall_workers") == 2
    third.ends()
    third.ends()
    assert total(ledger, "whitehall_moves_accepted_total") == 18, "an end that is told twice"


def test_calls_that_a_process_had_open_end_with_it_and_their_callers_lost_them() -> None:
    ledger = Ledger()
    killed, lives = Process(ledger, 1), Process(ledger, 2)
    for process in (killed, lives):
        stream = process.metrics.method(SERVICE, "WatchGame", "server_stream")
        for _ in range(3):
            stream.started()
            process.method.started()
        stream.handled("CANCELLED", 1.0)
        process.method.handled("OK", 0.1)
        process.method.handled("UNAVAILABLE", 0.1)
        process.reports()
    watch, play = {"grpc_method": "WatchGame"}, {"grpc_method": "PlayMove"}
    killed.ends()
    assert total(ledger, "grpc_server_started_total", **watch) == 6
    assert total(ledger, "grpc_server_handled_total", grpc_code="UNAVAILABLE", **watch) == 2
    assert total(ledger, "grpc_server_handled_total", grpc_code="CANCELLED", **watch) == 2
    assert total(ledger, "grpc_server_handled_total", grpc_code="UNAVAILABLE", **play) == 3
    assert total(ledger, "grpc_server_handled_total", grpc_code="OK", **play) == 2
    killed.ends()
    assert total(ledger, "grpc_server_handled_total", grpc_code="UNAVAILABLE", **watch) == 2, "told twice"


def test_of_a_process_that_has_ended_all_its_calls_none_is_counted_again() -> None:
    ledger = Ledger()
    process = Process(ledger, 1)
    for code in ("OK", "NOT_FOUND", "OK"):
        process.method.started()
        process.method.handled(code, 0.1)
    process.reports()
    process.ends()
    assert total(ledger, "grpc_server_handled_total", grpc_code="UNAVAILABLE") == 0
    assert total(ledger, "grpc_server_handled_total", grpc_code="OK") == 2
    assert total(ledger, "grpc_server_started_total") == 3


def test_of_what_all_processes_have_alike_there_is_no_sum() -> None:
    ledger = Ledger()
    for number in (1, 2, 3):
        process = Process(ledger, number)
        process.metrics.ready_is(partial(eq, number, 2))
        process.reports()
    assert total(ledger, "whitehall_ready") == 1
    assert total(ledger, "whitehall_build_info") == 1


def test_open_files_and_their_limit_are_those_of_one_process() -> None:
    """The sum of the one against the limit of one process would tell of a lack that there is not."""
    ledger = Ledger()
    for number in (1, 2, 3):
        gauge: tuple[object, ...] = (
            "process_open_fds",
            "gauge",
            "Open files.",
            [("process_open_fds", {}, 10.0 * number, None)],
        )
        ledger.heard(number, [gauge])
    assert total(ledger, "process_open_fds") == 30


def test_examples_are_told_and_the_format_of_openmetrics_is_kept() -> None:
    ledger = Ledger()
    here, there = Process(ledger, 1), Process(ledger, 2)
    here.method.handled("OK", 0.004, TRACE_ID)
    there.method.handled("UNAVAILABLE", 0.004)
    here.reports()
    there.reports()
    text, content_type = ledger.exposition("application/openmetrics-text; version=1.0.0")
    assert content_type.startswith("application/openmetrics-text")
    exemplars = [
        sample.exemplar.labels
        for family in parse_openmetrics(text.decode())  # type: ignore[no-untyped-call]
        for sample in family.samples
        if sample.exemplar is not None
    ]
    assert exemplars == [{"trace_id": TRACE_ID}]


def test_thousands_of_processes_that_came_and_went_make_a_scrape_no_longer() -> None:
    """There is nothing left of them but sums."""
    ledger = Ledger()
    process = Process(ledger, 1)
    process.game.created()
    process.reports()
    alone, _ = ledger.exposition("text/plain")
    report = process.metrics.report()
    for number in range(2, 300):
        ledger.heard(number, report)
        ledger.gone(number)
    assert len(ledger.exposition("text/plain")[0]) <= len(alone) * 1.1
    assert total(ledger, "whitehall_games_created_total") == 299


def test_a_scrape_over_four_processes_takes_no_more_than_a_fifth_of_a_second_of_the_processor() -> None:
    ledger = Ledger()
    for number in range(4):
        process = Process(ledger, number)
        for name in range(70):
            process.metrics.method(SERVICE, f"Method{name}", "unary").handled("OK", 0.1)
        process.reports()
    spent = []
    for _ in range(3):  # another process on the same core makes it more, and nothing makes it less
        began = time.process_time()
        ledger.exposition("text/plain")
        spent.append(time.process_time() - began)
    assert min(spent) < 0.2
