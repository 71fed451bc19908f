"""The app game through the service: special actions, tables to colour a map with, and what each seat is told."""

from __future__ import annotations

import io
import threading
from typing import Any

import grpc
import pytest

from tests.api.live import live
from tests.api.provoked import a_puzzling_game, wide_landmarks
from tests.api.refusals import refused
from tests.api.table import Table, Yard, bearing
from tests.games.scotland_yard.reference import LINES, reached
from whitehall.games.scotland_yard import position_notation
from whitehall.games.scotland_yard.hearing import MOST_CASES
from whitehall.games.scotland_yard.wire import deductions
from whitehall.games.scotland_yard.wire.positions import write_position
from whitehall.gen.whitehall.scotlandyard.v1 import (
    deduction_pb2,
    investigation_pb2,
    master_pb2,
    move_pb2,
    position_pb2,
    service_pb2,
)
from whitehall.gen.whitehall.scotlandyard.v1.master_pb2 import NEARNESS_FAR, NEARNESS_MEDIUM, NEARNESS_NEAR
from whitehall.sessions.redis_store import RedisStore

SCENE = "master 2 1 {turn} mr_x@{mr_x} red@104 blue@46 bobby1@2 bobby2@5"


def scene(turn: str, mr_x: int) -> position_pb2.Position:
    return write_position(position_notation.parse(SCENE.format(turn=turn, mr_x=mr_x)))


def taxi_moves(origin: int) -> dict[int, int]:
    """Taxi moves to every station, by the reference's own lines."""
    distances, to_visit = {origin: 0}, [origin]
    for here in to_visit:
        for there in LINES["taxi"][here] - distances.keys():
            distances[there] = distances[here] + 1
            to_visit.append(there)
    return distances


MASTS = {mast: taxi_moves(mast) for mast in (13, 184, 94, 108)}


async def test_one_call_tells_locate_of_every_station(yard: Yard) -> None:
    asked = position_pb2.LocateStationsRequest(questions=[investigation_pb2.LocateQuestion()])
    (table,) = (await yard.positions.LocateStations(asked)).tables
    assert list(table.masts) == list(MASTS)
    assert [row.station for row in table.stations] == list(range(1, 200))
    for row in table.stations:
        distances = [MASTS[mast][row.station] for mast in MASTS]
        assert list(row.distances) == distances
        assert list(row.nearness) == [
            NEARNESS_NEAR if distance <= 5 else NEARNESS_MEDIUM if distance <= 10 else NEARNESS_FAR
            for distance in distances
        ]


async def test_an_answer_of_locate_is_turned_into_its_stations(yard: Yard) -> None:
    wanted = [NEARNESS_FAR, NEARNESS_NEAR, master_pb2.NEARNESS_UNSPECIFIED, NEARNESS_MEDIUM]
    asked = position_pb2.LocateStationsRequest(questions=[investigation_pb2.LocateQuestion(nearness=wanted)])
    (table,) = (await yard.positions.LocateStations(asked)).tables
    assert 153 in [row.station for row in table.stations]
    assert [row.station for row in table.stations] == [
        station
        for station in range(1, 200)
        if MASTS[13][station] > 10 and MASTS[184][station] <= 5 and 6 <= MASTS[108][station] <= 10
    ]


async def test_t34_a_scan_of_108_can_answer_0_8_10_or_12_and_names_no_mast(yard: Yard) -> None:
    questions = [investigation_pb2.ScanQuestion(stations=[108]), investigation_pb2.ScanQuestion(distance=8)]
    of_108, of_8 = (await yard.positions.ScanStations(position_pb2.ScanStationsRequest(questions=questions))).tables
    assert list(of_108.stations[0].answers) == [0, 8, 10, 12]
    assert [row.station for row in of_8.stations] == [
        station for station in range(1, 200) if 8 in [distances[station] for distances in MASTS.values()]
    ]


async def test_an_interrogation_of_a_trail_and_the_zones_of_a_landmark(yard: Yard) -> None:
    questions = [
        investigation_pb2.InterrogationQuestion(trail=[13, 23, 67]),
        investigation_pb2.InterrogationQuestion(landmarks=["King's Cross"]),
    ]
    asked = position_pb2.InterrogateStationsRequest(questions=questions)
    trail, zones = (await yard.positions.InterrogateStations(asked)).tables
    told = [(statement.landmark, statement.moves_ago) for statement in trail.statements]
    assert told == [("King's Cross", 2), ("British Museum", 0)]
    assert [row.station for row in zones.stations] == [4, 13]
    assert len(trail.stations) == 69


