"""Reading records, as far as they are the same in every game: tags, numbered turns, result, and the places of errors.

Reading forgives spaces, empty lines and the order of tags.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Generic, NamedTuple, NoReturn, TypeVar

from whitehall.games.core.chance import Draw
from whitehall.games.core.fault import BadInput
from whitehall.games.core.notation import NotationError
from whitehall.games.core.record import ABANDONED, HOST, RecordedSeed
from whitehall.games.core.sentences import expected, number_from
from whitehall.games.core.text import Text

T = TypeVar("T")
MoveT = TypeVar("MoveT")
ResultT = TypeVar("ResultT")

_TAG = re.compile(r'\[([A-Za-z]+)((?:[ \t]+"(?:[^"\\]|\\.)*")*)[ \t]*\]')
_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"')
_TURN = re.compile(r"([1-9][0-9]{0,3})\.[ \t]+")
_NUMBER = re.compile("0|-?[1-9][0-9]{0,9}")
_SEED = re.compile("[0-9a-f]{64}")
_SURROGATE = re.compile("[\ud800-\udfff]")

NO_SEED = expected(Text("64 hexadecimal digits in small letters", "64 chiffres hexadécimaux, en minuscules"))
"""What is told of anything else where a seed, a commitment or a digest has to stand."""

Times = Mapping[str, tuple[int, int]]
"""Tags, each with the least and the greatest number of times that it stands in a record."""


def is_seed(text: str) -> bool:
    """Whether a text can be a seed, a commitment or a digest."""
    return _SEED.fullmatch(text) is not None


class RecordError(BadInput):
    """The text is no record. `line` and `column`, counted from 1, are where reading stopped."""

    def __init__(self, text: Text, line: int, column: int) -> None:
        super().__init__(text, Text(f"line {line}, column {column}", f"ligne {line}, colonne {column}"))
        self.line = line
        self.column = column


class Value(NamedTuple):
    """One value of a tag, and its place. Whatever reads it raises `RecordError` with that place."""

    text: str
    line: int
    column: int

    def fail(self, why: Text) -> NoReturn:
        """The value is none that could stand here."""
        raise RecordError(why, self.line, self.column)

    def number(self, least: int, most: int) -> int:
        """The value as a number of this range."""
        if not _NUMBER.fullmatch(self.text) or not least <= int(self.text) <= most:
            self.fail(number_from(least, most))
        return int(self.text)

    def seed(self) -> str:
        """The value as a seed, a commitment or a digest."""
        if not is_seed(self.text):
            self.fail(NO_SEED)
        return self.text


class Tag(NamedTuple):
    """A tag's values, and its line."""

    values: tuple[Value, ...]
    line: int

    def several(self, number: int) -> tuple[Value, ...]:
        """The values, which must be so many. Raises `RecordError`."""
        if len(self.values) != number:
            raise RecordError(Text(f"the tag takes {number} values", f"la balise prend {number} valeurs"), self.line, 1)
        return self.values

    def one(self) -> Value:
        """The only value. Raises `RecordError`."""
        (value,) = self.several(1)
        return value


class Form(NamedTuple, Generic[MoveT, ResultT]):
    """How one game's records are written."""

    game: str
    """The value of the tag `Game`."""
    example: str
    """A tag as one would stand in such a record, for people."""
    results: Text
    """What results there are, for people."""
    most_draws: int
    move: Callable[[str, Sequence[MoveT]], MoveT]
    """Reads a move, which follows others in its turn. Raises `NotationError`."""
    result: Callable[[str], ResultT | None]
    """Reads a result; None where the line is none."""
    more_tags: Times = MappingProxyType({})
    """Tags that other games have not."""

    def read(self, text: str) -> "RecordText[MoveT, ResultT]":
        """What a text says, as far as all games have it. Raises `RecordError`."""
        return _Reader(self, text).whole()


