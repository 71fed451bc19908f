"""What is counted of calls whose callers have left."""

from __future__ import annotations

from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from whitehall.api.desk import Desk
from whitehall.api.endpoint import Duplex, Endpoint, ServerStream, Unary
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2, service_pb2
from whitehall.telemetry.metrics import Metrics

YARD = "whitehall.scotlandyard.v1.ScotlandYardService"
POSITIONS = "whitehall.scotlandyard.v1.ScotlandYardPositionService"


def _never(*_: Any) -> Any:
    raise AssertionError("nobody is asked")


GET = Unary(YARD, "GetGame", service_pb2.GetGameRequest, _never)
WATCH = ServerStream(YARD, "WatchGame", service_pb2.WatchGameRequest, _never)
BATCHES = Duplex(POSITIONS, "StreamListPositionLegalMoves", position_pb2.StreamListPositionLegalMovesRequest, _never)


@pytest.mark.parametrize(
    ("endpoint", "seconds", "code"),
    [
        (GET, None, "DEADLINE_EXCEEDED"),
        (GET, 0.0, "DEADLINE_EXCEEDED"),
        (GET, 60.0, "CANCELLED"),
        (WATCH, None, "CANCELLED"),
        (WATCH, 0.0, "DEADLINE_EXCEEDED"),
        (WATCH, 60.0, "CANCELLED"),
        (BATCHES, None, "CANCELLED"),
        (BATCHES, 0.0, "DEADLINE_EXCEEDED"),
    ],
)
async def test_who_leaves_is_late_only_where_there_was_an_end_to_be_late_for(
    endpoint: Endpoint, seconds: float | None, code: str
) -> None:
    """A page that is closed after half an hour of watching is no fault of ours, and must not be counted as one."""
    registry = CollectorRegistry()
    visit = Desk(Metrics(registry), concurrent_calls=1, default_deadline=0).method(endpoint, "grpc").visit({}, seconds)
    visit.begin()
    visit.left()
    counted = {
        sample.labels["grpc_code"]: sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == "grpc_server_handled_total" and sample.labels["grpc_method"] == endpoint.name
    }
    assert [found for found, number in counted.items() if number] == [code]
