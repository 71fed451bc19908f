"""Counting: how many deals fulfil all constraints: in all, by what is in the envelope, and by who has which card."""

from collections import Counter
from collections.abc import Iterator
from operator import sub
from typing import NamedTuple

from whitehall.games.cluedo.constraints import Constraints, cards_in, simplify
from whitehall.games.cluedo.deals import Deals, Solution
from whitehall.games.core.wanted import IsWanted, always, ask

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


def count(constraints: Constraints, is_wanted: IsWanted = always) -> Counts:
    """All the numbers of deals that fulfil the constraints. Raises `NoLongerWanted`, as all of these do."""
    solutions: dict[Solution, int] = {}
    owners = [[0] * (constraints.envelope + 1) for _ in constraints.kinds]
    for part in _parts(constraints, is_wanted):
        found = part.solutions()
        _add(solutions, found)
        part.add_owners(owners, sum(found.values()))
    # A barred case is one solution, so what is to be left out again are the deals with it in the envelope.
    for case in _barred(constraints):
        if solutions.pop(case, 0):
            more = [[0] * len(able) for able in owners]
            for part in _parts(_enclose(constraints, case), is_wanted):
                part.add_owners(more, part.total())
            owners = [list(map(sub, *each)) for each in zip(owners, more, strict=True)]
    for solution, deals in solutions.items():
        for card in solution:
            owners[card][-1] += deals
    return Counts(sum(solutions.values()), solutions, owners)


def count_solutions(constraints: Constraints, is_wanted: IsWanted = always) -> dict[Solution, int]:
    """For each possible content of the envelope the number of deals."""
    solutions: dict[Solution, int] = {}
    for part in _parts(constraints, is_wanted):
        _add(solutions, part.solutions())
    for case in _barred(constraints):
        solutions.pop(case, None)
    return solutions


def count_deals(constraints: Constraints, is_wanted: IsWanted = always) -> int:
    """The number of deals alone, which takes a fraction of the time."""
    barred = sum(_count_all(_enclose(constraints, case), is_wanted) for case in _barred(constraints))
    return _count_all(constraints, is_wanted) - barred


def any_deal(constraints: Constraints, is_wanted: IsWanted = always) -> bool:
    """Whether any deal fulfils them."""
    if constraints.barred:
        return count_deals(constraints, is_wanted) > 0
    return any(part.total() for part in _parts(constraints, is_wanted))


def _count_all(constraints: Constraints, is_wanted: IsWanted) -> int:
    """The number of deals, with barred cases in the envelope too."""
    return sum(part.total() for part in _parts(constraints, is_wanted))


def _barred(constraints: Constraints) -> Iterator[Solution]:
    """The barred cases, one after the other."""
    for cards in constraints.barred:
        first, second, third = sorted(cards_in(cards), key=constraints.kinds.__getitem__)
        yield first, second, third


def _enclose(constraints: Constraints, case: Solution) -> Constraints:
    """The same with these cards in the envelope."""
    for card in case:
        constraints = constraints.settle(card, constraints.envelope)
    return constraints


def _parts(constraints: Constraints, is_wanted: IsWanted) -> Iterator[Deals]:
    """Sets of deals that together are all of them, each deal in one set, and none that would take too much memory. They
    do not look at what is barred.
    """
    ask(is_wanted)
    simplified = simplify(constraints)
    if simplified is None:
        return
    part = Deals(constraints, simplified, MOST_BYTES, is_wanted)
    if part.fits:
        yield part
        return
    # If the seat has the card that most of its needs ask for, they are met; if not, little is left to meet them.
    asked = Counter((seat, card) for seat, cards in simplified.held for card in cards_in(cards))
    (seat, card), _ = asked.most_common(1)[0]
    yield from _parts(constraints.settle(card, seat), is_wanted)
    yield from _parts(constraints.limit(card, simplified.owners[card] & ~(1 << seat)), is_wanted)


def _add(sums: dict[Solution, int], more: dict[Solution, int]) -> None:
    for solution, deals in more.items():
        sums[solution] = sums.get(solution, 0) + deals
