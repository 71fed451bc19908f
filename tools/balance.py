"""Plays many games between simple players and says who wins: how the default numbers of the app game balance.

    python tools/balance.py --games 200

Random players take any listed move. The greedy Mr X keeps away from the hunters and heads for his meeting points; he
doubles and flies when a hunter is about to reach him. The greedy detectives know what the service deduces from their
view: they use the special action that promises most, then close in on the stations that remain.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.deduction import possible_locations
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.master import MasterOverrides
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Travel, UseAction
from whitehall.games.scotland_yard.options import MR_X_SEAT, ScotlandYardOptions
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.prospects import prospects
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import LAND, Station, Ticket
from whitehall.games.scotland_yard.view import ScotlandYardView

Player = Callable[[ScotlandYardView, Sequence[Move], Random], Move]
"""Chooses among the listed moves, from its own view alone."""

FAR_ENOUGH = 4
"""Rides between Mr X and the nearest hunter beyond which he thinks of where he wants to go."""


class SeededChance:
    """Draws from a seeded generator."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def draw(self, label: str, bound: int) -> int:
        return self._random.randrange(bound)


@lru_cache
def rides(board: Board) -> Mapping[Station, Mapping[Station, int]]:
    """How many rides by land lie between any two stations."""
    found: dict[Station, dict[Station, int]] = {}
    for origin in board.stations:
        distances = found[origin] = {origin: 0}
        to_visit = [origin]
        for here in to_visit:
            for there in (end for transport in LAND for end in board.neighbours(here, transport)):
                if there not in distances:
                    distances[there] = distances[here] + 1
                    to_visit.append(there)
    return found


def at_random(view: ScotlandYardView, moves: Sequence[Move], random: Random) -> Move:
    """Any move; doubles and flights, of which there are hundreds, now and then."""
    rare = [move for move in moves if isinstance(move, DoubleMove) or _is_flight(move)]
    usual = [move for move in moves if move not in set(rare)]
    return random.choice(rare if rare and (not usual or random.random() < 0.1) else usual)


def greedy_mr_x(view: ScotlandYardView, moves: Sequence[Move], random: Random) -> Move:
    """The move after which he is safest, and among safe ones nearest to an open meeting point."""
    distances = rides(view.options.board)
    hunters = [hunter.station for hunter in view.hunters]
    points = [] if view.master is None else [point for point in view.master.meeting_points or () if not point.reached]

    def worth(move: Move) -> tuple[float, ...]:
        end = _end(move)
        if end is None:
            return (random.random(),)
        safety = min(distances[hunter][end] for hunter in hunters)
        nearest = min((distances[end][point.station] for point in points), default=0)
        stops = {move.first.station, move.second.station} if isinstance(move, DoubleMove) else {end}
        visits = sum(point.station in stops for point in points)
        costly = isinstance(move, DoubleMove) or _is_flight(move) or _is_black(move)
        # A hunter one ride away may come next; where none can, special tickets are kept.
        return (min(safety, 2), visits, -float(costly), min(safety, FAR_ENOUGH) - 0.5 * nearest, random.random())

    return max(moves, key=worth)


def greedy_detective(view: ScotlandYardView, moves: Sequence[Move], random: Random) -> Move:
    """The special action that promises most; then rides that bring hunters to where he can be."""
    if view.phase == Phase.PLACING:
        return random.choice(moves)
    promised = {prospect.move: prospect.stations for prospect in prospects(view)}
    asked = [move for move in moves if isinstance(move, UseAction | Hear)]
    if asked:
        return min(asked, key=lambda move: (promised[move], random.random()))
    found = possible_locations(view)
    distances, total = rides(view.options.board), found.total_routes

    def worth(move: Move) -> tuple[float, ...]:
        end = _end(move)
        if end is None:
            return (-math.inf, 0.0)
        # The chance of catching him, then how near he is likely to be.
        near = sum(routes / total * 0.6 ** distances[end][station] for station, routes in found.routes.items())
        return (near, random.random())

    return max(moves, key=worth)


def _end(move: Move) -> Station | None:
    if isinstance(move, DoubleMove):
        return move.second.station
    return move.station if isinstance(move, Travel) else None


def _is_flight(move: Move) -> bool:
    return isinstance(move, Travel) and move.ticket == Ticket.HELICOPTER


def _is_black(move: Move) -> bool:
    return isinstance(move, Travel) and move.ticket == Ticket.BLACK


def play(options: ScotlandYardOptions, mr_x: Player, detective: Player, seed: int) -> str:
    """The rule that ended a game, with a plus where Mr X won by it."""
    random = Random(seed)
    chance = SeededChance(random)
    state, _ = game.setup(options, chance)
    while (outcome := game.outcome(state)) is None:
        seat = random.choice(game.to_move(state))
        player = mr_x if seat == MR_X_SEAT else detective
        move = player(game.view(state, seat), game.legal_moves(state, seat), random)
        state, _ = game.apply(state, seat, move, chance)
    return outcome.rule.id + ("+" if MR_X_SEAT in outcome.winners else "")


class Match(NamedTuple):
    """What is played and by whom."""

    title: str
    preset: str
    players: int
    changes: Overrides = NONE
    mr_x: Player = greedy_mr_x
    detective: Player = greedy_detective


def app(**changes: object) -> Overrides:
    """Changes to the app game's options."""
    return Overrides(master=MasterOverrides(**changes))  # type: ignore[arg-type]  # whoever calls names fields


MATCHES = (
    Match("random against random", "master", 4, mr_x=at_random, detective=at_random),
    Match("greedy Mr X against random", "master", 4, detective=at_random),
    Match("random Mr X against greedy", "master", 4, mr_x=at_random),
    *(Match(f"greedy against greedy, {players} players", "master", players) for players in (2, 3, 4, 5, 6)),
    *(Match(f"the same without the app (new), {players} players", "new", players) for players in (3, 4, 6)),
    Match("no special actions", "master", 4, app(actions_per_round=0)),
    Match("two special actions a round", "master", 4, app(actions_per_round=2)),
    Match("each special action twice a game", "master", 4, app(per_game_cap=2)),
    Match("no win by two meeting points", "master", 4, app(meetings_to_win=0)),
    Match("no meeting point needed, none wins", "master", 4, app(meetings_to_survive=0, meetings_to_win=0)),
    Match("meeting points 9 moves away", "master", 4, app(meeting_distance=9)),
    Match("no helicopter", "master", 4, app(helicopter_tickets=0)),
    Match("Locate near 4, medium 9", "master", 4, app(locate_near=4, locate_medium=9)),
    Match("landmarks one move wide", "master", 4, app(near_radius=1)),
)
"""What `docs/master.md` tells of."""


def main() -> None:
    """Prints a row for each match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="games of each match (200)")
    games = parser.parse_args().games
    print("| match | Mr X wins | of them by two meetings | caught | no meeting point |")
    print("|---|---|---|---|---|")
    for match in MATCHES:
        options = resolve(match.preset, match.players, changes=match.changes)
        ends = Counter(play(options, match.mr_x, match.detective, seed) for seed in range(games))
        won = sum(number for end, number in ends.items() if end.endswith("+"))
        shares = [won, ends["SY-END-07+"], ends["SY-END-01"] + ends["SY-END-02"], ends["SY-END-08"]]
        print(f"| {match.title} | {' | '.join(f'{number / games:.0%}' for number in shares)} |", flush=True)


if __name__ == "__main__":
    main()
