"""An onlooker: somebody who watches a game event by event, keeps count of what lies open, and takes no part.

What to make of it is left to those who are one: a detective who thinks, and one with the app.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from tests.games.scotland_yard.reference import LAND, reached, read_lines
from tests.games.scotland_yard.words import word
from whitehall.games.scotland_yard.events import (
    Event,
    GameEnded,
    HunterPassed,
    HunterTravelled,
    MrXTravelled,
    Placed,
    PlacingBegan,
)
from whitehall.games.scotland_yard.options import MrXSupply, ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.piece import Piece


class Onlooker(ABC):
    """What lies open on the table, from one seat's events alone."""

    def __init__(self, options: ScotlandYardOptions) -> None:
        self.lines = read_lines(options.board.name)
        self.all: set[int] = set(self.lines["taxi"])
        chosen = options.start_by == StartBy.CHOICE
        self.cards: set[int] = set(self.all) if chosen else set(options.start_cards_mr_x)
        self.order = [word(piece) for piece in options.hunters]
        self.at: dict[str, int] = {}
        self.mr_x_stands = False
        self.has_started = False
        self.supply = dict(zip(LAND, options.supply, strict=True))
        self.is_endless = options.mr_x_supply == MrXSupply.UNLIMITED
        self.black, self.helicopters = options.black_tickets, 0
        self.fields, self.gone = 0, 0
        self.is_over = False

    @abstractmethod
    def start(self) -> None:
        """Mr X starts, or will start, on one of `cards`."""

    @abstractmethod
    def ride(self, ticket: str, shown: int | None) -> None:
        """Mr X moves on, and shows himself if he surfaces."""

    @abstractmethod
    def rule_out(self, station: int) -> None:
        """Mr X is not on this station, for the game goes on."""

    @abstractmethod
    def begin_turn(self) -> None:
        """It is Mr X's turn, and he can move."""

    def hear(self, event: Event | None) -> None:  # noqa: B027 - without the app there is nothing to hear
        """What only some are told."""

    def watch(self, events: Iterable[Event | None]) -> None:
        """Takes in what happens between two moments at which somebody has to move."""
        for event in events:
            match event:
                case PlacingBegan(offered):
                    self._start_apart_from(set(offered))
                case Placed(Piece.MR_X, _):
                    self.mr_x_stands = True
                    if not self.has_started:
                        self._start_apart_from(set(self.at.values()))
                case Placed(piece, station):
                    assert station is not None
                    self.at[word(piece)] = station
                    if self.has_started:
                        self.rule_out(station)
                case MrXTravelled(_, ticket, station, surfaced):
                    self._follow(word(ticket), station if surfaced else None)
                case HunterTravelled(piece, ticket, station):
                    self._search(piece, word(ticket), station)
                case HunterPassed():
                    self.gone += 1
                case GameEnded():
                    self.is_over = True
                case _:
                    self.hear(event)
        is_placed = self.mr_x_stands and len(self.at) == len(self.order)
        if not self.is_over and is_placed and (self.gone == len(self.at) or not self.fields):
            self.begin_turn()

    def ends(self, station: int, ticket: str) -> set[int]:
        """Where a ride leads, whoever stands there."""
        return self.all - {station} if ticket == "helicopter" else reached(station, ticket, self.lines)

    def can_leave(self, station: int) -> bool:
        """Whether Mr X could move from there."""
        tickets = [ticket for ticket in LAND if self.supply[ticket]] + ["black"] * (self.black > 0)
        tickets += ["helicopter"] * (self.helicopters > 0)
        return any(self.ends(station, ticket) - set(self.at.values()) for ticket in tickets)

    def _start_apart_from(self, stations: set[int]) -> None:
        self.cards -= stations
        self.has_started = True
        self.start()

    def _follow(self, ticket: str, shown: int | None) -> None:
        self.ride(ticket, shown)
        if ticket == "helicopter":
            self.helicopters -= 1
        elif ticket == "black":
            self.black -= 1
        elif not self.is_endless:
            self.supply[ticket] -= 1
        self.fields += 1
        self.gone = 0

    def _search(self, piece: Piece, ticket: str, station: int) -> None:
        self.at[word(piece)] = station
        self.gone += 1
        if not piece.is_bobby and ticket != "black" and not self.is_endless:
            self.supply[ticket] += 1
        self.rule_out(station)
