"""Options: everything that a game's set-up decides, resolved once when a game is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from whitehall.games.cluedo.board import Board
from whitehall.games.cluedo.card import Card, Case, Category, location, suspect, weapon
from whitehall.games.cluedo.theme import Theme
from whitehall.games.core.seat import Seat
from whitehall.games.core.word import Worded


class Movement(Worded):
    """How much of a roll a pawn walks. The numbers are those of the wire and of stored games: never reuse one."""

    EXACT = 1
    """All of it, unless it enters a room before."""
    UP_TO = 2
    """One square or more, up to all of it."""


class AccusationMoment(Worded):
    """When a seat may accuse. The numbers are those of the wire and of stored games."""

    RULEBOOK = 1
    """At the very start of its turn, or after its suggestion has been answered."""
    ANY_TIME = 2
    """At any time in its turn, except while a suggestion waits for its answer."""


class DiceSource(Worded):
    """Who rolls. The numbers are those of the wire and of stored games."""

    SERVICE = 1
    """The service, from the game's committed chance."""
    PHYSICAL = 2
    """The table, with its own dice: seats say what they rolled."""


class Leftovers(Worded):
    """What happens to cards that do not go round evenly. The numbers are those of the wire and of stored games."""

    DEALT = 1
    """The seats that are dealt to first get one card more."""
    FACE_UP = 2
    """They lie open on the table."""


def hand_sizes(dealt: int, players: int, first_dealt: Seat) -> tuple[int, ...]:
    """How many cards each seat has when so many go round from `first_dealt` on."""
    share, over = divmod(dealt, players)
    return tuple(share + ((seat - first_dealt) % players < over) for seat in range(players))


@dataclass(frozen=True, slots=True)
class CluedoOptions:
    """A game's set-up. Made by `edition.resolve`, which refuses what cannot work."""

    preset: str
    """The preset they came from, such as `james-bond`."""
    seats: tuple[Card, ...]
    """The pawn that each seat plays, by seat number. Seats sit clockwise in this order, and seat 0 begins."""
    board: Board
    """The board itself, so that the rules need no register of boards; its `name` goes on the wire and into records."""
    theme: Theme
    """The names of the cards, and the room slot where each location lies."""
    movement: Movement
    accusations: AccusationMoment
    dice: DiceSource
    leftovers: Leftovers
    neutral_cards: int
    """Cards laid open before the deal in a game of two; 0 in any other."""
    first_dealt: Seat
    """The seat that is dealt to first: it and those after it get one card more where the deal is uneven."""

    # What follows from the fields above, worked out once because every move asks for it.
    players: int = field(init=False, repr=False, compare=False)
    """How many seats there are."""
    suspects: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    """Every suspect card, and so every pawn on the board."""
    weapons: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    locations: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    cards: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    """The whole deck: suspects, weapons, locations."""
    hand_sizes: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """How many cards each seat holds. Open to all."""
    slot_of: Mapping[Card, int] = field(init=False, repr=False, compare=False)
    """The board's room slot of each location."""
    location_at: Mapping[int, Card] = field(init=False, repr=False, compare=False)
    """The location in each of the board's room slots."""
    seat_of: Mapping[Card, Seat] = field(init=False, repr=False, compare=False)
    """The seat of each pawn that somebody plays."""
    cases: tuple[Case, ...] = field(init=False, repr=False, compare=False)
    """Every possible solution, ascending."""

    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        theme = self.theme
        suspects = tuple(suspect(number) for number in range(1, len(theme.suspects) + 1))
        weapons = tuple(weapon(number) for number in range(1, len(theme.weapons) + 1))
        locations = tuple(location(number) for number in range(1, len(theme.locations) + 1))
        cards = suspects + weapons + locations
        players = len(self.seats)
        to_deal = len(cards) - len(Category) - self.neutral_cards
        leftovers = to_deal % players if self.leftovers == Leftovers.FACE_UP else 0
        slot_of = dict(zip(locations, theme.slots, strict=True))
        derive = object.__setattr__  # the way a frozen dataclass fills in its derived fields
        derive(self, "players", players)
        derive(self, "suspects", suspects)
        derive(self, "weapons", weapons)
        derive(self, "locations", locations)
        derive(self, "cards", cards)
        derive(self, "hand_sizes", hand_sizes(to_deal - leftovers, players, self.first_dealt))
        derive(self, "slot_of", slot_of)
        derive(self, "location_at", {slot: card for card, slot in slot_of.items()})
        derive(self, "seat_of", {pawn: Seat(seat) for seat, pawn in enumerate(self.seats)})
        derive(self, "cases", tuple(Case(s, w, place) for s in suspects for w in weapons for place in locations))
        derive(self, "_hash", hash(tuple(getattr(self, given.name) for given in fields(self) if given.compare)))

    def __hash__(self) -> int:
        """Worked out once too: what follows from a game's options is kept by them."""
        return self._hash
