"""Prospects: how much each suggestion that a seat could make would tell it."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from whitehall.games.cluedo.card import Card, Case, Category
from whitehall.games.cluedo.constraints import CardSet, Constraints, simplify
from whitehall.games.cluedo.counting import count_deals, count_solutions
from whitehall.games.cluedo.deduction import Contradiction, as_evidence
from whitehall.games.cluedo.evidence import Evidence, constraints_of
from whitehall.games.cluedo.steps import classes
from whitehall.games.cluedo.view import CluedoView
from whitehall.games.core.seat import Seat
from whitehall.games.core.wanted import IsWanted, always


class Prospect(NamedTuple):
    """What to expect of one suggestion."""

    case: Case
    expected: Fraction
    """How many solutions will still be possible after the answer, on average. The smaller, the more it tells."""


def prospects(
    seen: CluedoView | Evidence, seat: Seat, cases: Iterable[Case], is_wanted: IsWanted = always
) -> Iterator[Prospect]:
    """For each of these cases, in their order, what to expect if the viewer suggested it from this seat.

    The average runs over all deals that fit what the viewer has seen, each counted alike, and over what the seat that
    answers may do: of several named cards that it holds it shows any one with the same chance. Seats are asked in their
    order, those that have accused wrongly too, and the suggester never.

    It takes a while to work all of them out, so they come one at a time: whoever runs out of patience stops asking and
    keeps what has come. Raises `Contradiction` where no deal fits, and `NoLongerWanted`.
    """
    evidence = as_evidence(seen)
    constraints = constraints_of(evidence)
    deals = count_deals(constraints, is_wanted)
    if not deals:
        raise Contradiction.of(evidence, is_wanted)
    number = {card: index for index, card in enumerate(evidence.hidden)}
    alike = _alike(constraints)
    seats = len(evidence.hand_sizes)
    asked = [(seat + step) % seats for step in range(1, seats)]
    known: dict[tuple[object, ...], Fraction] = {}
    for case in cases:
        # Cards that nothing tells apart promise the same.
        kinds = tuple(alike[number[card]] if card in number else None for card in case)
        if kinds not in known:
            named = [number[card] for card in case if card in number]
            known[kinds] = sum(_outcomes(constraints, asked, named, is_wanted), Fraction()) / deals
        yield Prospect(case, known[kinds])


def cases_in(seen: CluedoView | Evidence, location: Card) -> tuple[Case, ...]:
    """Every case that can be suggested in this room, ascending."""
    cards = as_evidence(seen).cards
    suspects, weapons = [
        [card for card in cards if card.category == category] for category in (Category.SUSPECT, Category.WEAPON)
    ]
    return tuple(Case(suspect, weapon, location) for suspect in suspects for weapon in weapons)


def _alike(constraints: Constraints) -> dict[int, object]:
    """For each card something that is equal for cards that the evidence does not tell apart."""
    simplified = simplify(constraints)
    if simplified is None:
        return {}
    # A settled card is like the others of its kind that the same owner has.
    found: dict[int, object] = dict(enumerate(zip(constraints.kinds, simplified.owners, strict=True)))
    found.update((card, alike) for alike, cards in classes(constraints, simplified).items() for card in cards)
    # What is left of a case once some of its cards are known tells apart what is in different ones.
    return {card: (alike, _cases_with(constraints, card)) for card, alike in found.items()}


def _cases_with(constraints: Constraints, card: int) -> frozenset[CardSet]:
    """The barred cases that a card is in."""
    return frozenset(cards for cards in constraints.barred if cards >> card & 1)


def _outcomes(
    constraints: Constraints, asked: Iterable[int], named: list[int], is_wanted: IsWanted
) -> Iterator[Fraction]:
    """For each answer that may come the number of deals where it does, times the number of solutions possible then."""
    for seat in asked:
        for card, deals in _showings(constraints, seat, named, is_wanted):
            yield deals * len(count_solutions(constraints.settle(card, seat), is_wanted))
        for card in named:
            constraints = constraints.limit(card, constraints.owners[card] & ~(1 << seat))
    solutions = count_solutions(constraints, is_wanted)
    yield Fraction(len(solutions) * sum(solutions.values()))


def _showings(
    constraints: Constraints, seat: int, named: list[int], is_wanted: IsWanted
) -> Iterator[tuple[int, Fraction]]:
    """For each named card that the seat may show the number of deals where it does; a deal where it could show one of
    two counts half for each.
    """
    shows = dict.fromkeys(named, Fraction())
    for size in range(1, len(named) + 1):
        for holding in combinations(named, size):
            having = constraints
            for card in named:
                if card in holding:
                    having = having.settle(card, seat)
                else:
                    having = having.limit(card, having.owners[card] & ~(1 << seat))
            deals = Fraction(count_deals(having, is_wanted), size)
            for card in holding:
                shows[card] += deals
    return ((card, deals) for card, deals in shows.items() if deals)
