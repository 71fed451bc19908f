"""Options: every number of the rulebook that an edition may set, resolved once when a game is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from whitehall.games.core.seat import Seat
from whitehall.games.core.word import Worded
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.master import MasterOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.ticket import Station, Tickets

MR_X_SEAT = Seat(0)
"""Mr X's seat in every game."""

PLENTY = Tickets(taxi=999, bus=999, underground=999)
"""What stands for a supply without an end, which `supply_changes` tells: a counted one may hold as many tickets."""


class EndBy(Worded):
    """What lets Mr X escape. The numbers are those of the wire and of stored games: never reuse one."""

    ROUNDS = 1
    """The last round is over."""
    LOG_FULL = 2
    """The hunters have answered the move that filled the last field of the log."""


class StartBy(Worded):
    """How the pieces come to the stations where they start. The numbers are those of the wire and of stored games."""

    CARDS = 1
    """Each piece on the station of its start card."""
    CHOICE = 2
    """Each on a station that its player chooses: the hunters openly, then Mr X secretly."""
    DISTRIBUTION = 3
    """The hunters' cards are drawn openly, and the hunters distribute themselves over them; Mr X has his own card."""


class MrXSupply(Worded):
    """Where Mr X's normal tickets come from. The numbers are those of the wire and of stored games."""

    FINITE = 1
    """A common supply: what the detectives' hands leave in the box, and all that they spend."""
    UNLIMITED = 2
    """A supply that never runs out."""
    FROM_DETECTIVES = 3
    """A hand of his own, and all that the detectives spend."""


class StuckScope(Worded):
    """Who has to be immobile for Mr X to win. The numbers are those of the wire and of stored games."""

    DETECTIVES = 1
    """Every detective."""
    ALL_HUNTERS = 2
    """Every detective and every Bobby; as a Bobby can always ride, that takes a game without them."""


@dataclass(frozen=True, slots=True)
class ScotlandYardOptions:
    """A game's rules in numbers. Made by `edition.resolve`, which refuses what cannot work."""

    preset: str
    """The preset they came from, such as `new`."""
    players: int
    """The number of people whom the rulebook's table is set for, Mr X included."""
    board: Board
    """The board itself, so that the rules need no register of boards; its `name` goes on the wire and into records."""
    seats: tuple[tuple[Piece, ...], ...]
    """The pieces each seat owns, by seat number. Seat 0 is Mr X's; Bobbies are owned by no seat."""
    detectives: tuple[Piece, ...]
    bobbies: tuple[Piece, ...]
    pooled: bool
    """All detectives spend from one shared hand (the two-player game)."""
    end_by: EndBy
    rounds: int
    """The most rounds there can be; where a full log ends the game, as many as it has fields."""
    log_fields: int
    surfacing: tuple[int, ...]
    """The log fields at which Mr X surfaces, ascending."""
    hand: Tickets
    """The tickets of each detective, or the shared hand where `pooled`."""
    black_hand: int
    """Black tickets of each detective, or in the shared hand; none but under a house rule."""
    mr_x_supply: MrXSupply
    supply: Tickets
    """The normal tickets that Mr X can draw from at the start: `PLENTY` where they have no end."""
    black_tickets: int
    double_tickets: int
    stuck_scope: StuckScope
    last_black_wins: bool
    """House rule: Mr X wins when the hunters have answered his last black ticket without catching him."""
    start_by: StartBy
    start_cards_mr_x: tuple[Station, ...]
    start_cards_hunters: tuple[Station, ...]
    """Both decks are empty where nobody draws."""
    master: MasterOptions | None = None
    """What the app game adds; None in editions without it."""

    # What follows from the fields above, worked out once because every move asks for it.
    hunters: tuple[Piece, ...] = field(init=False, repr=False, compare=False)
    """The detectives, then the Bobbies: the order in which a state lists them."""
    hunter_numbers: Mapping[Piece, int] = field(init=False, repr=False, compare=False)
    """The place of each hunter in `hunters`; what is not in it does not play."""
    movers: Mapping[Seat, tuple[Piece, ...]] = field(init=False, repr=False, compare=False)
    """The pieces each seat may move, in order: its own, and the Bobbies for every seat of the detective side."""
    hands: int = field(init=False, repr=False, compare=False)
    """How many hands of tickets there are: one for each detective, or the shared one."""
    hand_numbers: tuple[int | None, ...] = field(init=False, repr=False, compare=False)
    """For each of `hunters` the number of the hand it spends from; None for a Bobby, who needs no tickets."""
    hunter_seats: tuple[Seat, ...] = field(init=False, repr=False, compare=False)
    """The seats of the detective side."""
    supply_changes: bool = field(init=False, repr=False, compare=False)
    """Whether tickets that are spent leave the supply or come into it: not where it has no end."""
    stuck_hunters: int = field(init=False, repr=False, compare=False)
    """So many of the first `hunters` have to be immobile for Mr X to win."""

    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        hunters = self.detectives + self.bobbies
        seats = tuple(Seat(number) for number in range(len(self.seats)))
        movers = {seat: tuple(sorted(self.seats[seat])) + (self.bobbies if seat != MR_X_SEAT else ()) for seat in seats}
        derive = object.__setattr__  # the way a frozen dataclass fills in its derived fields
        derive(self, "hunters", hunters)
        derive(self, "hunter_numbers", {piece: number for number, piece in enumerate(hunters)})
        derive(self, "movers", movers)
        derive(self, "hands", 1 if self.pooled else len(self.detectives))
        hand_numbers = [0 if self.pooled else number for number in range(len(self.detectives))]
        derive(self, "hand_numbers", (*hand_numbers, *(None for _ in self.bobbies)))
        derive(self, "hunter_seats", tuple(seat for seat in seats if seat != MR_X_SEAT))
        derive(self, "supply_changes", self.mr_x_supply != MrXSupply.UNLIMITED)
        derive(self, "stuck_hunters", len(hunters if self.stuck_scope == StuckScope.ALL_HUNTERS else self.detectives))
        compared = tuple(getattr(self, given.name) for given in fields(self) if given.compare)
        derive(self, "_hash", hash(compared))

    def __hash__(self) -> int:
        """Worked out once too: what a game shows is kept by its options, and they have some thirty fields."""
        return self._hash
