"""Reading records: from a text to the record, or to the place where the text is none."""

import re
from collections.abc import Sequence
from typing import Any

from whitehall.games.core.fault import BadInput
from whitehall.games.core.notation import NotationError
from whitehall.games.core.record_reading import Form
from whitehall.games.core.record_tag import Tag, Value
from whitehall.games.core.sentences import expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import notation, option_notation
from whitehall.games.scotland_yard.moves import Move, Place, Together
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.record import GAME, Placement, Record, RecordedSeat, Result, pieces_of
from whitehall.games.scotland_yard.sentences import no_piece
from whitehall.games.scotland_yard.station_notation import STATION
from whitehall.games.scotland_yard.ticket import Station

_MR_X_WINS = "mr_x wins"
_RESULT = re.compile(rf"({_MR_X_WINS}|detectives win)[ \t]+([A-Z0-9-]{{1,40}})")
_PLACEMENT = re.compile(f"([a-z_0-9]+) ({STATION})")
_PIECES = Piece.by_word()


def parse(text: str) -> Record:
    """The record that a text holds. Raises `RecordError`."""
    said = FORM.read(text)
    return Record(
        **said.common,
        seats=said.all("Seat", _seat),
        start=tuple(_placement(value) for tag in said.tags["Start"] for value in tag.values),
        turns=said.turns,
        result=said.result,
        overrides=option_notation.overrides(said.options(_option)),
    )


def _move(text: str, before: Sequence[Move]) -> Move:
    move = notation.parse(text)
    column = len(text) - len(text.lstrip()) + 1
    if isinstance(move, Place):
        why = Text(
            "pieces are placed before the turns, in the tag Start",
            "les pions se placent avant les tours, dans la balise Start",
        )
        raise NotationError(why, column)
    if (Piece.MR_X in pieces_of(move)) != (not before) or (isinstance(move, Together) and not before):
        why = Text(
            "a turn is one move of mr_x, then moves of hunters",
            "un tour est un coup de mr_x, puis des coups de poursuivants",
        )
        raise NotationError(why, column)
    return move


def _result(line: str) -> Result | None:
    found = _RESULT.fullmatch(line)
    return None if found is None else Result(found[1] == _MR_X_WINS, found[2])


FORM = Form(
    game=GAME,
    example='[Preset "new"]',
    results=Text.of("mr_x wins, detectives win"),
    most_draws=1000,
    move=_move,
    result=_result,
    more_tags={"Start": (0, 1)},
)
"""How a record of this game is written."""


def _option(name: Value, tag: Tag) -> Any:
    _, value = tag.several(2)
    try:
        return option_notation.read(name.text, value.text)
    except option_notation.UnknownOptionError as error:
        name.fail(error.text)
    except BadInput as error:
        value.fail(error.text)


def _seat(tag: Tag) -> RecordedSeat:
    name, pieces = tag.several(2)
    return RecordedSeat(name.text, tuple(_piece(pieces, word) for word in pieces.text.split(" ")))


def _placement(value: Value) -> Placement:
    found = _PLACEMENT.fullmatch(value.text)
    if not found:
        what = Text('a piece and its station, such as "red 13"', 'un pion et sa station, comme "red 13"')
        value.fail(expected(what))
    return Placement(_piece(value, found[1]), Station(int(found[2])))


def _piece(value: Value, word: str) -> Piece:
    if word not in _PIECES:
        value.fail(no_piece(word))
    return _PIECES[word]
