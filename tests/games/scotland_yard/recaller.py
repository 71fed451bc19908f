"""A detective with the app: where Mr X can be, worked out a second time, slowly, from one seat's events alone.

Routes are kept by their last few stations, as many as witnesses remember, with the number of ways that lead there. No
view is looked at; distances and neighbours come from the reference's lines.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from random import Random

from tests.games.chance import SeededChance
from tests.games.scotland_yard.onlooker import Onlooker
from tests.games.scotland_yard.words import word
from whitehall.games.core.seat import Viewer
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.findings import Interrogated, Located, Scanned, StatementHeard
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.master import AnalysisStart, Nearness, ScanMast
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Travel, UseAction
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.state import ScotlandYardState

Tail = tuple[int, ...]
"""The last stations of a route, the latest last; before his first move his start, as a negative number."""


class Recaller(Onlooker):
    """What somebody on one seat can know, with the app's answers as far as that seat is told."""

    def __init__(self, options: ScotlandYardOptions) -> None:
        super().__init__(options)
        assert options.master is not None
        self.master = options.master
        self.helicopters = self.master.helicopter_tickets
        self.tails: dict[Tail, int] = {}
        self.analysis: set[int] = set()
        self.masts = [self.taxi_moves(mast) for mast in self.master.masts]

    def taxi_moves(self, origin: int) -> dict[int, int]:
        """How many taxi moves away each station is."""
        moves, edge = {origin: 0}, {origin}
        while edge:
            edge = {there for here in edge for there in self.lines["taxi"][here]} - moves.keys()
            moves.update(dict.fromkeys(edge, max(moves.values()) + 1))
        return moves

    def hear(self, event: Event | None) -> None:
        """What the app answers."""
        match event:
            case Located(tuple(colours)):
                self.keep(lambda tail: self.colours(tail[-1]) == list(colours))
            case Scanned(int(distance)):
                self.tails = {tail: n * self.scans(tail[-1]).count(distance) for tail, n in self.tails.items()}
                self.keep(lambda tail: self.tails[tail] > 0)
            case Interrogated(tuple(marks)):
                self.keep(lambda tail: self.marks(tail) == set(marks))
            case StatementHeard(landmark, ago):
                self.keep(lambda tail: self.last_there(landmark, tail) == ago)

    def start(self) -> None:
        self.tails = dict.fromkeys([(-card,) for card in self.cards], 1)
        self.analysis = self.all if self.master.analysis_start == AnalysisStart.ALL else set(self.cards)

    def rule_out(self, station: int) -> None:
        self.keep(lambda tail: abs(tail[-1]) != station)

    def keep(self, fits: Callable[[Tail], bool]) -> None:
        """Strikes out all other routes."""
        self.tails = {tail: number for tail, number in self.tails.items() if fits(tail)}

    def colours(self, station: int) -> list[Nearness]:
        near, medium = self.master.locate_near, self.master.locate_medium
        moves = [mast[station] for mast in self.masts]
        return [Nearness.NEAR if n <= near else Nearness.MEDIUM if n <= medium else Nearness.FAR for n in moves]

    def scans(self, station: int) -> list[int]:
        moves = [mast[station] for mast in self.masts]
        if self.master.scan_mast == ScanMast.RANDOM:
            return moves
        return [min(moves) if self.master.scan_mast == ScanMast.NEAREST else max(moves)]

    def zone(self, landmark: str) -> set[int]:
        beside = next(place.stations for place in self.master.landmarks if place.name == landmark)
        zone: set[int] = set(beside)
        for _ in range(self.master.near_radius):
            zone |= {there for here in zone for there in self.lines["taxi"][here]}
        return zone

    def marks(self, tail: Tail) -> set[str]:
        return {place.name for place in self.master.landmarks if self.zone(place.name) & set(tail)}

    def last_there(self, landmark: str, tail: Tail) -> int | None:
        zone = self.zone(landmark)
        return next((ago for ago, station in enumerate(reversed(tail)) if station in zone), None)

    def ride(self, ticket: str, shown: int | None) -> None:
        """Mr X rides or flies on, never to a station where a hunter stands."""
        tails: dict[Tail, int] = defaultdict(int)
        taken = set(self.at.values())
        for tail, number in self.tails.items():
            log = tail[-self.master.recent_window + 1 :] if tail[0] > 0 and self.master.recent_window > 1 else ()
            for there in self.ends(abs(tail[-1]), ticket) - taken:
                if shown in (None, there):
                    tails[*log, there] += number
        self.tails = dict(tails)
        self.analysis = {there for here in self.analysis for there in self.ends(here, ticket)}
        if ticket == "helicopter":
            self.analysis = self.all
        if shown is not None:
            self.analysis = {shown}

    def begin_turn(self) -> None:
        """Wherever he could not move, he would have lost."""
        leaving = set(filter(self.can_leave, self.all))
        self.keep(lambda tail: abs(tail[-1]) in leaving)

    def shares(self) -> dict[int, Fraction]:
        """How likely each station is."""
        ways: dict[int, int] = defaultdict(int)
        for tail, number in self.tails.items():
            ways[abs(tail[-1])] += number
        total = sum(ways.values())
        return {station: Fraction(number, total) for station, number in sorted(ways.items())}


def app_game(options: ScotlandYardOptions, seed: int, viewer: Viewer) -> Iterator[tuple[ScotlandYardState, Recaller]]:
    """A random app game in which special actions are used, and what one viewer makes of it after each move.

    In half of the games the hunters hunt, so that they are shorter.
    """
    random, chance, recaller = Random(seed), SeededChance(seed), Recaller(options)
    state, events = game.setup(options, chance)
    while True:
        recaller.watch([game.event_view(event, viewer) for event in events])
        yield state, recaller
        seats = game.to_move(state)
        if not seats:
            return
        seat = random.choice(seats)
        hunted = {abs(tail[-1]) for tail in recaller.tails} if seed % 2 and seat else set()
        state, events = game.apply(state, seat, _choose(random, game.legal_moves(state, seat), hunted), chance)


def _choose(random: Random, moves: Iterable[Move], hunted: set[int]) -> Move:
    """A special action more often than not, else a move that hunts, else any; double moves, so many, seldom."""
    listed = list(moves)
    actions = [move for move in listed if isinstance(move, UseAction | Hear)]
    if actions and random.random() < 0.8:
        return random.choice(actions)
    flights = [move for move in listed if isinstance(move, Travel) and word(move.ticket) == "helicopter"]
    singles = [move for move in listed if not isinstance(move, DoubleMove) and move not in flights]
    promising = [move for move in singles if isinstance(move, Travel) and move.station in hunted]
    if promising and random.random() < 0.6:
        return random.choice(promising)
    if flights and random.random() < 0.1:
        return random.choice(flights)
    return random.choice(listed if random.random() < 0.15 else singles or listed)
