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
from whitehall.games.core.record_reading import Form, RecordError, Tag
from whitehall.games.core.sentences import STANDS_TWICE, either, expected, unknown_option
from whitehall.games.core.text import Text
from whitehall.games.core.word import Worded

_RESULT = re.compile(rf"({NOBODY}|S[1-9])[ \t]+wins[ \t]+([A-Z0-9-]{{1,40}})")


def parse(text: str) -> Record:
    """The record that a text holds. Raises `RecordError`."""
    said = _FORM.read(text)
    return Record(
        game_id=said.only("Id").text,
        ruleset=said.only("Ruleset").number(1, 1_000_000),
        preset=said.only("Preset").text,
        players=said.only("Players").number(1, 99),
        seats=said.all("Seat", _seat),
        commitment=said.only("Commitment").seed(),
        server_seed=said.only("Seed").seed(),
        client_seeds=said.client_seeds,
        draws=said.draws,
        turns=said.turns,
        result=said.result,
        overrides=_overrides(said.tags["Option"]),
        digest=said.digest,
    )


def _move(text: str, before: Sequence[Move]) -> Move:
    return notation.parse(text)


def _result(line: str) -> Result | None:
    found = _RESULT.fullmatch(line)
    if found is None:
        return None
    return Result(None if found[1] == NOBODY else card(found[1]), found[2])


_FORM = Form(
    game=GAME,
    example='[Preset "james-bond"]',
    results=Text("who wins", "qui gagne"),
    most_draws=100_000,
    move=_move,
    result=_result,
)


def _seat(tag: Tag) -> RecordedSeat:
    name, pawn = tag.several(2)
    try:
        return RecordedSeat(name.text, card(pawn.text))
    except BadInput as error:
        pawn.fail(error.text)


Read = Callable[[Tag], Any]
"""What reads a tag `Option` behind the option's name."""


def _word(choices: type[Worded]) -> Read:
    words = {choice.word: choice for choice in choices}

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


def _overrides(tags: Sequence[Tag]) -> Overrides:
    changes: dict[str, Any] = {}
    for tag in tags:
        if not tag.values:
            why = Text("the tag takes an option and its value", "la balise prend une option et sa valeur")
            raise RecordError(why, tag.line, 1)
        name, *values = tag.values
        if name.text not in _OPTIONS:
            name.fail(unknown_option(name.text, _OPTIONS))
        if name.text in changes:
            name.fail(STANDS_TWICE)
        changes[name.text] = _OPTIONS[name.text](Tag(tuple(values), tag.line))
    return Overrides(**changes)
