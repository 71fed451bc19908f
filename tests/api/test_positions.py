"""Questions about positions over gRPC, against the engine asked directly."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from random import Random

import grpc
import pytest
from google.protobuf.message import Message

from tests.api.positions import a_position, a_question, bare, message, walk, without_history
from tests.api.raw import exchange
from tests.api.refusals import refused
from tests.api.table import Yard, move_texts
from whitehall.api import positions
from whitehall.api.call import Call
from whitehall.api.endpoint import Duplex, Unary
from whitehall.api.hosted import hosted_games
from whitehall.api.pipeline import answer, converse
from whitehall.api.positions import PositionServicer
from whitehall.api.streams import Streams
from whitehall.api.tokens import Tokens
from whitehall.api.workshop import Workshop
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import notation
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.master import MasterOverrides
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Pass, Ride, Together, Travel, UseAction
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.position import position
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets
from whitehall.games.scotland_yard.wire.positions import write_position
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, move_pb2, position_pb2
from whitehall.gen.whitehall.scotlandyard.v1.position_pb2 import (
    ApplyPositionMovesRequest,
    ListPositionLegalMovesRequest,
    Position,
    PositionMoves,
    ValidatePositionMovesRequest,
)
from whitehall.sessions.refusal import Reason, Refusal

SERVICE = "/whitehall.scotlandyard.v1.ScotlandYardPositionService"
MOST = 256
"""Positions in one batch."""


def seat_to_move(state: ScotlandYardState) -> Seat:
    """Mr X's seat, or the one that has all hunters."""
    return Seat(0 if state.phase is Phase.MR_X else 1)


def words(move: Move) -> str:
    """A move as the lists have it: Mr X's without his name."""
    piece = getattr(move, "piece", Piece.MR_X)
    return notation.text(move, with_piece=piece is not Piece.MR_X)


def positions_of_games(number: int) -> Iterator[tuple[ScotlandYardState, Move, ScotlandYardState]]:
    """Positions from so many games of 2 to 6 players, each with the move made in it and the position after."""
    for seed in range(number):
        yield from walk(2 + seed % 5, Random(seed))


def batches(questions: Sequence[PositionMoves]) -> Iterator[Sequence[PositionMoves]]:
    for first in range(0, len(questions), MOST):
        yield questions[first : first + MOST]


def ask(state: ScotlandYardState, move: Move) -> PositionMoves:
    """A move to try in a position, as text."""
    return PositionMoves(position=message(state), moves=[move_pb2.Move(text=notation.text(move))])


def random_move(state: ScotlandYardState, chance: Random) -> Move:
    """Some move of the side to move or of the other, more often than not illegal."""
    pieces = [Piece.MR_X, *state.options.hunters]
    near = [ride.station for ride in game.legal_moves(state, seat_to_move(state)) if isinstance(ride, Travel)]

    def ride() -> Ride:
        return Ride(
            chance.choice(list(Ticket)), Station(chance.choice([*near, *state.hunters, chance.randint(1, 230)]))
        )

    def single() -> Travel | Pass:
        piece = chance.choice(pieces)
        return Pass(piece) if chance.random() < 0.1 else Travel(piece, *ride())

    match chance.randrange(4):
        case 0:
            return DoubleMove(ride(), ride())
        case 1:
            return Together(tuple(single() for _ in range(chance.randint(2, 4))))
        case _:
            return single()


async def test_legal_moves_are_those_of_the_engine_in_its_order(yard: Yard) -> None:
    """Several hundred positions of random games, in batches of 256."""
    states = [state for state, _, _ in positions_of_games(10)]
    assert len(states) > 500
    for first in range(0, len(states), MOST):
        part = states[first : first + MOST]
        request = ListPositionLegalMovesRequest(positions=map(message, part))
        answer = await yard.positions.ListPositionLegalMoves(request)
        assert len(answer.moves) == len(part)
        for state, listed in zip(part, answer.moves, strict=True):
            legal = game.legal_moves(state, seat_to_move(state))
            assert list(move_texts(listed)) == list(map(words, legal))


