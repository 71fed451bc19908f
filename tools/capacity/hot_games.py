"""A simulation of hot games: some games have far more followers than others, and a move of theirs is much work at once.

Each process is a queue: it does one thing after another, as the event loop does. A move is played in one process, and
each follower is told of it by the process that its stream goes to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random

from tools.capacity.costs import Costs

PLAYERS = 3
"""Streams that every game has."""
MOST_SPECTATORS = 64
"""That a process lets follow one game: half of `max_streams_per_game`."""


@dataclass(frozen=True)
class Town:
    """What is simulated."""

    games: int
    seconds_per_move: float
    processes: int
    spectators: int
    """Of all games together. They choose games by their rank: the first has twice as many as the second, and so on."""
    seconds: float
    """How long it is watched."""


@dataclass(frozen=True)
class Seen:
    """What came of it."""

    busiest: float
    """How much of its time the busiest process worked."""
    average: float
    """How much all of them did."""
    followers: int
    """Of the hottest game."""
    median: float
    """Seconds from a move to the moment when a follower is told of it, for half of the tellings."""
    p99: float
    """For all but one in a hundred."""
    turned_away: int
    """Spectators who found no place in their game."""


def watch(town: Town, costs: Costs, seed: int = 1983) -> Seen:
    """One run of it."""
    random = Random(seed)
    wanted, places = wishes(town), MOST_SPECTATORS * town.processes
    followers = [PLAYERS + min(places, each) for each in wanted]
    homes = [_dealt(number, town, random) for number in followers]
    free_at = [0.0] * town.processes
    worked = [0.0] * town.processes
    delays: list[float] = []
    play, follow = (costs.play + costs.legal_moves) / 1e6, costs.follow / 1e6

    def work(process: int, ready: float, seconds: float) -> float:
        done = max(free_at[process], ready) + seconds
        free_at[process] = done
        worked[process] += seconds
        return done

    for moment, game in moves(town, random):
        played = work(random.randrange(town.processes), moment, play)
        delays += [work(home, played, follow) - moment for home in homes[game]]
    delays.sort()
    return Seen(
        busiest=max(worked) / town.seconds,
        average=sum(worked) / town.processes / town.seconds,
        followers=max(followers),
        median=delays[len(delays) // 2],
        p99=delays[len(delays) * 99 // 100],
        turned_away=sum(max(0, each - places) for each in wanted),
    )


def wishes(town: Town) -> list[int]:
    """How many want to look on, by game."""
    weights = [1 / rank for rank in range(1, town.games + 1)]
    whole = sum(weights)
    return [round(town.spectators * weight / whole) for weight in weights]


def _dealt(followers: int, town: Town, random: Random) -> list[int]:
    """The process of each follower of a game. A balancer deals them out in turn, so that each has its share."""
    first = random.randrange(town.processes)
    return [(first + number) % town.processes for number in range(followers)]


def moves(town: Town, random: Random) -> Iterator[tuple[float, int]]:
    """When which game has a move, in the order of time."""
    due = [(random.expovariate(1 / town.seconds_per_move), game) for game in range(town.games)]
    due.sort()
    while due[0][0] < town.seconds:
        moment, game = heappop(due)
        yield moment, game
        heappush(due, (moment + random.expovariate(1 / town.seconds_per_move), game))
