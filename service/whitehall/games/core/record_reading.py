"""Reading records, as far as they are the same in every game: tags, numbered turns, result, and the places of errors.

Reading forgives spaces, empty lines and the order of tags.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from whitehall.games.core.chance import Draw
from whitehall.games.core.notation import NotationError
from whitehall.games.core.record import ABANDONED, HOST, Common, RecordedSeed
from whitehall.games.core.record_tag import Place, RecordError, Tag, Value
from whitehall.games.core.sentences import STANDS_TWICE, expected
from whitehall.games.core.text import Text

T = TypeVar("T")
MoveT = TypeVar("MoveT")
ResultT = TypeVar("ResultT")

_TAG = re.compile(r'\[([A-Za-z]+)((?:[ \t]+"(?:[^"\\]|\\.)*")*)[ \t]*\]')
_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"')
_TURN = re.compile(r"([1-9][0-9]{0,3})\.[ \t]+")
_SURROGATE = re.compile("[\ud800-\udfff]")

Times = Mapping[str, tuple[int, int]]
"""Tags, each with the least and the greatest number of times that it stands in a record."""


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
    moves: tuple[tuple[Place, ...], ...]
    """Where the moves of each turn stand."""
    end: Place
    """Where the result stands."""

    def only(self, name: str) -> Value:
        """The value of a tag that stands there once."""
        return self.tags[name][0].one()

    def all(self, name: str, read: Callable[[Tag], T]) -> tuple[T, ...]:
        """Every tag of that name, read."""
        return tuple(map(read, self.tags[name]))

    @property
    def common(self) -> Common:
        """What the records of all games say alike. Raises `RecordError`."""
        return Common(
            game_id=self.only("Id").text,
            ruleset=self.only("Ruleset").number(1, 1_000_000),
            preset=self.only("Preset").text,
            players=self.only("Players").number(1, 99),
            commitment=self.only("Commitment").seed(),
            server_seed=self.only("Seed").seed(),
            client_seeds=self.all("ClientSeed", _client_seed),
            draws=self.all("Draw", _draw),
            digest=self.only("Digest").seed() if self.tags["Digest"] else "",
        )

    def options(self, read: Callable[[Value, Tag], Any]) -> dict[str, Any]:
        """The values of the options that differ, by their names: `read` is given the name and its whole tag. Raises
        `RecordError`.
        """
        found: dict[str, Any] = {}
        for tag in self.tags["Option"]:
            if not tag.values:
                tag.fail(Text("the tag takes an option and its value", "la balise prend une option et sa valeur"))
            name = tag.values[0]
            if name.text in found:
                name.fail(STANDS_TWICE)
            found[name.text] = read(name, tag)
        return found


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
        self._moves: list[tuple[Place, ...]] = []
        self._results: list[ResultT | None] = []
        self._end = Place(len(self._lines), 1)

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
        said = RecordText(self._tags, tuple(self._turns), self._results[0], tuple(self._moves), self._end)
        if said.only("Game").text != self._form.game:
            said.only("Game").fail(expected(self._form.game))
        return said

    def _line(self, line: str, number: int) -> None:
        start = len(line) - len(line.lstrip(" \t"))
        if self._results:
            raise RecordError(Text("nothing may follow the result", "rien ne suit le résultat"), number, start + 1)
        self._end = Place(number, start + 1)
        if line.startswith("[", start):
            self._tag(line, number, start)
        elif found := _TURN.match(line, start):
            if int(found[1]) != len(self._turns) + 1:
                turn = len(self._turns) + 1
                raise RecordError(expected(Text(f"turn {turn}", f"le tour {turn}")), number, start + 1)
            self._turn(line, number, found.end())
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

    def _turn(self, line: str, number: int, start: int) -> None:
        """The moves of a turn, which begin at a place in the line."""
        moves: list[MoveT] = []
        places: list[Place] = []
        for part in line[start:].split("/"):
            try:
                moves.append(self._form.move(part, moves))
            except NotationError as error:
                raise RecordError(error.text, number, start + error.column) from error
            places.append(Place(number, start + len(part) - len(part.lstrip()) + 1))
            start += len(part) + 1
        self._turns.append(tuple(moves))
        self._moves.append(tuple(places))


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
