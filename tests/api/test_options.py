"""Presets and options through the API: what a host asks for is in force, told, kept, and refused by name."""

from __future__ import annotations

from random import Random
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2

from tests.api.refusals import leads_somewhere, refused
from tests.api.table import Table, Yard
from whitehall.gen.whitehall.scotlandyard.v1 import (
    game_pb2,
    master_pb2,
    move_pb2,
    options_pb2,
    position_pb2,
    service_pb2,
)
from whitehall.gen.whitehall.scotlandyard.v1.master_pb2 import Landmark, Landmarks, MasterOptions

LOG_FULL = options_pb2.END_BY_LOG_FULL
UNLIMITED = options_pb2.MR_X_SUPPLY_UNLIMITED


async def table_of(yard: Yard, preset: str, players: int, **overrides: Any) -> Table:
    """A new game of a preset; `overrides` are fields of Options."""
    request = service_pb2.CreateGameRequest(preset=preset, players=players, overrides=options_pb2.Options(**overrides))
    return Table(yard, await yard.games.CreateGame(request))


async def test_sy06_the_classic_edition_is_dealt_by_its_table(yard: Yard) -> None:
    view = (await table_of(yard, "classic", 3)).created.game.view
    assert (view.preset, view.board, view.log_fields) == ("classic", "london-classic", 24)
    assert [len(seat.pieces) for seat in view.seats] == [1, 2, 2]
    assert view.options.end_by == LOG_FULL
    assert not view.options.HasField("rounds")
    assert view.supply == move_pb2.Tickets(taxi=4, bus=3, underground=3)
    assert (view.mr_x.black_tickets, view.mr_x.double_tickets) == (4, 2)
    for hunter in view.hunters:
        assert hunter.tickets == move_pb2.Tickets(taxi=10, bus=8, underground=4)


