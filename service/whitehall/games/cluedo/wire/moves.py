"""Moves on the wire: reading what a seat tries, and writing what it may do."""

from collections.abc import Iterable

from whitehall.games.cluedo import notation
from whitehall.games.cluedo.card import Card, card
from whitehall.games.cluedo.moves import (
    Accuse,
    Dice,
    EndTurn,
    Enter,
    Move,
    Passage,
    Roll,
    Show,
    Suggest,
    Walk,
)
from whitehall.games.cluedo.place import Square
from whitehall.games.cluedo.wire.places import read_case, read_square
from whitehall.games.core.fault import InvalidField
from whitehall.gen.whitehall.cluedo.v1 import move_pb2


def read_move(message: move_pb2.Move, pawn: Card, path: str = "move") -> Move:
    """The move that a message stands for; `pawn` is the one that is meant where a text names none, and that every typed
    move is about. Raises `InvalidField`.
    """
    match message.WhichOneof("kind"):
        case "roll":
            dice = message.roll.dice
            return Roll(pawn, Dice(dice.first, dice.second) if message.roll.HasField("dice") else None)
        case "walk":
            return Walk(pawn, read_square(message.walk.square), _way(message.walk.via))
        case "enter":
            return Enter(pawn, card(message.enter.location), _way(message.enter.via))
        case "take_passage":
            return Passage(pawn, card(message.take_passage.location))
        case "suggest":
            return Suggest(pawn, read_case(message.suggest))
        case "show":
            return Show(pawn, card(message.show.card))
        case "accuse":
            return Accuse(pawn, read_case(message.accuse))
        case "end_turn":
            return EndTurn(pawn)
        case "text":
            try:
                return notation.parse(message.text, pawn)
            except notation.NotationError as error:
                raise InvalidField(f"{path}.text", f"column {error.column}: {error.reason}") from error
        case _:
            raise InvalidField(path, "holds no move")


def _way(squares: Iterable[move_pb2.Square]) -> tuple[Square, ...]:
    return tuple(read_square(square) for square in squares)
