"""Positions for questions without a game, beside the engine's own values for the same."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from google.protobuf.message import Message

from tests.games.chance import NoChance, SeededChance
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove, Move
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.position import position
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2 as cluedo_deduction_pb2
from whitehall.gen.whitehall.cluedo.v1 import position_pb2 as cluedo_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import deduction_pb2, investigation_pb2, move_pb2, position_pb2


def bare(players: int, mr_x: int, hunters: list[int], **facts: Any) -> ScotlandYardState:
    """The engine's position of the first round, with all hunters at one seat."""
    detectives = resolve("new", players).detectives
    return position(resolve("new", players, [(Piece.MR_X,), detectives]), mr_x=mr_x, hunters=hunters, **facts)


def a_position(players: int = 3) -> position_pb2.Position:
    """The first round of 2 or 3 players, Mr X on 45 and to move, the hunters on 13, 26, 29 and 34."""
    return message(bare(players, 45, [13, 26, 29, 34]))


def a_question(method: str) -> Message:
    """A request of some game's position method, streamed or not, with one question that nothing is wrong with."""
    name = f"{method}Request"
    request: Message = getattr(position_pb2 if hasattr(position_pb2, name) else cluedo_pb2, name)()
    if isinstance(request, cluedo_pb2.ValueSuggestionsRequest):
        request.log.CopyFrom(a_log())
        request.location = "L3"
        return request
    questions = getattr(request, request.DESCRIPTOR.fields[0].name)
    match questions.add():
        case cluedo_pb2.Placement() as placement:
            placement.place.room = "L2"
            placement.pips = 7
        case cluedo_pb2.RefuterQuestion() as suggestion:
            for held in ("S1", "W2", "L3"):
                suggestion.hands.add(cards=[held])
            suggestion.suspect, suggestion.weapon, suggestion.location = "S1", "W2", "L9"
        case cluedo_deduction_pb2.SuggestionLog() as log:
            log.CopyFrom(a_log())
        case position_pb2.Position() as asked:
            asked.CopyFrom(a_position())
        case position_pb2.PositionMoves() as asked:
            asked.position.CopyFrom(a_position())
            asked.moves.add(text="mr_x taxi 46")
        case deduction_pb2.PublicLog() as asked:
            asked.rounds.add().rides.add(ticket=move_pb2.TICKET_TAXI)
        case (
            investigation_pb2.LocateQuestion()
            | investigation_pb2.ScanQuestion()
            | investigation_pb2.InterrogationQuestion()
            | investigation_pb2.AnalysisQuestion()
        ):
            pass  # An empty one asks for all of the default board.
        case asked:
            raise AssertionError(f"nobody has said how to ask {type(asked).__name__}")
    return request


def a_log() -> cluedo_deduction_pb2.SuggestionLog:
    """The first moment of a game of Cluedo for six, as seat 0 sees it."""
    return cluedo_deduction_pb2.SuggestionLog(players=6, seat=0, hand=["S1", "W1", "L1"])


def walk(players: int, chance: Random) -> Iterator[tuple[ScotlandYardState, Move, ScotlandYardState]]:
    """A whole game of random legal moves: each position, the move made in it, and the position after."""
    options = resolve("new", players, [(Piece.MR_X,), resolve("new", players).detectives])
    state, _ = game.setup(options, SeededChance(chance.getrandbits(32)))
    while game.outcome(state) is None:
        (seat,) = game.to_move(state)
        legal = game.legal_moves(state, seat)
        singles = [move for move in legal if not isinstance(move, DoubleMove)]
        move = chance.choice(legal if chance.random() < 0.1 else singles or legal)
        after, _ = game.apply(state, seat, move, NoChance())
        yield state, move, after
        state = after


def without_history(state: ScotlandYardState) -> ScotlandYardState:
    """The same moment as a position can tell it: with its numbers, and without the log that led to it."""
    return position(
        state.options,
        round=state.round,
        phase=state.phase,
        mr_x=state.mr_x,
        hunters=state.hunters,
        hands=state.hands,
        supply=state.supply,
        black_tickets=state.black_tickets,
        double_tickets=state.double_tickets,
        moves_made=state.moves_made,
        moved=[piece for index, piece in enumerate(state.options.hunters) if state.moved & 1 << index],
    )


def message(state: ScotlandYardState) -> position_pb2.Position:
    """The engine's position as a caller writes it, field by field from the contract."""
    options = state.options
    hunters = []
    for index, (piece, station) in enumerate(zip(options.hunters, state.hunters, strict=True)):
        hunter = position_pb2.PositionHunter(
            piece=move_pb2.Piece.Value(f"PIECE_{piece.name}"),
            station=station,
            has_moved=bool(state.moved & 1 << index),
        )
        if not piece.is_bobby and not options.pooled:
            hunter.tickets.CopyFrom(move_pb2.Tickets(**state.hands[index]._asdict()))
        hunters.append(hunter)
    return position_pb2.Position(
        preset="new",
        players=options.players,
        round=state.round,
        phase=state.phase.value,  # type: ignore[arg-type]
        mr_x=state.mr_x,
        hunters=hunters,
        supply=move_pb2.Tickets(**state.supply._asdict()),
        shared_hand=move_pb2.Tickets(**state.hands[0]._asdict()) if options.pooled else None,
        black_tickets=state.black_tickets,
        double_tickets=state.double_tickets,
        moves_made=state.moves_made,
    )
