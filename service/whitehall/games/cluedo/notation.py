"""Notation: moves as one line of text, for people, records and `curl`.

    S1 roll                        the service rolls
    S1 roll 4 5                    the table has rolled
    S1 walk 7,4                    to a square, by any way
    S1 walk 7,4 via 9,4 8,4        by this way: the squares stepped on before it
    S1 enter L3                    into a room, by any way
    S1 enter L3 via 9,4 8,4        by this way: the last square is the one in front of the door
    S1 passage L6                  through a secret passage
    S1 suggest S4 W2 L3
    S2 show W2
    S2 pass                        always refused: who can show must, and who cannot is passed over
    S1 accuse S4 W2 L3
    S1 end

A text may leave out the pawn where it is clear who moves. Reading forgives capitals and extra spaces; writing knows one
form for each move, and reading that form gives exactly the move.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from whitehall.games.cluedo.card import Card, Case, Category, card
from whitehall.games.cluedo.moves import (
    Accuse,
    Dice,
    EndTurn,
    Enter,
    Move,
    Pass,
    Passage,
    Roll,
    Show,
    Suggest,
    Walk,
)
from whitehall.games.cluedo.place import Square
from whitehall.games.core.fault import BadInput
from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import either, expected
from whitehall.games.core.text import Text

VIA = "via"

_SQUARE = re.compile("(0|[1-9][0-9]?),(0|[1-9][0-9]?)")
_CARD = re.compile("[SWL][1-9][0-9]?")
_PIP = re.compile("[1-6]")
_WORD = re.compile(r"\S+")
_MOVES = ("roll", "walk", "enter", "passage", "suggest", "show", "pass", "accuse", "end")


def text(move: Move, with_pawn: bool = True) -> str:
    """The move in notation. Without the pawn it reads as a move of whoever is asked to move."""
    words = _words(move)
    return f"{move.pawn.word} {words}" if with_pawn else words


def _words(move: Move) -> str:
    match move:
        case Roll(_, dice):
            return "roll" if dice is None else f"roll {dice.first} {dice.second}"
        case Walk(_, square, via):
            return f"walk {square.word}{_way(via)}"
        case Enter(_, location, via):
            return f"enter {location.word}{_way(via)}"
        case Passage(_, location):
            return f"passage {location.word}"
        case Suggest(_, case):
            return f"suggest {case.word}"
        case Show(_, shown):
            return f"show {shown.word}"
        case Pass():
            return "pass"
        case Accuse(_, case):
            return f"accuse {case.word}"
        case EndTurn():
            return "end"


def _way(via: Sequence[Square]) -> str:
    return "".join([f" {VIA}", *(f" {square.word}" for square in via)]) if via else ""


def parse(text: str, pawn: Card | None = None) -> Move:
    """The move that a text says; `pawn` is the one that moves where the text names none. Raises `NotationError`."""
    return Words(text).move(pawn)


class _Token(NamedTuple):
    text: str
    column: int


class Words:
    """Reads one text, word by word."""

    def __init__(self, text: str, offset: int = 0) -> None:
        """`offset` characters of a longer text stand before this one."""
        self._tokens = [_Token(found[0], offset + found.start() + 1) for found in _WORD.finditer(text)]
        self._end = offset + len(text.rstrip()) + 1
        self._next = 0

    def move(self, pawn: Card | None) -> Move:
        """All of the text as a move."""
        if self.has_card:
            pawn = self.card(Category.SUSPECT)
        if pawn is None:
            self.fail(expected(Text("a pawn, such as S1", "un pion, tel que S1")))
        move = self._move(pawn)
        self.finish()
        return move

    def _move(self, pawn: Card) -> Move:
        token = self.take(Text("a move", "un coup"))
        match token.text.lower():
            case "roll":
                return Roll(pawn, None if self._peek() is None else Dice(self._pip(), self._pip()))
            case "walk":
                return Walk(pawn, self._square(), self._via())
            case "enter":
                return Enter(pawn, self.card(Category.LOCATION), self._via())
            case "passage":
                return Passage(pawn, self.card(Category.LOCATION))
            case "suggest":
                return Suggest(pawn, self.case())
            case "show":
                return Show(pawn, self.card())
            case "pass":
                return Pass(pawn)
            case "accuse":
                return Accuse(pawn, self.case())
            case "end":
                return EndTurn(pawn)
        raise NotationError(expected(either(_MOVES)), token.column)

    def case(self) -> Case:
        """A suspect, a weapon and a location."""
        return Case(*[self.card(category) for category in Category])

    def card(self, category: Category | None = None) -> Card:
        """A card, of that category."""
        kind = Text("a card", "une carte") if category is None else category.text
        token = self.take(kind)
        try:
            found = card(token.text)
        except BadInput:
            found = None
        if found is None or category not in (None, found.category):
            example = (category or Category.SUSPECT).letter
            what = Text(f"{kind.en}, such as {example}1", f"{kind.fr}, telle que {example}1")
            raise NotationError(expected(what), token.column)
        return found

    def _square(self) -> Square:
        token = self.take(Text("a square", "une case"))
        found = _SQUARE.fullmatch(token.text)
        if not found:
            what = Text("a square by row and column, such as 7,4", "une case par ligne et colonne, telle que 7,4")
            raise NotationError(expected(what), token.column)
        return Square(int(found[1]), int(found[2]))

    def _via(self) -> tuple[Square, ...]:
        if not self.skip(VIA):
            return ()
        squares = [self._square()]
        while self._peek() is not None:
            squares.append(self._square())
        return tuple(squares)

    def _pip(self) -> int:
        token = self.take(Text("a die", "un dé"))
        if not _PIP.fullmatch(token.text):
            raise NotationError(expected(Text("a die, 1 to 6", "un dé, de 1 à 6")), token.column)
        return int(token.text)

    def take(self, what: Text) -> _Token:
        """The next word."""
        token = self._peek()
        if token is None:
            self.fail(expected(what))
        self._next += 1
        return token

    def skip(self, word: str) -> bool:
        """Whether that word is next; it is read then."""
        token = self._peek()
        found = token is not None and token.text.lower() == word
        self._next += found
        return found

    def finish(self) -> None:
        """Nothing may be left."""
        if self._peek() is not None:
            self.fail(expected(Text("nothing more", "rien de plus")))

    def fail(self, why: Text) -> NoReturn:
        """Reading stops at the next word."""
        raise NotationError(why, self.column)

    @property
    def column(self) -> int:
        """Where the next word stands, or where the text ends, from 1."""
        token = self._peek()
        return self._end if token is None else token.column

    @property
    def is_done(self) -> bool:
        """Whether all has been read."""
        return self._peek() is None

    @property
    def has_card(self) -> bool:
        """Whether a card is next."""
        token = self._peek()
        return token is not None and _CARD.fullmatch(token.text.upper()) is not None

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None
