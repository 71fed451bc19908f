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
        self._ends: SquareSet = sum(1 << number for number in first)
        """Where ways begin, and so end where they are looked for backwards."""
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
            walk = self._walk(square, (length - steps) // 2)
            way = self._searched(square, length) if walk is None else walk[1]
            if way is not None:
                found[square] = way
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

    def _searched(self, square: int, length: int) -> Numbers | None:
        """Any way of that length, by trying; None where there is none.

        It is looked for backwards, as there is one square to go to and there may be hundreds of doors to come from.
        """
        _, way, _ = next(iter(self._first.values()))
        # All first ways are as long: none from the square stood on, and a step out of a room.
        back = self._back((square,), 1 << square, length - len(way))
        if back is None:
            return None
        return back[::-1] if way else back[-2::-1]

    def _back(self, back: Numbers, used: SquareSet, left: int) -> Numbers | None:
        """A way back that goes on for so many steps and ends where ways begin."""
        here = back[-1]
        if not left:
            return back if self._ends >> here & 1 else None
        free = self._paths.all & ~(used | self._barred)
        if not self._can_arrive(here, left, free):
            return None
        for there in self._paths.beside[here]:
            this = 1 << there
            if free & this and (found := self._back((*back, there), used | this, left - 1)):
                return found
        return None

    def _can_arrive(self, here: int, left: int, free: SquareSet) -> bool:
        """Whether so many steps over free squares are enough to get where ways begin."""
        reached = 1 << here
        for _ in range(left):
            wider = reached | self._paths.around(reached) & free
            if wider & self._ends & free:
                return True
            if wider == reached:
                return False
            reached = wider
        return False
