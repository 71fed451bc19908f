"""A watcher: what lies open at the table, kept by one seat's events alone. No view is looked at.

The detectives of the tests build on it, each with a way of its own to work out where Mr X can be.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from tests.games.scotland_yard.reference import LAND, read_lines
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


class Watcher(ABC):
    """Where hunters stand, which tickets are left, whose turn it is, and on which cards Mr X can have started."""

    def __init__(self, options: ScotlandYardOptions) -> None:
        self.lines = read_lines(options.board.name)
        self.all: set[int] = set(self.lines["taxi"])
        chosen = options.start_by == StartBy.CHOICE
        self.cards: set[int] = set(self.all) if chosen else set(options.start_cards_mr_x)
        self.order = [word(piece) for piece in options.hunters]
        self.at: dict[str, int] = {}
        self.supply = dict(zip(LAND, options.supply, strict=True))
        self.is_endless = options.mr_x_supply == MrXSupply.UNLIMITED
        self.black = options.black_tickets
        self.helicopters = 0 if options.master is None else options.master.helicopter_tickets
        self.gone = 0
        self.mr_x_stands, self.is_over = False, False

    @property
    @abstractmethod
    def knows_a_start(self) -> bool:
        """Whether it is worked out where he can start."""

    @property
    @abstractmethod
    def has_not_moved(self) -> bool:
        """Whether Mr X still stands where he started."""

    @abstractmethod
    def start_on(self, stations: set[int]) -> None:
        """Mr X starts, or will start, on one of these."""

    @abstractmethod
    def follow(self, ticket: str, shown: int | None) -> None:
        """Mr X rides or flies on, never to a station where a hunter stands."""

    @abstractmethod
    def rule_out(self, station: int) -> None:
        """Mr X is not there."""

    @abstractmethod
    def begin_turn(self) -> None:
        """It is Mr X's turn: wherever he could not move, he would have lost."""

    @abstractmethod
    def hear(self, event: Event | None) -> None:
        """Takes in whatever else happens, such as what the app says."""

    def watch(self, events: Iterable[Event | None]) -> None:
        """Takes in what happens between two moments at which somebody has to move."""
        for event in events:
            match event:
                case PlacingBegan(offered):
                    self._start_apart_from(set(offered))
                case Placed(Piece.MR_X, _):
                    self.mr_x_stands = True
                    if not self.knows_a_start:
                        self._start_apart_from(set(self.at.values()))
                case Placed(piece, station):
                    assert station is not None
                    self.at[word(piece)] = station
                    if self.knows_a_start:
                        self.rule_out(station)
                case MrXTravelled(_, ticket, station, surfaced):
                    self.follow(word(ticket), station if surfaced else None)
                    self._spend(word(ticket))
                    self.gone = 0
                case HunterTravelled(piece, ticket, station):
                    self._search(piece, word(ticket), station)
                case HunterPassed():
                    self.gone += 1
                case GameEnded():
                    self.is_over = True
                case _:
                    self.hear(event)
        is_placed = self.mr_x_stands and len(self.at) == len(self.order)
        if not self.is_over and is_placed and (self.gone == len(self.at) or self.has_not_moved):
            self.begin_turn()

    def _start_apart_from(self, stations: set[int]) -> None:
        self.cards -= stations
        self.start_on(set(self.cards))

    def _spend(self, ticket: str) -> None:
        if ticket == "helicopter":
            self.helicopters -= 1
        elif ticket == "black":
            self.black -= 1
        elif not self.is_endless:
            self.supply[ticket] -= 1

    def _search(self, piece: Piece, ticket: str, station: int) -> None:
        """A hunter looks for Mr X at a station. Had he been there, no move would follow."""
        self.at[word(piece)] = station
        self.gone += 1
        if not piece.is_bobby and ticket != "black" and not self.is_endless:
            self.supply[ticket] += 1
        self.rule_out(station)

    @property
    def tickets(self) -> list[str]:
        """The kinds of tickets that Mr X can take."""
        land = [ticket for ticket in LAND if self.supply[ticket]]
        return [*land, *["black"] * (self.black > 0), *["helicopter"] * (self.helicopters > 0)]
