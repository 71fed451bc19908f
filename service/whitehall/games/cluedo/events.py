"""Events: what happened, in the order in which it happened. `None` stands for what a viewer may not know."""

from enum import IntEnum
from typing import NamedTuple

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.moves import Dice
from whitehall.games.cluedo.place import Square
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.seat import Seat


class Enclosed(NamedTuple):
    """Three cards went into the envelope. Nobody sees them."""

    case: Case | None


class Dealt(NamedTuple):
    """A seat was dealt its hand, ascending: `size` cards, which it alone sees."""

    seat: Seat
    size: int
    cards: tuple[Card, ...] | None


class LaidOpen(NamedTuple):
    """Cards were laid face up for all to see: neutral cards of a game of two, or what could not be dealt evenly."""

    cards: tuple[Card, ...]


class TurnBegan(NamedTuple):
    """Turn number `turn`, from 1, of the seat began."""

    turn: int
    seat: Seat


class Rolled(NamedTuple):
    """The dice were rolled."""

    pawn: Card
    dice: Dice


class Stuck(NamedTuple):
    """No step was possible: the pawn stays where it is."""

    pawn: Card


class Walked(NamedTuple):
    """A pawn walked: `path` holds every square it stepped on, the last being where it stands now."""

    pawn: Card
    path: tuple[Square, ...]


class Entered(NamedTuple):
    """A pawn walked into a room; the last square of `path` is the one in front of the door. Spare pips are lost.

    `path` is empty for a pawn that stood in front of the door already.
    """

    pawn: Card
    location: Card
    path: tuple[Square, ...]


class TookPassage(NamedTuple):
    """A pawn went through a secret passage."""

    pawn: Card
    location: Card


class Suggested(NamedTuple):
    """A seat made a suggestion in the room where its pawn stands."""

    seat: Seat
    case: Case


class CalledIn(NamedTuple):
    """The suggested suspect's pawn came from another place into the room; in its own next turn it may suggest there."""

    pawn: Card
    location: Card


class WeaponMoved(NamedTuple):
    """The suggested weapon came from another room."""

    weapon: Card
    location: Card


class Passed(NamedTuple):
    """A seat holds none of the three cards. The service passes for it."""

    seat: Seat


class Asked(NamedTuple):
    """A seat holds at least one of the three cards and has to show one of them."""

    seat: Seat


class Refuted(NamedTuple):
    """A seat showed one of the three cards to the suggester; no other seat sees which."""

    seat: Seat
    to: Seat
    card: Card | None


class Unrefuted(NamedTuple):
    """Everybody but the suggester passed."""

    seat: Seat
    """The suggester."""


class Accused(NamedTuple):
    """A seat accused; all see of what, and whether all three cards are right."""

    seat: Seat
    case: Case
    right: bool


class EnvelopeSeen(NamedTuple):
    """A seat that accused wrongly put the cards of the envelope back: it alone has seen them."""

    seat: Seat
    case: Case | None


class Eliminated(NamedTuple):
    """A seat is out of the running: no turns and no accusations any more, but it goes on showing cards."""

    seat: Seat


class DoorCleared(NamedTuple):
    """The pawn of a seat that accused wrongly stood in front of a door, and was moved into the room."""

    pawn: Card
    location: Card


class TurnEndReason(IntEnum):
    """Why a turn ended. The numbers are those of the wire and of stored games."""

    CHOSEN = 1
    """Its seat ended it."""
    NOTHING_LEFT = 2
    """Nothing was left to choose in it."""
    ELIMINATED = 3
    """Its seat accused wrongly."""


class TurnEnded(NamedTuple):
    """A seat's turn is over."""

    seat: Seat
    reason: TurnEndReason


class Revealed(NamedTuple):
    """The game is over, and the envelope is open to all."""

    case: Case


class GameEnded(NamedTuple):
    """The game is over."""

    outcome: Outcome


Event = (
    Enclosed
    | Dealt
    | LaidOpen
    | TurnBegan
    | Rolled
    | Stuck
    | Walked
    | Entered
    | TookPassage
    | Suggested
    | CalledIn
    | WeaponMoved
    | Passed
    | Asked
    | Refuted
    | Unrefuted
    | Accused
    | EnvelopeSeen
    | Eliminated
    | DoorCleared
    | TurnEnded
    | Revealed
    | GameEnded
)
