"""Hearing: what routes tell, place by place, to those who listen: testimonies, and questions not yet asked.

Routes are kept apart by what they have told. Which routes these are is a matter of `recollection.py`.
"""

from collections.abc import Iterable, Iterator, Set
from typing import Protocol

from whitehall.games.core.wanted import IsWanted, always, ask
from whitehall.games.scotland_yard.clues import Told
from whitehall.games.scotland_yard.locations import TooManyCases
from whitehall.games.scotland_yard.station_sets import StationSet, StationSets
from whitehall.games.scotland_yard.ticket import Station

MOST_CASES = 300_000
"""So many cases are followed for one question, which takes half a second. With the options of the edition it takes some
thousand; with many wide landmarks and a long memory it could be millions.
"""

Memory = tuple[Told, ...]
"""What routes have told to each of those who listen still, in the order in which these end."""

Ways = dict[Station, int]
"""How many ways lead to each station: a way is a route together with the hidden draws that would give the answers."""


class Listener(Protocol):
    """A testimony, or a question not yet asked: `clues.Testimony` says what its parts mean."""

    @property
    def first(self) -> int: ...

    @property
    def asked(self) -> int: ...

    @property
    def begin(self) -> Told: ...

    @property
    def ears(self) -> Set[Station]: ...

    def narrow(self, field: int, possible: StationSet, sets: StationSets) -> StationSet: ...

    def tell(self, told: Told, station: Station | None) -> Told: ...

    def is_met(self, told: Told) -> bool: ...


class Cases:
    """How many cases have been followed so far for one question.

    A case is one station to which routes that have told the same lead on; it counts again for all that is to be worked
    out there.
    """

    def __init__(self, is_wanted: IsWanted = always) -> None:
        self._followed = 0
        self._is_wanted = is_wanted

    def follow(self, number: int) -> None:
        """So many more are about to be followed. Raises `TooManyCases`, and `NoLongerWanted` where nobody waits."""
        ask(self._is_wanted)
        self._followed += number
        if self._followed > MOST_CASES:
            raise TooManyCases(MOST_CASES)


class Audience:
    """Those who want to be told of the place under one field, in the order in which they end."""

    def __init__(self, field: int, listeners: Iterable[Listener]) -> None:
        self.listening = [listener for listener in listeners if listener.first <= field <= listener.asked]
        self._begin = tuple([listener.begin for listener in self.listening if listener.first == field])
        self._ending = sum(listener.asked == field for listener in self.listening)
        self._ears = frozenset[Station]().union(*(listener.ears for listener in self.listening))

    def hear(self, memory: Memory, ways: Ways) -> Iterator[tuple[Memory, Ways]]:
        """These ways apart by what they have told once they are there; without those that have left something out."""
        if not self.listening:
            yield (), ways
            return
        elsewhere = {station: number for station, number in ways.items() if station not in self._ears}
        if elsewhere and (memory_after := self._after(memory, None)) is not None:
            yield memory_after, elsewhere
        for station in self._ears.intersection(ways):
            if (memory_after := self._after(memory, station)) is not None:
                yield memory_after, {station: ways[station]}

    def _after(self, memory: Memory, station: Station | None) -> Memory | None:
        """What has been told once they are on this station, or on any one where nobody listens; None where something
        is left out.
        """
        told = zip(self.listening, memory + self._begin, strict=True)
        now = tuple([listener.tell(part, station) for listener, part in told])
        ending = zip(self.listening[: self._ending], now, strict=False)
        return now[self._ending :] if all(listener.is_met(part) for listener, part in ending) else None
