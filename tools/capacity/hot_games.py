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
MOST_FOLLOWERS = 128
"""`max_streams_per_game`."""


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
    audience, turned_away = _audience(town)
    homes = [[random.randrange(town.processes) for _ in range(followers)] for followers in audience]
    free_at = [0.0] * town.processes
    worked = [0.0] * town.processes
    delays: list[float] = []
    play, follow = (costs.play + costs.legal_moves) / 1e6, costs.follow / 1e6

    def work(process: int, ready: float, seconds: float) -> float:
        done = max(free_at[process], ready) + seconds
        free_at[process] = done
        worked[process] += seconds
        return done

    for moment, game in _moves(town, random):
        played = work(random.randrange(town.processes), moment, play)
        delays += [work(home, played, follow) - moment for home in homes[game]]
    delays.sort()
    return Seen(
        busiest=max(worked) / town.seconds,
        average=sum(worked) / town.processes / town.seconds,
        followers=max(audience),
        median=delays[len(delays) // 2],
        p99=delays[len(delays) * 99 // 100],
        turned_away=turned_away,
    )


def _audience(town: Town) -> tuple[list[int], int]:
    """The followers of each game, and how many did not get in."""
    weights = [1 / rank for rank in range(1, town.games + 1)]
    whole = sum(weights)
    wanted = [round(town.spectators * weight / whole) for weight in weights]
    places = MOST_FOLLOWERS // 2  # Spectators get at most half of the streams.
    return [PLAYERS + min(places, each) for each in wanted], sum(max(0, each - places) for each in wanted)


def _moves(town: Town, random: Random) -> Iterator[tuple[float, int]]:
    """When which game has a move, in the order of time."""
    due = [(random.expovariate(1 / town.seconds_per_move), game) for game in range(town.games)]
    due.sort()
    while due[0][0] < town.seconds:
        moment, game = heappop(due)
        yield moment, game
        heappush(due, (moment + random.expovariate(1 / town.seconds_per_move), game))
