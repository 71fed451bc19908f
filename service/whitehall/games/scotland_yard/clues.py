"""Clues: what was seen of Mr X, and what each kind of it leaves of the places where he can have stood.

A clue tells of one place alone. A testimony tells of several of the last ones: what a witness says of Mr X is a fact
about where he was and where he has been since, so it is heard along his route (`recollection.py`). A step gathers all
that was seen of one place.
"""

from collections.abc import Mapping, Set
from functools import reduce
from operator import or_
from typing import NamedTuple

from whitehall.games.scotland_yard.station_sets import StationSet, StationSets
from whitehall.games.scotland_yard.ticket import Station, Ticket

Stations = tuple[Station, ...]


class NotAmong(NamedTuple):
    """He is on none of these stations: a hunter stood there when he moved, or came there and did not catch him."""

    stations: Stations

    def narrow(self, possible: StationSet, sets: StationSets) -> StationSet:
        """What remains of the possible stations."""
        return possible & ~sets.of(self.stations)


class CanMove(NamedTuple):
    """It is his turn and the game goes on, so a ride for one of these tickets leads to a station without a hunter."""

    hunters: Stations
    tickets: int
    """The set of the kinds of tickets that he could take."""

    def narrow(self, possible: StationSet, sets: StationSets) -> StationSet:
        """What remains of the possible stations."""
        return possible & sets.reached(sets.all & ~sets.of(self.hunters), self.tickets)


class Among(NamedTuple):
    """He is on one of these stations: the app has said so, or from no other one do the masts show such colours."""

    stations: Stations

    def narrow(self, possible: StationSet, sets: StationSets) -> StationSet:
        """What remains of the possible stations."""
        return possible & sets.of(self.stations)


class Drawn(NamedTuple):
    """An answer that hung on a hidden draw, such as that of the mast of a scan."""

    draws: Mapping[Station, int]
    """For each station where he can be, how many of the equally likely draws would have given this answer."""

    def narrow(self, possible: StationSet, sets: StationSets) -> StationSet:
        """What remains of the possible stations."""
        return possible & sets.of(self.draws)


Clue = NotAmong | CanMove | Among | Drawn
"""One thing seen about the place where he stood. Each kind says what it leaves of a set of possible stations."""

Told = int
"""What has been told by a route so far, as far as it matters for what follows: a bit mask."""


class Heard(NamedTuple):
    """What the witness at one landmark said: Mr X was last seen there when he had filled this field of his log."""

    zone: Stations
    field: int


class Testimony(NamedTuple):
    """The answer to an interrogation: at which landmarks he has been seen of late, and what one witness said.

    A route is told place by place. What it still owes are the landmarks with a question mark that it has not come to,
    as a bit mask.
    """

    first: int
    """The first field of the log that the witnesses remember."""
    asked: int
    """The field that he had filled last when they were asked."""
    marks: Mapping[Station, int]
    """For each station at a landmark with a question mark all of these that it is at: he came to each of them."""
    silent: Stations
    """The stations in the zones of all other landmarks: he came to none."""
    heard: Heard | None
    """None where no witness spoke, or none yet."""

    @property
    def begin(self) -> Told:
        """What a route owes before the first place that counts."""
        return reduce(or_, self.marks.values(), 0)

    @property
    def ears(self) -> Set[Station]:
        """The stations where something is told; elsewhere nothing changes."""
        return self.marks.keys()

    def narrow(self, field: int, possible: StationSet, sets: StationSets) -> StationSet:
        """What remains of the possible stations under a field that counts."""
        possible &= ~sets.of(self.silent)
        if self.heard is not None and field >= self.heard.field:
            zone = sets.of(self.heard.zone)
            possible &= zone if field == self.heard.field else ~zone
        return possible

    def tell(self, told: Told, station: Station | None) -> Told:
        """What is owed still once he has come to this station, or to any one outside all zones."""
        return told if station is None else told & ~self.marks.get(station, 0)

    def is_met(self, told: Told) -> bool:
        """Whether a route that has come to the place where he was when they were asked owes nothing any more."""
        return not told


class Step(NamedTuple):
    """What was seen of one of his places: his start, or where the move led that filled a field of the log."""

    field: int
    """The number of the field; 0 for the start, or the last field before a bare position was set up."""
    ticket: Ticket | None
    """What he rode there for; None for the first place."""
    shown: Station | None
    """The place itself, where everybody saw it: he surfaced there, or the game is over."""
    clues: tuple[Clue, ...]
    testimonies: tuple[Testimony, ...] = ()
    """What witnesses said who were asked while he stood there."""

    @property
    def tickets(self) -> int:
        """The set of the one ticket that he rode for; only his first place has none, and no ride leads there."""
        assert self.ticket is not None
        return 1 << self.ticket
