"""An independent search for walks: it reads the drawing, and tries every walk step by step."""

from collections.abc import Iterator

from whitehall.games.cluedo.board import Board

Spot = tuple[int, int]
Target = Spot | int
"""A square, or a room by its slot."""

STEPS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}


def walks(
    board: Board, origin: Target, occupied: frozenset[Spot], pips: int
) -> dict[tuple[Target, int], set[tuple[Spot, ...]]]:
    """Every walk of 1 to `pips` steps, by where it ends and how many steps it takes; rooms end a walk."""
    found: dict[tuple[Target, int], set[tuple[Spot, ...]]] = {}
    corridor = {
        (row, column)
        for row, letters in enumerate(board.rows)
        for column, letter in enumerate(letters)
        if letter == "." or letter in "abcdefgh"
    }
    doors = {(door.square.row, door.square.column): (STEPS[door.step.word], door.slot) for door in board.doors}

    def onward(here: Target) -> Iterator[Target]:
        if isinstance(here, int):
            yield from (square for square, (_, slot) in doors.items() if slot == here)
            return
        for rows, columns in STEPS.values():
            yield (here[0] + rows, here[1] + columns)
        if here in doors:
            yield doors[here][1]

    def go(here: Target, walked: tuple[Spot, ...], steps: int) -> None:
        if steps:
            found.setdefault((here, steps), set()).add(walked)
        if steps == pips or (steps and isinstance(here, int)):
            return
        for there in onward(here):
            if isinstance(there, int):
                if there != origin:
                    go(there, walked, steps + 1)
            elif there in corridor and there not in occupied and there not in walked and there != origin:
                go(there, (*walked, there), steps + 1)

    go(origin, (), 0)
    return found


def ends(
    board: Board, origin: Target, occupied: frozenset[Spot], pips: int, exact: bool
) -> tuple[set[Spot], dict[int, int]]:
    """The squares where a walk may end, and the rooms with the fewest steps that lead there."""
    found = walks(board, origin, occupied, pips)
    rooms: dict[int, int] = {}
    for target, steps in found:
        if isinstance(target, int):
            rooms[target] = min(steps, rooms.get(target, steps))
    lengths = {steps for target, steps in found if not isinstance(target, int)}
    if exact:
        lengths &= {pips} if pips in lengths or rooms else {max(lengths, default=0)}
    return {target for target, steps in found if not isinstance(target, int) and steps in lengths}, rooms
