"""Answers to questions about games of Scotland Yard, each question and each answer one line: what the commands print.

A question is notation, or JSON as the position methods of the API take it. An answer is a line of JSON.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

from whitehall.cli.json_lines import is_json, judged, read_line, read_unjudged
from whitehall.cli.language import language
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.kept import Kept
from whitehall.games.core.notation import NotationError
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import hunters, log_reading, mr_x, notation, position_notation
from whitehall.games.scotland_yard.deduction import possible_locations, possible_trail
from whitehall.games.scotland_yard.followed_log import FollowedLogs
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.locations import Contradiction, PossibleLocations
from whitehall.games.scotland_yard.moves import Move
from whitehall.games.scotland_yard.public_log import Log
from whitehall.games.scotland_yard.sides import HUNTERS_SEAT, piece_meant, side_of
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.timetable import DOUBLES_KEPT, TRAVELS_KEPT
from whitehall.games.scotland_yard.wire.deductions import read_log
from whitehall.games.scotland_yard.wire.position_reading import read_plain_position, read_position
from whitehall.games.scotland_yard.wire.positions import read_question
from whitehall.gen.whitehall.scotlandyard.v1 import deduction_pb2, position_pb2

BAR = "|"
"""Stands between a position and the move to be judged in it."""

_encode = msgspec.json.Encoder().encode

_NO_MOVE = expected(Text(f"{BAR} and a move after the position", f"{BAR} et un coup après la position"))

_move = lru_cache(1 << 14)(notation.parse)
"""Moves of the same few thousand come again and again."""


def legal_moves(question: str) -> bytes:
    """The legal moves of the side to move: Mr X's, his doubles last, or those of all hunters that have not moved."""
    state = _position(question)
    parts = [_rides_of_mr_x(state), _doubles_of_mr_x(state)] if state.phase == Phase.MR_X else _hunters_parts(state)
    return b'{"moves":[' + b",".join(filter(None, parts)) + b"]}"


def legal_rides(question: str) -> bytes:
    """The legal moves without Mr X's doubles, of which there may be hundreds."""
    state = _position(question)
    parts = [_rides_of_mr_x(state)] if state.phase == Phase.MR_X else _hunters_parts(state)
    return b'{"moves":[' + b",".join(filter(None, parts)) + b"]}"


# The app game makes a list with flights anew each time: kept by its identity, it would only fill the place.


def _rides_of_mr_x(state: ScotlandYardState) -> bytes:
    rides = mr_x.travels(state)
    return _texts_of(rides) if state.master is None else _encode_texts(rides)


def _doubles_of_mr_x(state: ScotlandYardState) -> bytes:
    doubles = mr_x.doubles(state)
    return _doubles_of(doubles) if state.master is None else _encode_texts(doubles)


def _hunters_parts(state: ScotlandYardState) -> list[bytes]:
    rides = [hunters.travels(state, number) for number in hunters.unmoved(state)]
    # A hunter without a ride may have to pass, or to wait, which is for the rules to say; so are special actions.
    if state.phase == Phase.HUNTERS and state.master is None and all(rides):
        return [_texts_of(moves) for moves in rides]
    return [_encode_texts(game.legal_moves(state, HUNTERS_SEAT))]


def _encode_texts(moves: Sequence[Move]) -> bytes:
    return b",".join([f'"{notation.text(move)}"'.encode() for move in moves])


_texts_of = Kept(_encode_texts, TRAVELS_KEPT)
_doubles_of = Kept(_encode_texts, DOUBLES_KEPT)


_LEGAL = b'{"legal":true,"violations":[]}'


def validate(question: str) -> bytes:
    """Every rule that forbids a move in a position, most telling first."""
    state, seat, move = _position_and_move(question)
    violations = [
        {"rule": found.rule.id, "sentence": found.rule.text.spoken_in(language()), "details": dict(found.details)}
        for found in game.violations(state, seat, move)
    ]
    return _encode({"legal": False, "violations": violations}) if violations else _LEGAL


def locations(question: str) -> bytes:
    """Where Mr X can be for a public log, in the form of the API's `PossibleLocations`."""
    log, hindsight = _log(question)
    return _told(question, _located_in_hindsight if hindsight else _located, log)


def locations_in_hindsight(question: str) -> bytes:
    """The same with what may be written under each field of the log."""
    log, _ = _log(question)
    return _told(question, _located_in_hindsight, log)


def _told(question: str, answer: Callable[[Log], bytes], log: Log) -> bytes:
    try:
        return answer(log)
    except Contradiction as error:
        return b'{"contradiction":%d}' % error.field
    except InvalidField as error:
        if is_json(question):
            raise
        raise NotationError(error.text, log_reading.place(question, error.field)) from error


_followed = FollowedLogs()
"""The log of the last question, from which the next one may go on."""


class _Station(msgspec.Struct, gc=False):
    station: int
    routes: str
    probability: float


class _Moment(msgspec.Struct, gc=False):
    number: int
    stations: tuple[int, ...]


class _Locations(msgspec.Struct, rename="camel", omit_defaults=True):
    """The API's `PossibleLocations` as JSON. The stations may be two hundred, and nothing writes them as quickly."""

    analysis: tuple[int, ...]
    strong: list[_Station]
    total_routes: str
    hindsight: list[_Moment] | None = None


def _located(log: Log) -> bytes:
    if log.master is not None:
        return _encode(_written(possible_locations(log.evidence())))
    return _encode(_written(_followed.locations(log.board, log.rounds, start=log.start, hunters=log.hunters)))


def _located_in_hindsight(log: Log) -> bytes:
    evidence = log.evidence()
    found, trail = _written(possible_locations(evidence)), possible_trail(evidence)
    found.hindsight = [_Moment(number, stations) for number, stations in trail.items()]
    return _encode(found)


def _written(found: PossibleLocations) -> _Locations:
    total = found.total_routes
    strong = [_Station(station, str(routes), routes / total) for station, routes in found.routes.items()]
    return _Locations(found.analysis, strong, str(total))


# --- reading questions --------------------------------------------------------------------------------------------


def _position(question: str) -> ScotlandYardState:
    if not is_json(question):
        return position_notation.parse(question)
    message = read_unjudged(question, position_pb2.Position)
    # Most are plain, and found valid on the way, which is quicker than to judge them first.
    state = read_plain_position(message.SerializeToString())
    return read_position(judged(message, question)) if state is None else state


def _position_and_move(question: str) -> tuple[ScotlandYardState, Seat, Move]:
    """The position, the side that the move belongs to, and the move."""
    if is_json(question):
        return read_question(read_line(question, position_pb2.PositionMoves))
    placed, bar, moved = question.partition(BAR)
    if not bar:
        raise NotationError(_NO_MOVE, len(question.rstrip()) + 1)
    state = position_notation.parse(placed)
    try:
        move = _move(moved, piece_meant(state))
    except NotationError as error:
        raise NotationError(error.text, len(placed) + 1 + error.column) from error
    return state, side_of(move), move


def _log(question: str) -> tuple[Log, bool]:
    if is_json(question):
        message = read_line(question, deduction_pb2.PublicLog)
        return read_log(message), message.hindsight
    return log_reading.read(question), False
