"""Moves over gRPC: the rules' situations as callers see them, batches, and moves as text and as messages."""

from __future__ import annotations

import pytest

from tests.api.refusals import refused
from tests.api.service import Service
from tests.api.staging import staged
from tests.api.table import Table, Yard, move_texts
from tests.games.scotland_yard.scenario import scene
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2
from whitehall.gen.whitehall.scotlandyard.v1.move_pb2 import (
    PIECE_BLUE,
    PIECE_BOBBY1,
    PIECE_MR_X,
    PIECE_RED,
    TICKET_BLACK,
    TICKET_BUS,
    TICKET_TAXI,
    DoubleMove,
    Move,
    Pass,
    Ride,
    Travel,
)

ENDED = common_pb2.GAME_STATUS_ENDED


def kinds(revision: game_pb2.Revision) -> list[str]:
    """What happened, by kind."""
    return [event.WhichOneof("kind") or "" for event in revision.events]


async def finish_round(table: Table) -> None:
    """Every hunter makes a harmless move."""
    round_ = (await table.get()).view.round
    while (game := await table.get()).view.round == round_ and game.view.phase == game_pb2.PHASE_HUNTERS:
        await table.play_on(1)


# --- surfacing and the log ----------------------------------------------------------------------------------------


async def test_mr_x_is_shown_as_soon_as_he_has_made_his_third_move_and_not_before(table: Table) -> None:
    """SY-02: his log decides, not the round; and where he was before stays hidden."""
    stations = []
    for _ in range(2):
        await table.play_on(1)
        stations.append((await table.get(table.mr_x)).view.mr_x.station)
        await finish_round(table)
        seen = (await table.get(table.seats[1])).view
        assert not seen.mr_x.HasField("station")
        assert not any(field.HasField("station") for field in seen.log)
    await table.play_on(1)
    stations.append((await table.get(table.mr_x)).view.mr_x.station)
    seen = (await table.get(table.seats[1])).view
    assert seen.phase == game_pb2.PHASE_HUNTERS, "no hunter has moved yet"
    assert seen.mr_x.station == stations[2]
    assert [field.HasField("station") for field in seen.log] == [False, False, True]
    assert [field.surfaced for field in seen.log] == [False, False, True]
    assert [field.station for field in (await table.get(table.mr_x)).view.log] == stations


async def test_the_log_keeps_every_field_of_a_long_game_in_order(yard: Yard) -> None:
    """SY-04: twelve moves, surfacing at the third and the eighth."""
    table = await yard.table(2)
    while len((await table.get()).view.log) < 12:
        await table.play_on(1)
    seen, truth = (await table.get(table.seats[1])).view, (await table.get(table.mr_x)).view
    assert [field.number for field in seen.log] == list(range(1, 13))
    assert [field.number for field in seen.log if field.surfaced] == [3, 8]
    assert [field.number for field in seen.log if field.HasField("station")] == [3, 8]
    assert [field.ticket for field in seen.log] == [field.ticket for field in truth.log]
    assert all(field.HasField("station") for field in truth.log)
    travelled = [
        event.mr_x_travelled
        for revision in await table.history(table.mr_x)
        for event in revision.events
        if event.HasField("mr_x_travelled")
    ]
    assert [(event.number, event.station) for event in travelled] == [(f.number, f.station) for f in truth.log]


# --- black and double tickets -------------------------------------------------------------------------------------


async def test_a_black_ticket_leads_along_every_kind_of_line(yard: Yard, service: Service) -> None:
    """SY-10: from 1 by taxi to 8 and 9, by bus to 46 and 58, by underground to 46; from 194 by ferry to 157 too."""
    places = "red 100, blue 130, bobby1 140, bobby2 150"
    on_land = await staged(yard, service, scene(3, "mr_x", f"mr_x 1, {places}"))
    assert await by_black(on_land) == [8, 9, 46, 58]
    table = await staged(yard, service, scene(3, "mr_x", f"mr_x 194, {places}"))
    assert await by_black(table) == [157, 192, 193, 195]
    await table.play(0, "black 157")
    (field,) = (await table.get(table.seats[1])).view.log
    assert field.ticket == TICKET_BLACK
    assert not field.HasField("station")
    assert (await table.get(table.seats[1])).view.mr_x.black_tickets == 4


