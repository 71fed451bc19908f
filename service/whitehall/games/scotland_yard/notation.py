"""Notation: moves as one line of text, for people, records and `curl`.

    mr_x taxi 86                       a piece, a ticket, a station
    mr_x double taxi 86 black 52       both halves of a double move
    red pass                           a hunter that cannot move
    red start 13                       a piece, and the station where it is placed before the first round
    red bus 105; bobby1 taxi 31        hunters together (a batch of one ends with a semicolon)
    detectives locate                  a special action of the app game: locate, scan, analysis or interrogate
    detectives hear "King's Cross"     the landmark whose witnesses are heard, in quotes

A text may leave out the piece where it is clear who moves. Reading forgives capitals and extra spaces; writing knows
one form for each move, and reading that form gives exactly the move.
"""

import re
from typing import NamedTuple, NoReturn

from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import either, expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.moves import (
    DoubleMove,
    Hear,
    Move,
    Pass,
    Place,
    Ride,
    Single,
    Together,
    Travel,
    UseAction,
)
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.station_notation import STATION
from whitehall.games.scotland_yard.ticket import Station, Ticket

PASS = "pass"
DOUBLE = "double"
START = "start"

SIDE = "detectives"
"""Who uses special actions."""
HEAR = "hear"
ACTIONS = {
    SpecialAction.ANALYSIS: "analysis",
    SpecialAction.LOCATE: "locate",
    SpecialAction.SCAN: "scan",
    SpecialAction.INTERROGATION: "interrogate",
}
"""The words for the special actions."""

_A_PIECE = Text("a piece", "un pion")
_ACTIONS = {word: action for action, word in ACTIONS.items()}
_OF_THE_SIDE = [*_ACTIONS, HEAR]
_QUOTED = re.compile('"[^"]*"')
_PIECES = Piece.by_word()
_TICKETS = Ticket.by_word()
_STATION = re.compile(STATION)
_WORD = re.compile(r'"[^"]*"|[^\s;]+|;')


def text(move: Move, with_piece: bool = True) -> str:
    """The move in notation. Without the piece it reads as a move of whoever is asked to move; a batch keeps its own."""
    if isinstance(move, UseAction | Hear):
        words = ACTIONS[move.action] if isinstance(move, UseAction) else f'{HEAR} "{move.landmark}"'
        return f"{SIDE} {words}" if with_piece else words
    if isinstance(move, Together):
        parts = [text(part) for part in move.moves]
        return "; ".join(parts) if len(parts) > 1 else "".join(parts) + ";"
    if isinstance(move, DoubleMove):
        first, second = move
        words = f"{DOUBLE} {first.ticket.word} {first.station} {second.ticket.word} {second.station}"
    elif isinstance(move, Travel):
        words = f"{move.ticket.word} {move.station}"
    elif isinstance(move, Place):
        words = f"{START} {move.station}"
    else:
        words = PASS
    piece = Piece.MR_X if isinstance(move, DoubleMove) else move.piece
    return f"{piece.word} {words}" if with_piece else words


def parse(text: str, piece: Piece | None = None) -> Move:
    """The move that a text says; `piece` is the one that moves where the text names none. Raises `NotationError`."""
    return _Reader(text, piece).move()


class _Word(NamedTuple):
    text: str
    column: int


def _plain(word: str) -> str:
    """Capitals do not matter, but in a name."""
    return word if word.startswith('"') else word.lower()


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str, piece: Piece | None) -> None:
        self._words = [_Word(_plain(found[0]), found.start() + 1) for found in _WORD.finditer(text)]
        self._words.append(_Word("", len(text.rstrip()) + 1))
        self._next = 0
        self._piece = piece

    def move(self) -> Move:
        start = self._words[0].column
        first = self._single()
        if self._at_end():
            return first
        moves = [self._in_batch(first, start)]
        while not self._at_end():
            self._semicolon()
            if not self._at_end():
                start = self._here().column
                moves.append(self._in_batch(self._single(), start))
        return Together(tuple(moves))

    def _single(self) -> Single:
        start = self._here().column
        if self._here().text == SIDE:
            self._take()
            if self._here().text not in _OF_THE_SIDE:
                self._fail(expected(either(_OF_THE_SIDE)), self._here().column)
        if self._here().text == HEAR:
            return self._hear()
        if self._here().text in _ACTIONS:
            return UseAction(_ACTIONS[self._take().text])
        named = _PIECES.get(self._here().text)
        if named:
            self._take()
        word = self._here()
        if word.text == DOUBLE:
            if named not in (None, Piece.MR_X):
                self._fail(Text("only mr_x makes a double move", "seul mr_x fait un coup double"), start)
            self._take()
            return DoubleMove(self._ride(), self._ride())
        piece = named or self._piece
        if word.text not in (PASS, START) and word.text not in _TICKETS:
            known = (*_TICKETS, PASS, START, DOUBLE)
            self._fail(expected(either(known if named else (_A_PIECE, *known, SIDE, *_ACTIONS, HEAR))), word.column)
        if piece is None:
            self._fail(Text("which piece moves?", "quel pion se déplace ?"), start)
        if word.text == PASS:
            self._take()
            return Pass(piece)
        if word.text == START:
            self._take()
            return Place(piece, self._station())
        return Travel(piece, *self._ride())

    def _hear(self) -> Hear:
        self._take()
        name = self._here()
        if not _QUOTED.fullmatch(name.text):
            self._fail(
                expected(Text("the name of a landmark in quotes", "le nom d'un lieu entre guillemets")), name.column
            )
        return Hear(self._take().text[1:-1])

    def _ride(self) -> Ride:
        word = self._here()
        if word.text not in _TICKETS:
            self._fail(expected(either([*_TICKETS])), word.column)
        return Ride(_TICKETS[self._take().text], self._station())

    def _station(self) -> Station:
        number = self._here()
        if not _STATION.fullmatch(number.text):
            self._fail(expected(Text("the number of a station", "le numéro d'une station")), number.column)
        return Station(int(self._take().text))

    def _in_batch(self, move: Single, start: int) -> Travel | Pass:
        if isinstance(move, DoubleMove):
            self._fail(Text("a double move stands alone", "un coup double se joue seul"), start)
        if isinstance(move, Place):
            self._fail(Text("pieces are placed one by one", "les pions se placent un par un"), start)
        if isinstance(move, UseAction | Hear):
            self._fail(Text("a special action stands alone", "une action spéciale se joue seule"), start)
        return move

    def _semicolon(self) -> None:
        if self._here().text != ";":
            self._fail(expected(either((";", Text("the end", "la fin")))), self._here().column)
        self._take()

    def _here(self) -> _Word:
        return self._words[self._next]

    def _take(self) -> _Word:
        self._next += 1
        return self._words[self._next - 1]

    def _at_end(self) -> bool:
        return not self._here().text

    def _fail(self, why: Text, column: int) -> NoReturn:
        raise NotationError(why, column)