async def test_analysis_forwards_and_backwards(yard: Yard) -> None:
    bus, taxi = move_pb2.TICKET_BUS, move_pb2.TICKET_TAXI
    questions = [
        investigation_pb2.AnalysisQuestion(stations=[46], tickets=[bus]),
        investigation_pb2.AnalysisQuestion(stations=[1], tickets=[taxi, bus], backwards=True),
        investigation_pb2.AnalysisQuestion(tickets=[move_pb2.TICKET_HELICOPTER]),
    ]
    asked = position_pb2.AnalyseStationsRequest(questions=questions)
    forwards, backwards, anywhere = (await yard.positions.AnalyseStations(asked)).tables
    assert list(forwards.stations) == [1, 34, 58, 78]
    assert list(backwards.stations) == sorted({a for b in reached(1, "bus") for a in reached(b, "taxi")})
    assert len(anywhere.stations) == 199


async def test_where_each_ticket_of_mr_x_leads(yard: Yard) -> None:
    asked = position_pb2.ListDestinationsRequest(positions=[scene("mr_x", 157), scene("hunters", 170)])
    his, theirs = (await yard.positions.ListDestinations(asked)).destinations
    (piece,) = his.pieces
    by_ticket = {found.ticket: found for found in piece.tickets}
    for word, ticket in (("taxi", 1), ("bus", 2), ("black", 4)):
        assert list(by_ticket[ticket].stations) == sorted(reached(157, word))  # type: ignore[index]
    flights = by_ticket[move_pb2.TICKET_HELICOPTER]
    assert set(flights.stations) == set(range(1, 200)) - {157, 104, 46, 2, 5}
    assert (flights.left, by_ticket[move_pb2.TICKET_BLACK].left) == (1, 5)
    assert [move_pb2.Piece.Name(piece.piece) for piece in theirs.pieces] == [
        "PIECE_RED",
        "PIECE_BLUE",
        "PIECE_BOBBY1",
        "PIECE_BOBBY2",
    ]
    assert not theirs.pieces[2].tickets[0].HasField("left")


async def test_a_move_that_leaves_something_to_chance_takes_its_draws_from_the_question(yard: Yard) -> None:
    question = position_pb2.PositionMoves(position=scene("hunters", 108), moves=[move_pb2.Move(text="detectives scan")])
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await yard.positions.ApplyPositionMoves(position_pb2.ApplyPositionMovesRequest(questions=[question]))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "questions[0].draws[0]" in (refused.value.details() or "")
    question.draws.append(1)
    applied = await yard.positions.ApplyPositionMoves(position_pb2.ApplyPositionMovesRequest(questions=[question]))
    (result,) = applied.results
    assert result.events[0].scanned.distance == 8
    again = position_pb2.PositionMoves(position=result.position, moves=[move_pb2.Move(text="detectives locate")])
    judged = await yard.positions.ValidatePositionMoves(position_pb2.ValidatePositionMovesRequest(questions=[again]))
    assert [violation.rule.id for violation in judged.judgements[0].violations] == ["SY-ACTION-04"]


WRONG = [
    (investigation_pb2.LocateQuestion(stations=[200]), "stations[0]"),
    (investigation_pb2.LocateQuestion(nearness=[NEARNESS_NEAR]), "nearness"),
    (
        investigation_pb2.LocateQuestion(
            game=investigation_pb2.AppGame(options=master_pb2.MasterOptions(masts=master_pb2.Masts(stations=[13, 200])))
        ),
        "game.options.masts",
    ),
    (
        investigation_pb2.LocateQuestion(
            game=investigation_pb2.AppGame(options=master_pb2.MasterOptions(locate_near=10))
        ),
        "game.options.locate_medium",
    ),
    (
        investigation_pb2.LocateQuestion(
            game=investigation_pb2.AppGame(options=master_pb2.MasterOptions(actions_per_round=0))
        ),
        "game.options.actions_per_round",
    ),
    (investigation_pb2.LocateQuestion(game=investigation_pb2.AppGame(board="atlantis")), "game.board"),
]


