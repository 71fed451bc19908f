"""Placing the pieces through the API: what is listed and told, what stays hidden, and what is recorded."""

from __future__ import annotations

from random import Random

import grpc
import pytest

from tests.api.refusals import refused
from tests.api.table import Table, Yard, bearing
from whitehall.cli.verification import Verdict, verify
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, move_pb2, options_pb2, position_pb2, service_pb2

CHOICE, DISTRIBUTION = options_pb2.START_BY_CHOICE, options_pb2.START_BY_DISTRIBUTION
HUNTERS = ((1, "red start 104"), (2, "bobby1 start 13"), (2, "blue start 29"), (1, "bobby2 start 141"))


async def a_table(yard: Yard, start_by: options_pb2.StartBy.ValueType, players: int = 3) -> Table:
    return await yard.table(players, allow_spectators=True, overrides=options_pb2.Options(start_by=start_by))


async def test_choose_the_view_tells_the_phase_and_who_stands_where(yard: Yard) -> None:
    table = await a_table(yard, CHOICE)
    for number, (seat, text) in enumerate(HUNTERS):
        game = await table.get(table.spectator)
        view = game.view
        assert (view.phase, view.round, view.options.start_by) == (game_pb2.PHASE_PLACING, 0, CHOICE)
        assert sum(hunter.station > 0 for hunter in view.hunters) == number
        assert list(game.info.to_move) == [1, 2]
        assert not view.options.HasField("start_cards_mr_x")
        await table.play(seat, text)
    game = await table.get()
    assert (game.view.phase, list(game.info.to_move)) == (game_pb2.PHASE_PLACING, [0])
    assert [hunter.station for hunter in game.view.hunters] == [104, 29, 13, 141]


async def test_choose_the_stations_are_listed_once_for_each_piece(yard: Yard) -> None:
    table = await a_table(yard, CHOICE)
    await table.play(1, move_pb2.Move(place=move_pb2.Place(piece=move_pb2.PIECE_RED, station=104)))
    listed = (await table.legal(2)).moves
    assert [each.start_text for each in listed.pieces] == ["blue start", "bobby1 start", "bobby2 start"]
    assert all(list(each.starts) == [s for s in range(1, 200) if s != 104] for each in listed.pieces)
    only = (await table.legal(1, piece=move_pb2.PIECE_BOBBY2)).moves
    assert [each.piece for each in only.pieces] == [move_pb2.PIECE_BOBBY2]
    assert not (await table.legal(0)).moves.pieces


async def test_choose_others_hear_that_mr_x_has_chosen_and_not_where(yard: Yard) -> None:
    """Whatever he chooses, what is sent to others has the same fields and the same size."""
    sizes = set()
    for station in (1, 170, 199):
        table = await a_table(yard, CHOICE)
        for seat, text in HUNTERS:
            await table.play(seat, text)
        await table.play(0, f"start {station}")
        for token in (table.seats[1], table.spectator):
            (event,) = (await table.history(token))[-1].events
            assert (event.text, event.placed.chosen, event.placed.HasField("station")) == ("mr_x start ?", True, False)
            view = (await table.get(token)).view
            assert not view.mr_x.HasField("station")
            assert not view.mr_x.HasField("start")
            sizes.add((view.seat, view.ByteSize()))
        (event,) = (await table.history(table.mr_x))[-1].events
        assert (event.text, event.placed.station) == (f"mr_x start {station}", station)
        assert (await table.get(table.mr_x)).view.mr_x.start == station
    assert len(sizes) == 2


async def test_choose_refusals_name_their_rules_and_change_nothing(yard: Yard) -> None:
    table = await a_table(yard, CHOICE)
    await table.play(1, "red start 104")
    for seat, text, rule in (
        (2, "blue start 104", "SY-START-05"),
        (1, "red start 1", "SY-START-04"),
        (0, "start 1", "SY-START-03"),
        (1, "red taxi 86", "SY-START-02"),
        (2, "blue start 200", "SY-MOVE-01"),
    ):
        judged = await table.validate(seat, text)
        assert [found.rule.id for found in judged.violations] == [rule]
        with refused("ILLEGAL_MOVE", grpc.StatusCode.FAILED_PRECONDITION) as refusal:
            await table.play(seat, text)
        assert refusal.metadata["rule"] == rule
    assert (await table.get()).info.revision == 2
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await table.play(2, "blue start 1", "bobby1 start 2")
    assert refusal.fields == ["moves[0]"]


async def test_choose_deductions_are_to_be_had_while_pieces_are_placed(yard: Yard) -> None:
    table = await a_table(yard, CHOICE)
    await table.play(1, "red start 104")
    request = service_pb2.GetDeductionsRequest(game_id=table.game_id, hindsight=True)
    found = (await table.calls.GetDeductions(request, metadata=bearing(table.spectator))).deductions
    assert len(found.analysis) == 199
    assert [each.station for each in found.strong] == [s for s in range(1, 200) if s != 104]


async def test_distribute_the_offered_stations_are_open_and_shrink(yard: Yard) -> None:
    table = await a_table(yard, DISTRIBUTION)
    began, mr_x = (await table.history(table.spectator))[0].events[-2:]
    offered = list(began.placing_began.offered)
    assert offered == sorted(set(offered))
    assert len(offered) == 4
    assert (mr_x.text, mr_x.placed.chosen, mr_x.placed.HasField("station")) == ("", False, False)
    view = (await table.play(1, f"bobby1 start {offered[2]}")).update.game.view
    assert list(view.offered) == [*offered[:2], offered[3]]
    assert (await table.get(table.mr_x)).view.mr_x.start > 0
    for seat, piece, station in ((1, "red", offered[3]), (2, "blue", offered[0]), (2, "bobby2", offered[1])):
        await table.play(seat, f"{piece} start {station}")
    view = (await table.get()).view
    assert (view.phase, view.round, list(view.offered)) == (game_pb2.PHASE_MR_X, 1, [])
    assert list(view.round_starts[0].hunters) == [offered[3], offered[0], offered[2], offered[1]]


@pytest.mark.parametrize("start_by", [CHOICE, DISTRIBUTION])
@pytest.mark.parametrize("players", [2, 5])
async def test_choose_records_of_whole_and_of_abandoned_games_are_genuine(
    yard: Yard, start_by: options_pb2.StartBy.ValueType, players: int
) -> None:
    for moves in (0, 2, None):
        table = await a_table(yard, start_by, players)
        await table.play_at_random(Random(7), moves)
        if moves is not None:
            await table.abandon()
        request = service_pb2.GetRecordRequest(game_id=table.game_id)
        answer = await table.calls.GetRecord(request, metadata=bearing(table.host))
        found = verify(answer.text)
        assert found.verdict is Verdict.GENUINE, found


async def test_choose_there_is_no_position_whose_pieces_are_still_placed(yard: Yard) -> None:
    hunters = [
        position_pb2.PositionHunter(piece=piece, station=station, tickets=move_pb2.Tickets(taxi=1))
        for piece, station in ((move_pb2.PIECE_RED, 1), (move_pb2.PIECE_BLUE, 2))
    ]
    where = position_pb2.Position(
        preset="new",
        players=3,
        round=1,
        phase=game_pb2.PHASE_PLACING,
        mr_x=100,
        hunters=hunters,
        supply=move_pb2.Tickets(),
        black_tickets=5,
        double_tickets=2,
        overrides=options_pb2.Options(bobbies=0, start_by=CHOICE),
    )
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await yard.positions.ListPositionLegalMoves(position_pb2.ListPositionLegalMovesRequest(positions=[where]))
    assert refusal.fields == ["positions[0].phase"]
