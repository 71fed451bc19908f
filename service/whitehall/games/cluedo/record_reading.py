"""Reading records: from a text to the record, or to the place where the text is none.

Reading forgives spaces, empty lines and the order of tags.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, NoReturn

from whitehall.games.cluedo import notation
from whitehall.games.cluedo.card import Card, card
from whitehall.games.cluedo.moves import Move
from whitehall.games.cluedo.options import AccusationMoment, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.overrides import Overrides
from whitehall.games.cluedo.record import (
    ABANDONED,
    GAME,
    HOST,
    NOBODY,
    Record,
    RecordedSeat,
    RecordedSeed,
    Result,
    Turn,
)
from whitehall.games.core.chance import Draw


class RecordError(ValueError):
    """The text is no record. `line` and `column`, counted from 1, are where reading stopped."""

    def __init__(self, reason: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.reason = reason
        self.line = line
        self.column = column


_TAG = re.compile(r'\[([A-Za-z]+)((?:[ \t]+"(?:[^"\\]|\\.)*")*)[ \t]*\]')
_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"')
_TURN = re.compile(r"([1-9][0-9]{0,3})\.[ \t]+")
_RESULT = re.compile(rf"({NOBODY}|S[1-9])[ \t]+wins[ \t]+([A-Z0-9-]{{1,40}})")
_NUMBER = re.compile("0|-?[1-9][0-9]{0,9}")
_SEED = re.compile("[0-9a-f]{64}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Value(NamedTuple):
    text: str
    line: int
    column: int

    def fail(self, reason: str) -> NoReturn:
        raise RecordError(reason, self.line, self.column)

    def number(self, least: int, most: int) -> int:
        if not _NUMBER.fullmatch(self.text) or not least <= int(self.text) <= most:
            self.fail(f"expected a number from {least} to {most}")
        return int(self.text)

    def seed(self) -> str:
        if not _SEED.fullmatch(self.text):
            self.fail("expected 64 hexadecimal digits in small letters")
        return self.text

    def card(self) -> Card:
        try:
            return card(self.text)
        except ValueError as error:
            self.fail(str(error))


class _Tag(NamedTuple):
    values: tuple[_Value, ...]
    line: int

    def several(self, number: int) -> tuple[_Value, ...]:
        if len(self.values) != number:
            raise RecordError(f"the tag takes {number} values", self.line, 1)
        return self.values

    def one(self) -> _Value:
        (value,) = self.several(1)
        return value


Read = Callable[[_Tag], Any]
"""What reads a tag `Option` behind the option's name."""


def _word(choices: type[IntEnum]) -> Read:
    words = {choice.name.lower(): choice for choice in choices}

    def read(tag: _Tag) -> Any:
        value = tag.one()
        if value.text not in words:
            value.fail(f"expected {' or '.join(words)}")
        return words[value.text]

    return read


def _texts(tag: _Tag) -> tuple[str, ...]:
    return tuple(value.text for value in tag.values)


def _numbers(tag: _Tag) -> tuple[int, ...]:
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

_HOW_OFTEN = {
    "Game": (1, 1),
    "Id": (1, 1),
    "Ruleset": (1, 1),
    "Preset": (1, 1),
    "Players": (1, 1),
    "Option": (0, 64),
    "Seat": (1, 64),
    "Commitment": (1, 1),
    "Seed": (1, 1),
    "ClientSeed": (0, 64),
    "Draw": (0, 100_000),
    "Digest": (0, 1),
}
"""The tags there are, each with the least and the greatest number of times that it stands in a record."""


def parse(text: str) -> Record:
    """The record that a text holds. Raises `RecordError`."""
    return _Reader(text).record()


