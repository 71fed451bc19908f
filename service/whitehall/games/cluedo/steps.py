"""Steps: the order in which the cards are dealt when deals are counted, chosen so that little has to be remembered.

A *need* is a set of cards of which a seat holds at least one. It is open from the first of its cards to the last, and
while it is open all that is counted has to be kept apart by whether it is met. So needs should close soon. Cards of
which the evidence says the same are alike: they are dealt one after the other, and what holds for one holds for all.
"""

from typing import NamedTuple

from whitehall.games.cluedo.constraints import Constraints, OwnerSet, Simplified, cards_in

NeedSet = int
"""A set of needs: bit `1 << number` for each, numbered as in `Simplified.held`."""


class Step(NamedTuple):
    """One card that is dealt."""

    card: int
    kind: int
    seats: tuple[tuple[int, NeedSet], ...]
    """The seats that can have it, each with the needs that this meets."""
    envelope: bool
    """Whether it can go into the envelope."""
    closing: NeedSet
    """The needs that nothing after it can meet."""


class Alike(NamedTuple):
    """What is the same for cards that are alike."""

    kind: int
    owners: OwnerSet
    needs: NeedSet


def classes(constraints: Constraints, simplified: Simplified) -> dict[Alike, list[int]]:
    """The free cards, grouped by what the evidence says of each, whatever cases are barred."""
    found: dict[Alike, list[int]] = {}
    for card in simplified.free:
        needs = sum(1 << index for index, (_, cards) in enumerate(simplified.held) if cards >> card & 1)
        found.setdefault(Alike(constraints.kinds[card], simplified.owners[card], needs), []).append(card)
    return found


def steps(constraints: Constraints, simplified: Simplified, groups: dict[Alike, list[int]]) -> list[Step]:
    """All free cards in a good order, cards that are alike next to each other.

    The next is always a card after which the fewest needs are open; of several, one that has most to do with those that
    are open already, then one with few owners.
    """
    envelope = 1 << constraints.envelope
    seats_of = [seat for seat, _ in simplified.held]
    left = list(groups)
    opened: NeedSet = 0
    found: list[Step] = []
    while left:
        once = twice = 0
        for alike in left:
            twice |= once & alike.needs
            once |= alike.needs
        last = once & ~twice

        def cost(alike: Alike, opened: NeedSet = opened, last: NeedSet = last) -> tuple[int, int, int]:
            opens = (alike.needs & ~opened & ~last).bit_count()
            closes = (alike.needs & opened & last).bit_count()
            return opens - closes, -(alike.needs & opened).bit_count(), alike.owners.bit_count()

        alike = min(left, key=cost)
        left.remove(alike)
        opened |= alike.needs
        meets = {
            seat: sum(1 << need for need in cards_in(alike.needs) if seats_of[need] == seat) for seat in set(seats_of)
        }
        seats = tuple((seat, meets.get(seat, 0)) for seat in cards_in(alike.owners & ~envelope))
        cards = groups[alike]
        for card in cards:
            closing = alike.needs & last if card == cards[-1] else 0
            found.append(Step(card, alike.kind, seats, bool(alike.owners & envelope), closing))
    return found
