"""Cards: suspects, weapons and locations by their number. Names are a matter of the theme; rules need none."""

import re
from typing import NamedTuple

from whitehall.games.core.fault import BadInput
from whitehall.games.core.text import Text
from whitehall.games.core.word import Worded


class Category(Worded):
    """The three kinds of cards. The numbers are those of the wire and of stored games: never reuse one."""

    SUSPECT = 1
    WEAPON = 2
    LOCATION = 3

    @property
    def letter(self) -> str:
        """What the ids of its cards begin with."""
        return "SWL"[self - 1]

    @property
    def text(self) -> Text:
        """One such card, for people."""
        return _KINDS[self]


class Card(NamedTuple):
    """One card, by its kind and its number there, from 1. A suspect is its own pawn, a location its own room."""

    category: Category
    number: int

    @property
    def word(self) -> str:
        """Its id in notation, draws and error texts, such as `S1`."""
        return f"{self.category.letter}{self.number}"


class Case(NamedTuple):
    """One suspect, one weapon, one location: what lies in the envelope, what is suggested, or what is an accusation."""

    suspect: Card
    weapon: Card
    location: Card

    @property
    def word(self) -> str:
        """The three ids in notation, such as `S4 W2 L3`."""
        return " ".join(card.word for card in self)


_KINDS = {
    Category.SUSPECT: Text("a suspect", "un suspect"),
    Category.WEAPON: Text("a weapon", "une arme"),
    Category.LOCATION: Text("a location", "un lieu"),
}
_CATEGORIES = {category.letter: category for category in Category}
_ID = re.compile("([SWL])([1-9][0-9]?)")


def card(word: str) -> Card:
    """The card with that id, capitals or not. Raises `BadInput`."""
    found = _ID.fullmatch(word.upper())
    if not found:
        raise BadInput(Text(f"{word!r} is the id of no card", f"{word!r} n'est l'identifiant d'aucune carte"))
    return Card(_CATEGORIES[found[1]], int(found[2]))


def suspect(number: int) -> Card:
    """The suspect, and the pawn, with that number."""
    return Card(Category.SUSPECT, number)


def weapon(number: int) -> Card:
    """The weapon with that number."""
    return Card(Category.WEAPON, number)


def location(number: int) -> Card:
    """The location, and the room that it names, with that number."""
    return Card(Category.LOCATION, number)


def case(words: str) -> Case:
    """The case that three ids say in the usual order, such as `S4 W2 L3`. Raises `BadInput`."""
    cards = [card(word) for word in words.split()]
    if [one.category for one in cards] != list(Category):
        reason = Text(
            f"{words!r} is no suspect, weapon and location", f"{words!r} n'est pas un suspect, une arme et un lieu"
        )
        raise BadInput(reason)
    return Case(*cards)
