"""Records: a whole game as text, from its seeds to its result.

    [Game "scotland-yard"]
    [Preset "new"]
    ...
    [Start "red 13" "blue 26" "bobby1 29" "bobby2 34" "mr_x 45"]

    1. mr_x taxi 46 / red taxi 4 / blue taxi 15; bobby1 taxi 41 / bobby2 taxi 47
    ...

    mr_x wins SY-END-04

Tags, one on a line; then the turns, each Mr X's move and what the hunters did, with a slash between what was sent
separately; then the result. Writing knows one form for each record, from which `record_reading` gets exactly the
record. Which seat moved a Bobby, and when, a record does not tell.
"""

from collections.abc import Sequence
from typing import NamedTuple

from whitehall.games.core import record as common
from whitehall.games.core.chance import Draw
from whitehall.games.core.record import ABANDONED, RecordedSeed
from whitehall.games.scotland_yard import notation, option_notation
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Together, UseAction
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.ticket import Station

GAME = "scotland-yard"


class RecordedSeat(NamedTuple):
    """A seat: its name, and the pieces it owns."""

    name: str
    pieces: tuple[Piece, ...]


class Placement(NamedTuple):
    """Where a piece was put before the first round, by a start card or by its player."""

    piece: Piece
    station: Station


class Result(NamedTuple):
    """Who won, and the id of the rule that ended the game."""

    mr_x_wins: bool
    rule: str


Turn = tuple[Move, ...]
"""One round: Mr X's move, then the hunters' moves as they were sent, alone or together. Forced passes that were filled
in are no moves of anybody.
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
    start: tuple[Placement, ...]
    """In the order in which cards were drawn and pieces placed; nothing for a game that was never dealt."""
    turns: tuple[Turn, ...]
    result: Result | None
    """None where the game was abandoned."""
    overrides: Overrides = NONE
    """What differs from the preset; house rules not by their names, but by what they set."""
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


def pieces_of(move: Move) -> Sequence[Piece]:
    """The pieces that a move would move: none for a special action, which is the detective side's."""
    if isinstance(move, Together):
        return [part.piece for part in move.moves]
    if isinstance(move, UseAction | Hear):
        return []
    return [Piece.MR_X if isinstance(move, DoubleMove) else move.piece]


def text(record: Record) -> str:
    """The record as text, with a newline at the end."""
    tags = common.tags(
        GAME,
        record,
        options=option_notation.texts(record.overrides),
        seats=((name, " ".join(piece.word for piece in pieces)) for name, pieces in record.seats),
        start=[f"{piece.word} {station}" for piece, station in record.start],
    )
    return common.text(tags, (map(notation.text, turn) for turn in record.turns), _result_text(record.result))


def _result_text(result: Result | None) -> str:
    if result is None:
        return ABANDONED
    return f"mr_x wins {result.rule}" if result.mr_x_wins else f"detectives win {result.rule}"
