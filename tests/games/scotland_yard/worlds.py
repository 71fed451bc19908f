"""Worlds of Scotland Yard that differ in Mr X's hidden route alone: the same tickets, doubles, surfacings and hunters.

`pairs(seed)` plays a game and looks, along the reference's lines, for other routes that fit everything the hunters saw.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from tests.games.chance import NoChance, SeededChance
from tests.games.scotland_yard import words
from tests.games.scotland_yard.reference import SURFACING, RefMove, Table, reached, start
from tests.games.worlds import Pair, World
from whitehall.games.core.chance import Draw, RecordedChance, ReplayedChance
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import Move, Place
from whitehall.games.scotland_yard.options import ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Station


@dataclass(frozen=True)
class Ride:
    """One field of the log as the hunters lived through it."""

    ticket: str
    station: int
    """Where he went in truth; nobody else knows, unless the field surfaces."""
    surfaced: bool
    taken: frozenset[int]
    """Stations that he cannot have ended on: the hunters' when he moved, and those they then searched in vain."""


def pairs(seed: int, players: int | None = None, wanted: int = 3, start_by: StartBy | None = None) -> list[Pair]:
    """Up to `wanted` pairs from one seeded game, broken off at a random move; none where the truth is plain to see.

    Pieces start by cards or are placed by their players, if it is left open in either way.
    """
    random = Random(seed)
    changes = Overrides(start_by=start_by or random.choice(list(StartBy)))
    options = resolve("new", players or random.randint(2, 6), changes=changes)
    world, table, rides = _play(options, random)
    found: dict[tuple[int, ...], Pair] = {}
    truth = (world_start(world), *(ride.station for ride in rides))
    for _ in range(4 * wanted):
        route = _another_route(options, table, rides, random)
        if route is not None and route != truth and len(found) < wanted:
            found[route] = _pair(world, route)
    return list(found.values())


def world_start(world: World) -> int:
    """Mr X's start station."""
    for _, move in world.moves:
        if isinstance(move, Place) and move.piece is Piece.MR_X:
            return int(move.station)
    return int(game.setup(world.options, ReplayedChance(world.draws))[0].mr_x)


def _play(options: ScotlandYardOptions, random: Random) -> tuple[World, Table, list[Ride]]:
    """A random game that is not over, and Mr X's rides with what each gave away."""
    chance = RecordedChance(SeededChance(random.randrange(2**32)))
    state, _ = game.setup(options, chance)
    moves: list[tuple[Seat, Move]] = []
    while state.phase == Phase.PLACING:
        seat = random.choice(game.to_move(state))
        moves.append((seat, random.choice(game.legal_moves(state, seat))))
        state, _ = game.apply(state, *moves[-1], NoChance())
    table = start(_players(options), state.mr_x, state.hunters)
    rides: list[Ride] = []
    for _ in range(random.randint(1, 80)):
        move = _harmless(table, random)
        if move is None:
            break
        moves.append((_seat(options, move, random), words.to_move(move)))
        hunters = frozenset(table.at.values())
        before = len(table.log)
        table = table.play(move)
        for number, (_, ticket, station) in enumerate(table.log[before:], before + 1):
            rides.append(Ride(ticket, station, number in SURFACING, hunters))
        if move[0] != "mr_x" and move[1] != "pass":
            rides[-1] = replace(rides[-1], taken=rides[-1].taken | {move[2]})
    return World(options, chance.draws, tuple(moves)), table, rides


def _harmless(table: Table, random: Random) -> RefMove | None:
    """A move that does not end the game, a double now and then; None where every move does."""
    moves = sorted(table.legal(), key=str)
    random.shuffle(moves)
    if random.random() < 0.8:
        moves.sort(key=lambda move: move[1] == "double")
    return next((move for move in moves if table.play(move).turn != "over"), None)


def _players(options: ScotlandYardOptions) -> int:
    return 2 if options.pooled else len(options.detectives) + 1


def _seat(options: ScotlandYardOptions, move: RefMove, random: Random) -> Seat:
    owners = [seat for seat, pieces in enumerate(options.seats) if move[0] in map(words.word, pieces)]
    return Seat(owners[0] if owners else random.randrange(1, len(options.seats)))


def _another_route(
    options: ScotlandYardOptions, table: Table, rides: list[Ride], random: Random
) -> tuple[int, ...] | None:
    """A random start and route that fit the rides' tickets, surfacings and taken stations."""
    hunters = rides[0].taken if rides else frozenset(table.at.values())
    anywhere: tuple[int, ...] = options.start_cards_mr_x or options.board.stations
    could_be: list[set[int]] = [set(anywhere) - hunters]
    for ride in rides:
        here = {there for station in could_be[-1] for there in reached(station, ride.ticket)} - ride.taken
        could_be.append(here & {ride.station} if ride.surfaced else here)
    if table.turn == "mr_x":  # play went on, so wherever he is he was not cornered
        could_be[-1] = {station for station in could_be[-1] if _can_leave(table, station)}
    if not could_be[-1]:
        return None
    route = [random.choice(sorted(could_be[-1]))]
    for ride, earlier in zip(reversed(rides), reversed(could_be[:-1]), strict=True):
        route.append(
            random.choice(sorted(station for station in earlier if route[-1] in reached(station, ride.ticket)))
        )
    return tuple(reversed(route))


def _can_leave(table: Table, station: int) -> bool:
    return bool(replace(table, mr_x=station).mr_x_singles())


def _pair(world: World, route: tuple[int, ...]) -> Pair:
    stations = iter(route)
    is_dealt = world.options.start_by != StartBy.CHOICE
    draws = draws_that_deal(world, next(stations)) if is_dealt else world.draws
    assert draws is not None, "no single draw puts Mr X there"
    moves: list[tuple[Seat, Move]] = []
    for seat, move in world.moves:
        if isinstance(move, Place):
            chosen = move.piece is Piece.MR_X
            moves.append((seat, Place(move.piece, Station(next(stations))) if chosen else move))
            continue
        old = words.to_words(move)
        if old[1] == "double":
            new: RefMove = (*old[:2], *((ticket, next(stations)) for ticket, _ in old[2:]))
        else:
            new = ("mr_x", old[1], next(stations)) if old[0] == "mr_x" else old
        moves.append((seat, words.to_move(new)))
    seats = tuple(Seat(seat) for seat in range(1, len(world.options.seats)))
    return Pair(world, World(world.options, draws, tuple(moves)), blind=(*seats, None))


def draws_that_deal(world: World, mr_x: int) -> tuple[Draw, ...] | None:
    """The draws that deal Mr X that start card, and the hunters the same ones as in this world; None where changing one
    draw does not do.
    """
    dealt = game.setup(world.options, ReplayedChance(world.draws))[0]
    for draws in _one_draw_changed(world.draws):
        state, _ = game.setup(world.options, ReplayedChance(draws))
        if (state.mr_x, state.hunters, state.offered) == (mr_x, dealt.hunters, dealt.offered):
            return draws
    return None


def _one_draw_changed(draws: tuple[Draw, ...]) -> Iterator[tuple[Draw, ...]]:
    yield draws
    for number, draw in enumerate(draws):
        for value in range(draw.bound):
            yield (*draws[:number], replace(draw, value=value), *draws[number + 1 :])
