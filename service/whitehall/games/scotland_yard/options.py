"""Options: every number of the rulebook that an edition may set, resolved once when a game is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.ticket import Station, Tickets

MR_X_SEAT = Seat(0)
"""Mr X's seat in every game."""


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
    rounds: int
    log_fields: int
    surfacing: tuple[int, ...]
    """The log fields at which Mr X surfaces, ascending."""
    hand: Tickets
    """The tickets of each detective, or the shared hand where `pooled`."""
    supply: Tickets
    """The tickets in the common supply at the start."""
    black_tickets: int
    double_tickets: int
    start_cards_mr_x: tuple[Station, ...]
    start_cards_hunters: tuple[Station, ...]

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
