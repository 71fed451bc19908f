"""The state of a game: the whole truth. It never leaves the service; seats get a view."""

from enum import IntEnum
from typing import NamedTuple

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.moves import Dice
from whitehall.games.cluedo.options import CluedoOptions
from whitehall.games.cluedo.place import Place
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.seat import Seat


class Phase(IntEnum):
    """How far a turn has come. The numbers are those of the wire and of stored games: never reuse one."""

    START = 1
    """The seat rolls, takes a passage, suggests where its pawn was called in, or accuses."""
    MOVE = 2
    """The dice are rolled, and the pawn has to walk."""
    SUGGEST = 3
    """The pawn has come into a room and may suggest there."""
    SHOW = 4
    """A suggestion waits for the card of the seat that was asked."""
    CLOSE = 5
    """All is done but to accuse or to end the turn."""
    OVER = 6


class SuggestionMade(NamedTuple):
    """One suggestion and what came of it."""

    turn: int
    seat: Seat
    case: Case
    pawn_moved: bool
    """Whether the suspect's pawn came from another place."""
    weapon_moved: bool
    """Whether the weapon came from another room."""
    passed: tuple[Seat, ...]
    """The seats that held none of the three cards, in the order in which they were asked."""
    refuter: Seat | None
    """The seat that showed a card, or has to (`card` is None then); None where everybody passed."""
    card: Card | None
    """The card that was shown."""


class AccusationMade(NamedTuple):
    """One accusation."""

    turn: int
    seat: Seat
    case: Case
    right: bool


class CluedoState(NamedTuple):
    """Everything about one moment of one game."""

    options: CluedoOptions
    turn: int
    """The number of the turn, from 1."""
    active: Seat
    """The seat whose turn it is; once the game is over, the one whose turn was the last."""
    phase: Phase
    dice: Dice | None
    """What was rolled in this turn."""
    pawns: tuple[Place, ...]
    """Where each suspect's pawn stands, S1 first: those that nobody plays too."""
    weapons: tuple[Card, ...]
    """The room where each weapon lies, W1 first."""
    called: tuple[Card, ...]
    """The pawns that were called into the room where they stand, and have not had a turn since; ascending."""
    envelope: Case
    hands: tuple[tuple[Card, ...], ...]
    """Each seat's cards, ascending."""
    face_up: tuple[Card, ...]
    """The cards that were laid open at the deal, ascending."""
    suggestions: tuple[SuggestionMade, ...]
    """The latest last. The last one waits for its card in phase `SHOW`."""
    accusations: tuple[AccusationMade, ...]
    """The latest last."""
    eliminated: tuple[Seat, ...]
    """The seats that accused wrongly, in the order in which they did."""
    outcome: Outcome | None

    def __repr__(self) -> str:
        """Says where the game is, and nothing that is hidden."""
        return f"<CluedoState turn {self.turn}, seat {self.active}, {self.phase.name}>"
