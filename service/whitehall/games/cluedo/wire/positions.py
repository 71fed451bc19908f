"""Placements on the wire: where pawns can walk, without a game."""

from collections.abc import Callable, Mapping

from whitehall.games.cluedo import boards
from whitehall.games.cluedo.card import Card, location
from whitehall.games.cluedo.movement import Reach, reach
from whitehall.games.cluedo.options import Movement
from whitehall.games.cluedo.place import Square
from whitehall.games.cluedo.sentences import no_corridor_square
from whitehall.games.cluedo.wire.places import read_place, read_square, write_place, write_squares
from whitehall.games.core.fault import BadBoard, InvalidField
from whitehall.games.core.text import Text
from whitehall.games.core.wanted import IsWanted, always
from whitehall.gen.whitehall.cluedo.v1 import move_pb2, position_pb2

LARGE = 400
"""A board with more corridor squares is an operator's own, at most 40 by 40. The classic one has 188."""


def list_reachable_places(question: position_pb2.Placement) -> bytes | Callable[[IsWanted], bytes]:
    """Where a pawn can walk, as encoded `ReachablePlaces`; of a large board what works it out in a thread, as it may
    take a twentieth of a second. Raises `InvalidField`.
    """
    try:
        board = boards.board(question.board or boards.MANSION)
    except BadBoard as error:
        raise InvalidField("board", error.text) from error
    place = read_place(question.place)
    if isinstance(place, Square):
        if place not in board.neighbours:
            raise InvalidField("place.square", no_corridor_square(place))
    elif place.number not in board.slots:
        room = place.number
        raise InvalidField("place.room", Text(f"the board has no room {room}", f"le plateau n'a pas de pièce {room}"))
    occupied = [read_square(square) for square in question.occupied]
    for index, square in enumerate(occupied):
        if square not in board.neighbours:
            raise InvalidField(f"occupied[{index}]", no_corridor_square(square))
    movement = Movement(question.movement or Movement.EXACT)
    here = place.number if isinstance(place, Card) else place

    def encoded(is_wanted: IsWanted) -> bytes:
        found = reach(board, here, frozenset(occupied) - {place}, question.pips, movement)
        return position_pb2.ReachablePlaces(destinations=write_reach(found, {})).SerializeToString()

    return encoded if len(board.corridors) > LARGE else encoded(always)


def write_reach(found: Reach, rooms: Mapping[int, Card]) -> list[move_pb2.Destination]:
    """Every place in reach. `rooms` tells which location lies in a room; one that is left out has the room's number."""
    squares = [
        move_pb2.Destination(place=write_place(square), path=write_squares(way), pips=len(way))
        for square, way in found.squares.items()
    ]
    return squares + [
        move_pb2.Destination(
            place=write_place(rooms.get(slot, location(slot))), path=write_squares(way), pips=len(way) + 1
        )
        for slot, way in found.rooms.items()
    ]


QUESTIONS: Mapping[str, Callable[..., bytes | Callable[[IsWanted], bytes]]] = {
    "ListReachablePlaces": list_reachable_places
}
"""What answers one question of each position method about placements."""
