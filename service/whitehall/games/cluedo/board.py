"""The board: corridors, rooms, the doors between them and the secret passages. It knows nothing of pawns or cards."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from whitehall.games.cluedo.place import Square
from whitehall.games.core.fault import BadBoard
from whitehall.games.core.stored_board import digest_of
from whitehall.games.core.text import Text
from whitehall.games.core.word import Worded

MOST_ROWS = MOST_COLUMNS = 40
ROOM_LETTERS = "123456789"
"""What draws the squares of each room slot, from 1."""
START_LETTERS = "abcdefgh"
"""What draws the start squares, that of S1 first."""
CORRIDOR, WALL, CENTRE = ".#*"


class Direction(Worded):
    """A step of one square, never a diagonal one. The numbers are those of the wire."""

    NORTH = 1
    EAST = 2
    SOUTH = 3
    WEST = 4

    def of(self, square: Square) -> Square:
        """The square one step away."""
        rows, columns = _STEPS[self]
        return Square(square.row + rows, square.column + columns)


_STEPS = {Direction.NORTH: (-1, 0), Direction.EAST: (0, 1), Direction.SOUTH: (1, 0), Direction.WEST: (0, -1)}


class Door(NamedTuple):
    """A door: the corridor square in front of it, and the step from there into the room."""

    square: Square
    step: Direction
    slot: int


@dataclass(frozen=True, init=False, repr=False)
class Board:
    """An immutable board. Raises `BadBoard` for what cannot work."""

    name: str
    rows: tuple[str, ...]
    """The drawing, row 0 at the top: `.` a corridor, `a` to `h` a start square, which is a corridor too, `1` to `9` a
    room, `*` the centre that holds the envelope, `#` outside.
    """
    doors: tuple[Door, ...]
    """By room slot, then by square."""
    passages: tuple[tuple[int, int], ...]
    """The pairs of rooms that secret passages join, ascending."""
    about: str = field(compare=False)
    """One line about it, for people."""

    def __init__(
        self,
        name: str,
        rows: Sequence[str],
        doors: Sequence[Door],
        passages: Sequence[tuple[int, int]],
        about: str = "",
    ) -> None:
        keep = object.__setattr__  # the way a frozen dataclass takes its fields
        keep(self, "name", name)
        keep(self, "about", about)
        keep(self, "rows", tuple(rows))
        keep(self, "doors", tuple(sorted(doors, key=lambda door: (door.slot, door.square))))
        keep(self, "passages", tuple(sorted((min(pair), max(pair)) for pair in passages)))
        for fault in _faults(self):
            raise fault

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """The room slots, ascending from 1 without a gap."""
        drawn = {letter for row in self.rows for letter in row}
        return tuple(slot for slot, letter in enumerate(ROOM_LETTERS, 1) if letter in drawn)

    @cached_property
    def starts(self) -> tuple[Square, ...]:
        """The start squares, that of S1 first."""
        return tuple(self._drawn[letter] for letter in START_LETTERS if letter in self._drawn)

    @cached_property
    def corridors(self) -> tuple[Square, ...]:
        """Every corridor square, start squares included, row by row."""
        return tuple(square for square, letter in self._squares() if letter == CORRIDOR or letter in START_LETTERS)

    @cached_property
    def neighbours(self) -> Mapping[Square, tuple[Square, ...]]:
        """The corridor squares next to each corridor square: north, east, south, west."""
        corridors = set(self.corridors)
        return {
            square: tuple(there for step in Direction if (there := step.of(square)) in corridors)
            for square in self.corridors
        }

    @cached_property
    def door_at(self) -> Mapping[Square, Door]:
        """The door in front of which a corridor square lies. No square serves two doors."""
        return {door.square: door for door in self.doors}

    @cached_property
    def doors_of(self) -> Mapping[int, tuple[Door, ...]]:
        """The doors of each room slot."""
        return {slot: tuple(door for door in self.doors if door.slot == slot) for slot in self.slots}

    @cached_property
    def passage_from(self) -> Mapping[int, int]:
        """Where the secret passage of a room slot leads; only rooms that have one."""
        return {one: other for pair in self.passages for one, other in (pair, pair[::-1])}

    @cached_property
    def _drawn(self) -> Mapping[str, Square]:
        return {letter: square for square, letter in self._squares()}

    def letter(self, square: Square) -> str:
        """What is drawn on a square; outside of the drawing, a wall."""
        inside = 0 <= square.row < self.height and 0 <= square.column < self.width
        return self.rows[square.row][square.column] if inside else WALL

    def _squares(self) -> Iterator[tuple[Square, str]]:
        for row, letters in enumerate(self.rows):
            for column, letter in enumerate(letters):
                yield Square(row, column), letter

    @cached_property
    def digest(self) -> bytes:
        """What tells it from another board of its name."""
        doors = [(door.square.row, door.square.column, door.step.word, door.slot) for door in self.doors]
        return digest_of([self.rows, doors, self.passages])

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.slots)} rooms>"

    def __reduce__(self) -> tuple[object, ...]:
        """Travels to another process as its data; what was prepared from them is prepared there anew."""
        return Board, (self.name, self.rows, self.doors, self.passages, self.about)


def _faults(board: Board) -> Iterator[BadBoard]:
    """What is wrong with a board, the simplest first, because the later questions rely on the earlier answers."""
    if not board.name:
        yield BadBoard(Text("a board needs a name", "un plateau porte un nom"))
    yield from _drawing_faults(board)
    yield from _door_faults(board)
    yield from _passage_faults(board)
    reached = _reached(board)
    for square in board.starts:
        if square not in reached:
            yield BadBoard(_NO_WAY.at(Text(f"start {square.word}", f"départ {square.word}")))
    for slot, doors in board.doors_of.items():
        if not any(door.square in reached for door in doors):
            yield BadBoard(_NO_WAY.at(_room(slot)))


_NO_WAY = Text("no way leads there", "aucun chemin n'y mène")


def _room(slot: int) -> Text:
    return Text(f"room {slot}", f"pièce {slot}")


def _no_room(slot: int) -> Text:
    return Text(f"there is no room {slot}", f"il n'y a pas de pièce {slot}")


def _drawing_faults(board: Board) -> Iterator[BadBoard]:
    if not 1 <= board.height <= MOST_ROWS:
        yield BadBoard(Text(f"a board has 1 to {MOST_ROWS} of them", f"un plateau en a de 1 à {MOST_ROWS}").at("rows"))
    for number, row in enumerate(board.rows):
        if not 1 <= len(row) <= MOST_COLUMNS or len(row) != board.width:
            why = Text(
                f"every row has the same 1 to {MOST_COLUMNS} squares",
                f"toutes les lignes ont autant de cases, de 1 à {MOST_COLUMNS}",
            )
            yield BadBoard(why.at(Text(f"row {number}", f"ligne {number}")))
        for column, letter in enumerate(row):
            if letter not in CORRIDOR + WALL + CENTRE + ROOM_LETTERS + START_LETTERS:
                why = Text(f"{letter!r} draws nothing", f"{letter!r} ne dessine rien")
                yield BadBoard(why.at(Text(f"square {number},{column}", f"case {number},{column}")))
    counts = Counter(letter for row in board.rows for letter in row)
    rooms, starts = Text("rooms", "pièces"), Text("starts", "départs")
    for letters, what in ((ROOM_LETTERS, rooms), (START_LETTERS, starts)):
        drawn = [letter for letter in letters if counts[letter]]
        if len(drawn) < 2:
            yield BadBoard(
                Text(f"a board needs two {what.en} or more", f"il faut au moins deux {what.fr} à un plateau")
            )
        if drawn != list(letters[: len(drawn)]):
            first = letters[0]
            yield BadBoard(
                Text(f"go from {first} on without a gap", f"se suivent sans trou à partir de {first}").at(what)
            )
    for letter in START_LETTERS:
        if counts[letter] > 1:
            why = Text("drawn twice", "dessiné deux fois")
            yield BadBoard(why.at(Text(f"start {letter}", f"départ {letter}")))


def _door_faults(board: Board) -> Iterator[BadBoard]:
    before: set[Square] = set()
    for door in board.doors:
        place = Text(f"door at {door.square.word}", f"porte en {door.square.word}")
        if door.slot not in board.slots:
            yield BadBoard(_no_room(door.slot).at(place))
        if board.letter(door.square) not in CORRIDOR + START_LETTERS:
            yield BadBoard(Text("no corridor is there", "il n'y a pas de couloir ici").at(place))
        if board.letter(door.step.of(door.square)) != ROOM_LETTERS[door.slot - 1]:
            why = Text(
                f"a step {door.step.word} does not lead into room {door.slot}",
                f"un pas {door.step.word} ne mène pas dans la pièce {door.slot}",
            )
            yield BadBoard(why.at(place))
        # A pawn there would block two doors, and a wrong accuser's could be moved into either room.
        if door.square in before:
            yield BadBoard(Text("one square serves one door", "une case ne dessert qu'une porte").at(place))
        before.add(door.square)
    for slot in board.slots:
        if not board.doors_of[slot]:
            yield BadBoard(Text("has no door", "n'a pas de porte").at(_room(slot)))


def _passage_faults(board: Board) -> Iterator[BadBoard]:
    ends: set[int] = set()
    for pair in board.passages:
        place = f"passage {pair[0]}-{pair[1]}"  # in both languages
        for slot in pair:
            if slot not in board.slots:
                yield BadBoard(_no_room(slot).at(place))
            if slot in ends:
                yield BadBoard(Text(f"room {slot} has another one", f"la pièce {slot} en a déjà un").at(place))
        if pair[0] == pair[1]:
            yield BadBoard(Text("joins two different rooms", "relie deux pièces différentes").at(place))
        ends.update(pair)


def _reached(board: Board) -> set[Square]:
    """The corridor squares that can be walked to from the first start, through rooms too."""
    first = board.starts[0]
    reached, to_visit = {first}, [first]
    while to_visit:
        here = to_visit.pop()
        onward = list(board.neighbours[here])
        if here in board.door_at:
            onward += [door.square for door in board.doors_of[board.door_at[here].slot]]
        for there in onward:
            if there not in reached:
                reached.add(there)
                to_visit.append(there)
    return reached