class RecordText(NamedTuple, Generic[MoveT, ResultT]):
    """What stands in a record: its tags by name, each as often as it may be there; its turns; its result."""

    tags: Mapping[str, Sequence[Tag]]
    turns: tuple[tuple[MoveT, ...], ...]
    result: ResultT | None
    """None where the game was abandoned."""

    def only(self, name: str) -> Value:
        """The value of a tag that stands there once."""
        return self.tags[name][0].one()

    def all(self, name: str, read: Callable[[Tag], T]) -> tuple[T, ...]:
        """Every tag of that name, read."""
        return tuple(map(read, self.tags[name]))

    @property
    def client_seeds(self) -> tuple[RecordedSeed, ...]:
        """The seeds that were mixed in."""
        return self.all("ClientSeed", _client_seed)

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws, in order."""
        return self.all("Draw", _draw)

    @property
    def digest(self) -> str:
        """The digest; nothing where there is none."""
        return self.only("Digest").seed() if self.tags["Digest"] else ""


def _client_seed(tag: Tag) -> RecordedSeed:
    seat, seed = tag.several(2)
    return RecordedSeed(-1 if seat.text == HOST else seat.number(0, 63), seed.text)


def _draw(tag: Tag) -> Draw:
    label, bound, value = tag.several(3)
    results = bound.number(1, 1_000_000_000)
    return Draw(label.text, results, value.number(0, results - 1))


class _Reader(Generic[MoveT, ResultT]):
    """Reads one text, line by line."""

    def __init__(self, form: Form[MoveT, ResultT], text: str) -> None:
        self._form = form
        self._times: Times = {
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
            "Draw": (0, form.most_draws),
            **form.more_tags,
            "Digest": (0, 1),
        }
        # Not `splitlines`, which breaks lines inside quoted names too.
        self._lines = [line.rstrip(" \t\r") for line in text.split("\n")]
        self._tags: dict[str, list[Tag]] = {name: [] for name in self._times}
        self._turns: list[tuple[MoveT, ...]] = []
        self._results: list[ResultT | None] = []

    def whole(self) -> RecordText[MoveT, ResultT]:
        for number, line in enumerate(self._lines, 1):
            if line.strip():
                self._line(line, number)
        end = len(self._lines)
        for name, (least, most) in self._times.items():
            tags = self._tags[name]
            if len(tags) < least:
                raise RecordError(Text(f"the tag {name} is missing", f"il manque la balise {name}"), end, 1)
            if len(tags) > most:
                words = Text(
                    f"the tag {name} stands here once too often", f"la balise {name} figure ici une fois de trop"
                )
                raise RecordError(words, tags[most].line, 1)
        if not self._results:
            results = self._form.results
            words = Text(
                f"the result is missing: {results.en}, or {ABANDONED}",
                f"il manque le résultat : {results.fr}, ou {ABANDONED}",
            )
            raise RecordError(words, end, 1)
        said = RecordText(self._tags, tuple(self._turns), self._results[0])
        if said.only("Game").text != self._form.game:
            said.only("Game").fail(expected(self._form.game))
        return said

    def _line(self, line: str, number: int) -> None:
        start = len(line) - len(line.lstrip(" \t"))
        if self._results:
            raise RecordError(Text("nothing may follow the result", "rien ne suit le résultat"), number, start + 1)
        if line.startswith("[", start):
            self._tag(line, number, start)
        elif found := _TURN.match(line, start):
            if int(found[1]) != len(self._turns) + 1:
                turn = len(self._turns) + 1
                raise RecordError(expected(Text(f"turn {turn}", f"le tour {turn}")), number, start + 1)
            self._turns.append(self._turn(line, number, found.end()))
        elif line[start:] == ABANDONED:
            self._results.append(None)
        elif (result := self._form.result(line[start:])) is not None:
            self._results.append(result)
        else:
            what = Text("a tag, a numbered turn or the result", "une balise, un tour numéroté ou le résultat")
            raise RecordError(expected(what), number, start + 1)

    def _tag(self, line: str, number: int, start: int) -> None:
        found = _TAG.fullmatch(line, start)
        if not found:
            example = self._form.example
            what = Text(f"a tag such as {example}", f"une balise telle que {example}")
            raise RecordError(expected(what), number, start + 1)
        if found[1] not in self._tags:
            name, known = found[1], ", ".join(self._tags)
            words = Text(
                f"there is no tag {name}; there are: {known}", f"il n'y a pas de balise {name} ; il y a : {known}"
            )
            raise RecordError(words, number, start + 2)
        if self._turns:
            words = Text("tags stand before the turns", "les balises figurent avant les tours")
            raise RecordError(words, number, start + 1)
        values = [
            Value(_unquoted(value[0], number, value.start() + 1), number, value.start() + 1)
            for value in _VALUE.finditer(line, found.start(2), found.end(2))
        ]
        self._tags[found[1]].append(Tag(tuple(values), number))

    def _turn(self, line: str, number: int, start: int) -> tuple[MoveT, ...]:
        """The moves of a turn, which begin at a place in the line."""
        moves: list[MoveT] = []
        for part in line[start:].split("/"):
            try:
                moves.append(self._form.move(part, moves))
            except NotationError as error:
                raise RecordError(error.text, number, start + error.column) from error
            start += len(part) + 1
        return tuple(moves)


def _unquoted(value: str, line: int, column: int) -> str:
    try:
        unquoted: str = json.loads(value)
    except json.JSONDecodeError as error:
        what = Text("a text as JSON writes it", "un texte écrit comme en JSON")
        raise RecordError(expected(what), line, column + error.pos) from error
    if _SURROGATE.search(unquoted):
        words = Text("half a character is no text", "un demi-caractère n'est pas un texte")
        raise RecordError(words, line, column)
    return unquoted
