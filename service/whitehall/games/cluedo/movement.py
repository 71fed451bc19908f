"""Movement: where a pawn can walk with a roll, and by which way. It knows boards and pips, and nothing of a game.

One pip is one step: from square to square, out of a room through a door, or through a door into a room, where every
walk ends. No square is stepped on twice in a walk, and none on which another pawn stands.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from whitehall.games.cluedo.board import Board
from whitehall.games.cluedo.options import Movement
from whitehall.games.cluedo.place import Square

Slot = int
"""A room of a board, by its number there."""

Way = tuple[Square, ...]
"""Every square that is stepped on, in order. That of a way into a room ends in front of the door."""


class Reach(NamedTuple):
    """Where a pawn can walk: each place with one of the shortest ways that lead there."""

    squares: Mapping[Square, Way]
    """By row and column."""
    rooms: Mapping[Slot, Way]
    """Ascending."""

    @property
    def is_empty(self) -> bool:
        """Whether there is no step to take."""
        return not (self.squares or self.rooms)


@lru_cache(1 << 12)
def reach(board: Board, place: Square | Slot, occupied: frozenset[Square], pips: int, movement: Movement) -> Reach:
    """Where a pawn can walk from a place.

    Where the whole roll has to be walked, and neither a room nor a way of that length is there, the longest ways that
    are count instead.
    """
    shortest = _shortest(board, place, occupied, pips)
    rooms: dict[Slot, Way] = {}
    here = {place: ()} if isinstance(place, Square) else {}
    for square, way in (here | shortest).items():
        door = board.door_at.get(square)
        # The room that is left in this walk is not entered again.
        if door is not None and door.slot != place and len(way) < pips:
            best = rooms.get(door.slot)
            if best is None or len(way) < len(best):
                rooms[door.slot] = way
    if movement is Movement.UP_TO:
        squares = shortest
    else:
        squares = _of_length(board, place, occupied, pips, shortest)
        for less in range(pips - 1, 0, -1):
            if squares or rooms:
                break
            squares = _of_length(board, place, occupied, less, shortest)
    return Reach(dict(sorted(squares.items())), dict(sorted(rooms.items())))


def first_steps(board: Board, place: Square | Slot) -> tuple[Square, ...]:
    """The squares that the first step can lead to: beside a square, or in front of a room's doors."""
    if isinstance(place, Square):
        return board.neighbours.get(place, ())
    return tuple(door.square for door in board.doors_of.get(place, ()))


def _shortest(board: Board, place: Square | Slot, occupied: frozenset[Square], pips: int) -> dict[Square, Way]:
    """A shortest way to each square that can be stepped on."""
    found: dict[Square, Way] = {}
    edge: list[Way] = [(square,) for square in first_steps(board, place)]
    for _ in range(pips):
        ahead: list[Way] = []
        for way in edge:
            square = way[-1]
            if square in occupied or square in found or square == place:
                continue
            found[square] = way
            ahead += [(*way, there) for there in board.neighbours[square]]
        edge = ahead
    return found


def _of_length(
    board: Board, place: Square | Slot, occupied: frozenset[Square], length: int, shortest: Mapping[Square, Way]
) -> dict[Square, Way]:
    """A way of exactly this length to each square that has one.

    The squares of a board are coloured like those of a chessboard, so that most can be left out at once; the others
    are looked for by following ways until all have been found.
    """
    found: dict[Square, Way] = {square: way for square, way in shortest.items() if len(way) == length}
    wanted = {square for square, way in shortest.items() if len(way) < length}
    if isinstance(place, Square):
        wanted = {square for square in wanted if (length - len(shortest[square])) % 2 == 0}
    for way in _ways(board, place, occupied, length):
        if way[-1] not in found:
            found[way[-1]] = way
            wanted.discard(way[-1])
            if not wanted:
                break
    return found


def _ways(board: Board, place: Square | Slot, occupied: frozenset[Square], length: int) -> Iterator[Way]:
    """Every way of a length, without a square twice."""
    stepped: list[Square] = []
    barred = set(occupied)
    if isinstance(place, Square):
        barred.add(place)
    options = [iter(first_steps(board, place))]
    while options:
        square = next(options[-1], None)
        if square is None:
            options.pop()
            if stepped:
                barred.discard(stepped.pop())
        elif square not in barred:
            if len(stepped) + 1 == length:
                yield (*stepped, square)
            else:
                stepped.append(square)
                barred.add(square)
                options.append(iter(board.neighbours[square]))
