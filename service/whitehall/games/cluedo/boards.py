"""Where boards come from: JSON texts, of which this package brings its own, and an operator may add more."""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from whitehall.games.cluedo.board import Board, BoardError, Direction, Door
from whitehall.games.cluedo.place import Square

MANSION = "mansion"
"""The classic grid, and the default."""

PACKAGED = (MANSION,)
"""The names of the boards that come with the package."""

_NAME = re.compile("[a-z0-9][a-z0-9-]{0,63}")
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
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise BoardError(f"not JSON: {error}") from error
    except RecursionError as error:
        raise BoardError("not a board: nested too deeply") from error
    whole = _object(data, "the board", {"name", "rows", "doors", "passages"}, {"about"})
    for key in ("name", "about"):
        if not isinstance(whole.get(key, ""), str):
            raise BoardError(f"{key}: must be a text")
    if not _NAME.fullmatch(whole["name"]):
        raise BoardError("name: must be 1 to 64 small letters, digits and hyphens, beginning with a letter or a digit")
    rows = whole["rows"]
    if not isinstance(rows, list) or not rows or any(not isinstance(row, str) for row in rows):
        raise BoardError("rows: must be a list of texts")
    doors = [_door(door, f"door {number}") for number, door in enumerate(_list(whole["doors"], "doors"), 1)]
    passages = [_pair(pair) for pair in _list(whole["passages"], "passages")]
    return Board(whole["name"], rows, doors, passages, whole.get("about", ""))


def _door(value: Any, place: str) -> Door:
    door = _object(value, place, {"room", "row", "column", "step"}, set())
    for key in ("room", "row", "column"):
        if type(door[key]) is not int:
            raise BoardError(f"{place}: {key!r} must be a number")
    step = door["step"]
    if not isinstance(step, str) or step not in _STEPS:
        raise BoardError(f"{place}: 'step' must be {', '.join(_STEPS)}")
    return Door(Square(door["row"], door["column"]), _STEPS[step], door["room"])


def _pair(value: Any) -> tuple[int, int]:
    match value:
        case [int() as one, int() as other]:
            return one, other
    raise BoardError("passages: must be pairs of rooms")


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise BoardError(f"{place}: must be a list")
    return value


def _object(value: Any, place: str, required: set[str], optional: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BoardError(f"{place}: must be an object")
    for key in sorted(required - value.keys()):
        raise BoardError(f"{place}: {key!r} is missing")
    for key in sorted(value.keys() - required - optional):
        raise BoardError(f"{place}: {key!r} is not known")
    return value
