"""Tables of what the app answers, forwards and backwards, under any numbers, and alike in calls and streams."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from tests.api.raw import exchange
from tests.api.table import Yard
from whitehall.games.scotland_yard import position_notation
from whitehall.games.scotland_yard.wire.positions import write_position
from whitehall.gen.whitehall.scotlandyard.v1 import investigation_pb2, master_pb2, move_pb2, position_pb2

SERVICE = "/whitehall.scotlandyard.v1.ScotlandYardPositionService"

OTHER_NUMBERS = investigation_pb2.AppGame(
    board="london-classic",
    options=master_pb2.MasterOptions(
        masts=master_pb2.Masts(stations=[1, 199, 89]),
        locate_near=3,
        locate_medium=7,
        near_radius=1,
        landmarks=master_pb2.Landmarks(
            landmarks=[
                master_pb2.Landmark(name="Corner", stations=[1, 9]),
                master_pb2.Landmark(name="Middle", stations=[89]),
                master_pb2.Landmark(name="Beside it", stations=[88, 105]),
            ]
        ),
    ),
)
GAMES = pytest.mark.parametrize("game", [investigation_pb2.AppGame(), OTHER_NUMBERS], ids=["default", "other numbers"])


async def ask(yard: Yard, method: str, *questions: Any) -> list[Any]:
    """The tables of one call."""
    request = getattr(position_pb2, f"{method}Request")(questions=questions)
    return list((await getattr(yard.positions, method)(request)).tables)


@GAMES
async def test_an_answer_of_locate_is_that_of_exactly_the_stations_that_it_leads_back_to(
    yard: Yard, game: investigation_pb2.AppGame
) -> None:
    (table,) = await ask(yard, "LocateStations", investigation_pb2.LocateQuestion(game=game))
    answers = {tuple(row.nearness) for row in table.stations}
    assert 1 < len(answers) <= 64
    back = [investigation_pb2.LocateQuestion(game=game, nearness=answer) for answer in answers]
    tables = await ask(yard, "LocateStations", *back)
    for answer, found in zip(answers, tables, strict=True):
        assert list(found.stations) == [row for row in table.stations if tuple(row.nearness) == answer]
    assert list(table.masts) == list(game.options.masts.stations or [13, 184, 94, 108])


@GAMES
async def test_a_distance_leads_back_to_every_station_that_a_scan_can_give_it_of(
    yard: Yard, game: investigation_pb2.AppGame
) -> None:
    (table,) = await ask(yard, "ScanStations", investigation_pb2.ScanQuestion(game=game))
    for row in table.stations:
        assert sorted(row.distances) == list(row.answers)
    distances = range(20)
    back = [investigation_pb2.ScanQuestion(game=game, distance=distance) for distance in distances]
    for distance, found in zip(distances, await ask(yard, "ScanStations", *back), strict=True):
        assert list(found.stations) == [row for row in table.stations if distance in row.answers]


@pytest.mark.parametrize(("mast", "answers"), [("NEAREST", [0]), ("FARTHEST", [12])])
async def test_a_scan_from_a_certain_mast_has_one_answer_for_each_station(
    yard: Yard, mast: str, answers: list[int]
) -> None:
    options = master_pb2.MasterOptions(scan_mast=master_pb2.ScanMast.Value(f"SCAN_MAST_{mast}"))
    question = investigation_pb2.ScanQuestion(game=investigation_pb2.AppGame(options=options), stations=[108])
    (table,) = await ask(yard, "ScanStations", question)
    assert [list(row.answers) for row in table.stations] == [answers]


@GAMES
async def test_landmarks_lead_back_to_the_stations_of_all_their_zones(
    yard: Yard, game: investigation_pb2.AppGame
) -> None:
    """And whoever is at such a station is told of by them, now; a move later they remember it."""
    (table,) = await ask(yard, "InterrogateStations", investigation_pb2.InterrogationQuestion(game=game))
    rows = list(table.stations)[:20]
    assert rows
    back = [investigation_pb2.InterrogationQuestion(game=game, landmarks=row.landmarks) for row in rows]
    for row, found in zip(rows, await ask(yard, "InterrogateStations", *back), strict=True):
        assert list(found.stations) == [each for each in table.stations if set(row.landmarks) <= set(each.landmarks)]
    there = [investigation_pb2.InterrogationQuestion(game=game, trail=[row.station]) for row in rows]
    for row, found in zip(rows, await ask(yard, "InterrogateStations", *there), strict=True):
        assert [(each.landmark, each.moves_ago) for each in found.statements] == [(name, 0) for name in row.landmarks]
    nowhere = next(station for station in range(1, 200) if station not in {row.station for row in table.stations})
    gone = [investigation_pb2.InterrogationQuestion(game=game, trail=[row.station, nowhere]) for row in rows]
    for row, found in zip(rows, await ask(yard, "InterrogateStations", *gone), strict=True):
        assert [(each.landmark, each.moves_ago) for each in found.statements] == [(name, 1) for name in row.landmarks]


async def test_with_a_radius_the_zone_takes_in_taxi_neighbours(yard: Yard) -> None:
    question = investigation_pb2.InterrogationQuestion(game=OTHER_NUMBERS, landmarks=["Corner"])
    (table,) = await ask(yard, "InterrogateStations", question)
    # Taxis join 1 to 8 and 9, and 9 to 1, 19 and 20.
    assert [row.station for row in table.stations] == [1, 8, 9, 19, 20]


async def test_a_station_is_where_tickets_lead_exactly_if_it_leads_back_by_them(yard: Yard) -> None:
    tickets = [move_pb2.TICKET_TAXI, move_pb2.TICKET_BLACK, move_pb2.TICKET_UNDERGROUND]
    origins = [1, 46, 89, 194]
    forth = [investigation_pb2.AnalysisQuestion(stations=[origin], tickets=tickets) for origin in origins]
    back = [
        investigation_pb2.AnalysisQuestion(stations=[end], tickets=tickets, backwards=True) for end in (13, 67, 140)
    ]
    led = [set(table.stations) for table in await ask(yard, "AnalyseStations", *forth)]
    for end, table in zip((13, 67, 140), await ask(yard, "AnalyseStations", *back), strict=True):
        assert [end in ends for ends in led] == [origin in table.stations for origin in origins]


QUESTIONS: dict[str, Message] = {
    "LocateStations": investigation_pb2.LocateQuestion(game=OTHER_NUMBERS),
    "ScanStations": investigation_pb2.ScanQuestion(game=OTHER_NUMBERS, distance=4),
    "InterrogateStations": investigation_pb2.InterrogationQuestion(game=OTHER_NUMBERS, trail=[9, 8, 18]),
    "AnalyseStations": investigation_pb2.AnalysisQuestion(stations=[46], tickets=[move_pb2.TICKET_BUS]),
}


@pytest.mark.parametrize("method", QUESTIONS)
async def test_a_stream_of_tables_has_the_bytes_of_single_calls(yard: Yard, method: str) -> None:
    request = getattr(position_pb2, f"{method}Request")(questions=[QUESTIONS[method]] * 2).SerializeToString()
    single = await exchange(yard.channel, f"{SERVICE}/{method}", request)
    stream: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
    stream = yard.channel.stream_stream(f"{SERVICE}/Stream{method}")
    assert [answer async for answer in stream(iter([request] * 3), timeout=20)] == [single] * 3


async def test_an_interrogation_in_a_position_is_followed_by_the_choice_that_it_leaves(yard: Yard) -> None:
    """On 89 with a radius of one: two landmarks of our own see him, and nobody remembers more than the position."""
    position = write_position(
        position_notation.parse("master 2 2 hunters mr_x@89 red@104 blue@46 bobby1@2 bobby2@5 moves:2 ")
    )
    position.overrides.Clear()
    position.overrides.board = "london-2013"
    position.overrides.master.CopyFrom(OTHER_NUMBERS.options)

    async def applied(at: position_pb2.Position, text: str) -> position_pb2.AppliedMoves:
        question = position_pb2.PositionMoves(position=at, moves=[move_pb2.Move(text=text)])
        request = position_pb2.ApplyPositionMovesRequest(questions=[question])
        return (await yard.positions.ApplyPositionMoves(request)).results[0]

    shown = await applied(position, "detectives interrogate")
    assert list(shown.events[0].interrogated.question_marks.landmarks) == ["Middle", "Beside it"]
    early = await applied(shown.position, "red taxi 86")
    assert early.violation.rule.id == "SY-ACTION-09"
    wrong = await applied(shown.position, 'detectives hear "Corner"')
    assert wrong.violation.rule.id == "SY-ACTION-11"
    heard = await applied(shown.position, 'detectives hear "Beside it"')
    assert heard.events[0].statement_heard == master_pb2.StatementHeard(landmark="Beside it", moves_ago=0)
    kinds = [finding.answer.WhichOneof("kind") for finding in heard.position.master.findings]
    assert kinds == ["interrogated", "statement_heard"]
