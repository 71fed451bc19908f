"""Events: what happened, in the order in which it happened. `None` stands for what a viewer may not know.

They are no tuples, for a seat's passing would else equal its being asked.
"""

from dataclasses import dataclass
from enum import IntEnum

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.moves import Dice
from whitehall.games.cluedo.place import Square
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.seat import Seat


@dataclass(frozen=True, slots=True)
class Enclosed:
    """Three cards went into the envelope. Nobody sees them."""

    case: Case | None


@dataclass(frozen=True, slots=True)
class Dealt:
    """A seat was dealt its hand, ascending: `size` cards, which it alone sees."""

    seat: Seat
    size: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class LaidOpen:
    """Cards were laid face up for all to see: neutral cards of a game of two, or what could not be dealt evenly."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """Turn number `turn`, from 1, of the seat began."""

    turn: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice were rolled."""

    pawn: Card
    dice: Dice


@dataclass(frozen=True, slots=True)
class Stuck:
    """No step was possible: the pawn stays where it is."""

    pawn: Card


@dataclass(frozen=True, slots=True)
class Walked:
    """A pawn walked: `path` holds every square it stepped on, the last being where it stands now."""

    pawn: Card
    path: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Entered:
    """A pawn walked into a room; the last square of `path` is the one in front of the door. Spare pips are lost.

    `path` is empty for a pawn that stood in front of the door already.
    """

    pawn: Card
    location: Card
    path: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class TookPassage:
    """A pawn went through a secret passage."""

    pawn: Card
    location: Card


@dataclass(frozen=True, slots=True)
class Suggested:
    """A seat made a suggestion in the room where its pawn stands."""

    seat: Seat
    case: Case


@dataclass(frozen=True, slots=True)
class CalledIn:
    """The suggested suspect's pawn came from another place into the room; in its own next turn it may suggest there."""

    pawn: Card
    location: Card


@dataclass(frozen=True, slots=True)
class WeaponMoved:
    """The suggested weapon came from another room."""

    weapon: Card
    location: Card


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat holds none of the three cards. The service passes for it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat holds at least one of the three cards and has to show one of them."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Refuted:
    """A seat showed one of the three cards to the suggester; no other seat sees which."""

    seat: Seat
    to: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class Unrefuted:
    """Everybody but the suggester passed."""

    seat: Seat
    """The suggester."""


@dataclass(frozen=True, slots=True)
class Accused:
    """A seat accused; all see of what, and whether all three cards are right."""

    seat: Seat
    case: Case
    right: bool


@dataclass(frozen=True, slots=True)
class EnvelopeSeen:
    """A seat that accused wrongly put the cards of the envelope back: it alone has seen them."""

    seat: Seat
    case: Case | None


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A seat is out of the running: no turns and no accusations any more, but it goes on showing cards."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DoorCleared:
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


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat's turn is over."""

    seat: Seat
    reason: TurnEndReason


@dataclass(frozen=True, slots=True)
class Revealed:
    """The game is over, and the envelope is open to all."""

    case: Case


@dataclass(frozen=True, slots=True)
class GameEnded:
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
