"""A refused field is named by its path in the request, exactly as a client would write it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from tests.api.positions import a_position
from tests.api.refusals import Refused, leads_somewhere, refused
from tests.api.table import Table, Yard, bearing
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2
from whitehall.gen.whitehall.scotlandyard.v1.move_pb2 import (
    PIECE_BLUE,
    PIECE_BOBBY1,
    PIECE_MR_X,
    PIECE_RED,
    TICKET_TAXI,
    DoubleMove,
    Move,
    Pass,
    Ride,
    Travel,
)
from whitehall.gen.whitehall.scotlandyard.v1.position_pb2 import (
    ListPositionLegalMovesRequest,
    Position,
    PositionMoves,
    ValidatePositionMovesRequest,
)
from whitehall.gen.whitehall.scotlandyard.v1.service_pb2 import CreateGameRequest, PlayMoveRequest, SeatSetup

Request = ListPositionLegalMovesRequest | ValidatePositionMovesRequest

MR_X_ALONE = SeatSetup(name="fugitive", pieces=[PIECE_MR_X])


def create(**fields: Any) -> CreateGameRequest:
    request = CreateGameRequest(preset="new", players=3)
    for name in fields:
        request.ClearField(name)  # type: ignore[arg-type]
    request.MergeFrom(CreateGameRequest(**fields))
    return request


def detective(piece: int, name: str = "", pieces: Sequence[int] = ()) -> SeatSetup:
    return SeatSetup(name=name, pieces=[piece, *pieces])  # type: ignore[list-item]


def question(text: str, mr_x: int = 45) -> ValidatePositionMovesRequest:
    position = a_position()
    position.mr_x = mr_x
    return ValidatePositionMovesRequest(questions=[PositionMoves(position=position, moves=[Move(text=text)])])


def play(*moves: Move, **fields: Any) -> PlayMoveRequest:
    return PlayMoveRequest(moves=moves, **fields)


def ride(station: int = 46, ticket: int = TICKET_TAXI) -> Ride:
    return Ride(ticket=ticket, station=station)  # type: ignore[arg-type]


def travel(station: int = 46, ticket: int = TICKET_TAXI, piece: int = 0) -> Move:
    return Move(travel=Travel(piece=piece, ticket=ticket, station=station))  # type: ignore[arg-type]


def asked(change: Callable[[Position], object], players: int = 3) -> Request:
    """Four positions, of which the last is wrong."""
    positions = [a_position(players) for _ in range(4)]
    change(positions[3])
    return ListPositionLegalMovesRequest(positions=positions)


CREATED = [
    (create(preset=""), "preset"),
    (create(preset="newer"), "preset"),
    (create(preset="x" * 65), "preset"),
    (create(players=0), "players"),
    (create(players=1), "players"),
    (create(players=7), "players"),
    (create(request_id="7"), "request_id"),
    (create(start_mode=9), "start_mode"),
    (create(client_seed="x" * 65), "client_seed"),
    (create(seats=[MR_X_ALONE, SeatSetup()]), "seats[1].pieces"),
    (create(seats=[MR_X_ALONE, SeatSetup(pieces=[PIECE_RED, PIECE_RED])]), "seats[1].pieces"),
    (create(seats=[MR_X_ALONE, detective(PIECE_RED, pieces=[0])]), "seats[1].pieces[1]"),
    (create(seats=[MR_X_ALONE, detective(PIECE_RED, pieces=[9])]), "seats[1].pieces[1]"),
    (create(seats=[SeatSetup(name="x" * 41, pieces=[PIECE_MR_X])]), "seats[0].name"),
    (create(seats=[MR_X_ALONE, detective(PIECE_RED, "fugitive"), detective(PIECE_BLUE)]), "seats[1].name"),
    (create(seats=[MR_X_ALONE, detective(PIECE_RED)]), "seats"),
    (create(seats=[detective(PIECE_RED), detective(PIECE_BLUE)]), "seats"),
    (create(seats=[MR_X_ALONE, detective(PIECE_RED, pieces=[PIECE_BLUE, PIECE_BOBBY1])]), "seats"),
    (create(seats=[MR_X_ALONE] * 7), "seats"),
]

PLAYED = [
    (play(), "moves"),
    (play(*[travel()] * 8), "moves"),
    (play(Move()), "moves[0].kind"),
    (play(travel(station=0)), "moves[0].travel.station"),
    (play(travel(station=10_000)), "moves[0].travel.station"),
    (play(travel(station=-1)), "moves[0].travel.station"),
    (play(travel(ticket=0)), "moves[0].travel.ticket"),
    (play(travel(ticket=6)), "moves[0].travel.ticket"),
    (play(travel(piece=9)), "moves[0].travel.piece"),
    (play(travel(), travel(station=0)), "moves[1].travel.station"),
    (play(Move(double_move=DoubleMove(first=ride()))), "moves[0].double_move.second"),
    (play(Move(double_move=DoubleMove(second=ride()))), "moves[0].double_move.first"),
    (play(Move(double_move=DoubleMove(first=ride(station=0), second=ride()))), "moves[0].double_move.first.station"),
    (play(Move(double_move=DoubleMove(first=ride(), second=ride(ticket=0)))), "moves[0].double_move.second.ticket"),
    (play(Move(pass_turn=Pass(piece=9))), "moves[0].pass_turn.piece"),  # type: ignore[arg-type]
    (play(Move(text="")), "moves[0].text"),
    (play(Move(text="x" * 121)), "moves[0].text"),
    (play(Move(text="walk 46")), "moves[0].text"),
    (play(Move(text="taxi 46 47")), "moves[0].text"),
    (play(travel(), Move(text="taxi")), "moves[1].text"),
    (play(travel(), Move(double_move=DoubleMove(first=ride(), second=ride()))), "moves[1]"),
    (play(travel(), Move(text="mr_x taxi 1; red taxi 2")), "moves[1]"),
    (play(travel(), request_id="{}"), "request_id"),
    (play(travel(), expected_revision=0), "expected_revision"),
]

# A detective seat moves its own piece and the Bobbies, so it must say which it means.
UNNAMED = [
    (play(travel()), "moves[0].travel.piece"),
    (play(travel(piece=PIECE_RED), travel()), "moves[1].travel.piece"),
    (play(Move(pass_turn=Pass())), "moves[0].pass_turn.piece"),
    (play(Move(text="taxi 46")), "moves[0].text"),
]

POSITIONS = [
    (ListPositionLegalMovesRequest(), "positions"),
    (ListPositionLegalMovesRequest(positions=[a_position()] * 257), "positions"),
    (ValidatePositionMovesRequest(questions=[PositionMoves(moves=[travel()])]), "questions[0].position"),
    (ValidatePositionMovesRequest(questions=[PositionMoves(position=a_position())]), "questions[0].moves"),
    (question(text="taxi 1 2"), "questions[0].moves[0].text"),
    (question(text="red taxi 1", mr_x=200), "questions[0].position.mr_x"),
    (asked(lambda position: setattr(position, "preset", "newer")), "positions[3].preset"),
    (asked(lambda position: setattr(position, "players", 1)), "positions[3].players"),
    (asked(lambda position: setattr(position, "players", 4)), "positions[3].hunters"),
    (asked(lambda position: setattr(position, "round", 0)), "positions[3].round"),
    (asked(lambda position: setattr(position, "round", 23)), "positions[3].round"),
    (asked(lambda position: setattr(position, "phase", 0)), "positions[3].phase"),
    (asked(lambda position: setattr(position, "phase", 3)), "positions[3].phase"),
    (asked(lambda position: setattr(position, "phase", 4)), "positions[3].phase"),
    (asked(lambda position: setattr(position, "mr_x", 0)), "positions[3].mr_x"),
    (asked(lambda position: setattr(position, "mr_x", 200)), "positions[3].mr_x"),
    (asked(lambda position: setattr(position, "mr_x", 13)), "positions[3].mr_x"),
    (asked(lambda position: setattr(position, "black_tickets", 6)), "positions[3].black_tickets"),
    (asked(lambda position: setattr(position, "black_tickets", -1)), "positions[3].black_tickets"),
    (asked(lambda position: setattr(position, "double_tickets", 3)), "positions[3].double_tickets"),
    (asked(lambda position: setattr(position, "moves_made", 5)), "positions[3].moves_made"),
    (asked(lambda position: position.ClearField("hunters")), "positions[3].hunters"),
    (asked(lambda position: position.hunters.reverse()), "positions[3].hunters"),
    (asked(lambda position: setattr(position.hunters[0], "station", 0)), "positions[3].hunters[0].station"),
    (asked(lambda position: setattr(position.hunters[1], "station", 200)), "positions[3].hunters[1].station"),
    (asked(lambda position: setattr(position.hunters[3], "station", 13)), "positions[3].hunters[3].station"),
    (asked(lambda position: setattr(position.hunters[0], "piece", 1)), "positions[3].hunters[0].piece"),
    (asked(lambda position: setattr(position.hunters[2], "has_moved", True)), "positions[3].hunters[2].has_moved"),
    (asked(lambda position: position.hunters[1].ClearField("tickets")), "positions[3].hunters[1].tickets"),
    (asked(lambda position: position.hunters[2].tickets.SetInParent()), "positions[3].hunters[2].tickets"),
    (asked(lambda position: setattr(position.hunters[1].tickets, "taxi", 12)), "positions[3].hunters[1].tickets"),
    (asked(lambda position: setattr(position.hunters[1].tickets, "bus", -1)), "positions[3].hunters[1].tickets.bus"),
    (asked(lambda position: position.shared_hand.SetInParent()), "positions[3].shared_hand"),
    (asked(lambda position: position.ClearField("shared_hand"), 2), "positions[3].shared_hand"),
    (asked(lambda position: setattr(position.shared_hand, "taxi", 23), 2), "positions[3].shared_hand"),
    (asked(lambda position: position.ClearField("supply")), "positions[3].supply"),
    (asked(lambda position: setattr(position.supply, "taxi", 46)), "positions[3].supply"),
    (asked(lambda position: setattr(position.supply, "taxi", 1000)), "positions[3].supply.taxi"),
]


@pytest.mark.parametrize(("request_", "field"), CREATED)
async def test_a_faulty_field_of_a_new_game_is_named(yard: Yard, request_: CreateGameRequest, field: str) -> None:
    with refused("INVALID_FIELD") as refusal:
        await yard.games.CreateGame(request_)
    check(refusal, request_, field)


@pytest.mark.parametrize(
    ("seat", "request_", "field"), [*((0, *row) for row in PLAYED), *((1, *row) for row in UNNAMED)]
)
async def test_a_faulty_field_of_a_move_is_named_before_any_rule_is_asked(
    table: Table, seat: int, request_: PlayMoveRequest, field: str
) -> None:
    request_.game_id = table.game_id
    with refused("INVALID_FIELD") as refusal:
        await table.calls.PlayMove(request_, metadata=bearing(table.seats[seat]))
    check(refusal, request_, field)


@pytest.mark.parametrize(("request_", "field"), POSITIONS)
async def test_a_faulty_field_of_one_position_of_a_batch_is_named(yard: Yard, request_: Request, field: str) -> None:
    with refused("INVALID_FIELD") as refusal:
        if isinstance(request_, ListPositionLegalMovesRequest):
            await yard.positions.ListPositionLegalMoves(request_)
        else:
            await yard.positions.ValidatePositionMoves(request_)
    check(refusal, request_, field)


async def test_the_other_methods_name_their_fields_too(yard: Yard) -> None:
    table = await yard.table(3)
    game_id = table.game_id
    for fields, field in (
        ({"seat": 64}, "seat"),
        ({"seat": -1}, "seat"),
        ({"seat": 3}, "seat"),
        ({"spectators": False}, "spectators"),
        ({"spectators": True}, "spectators"),
        ({"request_id": "1"}, "request_id"),
        ({"client_seed": "x" * 65}, "client_seed"),
    ):
        with refused("INVALID_FIELD") as refusal:
            await table.rotate(table.host, **fields)
        assert refusal.fields == [field]
    for filters, field in (({"piece": 9}, "piece"), ({"after": Ride(station=5)}, "after.ticket")):
        with refused("INVALID_FIELD") as refusal:
            await table.legal(0, **filters)
        assert refusal.fields == [field]
    for page_size, page_token, field in ((201, "", "page_size"), (-1, "", "page_size"), (0, "1", "page_token")):
        with refused("INVALID_FIELD") as refusal:
            await table.events(table.host, page_size, page_token)
        assert refusal.fields == [field]
    for bad_id in ("", "a" * 25, "a" * 27, "A" * 26, "1" * 26, game_id + "\n", game_id[:-1] + "\0"):
        with refused("INVALID_FIELD") as refusal:
            await yard.games.GetGame(service_pb2.GetGameRequest(game_id=bad_id), metadata=bearing(table.host))
        assert refusal.fields == ["game_id"]


async def test_a_request_that_is_wrong_in_several_places_names_them_all(yard: Yard) -> None:
    with refused("INVALID_FIELD") as refusal:
        await yard.games.CreateGame(CreateGameRequest(request_id="x", players=7, start_mode=9))  # type: ignore[arg-type]
    assert refusal.fields == ["request_id", "preset", "players", "start_mode"]


async def test_a_request_that_is_wrong_in_many_places_names_the_first_16(yard: Yard) -> None:
    """All of them would be more than a client accepts in trailers."""
    with refused("INVALID_FIELD") as refusal:
        await yard.positions.ListPositionLegalMoves(ListPositionLegalMovesRequest(positions=[Position()] * 200))
    assert len(refusal.fields) == 16
    assert refusal.metadata["field"] == refusal.fields[0]


def check(refusal: Refused, request: Message, field: str) -> None:
    """Refused for this field alone, in words, and the field is one of the request's."""
    assert refusal.fields == [field]
    assert refusal.metadata["field"] == field
    details = refusal.detail(error_details_pb2.BadRequest)
    assert details is not None
    assert details.field_violations[0].description
    assert leads_somewhere(request, field)
