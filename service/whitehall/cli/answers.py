"""Answers to questions about positions, each question and each answer one line: what the commands for them print.

A question is notation, or JSON as the position methods of the API take it. An answer is a line of JSON.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import protovalidate
from google.protobuf import json_format
from google.protobuf.message import Message

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.kept import Kept
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import boards, hunters, log_notation, mr_x, notation, position_notation
from whitehall.games.scotland_yard.board import BoardError
from whitehall.games.scotland_yard.deduction import possible_locations, possible_trail
from whitehall.games.scotland_yard.evidence import Evidence
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.locations import Contradiction
from whitehall.games.scotland_yard.moves import Move
from whitehall.games.scotland_yard.notation import NotationError
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.record import pieces_of
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.timetable import DOUBLES_KEPT, TRAVELS_KEPT
from whitehall.games.scotland_yard.wire.deductions import read_log
from whitehall.games.scotland_yard.wire.moves import read_moves
from whitehall.games.scotland_yard.wire.positions import read_position
from whitehall.gen.whitehall.scotlandyard.v1 import deduction_pb2, position_pb2

HUNTERS_SEAT = Seat(1)
"""In a position one seat moves all hunters."""

BAR = "|"
"""Stands between a position and the move to be judged in it."""

M = TypeVar("M", bound=Message)
Answer = Callable[[str], bytes]
"""What answers one question. Raises `Wrong`."""

_move = lru_cache(1 << 14)(notation.parse)
"""Moves of the same few thousand come again and again."""

_validator = protovalidate.Validator()


class Wrong(ValueError):
    """The question cannot be read, or speaks of what cannot be. `column`, from 1, is where; 0 where JSON has a path."""

    def __init__(self, reason: str, column: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.column = column


def legal_moves(question: str) -> bytes:
    """The legal moves of the side to move: Mr X's, his doubles last, or those of all hunters that have not moved."""
    state = _position(question)
    if state.phase == Phase.MR_X:
        parts = [_texts_of(mr_x.travels(state)), _doubles_of(mr_x.doubles(state))]
    else:
        parts = _hunters_parts(state)
    return b'{"moves": [' + b", ".join(filter(None, parts)) + b"]}"


def legal_rides(question: str) -> bytes:
    """The legal moves without Mr X's doubles, of which there may be hundreds."""
    state = _position(question)
    parts = [_texts_of(mr_x.travels(state))] if state.phase == Phase.MR_X else _hunters_parts(state)
    return b'{"moves": [' + b", ".join(filter(None, parts)) + b"]}"


def _hunters_parts(state: ScotlandYardState) -> list[bytes]:
    rides = [hunters.travels(state, number) for number in hunters.unmoved(state)]
    # A hunter without a ride may have to pass, or to wait, which is for the rules to say.
    if state.phase == Phase.HUNTERS and all(rides):
        return [_texts_of(moves) for moves in rides]
    return [_encode_texts(game.legal_moves(state, HUNTERS_SEAT))]


def _encode_texts(moves: Sequence[Move]) -> bytes:
    return b", ".join([f'"{notation.text(move)}"'.encode() for move in moves])


_texts_of = Kept(_encode_texts, TRAVELS_KEPT)
_doubles_of = Kept(_encode_texts, DOUBLES_KEPT)


_LEGAL = b'{"legal": true, "violations": []}'


def validate(question: str) -> bytes:
    """Every rule that forbids a move in a position, most telling first."""
    state, move = _position_and_move(question)
    seat = MR_X_SEAT if Piece.MR_X in pieces_of(move) else HUNTERS_SEAT
    violations = [
        {"rule": found.rule.id, "sentence": found.rule.en, "details": dict(found.details)}
        for found in game.violations(state, seat, move)
    ]
    return _line({"legal": False, "violations": violations}) if violations else _LEGAL


def locations(question: str) -> bytes:
    """Where Mr X can be for a public log, in the form of the API's `PossibleLocations`."""
    evidence, hindsight = _evidence(question)
    return _located(evidence, hindsight)


def locations_in_hindsight(question: str) -> bytes:
    """The same with what may be written under each field of the log."""
    evidence, _ = _evidence(question)
    return _located(evidence, hindsight=True)


def _located(evidence: Evidence, hindsight: bool) -> bytes:
    try:
        found = possible_locations(evidence)
        trail = possible_trail(evidence) if hindsight else {}
    except Contradiction as error:
        return _line({"contradiction": error.field})
    total = found.total_routes
    answer: dict[str, Any] = {
        "analysis": found.analysis,
        "strong": [
            {"station": station, "routes": str(routes), "probability": routes / total}
            for station, routes in found.routes.items()
        ],
        "totalRoutes": str(total),
    }
    if hindsight:
        answer["hindsight"] = [{"number": number, "stations": stations} for number, stations in trail.items()]
    return _line(answer)


def _line(answer: Mapping[str, Any]) -> bytes:
    return json.dumps(answer, ensure_ascii=False).encode()


# --- reading questions --------------------------------------------------------------------------------------------


def _position(question: str) -> ScotlandYardState:
    try:
        if question.lstrip().startswith("{"):
            return read_position(message_of(question, position_pb2.Position()))
        return position_notation.parse(question)
    except NotationError as error:
        raise Wrong(error.reason, error.column) from error
    except InvalidField as error:
        raise Wrong(str(error)) from error


def _position_and_move(question: str) -> tuple[ScotlandYardState, Move]:
    if question.lstrip().startswith("{"):
        message = message_of(question, position_pb2.PositionMoves())
        try:
            state = read_position(message.position)
            return state, read_moves(message.moves, _mover(state))
        except InvalidField as error:
            raise Wrong(str(error)) from error
    placed, bar, moved = question.partition(BAR)
    if not bar:
        raise Wrong(f"expected {BAR} and a move after the position", len(question.rstrip()) + 1)
    state = _position(placed)
    try:
        return state, _move(moved, _mover(state))
    except NotationError as error:
        raise Wrong(error.reason, len(placed) + 1 + error.column) from error


def _mover(state: ScotlandYardState) -> Piece | None:
    """Who is meant where a move names no piece."""
    return Piece.MR_X if state.phase == Phase.MR_X else None


def _evidence(question: str) -> tuple[Evidence, bool]:
    try:
        if question.lstrip().startswith("{"):
            message = message_of(question, deduction_pb2.PublicLog())
            return read_log(message), message.hindsight
        log = log_notation.parse(question)
        return evidence_from_log(boards.board(log.board), log.rounds, start=log.start, hunters=log.hunters), False
    except NotationError as error:
        raise Wrong(error.reason, error.column) from error
    except BoardError as error:
        raise Wrong(error.reason, 1) from error
    except InvalidField as error:
        raise Wrong(str(error)) from error


def message_of(question: str, message: M) -> M:
    """The message that a line of JSON holds, valid as the contract has it."""
    try:
        json_format.Parse(question, message)
    # Python's own reader gives up on what is nested without end.
    except (json_format.ParseError, RecursionError) as error:
        raise Wrong(str(error)) from error
    for violation in _validator.collect_violations(message, fail_fast=True):
        field = violation.proto.field
        path = ".".join(element.field_name for element in field.elements) if field is not None else ""
        raise Wrong(f"{path}: {violation.proto.message}")
    return message