async def by_black(table: Table) -> list[int]:
    """Where a black ticket leads Mr X now."""
    (mr_x,) = (await table.legal(0)).moves.pieces
    return [ride.station for ride in mr_x.rides if ride.ticket == TICKET_BLACK]


async def test_a_double_move_spends_its_ticket_and_fills_two_fields(yard: Yard, service: Service) -> None:
    """SY-12: two doubles, and no third."""
    table = await staged(yard, service, scene(2, "mr_x", "mr_x 2, red 104, blue 130, bobby1 140, bobby2 150"))
    for left in (1, 0):
        answer = await table.play(0, "double taxi 10 taxi 2")
        assert kinds(answer.update.revision) == ["double_declared", "mr_x_travelled", "mr_x_travelled"]
        assert answer.update.revision.events[0].double_declared.remaining == left
        view = (await table.get(table.seats[1])).view
        assert view.mr_x.double_tickets == left
        assert len(view.log) == 4 - 2 * left
        assert [field.round for field in view.log[-2:]] == [view.round] * 2
        await finish_round(table)
    with refused("ILLEGAL_MOVE") as refusal:
        await table.play(0, "double taxi 10 taxi 2")
    assert refusal.metadata["rule"] == "SY-DOUBLE-01"
    assert not (await table.legal(0)).moves.pieces[0].doubles


async def test_double_moves_are_listed_by_their_first_half_and_can_be_asked_for_by_it(table: Table) -> None:
    (mr_x,) = (await table.legal(0)).moves.pieces
    firsts = [(group.first.ticket, group.first.station) for group in mr_x.doubles]
    assert firsts == sorted(set(firsts))
    assert set(firsts) <= {(ride.ticket, ride.station) for ride in mr_x.rides}
    for group in mr_x.doubles[:3]:
        after = Ride(ticket=group.first.ticket, station=group.first.station)
        (filtered,) = (await table.legal(0, after=after)).moves.pieces
        assert list(filtered.doubles) == [group]
        assert not filtered.rides
    assert not (await table.legal(0, after=Ride(ticket=TICKET_TAXI, station=199))).moves.pieces
    assert (await table.legal(0, piece=PIECE_MR_X)).moves == (await table.legal(0)).moves


# --- hunters ------------------------------------------------------------------------------------------------------


async def test_double_moves_can_be_left_out_of_the_list(table: Table) -> None:
    everything = (await table.legal(0)).moves.pieces[0]
    assert everything.doubles
    (singles,) = (await table.legal(0, singles_only=True)).moves.pieces
    assert singles.rides == everything.rides
    assert not singles.doubles


async def test_a_refusal_shows_the_rule_even_to_tools_that_do_not_unpack_details(table: Table) -> None:
    with refused("ILLEGAL_MOVE") as refusal:
        await table.play(0, "bus 199")
    assert refusal.status.message.endswith(f"({refusal.metadata['rule']})")


async def test_hunters_move_in_any_order_each_once(yard: Yard, service: Service) -> None:
    places = "mr_x 2, red 104, blue 130, bobby1 140, bobby2 150"
    table = await staged(yard, service, scene(3, "hunters", places))
    await table.play(2, "bobby2 taxi 151")
    await table.play(1, "red taxi 116")
    with refused("ILLEGAL_MOVE") as refusal:
        await table.play(1, "bobby2 taxi 150")
    assert refusal.metadata["rule"] == "SY-TURN-03"
    with refused("NOT_YOUR_PIECE"):
        await table.play(2, "red taxi 104")
    game = (await table.play(1, "bobby1 taxi 126")).update.game
    assert list(game.info.to_move) == [2]
    assert [hunter.has_moved for hunter in game.view.hunters] == [True, False, True, True]
    await table.play(2, "blue taxi 131")
    assert (await table.get()).view.round == 2


