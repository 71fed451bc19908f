"""Where Mr X can be, over gRPC: what the engine says, never without the truth, and the same for everybody."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import grpc
import pytest

from tests.api.raw import exchange
from tests.api.refusals import refused
from tests.api.table import WAITING, Table, Yard, bearing
from tests.games.scotland_yard.detective import watched_game
from whitehall.games.scotland_yard import boards
from whitehall.games.scotland_yard.deduction import possible_locations, possible_trail
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.locations import PossibleLocations
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.public_round import PublicRound
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Station
from whitehall.games.scotland_yard.view import ScotlandYardView
from whitehall.gen.whitehall.scotlandyard.v1 import deduction_pb2, game_pb2, move_pb2, position_pb2, service_pb2
from whitehall.gen.whitehall.scotlandyard.v1.position_pb2 import ListPossibleLocationsRequest

SERVICE = "/whitehall.scotlandyard.v1.ScotlandYardPositionService"
MOST = 64
"""Logs in one batch."""


async def deduced(table: Table, token: str, hindsight: bool = False) -> service_pb2.GetDeductionsResponse:
    request = service_pb2.GetDeductionsRequest(game_id=table.game_id, hindsight=hindsight)
    return await table.calls.GetDeductions(request, metadata=bearing(token))


def told(message: deduction_pb2.PossibleLocations) -> PossibleLocations:
    """The answer in the engine's form; each probability is the share of routes."""
    routes = {Station(each.station): int(each.routes) for each in message.strong}
    total = int(message.total_routes)
    assert total == sum(routes.values())
    assert [each.probability for each in message.strong] == [number / total for number in routes.values()]
    return PossibleLocations(tuple(map(Station, message.analysis)), tuple(routes), routes)


def trail(message: deduction_pb2.PossibleLocations) -> dict[int, tuple[int, ...]]:
    return {field.number: tuple(field.stations) for field in message.hindsight}


def as_message(rounds: Sequence[PublicRound], start: Sequence[int] = ()) -> deduction_pb2.PublicLog:
    """A log as a caller writes it, with everything that was counted."""
    log = deduction_pb2.PublicLog(start=start, hindsight=True)
    for this in rounds:
        supply = None if this.supply is None else move_pb2.Tickets(**this.supply._asdict())
        written = log.rounds.add(hunters=this.hunters, supply=supply, black_tickets=this.black_tickets)
        for ride in this.rides:
            written.rides.add(ticket=ride.ticket.value, station=ride.station)
    return log


@pytest.mark.parametrize("players", [2, 3, 6])
async def test_in_a_whole_game_the_truth_is_always_among_what_everybody_is_told(yard: Yard, players: int) -> None:
    table = await yard.table(players, allow_spectators=True)
    chance = Random(players)
    while True:
        seen = await table.get(table.mr_x)
        answers = [await deduced(table, token, hindsight=True) for token in (table.mr_x, table.seats[-1])]
        if seen.info.revision % 5 == 1:
            answers += [await deduced(table, token, hindsight=True) for token in (table.host, table.spectator)]
        assert all(answer == answers[0] for answer in answers)
        assert answers[0].revision == seen.info.revision
        possible = told(answers[0].deductions)
        assert seen.view.mr_x.station in possible.strong
        assert set(possible.strong) <= set(possible.analysis)
        fields = trail(answers[0].deductions)
        assert seen.view.mr_x.start in fields[0]
        assert all(field.station in fields[field.number] for field in seen.view.log)
        assert fields[len(seen.view.log)] == possible.strong
        if seen.view.phase == game_pb2.PHASE_OVER:
            break
        await table.play_at_random(chance, 1)
    assert possible.strong == (seen.view.mr_x.station,)


async def test_hindsight_comes_only_where_it_is_asked_for(yard: Yard) -> None:
    table = await yard.table(3)
    await table.play_at_random(Random(1), 5)
    plain = (await deduced(table, table.mr_x)).deductions
    assert not plain.hindsight
    whole = (await deduced(table, table.mr_x, hindsight=True)).deductions
    assert told(plain) == told(whole)
    assert not plain.HasField("contradiction")


async def test_nothing_can_be_deduced_of_a_game_that_was_never_dealt(yard: Yard) -> None:
    table = await yard.table(3, start_mode=WAITING)
    with refused("GAME_NOT_STARTED"):
        await deduced(table, table.mr_x)
    await table.abandon()
    with refused("GAME_NOT_STARTED"):
        await deduced(table, table.mr_x)


async def test_a_game_that_was_abandoned_still_hides_him(yard: Yard) -> None:
    table = await yard.table(3)
    await table.abandon()
    deductions = (await deduced(table, table.seats[1])).deductions
    assert len(deductions.strong) > 1


async def test_public_logs_of_whole_games_get_the_engine_s_answers_in_order(yard: Yard) -> None:
    """After each round of games of 2 to 6 players, with what can be told in hindsight."""
    logs: list[deduction_pb2.PublicLog] = []
    views: list[ScotlandYardView] = []
    for players in range(2, 7):
        for state, detective in watched_game(players, seed=players):
            if state.phase is Phase.MR_X:
                logs.append(as_message(detective.rounds, state.options.start_cards_mr_x))
                views.append(game.view(state, None))
    answers: list[deduction_pb2.PossibleLocations] = []
    for first in range(0, len(logs), MOST):
        request = ListPossibleLocationsRequest(logs=logs[first : first + MOST])
        answers += (await yard.positions.ListPossibleLocations(request)).locations
    assert len(answers) == len(logs) > 50
    for view, answer in zip(views, answers, strict=True):
        assert told(answer) == possible_locations(view)
        assert trail(answer) == possible_trail(view)


