"""Counting: how many deals fulfil all constraints: in all, by what is in the envelope, and by who has which card."""

from collections.abc import Iterator
from typing import NamedTuple

from whitehall.games.cluedo.constraints import Constraints, cards_in, simplify
from whitehall.games.cluedo.deals import Deals, Solution

MOST_BYTES = 8 << 20
"""About how much one count may keep in memory; what would take more is counted in parts, one after the other."""


class Counts(NamedTuple):
    """How many deals there are."""

    total: int
    solutions: dict[Solution, int]
    """For each possible content of the envelope; none is 0."""
    owners: list[list[int]]
    """For each card and each owner, the envelope last."""


def count(constraints: Constraints) -> Counts:
    """All the numbers of deals that fulfil the constraints."""
    solutions: dict[Solution, int] = {}
    owners = [[0] * (constraints.envelope + 1) for _ in constraints.kinds]
    for part in _parts(constraints):
        found = part.solutions()
        _add(solutions, found)
        part.add_owners(owners, sum(found.values()))
    for solution, deals in solutions.items():
        for card in solution:
            owners[card][-1] += deals
    return Counts(sum(solutions.values()), solutions, owners)


def count_solutions(constraints: Constraints) -> dict[Solution, int]:
    """For each possible content of the envelope the number of deals."""
    solutions: dict[Solution, int] = {}
    for part in _parts(constraints):
        _add(solutions, part.solutions())
    return solutions


def count_deals(constraints: Constraints) -> int:
    """The number of deals alone, which takes a fraction of the time."""
    return sum(part.total() for part in _parts(constraints))


def any_deal(constraints: Constraints) -> bool:
    """Whether any deal fulfils them."""
    return any(part.total() for part in _parts(constraints))


def _parts(constraints: Constraints) -> Iterator[Deals]:
    """Sets of deals that together are all of them, each deal in one set, and none that would take too much memory."""
    simplified = simplify(constraints)
    if simplified is None:
        return
    part = Deals(constraints, simplified, MOST_BYTES)
    if part.fits:
        yield part
        return
    # The card that most needs ask for ties up most; once it has an owner, they are met or nearer to being settled.
    busiest = max(simplified.free, key=lambda card: sum(cards >> card & 1 for _, cards in simplified.held))
    for owner in cards_in(simplified.owners[busiest]):
        yield from _parts(constraints.settle(busiest, owner))


def _add(sums: dict[Solution, int], more: dict[Solution, int]) -> None:
    for solution, deals in more.items():
        sums[solution] = sums.get(solution, 0) + deals