@pytest.mark.parametrize(("question", "field"), WRONG)
async def test_a_wrong_question_is_refused_by_its_field(
    yard: Yard, question: investigation_pb2.LocateQuestion, field: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await yard.positions.LocateStations(position_pb2.LocateStationsRequest(questions=[question]))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert f"questions[0].{field}" in (refused.value.details() or "")


async def test_an_unknown_landmark_and_too_long_a_trail_are_refused(yard: Yard) -> None:
    for question, field in (
        (investigation_pb2.InterrogationQuestion(landmarks=["The Moon"]), "landmarks[0]"),
        (investigation_pb2.InterrogationQuestion(trail=[1, 8, 18, 8]), "trail"),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await yard.positions.InterrogateStations(position_pb2.InterrogateStationsRequest(questions=[question]))
        assert f"questions[0].{field}" in (refused.value.details() or "")


# ---- Deductions that would take too long, or some time


def puzzling_log(hindsight: bool = False) -> deduction_pb2.PublicLog:
    """Three flights past wide landmarks, at all of which he was seen."""
    log = deduction_pb2.PublicLog(master=wide_landmarks(), hindsight=hindsight)
    for _ in range(3):
        log.rounds.add(helicopter_tickets=1).rides.add(ticket=move_pb2.TICKET_HELICOPTER)
    names = [landmark.name for landmark in log.master.landmarks.landmarks]
    log.rounds[-1].answers.add().interrogated.question_marks.landmarks.extend(names)
    return log


@pytest.mark.parametrize("hindsight", [False, True])
async def test_a_log_with_too_many_cases_is_refused_by_the_field_to_change(yard: Yard, hindsight: bool) -> None:
    logs = [deduction_pb2.PublicLog(), puzzling_log(hindsight)]
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await yard.positions.ListPossibleLocations(position_pb2.ListPossibleLocationsRequest(logs=logs))
    assert refusal.fields == ["logs[1].master"]
    assert "recent_window" in refusal.message


async def test_a_game_with_too_many_cases_can_be_played_on(yard: Yard) -> None:
    table = await a_puzzling_game(yard)
    for fields in ({}, {"hindsight": True}, {"prospects": True}):
        request = service_pb2.GetDeductionsRequest(game_id=table.game_id, **fields)
        with refused("TOO_MUCH_WORK", grpc.StatusCode.RESOURCE_EXHAUSTED) as refusal:
            await yard.games.GetDeductions(request, metadata=bearing(table.seats[1]))
        assert refusal.metadata == {"limit": str(MOST_CASES)}
        assert "history of this game" in refusal.message
    # Mr X was told nothing of what makes the cases so many.
    request = service_pb2.GetDeductionsRequest(game_id=table.game_id)
    assert (await yard.games.GetDeductions(request, metadata=bearing(table.mr_x))).deductions.strong
    await table.play_on(3)


async def test_deductions_with_the_app_are_worked_out_apart_from_other_calls_and_all_others_at_once(
    store: RedisStore, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What can take a second must let others be answered meanwhile; for what takes no time a thread would cost more."""
    apart: list[bool] = []
    write = deductions.write_deductions

    def watched(*args: Any) -> deduction_pb2.PossibleLocations:
        apart.append(threading.current_thread() is not threading.main_thread())
        return write(*args)

    monkeypatch.setattr(deductions, "write_deductions", watched)
    async with live(store) as service:
        for preset, is_apart in (("new", False), ("master", True)):
            asked = service_pb2.CreateGameRequest(preset=preset, players=3)
            table = Table(service.yard, await service.yard.games.CreateGame(asked))
            request = service_pb2.GetDeductionsRequest(game_id=table.game_id)
            await table.calls.GetDeductions(request, metadata=bearing(table.host))
            written = deduction_pb2.PublicLog()
            if preset == "master":
                written.master.SetInParent()
            both = position_pb2.ListPossibleLocationsRequest(logs=[written, written])
            await service.yard.positions.ListPossibleLocations(both)
            assert apart == [is_apart] * 3
            apart.clear()
