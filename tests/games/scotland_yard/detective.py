"""A detective who only watches: where Mr X can be, worked out a second time, slowly and from public events alone.

Stations are kept as plain sets and every question is answered along the reference's lines. No view is looked at.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from tests.games.chance import SeededChance
from tests.games.scotland_yard.reference import LAND, reached, read_lines
from tests.games.scotland_yard.words import word
from whitehall.games.core.chance import NoChance
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.events import (
    Event,
    GameEnded,
    HunterPassed,
    HunterTravelled,
    MrXTravelled,
    Placed,
    PlacingBegan,
)
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove, Move, Travel
from whitehall.games.scotland_yard.options import MrXSupply, ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.public_log import PublicRide, PublicRound
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets


@dataclass
class Place:
    """Mr X's start, or where one of his moves led."""

    ticket: str
    could_be: set[int]
    ways: dict[int, int]
    """How many routes lead to each station, from where he was last seen."""


class Detective:
    """What somebody at the table can know, with a good memory and all the time in the world."""

    def __init__(self, options: ScotlandYardOptions) -> None:
        self.lines = read_lines(options.board.name)
        chosen = options.start_by == StartBy.CHOICE
        self.cards = set(self.lines["taxi"]) if chosen else set(options.start_cards_mr_x)
        self.order = [word(piece) for piece in options.hunters]
        self.at: dict[str, int] = {}
        self.mr_x_stands = False
        self.supply = dict(zip(LAND, options.supply, strict=True))
        self.is_endless = options.mr_x_supply == MrXSupply.UNLIMITED
        self.black = options.black_tickets
        self.places: list[Place] = []
        self.analysis: set[int] = set()
        self.gone = 0
        self.is_over = False
        self.rounds: list[PublicRound] = []

    def watch(self, events: Iterable[Event | None]) -> None:
        """Takes in what happens between two moments at which somebody has to move."""
        for event in events:
            match event:
                case PlacingBegan(offered):
                    self.start_apart_from(set(offered))
                case Placed(Piece.MR_X, _):
                    self.mr_x_stands = True
                    if not self.places:
                        self.start_apart_from(set(self.at.values()))
                case Placed(piece, station):
                    assert station is not None
                    self.at[word(piece)] = station
                    if self.places:
                        self.places[0].could_be.discard(station)
                case MrXTravelled(_, ticket, station, _):
                    self.follow(word(ticket), station)
                case HunterTravelled(piece, ticket, station):
                    self.search(piece, word(ticket), station)
                case HunterPassed():
                    self.gone += 1
                case GameEnded():
                    self.is_over = True
        is_placed = self.mr_x_stands and len(self.at) == len(self.order)
        if not self.is_over and is_placed and (self.gone == len(self.at) or len(self.places) == 1):
            self.begin_round()

    def start_apart_from(self, stations: set[int]) -> None:
        """Mr X starts, or will start, on one of the stations open to him that is none of these."""
        self.cards -= stations
        self.analysis = set(self.cards)
        self.places.append(Place("", set(self.cards), dict.fromkeys(self.cards, 1)))

    def follow(self, ticket: str, shown: int | None) -> None:
        """Mr X rides on, never to a station where a hunter stands."""
        leads = {here: self.reached(here, ticket) for here in self.places[-1].could_be}
        could_be = set().union(*leads.values()) - set(self.at.values())
        before = self.places[-1].ways
        ways = {there: sum(before[here] for here, ends in leads.items() if there in ends) for there in could_be}
        self.analysis = {there for here in self.analysis for there in self.reached(here, ticket)}
        if shown is not None:
            assert shown in could_be & self.analysis
            could_be, ways, self.analysis = {shown}, {shown: 1}, {shown}
        self.places.append(Place(ticket, could_be, ways))
        if ticket == "black":
            self.black -= 1
        elif not self.is_endless:
            self.supply[ticket] -= 1
        self.gone = 0
        ride = PublicRide(Ticket[ticket.upper()], None if shown is None else Station(shown))
        self.rounds[-1] = self.rounds[-1]._replace(rides=(*self.rounds[-1].rides, ride))

    def search(self, piece: Piece, ticket: str, station: int) -> None:
        """A hunter looks for Mr X at a station. Had he been there, no move would follow."""
        self.at[word(piece)] = station
        self.gone += 1
        if not piece.is_bobby and ticket != "black" and not self.is_endless:
            self.supply[ticket] += 1
        self.places[-1].could_be.discard(station)

    def begin_round(self) -> None:
        """It is Mr X's turn: wherever he could not move, he would have lost."""
        tickets = [ticket for ticket in LAND if self.supply[ticket]] + ["black"] * (self.black > 0)
        taken = set(self.at.values())
        here = self.places[-1]
        here.could_be = {s for s in here.could_be if any(self.reached(s, ticket) - taken for ticket in tickets)}
        self.rounds.append(PublicRound(self.hunters, (), Tickets(**self.supply), self.black))

    def reached(self, station: int, ticket: str) -> set[int]:
        return reached(station, ticket, self.lines)

    @property
    def hunters(self) -> tuple[Station, ...]:
        return tuple(Station(self.at[piece]) for piece in self.order)

    @property
    def strong(self) -> tuple[int, ...]:
        return tuple(sorted(self.places[-1].could_be))

    @property
    def routes(self) -> dict[int, int]:
        return {station: self.places[-1].ways[station] for station in self.places[-1].could_be}

    def trail(self) -> dict[int, tuple[int, ...]]:
        """Where he can have been at each place, in hindsight: only stations from which he can have gone on."""
        later = set(self.places[-1].could_be)
        found = [later]
        for place, before in zip(self.places[:0:-1], self.places[-2::-1], strict=True):
            later = {here for here in before.could_be if self.reached(here, place.ticket) & later}
            found.append(later)
        return {number: tuple(sorted(stations)) for number, stations in enumerate(reversed(found))}


def watched_game(
    players: int, seed: int, options: ScotlandYardOptions | None = None
) -> Iterator[tuple[ScotlandYardState, Detective]]:
    """A random game, of preset `new` unless options are given, and what a detective makes of it after each move.

    In half of the games the hunters hunt.
    """
    options = options or resolve("new", players)
    random, detective = Random(seed), Detective(options)
    state, events = game.setup(options, SeededChance(seed))
    while True:
        detective.watch([game.event_view(event, None) for event in events])
        yield state, detective
        seats = game.to_move(state)
        if not seats:
            return
        seat = random.choice(seats)
        moves = game.legal_moves(state, seat)
        hunted = detective.places[-1].could_be if seed % 2 and seat else set()
        state, events = game.apply(state, seat, choose(random, moves, hunted), NoChance())


def choose(random: Random, moves: Iterable[Move], hunted: set[int]) -> Move:
    """A random move; more often than not to one of the hunted stations. Doubles, of which there are so many, seldom."""
    listed = list(moves)
    singles = [move for move in listed if not isinstance(move, DoubleMove)]
    promising = [move for move in singles if isinstance(move, Travel) and move.station in hunted]
    if promising and random.random() < 0.6:
        return random.choice(promising)
    return random.choice(listed if random.random() < 0.15 else singles)
