"""Cards, squares and places on the wire. A card is told by its id, a room by that of its location."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Protocol

from whitehall.games.cluedo.card import Card, Case, card
from whitehall.games.cluedo.moves import Dice
from whitehall.games.cluedo.place import Place, Square
from whitehall.gen.whitehall.cluedo.v1 import move_pb2


class NamesCase(Protocol):
    """Any message that names a suspect, a weapon and a location."""

    @property
    def suspect(self) -> str:
        """The suspect's id."""
        ...

    @property
    def weapon(self) -> str:
        """The weapon's id."""
        ...

    @property
    def location(self) -> str:
        """The location's id."""
        ...


def read_case(message: NamesCase) -> Case:
    """The three cards that a valid message names."""
    return Case(card(message.suspect), card(message.weapon), card(message.location))


def case_fields(case: Case) -> Mapping[str, str]:
    """The three cards as the fields of any message that names them."""
    return {"suspect": case.suspect.word, "weapon": case.weapon.word, "location": case.location.word}


def write_case(case: Case) -> move_pb2.Case:
    """Three cards."""
    return move_pb2.Case(**case_fields(case))


def words(cards: Iterable[Card]) -> list[str]:
    """Cards by their ids."""
    return [one.word for one in cards]


def read_square(message: move_pb2.Square) -> Square:
    """A square, be it on the board or not."""
    return Square(message.row, message.column)


@lru_cache(1 << 11)
def write_square(square: Square) -> move_pb2.Square:
    """A square. One message for each, since a board has a few hundred and views are full of them."""
    return move_pb2.Square(row=square.row, column=square.column)


def write_squares(squares: Iterable[Square]) -> list[move_pb2.Square]:
    """A way."""
    return [write_square(square) for square in squares]


def read_place(message: move_pb2.Place) -> Place:
    """A square or a room."""
    return card(message.room) if message.WhichOneof("kind") == "room" else read_square(message.square)


def write_place(place: Place) -> move_pb2.Place:
    """A square or a room."""
    if isinstance(place, Card):
        return move_pb2.Place(room=place.word)
    return move_pb2.Place(square=write_square(place))


def write_dice(dice: Dice) -> move_pb2.Dice:
    """What two dice show."""
    return move_pb2.Dice(first=dice.first, second=dice.second)
