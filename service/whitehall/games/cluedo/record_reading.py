"""Reading records: from a text to the record, or to the place where the text is none."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from whitehall.games.cluedo import notation
from whitehall.games.cluedo.card import card
from whitehall.games.cluedo.moves import Move
from whitehall.games.cluedo.options import AccusationMoment, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.overrides import Overrides
from whitehall.games.cluedo.record import GAME, NOBODY, Record, RecordedSeat, Result
from whitehall.games.core.fault import BadInput
from whitehall.games.core.record_reading import Form
from whitehall.games.core.record_tag import Tag, Value
from whitehall.games.core.sentences import either, expected, unknown_option
from whitehall.games.core.text import Text
from whitehall.games.core.word import Worded

_RESULT = re.compile(rf"({NOBODY}|S[1-9])[ \t]+wins[ \t]+([A-Z0-9-]{{1,40}})")


def parse(text: str) -> Record:
    """The record that a text holds. Raises `RecordError`."""
    said = FORM.read(text)
    return Record(
        **said.common,
        seats=said.all("Seat", _seat),
        turns=said.turns,
        result=said.result,
        overrides=Overrides(**said.options(_option)),
    )


def _move(text: str, before: Sequence[Move]) -> Move:
    return notation.parse(text)


def _result(line: str) -> Result | None:
    found = _RESULT.fullmatch(line)
    if found is None:
        return None
    return Result(None if found[1] == NOBODY else card(found[1]), found[2])


FORM = Form(
    game=GAME,
    example='[Preset "james-bond"]',
    results=Text("who wins", "qui gagne"),
    most_draws=100_000,
    move=_move,
    result=_result,
)
"""How a record of this game is written."""


def _seat(tag: Tag) -> RecordedSeat:
    name, pawn = tag.several(2)
    try:
        return RecordedSeat(name.text, card(pawn.text))
    except BadInput as error:
        pawn.fail(error.text)


Read = Callable[[Tag], Any]
"""What reads a tag `Option` behind the option's name."""


def _word(choices: type[Worded]) -> Read:
    words = choices.by_word()

    def read(tag: Tag) -> Any:
        value = tag.one()
        if value.text not in words:
            value.fail(expected(either([*words])))
        return words[value.text]

    return read


def _texts(tag: Tag) -> tuple[str, ...]:
    return tuple(value.text for value in tag.values)


def _numbers(tag: Tag) -> tuple[int, ...]:
    return tuple(value.number(0, 999) for value in tag.values)


_OPTIONS: Mapping[str, Read] = {
    "board": lambda tag: tag.one().text,
    "movement": _word(Movement),
    "accusations": _word(AccusationMoment),
    "dice": _word(DiceSource),
    "leftovers": _word(Leftovers),
    "neutral_cards": lambda tag: tag.one().number(0, 999),
    "first_dealt": lambda tag: tag.one().number(0, 63),
    "suspects": _texts,
    "weapons": _texts,
    "locations": _texts,
    "room_slots": _numbers,
}
"""What reads each option."""


def _option(name: Value, tag: Tag) -> Any:
    if name.text not in _OPTIONS:
        name.fail(unknown_option(name.text, _OPTIONS))
    return _OPTIONS[name.text](Tag(tag.values[1:], tag.line))