async def test_moves_of_several_hunters_are_made_in_their_order_as_one_revision(yard: Yard, service: Service) -> None:
    """Red leaves 104 for 116, and bobby1 takes its place; the other way round would be two on one station."""
    state = scene(2, "hunters", "mr_x 2, red 104, blue 130, bobby1 86, bobby2 150")
    table = await staged(yard, service, state)
    with refused("ILLEGAL_MOVE") as refusal:
        await table.play(1, "bobby1 taxi 104", "red taxi 116")
    assert refusal.metadata["rule"] == "SY-MOVE-04"
    answer = await table.play(1, "red taxi 116", "bobby1 taxi 104")
    assert answer.moves_dropped == 0
    assert [event.text for event in answer.update.revision.events] == ["red taxi 116", "bobby1 taxi 104"]
    assert answer.update.revision.revision == 2


async def test_moves_after_a_capture_are_dropped(yard: Yard, service: Service) -> None:
    state = scene(2, "hunters", "mr_x 116, red 104, blue 130, bobby1 140, bobby2 150")
    table = await staged(yard, service, state)
    answer = await table.play(1, "blue taxi 131", "red taxi 116", "bobby1 taxi 126", "bobby2 taxi 151")
    assert answer.moves_dropped == 2
    assert kinds(answer.update.revision) == ["hunter_travelled", "hunter_travelled", "mr_x_caught", "game_ended"]
    caught = answer.update.revision.events[2].mr_x_caught
    assert (caught.piece, caught.station) == (PIECE_RED, 116)
    game = answer.update.game
    assert game.info.status == ENDED
    assert (game.view.outcome.rule, list(game.view.outcome.winners)) == ("SY-END-01", [1])
    assert [hunter.station for hunter in game.view.hunters] == [116, 131, 140, 150]
    assert list((await table.record()).revisions[-1].moves) == ["blue taxi 131", "red taxi 116"]


@pytest.mark.parametrize("mr_x", [116, 2])
async def test_a_batch_with_an_illegal_move_is_refused_whole_wherever_mr_x_stands(
    yard: Yard, service: Service, mr_x: int
) -> None:
    """A guess that would have caught him must not be tried for nothing."""
    state = scene(2, "hunters", f"mr_x {mr_x}, red 104, blue 130, bobby1 140, bobby2 150")
    table = await staged(yard, service, state)
    before = (await table.get()).view
    for moves in (("red taxi 116", "blue taxi 199"), ("red taxi 116", "red taxi 104")):
        with refused("ILLEGAL_MOVE") as refusal:
            await table.play(1, *moves)
        assert refusal.metadata["rule"] in ("SY-MOVE-02", "SY-TURN-03")
        assert not (await table.validate(1, *moves)).legal
    assert (await table.get()).view == before


async def test_a_hunter_is_told_nothing_by_a_dry_run(yard: Yard, service: Service) -> None:
    """The judgement on a move onto Mr X's station is that on any other."""
    answers = []
    for mr_x in (116, 2):
        state = scene(2, "hunters", f"mr_x {mr_x}, red 104, blue 130, bobby1 140, bobby2 150")
        table = await staged(yard, service, state)
        answers += [await table.validate(1, "red taxi 116"), await table.validate(1, "red taxi 86")]
        answers += [await table.validate(1, "red taxi 116", "bobby2 taxi 151")]
    assert all(answer.legal for answer in answers)
    assert len({answer.SerializeToString() for answer in answers}) == 1


