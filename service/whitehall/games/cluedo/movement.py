"""Movement: where a pawn can walk with a roll, and by which way. It knows boards and pips, and nothing of a game.

One pip is one step: from square to square, out of a room through a door, or through a door into a room, where every
walk ends. No square is stepped on twice in a walk, and none on which another pawn stands.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from whitehall.games.cluedo.board import Board
from whitehall.games.cluedo.corridors import Corridors, corridors
from whitehall.games.cluedo.options import Movement
from whitehall.games.cluedo.place import Square
from whitehall.games.cluedo.ways import Numbers, Ways

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


@lru_cache(1 << 9)
def reach(board: Board, place: Square | Slot, occupied: frozenset[Square], pips: int, movement: Movement) -> Reach:
    """Where a pawn can walk from a place.

    Where the whole roll has to be walked, and neither a room nor a way of that length is there, the longest ways that
    are count instead.
    """
    paths = corridors(board)
    searches = _searches(paths, place, occupied, pips)
    rooms: dict[Slot, Numbers] = {}
    squares: dict[int, Numbers] = {}
    for search in searches:
        _shortest_of(rooms, _into_rooms(paths, search, place, pips))
        if movement is Movement.UP_TO:
            _shortest_of(squares, search.shortest())
        else:
            squares.update(search.of_length(pips))
    if not (squares or rooms):
        squares = _longest(searches, pips)
    named = paths.squares.__getitem__
    return Reach(
        {named(number): tuple(map(named, squares[number])) for number in sorted(squares)},
        {slot: tuple(map(named, rooms[slot])) for slot in sorted(rooms)},
    )


def first_steps(board: Board, place: Square | Slot) -> tuple[Square, ...]:
    """The squares that the first step can lead to: beside a square, or in front of a room's doors."""
    if isinstance(place, Square):
        return board.neighbours.get(place, ())
    return tuple(door.square for door in board.doors_of.get(place, ()))


def _searches(paths: Corridors, place: Square | Slot, occupied: frozenset[Square], pips: int) -> list[Ways]:
    """A search from the square; or from a room's free doors, those of one colour together."""
    barred = sum(1 << paths.number(square) for square in occupied)
    if isinstance(place, Square):
        here = paths.number(place)
        return [Ways(paths, {here: ()}, barred & ~(1 << here), pips)]
    free = [door for door in paths.doors_of[place] if not barred >> door & 1]
    by_colour = ([door for door in free if paths.is_dark(door) is dark] for dark in (False, True))
    return [Ways(paths, {door: (door,) for door in doors}, barred, pips) for doors in by_colour if doors]


def _into_rooms(paths: Corridors, search: Ways, place: Square | Slot, pips: int) -> dict[Slot, Numbers]:
    """A shortest way into each room that leaves a pip for the step through the door; not back into the one left."""
    found: dict[Slot, Numbers] = {}
    for door, slot in paths.doors.items():
        way = search.shortest_to(door)
        if way is not None and slot != place and len(way) < pips:
            _shortest_of(found, {slot: way})
    return found


def _shortest_of(found: dict[int, Numbers], more: Mapping[int, Numbers]) -> None:
    """Takes over what is new, and what is shorter."""
    for target, way in more.items():
        if target not in found or len(way) < len(found[target]):
            found[target] = way


def _longest(searches: list[Ways], pips: int) -> dict[int, Numbers]:
    """The ends of the longest ways that there are, with fewer steps than were rolled."""
    for length in range(pips - 1, 0, -1):
        found = {number: way for search in searches for number, way in search.of_length(length).items()}
        if found:
            return found
    return {}