class _Reader:
    """Reads one text, line by line."""

    def __init__(self, text: str) -> None:
        # Not `splitlines`, which breaks lines inside quoted names too.
        self._lines = [line.rstrip(" \t\r") for line in text.split("\n")]
        self._tags: dict[str, list[_Tag]] = {name: [] for name in _HOW_OFTEN}
        self._turns: list[Turn] = []
        self._results: list[Result | None] = []

    def record(self) -> Record:
        for number, line in enumerate(self._lines, 1):
            if line.strip():
                self._line(line, number)
        end = len(self._lines)
        for name, (least, most) in _HOW_OFTEN.items():
            tags = self._tags[name]
            if len(tags) < least:
                raise RecordError(f"the tag {name} is missing", end, 1)
            if len(tags) > most:
                raise RecordError(f"the tag {name} stands here once too often", tags[most].line, 1)
        if not self._results:
            raise RecordError(f"the result is missing: who wins, or {ABANDONED}", end, 1)
        game = self._only("Game")
        if game.text != GAME:
            game.fail(f"expected {GAME}")
        return Record(
            game_id=self._only("Id").text,
            ruleset=self._only("Ruleset").number(1, 1_000_000),
            preset=self._only("Preset").text,
            players=self._only("Players").number(1, 99),
            seats=tuple(map(_seat, self._tags["Seat"])),
            commitment=self._only("Commitment").seed(),
            server_seed=self._only("Seed").seed(),
            client_seeds=tuple(map(_client_seed, self._tags["ClientSeed"])),
            draws=tuple(map(_draw, self._tags["Draw"])),
            turns=tuple(self._turns),
            result=self._results[0],
            overrides=_overrides(self._tags["Option"]),
            digest=self._only("Digest").seed() if self._tags["Digest"] else "",
        )

    def _only(self, name: str) -> _Value:
        return self._tags[name][0].one()

    def _line(self, line: str, number: int) -> None:
        start = len(line) - len(line.lstrip(" \t"))
        if self._results:
            raise RecordError("nothing may follow the result", number, start + 1)
        if line.startswith("[", start):
            self._tag(line, number, start)
        elif found := _TURN.match(line, start):
            if int(found[1]) != len(self._turns) + 1:
                raise RecordError(f"expected turn {len(self._turns) + 1}", number, start + 1)
            self._turns.append(_turn(line, number, found.end()))
        elif line[start:] == ABANDONED:
            self._results.append(None)
        elif found := _RESULT.fullmatch(line, start):
            self._results.append(Result(None if found[1] == NOBODY else card(found[1]), found[2]))
        else:
            raise RecordError("expected a tag, a numbered turn or the result", number, start + 1)

    def _tag(self, line: str, number: int, start: int) -> None:
        found = _TAG.fullmatch(line, start)
        if not found:
            raise RecordError('expected a tag such as [Preset "james-bond"]', number, start + 1)
        if found[1] not in _HOW_OFTEN:
            raise RecordError(f"there is no tag {found[1]}; there are: {', '.join(_HOW_OFTEN)}", number, start + 2)
        if self._turns:
            raise RecordError("tags stand before the turns", number, start + 1)
        values = [
            _Value(_unquoted(value[0], number, value.start() + 1), number, value.start() + 1)
            for value in _VALUE.finditer(line, found.start(2), found.end(2))
        ]
        self._tags[found[1]].append(_Tag(tuple(values), number))


def _unquoted(value: str, line: int, column: int) -> str:
    try:
        unquoted: str = json.loads(value)
    except json.JSONDecodeError as error:
        raise RecordError("expected a text as JSON writes it", line, column + error.pos) from error
    if _SURROGATE.search(unquoted):
        raise RecordError("half a character is no text", line, column)
    return unquoted


def _overrides(tags: Sequence[_Tag]) -> Overrides:
    changes: dict[str, Any] = {}
    for tag in tags:
        if not tag.values:
            raise RecordError("the tag takes an option and its value", tag.line, 1)
        name, *values = tag.values
        if name.text not in _OPTIONS:
            name.fail(f"there is no option {name.text!r}; there are: {', '.join(_OPTIONS)}")
        if name.text in changes:
            name.fail("stands here twice")
        changes[name.text] = _OPTIONS[name.text](_Tag(tuple(values), tag.line))
    return Overrides(**changes)


def _seat(tag: _Tag) -> RecordedSeat:
    name, pawn = tag.several(2)
    return RecordedSeat(name.text, pawn.card())


def _client_seed(tag: _Tag) -> RecordedSeed:
    seat, seed = tag.several(2)
    return RecordedSeed(-1 if seat.text == HOST else seat.number(0, 63), seed.text)


def _draw(tag: _Tag) -> Draw:
    label, bound, value = tag.several(3)
    results = bound.number(1, 1_000_000_000)
    return Draw(label.text, results, value.number(0, results - 1))


def _turn(line: str, number: int, start: int) -> Turn:
    """The moves of a turn, which begin at a place in the line."""
    moves: list[Move] = []
    for part in line[start:].split("/"):
        try:
            moves.append(notation.parse(part))
        except notation.NotationError as error:
            raise RecordError(error.reason, number, start + error.column) from error
        start += len(part) + 1
    return tuple(moves)
