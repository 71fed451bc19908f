"""Words of a position: what each of those after the first ones says, by itself."""

import re
from functools import lru_cache
from typing import Any, NamedTuple

from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import expected, number_from
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import app_notation
from whitehall.games.scotland_yard.app_notation import AppWord
from whitehall.games.scotland_yard.board import HIGHEST_STATION
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.station_notation import STATION
from whitehall.games.scotland_yard.ticket import Tickets
from whitehall.games.scotland_yard.ticket_notation import NUMBER, refuse_number, refuse_tickets

_PIECES = Piece.by_word()
_TICKETS = f"{NUMBER}/{NUMBER}/{NUMBER}"
_HAND = f"{_TICKETS}(?:/{NUMBER})?"
_STATION = re.compile(STATION)
_PUT = re.compile(f"([a-z_0-9]+)@({STATION})(?::{_HAND})?(!?)")
_POOL = re.compile(f"hand:{_HAND}")
_SUPPLY = re.compile(f"supply:{_TICKETS}")
_COUNT = re.compile(f"(black|double|moves):{NUMBER}")
_BEGUN = re.compile(r"(hand|supply|black|double|moves):|([a-z_0-9]+)@([^:!]*)(:?)")
"""How a word begins that says one of these, whatever it goes on with."""


class Hand(NamedTuple):
    """A detective's tickets, or those that detectives share; None: what is said of black ones."""

    tickets: Tickets
    black: int | None


class Put(NamedTuple):
    """A piece at its station."""

    piece: Piece
    station: int
    hand: Hand | None
    moved: bool


class Fact(NamedTuple):
    """Any other thing, by the name of its word."""

    name: str
    value: Any


@lru_cache(1 << 14)
def parse(word: str) -> Put | Fact | AppWord | None:
    """What a word after the first ones says; None for nothing. Raises `NotationError` with a column of the word.

    Kept, as positions are made of few different words.
    """
    if put := _PUT.fullmatch(word):
        if put[1] not in _PIECES:
            return None
        return Put(_PIECES[put[1]], int(put[2]), None if put[3] is None else _hand(*put.groups()[2:6]), bool(put[7]))
    if pool := _POOL.fullmatch(word):
        return Fact("hand", _hand(*pool.groups()))
    if supply := _SUPPLY.fullmatch(word):
        return Fact("supply", Tickets(*map(int, supply.groups())))
    if count := _COUNT.fullmatch(word):
        return Fact(count[1], int(count[2]))
    if begun := _BEGUN.match(word):
        _refuse(word, begun)
    return app_notation.parse(word)


def _refuse(word: str, begun: re.Match[str]) -> None:
    """Raises `NotationError` for a word that begins like one of ours and does not go on like it."""
    name, piece, station, colon = begun.groups()
    said, column = word[begun.end() :], begun.end() + 1
    if name in ("hand", "supply"):
        refuse_tickets(said, column)
    if name == "moves":
        raise NotationError(number_from(0, 999), column)
    if name is not None:
        refuse_number(column)
    if piece not in _PIECES:
        return
    if not _STATION.fullmatch(station):
        raise NotationError(number_from(1, HIGHEST_STATION), len(piece) + 2)
    hand, mark, _ = said.partition("!")
    if colon and not re.fullmatch(_HAND, hand):
        refuse_tickets(hand, column)
    at_end = Text("nothing behind the exclamation mark", "rien après le point d'exclamation")
    raise NotationError(expected(at_end), column + len(hand) + len(mark))


def _hand(taxi: str, bus: str, underground: str, black: str | None) -> Hand:
    return Hand(Tickets(int(taxi), int(bus), int(underground)), None if black is None else int(black))


def piece_of(word: str) -> Piece | None:
    """The piece that a word puts somewhere; None where it puts none."""
    put = _PUT.fullmatch(word)
    return _PIECES.get(put[1]) if put else None