@pytest.mark.parametrize("preset", ["new", "classic"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
async def test_sy06_detectives_have_no_black_and_no_double_tickets(yard: Yard, preset: str, players: int) -> None:
    table = await table_of(yard, preset, players)
    assert all(hunter.tickets.black == 0 for hunter in table.created.game.view.hunters)
    judged = await table.validate(1, "red black 1")
    assert not judged.legal
    assert "SY-TICKET-04" in {violation.rule.id for violation in judged.violations}


@pytest.mark.parametrize("preset", ["", "New", "classics", "old"])
async def test_sy06_an_unknown_edition_is_refused_and_never_defaulted(yard: Yard, preset: str) -> None:
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT):
        await yard.games.CreateGame(service_pb2.CreateGameRequest(preset=preset, players=3))


async def test_what_is_asked_for_is_in_force_and_told(yard: Yard) -> None:
    table = await table_of(
        yard, "new", 3, house_rules=["fast"], detective_black_tickets=1, bobbies=1, mr_x_supply=UNLIMITED
    )
    view = table.created.game.view
    assert (view.rounds, view.log_fields, list(view.surfacing)) == (13, 15, [3, 8, 13])
    assert (view.options.rounds, list(view.options.surfacing.fields)) == (13, [3, 8, 13])
    assert view.options.house_rules == []
    assert len(view.hunters) == 3
    assert [hunter.tickets.black for hunter in view.hunters] == [1, 1, 0]
    assert not view.HasField("supply")
    assert not view.round_starts[0].HasField("supply")


async def test_options_are_kept_with_the_game_and_told_in_its_record(yard: Yard) -> None:
    """A record's options, sent as they are, make the same game again."""
    table = await table_of(yard, "classic", 4, house_rules=["invisible"], log_fields=6, last_black_wins=True)
    before = table.created.game.view.options
    random = Random(3)
    for _ in range(60):
        view = (await table.get()).view
        assert view.options == before
        if view.HasField("outcome"):
            break
        await play_some(table, view, random)
    record = await table.record(table.host)
    assert record.options == before
    request = service_pb2.CreateGameRequest(preset=record.preset, players=record.players, overrides=record.options)
    assert (await yard.games.CreateGame(request)).game.view.options == before


async def play_some(table: Table, view: game_pb2.View, random: Random) -> None:
    """One random move of whoever is to move."""
    for seat in range(len(view.seats)):
        listed = (await table.legal(seat, singles_only=True)).moves
        for moves in listed.pieces:
            if moves.rides:
                await table.play(seat, random.choice(moves.rides).text)
                return


@pytest.mark.parametrize(
    ("preset", "overrides", "field", "rule"),
    [
        ("new", {"rounds": 30}, "overrides.log_fields", "SY-OPTION-13"),
        ("new", {"house_rules": ["slow"]}, "overrides.house_rules[0]", "SY-OPTION-07"),
        ("new", {"board": "paris"}, "overrides.board", "SY-OPTION-09"),
        ("classic", {"rounds": 20}, "overrides.rounds", "SY-OPTION-10"),
        ("new", {"mr_x_hand": move_pb2.Tickets(taxi=1)}, "overrides.mr_x_hand", "SY-OPTION-10"),
        (
            "new",
            {"detective_tickets": move_pb2.Tickets(bus=999)},
            "overrides.detective_tickets.bus",
            "SY-OPTION-08",
        ),
        (
            "new",
            {"surfacing": options_pb2.Surfacing(fields=[3, 8, 8])},
            "overrides.surfacing.fields[2]",
            "SY-OPTION-14",
        ),
        (
            "new",
            {"start_cards_mr_x": options_pb2.StartCards(stations=[35, 45, 35])},
            "overrides.start_cards_mr_x.stations[2]",
            "SY-OPTION-15",
        ),
        ("new", {"master": MasterOptions(cooldown=1)}, "overrides.master", "SY-OPTION-19"),
        (
            "master",
            {"master": MasterOptions(masts=master_pb2.Masts(stations=[13, 200]))},
            "overrides.master.masts.stations[1]",
            "SY-OPTION-20",
        ),
        (
            "master",
            {"master": MasterOptions(locate_near=6, locate_medium=6)},
            "overrides.master.locate_medium",
            "SY-OPTION-21",
        ),
        (
            "master",
            {"master": MasterOptions(landmarks=Landmarks(landmarks=[Landmark(name="A", stations=[1, 200])]))},
            "overrides.master.landmarks.landmarks[0].stations[1]",
            "SY-OPTION-22",
        ),
        (
            "master",
            {"master": MasterOptions(meeting_fields=master_pb2.MeetingFields(fields=[3, 25]))},
            "overrides.master.meeting_fields.fields[1]",
            "SY-OPTION-23",
        ),
    ],
)
async def test_what_cannot_be_is_refused_with_field_and_rule(
    yard: Yard, preset: str, overrides: dict[str, Any], field: str, rule: str
) -> None:
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await table_of(yard, preset, 3, **overrides)
    assert refusal.fields == [field]
    assert refusal.metadata == {"field": field, "rule": rule}
    assert leads_somewhere(service_pb2.CreateGameRequest(), field)
    bad = refusal.detail(error_details_pb2.BadRequest)
    assert bad is not None
    assert rule in bad.field_violations[0].description


@pytest.mark.parametrize(
    ("overrides", "field"),
    [
        ({"rounds": 0}, "overrides.rounds"),
        ({"rounds": 49}, "overrides.rounds"),
        ({"bobbies": 3}, "overrides.bobbies"),
        ({"end_by": 0}, "overrides.end_by"),
        ({"end_by": 9}, "overrides.end_by"),
        ({"surfacing": options_pb2.Surfacing(fields=[0])}, "overrides.surfacing.fields[0]"),
        ({"start_cards_mr_x": options_pb2.StartCards()}, "overrides.start_cards_mr_x.stations"),
    ],
)
async def test_a_number_out_of_its_range_is_refused_by_its_field(
    yard: Yard, overrides: dict[str, Any], field: str
) -> None:
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await table_of(yard, "new", 3, **overrides)
    assert refusal.fields == [field]


async def test_a_position_may_have_options_too_and_is_answered_with_all_of_them(yard: Yard) -> None:
    hand = move_pb2.Tickets(taxi=11, bus=8, underground=4, black=1)
    hunters = [
        position_pb2.PositionHunter(piece=move_pb2.PIECE_RED, station=46, tickets=hand),
        position_pb2.PositionHunter(piece=move_pb2.PIECE_BLUE, station=29, tickets=hand),
    ]
    overrides = options_pb2.Options(bobbies=0, detective_black_tickets=1, mr_x_supply=UNLIMITED)
    position = position_pb2.Position(
        preset="new",
        players=3,
        round=1,
        phase=game_pb2.PHASE_HUNTERS,
        mr_x=170,
        hunters=hunters,
        black_tickets=5,
        double_tickets=2,
        moves_made=1,
        overrides=overrides,
    )
    ask = position_pb2.PositionMoves(position=position, moves=[move_pb2.Move(text="red black 79")])
    request = position_pb2.ApplyPositionMovesRequest(questions=[ask])
    (result,) = (await yard.positions.ApplyPositionMoves(request)).results
    assert result.position.hunters[0].tickets.black == 0
    assert result.position.overrides.detective_black_tickets == 1
    assert not result.position.HasField("supply")
    again = position_pb2.ListPositionLegalMovesRequest(positions=[result.position])
    (moves,) = (await yard.positions.ListPositionLegalMoves(again)).moves
    assert [piece.piece for piece in moves.pieces] == [move_pb2.PIECE_BLUE]
