"""Where boards come from: JSON texts, of which this package brings its own, and an operator may add more.

`names`, `board` and `add` are those of `core.boards`.
"""

from typing import Any

from whitehall.games.cluedo.board import Board, Direction, Door
from whitehall.games.cluedo.place import Square
from whitehall.games.core.boards import Boards
from whitehall.games.core.data_text import BadText, data_of, line_of, list_of, name_of, number_of, object_of, text_of
from whitehall.games.core.fault import BadBoard
from whitehall.games.core.text import Text

MANSION = "mansion"
"""The classic grid, and the default."""

PACKAGED = (MANSION,)
"""The names of the boards that come with the package."""

_STEPS = Direction.by_word()


def load(text: str) -> Board:
    """The board that a JSON text describes. Raises `BadBoard` for anything that is not a sound board.

    The text is an object with `name`, `rows` (the drawing), `doors` (each with `room`, the `row` and `column` of the
    square in front of it, and the `step` from there into the room), `passages` (pairs of rooms) and, if it likes,
    `about`.
    """
    try:
        return _board_of(data_of(text))
    except BadText as error:
        raise BadBoard(error.text) from error


def _board_of(data: Any) -> Board:
    required = {"name", "rows", "doors", "passages"}
    whole = object_of(data, Text("the board", "le plateau"), required, required | {"about"})
    return Board(
        name=name_of(whole["name"], "name"),
        rows=[
            text_of(row, Text(f"row {number}", f"ligne {number}"))
            for number, row in enumerate(list_of(whole["rows"], "rows"))
        ],
        doors=[
            _door(door, Text(f"door {number}", f"porte {number}"))
            for number, door in enumerate(list_of(whole["doors"], "doors"), 1)
        ],
        passages=[_pair(pair) for pair in list_of(whole["passages"], "passages")],
        about=line_of(whole.get("about", ""), "about"),
    )


def _door(value: Any, place: Text) -> Door:
    keys = {"room", "row", "column", "step"}
    door = object_of(value, place, keys, keys)
    room, row, column = (
        number_of(door[key], Text(f"{place.en}, {key}", f"{place.fr}, {key}")) for key in ("room", "row", "column")
    )
    step = door["step"]
    if not isinstance(step, str) or step not in _STEPS:
        steps = ", ".join(_STEPS)
        raise BadText(Text(f"'step' must be {steps}", f"'step' est l'un de {steps}").at(place))
    return Door(Square(row, column), _STEPS[step], room)


def _pair(value: Any) -> tuple[int, int]:
    pair = list_of(value, "passages")
    if len(pair) != 2:
        raise BadText(Text("must be pairs of rooms", "il faut des paires de pièces").at("passages"))
    return number_of(pair[0], "passages"), number_of(pair[1], "passages")


shelf = Boards(__package__, PACKAGED, load)
names, board, add = shelf.names, shelf.board, shelf.add
