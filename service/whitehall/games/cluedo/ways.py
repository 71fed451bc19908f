"""Ways: how to get from somewhere to every square, by a shortest way or by one of a given length.

Shortest ways spread ring by ring. Longer ones are two steps longer each time, as on a chessboard. Most come for
nothing: a way to the square before and one step more, or a bulge in a way that is two steps shorter, which leaves a
step out and goes round it over the two squares beside it. Where neither helps, a last search decides, which follows
only ways that can still arrive.
"""

from collections.abc import Mapping

from whitehall.games.cluedo.corridors import Corridors, SquareSet

Numbers = tuple[int, ...]
"""A way: the numbers of all squares that are stepped on, in order."""

_Walk = tuple[int, Numbers, SquareSet]
"""The square that a way begins on, the way, and all squares that it takes up, that one too. A plain tuple, as a search
makes hundreds of them.
"""


class Ways:
    """All ways from some first squares of one colour, none through a barred square, up to a length."""

    def __init__(self, paths: Corridors, first: Mapping[int, Numbers], barred: SquareSet, most: int) -> None:
        """`first` holds the square stood on with an empty way, or the squares in front of free doors with theirs."""
        self._paths = paths
        self._barred = barred
        self._first: dict[int, _Walk] = {number: (number, way, 1 << number) for number, way in first.items()}
        self._shortest = dict(self._first)
        self._steps = {number: len(way) for number, way in first.items()}
        self._longer: dict[tuple[int, int], _Walk | None] = {}
        self._spread(most)

    def _spread(self, most: int) -> None:
        beside, barred, found, steps = self._paths.beside, self._barred, self._shortest, self._steps
        ring = list(found)
        length = steps[ring[0]]
        while ring and length < most:
            length += 1
            wider: list[int] = []
            for here in ring:
                start, way, used = found[here]
                for there in beside[here]:
                    if there in steps or (this := 1 << there) & barred:
                        continue
                    steps[there] = length
                    found[there] = start, (*way, there), used | this
                    wider.append(there)
            ring = wider

    def shortest(self) -> dict[int, Numbers]:
        """A shortest way to each square but the one stood on."""
        return {number: way for number, (_, way, _) in self._shortest.items() if way}

    def shortest_to(self, square: int) -> Numbers | None:
        """A shortest way to a square: empty for the one stood on, None where none is short enough."""
        walk = self._shortest.get(square)
        return None if walk is None else walk[1]

    def of_length(self, length: int) -> dict[int, Numbers]:
        """A way of that length to each square that has one."""
        found: dict[int, Numbers] = {}
        for square, steps in self._steps.items():
            if not steps or steps > length or (length - steps) % 2:
                continue
            walk = self._walk(square, (length - steps) // 2) or self._searched(square, length)
            if walk is not None:
                found[square] = walk[1]
        return found

    def _walk(self, square: int, detours: int) -> _Walk | None:
        """A way that is so many times two steps longer than the shortest, if one comes for nothing."""
        if not detours:
            return self._shortest[square]
        known = (square, detours)
        if known in self._longer:
            return self._longer[known]
        walk = self._one_step_more(square, detours) or self._with_bulge(square, detours)
        self._longer[known] = walk
        return walk

    def _one_step_more(self, square: int, detours: int) -> _Walk | None:
        steps, this = self._steps, 1 << square
        before = steps[square] - 1
        for beside in self._paths.beside[square]:
            if steps.get(beside) == before:
                walk = self._walk(beside, detours)
                if walk is not None:
                    start, way, used = walk
                    if not used & this:
                        return start, (*way, square), used | this
        return None

    def _with_bulge(self, square: int, detours: int) -> _Walk | None:
        shorter = self._walk(square, detours - 1)
        if shorter is None:
            return None
        start, way, used = shorter
        taken = used | self._barred
        bulges = self._paths.bulges
        here = start
        for number, there in enumerate(way):
            if there != here:
                for aside, beyond, both in bulges[here, there]:
                    if not taken & both:
                        return start, (*way[:number], aside, beyond, *way[number:]), used | both
            here = there
        return None

    def _searched(self, square: int, length: int) -> _Walk | None:
        """Any way of that length, by trying; None where there is none."""
        near = self._within(length, square)
        for number, walk in self._first.items():
            if near >> number & 1 and (found := self._continued(walk, square, length)):
                return found
        return None

    def _within(self, length: int, square: int) -> SquareSet:
        """All squares from which so many steps could lead to this one."""
        reached, free = 1 << square, self._paths.all & ~self._barred
        for _ in range(length):
            reached |= self._paths.around(reached) & free
        return reached

    def _continued(self, walk: _Walk, square: int, length: int) -> _Walk | None:
        start, way, used = walk
        here = way[-1] if way else start
        left = length - len(way)
        if here == square:
            return walk if not left else None
        free = self._paths.all & ~(used | self._barred)
        if not self._can_arrive(here, square, left, free):
            return None
        for there in self._paths.beside[here]:
            longer = start, (*way, there), used | 1 << there
            if free >> there & 1 and (found := self._continued(longer, square, length)):
                return found
        return None

    def _can_arrive(self, here: int, square: int, left: int, free: SquareSet) -> bool:
        """Whether so many steps over free squares are enough to get there."""
        reached = 1 << here
        for _ in range(left):
            wider = reached | self._paths.around(reached) & free
            if wider >> square & 1:
                return True
            if wider == reached:
                return False
            reached = wider
        return False