async def test_a_judgement_names_every_rule_that_the_engine_names(yard: Yard) -> None:
    chance = Random(5)
    states = [without_history(state) for state, _, _ in positions_of_games(5)]
    asked = [(state, random_move(state, chance)) for state in states for _ in range(3)]
    judged: list[position_pb2.Judgement] = []
    for batch in batches([ask(state, move) for state, move in asked]):
        answer = await yard.positions.ValidatePositionMoves(ValidatePositionMovesRequest(questions=batch))
        judged += answer.judgements
    assert len(judged) == len(asked)
    for (state, move), judgement in zip(asked, judged, strict=True):
        mover = Seat(0 if _piece(move) is Piece.MR_X else 1)
        violations = [(found.rule.id, dict(found.details)) for found in game.violations(state, mover, move)]
        assert judgement.legal == (not violations)
        assert [(found.rule.id, dict(found.details)) for found in judgement.violations] == violations
    assert {judgement.legal for judgement in judged} == {True, False}
    assert len({found.rule.id for judgement in judged for found in judgement.violations}) > 10


def _piece(move: Move) -> Piece | None:
    if isinstance(move, Together | UseAction | Hear):
        return None
    return Piece.MR_X if isinstance(move, DoubleMove) else move.piece


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
async def test_a_whole_game_can_be_walked_by_applying_moves_to_positions(yard: Yard, players: int) -> None:
    """Each answer is the next question, and the engine comes to the same position each time."""
    position: Position | None = None
    outcome = ""
    for state, move, after in walk(players, Random(players)):
        position = position or message(state)
        question = PositionMoves(position=position, moves=[move_pb2.Move(text=notation.text(move))])
        answer = await yard.positions.ApplyPositionMoves(ApplyPositionMovesRequest(questions=[question]))
        (applied,) = answer.results
        assert not applied.HasField("violation")
        assert applied.position == message(after)
        position, outcome = applied.position, applied.outcome.rule
        assert (game.outcome(after) is not None) == applied.HasField("outcome")
    assert position is not None
    assert position.phase == game_pb2.PHASE_OVER
    assert outcome.startswith("SY-END-")


async def test_the_events_of_an_applied_move_hide_nothing(yard: Yard) -> None:
    questions = [PositionMoves(position=a_position(), moves=[move_pb2.Move(text="double taxi 46 taxi 47")])]
    (applied,) = (await yard.positions.ApplyPositionMoves(ApplyPositionMovesRequest(questions=questions))).results
    declared, first, second = applied.events
    assert declared.double_declared.remaining == 1
    assert (first.text, first.mr_x_travelled.station) == ("mr_x taxi 46", 46)
    assert (second.text, second.mr_x_travelled.station) == ("mr_x taxi 47", 47)
    assert applied.position.mr_x == 47
    assert applied.position.phase == game_pb2.PHASE_HUNTERS
    assert applied.position.moves_made == 2


async def test_an_illegal_move_is_an_answer_and_no_error(yard: Yard) -> None:
    moves = ("taxi 199", "taxi 46", "red taxi 4", "taxi 46")
    questions = [PositionMoves(position=a_position(), moves=[move_pb2.Move(text=text)]) for text in moves]
    results = (await yard.positions.ApplyPositionMoves(ApplyPositionMovesRequest(questions=questions))).results
    assert [result.violation.rule.id for result in results] == ["SY-MOVE-02", "", "SY-TURN-02", ""]
    assert [result.HasField("position") for result in results] == [False, True, False, True]
    assert results[0].violation.rule.sentence_fr


async def test_answers_stand_in_the_order_of_the_questions(yard: Yard) -> None:
    states = [state for state, _, _ in positions_of_games(3)]
    Random(1).shuffle(states)
    states = states[:100] + states[:3]
    together = await yard.positions.ListPositionLegalMoves(
        ListPositionLegalMovesRequest(positions=map(message, states))
    )
    for state, listed in zip(states, together.moves, strict=True):
        alone = await yard.positions.ListPositionLegalMoves(ListPositionLegalMovesRequest(positions=[message(state)]))
        assert alone.moves[0] == listed


def questions_for(method: str) -> list[Message]:
    """Three requests of a method, of different sizes."""
    drawn = list(positions_of_games(2))
    requests: list[Message] = []
    for first, last in ((0, 1), (1, 40), (40, 200)):
        part = drawn[first:last]
        if method == "ListPositionLegalMoves":
            requests.append(ListPositionLegalMovesRequest(positions=[message(state) for state, _, _ in part]))
        elif method == "ValidatePositionMoves":
            requests.append(ValidatePositionMovesRequest(questions=[ask(state, move) for state, move, _ in part]))
        else:
            requests.append(ApplyPositionMovesRequest(questions=[ask(state, move) for state, move, _ in part]))
    return requests


METHODS = ("ListPositionLegalMoves", "ValidatePositionMoves", "ApplyPositionMoves")