async def test_little_of_a_log_is_enough(yard: Yard) -> None:
    """He surfaced on 8 and rode a taxi; nobody wrote down anything else."""
    log = deduction_pb2.PublicLog()
    log.rounds.add().rides.add(ticket=move_pb2.TICKET_BLACK, station=8)
    log.rounds.add().rides.add(ticket=move_pb2.TICKET_TAXI)
    (answer,) = (await yard.positions.ListPossibleLocations(ListPossibleLocationsRequest(logs=[log]))).locations
    assert told(answer).strong == (1, 18, 19)
    assert not answer.hindsight
    log.rounds[1].hunters.append(18)
    log.rounds[0].hunters.append(20)
    log.hunters.append(19)
    (answer,) = (await yard.positions.ListPossibleLocations(ListPossibleLocationsRequest(logs=[log]))).locations
    assert told(answer).strong == (1,)


async def test_a_log_that_no_route_fits_names_the_field_and_spoils_no_other_answer(yard: Yard) -> None:
    impossible = deduction_pb2.PublicLog()
    impossible.rounds.add().rides.add(ticket=move_pb2.TICKET_TAXI, station=8)
    impossible.rounds.add().rides.add(ticket=move_pb2.TICKET_TAXI, station=199)
    nothing_known = deduction_pb2.PublicLog()
    request = ListPossibleLocationsRequest(logs=[nothing_known, impossible, nothing_known])
    answers = (await yard.positions.ListPossibleLocations(request)).locations
    assert [answer.HasField("contradiction") for answer in answers] == [False, True, False]
    assert answers[1] == deduction_pb2.PossibleLocations(contradiction=2)
    board = boards.board(boards.LONDON_2013)
    assert told(answers[0]) == possible_locations(evidence_from_log(board, []))


async def test_counts_beyond_64_bits_are_told_in_full(yard: Yard) -> None:
    log = deduction_pb2.PublicLog()
    for _ in range(32):
        log.rounds.add().rides.add(ticket=move_pb2.TICKET_BLACK)
    (answer,) = (await yard.positions.ListPossibleLocations(ListPossibleLocationsRequest(logs=[log]))).locations
    assert sum(told(answer).routes.values()) > 1 << 64


def twice(this: deduction_pb2.PublicRound) -> deduction_pb2.PublicRound:
    """The round with its ride made twice."""
    return deduction_pb2.PublicRound(rides=[*this.rides, *this.rides])


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (lambda log: log.start.append(200), "logs[1].start[0]"),
        (lambda log: setattr(log, "board", "paris"), "logs[1].board"),
        (lambda log: log.rounds[0].hunters.extend([5, 5]), "logs[1].rounds[0].hunters[1]"),
        (lambda log: setattr(log.rounds[0].rides[0], "station", 500), "logs[1].rounds[0].rides[0].station"),
        (lambda log: setattr(log.rounds[0], "black_tickets", 0), "logs[1].rounds[0].black_tickets"),
        (lambda log: log.hunters.append(7), "logs[1].hunters"),
        (lambda log: log.rounds.extend([log.rounds[0]] * 64), "logs[1].rounds"),
        (lambda log: log.rounds.extend([twice(log.rounds[0])] * 32), "logs[1].rounds[32].rides"),
    ],
)
async def test_a_wrong_log_fails_its_batch_and_names_the_place(yard: Yard, spoil: object, field: str) -> None:
    logs = [deduction_pb2.PublicLog(), deduction_pb2.PublicLog()]
    logs[1].rounds.add().rides.add(ticket=move_pb2.TICKET_BLACK)
    spoil(logs[1])  # type: ignore[operator]
    with refused("INVALID_FIELD") as refusal:
        await yard.positions.ListPossibleLocations(ListPossibleLocationsRequest(logs=logs))
    assert refusal.fields == [field]


async def test_a_stream_of_logs_answers_with_the_bytes_of_single_calls(yard: Yard) -> None:
    logs = [as_message(detective.rounds) for _, detective in watched_game(3, seed=1)]
    parts = [logs[:1], logs[1:10], logs[10:40]]
    requests = [ListPossibleLocationsRequest(logs=part).SerializeToString() for part in parts]
    single = [await exchange(yard.channel, f"{SERVICE}/ListPossibleLocations", request) for request in requests]
    stream: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
    stream = yard.channel.stream_stream(f"{SERVICE}/StreamListPossibleLocations")
    assert [answer async for answer in stream(iter(requests), timeout=20)] == single
    assert position_pb2.ListPossibleLocationsResponse.FromString(single[2] or b"").locations


async def test_the_largest_batch_of_the_longest_logs_reaches_a_stock_client(yard: Yard) -> None:
    """OP-13: below the 4 MiB that clients take."""
    log = deduction_pb2.PublicLog(hindsight=True)
    for _ in range(32):
        log.rounds.add().rides.add(ticket=move_pb2.TICKET_BLACK)
    answer = await yard.positions.ListPossibleLocations(ListPossibleLocationsRequest(logs=[log] * MOST))
    assert answer.ByteSize() < 4 << 20
