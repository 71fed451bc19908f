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

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from whitehall.games.core.chance import Draw
from whitehall.games.scotland_yard import notation, option_notation
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Together, UseAction
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.ticket import Station

GAME = "scotland-yard"
HOST = "host"
"""Who gave the seed of seat -1."""
ABANDONED = "abandoned"
"""The result of a game that was ended before its end."""


class RecordedSeat(NamedTuple):
    """A seat: its name, and the pieces it owns."""

    name: str
    pieces: tuple[Piece, ...]


class RecordedSeed(NamedTuple):
    """A seed that was mixed in: by which seat (-1: the host), and the text as it was given."""

    seat: int
    seed: str


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
    return hashlib.sha256(text(record._replace(digest="")).encode()).hexdigest()


def pieces_of(move: Move) -> Sequence[Piece]:
    """The pieces that a move would move: none for a special action, which is the detective side's."""
    if isinstance(move, Together):
        return [part.piece for part in move.moves]
    if isinstance(move, UseAction | Hear):
        return []
    return [Piece.MR_X if isinstance(move, DoubleMove) else move.piece]


def text(record: Record) -> str:
    """The record as text, with a newline at the end."""
    turns = [f"{number}. {' / '.join(map(notation.text, turn))}" for number, turn in enumerate(record.turns, 1)]
    parts = [[f"[{name} {' '.join(map(_quoted, values))}]" for name, *values in _tags(record)], turns]
    return "".join("\n".join(lines) + "\n\n" for lines in parts if lines) + f"{_result_text(record.result)}\n"


def _tags(record: Record) -> Iterator[tuple[str, ...]]:
    yield "Game", GAME
    yield "Id", record.game_id
    yield "Ruleset", str(record.ruleset)
    yield "Preset", record.preset
    yield "Players", str(record.players)
    yield from (("Option", *option) for option in option_notation.texts(record.overrides))
    for name, pieces in record.seats:
        yield "Seat", name, " ".join(piece.word for piece in pieces)
    yield "Commitment", record.commitment
    yield "Seed", record.server_seed
    for seat, seed in record.client_seeds:
        yield "ClientSeed", HOST if seat < 0 else str(seat), seed
    for draw in record.draws:
        yield "Draw", draw.label, str(draw.bound), str(draw.value)
    if record.start:
        yield "Start", *(f"{piece.word} {station}" for piece, station in record.start)
    if record.digest:
        yield "Digest", record.digest


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _result_text(result: Result | None) -> str:
    if result is None:
        return ABANDONED
    return f"mr_x wins {result.rule}" if result.mr_x_wins else f"detectives win {result.rule}"
