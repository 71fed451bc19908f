"""Records on the wire: their messages read as the game's own values, and written as text."""

from collections.abc import Iterator, Sequence

from whitehall.games.core.fault import InvalidField, OptionsError
from whitehall.games.core.record import read_common
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import differences, edition
from whitehall.games.scotland_yard import record as records
from whitehall.games.scotland_yard.moves import Move, Place
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.record import Placement, Record, RecordedSeat, Result, Turn
from whitehall.games.scotland_yard.sentences import no_piece
from whitehall.games.scotland_yard.ticket import Station
from whitehall.games.scotland_yard.wire.moves import read_moves
from whitehall.games.scotland_yard.wire.options import read_overrides
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2, record_pb2


def record_text(message: record_pb2.Record) -> str:
    """The record as text, with its digest; empty where its moves make no game from a beginning on."""
    try:
        return records.text(read_record(message).sealed())
    except InvalidField:
        return ""


def read_record(message: record_pb2.Record) -> Record:
    """The record, without a digest: a message has none. Raises `InvalidField`."""
    names = {seat.seat: seat.name for seat in message.info.seats}
    return Record(
        **read_common(message),
        seats=tuple(
            RecordedSeat(names.get(seat.seat, ""), tuple(_piece(piece, "seats") for piece in seat.pieces))
            for seat in message.seats
        ),
        start=tuple(_placements(message.revisions)),
        turns=_turns(message.revisions),
        result=_result(message.outcome) if message.HasField("outcome") else None,
        overrides=_overrides(message) if message.HasField("options") else NONE,
    )


def read_recorded(moves: Sequence[str], path: str) -> Move:
    """The moves that one revision holds, as its seat sent them. Raises `InvalidField` with the path."""
    return read_moves([move_pb2.Move(text=text) for text in moves], None, path)


def _overrides(message: record_pb2.Record) -> Overrides:
    """What differs from the preset, of all that was in force."""
    try:
        usual = edition.resolve(message.preset, message.players)
    except OptionsError as error:
        raise error.told from error
    return differences.changes(read_overrides(message.options), differences.in_force(usual))


def _placements(revisions: Sequence[record_pb2.RecordedRevision]) -> Iterator[Placement]:
    for revision in revisions:
        for event in revision.events:
            if event.WhichOneof("kind") == "placed":
                yield Placement(_piece(event.placed.piece, "revisions"), Station(event.placed.station))


def _turns(revisions: Sequence[record_pb2.RecordedRevision]) -> tuple[Turn, ...]:
    turns: list[list[Move]] = []
    for index, revision in enumerate(revisions):
        if not revision.moves:
            continue
        path = f"revisions[{index}].moves"
        move = read_recorded(revision.moves, path)
        # Where a piece was placed, its event has told.
        if isinstance(move, Place):
            continue
        if Piece.MR_X in records.pieces_of(move):
            turns.append([move])
        elif turns:
            turns[-1].append(move)
        else:
            reason = Text("hunters cannot move before Mr X", "les poursuivants ne peuvent jouer avant Mister X")
            raise InvalidField(path, reason)
    return tuple(map(tuple, turns))


def _piece(number: int, path: str) -> Piece:
    try:
        return Piece(number)
    except ValueError as error:
        raise InvalidField(path, no_piece(number)) from error


def _result(outcome: common_pb2.Outcome) -> Result:
    return Result(MR_X_SEAT in outcome.winners, outcome.rule)
