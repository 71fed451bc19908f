"""Records: a whole game as text, from its seeds to its result.

    [Game "cluedo"]
    [Preset "james-bond"]
    ...
    [Seat "Ann" "S1"]

    1. S1 roll / S1 enter L3 / S1 suggest S4 W2 L3 / S2 show W2 / S1 end
    2. S2 passage L6 / S2 suggest S1 W5 L6 / S2 end
    ...

    S1 wins CL-END-01

Tags, one on a line; then the turns with their moves; then the result. Hands and envelope stand nowhere: they follow
from the draws. Writing knows one form for each record, from which `record_reading` gets exactly the record.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import NamedTuple

from whitehall.games.cluedo import notation
from whitehall.games.cluedo.card import Card
from whitehall.games.cluedo.moves import Move
from whitehall.games.cluedo.overrides import NONE, Overrides
from whitehall.games.core import record as common
from whitehall.games.core.chance import Draw
from whitehall.games.core.record import ABANDONED, RecordedSeed
from whitehall.games.core.word import Worded

GAME = "cluedo"
NOBODY = "nobody"
"""Who wins where all have accused wrongly."""


class RecordedSeat(NamedTuple):
    """A seat: its name, and the pawn it plays."""

    name: str
    pawn: Card


class Result(NamedTuple):
    """Whose pawn won, None for nobody's, and the id of the rule that ended the game."""

    winner: Card | None
    rule: str


Turn = tuple[Move, ...]
"""One turn: its seat's moves, and the cards that others showed in it. What the service did by itself, such as to pass,
is no move of anybody.
"""


class Record(NamedTuple):
    """All that is needed to play a game through again."""

    game_id: str
    ruleset: int
    """The number of the rules it was judged by."""
    preset: str
    players: int
    seats: tuple[RecordedSeat, ...]
    commitment: str
    """What was published of the server's seed before the game."""
    server_seed: str
    """In hexadecimal."""
    client_seeds: tuple[RecordedSeed, ...]
    draws: tuple[Draw, ...]
    """Nothing for a game that was never dealt."""
    turns: tuple[Turn, ...]
    result: Result | None
    """None where the game was abandoned."""
    overrides: Overrides = NONE
    """What differs from the preset."""
    digest: str = ""
    """The SHA-256 of all the rest, in hexadecimal; nothing where a record was written without it. It finds slips of
    whoever copies or edits a record. It is no signature: who changes a record on purpose can write another digest.
    """

    def sealed(self) -> "Record":
        """The same record with its digest."""
        return self._replace(digest=digest(self))


def digest(record: Record) -> str:
    """What a record's digest has to be."""
    return common.digest_of(text(record._replace(digest="")))


def text(record: Record) -> str:
    """The record as text, with a newline at the end."""
    options = _options(record.overrides)
    tags = common.tags(GAME, record, options=options, seats=((name, pawn.word) for name, pawn in record.seats))
    return common.text(tags, (map(notation.text, turn) for turn in record.turns), _result_text(record.result))


def _options(overrides: Overrides) -> Iterator[tuple[str, ...]]:
    for field in fields(overrides):
        value = getattr(overrides, field.name)
        if value is not None:
            yield field.name, *_option_texts(value)


def _option_texts(value: object) -> Iterator[str]:
    if isinstance(value, tuple):
        yield from map(str, value)
    else:
        yield value.word if isinstance(value, Worded) else str(value)


def _result_text(result: Result | None) -> str:
    if result is None:
        return ABANDONED
    return f"{NOBODY if result.winner is None else result.winner.word} wins {result.rule}"
