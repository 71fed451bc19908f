"""Moves: what a seat tries. Each names the pawn that acts, by its suspect card.

They are no tuples, for a suggestion would else equal an accusation of the same three cards.
"""

from dataclasses import dataclass
from typing import NamedTuple

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.place import Square


class Dice(NamedTuple):
    """What two dice show, 1 to 6 each."""

    first: int
    second: int

    @property
    def pips(self) -> int:
        """Their sum, 2 to 12."""
        return self.first + self.second


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll both dice. `dice` is given where the table plays with its own dice, and None where the service rolls."""

    pawn: Card
    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class Walk:
    """Walk the roll out to a corridor square.

    `via` are the squares stepped on before it, in order, without the one stood on: any legal way will do where it is
    empty, else this very way is judged and walked.
    """

    pawn: Card
    square: Square
    via: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class Enter:
    """Walk through a door into a room. `via` as in `Walk`: the last of it is the square in front of the door."""

    pawn: Card
    location: Card
    via: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """Take the secret passage to the room `location`, in place of a roll."""

    pawn: Card
    location: Card


@dataclass(frozen=True, slots=True)
class Suggest:
    """Suggest a suspect and a weapon in the room where the pawn stands."""

    pawn: Card
    case: Case


@dataclass(frozen=True, slots=True)
class Show:
    """Show one of the suggested cards, of one's own choice, to the suggester alone."""

    pawn: Card
    card: Card


@dataclass(frozen=True, slots=True)
class Pass:
    """Show nothing. Always refused: who can show must, and who cannot is passed over by the service."""

    pawn: Card


@dataclass(frozen=True, slots=True)
class Accuse:
    """Accuse: look into the envelope, and win or be out of the running."""

    pawn: Card
    case: Case


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn, where something was left to choose."""

    pawn: Card


Move = Roll | Walk | Enter | Passage | Suggest | Show | Pass | Accuse | EndTurn