@pytest.mark.parametrize("method", METHODS)
async def test_a_stream_of_batches_answers_each_with_the_bytes_of_a_single_call(yard: Yard, method: str) -> None:
    requests = [request.SerializeToString() for request in questions_for(method)]
    single = [await exchange(yard.channel, f"{SERVICE}/{method}", request) for request in requests]
    stream: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = yard.channel.stream_stream(f"{SERVICE}/Stream{method}")
    assert [answer async for answer in stream(iter(requests), timeout=20)] == single
    assert len(set(single)) == 3


async def test_a_stream_answers_a_batch_before_the_next_one_is_sent(yard: Yard) -> None:
    """So a bot can walk a game in one call."""
    call = yard.positions.StreamApplyPositionMoves(timeout=20)
    position, moves = a_position(), ("taxi 46", "red taxi 4", "blue taxi 15")
    for text in moves:
        question = PositionMoves(position=position, moves=[move_pb2.Move(text=text)])
        await call.write(position_pb2.StreamApplyPositionMovesRequest(questions=[question]))
        answer = await call.read()
        assert isinstance(answer, position_pb2.StreamApplyPositionMovesResponse)
        position = answer.results[0].position
    await call.done_writing()
    assert await call.code() is grpc.StatusCode.OK
    assert [hunter.has_moved for hunter in position.hunters] == [True, True, False, False]


async def test_a_wrong_batch_ends_its_stream_after_the_answers_to_those_before_it(yard: Yard) -> None:
    wrong = a_position()
    wrong.mr_x = 200
    good = position_pb2.StreamListPositionLegalMovesRequest(positions=[a_position()])
    bad = position_pb2.StreamListPositionLegalMovesRequest(positions=[a_position(), wrong])
    told = asyncio.Event()

    async def batches() -> AsyncIterator[position_pb2.StreamListPositionLegalMovesRequest]:
        """Sends nothing more until the refusal is there: a client that is still sending reports its failure to send."""
        for batch in (good, good, bad):
            yield batch
        await told.wait()

    call = yard.positions.StreamListPositionLegalMoves(batches(), timeout=20)
    answers = []
    with refused("INVALID_FIELD") as refusal:
        async for answer in call:
            answers.append(answer)
    told.set()
    assert len(answers) == 2
    assert refusal.fields == ["positions[1].mr_x"]


async def test_a_batch_is_answered_as_its_questions_alone_whatever_stands_beside_them(yard: Yard) -> None:
    """Plain positions are answered from their bytes, the others as messages, and a batch may hold both."""
    plain = [message(state) for state, _, _ in walk(3, Random("mixed"))]
    app = write_position(position(resolve("master", 3), mr_x=153, hunters=[1, 2, 3, 5]))
    batch = [*plain[:3], app, *plain[3:6]]
    alone = [
        listed
        for each in batch
        for listed in (
            await yard.positions.ListPositionLegalMoves(ListPositionLegalMovesRequest(positions=[each]))
        ).moves
    ]
    together = await yard.positions.ListPositionLegalMoves(ListPositionLegalMovesRequest(positions=batch))
    assert list(together.moves) == alone
    assert len(alone) == 7


async def test_a_batch_of_one_position_too_many_is_refused_by_call_and_stream(yard: Yard) -> None:
    positions = [a_position()] * (MOST + 1)
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await yard.positions.ListPositionLegalMoves(ListPositionLegalMovesRequest(positions=positions))
    assert refusal.fields == ["positions"]
    told = asyncio.Event()

    async def batches() -> AsyncIterator[position_pb2.StreamListPositionLegalMovesRequest]:
        yield position_pb2.StreamListPositionLegalMovesRequest(positions=positions)
        await told.wait()

    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await anext(aiter(yard.positions.StreamListPositionLegalMoves(batches(), timeout=20)))
    told.set()
    assert refusal.fields == ["positions"]


