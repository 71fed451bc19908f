"""Metrics: their names, the bound on their number, and that what was counted is what a scrape says."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterable

import pytest
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text

from whitehall.sessions.traffic import Traffic
from whitehall.telemetry.metrics import ABANDONED, CODES, Metrics

OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
SERVICE = "whitehall.scotlandyard.v1.ScotlandYardService"
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"

EXPECTED = {
    "grpc_server_started": ("counter", {"grpc_type", "grpc_service", "grpc_method", "transport"}),
    "grpc_server_handled": ("counter", {"grpc_type", "grpc_service", "grpc_method", "transport", "grpc_code"}),
    "grpc_server_handling_seconds": ("histogram", {"grpc_type", "grpc_service", "grpc_method", "transport"}),
    "whitehall_games_created": ("counter", {"game"}),
    "whitehall_games_finished": ("counter", {"game", "ended_by"}),
    "whitehall_moves_accepted": ("counter", {"game"}),
    "whitehall_moves_refused": ("counter", {"game", "rule"}),
    "whitehall_deduction_seconds": ("histogram", {"game"}),
    "whitehall_deduction_possibilities": ("histogram", {"game"}),
    "whitehall_watchers": ("gauge", {"game"}),
    "whitehall_long_answers": ("gauge", set()),
    "whitehall_long_answer_places": ("gauge", set()),
    "whitehall_long_answers_refused": ("counter", set()),
    "whitehall_store_operation_seconds": ("histogram", {"operation", "outcome"}),
    "whitehall_store_connections": ("gauge", set()),
    "whitehall_store_calls": ("gauge", set()),
    "whitehall_store_calls_waiting": ("gauge", set()),
    "whitehall_store_repeats": ("counter", set()),
    "whitehall_store_connects": ("counter", set()),
    "whitehall_store_conflicts": ("counter", set()),
    "whitehall_duplicate_requests": ("counter", set()),
    "whitehall_event_loop_lag_seconds": ("histogram", set()),
    "whitehall_log_lines_dropped": ("counter", set()),
    "whitehall_workers": ("gauge", set()),
    "whitehall_worker_restarts": ("counter", set()),
    "whitehall_ready": ("gauge", set()),
    "whitehall_build_info": ("gauge", {"version", "python"}),
}


@pytest.fixture
def metrics() -> Metrics:
    return Metrics(CollectorRegistry())


def scrape(metrics: Metrics) -> list[Metric]:
    body, _ = metrics.exposition("text/plain")
    return list(parse_text(body.decode()))


def value(metrics: Metrics, name: str, **labels: str) -> float:
    found = [
        sample.value
        for family in scrape(metrics)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    ]
    assert len(found) == 1, (name, labels, found)
    return found[0]


def use_everything(metrics: Metrics) -> None:
    """So that every metric has a series."""
    call = metrics.method(SERVICE, "PlayMove", "unary")
    call.started()
    call.handled("OK", 0.003)
    game = metrics.game("scotland-yard", ["SY-MOVE-04"])
    game.created()
    game.accepted()
    game.refused("SY-MOVE-04")
    game.finished(ABANDONED)
    game.deduced(0.01, 12)
    metrics.store_operation("write").observe("ok", 0.001)
    metrics.event_loop_lag.observe(0)


def test_the_metrics_are_those_that_dashboards_and_alerts_are_made_for(metrics: Metrics) -> None:
    use_everything(metrics)
    found = {
        family.name: (family.type, {label for sample in family.samples for label in sample.labels} - {"le"})
        for family in scrape(metrics)
        if family.name.startswith(("grpc_", "whitehall_"))
    }
    assert found == EXPECTED


def test_each_metric_describes_itself_as_it_is_scraped(metrics: Metrics) -> None:
    """What the documentation is made from, and what dashboards and alerts are checked against."""
    assert {each.name.removesuffix("_total"): (each.kind, set(each.labels)) for each in metrics.described} == EXPECTED


def test_names_follow_prometheus_own_rules(metrics: Metrics) -> None:
    """Counters end in _total and nothing else does; times are in seconds; names have no abbreviation of a unit."""
    use_everything(metrics)
    for family in scrape(metrics):
        assert re.fullmatch(r"[a-z][a-z0-9_]*", family.name), family.name
        assert not re.search(r"_(ms|msec|millis|milliseconds|us|minutes|kb|mb|count|sum|bucket)$", family.name), (
            family.name
        )
        assert family.documentation, family.name
        for sample in family.samples:
            assert sample.name.endswith("_total") == (family.type == "counter"), sample.name
            assert not sample.name.endswith("_created"), sample.name
            assert all(re.fullmatch(r"[a-z][a-z0-9_]*", label) for label in sample.labels), sample.name
        if family.type == "histogram":
            assert re.search(r"_(seconds|bytes|possibilities)$", family.name), family.name


def test_the_numbers_of_the_process_itself_are_there(metrics: Metrics) -> None:
    names = {family.name for family in scrape(metrics)}
    assert {"process_resident_memory_bytes", "process_cpu_seconds", "process_open_fds"} <= names


def test_a_call_is_counted_when_it_begins_and_when_it_ends(metrics: Metrics) -> None:
    method = metrics.method(SERVICE, "PlayMove", "unary")
    labels = {"grpc_service": SERVICE, "grpc_method": "PlayMove", "grpc_type": "unary", "transport": "grpc"}
    method.started()
    method.started()
    method.handled("ABORTED", 0.004)
    assert value(metrics, "grpc_server_started_total", **labels) == 2
    assert value(metrics, "grpc_server_handled_total", **labels, grpc_code="ABORTED") == 1
    assert value(metrics, "grpc_server_handled_total", **labels, grpc_code="OK") == 0
    assert value(metrics, "grpc_server_handling_seconds_count", **labels) == 1
    assert value(metrics, "grpc_server_handling_seconds_sum", **labels) == pytest.approx(0.004)
    assert value(metrics, "grpc_server_handling_seconds_bucket", **labels, le="0.0025") == 0
    assert value(metrics, "grpc_server_handling_seconds_bucket", **labels, le="0.005") == 1


def test_the_same_method_by_another_door_is_counted_apart(metrics: Metrics) -> None:
    by_grpc, by_rest = (metrics.method(SERVICE, "GetGame", "unary", door) for door in ("grpc", "rest"))
    by_grpc.started()
    by_grpc.started()
    by_rest.started()
    assert value(metrics, "grpc_server_started_total", transport="grpc") == 2
    assert value(metrics, "grpc_server_started_total", transport="rest") == 1


def test_a_transport_by_which_nobody_calls_a_method_has_no_histogram_of_it(metrics: Metrics) -> None:
    """Seventeen series for each method and transport, most of which would be at zero for good."""
    method = metrics.method(SERVICE, "GetGame", "unary", "rest")
    method.started()
    assert "grpc_server_handling_seconds_bucket" not in {
        each.name for family in scrape(metrics) for each in family.samples
    }
    method.handled("OK", 0.2)
    method.handled("OK", 0.2)
    assert value(metrics, "grpc_server_handling_seconds_count", transport="rest") == 2


def test_the_errors_that_alerts_watch_are_at_zero_before_the_first(metrics: Metrics) -> None:
    """An alert looks at the increase, and a series that starts at 1 has not increased."""
    metrics.method(SERVICE, "PlayMove", "unary")
    for code in ("UNKNOWN", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"):
        assert value(metrics, "grpc_server_handled_total", grpc_code=code) == 0
    metrics.store_operation("write")
    for outcome in ("unavailable", "fault"):
        assert value(metrics, "whitehall_store_operation_seconds_count", outcome=outcome) == 0


def test_games_and_moves_are_counted(metrics: Metrics) -> None:
    game = metrics.game("scotland-yard", ["SY-MOVE-04", "SY-END-01"])
    game.created()
    game.accepted()
    game.accepted(moves=4)
    game.refused("SY-MOVE-04")
    game.refused("SY-MOVE-04")
    game.finished("SY-END-01")
    game.finished(ABANDONED)
    assert value(metrics, "whitehall_games_created_total", game="scotland-yard") == 1
    assert value(metrics, "whitehall_moves_accepted_total", game="scotland-yard") == 5
    assert value(metrics, "whitehall_moves_refused_total", rule="SY-MOVE-04") == 2
    assert value(metrics, "whitehall_games_finished_total", ended_by="SY-END-01") == 1
    assert value(metrics, "whitehall_games_finished_total", ended_by=ABANDONED) == 1


def test_watchers_are_counted_while_they_watch_however_they_end(metrics: Metrics) -> None:
    game = metrics.game("scotland-yard", [])

    def lose_a_watcher() -> None:
        with game.watching():
            assert value(metrics, "whitehall_watchers", game="scotland-yard") == 2
            raise ConnectionResetError

    with game.watching():
        with pytest.raises(ConnectionResetError):
            lose_a_watcher()
        assert value(metrics, "whitehall_watchers", game="scotland-yard") == 1
    assert value(metrics, "whitehall_watchers", game="scotland-yard") == 0


def test_store_operations_are_timed_by_outcome(metrics: Metrics) -> None:
    write = metrics.store_operation("write")
    write.observe("ok", 0.002)
    write.observe("unavailable", 2.0)
    metrics.store_conflicts.inc()
    metrics.duplicate_requests.inc()
    assert value(metrics, "whitehall_store_operation_seconds_count", operation="write", outcome="ok") == 1
    assert value(metrics, "whitehall_store_operation_seconds_sum", operation="write", outcome="unavailable") == 2
    assert value(metrics, "whitehall_store_conflicts_total") == 1
    assert value(metrics, "whitehall_duplicate_requests_total") == 1


def test_a_deduction_is_timed_and_its_possibilities_are_counted(metrics: Metrics) -> None:
    game = metrics.game("scotland-yard", [])
    game.deduced(0.002, 13)
    game.deduced(0.2, 1)
    assert value(metrics, "whitehall_deduction_seconds_sum") == pytest.approx(0.202)
    assert value(metrics, "whitehall_deduction_possibilities_bucket", le="1.0") == 1
    assert value(metrics, "whitehall_deduction_possibilities_bucket", le="20.0") == 2
    assert value(metrics, "whitehall_deduction_possibilities_sum") == 14


async def test_what_goes_on_with_the_store_is_asked_for_at_each_scrape(metrics: Metrics) -> None:
    traffic = Traffic(limit=1)
    metrics.store_traffic_is(traffic)
    traffic.connected()
    traffic.repeats = 3
    async with traffic:
        waiting = asyncio.ensure_future(traffic.__aenter__())
        await asyncio.sleep(0)
        names = ("connections", "calls", "calls_waiting", "connects_total", "repeats_total")
        assert [value(metrics, f"whitehall_store_{name}") for name in names] == [1, 1, 1, 1, 3]
    await waiting
    assert value(metrics, "whitehall_store_calls_waiting") == 0
    assert value(metrics, "whitehall_store_calls") == 1
    await traffic.__aexit__()
    assert value(metrics, "whitehall_store_calls") == 0


def test_readiness_is_asked_for_at_each_scrape(metrics: Metrics) -> None:
    assert value(metrics, "whitehall_ready") == 0
    ready = True
    metrics.ready_is(lambda: ready)
    assert value(metrics, "whitehall_ready") == 1
    ready = False
    assert value(metrics, "whitehall_ready") == 0


def test_two_processes_worth_of_metrics_in_one_process_do_not_meet(metrics: Metrics) -> None:
    other = Metrics(CollectorRegistry())
    metrics.store_conflicts.inc()
    assert value(other, "whitehall_store_conflicts_total") == 0


def series(metrics: Metrics) -> set[tuple[str, tuple[tuple[str, str], ...]]]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))) for family in scrape(metrics) for sample in family.samples
    }


def test_ten_thousand_calls_of_every_kind_add_no_series_beyond_the_closed_sets(metrics: Metrics) -> None:
    """Codes, rules and outcomes that nobody has told of before share one series, `other`."""
    rules = [f"SY-MOVE-{number:02}" for number in range(20)]
    methods = [metrics.method(SERVICE, name, "unary") for name in ("PlayMove", "GetGame")]
    game = metrics.game("scotland-yard", rules)
    write = metrics.store_operation("write")
    chance = random.Random(10)

    def invented() -> str:
        return f"made-up-{chance.random()}"

    def one_of(known: Iterable[str]) -> str:
        return chance.choice([*known, invented()])

    for _ in range(10_000):
        chance.choice(methods).handled(one_of(CODES), 0.001, invented())
        game.refused(one_of(rules))
        game.finished(one_of([*rules, ABANDONED]))
        write.observe(one_of(["ok", "conflict"]), 0.001)  # type: ignore[arg-type]
    found = series(metrics)
    assert not [name for name, labels in found if any("made-up" in label for _, label in labels)]
    count = {name: sum(name == other for other, _ in found) for name, _ in found}
    assert count["grpc_server_handled_total"] == len(methods) * (len(CODES) + 1)
    assert count["whitehall_moves_refused_total"] == len(rules) + 1
    assert count["whitehall_games_finished_total"] == len(rules) + 2
    assert count["whitehall_store_operation_seconds_count"] == 5, "ok, conflict and other; and unavailable and fault"


def test_examples_with_a_trace_are_told_to_those_who_ask_for_openmetrics_only(metrics: Metrics) -> None:
    metrics.method(SERVICE, "PlayMove", "unary").handled("OK", 0.004, TRACE_ID)
    body, content_type = metrics.exposition(f"{OPENMETRICS},text/plain;q=0.5")
    assert content_type.startswith("application/openmetrics-text")
    exemplars = [
        (sample.labels["le"], sample.exemplar.labels, sample.exemplar.value)
        for family in parse_openmetrics(body.decode())  # type: ignore[no-untyped-call]
        for sample in family.samples
        if sample.exemplar is not None
    ]
    assert exemplars == [("0.005", {"trace_id": TRACE_ID}, 0.004)]

    body, content_type = metrics.exposition("*/*")
    assert content_type.startswith("text/plain")
    assert TRACE_ID not in body.decode()