async def test_a_dry_run_names_every_rule_that_forbids_a_move(table: Table) -> None:
    judged = await table.validate(0, "bus 199")
    assert not judged.legal
    assert judged.revision == 1
    ids = [violation.rule.id for violation in judged.violations]
    assert "SY-MOVE-02" in ids
    for violation in judged.violations:
        assert violation.rule.sentence_en
        assert violation.rule.sentence_fr
        assert violation.rule.source
    with refused("ILLEGAL_MOVE") as refusal:
        await table.play(0, "bus 199")
    assert refusal.metadata["rule"] == ids[0], "the refusal names the most telling one"
    assert (await table.get()).info.revision == 1


# --- passes and ends ----------------------------------------------------------------------------------------------


async def test_hunters_that_cannot_move_pass_within_the_revision_that_leaves_only_them(
    yard: Yard, service: Service
) -> None:
    """Blue, green and yellow hold no ticket for their stations; red still has one left after its move."""
    state = scene(
        5,
        "hunters",
        "mr_x 2, red 104, blue 130, green 140, yellow 150",
        hands={"red": (2, 0, 0), "blue": (0, 0, 0), "green": (0, 0, 0), "yellow": (0, 0, 0)},
    )
    table = await staged(yard, service, state)
    with refused("ILLEGAL_MOVE") as refusal:
        await table.play(1, "red pass")
    assert refusal.metadata["rule"] == "SY-PASS-01"
    answer = await table.play(1, "red taxi 116")
    revision = answer.update.revision
    assert kinds(revision) == ["hunter_travelled", "hunter_passed", "hunter_passed", "hunter_passed"]
    assert [event.text for event in revision.events[1:]] == ["blue pass", "green pass", "yellow pass"]
    passed = [event.hunter_passed.reason for event in revision.events[1:]]
    assert passed == [game_pb2.PASS_REASON_NO_TICKET] * 3
    assert list(answer.update.game.info.to_move) == [0]
    assert list((await table.history(table.mr_x))[-1].events) == list(revision.events)


async def test_a_hunter_without_tickets_may_pass_by_itself(yard: Yard, service: Service) -> None:
    state = scene(3, "hunters", "mr_x 2, red 104, blue 130, bobby1 140, bobby2 150", hands={"red": (0, 0, 0)})
    table = await staged(yard, service, state)
    red, *others = (await table.legal(1)).moves.pieces
    assert (red.piece, red.may_pass, red.pass_text, list(red.rides)) == (PIECE_RED, True, "red pass", [])
    assert {(other.may_pass, other.pass_text) for other in others} == {(False, "")}
    assert move_texts((await table.legal(1, piece=PIECE_RED)).moves) == ["red pass"]
    await table.play(1, Move(pass_turn=Pass(piece=PIECE_RED)))


async def test_the_detectives_win_as_soon_as_mr_x_is_cornered(yard: Yard, service: Service) -> None:
    """SY-14: he stands on 2, and the last hunter shuts its second door."""
    places = "mr_x 2, red 10, blue 33, bobby1 140, bobby2 150"
    table = await staged(yard, service, scene(3, "hunters", places, moved="red bobby1 bobby2"))
    answer = await table.play(2, "blue taxi 20")
    assert kinds(answer.update.revision) == ["hunter_travelled", "game_ended"]
    assert answer.update.game.view.outcome.rule == "SY-END-02"
    assert list(answer.update.game.view.outcome.winners) == [1, 2]


async def test_mr_x_wins_at_the_end_of_the_round_in_which_no_detective_can_ride(yard: Yard, service: Service) -> None:
    """SY-14: red spends the last ticket, and the passes of the others are filled in."""
    places = "mr_x 2, red 104, blue 130, green 140, yellow 150"
    none = (0, 0, 0)
    hands = {"red": (1, 0, 0), "blue": none, "green": none, "yellow": none}
    table = await staged(yard, service, scene(5, "hunters", places, hands=hands))
    answer = await table.play(1, "red taxi 116")
    assert kinds(answer.update.revision) == ["hunter_travelled", *["hunter_passed"] * 3, "game_ended"]
    assert (answer.update.game.view.outcome.rule, list(answer.update.game.view.outcome.winners)) == ("SY-END-03", [0])


