"""Where boards come from: JSON texts, of which this package brings its own, and an operator may add more."""

from functools import cache
from importlib.resources import files
from typing import Any

from whitehall.games.cluedo.board import Board, BoardError, Direction, Door
from whitehall.games.cluedo.place import Square
from whitehall.games.core.data_text import BadText, data_of, line_of, list_of, name_of, number_of, object_of, text_of

MANSION = "mansion"
"""The classic grid, and the default."""

PACKAGED = (MANSION,)
"""The names of the boards that come with the package."""

_STEPS = {step.word: step for step in Direction}

_added: dict[str, Board] = {}
"""Operators' boards by name, added while the service starts."""


def names() -> tuple[str, ...]:
    """The names of all boards that games can be played on: those of the package first."""
    return (*PACKAGED, *_added)


def board(name: str) -> Board:
    """The board of that name. Raises `BoardError` if there is none."""
    if name in _added:
        return _added[name]
    if name not in PACKAGED:
        raise BoardError(f"there is no board {name!r}; there are: {', '.join(names())}")
    return _packaged(name)


@cache
def _packaged(name: str) -> Board:
    return load(files(__package__).joinpath("data", f"{name}.json").read_text(encoding="utf-8"))


def add(text: str) -> Board:
    """Adds an operator's board, or finds it there already. Raises `BoardError`, also where its name is another's."""
    made = load(text)
    if made.name in names() and board(made.name) != made:
        raise BoardError(f"name: there is another board {made.name!r}")
    if made.name not in names():
        _added[made.name] = made
    return board(made.name)


def load(text: str) -> Board:
    """The board that a JSON text describes. Raises `BoardError` for anything that is not a sound board.

    The text is an object with `name`, `rows` (the drawing), `doors` (each with `room`, the `row` and `column` of the
    square in front of it, and the `step` from there into the room), `passages` (pairs of rooms) and, if it likes,
    `about`.
    """
    try:
        return _board_of(data_of(text))
    except BadText as error:
        raise BoardError(error.reason) from error


def _board_of(data: Any) -> Board:
    required = {"name", "rows", "doors", "passages"}
    whole = object_of(data, "the board", required, required | {"about"})
    return Board(
        name=name_of(whole["name"], "name"),
        rows=[text_of(row, f"row {number}") for number, row in enumerate(list_of(whole["rows"], "rows"))],
        doors=[_door(door, f"door {number}") for number, door in enumerate(list_of(whole["doors"], "doors"), 1)],
        passages=[_pair(pair) for pair in list_of(whole["passages"], "passages")],
        about=line_of(whole.get("about", ""), "about"),
    )


def _door(value: Any, place: str) -> Door:
    keys = {"room", "row", "column", "step"}
    door = object_of(value, place, keys, keys)
    room, row, column = (number_of(door[key], f"{place}, {key}") for key in ("room", "row", "column"))
    step = door["step"]
    if not isinstance(step, str) or step not in _STEPS:
        raise BadText(f"{place}: 'step' must be {', '.join(_STEPS)}")
    return Door(Square(row, column), _STEPS[step], room)


def _pair(value: Any) -> tuple[int, int]:
    pair = list_of(value, "passages")
    if len(pair) != 2:
        raise BadText("passages: must be pairs of rooms")
    return number_of(pair[0], "passages"), number_of(pair[1], "passages")
