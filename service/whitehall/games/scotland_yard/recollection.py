"""Recollection: deduction where witnesses can be asked, who look back on the last few places of Mr X.

Without witnesses, all that matters of a route is where it has come to. What a witness says joins several places, so
routes that have come to the same station are kept apart for as long as it matters where they have been: by what they
have told so far to each testimony that still listens. That is much less than the places themselves, as most of them
are near no landmark. The last few places stay known, so that whoever is asked later can be heard on them too.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import repeat
from operator import or_
from typing import NamedTuple

from whitehall.games.core.wanted import IsWanted, always
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.clues import Drawn, Step, Testimony
from whitehall.games.scotland_yard.evidence import Evidence
from whitehall.games.scotland_yard.hearing import Audience, Cases, Listener, Memory, Ways
from whitehall.games.scotland_yard.locations import Contradiction, PossibleLocations
from whitehall.games.scotland_yard.master import AnalysisStart
from whitehall.games.scotland_yard.station_sets import StationSet, StationSets, station_sets
from whitehall.games.scotland_yard.ticket import Station, Ticket

Groups = dict[Memory, Ways]
"""The ways to one place, apart by what their routes have told."""


class Place(NamedTuple):
    """One place of his, and all that is known about the ways there."""

    step: Step
    groups: Groups
    analysis: StationSet

    @property
    def ways(self) -> Ways:
        """How many ways lead to each station that is possible, ascending."""
        total: Ways = {}
        for ways in self.groups.values():
            for there, number in ways.items():
                total[there] = total.get(there, 0) + number
        return dict(sorted(total.items()))


class Recollection(NamedTuple):
    """All that needs to be kept of the evidence up to some moment so as to go on from there."""

    board: Board
    window: int
    """How many of the last places a witness may tell of."""
    places: tuple[Place, ...]
    """These places, and the one before them: the last is where he is now."""

    @property
    def earliest(self) -> int:
        """The field of the earliest place that is still remembered."""
        return self.places[0].step.field

    @property
    def locations(self) -> PossibleLocations:
        """Where this says that Mr X can be."""
        now = self.places[-1]
        return PossibleLocations(station_sets(self.board).stations(now.analysis), tuple(now.ways), now.ways)


def recollect(evidence: Evidence, is_wanted: IsWanted = always) -> Recollection:
    """All that follows from the evidence from its beginning.

    Raises `Contradiction` where nothing fits, `TooManyCases` where it is too much to follow, and `NoLongerWanted`.
    """
    window = 0 if evidence.book is None else evidence.book.master.recent_window
    return Recollection(evidence.board, window, tuple(places_of(evidence, Cases(is_wanted))[-window - 1 :]))


def recall_more(known: Recollection, steps: Sequence[Step]) -> Recollection:
    """What is known after these steps, which must begin with the earliest place that is still remembered.

    Places known before change only where somebody has been asked about them since. Raises `ValueError` for steps that
    end before what is known, `Contradiction` where nothing fits, and `TooManyCases`.
    """
    sets, last = station_sets(known.board), known.places[-1]
    old = [step for step in steps if step.field <= last.step.field]
    if old[-1].field < last.step.field:
        raise ValueError(f"the view tells of fields up to {old[-1].field} of the log, and not of {last.step.field}")
    asked = [testimony for step in steps[len(old) :] for testimony in step.testimonies]
    if old[-1].testimonies != last.step.testimonies:
        asked += old[-1].testimonies
    redo = min([testimony.first for testimony in asked], default=last.step.field + 1)
    places = [place for place in known.places if place.step.field < redo]
    if redo > last.step.field:
        places[-1] = _seen_again(sets, last, old[-1])
    places = _go_on(sets, places, [step for step in steps if step.field > places[-1].step.field], Cases())
    return known._replace(places=tuple(places[-known.window - 1 :]))


def places_of(evidence: Evidence, cases: Cases) -> list[Place]:
    """Every place from the first one on. Raises `Contradiction` where nothing fits, and `TooManyCases`."""
    sets, first = station_sets(evidence.board), evidence.steps[0]
    nothing_seen = first._replace(shown=None, clues=())
    start = Place(nothing_seen, {(): dict.fromkeys(evidence.origin, 1)}, _analysed_from(sets, evidence))
    return _go_on(sets, [_seen_again(sets, start, first)], evidence.steps[1:], cases)


def trail_of(evidence: Evidence, is_wanted: IsWanted = always) -> dict[int, tuple[Station, ...]]:
    """For each field the stations that may be written under it, in hindsight.

    Raises `Contradiction` where nothing fits, `TooManyCases` and `NoLongerWanted`.
    """
    sets, cases, testimonies = station_sets(evidence.board), Cases(is_wanted), _testimonies(evidence.steps)
    places = places_of(evidence, cases)
    leads_on = {memory: sets.of(ways) for memory, ways in places[-1].groups.items()}
    trail = [_union(leads_on.values())]
    for before, place in zip(places[-2::-1], places[:0:-1], strict=True):
        tickets, audience = place.step.tickets, Audience(place.step.field, testimonies)
        alive: dict[Memory, StationSet] = {}
        for memory, ways in before.groups.items():
            here, good = sets.of(ways), 0
            ends = dict.fromkeys(sets.stations(sets.reached(here, tickets) & trail[-1]), 1)
            cases.follow(len(ends) * (1 + len(audience.listening)))
            for after, there in audience.hear(memory, ends):
                good |= sets.of(there) & leads_on.get(after, 0)
            # Lines run both ways: a place is possible if the next possible ones lead back to it.
            alive[memory] = here & sets.reached(good, tickets)
        leads_on = alive
        trail.append(_union(alive.values()))
    fields = [place.step.field for place in places]
    return {field: sets.stations(possible) for field, possible in zip(fields, reversed(trail), strict=True)}


def arrive(sets: StationSets, before: Groups, step: Step, listeners: Iterable[Listener], cases: Cases) -> Groups:
    """The ways to a place: each way to the place before, ridden on wherever what was seen and told allows it.

    Raises `TooManyCases`.
    """
    audience = Audience(step.field, listeners)
    fits, draws = _fitting(sets, step), _draws(step)
    for listener in audience.listening:
        fits = listener.narrow(step.field, fits, sets)
    groups: Groups = {}
    for memory, ways in before.items():
        ends = sets.stations(sets.reached(sets.of(ways), step.tickets) & fits)
        if not ends:
            continue
        cases.follow(len(ends) * (1 + len(audience.listening) + len(draws)))
        for after, there in audience.hear(memory, _weighed(_ridden_on(sets, ways, step, ends), draws)):
            known = groups.setdefault(after, {})
            for station, number in there.items():
                known[station] = known.get(station, 0) + number
    # Where he was seen nothing before it matters any more, unless somebody who was asked later looks further back.
    if step.shown is not None and not any(other.first < step.field < other.asked for other in audience.listening):
        return {memory: {step.shown: 1} for memory in groups}
    return groups


def _go_on(sets: StationSets, places: Sequence[Place], steps: Sequence[Step], cases: Cases) -> list[Place]:
    """These places and those that the steps lead to. Raises `Contradiction` where they lead nowhere."""
    found = _follow(sets, places, steps, cases)
    if len(found) < len(places) + len(steps):
        # A testimony speaks of earlier fields, but it is the field where it was given that contradicts them.
        def is_contradicted(index: int) -> bool:
            return len(_follow(sets, places, steps[: index + 1], cases)) <= len(places) + index

        raise Contradiction(steps[bisect_left(range(len(steps)), True, key=is_contradicted)].field)
    return found


def _follow(sets: StationSets, places: Sequence[Place], steps: Sequence[Step], cases: Cases) -> list[Place]:
    """The same, as far as they lead somewhere."""
    found, testimonies = list(places), _testimonies(steps)
    for step in steps:
        groups = arrive(sets, found[-1].groups, step, testimonies, cases)
        if not groups:
            break
        found.append(Place(step, groups, _analysed(sets, found[-1].analysis, step)))
    return found


def _seen_again(sets: StationSets, place: Place, step: Step) -> Place:
    """The last place known, with more clues."""
    fits, draws = _fitting(sets, step), _draws(step)[len(_draws(place.step)) :]
    groups: Groups = {}
    for memory, ways in place.groups.items():
        left = {here: number for here, number in ways.items() if fits >> here & 1}
        if left:
            groups[memory] = _weighed(left, draws) if step.shown is None else {step.shown: 1}
    if not groups:
        raise Contradiction(step.field)
    return Place(step, groups, place.analysis if step.shown is None else 1 << step.shown)


def _ridden_on(sets: StationSets, ways: Ways, step: Step, ends: Iterable[Station]) -> Ways:
    """How many ways lead on to each of these ends."""
    if step.ticket == Ticket.HELICOPTER:
        total = sum(ways.values())
        return {end: total - ways.get(end, 0) for end in ends}
    neighbours = sets.neighbours(step.tickets)
    return {end: sum(map(ways.get, neighbours[end], repeat(0))) for end in ends}


def _weighed(ways: Ways, draws: Iterable[Drawn]) -> Ways:
    """Each way as often as there are draws that would have given these answers."""
    for drawn in draws:
        ways = {there: number * drawn.draws[there] for there, number in ways.items()}
    return ways


def _draws(step: Step) -> list[Drawn]:
    return [clue for clue in step.clues if isinstance(clue, Drawn)]


def _fitting(sets: StationSets, step: Step) -> StationSet:
    """The stations that fit all that was seen of this place alone."""
    possible = sets.all if step.shown is None else 1 << step.shown
    for clue in step.clues:
        possible = clue.narrow(possible, sets)
    return possible


def _analysed_from(sets: StationSets, evidence: Evidence) -> StationSet:
    """Where Analysis lets him have started."""
    is_anywhere = evidence.book is not None and evidence.book.master.analysis_start == AnalysisStart.ALL
    return sets.all if is_anywhere else sets.of(evidence.origin)


def _analysed(sets: StationSets, before: StationSet, step: Step) -> StationSet:
    """Where the ticket leads, or where he was seen. What Analysis calls everywhere is every station (ruling 3.4)."""
    if step.shown is not None:
        return 1 << step.shown
    return sets.all if step.ticket == Ticket.HELICOPTER else sets.reached(before, step.tickets)


def _testimonies(steps: Iterable[Step]) -> list[Testimony]:
    return [testimony for step in steps for testimony in step.testimonies]


def _union(groups: Iterable[StationSet]) -> StationSet:
    return reduce(or_, groups, 0)
