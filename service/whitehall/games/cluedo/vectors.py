"""Vectors: one number for each way in which the seats' places can be filled, all packed into one integer.

A way says how many cards each seat has got. It is written as a number with one digit per seat, each counting up to the
size of that hand, and that is the index of the vector. One seat is left out: it has got the rest. To give a seat one
more card is then to shift the whole vector, once the entries are masked out where its hand is full.

    hands of 1, 2 (and a third seat)      index = a + 2 * b

      index     5     4     3     2     1     0
      (a, b)   1,2   0,2   1,1   0,1   1,0   0,0
      integer  ....  ....  ....  ....  ....  ....      one more card for b: mask the first two out, shift by two

Two shifts and additions of long integers so do the work of a loop over thousands of entries.
"""

import sys
from collections.abc import Sequence
from operator import mul

WORD = 8
"""Bytes of the machine's integers: entries take one, or several where numbers may be larger than that."""

Vector = int
"""One number per way of filling places, in fields of equal width."""


class Places:
    """The places in the seats' hands: how to shift vectors, and where not to."""

    def __init__(self, sizes: Sequence[int], rest: int, most: int) -> None:
        """For hands of these sizes, and numbers up to `most`, whatever is added up.

        The seat `rest` is left out: if its hand is the largest, vectors are shortest.
        """
        self._bytes = -(-most.bit_length() // (8 * WORD)) * WORD or WORD
        self._bits = 8 * self._bytes
        self.length = 1
        """How many entries a vector has."""
        self.shifts = [0] * len(sizes)
        """For each seat how far one more card of its shifts a vector."""
        steps = [0] * len(sizes)
        for seat, size in enumerate(sizes):
            if seat != rest:
                steps[seat] = self.length
                self.shifts[seat] = self.length * self._bits
                self.length *= size + 1
        self.open = [
            self._where_less(size, steps[seat]) if steps[seat] else self._all() for seat, size in enumerate(sizes)
        ]
        """For each seat the mask of the entries where it has a place left."""
        self.full: Vector = 1 << self._bits * sum(size * step for size, step in zip(sizes, steps, strict=True))
        """The vector that is 1 where every hand is full, and 0 elsewhere."""

    def _all(self) -> Vector:
        return (1 << self.length * self._bits) - 1

    def _where_less(self, size: int, step: int) -> Vector:
        """The mask of the entries where the digit worth `step` is less than `size`, its greatest value."""
        block = (1 << size * step * self._bits) - 1
        period = (size + 1) * step * self._bits
        return block * (self._all() // ((1 << period) - 1))

    @property
    def bytes(self) -> int:
        """How many bytes a vector takes."""
        return self.length * self._bytes

    def entries(self, vector: Vector) -> Sequence[int]:
        """The numbers in a vector, in an order that is the same for all vectors."""
        packed = vector.to_bytes(self.bytes, sys.byteorder)
        if self._bytes == WORD:
            return memoryview(packed).cast("Q")
        parts = [packed[first : first + self._bytes] for first in range(0, self.bytes, self._bytes)]
        return [int.from_bytes(part, sys.byteorder) for part in parts]


def product(one: Sequence[int], other: Sequence[int]) -> int:
    """The sum of the products of their numbers."""
    return sum(map(mul, one, other))
