"""Records on the wire: their messages read as the game's own values, and written as text."""

from collections.abc import Sequence
from dataclasses import fields, replace

from whitehall.games.cluedo import edition, notation
from whitehall.games.cluedo import record as records
from whitehall.games.cluedo.card import Card, card
from whitehall.games.cluedo.moves import Move
from whitehall.games.cluedo.overrides import NONE, Overrides
from whitehall.games.cluedo.record import Record, RecordedSeat, Result, Turn
from whitehall.games.cluedo.wire.options import read_overrides, write_options
from whitehall.games.core.fault import BadInput, InvalidField, OptionsError
from whitehall.games.core.notation import NotationError
from whitehall.games.core.record import read_common
from whitehall.games.core.text import Text
from whitehall.gen.whitehall.cluedo.v1 import record_pb2
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2


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
        seats=tuple(RecordedSeat(names.get(seat.seat, ""), _pawn(seat.pawn, "seats")) for seat in message.seats),
        turns=_turns(message.revisions),
        result=_result(message) if message.HasField("outcome") else None,
        overrides=_overrides(message) if message.HasField("options") else NONE,
    )


def read_recorded(moves: Sequence[str], path: str) -> Move:
    """The one move that a revision holds. Raises `InvalidField` with the path."""
    if len(moves) != 1:
        raise InvalidField(path, Text("one revision has one move", "une révision a un seul coup"))
    try:
        return notation.parse(moves[0])
    except NotationError as error:
        raise InvalidField(f"{path}[0]", error.placed) from error


def _overrides(message: record_pb2.Record) -> Overrides:
    """What differs from the preset, of all that was in force."""
    try:
        usual = read_overrides(write_options(edition.resolve(message.preset, message.players)))
    except OptionsError as error:
        raise error.told from error
    in_force = read_overrides(message.options)
    named = {field.name: getattr(in_force, field.name) for field in fields(in_force)}
    return replace(NONE, **{name: value for name, value in named.items() if value != getattr(usual, name)})


def _turns(revisions: Sequence[record_pb2.RecordedRevision]) -> tuple[Turn, ...]:
    """The moves by turns: one begins where an event says so."""
    turns: list[list[Move]] = []
    begins = False
    for index, revision in enumerate(revisions):
        if revision.moves:
            path = f"revisions[{index}].moves"
            move = read_recorded(revision.moves, path)
            if begins:
                turns.append([])
                begins = False
            if not turns:
                reason = Text("nobody can move before the first turn", "personne ne peut jouer avant le premier tour")
                raise InvalidField(path, reason)
            turns[-1].append(move)
        begins = begins or any(event.WhichOneof("kind") == "turn_began" for event in revision.events)
    return tuple(map(tuple, turns))


def _result(message: record_pb2.Record) -> Result:
    return Result(_winner(message.outcome, message), message.outcome.rule)


def _winner(outcome: common_pb2.Outcome, message: record_pb2.Record) -> Card | None:
    pawns = {seat.seat: seat.pawn for seat in message.seats}
    for seat in outcome.winners:
        return _pawn(pawns.get(seat, ""), "outcome.winners")
    return None


def _pawn(word: str, path: str) -> Card:
    try:
        return card(word)
    except BadInput as error:
        raise InvalidField(path, error.text) from error
