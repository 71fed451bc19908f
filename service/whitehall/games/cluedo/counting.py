"""Counting: how many deals fulfil all constraints: in all, by what is in the envelope, and by who has which card."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from whitehall.games.cluedo.constraints import Constraints, cards_in, simplify
from whitehall.games.cluedo.deals import Deals, Solution

MOST_BYTES = 24 << 20
"""How much one count may keep in memory, by a generous estimate. What would take more is counted in parts, one after
the other, and that is no slower: in each part some needs are met and some cards settled."""


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
    # If the seat has the card that most of its needs ask for, they are met; if not, little is left to meet them.
    asked = Counter((seat, card) for seat, cards in simplified.held for card in cards_in(cards))
    (seat, card), _ = asked.most_common(1)[0]
    yield from _parts(constraints.settle(card, seat))
    yield from _parts(constraints.limit(card, simplified.owners[card] & ~(1 << seat)))


def _add(sums: dict[Solution, int], more: dict[Solution, int]) -> None:
    for solution, deals in more.items():
        sums[solution] = sums.get(solution, 0) + deals
