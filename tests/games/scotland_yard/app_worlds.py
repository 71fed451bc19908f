"""Worlds of the app game that differ in Mr X's hidden route, and so in what special actions answer.

To the public they are alike. To the detective side they are alike only where all that it asked was answered alike.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tests.games.chance import SeededChance
from tests.games.scotland_yard.reference import reached
from tests.games.scotland_yard.worlds import draws_that_deal
from tests.games.worlds import Pair, World
from whitehall.games.core.chance import Draw, RecordedChance
from whitehall.games.core.rule import IllegalMove
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import special_actions
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.events import HunterPassed
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Place, Travel, UseAction
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station

Moves = tuple[tuple[Seat, Move], ...]


def app_pairs(seed: int, players: int | None = None, wanted: int = 3) -> list[Pair]:
    """Up to `wanted` pairs from one seeded game, broken off at a random move; none where there is no other route."""
    random = Random(seed)
    world, state = _play(resolve("master", players or random.randint(2, 6)), random)
    found: dict[tuple[int, ...], Pair] = {}
    for _ in range(20 * wanted):
        route = _another_route(state, random)
        if route is not None and route not in found and len(found) < wanted:
            other = _elsewhere(world, route)
            if other is not None:
                found[route] = Pair(world, other, _blind(world, other))
    return list(found.values())


def _play(options: ScotlandYardOptions, random: Random) -> tuple[World, ScotlandYardState]:
    """A random game that is not over, with special actions more often than not."""
    chance = RecordedChance(SeededChance(random.randrange(2**32)))
    state, _ = game.setup(options, chance)
    moves: list[tuple[Seat, Move]] = []
    for _ in range(random.randint(12, 60)):
        seat = random.choice(game.to_move(state))
        legal = game.legal_moves(state, seat)
        actions = [move for move in legal if isinstance(move, UseAction | Hear)]
        singles = [move for move in legal if isinstance(move, Place | Travel)]
        move = random.choice(actions if actions and random.random() < 0.8 else singles or legal)
        after, _ = game.apply(state, seat, move, chance)
        if after.outcome is not None:
            break
        state = after
        moves.append((seat, move))
    return World(options, chance.draws, tuple(moves)), state


def _another_route(state: ScotlandYardState, random: Random) -> tuple[int, ...] | None:
    """Another start and other hidden stations for the same tickets, along the reference's lines."""
    everywhere: set[int] = set(state.options.board.stations)
    cards: set[int] = set(state.options.start_cards_mr_x)
    could_be = [cards - set(_hunters(state, 1))]
    for number, entry in enumerate(state.log, 1):
        flies = entry.ticket.word == "helicopter"
        ends = everywhere if flies else {b for a in could_be[-1] for b in reached(a, entry.ticket.word)}
        ends -= {*_hunters(state, entry.round), *_hunters(state, entry.round + 1)}
        could_be.append(ends & {entry.station} if number in state.options.surfacing else ends)
    if not could_be[-1]:
        return None
    route = [random.choice(sorted(could_be[-1]))]
    for entry, earlier in zip(reversed(state.log), reversed(could_be[:-1]), strict=True):
        flies = entry.ticket.word == "helicopter"
        fits = earlier - {route[-1]} if flies else {a for a in earlier if route[-1] in reached(a, entry.ticket.word)}
        if not fits:
            return None
        route.append(random.choice(sorted(fits)))
    other = tuple(reversed(route))
    return None if other == (state.start, *(entry.station for entry in state.log)) else other


def _hunters(state: ScotlandYardState, round_: int) -> tuple[Station, ...]:
    """Where the hunters stood as this round began, or stand now."""
    return state.round_starts[round_ - 1].hunters if round_ <= len(state.round_starts) else state.hunters


def _elsewhere(world: World, route: tuple[int, ...]) -> World | None:
    """The same game by this route; None where it would look another one to the public by its very rules: it would be
    over, a choice would be due in one of them alone, or passes wait for it.
    """
    draws = draws_that_deal(world, route[0])  # of the start; what follows is drawn in the same order
    if draws is None:
        return None
    chance, stations, moves = _SameDraws(draws), iter(route[1:]), list[tuple[Seat, Move]]()
    state, _ = game.setup(world.options, chance)
    course = world.play(game)
    next(course)
    for (seat, move), (_, events) in zip(world.moves, course, strict=True):
        due = special_actions.choices(state)
        if isinstance(move, Hear) != bool(due):
            return None
        if isinstance(move, Hear):
            mine: Move = move if move.landmark in due else Hear(due[0])
        else:
            mine = _ridden(move, stations)
        try:
            state, mine_events = game.apply(state, seat, mine, chance)
        except IllegalMove:
            return None
        if state.outcome is not None or _passes(events) != _passes(mine_events):
            return None
        moves.append((seat, mine))
    return World(world.options, tuple(chance.made), tuple(moves))


def _ridden(move: Move, stations: Iterator[int]) -> Move:
    """The move with Mr X's next stations in it."""
    if isinstance(move, DoubleMove):
        first, second = (ride._replace(station=Station(next(stations))) for ride in (move.first, move.second))
        return DoubleMove(first, second)
    if isinstance(move, Travel) and move.piece is Piece.MR_X:
        return move._replace(station=Station(next(stations)))
    return move


def _passes(events: tuple[object, ...]) -> int:
    return sum(isinstance(event, HunterPassed) for event in events)


class _SameDraws:
    """Chance that draws the same, as far as there is as much to draw from: of meeting points, that hangs on him."""

    def __init__(self, draws: tuple[Draw, ...]) -> None:
        self._draws = iter(draws)
        self.made: list[Draw] = []

    def draw(self, label: str, bound: int) -> int:
        drawn = next(self._draws)
        assert drawn.label == label
        self.made.append(replace(drawn, bound=bound, value=drawn.value % bound))
        return self.made[-1].value


def _blind(one: World, other: World) -> tuple[Seat | None, ...]:
    """Everybody but Mr X where the detectives were answered alike, else the public."""
    seats = one.options.hunter_seats
    alike = all(
        [game.event_view(event, seats[0]) for event in events] == [game.event_view(event, seats[0]) for event in others]
        for (_, events), (_, others) in zip(one.play(game), other.play(game), strict=True)
    )
    return (*seats, None) if alike else (None,)
