"""A detective who only watches: where Mr X can be, worked out a second time, slowly and from public events alone.

Stations are kept as plain sets and every question is answered along the reference's lines. No view is looked at.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from tests.games.chance import NoChance, SeededChance
from tests.games.scotland_yard.onlooker import Onlooker
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove, Move, Travel
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets


@dataclass
class Place:
    """Mr X's start, or where one of his moves led."""

    ticket: str
    could_be: set[int]
    ways: dict[int, int]
    """How many routes lead to each station, from where he was last seen."""


class Detective(Onlooker):
    """What somebody at the table can know, with a good memory and all the time in the world."""

    def __init__(self, options: ScotlandYardOptions) -> None:
        super().__init__(options)
        self.places: list[Place] = []
        self.analysis: set[int] = set()
        self.rounds: list[PublicRound] = []

    def start(self) -> None:
        self.analysis = set(self.cards)
        self.places.append(Place("", set(self.cards), dict.fromkeys(self.cards, 1)))

    def ride(self, ticket: str, shown: int | None) -> None:
        """Mr X rides on, never to a station where a hunter stands."""
        leads = {here: self.ends(here, ticket) for here in self.places[-1].could_be}
        could_be = set().union(*leads.values()) - set(self.at.values())
        before = self.places[-1].ways
        ways = {there: sum(before[here] for here, ends in leads.items() if there in ends) for there in could_be}
        self.analysis = {there for here in self.analysis for there in self.ends(here, ticket)}
        if shown is not None:
            assert shown in could_be & self.analysis
            could_be, ways, self.analysis = {shown}, {shown: 1}, {shown}
        self.places.append(Place(ticket, could_be, ways))
        ride = PublicRide(Ticket[ticket.upper()], None if shown is None else Station(shown))
        self.rounds[-1] = self.rounds[-1]._replace(rides=(*self.rounds[-1].rides, ride))

    def rule_out(self, station: int) -> None:
        self.places[-1].could_be.discard(station)

    def begin_turn(self) -> None:
        """Wherever he could not move, he would have lost."""
        here = self.places[-1]
        here.could_be = set(filter(self.can_leave, here.could_be))
        self.rounds.append(PublicRound(self.hunters, (), Tickets(**self.supply), self.black))

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
            later = {here for here in before.could_be if self.ends(here, place.ticket) & later}
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
