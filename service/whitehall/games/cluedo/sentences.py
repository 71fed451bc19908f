"""Sentences that say what is wrong with something of Cluedo, and that several parts of it say."""

from whitehall.games.cluedo.card import Card
from whitehall.games.cluedo.place import Square
from whitehall.games.core.text import Text


def not_in_deck(card: Card) -> Text:
    """The deck of this game has no such card."""
    return Text(f"{card.word} is not in the deck", f"{card.word} n'est pas dans le paquet")


def no_corridor_square(square: Square) -> Text:
    """The board has no corridor there."""
    return Text(
        f"{square.word} is no corridor square of this board",
        f"{square.word} n'est pas une case de couloir de ce plateau",
    )
