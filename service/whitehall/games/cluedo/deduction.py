"""Deduction: what can be in the envelope and in each hand, worked out exactly from what one viewer has seen.

What the numbers mean. A *deal* is a way of laying three cards into the envelope, one of each kind, and all other hidden
cards into the hands, each of its known size, that fits everything the viewer has seen. All such deals count alike: a
*share* is a number of deals divided by the number of all. That is the right chance if the cards were shuffled well and
nobody's choices had to do with the cards they hold. It leaves out why people suggest what they suggest, and that who
has two of the cards may be less likely to have shown the one that was seen.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.counting import any_deal, count
from whitehall.games.cluedo.evidence import Evidence, constraints_of, evidence_of
from whitehall.games.cluedo.view import CluedoView
from whitehall.games.core.wanted import IsWanted, always

ENVELOPE = -1
"""The owner of the three cards that are looked for."""

FACE_UP = -2
"""The owner of the cards that lie open."""

Owner = int
"""Where a card is: the number of a seat, `ENVELOPE` or `FACE_UP`."""


class Contradiction(ValueError):
    """No deal fits the evidence. `event` is the first event, from 0, that no deal fits that fits all before it.

    It is None where the cards alone contradict each other before anything has happened. A game that this service has
    judged from its start never contradicts itself.
    """

    def __init__(self, event: int | None) -> None:
        super().__init__(f"no deal fits {'the cards' if event is None else f'event {event}'}")
        self.event = event

    @classmethod
    def of(cls, evidence: Evidence, is_wanted: IsWanted = always) -> "Contradiction":
        """What is to be said of evidence that no deal fits.

        More evidence never makes a deal possible again, so halving finds the event.
        """
        if not any_deal(constraints_of(evidence, ()), is_wanted):
            return cls(None)
        fits, fails = 0, len(evidence.events)
        while fails - fits > 1:
            middle = (fits + fails) // 2
            if any_deal(constraints_of(evidence, evidence.events[:middle]), is_wanted):
                fits = middle
            else:
                fails = middle
        return cls(fails - 1)


class PossibleSolutions(NamedTuple):
    """What can be in the envelope and in the hands. All numbers are exact."""

    deals: int
    """How many deals fit; at least 1."""
    solutions: Mapping[Case, int]
    """Every case that can be in the envelope, ascending, with the number of deals where it is."""
    owners: Mapping[Card, Mapping[Owner, int]]
    """For each card of the deck, ascending, everybody who can have it, with the number of deals where that is so: seats
    first, then the envelope. Those of one card add up to `deals`."""

    @property
    def certain(self) -> Mapping[Card, Owner]:
        """The cards of which only one owner is possible, with that owner."""
        return {card: next(iter(able)) for card, able in self.owners.items() if len(able) == 1}

    def share(self, card: Card, owner: Owner) -> Fraction:
        """In what share of the deals this owner has the card, from 0 to 1."""
        return Fraction(self.owners[card].get(owner, 0), self.deals)


def possible_solutions(seen: CluedoView | Evidence, is_wanted: IsWanted = always) -> PossibleSolutions:
    """What can be in the envelope and in each hand, for all that the viewer has seen.

    Raises `Contradiction` where no deal fits, and `NoLongerWanted`.
    """
    evidence = as_evidence(seen)
    counts = count(constraints_of(evidence), is_wanted)
    if not counts.total:
        raise Contradiction.of(evidence, is_wanted)
    hidden = evidence.hidden
    solutions = {
        Case(*(hidden[index] for index in solution)): deals for solution, deals in sorted(counts.solutions.items())
    }
    owners_of: dict[Card, Mapping[Owner, int]] = {card: {FACE_UP: counts.total} for card in evidence.face_up}
    for card, deals in zip(hidden, counts.owners, strict=True):
        owners = [*evidence.seats, ENVELOPE]
        owners_of[card] = {owner: number for owner, number in zip(owners, deals, strict=True) if number}
    return PossibleSolutions(counts.total, solutions, {card: owners_of[card] for card in evidence.cards})


def as_evidence(seen: CluedoView | Evidence) -> Evidence:
    """The evidence of a view, or evidence as it is."""
    return seen if isinstance(seen, Evidence) else evidence_of(seen)
