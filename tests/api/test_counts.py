"""What the metrics count of games: what happened, once each, however often it was asked for."""

from __future__ import annotations

from uuid import uuid4

from tests.api.refusals import refused
from tests.api.service import Service
from tests.api.table import Yard, bearing, move_texts
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2


class Counts:
    """The growth of the game counters since this was made."""

    NAMES = (
        "whitehall_games_created_total",
        "whitehall_games_finished_total",
        "whitehall_moves_accepted_total",
        "whitehall_moves_refused_total",
        "whitehall_duplicate_requests_total",
    )

    def __init__(self, service: Service) -> None:
        self._service = service
        self._before = self._now()

    def _now(self) -> list[float]:
        return [self._service.metric(name) for name in self.NAMES]

    def grown(self) -> dict[str, float]:
        """By counter, without those that have not grown."""
        growth = zip(self.NAMES, self._now(), self._before, strict=True)
        return {name.split("_", 1)[1]: now - before for name, now, before in growth if now != before}


async def test_a_game_is_made_once_however_often_it_is_asked_for(yard: Yard, service: Service) -> None:
    counts, request_id = Counts(service), str(uuid4())
    await yard.table(3, request_id=request_id)
    await yard.table(3, request_id=request_id)
    assert counts.grown() == {"games_created_total": 1, "duplicate_requests_total": 1}


async def test_moves_are_counted_one_by_one_and_once(yard: Yard, service: Service) -> None:
    table = await yard.table(2)
    counts, request_id = Counts(service), str(uuid4())
    ride = (await table.legal(0)).moves.pieces[0].rides[0].text
    await table.play(0, ride, request_id=request_id)
    await table.play(0, ride, request_id=request_id)
    assert counts.grown() == {"moves_accepted_total": 1, "duplicate_requests_total": 1}
    pieces = (await table.legal(1)).moves.pieces[:2]
    stations = set[int]()
    batch = []
    for piece in pieces:
        ride_ = next(ride for ride in piece.rides if ride.station not in stations)
        stations.add(ride_.station)
        batch.append(ride_.text)
    answer = await table.play(1, *batch)
    assert counts.grown()["moves_accepted_total"] == 3 - answer.moves_dropped


async def test_a_refused_move_is_counted_by_its_rule(yard: Yard, service: Service) -> None:
    table = await yard.table(3)
    counts = Counts(service)
    before = service.metric("whitehall_moves_refused_total", rule="SY-MOVE-02")
    with refused("ILLEGAL_MOVE") as refusal:
        await table.play(0, "taxi 199")
    assert refusal.metadata["rule"] == "SY-MOVE-02"
    assert service.metric("whitehall_moves_refused_total", rule="SY-MOVE-02") == before + 1
    assert counts.grown() == {"moves_refused_total": 1}


async def test_a_game_ends_once_whatever_is_done_afterwards(yard: Yard, service: Service) -> None:
    table = await yard.table(3)
    counts, request_id = Counts(service), str(uuid4())
    await table.abandon(request_id)
    await table.abandon(request_id)
    with refused("GAME_ENDED"):
        await table.rotate(table.host)
    with refused("GAME_ENDED"):
        await table.abandon()
    assert counts.grown() == {"games_finished_total": 1, "duplicate_requests_total": 1}
    assert move_texts((await table.legal(1)).moves) == []


async def test_a_deduction_is_counted_with_how_much_it_left_open(yard: Yard, service: Service) -> None:
    """Before Mr X's first ride he is where a start card may have put him that no hunter drew."""
    table = await yard.table(3)

    def counted() -> tuple[float, float]:
        sums = ("whitehall_deduction_seconds_count", "whitehall_deduction_possibilities_sum")
        count, possible = (service.metric(name, game="scotland-yard") for name in sums)
        return count, possible

    count, possible = counted()
    request = service_pb2.GetDeductionsRequest(game_id=table.game_id)
    found = (await table.calls.GetDeductions(request, metadata=bearing(table.seats[1]))).deductions
    assert counted() == (count + 1, possible + len(found.strong))
    assert len(found.strong) > 1
