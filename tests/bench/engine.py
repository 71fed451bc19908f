"""The engine by itself, in a process of its own: `python -m tests.bench.engine`. One thread, the Game contract alone.

Told how much to do, it answers how long that took in processor time. What it needs is made before the clock starts.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from tests.bench import games, lines, mansion
from tests.bench.child import Child
from tests.bench.load import Slice
from tests.bench.machine import Cores
from whitehall.games.scotland_yard.deduction import advance, knowledge_of, possible_locations
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.station_sets import station_sets
from whitehall.games.scotland_yard.view import ScotlandYardView


class EngineSide:
    """The engine of this tree or of another one, doing one kind of work."""

    def __init__(self, child: Child) -> None:
        self._child = child

    @classmethod
    @asynccontextmanager
    async def open(cls, work: str, logs: Path, cores: Cores, source: Path | None = None) -> AsyncIterator[EngineSide]:
        """A process for one of `WORK`; `source` is the folder that holds another tree's package."""
        child = await Child.start(
            *(sys.executable, "-m", "tests.bench.engine", work),
            log=logs / f"engine-{work}.log",
            cores=cores.serving,
            environment=None if source is None else {"PYTHONPATH": str(source)},
        )
        try:
            yield cls(child)
        finally:
            await child.stop()

    async def prepare(self) -> None:
        """Nothing: what a turn needs is made in it, while the clock stands still."""

    async def turn(self, seconds: float) -> Slice:
        done, used = await self._child.ask(seconds)
        return Slice(done, used, used, ())


def _positions(random: Random, seconds: float) -> tuple[int, float]:
    """Mr X's legal moves in positions of random games with both double tickets left, each position asked once."""
    done, used = 0, 0.0
    while used < seconds:
        positions = [
            state
            for _ in range(200)
            for state, seat, _, _ in games.play(games.start(random), random, keeps_doubles=True)
            if seat == MR_X_SEAT
        ]
        # In random order: one after the other they would differ by a step only.
        random.shuffle(positions)
        began = time.process_time()
        for state in positions:
            game.legal_moves(state, MR_X_SEAT)
        used += time.process_time() - began
        done += len(positions)
    return done, used


def _games(random: Random, seconds: float) -> tuple[int, float]:
    """Complete random games."""
    done = 0
    began = time.process_time()
    while (used := time.process_time() - began) < seconds:
        for _ in games.play(games.start(random), random):
            pass
        done += 1
    return done, used


def _app_deductions(random: Random, seconds: float) -> tuple[int, float]:
    """Where Mr X can be at the end of app games, worked out from their beginning with all that the app answered."""
    done, used = 0, 0.0
    while used < seconds:
        views = [_app_views(random)[-1] for _ in range(20)]
        began = time.process_time()
        for view in views:
            possible_locations(view)
        used += time.process_time() - began
        done += len(views)
    return done, used


def _app_steps(random: Random, seconds: float) -> tuple[int, float]:
    """The same followed live, from one view of a game to the next."""
    done, used = 0, 0.0
    while used < seconds:
        views = _app_views(random)
        began = time.process_time()
        known = knowledge_of(views[0])
        for view in views[1:]:
            known = advance(known, view)
        used += time.process_time() - began
        done += len(views)
    return done, used


def _app_views(random: Random) -> list[ScotlandYardView]:
    """What a detective sees of a random app game after each move, for as long as it goes on."""
    options = resolve("master", games.PLAYERS)
    played = games.play(games.start(random, options), random, asks_app=True)
    return [game.view(state, options.hunter_seats[0]) for state, *_ in played]


def _location_sets(random: Random, seconds: float) -> tuple[int, float]:
    """Where rides lead from sets of possible locations, without the stations of hunters: one step of a deduction."""
    sets, stations = station_sets(games.OPTIONS.board), games.OPTIONS.board.stations
    steps = []
    for _ in range(20):
        for state, seat, _, after in games.play(games.start(random), random):
            if seat == MR_X_SEAT:
                possible = sets.of(random.sample(stations, random.randint(1, 60)))
                steps.append((possible, 1 << after.log[-1].ticket, ~sets.of(state.hunters)))
    done, used = 0, 0.0
    while used < seconds:
        began = time.process_time()
        for possible, ticket, free in steps:
            sets.reached(possible, ticket) & free
        used += time.process_time() - began
        done += len(steps)
    return done, used


WORK = {
    "positions": _positions,
    "games": _games,
    "app deductions": _app_deductions,
    "location sets": _location_sets,
    "app steps": _app_steps,
    **mansion.WORK,
    **lines.WORK,
}
"""By name, what the engine can be asked to do."""

LATE_WORK = ("app deductions", "app steps", "location sets", *mansion.WORK, *lines.WORK)
"""What older trees cannot do, as they have neither app game nor Cluedo, or ask it in other ways: it is not asked of
another commit's engine.
"""


def main() -> None:
    """Answers each line of input, a number of seconds, with what was done in about that time."""
    work, random = WORK[sys.argv[1]], Random(sys.argv[1])
    for line in sys.stdin:
        sys.stdout.write(json.dumps(work(random, float(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
