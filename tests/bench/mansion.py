"""Cluedo's share of the engine's work: what can lie in the envelope, where a roll leads, and what memory that takes."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterator
from random import Random

from tests.games.cluedo.heavy_logs import game, heaviest, heavy
from whitehall.games.cluedo import boards
from whitehall.games.cluedo.deduction import possible_solutions
from whitehall.games.cluedo.evidence import Evidence
from whitehall.games.cluedo.movement import reach
from whitehall.games.cluedo.options import Movement

MID_GAME = 15
"""Suggestions after which a game of six is in its middle."""


def first_deductions(random: Random, seconds: float) -> tuple[int, float]:
    """Six seats, and somebody who knows nothing yet, not even a hand."""
    return _deductions(lambda: game(random.getrandbits(32), 0, seat=None), seconds)


def deductions(random: Random, seconds: float) -> tuple[int, float]:
    """What one of six seats has seen in the middle of a game."""
    return _deductions(lambda: game(random.getrandbits(32), MID_GAME), seconds)


def _deductions(make: Callable[[], Evidence], seconds: float) -> tuple[int, float]:
    done, used = 0, 0.0
    while used < seconds:
        logs = [make() for _ in range(10)]
        began = time.process_time()
        for log in logs:
            possible_solutions(log)
        used += time.process_time() - began
        done += len(logs)
    return done, used


def walks(random: Random, seconds: float) -> tuple[int, float]:
    """Where two dice lead from squares and rooms of the classic grid, with the pawns of six anywhere; nothing is asked
    twice.
    """
    board = boards.board(boards.MANSION)
    done, used = 0, 0.0
    while used < seconds:
        asked = []
        for _ in range(200):
            here, *others = random.sample(board.corridors, 6)
            place = here if random.random() < 0.5 else random.choice(board.slots)
            asked.append((place, frozenset(others), random.randint(1, 6) + random.randint(1, 6)))
        reach.cache_clear()
        began = time.process_time()
        for place, occupied, pips in asked:
            reach(board, place, occupied, pips, Movement.EXACT)
        used += time.process_time() - began
        done += len(asked)
    return done, used


WORK = {"first mansion deductions": first_deductions, "mansion deductions": deductions, "mansion walks": walks}
"""By name, what the engine can be asked to do."""


def most_bytes() -> int:
    """The most that one deduction keeps in memory, of logs that are hard to count."""
    return max(map(_bytes, _heavy_logs()))


def _heavy_logs() -> Iterator[Evidence]:
    for players in range(2, 7):
        yield heavy(players, players, 5)
    for showings in (0, 6):
        yield heaviest(showings, showings)


def _bytes(log: Evidence) -> int:
    tracemalloc.start()
    try:
        possible_solutions(log)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
