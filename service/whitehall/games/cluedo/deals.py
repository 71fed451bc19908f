"""Deals: all the ways of dealing the cards that fulfil some constraints, counted without looking at any of them.

The cards are dealt one by one, in the order that `steps` gives. What has been dealt is remembered as three things only:

- which needs are still unmet,
- what kinds of cards the envelope has, and of which *label* where it matters which card of a kind it is,
- how many cards each seat has: not one case after the other, but as a vector with the number of ways for all of them.

Dealing forwards gives the total. Going backwards from the end says in how many ways what is remembered can be finished;
the product of both, summed up, counts the deals that pass through one place in the middle.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import comb, prod

from whitehall.games.cluedo.constraints import KINDS, Constraints, Simplified
from whitehall.games.cluedo.steps import NeedSet, Step, classes, steps
from whitehall.games.cluedo.vectors import Places, Vector, product
from whitehall.games.core.wanted import IsWanted, ask

Solution = tuple[int, int, int]
"""The cards in the envelope, one of each kind."""

Label = int
"""What the envelope has: a bit for each kind, and above them a number for each kind that tells labels apart."""

Row = dict[Label, Vector]
"""For each label the ways of filling places."""

Rows = dict[NeedSet, Row]
"""All that is remembered at one moment, by the needs that are unmet."""

ALL_KINDS: Label = (1 << KINDS) - 1
LABEL_BITS = 16
ROW_BYTES = 160
"""About what a vector takes besides its entries."""


class Deals:
    """All the deals that fulfil some constraints, whatever cases these bar: that is left to whoever adds the deals up.

    Whatever counts asks `is_wanted` every few milliseconds, and raises `NoLongerWanted`.
    """

    def __init__(self, constraints: Constraints, simplified: Simplified, most_bytes: int, is_wanted: IsWanted) -> None:
        self._constraints = constraints
        self._is_wanted = is_wanted
        self._simplified = simplified
        groups = classes(constraints, simplified)
        self._alike = {cards[0]: cards for cards in groups.values()}
        self._steps = steps(constraints, simplified, groups)
        sizes = simplified.places
        self._places = Places(sizes, max(range(len(sizes)), key=lambda seat: sizes[seat]), _most_ways(simplified))
        row_bytes = self._places.bytes + ROW_BYTES
        self._unmet = self._reachable(most_bytes // (row_bytes << KINDS))
        self._cut, rows = self._best_cut()
        self.fits = not simplified.held or (bool(self._unmet) and rows * row_bytes <= most_bytes)
        """Whether they can be counted in `most_bytes` of memory, or about that; if not, nothing else may be asked.

        Without needs it never takes more than a few megabytes.
        """

    def total(self) -> int:
        """How many deals there are."""
        rows = self._start(self._kinds)
        for step in self._steps:
            rows = self._deal(rows, step, self._kinds[step.card])
        last = self._places.full.bit_length() - 1
        return sum(row.get(ALL_KINDS, 0) >> last for row in rows.values())

    def solutions(self) -> dict[Solution, int]:
        """For each possible content of the envelope the number of deals.

        The two halves of the cards are dealt apart, each with the cards that it puts into the envelope by name; that
        is far less to remember than all their combinations, which are made only where the halves meet.
        """
        labels = self._names
        before = self._start(labels)
        for step in self._steps[: self._cut]:
            before = self._deal(before, step, labels[step.card])
        after = self._finished()
        for index in range(len(self._steps) - 1, self._cut - 1, -1):
            step = self._steps[index]
            after = self._undo(after, self._unmet[index], step, labels[step.card])

        sums: dict[Label, int] = {}
        for unmet, row in before.items():
            ask(self._is_wanted)
            rest = [(label, self._places.entries(vector)) for label, vector in after.get(unmet, {}).items()]
            for had, vector in row.items():
                ask(self._is_wanted)
                matching = [(label, entries) for label, entries in rest if (had ^ label) & ALL_KINDS == ALL_KINDS]
                if not matching:
                    continue
                ways = self._places.entries(vector)
                for label, entries in matching:
                    sums[had | label] = sums.get(had | label, 0) + product(ways, entries)
        return self._by_card(sums)

    def add_owners(self, owners: list[list[int]], total: int) -> None:
        """Adds for each card the number of deals in which each seat has it. `total` is the number of all deals."""
        for card, able in enumerate(self._simplified.owners):
            if card not in self._free and able.bit_length() <= self._constraints.envelope:
                owners[card][able.bit_length() - 1] += total
        labels = self._kinds
        after = [self._finished()]
        for index in range(len(self._steps) - 1, -1, -1):
            step = self._steps[index]
            after.append(self._undo(after[-1], self._unmet[index], step, labels[step.card]))
        after.pop()
        rows = self._start(labels)
        for step in self._steps:
            if step.card in self._alike:
                for seat, deals in self._ways(rows, after[-1], step).items():
                    for card in self._alike[step.card]:
                        owners[card][seat] += deals
            rows = self._deal(rows, step, labels[step.card])
            after.pop()

    def _ways(self, before: Rows, after: Rows, step: Step) -> dict[int, int]:
        """For each seat in how many deals it gets this card."""
        found: dict[int, int] = {}
        entries = self._places.entries
        finishing: dict[tuple[NeedSet, Label], Sequence[int] | None] = {}
        for seat, meets in step.seats:
            opening, shift = self._places.open[seat], self._places.shifts[seat]
            given: dict[tuple[NeedSet, Label], Vector] = {}
            for unmet, row in before.items():
                left = unmet & ~meets
                if left in after:
                    for had, vector in row.items():
                        given[left, had] = given.get((left, had), 0) + ((vector & opening) << shift)
            deals = 0
            for key, vector in given.items():
                ask(self._is_wanted)
                if key not in finishing:
                    # What it lacks is the one label that completes it.
                    ways = after[key[0]].get(key[1] ^ ALL_KINDS)
                    finishing[key] = entries(ways) if ways else None
                finish = finishing[key]
                if vector and finish is not None:
                    deals += product(entries(vector), finish)
            found[seat] = deals
        return found

    def _start(self, labels: Mapping[int, Label]) -> Rows:
        """Nothing is dealt, but what is settled."""
        settled = sum(labels[card] for card in self._enclosed)
        return {self._all_needs: {settled: 1}}

    def _finished(self) -> Rows:
        """All is dealt, every hand is full."""
        return {0: {0: self._places.full}}

    def _deal(self, rows: Rows, step: Step, label: Label) -> Rows:
        """What is remembered after one more card."""
        kind = label & ALL_KINDS
        moves = [(self._places.open[seat], self._places.shifts[seat], meets) for seat, meets in step.seats]
        found: Rows = {}
        for unmet, row in rows.items():
            ask(self._is_wanted)
            for opening, shift, meets in moves:
                left = unmet & ~meets
                if left & step.closing:
                    continue
                into = found.setdefault(left, {})
                for had, vector in row.items():
                    given = (vector & opening) << shift
                    if given:
                        into[had] = into.get(had, 0) + given
            if step.envelope and not unmet & step.closing:
                into = found.setdefault(unmet, {})
                for had, vector in row.items():
                    if not had & kind:
                        into[had | label] = into.get(had | label, 0) + vector
        return found

    def _undo(self, rows: Rows, reachable: frozenset[NeedSet], step: Step, label: Label) -> Rows:
        """What can be finished, and in how many ways, one card earlier."""
        kind = label & ALL_KINDS
        moves = [(self._places.open[seat], self._places.shifts[seat], meets) for seat, meets in step.seats]
        found: Rows = {}
        for unmet in reachable:
            ask(self._is_wanted)
            into: Row = {}
            for opening, shift, meets in moves:
                for has, vector in rows.get(unmet & ~meets, {}).items():
                    taken = (vector >> shift) & opening
                    if taken:
                        into[has] = into.get(has, 0) + taken
            if step.envelope:
                for has, vector in rows.get(unmet, {}).items():
                    if not has & kind:
                        into[has | label] = into.get(has | label, 0) + vector
            if into:
                found[unmet] = into
        return found

    def _reachable(self, most: int) -> list[frozenset[NeedSet]]:
        """Before each step, and after the last, which sets of needs can be unmet; none if they are more than `most`."""
        found = [frozenset((self._all_needs,))]
        size = 1
        for step in self._steps:
            meets = {meets for _, meets in step.seats}
            if step.envelope:
                meets.add(0)
            after = {unmet & ~met for unmet in found[-1] for met in meets}
            found.append(
                frozenset(left for left in after if not left & step.closing) if step.closing else frozenset(after)
            )
            size += len(found[-1])
            if size > most and self._simplified.held:
                return []
        return found

    def _best_cut(self) -> tuple[int, int]:
        """Where `solutions` does best to part the cards, and about how many vectors it remembers at once."""
        if not self._unmet:
            return 0, 0
        names: list[set[int]] = [set() for _ in range(KINDS)]
        before = [[0] * KINDS]
        for step in self._steps:
            if step.envelope:
                names[step.kind].add(self._names[step.card])
            before.append([len(known) for known in names])
        sizes = [len(unmet) for unmet in self._unmet]
        left = [size * prod(1 + here for here in counts) for size, counts in zip(sizes, before, strict=True)]
        right = [
            size * prod(1 + there - here for here, there in zip(counts, before[-1], strict=True))
            for size, counts in zip(sizes, before, strict=True)
        ]
        pairs = prod(max(1, there) for there in before[-1])
        costs = [sum(left[:cut]) + sum(right[cut + 1 :]) + pairs * sizes[cut] for cut in range(len(sizes))]
        cut = costs.index(min(costs))
        return cut, max(*left[: cut + 1], *right[cut:])

    def _by_card(self, sums: Mapping[Label, int]) -> dict[Solution, int]:
        """The numbers for names of classes shared out among the cards of each."""
        cards_of: dict[Label, list[int]] = {}
        for card in [*self._simplified.free, *self._enclosed]:
            cards_of.setdefault(self._names[card], []).append(card)
        shared: dict[Solution, int] = {}
        masks = [1 << kind | ((1 << LABEL_BITS) - 1) << KINDS + LABEL_BITS * kind for kind in range(KINDS)]
        for label, deals in sums.items():
            first, second, third = [cards_of[label & mask] for mask in masks]
            each = deals // (len(first) * len(second) * len(third))
            for one in first:
                for two in second:
                    for three in third:
                        if each:
                            shared[one, two, three] = each
        return shared

    @cached_property
    def _free(self) -> frozenset[int]:
        return frozenset(self._simplified.free)

    @cached_property
    def _all_needs(self) -> NeedSet:
        return (1 << len(self._simplified.held)) - 1

    @cached_property
    def _enclosed(self) -> tuple[int, ...]:
        """The cards that are settled to lie in the envelope."""
        envelope = 1 << self._constraints.envelope
        return tuple(
            card for card, able in enumerate(self._simplified.owners) if able == envelope and card not in self._free
        )

    @cached_property
    def _names(self) -> dict[int, Label]:
        """Labels by which each class of cards that are alike is known, and each card that is settled."""
        return {
            card: self._label(card, cards[0] + 1)
            for cards in [*self._alike.values(), *[[card] for card in self._enclosed]]
            for card in cards
        }

    @cached_property
    def _kinds(self) -> dict[int, Label]:
        """Labels that tell no card from another of its kind."""
        return {card: 1 << kind for card, kind in enumerate(self._constraints.kinds)}

    def _label(self, card: int, number: int) -> Label:
        kind = self._constraints.kinds[card]
        return 1 << kind | number << KINDS + LABEL_BITS * kind


def _most_ways(simplified: Simplified) -> int:
    """In how many ways the free cards can fill all places, if any card can be anywhere.

    Some of the cards cannot be dealt in more ways, as each way to begin can be finished. Where the seat that is left
    out of vectors, the one with the largest hand, has got too many, there are fewer ways still: giving its cards to
    those that lack some makes more.
    """
    left, ways = len(simplified.free), 1
    for room in simplified.places:
        ways *= comb(left, room)
        left -= room
    return ways
