"""Ascent: lists of numbers, each greater than the one before it."""

from collections.abc import Sequence
from itertools import pairwise


def descent(numbers: Sequence[int]) -> int | None:
    """The index of the first number that is no greater than the one before it; None where all ascend."""
    return next((index for index, (before, number) in enumerate(pairwise(numbers), 1) if number <= before), None)
