"""Recorded games: how the records of each game are read, written and played. They are found by their folders."""

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor

from whitehall.api.hosted import hosted_games
from whitehall.api.wire import Wire
from whitehall.games.core.record_reading import Form
from whitehall.games.core.record_tag import RecordError
from whitehall.games.core.replay import Fault
from whitehall.games.core.sentences import either, expected
from whitehall.games.core.text import Text
from whitehall.games.registry import games

_TAG = re.compile(r'^[ \t]*\[Game[ \t]+"([^"]*)"', re.MULTILINE)


class Recorded(NamedTuple):
    """One game. Each `Any` is of the game's own types."""

    wire: Wire
    parse: Callable[[str], Any]
    """A record from its text. Raises `RecordError`."""
    form: Form[Any, Any]
    """How it is written."""
    digest: Callable[[Any], str]
    read: Callable[[Any], Any]
    """A record from its message. Raises `ValueError`."""
    read_moves: Callable[[Sequence[str], str], Any]
    """What one revision of a message holds, and its path. Raises `InvalidField`."""
    options: Callable[[Any], Any]
    """What was in force in a record that can be replayed."""
    replay: Callable[[Any], Sequence[Fault]]
    """What is wrong with a record as a game."""

    @property
    def ruleset(self) -> int:
        """The number of this release's rules."""
        return self.wire.rules.ruleset

    @property
    def answer(self) -> Any:
        """The type of GetRecord's answer."""
        return self.wire.requests.GetRecordResponse


@cache
def recorded_games() -> Mapping[str, Recorded]:
    """Every game by its name, which is what the tag `Game` says."""
    found: dict[str, Recorded] = {}
    for name, hosted in hosted_games().items():
        folder = type(games()[name]).__module__.rpartition(".")[0]
        record, reading, replay, wire = (
            importlib.import_module(f"{folder}.{module}")
            for module in ("record", "record_reading", "replay", "wire.records")
        )
        found[name] = Recorded(
            hosted.wire,
            reading.parse,
            reading.FORM,
            record.digest,
            wire.read_record,
            wire.read_recorded,
            replay.options_of,
            replay.replay,
        )
    return MappingProxyType(found)


def game_of(text: str) -> Recorded:
    """The game that the text of a record names. Raises `RecordError`."""
    known = recorded_games()
    named = _TAG.search(text)
    if named is None:
        raise RecordError(expected(either([f'[Game "{name}"]' for name in known])), 1, 1)
    if named[1] not in known:
        *before, last = text[: named.start(1)].split("\n")
        names = ", ".join(known)
        why = Text(
            f"there is no game {named[1]!r}; there are: {names}",
            f"il n'y a pas de jeu {named[1]!r} ; il y a : {names}",
        )
        raise RecordError(why, len(before) + 1, len(last))
    return known[named[1]]


def closest_game(record: object) -> Recorded:
    """The game whose record this most looks like, parsed JSON in which something is wrong: which names itself none."""
    return max(
        recorded_games().values(),
        key=lambda game: _known_names(game.answer.DESCRIPTOR.fields_by_name["record"].message_type, record),
    )


def _known_names(kind: Descriptor, tree: Any) -> int:
    """How many names in parsed JSON are those of fields where they stand."""
    if isinstance(tree, list):
        return sum(_known_names(kind, each) for each in tree)
    if not isinstance(tree, dict):
        return 0
    number = 0
    for name, value in tree.items():
        field = kind.fields_by_camelcase_name.get(name) or kind.fields_by_name.get(name)
        if field is not None:
            number += 1 + (_known_names(field.message_type, value) if field.message_type else 0)
    return number