@pytest.mark.parametrize("method", METHODS)
async def test_a_batch_ends_with_its_callers_time_and_a_stream_of_batches_does_not(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of a stream is its caller's to bound. Every question here is a turn of its own."""
    monkeypatch.setattr(positions, "TURN_SECONDS", -1)
    wire = hosted_games()["scotland-yard"].wire
    servicer = PositionServicer(wire, Tokens([], {}), Streams(1, 1, 1), Workshop(1, 1))
    endpoints = {endpoint.name: endpoint for endpoint in servicer.endpoints()}
    request = a_question(method)
    request.MergeFrom(a_question(method))
    data = request.SerializeToString()
    late = Call(None, "en", time.monotonic())
    unary, stream = endpoints[method], endpoints[f"Stream{method}"]
    assert isinstance(unary, Unary)
    assert isinstance(stream, Duplex)
    with pytest.raises(Refusal) as refusal:
        await answer(unary, data, late)
    assert refusal.value.reason is Reason.DEADLINE_EXCEEDED
    answers = [told async for told in converse(stream, _batches(data), late)]
    assert answers == [await answer(unary, data, Call(None, "en", math.inf))] * 3


async def _batches(data: bytes) -> AsyncIterator[bytes]:
    for _ in range(3):
        yield data


async def test_an_empty_stream_ends_well(yard: Yard) -> None:
    for method in METHODS:
        stream: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
        stream = yard.channel.stream_stream(f"{SERVICE}/Stream{method}")
        assert [answer async for answer in stream(iter([]), timeout=20)] == []


async def test_a_position_in_which_the_game_is_over_says_so(yard: Yard) -> None:
    """SY-14: Mr X on 2 with hunters on 10 and 20, and his turn."""
    cornered = a_position()
    cornered.mr_x, cornered.hunters[0].station, cornered.hunters[1].station = 2, 10, 20
    listed = await yard.positions.ListPositionLegalMoves(ListPositionLegalMovesRequest(positions=[cornered]))
    assert not listed.moves[0].pieces
    questions = [
        PositionMoves(position=cornered, moves=[move_pb2.Move(text=text)]) for text in ("mr_x taxi 10", "red taxi 2")
    ]
    results = (await yard.positions.ApplyPositionMoves(ApplyPositionMovesRequest(questions=questions))).results
    assert [result.violation.rule.id for result in results] == ["SY-TURN-01"] * 2


async def test_passes_that_are_due_in_a_position_are_made(yard: Yard) -> None:
    """Only red can ride: when it has, the others pass and Mr X is to move."""
    none = Tickets(0, 0, 0)
    hands = [Tickets(2, 0, 0), none, none, none]
    state = bare(5, 2, [104, 130, 140, 150], phase=Phase.HUNTERS, hands=hands)
    answer = await yard.positions.ApplyPositionMoves(
        ApplyPositionMovesRequest(questions=[ask(state, Travel(Piece.RED, Ticket.TAXI, Station(116)))])
    )
    (applied,) = answer.results
    assert [event.text for event in applied.events] == ["red taxi 116", "blue pass", "green pass", "yellow pass"]
    assert (applied.position.round, applied.position.phase) == (2, game_pb2.PHASE_MR_X)


async def test_a_position_s_answer_is_a_position_that_can_be_asked_about(yard: Yard) -> None:
    """With the numbers that a game in play would have."""
    states = [after for _, _, after in positions_of_games(3) if game.outcome(after) is None]
    request = ListPositionLegalMovesRequest(positions=map(message, states[:MOST]))
    assert len((await yard.positions.ListPositionLegalMoves(request)).moves) == len(states[:MOST])


async def test_the_largest_batch_of_the_longest_lists_reaches_a_stock_client(yard: Yard) -> None:
    """OP-13: 256 times Mr X on 153, who has the most double moves, is below the 4 MiB that clients take."""
    busy = message(bare(2, 153, [1, 2, 3, 5]))
    answer = await yard.positions.ListPositionLegalMoves(ListPositionLegalMovesRequest(positions=[busy] * MOST))
    assert len(answer.moves) == MOST
    assert 1 << 20 < answer.ByteSize() < 2 << 20


async def test_a_batch_whose_answer_would_not_reach_a_stock_client_is_refused_at_the_question_too_many(
    yard: Yard,
) -> None:
    """OP-13: a helicopter that flies from everywhere to everywhere in a double move gives lists of 47 KiB."""
    options = resolve("master", 2, changes=Overrides(master=MasterOverrides(helicopter_in_double=True)))
    busy = write_position(position(options, mr_x=153, hunters=[1, 2, 3, 5]))
    busy.overrides.Clear()
    busy.overrides.master.helicopter_in_double = True
    request = ListPositionLegalMovesRequest(positions=[busy] * MOST)
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await yard.positions.ListPositionLegalMoves(request)
    assert re.fullmatch(r"positions\[[0-9]+\]", refusal.metadata["field"])
    # Up to the one before it there is an answer.
    most = int(refusal.metadata["field"][len("positions[") : -1])
    request = ListPositionLegalMovesRequest(positions=[busy] * most)
    assert len((await yard.positions.ListPositionLegalMoves(request)).moves) == most