async def test_mr_x_wins_when_the_last_hunter_has_moved_in_the_last_round_and_not_before(
    yard: Yard, service: Service
) -> None:
    """SY-14: his last move alone ends nothing."""
    places = "mr_x 2, red 104, blue 130, bobby1 140, bobby2 150"
    table = await staged(yard, service, scene(2, "mr_x", places, in_round=22))
    assert not (await table.play(0, "taxi 10")).update.game.view.HasField("outcome")
    answer = await table.play(1, "red taxi 116", "blue taxi 131", "bobby1 taxi 126")
    assert not answer.update.game.view.HasField("outcome")
    answer = await table.play(1, "bobby2 taxi 151")
    assert (answer.update.game.view.outcome.rule, list(answer.update.game.view.outcome.winners)) == ("SY-END-04", [0])


# --- text and messages --------------------------------------------------------------------------------------------

MR_X_TO_MOVE = scene(2, "mr_x", "mr_x 46, red 104, blue 130, bobby1 140, bobby2 150")
HUNTERS_TO_MOVE = scene(2, "hunters", "mr_x 46, red 104, blue 130, bobby1 140, bobby2 150")


def ride(ticket: int, station: int) -> Ride:
    return Ride(ticket=ticket, station=station)  # type: ignore[arg-type]


def travel(ticket: int, station: int, piece: int = 0) -> Move:
    return Move(travel=Travel(piece=piece, ticket=ticket, station=station))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seat", "text", "typed"),
    [
        (0, ["taxi 47"], [travel(TICKET_TAXI, 47)]),
        (0, ["MR_X  Taxi 47 "], [travel(TICKET_TAXI, 47, PIECE_MR_X)]),
        (0, ["black 47"], [travel(TICKET_BLACK, 47)]),
        (
            0,
            ["double bus 58 taxi 45"],
            [Move(double_move=DoubleMove(first=ride(TICKET_BUS, 58), second=ride(TICKET_TAXI, 45)))],
        ),
        (1, ["red taxi 116"], [travel(TICKET_TAXI, 116, PIECE_RED)]),
        (1, ["bobby1 taxi 126"], [travel(TICKET_TAXI, 126, PIECE_BOBBY1)]),
        (
            1,
            ["red taxi 116; blue taxi 131"],
            [travel(TICKET_TAXI, 116, PIECE_RED), travel(TICKET_TAXI, 131, PIECE_BLUE)],
        ),
        (1, ["red taxi 116", "blue taxi 131"], [travel(TICKET_TAXI, 116, PIECE_RED), Move(text="blue taxi 131")]),
    ],
)
async def test_a_move_as_text_does_what_the_same_move_as_a_message_does(
    yard: Yard, service: Service, seat: int, text: list[str], typed: list[Move]
) -> None:
    state = HUNTERS_TO_MOVE if seat else MR_X_TO_MOVE
    answers = []
    for moves in (text, typed):
        table = await staged(yard, service, state)
        judged = await table.validate(seat, *moves)
        assert judged.legal
        answers.append(await table.play(seat, *moves))
    first, second = answers
    assert list(first.update.revision.events) == list(second.update.revision.events)
    assert first.update.game.view == second.update.game.view


async def test_every_listed_move_is_legal_as_its_text_and_as_its_numbers(yard: Yard, service: Service) -> None:
    for state, seat in ((MR_X_TO_MOVE, 0), (HUNTERS_TO_MOVE, 1)):
        table = await staged(yard, service, state)
        for piece in (await table.legal(seat)).moves.pieces:
            for listed in piece.rides:
                for move in (Move(text=listed.text), travel(listed.ticket, listed.station, piece.piece)):
                    assert (await table.validate(seat, move)).legal
