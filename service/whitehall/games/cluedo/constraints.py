"""Constraints: what evidence says about where each card can be, as sets and numbers, and what follows at once.

Cards are numbered here, and owners too: each seat by its number, then the envelope. A set of cards or of owners is one
integer with a bit for each.
"""

from collections.abc import Iterable
from typing import NamedTuple

CardSet = int
"""A set of cards: bit `1 << number` for each."""

OwnerSet = int
"""A set of owners: bit `1 << seat` for each seat, and the next one for the envelope."""

KINDS = 3
"""Suspects, weapons, locations: the envelope holds one of each."""


class Constraints(NamedTuple):
    """All that a deal has to fulfil."""

    kinds: tuple[int, ...]
    """The kind of each card, from 0."""
    owners: tuple[OwnerSet, ...]
    """Who can have each card."""
    places: tuple[int, ...]
    """How many cards each seat holds."""
    held: frozenset[tuple[int, CardSet]]
    """Seats with sets of cards of which the seat holds at least one."""
    barred: frozenset[CardSet]
    """Sets of one card of each kind that are not what the envelope holds."""

    @property
    def envelope(self) -> int:
        """The number of the envelope among the owners."""
        return len(self.places)

    def settle(self, card: int, owner: int) -> "Constraints":
        """The same, and this owner has the card."""
        return self.limit(card, self.owners[card] & 1 << owner)

    def limit(self, card: int, owners: OwnerSet) -> "Constraints":
        """The same with these owners for the card."""
        return self._replace(owners=(*self.owners[:card], owners, *self.owners[card + 1 :]))


class Simplified(NamedTuple):
    """Constraints of which everything that follows from one of them at a time has been taken out."""

    owners: tuple[OwnerSet, ...]
    free: tuple[int, ...]
    """The cards that more than one owner can have."""
    places: tuple[int, ...]
    """How many of the free cards each seat holds."""
    held: tuple[tuple[int, CardSet], ...]
    """Seats, each with two or more free cards of which it holds at least one; no set contains another of the seat."""


def cards_in(cards: CardSet) -> Iterable[int]:
    """The numbers in a set, ascending."""
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1


def simplify(constraints: Constraints) -> Simplified | None:
    """What is left open, or None where no deal can fit.

    Cards with one possible owner are settled; an owner with no place left can have no other card, and one who needs
    all the cards left to it has them; a set of which one card is there says nothing more, and one with a single card
    left settles that. All of it is repeated until nothing changes.
    """
    envelope = constraints.envelope
    kinds = constraints.kinds
    owners = list(constraints.owners)
    # The envelope counts as three owners here, one for each kind.
    places = [*constraints.places, *[1] * KINDS]
    free = (1 << len(kinds)) - 1
    of_kind = [sum(1 << card for card, kind in enumerate(kinds) if kind == this) for this in range(KINDS)]
    settled: list[CardSet] = [0] * len(places)
    held = constraints.held

    changed = True
    while changed:
        changed = False
        candidates: list[CardSet] = [0] * (envelope + 1)
        for card in cards_in(free):
            able = owners[card]
            if not able:
                return None
            if able & (able - 1):
                for owner in cards_in(able):
                    candidates[owner] |= 1 << card
                continue
            owner = able.bit_length() - 1
            if owner == envelope:
                owner += kinds[card]
            places[owner] -= 1
            settled[owner] |= 1 << card
            free &= ~(1 << card)
            changed = True

        for owner, room in enumerate(places):
            seat = min(owner, envelope)
            able = candidates[seat]
            if owner >= envelope:
                able &= of_kind[owner - envelope]
            if not 0 <= room <= able.bit_count():
                return None
            if able and room in (0, able.bit_count()):
                for card in cards_in(able):
                    owners[card] = owners[card] & 1 << seat if room else owners[card] & ~(1 << seat)
                changed = True

        still = set()
        for seat, cards in held:
            if cards & settled[seat]:
                continue
            able = sum(1 << card for card in cards_in(cards & free) if owners[card] >> seat & 1)
            if able & (able - 1):
                still.add((seat, able))
                continue
            if not able:
                return None
            owners[able.bit_length() - 1] = 1 << seat
            changed = True
        held = frozenset(still)

    implied = {
        (seat, cards)
        for seat, cards in held
        for other, less in held
        if other == seat and less & ~cards == 0 and less != cards
    }
    return Simplified(tuple(owners), tuple(cards_in(free)), tuple(places[:envelope]), tuple(sorted(held - implied)))
