"""Reading records: from a text to the record, or to the place where the text is none.

Reading forgives spaces, empty lines and the order of tags.
"""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, TypeVar

from whitehall.games.core.chance import Draw
from whitehall.games.scotland_yard import notation, option_notation
from whitehall.games.scotland_yard.moves import Move, Place, Together
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.record import (
    ABANDONED,
    GAME,
    HOST,
    Placement,
    Record,
    RecordedSeat,
    RecordedSeed,
    Result,
    Turn,
    pieces_of,
)
from whitehall.games.scotland_yard.ticket import Station

T = TypeVar("T")


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
_RESULT = re.compile(r"(mr_x wins|detectives win)[ \t]+([A-Z0-9-]{1,40})")
_NUMBER = re.compile("0|-?[1-9][0-9]{0,9}")
_PLACEMENT = re.compile("([a-z_0-9]+) ([1-9][0-9]{0,3})")
_SEED = re.compile("[0-9a-f]{64}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PIECES = {piece.word: piece for piece in Piece}


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

    def piece(self, word: str) -> Piece:
        if word not in _PIECES:
            self.fail(f"there is no piece {word!r}")
        return _PIECES[word]


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
    "Draw": (0, 1000),
    "Start": (0, 1),
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
            raise RecordError(f"the result is missing: mr_x wins, detectives win, or {ABANDONED}", end, 1)
        game = self._only("Game").one()
        if game.text != GAME:
            game.fail(f"expected {GAME}")
        return Record(
            game_id=self._only("Id").one().text,
            ruleset=self._only("Ruleset").one().number(1, 1_000_000),
            preset=self._only("Preset").one().text,
            players=self._only("Players").one().number(1, 99),
            seats=self._all("Seat", _seat),
            commitment=self._only("Commitment").one().seed(),
            server_seed=self._only("Seed").one().seed(),
            client_seeds=self._all("ClientSeed", _client_seed),
            draws=self._all("Draw", _draw),
            start=tuple(_placement(value) for tag in self._tags["Start"] for value in tag.values),
            turns=tuple(self._turns),
            result=self._results[0],
            overrides=self._overrides(),
            digest=self._only("Digest").one().seed() if self._tags["Digest"] else "",
        )

    def _only(self, name: str) -> _Tag:
        return self._tags[name][0]

    def _all(self, name: str, read: Callable[[_Tag], T]) -> tuple[T, ...]:
        return tuple(map(read, self._tags[name]))

    def _overrides(self) -> Overrides:
        changes: dict[str, Any] = {}
        for tag in self._tags["Option"]:
            name, value = tag.several(2)
            if name.text in changes:
                name.fail("stands here twice")
            try:
                changes[name.text] = option_notation.read(name.text, value.text)
            except option_notation.UnknownOptionError as error:
                name.fail(str(error))
            except ValueError as error:
                value.fail(str(error))
        return option_notation.overrides(changes)

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
            self._results.append(Result(found[1] == "mr_x wins", found[2]))
        else:
            raise RecordError("expected a tag, a numbered turn or the result", number, start + 1)

    def _tag(self, line: str, number: int, start: int) -> None:
        found = _TAG.fullmatch(line, start)
        if not found:
            raise RecordError('expected a tag such as [Preset "new"]', number, start + 1)
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


def _seat(tag: _Tag) -> RecordedSeat:
    name, pieces = tag.several(2)
    return RecordedSeat(name.text, tuple(pieces.piece(word) for word in pieces.text.split(" ")))


def _client_seed(tag: _Tag) -> RecordedSeed:
    seat, seed = tag.several(2)
    return RecordedSeed(-1 if seat.text == HOST else seat.number(0, 63), seed.text)


def _draw(tag: _Tag) -> Draw:
    label, bound, value = tag.several(3)
    results = bound.number(1, 1_000_000_000)
    return Draw(label.text, results, value.number(0, results - 1))


def _placement(value: _Value) -> Placement:
    found = _PLACEMENT.fullmatch(value.text)
    if not found:
        value.fail('expected a piece and its station, such as "red 13"')
    return Placement(value.piece(found[1]), Station(int(found[2])))


def _turn(line: str, number: int, start: int) -> Turn:
    """The moves of a turn, which begin at a place in the line."""
    moves: list[Move] = []
    for part in line[start:].split("/"):
        try:
            move = notation.parse(part)
        except notation.NotationError as error:
            raise RecordError(error.reason, number, start + error.column) from error
        if isinstance(move, Place):
            column = start + len(part) - len(part.lstrip()) + 1
            raise RecordError("pieces are placed before the turns, in the tag Start", number, column)
        if (Piece.MR_X in pieces_of(move)) != (not moves) or (isinstance(move, Together) and not moves):
            column = start + len(part) - len(part.lstrip()) + 1
            raise RecordError("a turn is one move of mr_x, then moves of hunters", number, column)
        moves.append(move)
        start += len(part) + 1
    return tuple(moves)
