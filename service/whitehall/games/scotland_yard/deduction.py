"""Deduction: where Mr X can be, worked out exactly from what everybody at the table has seen of him.

Without an app that is done here, in the quickest way that is exact. What the app answers is heard in `recollection.py`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from whitehall.games.core.wanted import IsWanted, always
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.clues import Step
from whitehall.games.scotland_yard.evidence import Evidence, evidence_of, steps_of
from whitehall.games.scotland_yard.locations import Contradiction, PossibleLocations
from whitehall.games.scotland_yard.recollection import Recollection, recall_more, recollect, trail_of
from whitehall.games.scotland_yard.station_sets import StationSet, StationSets, station_sets
from whitehall.games.scotland_yard.ticket import Station
from whitehall.games.scotland_yard.view import ScotlandYardView


class Knowledge(NamedTuple):
    """All that needs to be kept of the evidence up to some moment so as to go on from there, where nobody can be asked
    about earlier places; where witnesses can, that is a `Recollection`.
    """

    board: Board
    field: int
    """The last field of the log that has been taken in."""
    analysis: StationSet
    strong: StationSet
    routes: dict[Station, int]
    """Of the stations of `strong`, ascending."""

    @property
    def locations(self) -> PossibleLocations:
        """Where this says that Mr X can be."""
        return PossibleLocations(station_sets(self.board).stations(self.analysis), tuple(self.routes), self.routes)


def possible_locations(seen: ScotlandYardView | Evidence, is_wanted: IsWanted = always) -> PossibleLocations:
    """Where Mr X can be, for all that the public has seen: the same for every viewer, Mr X himself included.

    In the app game the detective side has seen more: from a view of that side follows what its answers say, too.
    Raises `Contradiction` where nothing fits, and in the app game `NoLongerWanted`.
    """
    return knowledge_of(seen, is_wanted).locations


def knowledge_of(seen: ScotlandYardView | Evidence, is_wanted: IsWanted = always) -> Knowledge | Recollection:
    """All that follows from the evidence from its beginning. Raises `Contradiction` where nothing fits."""
    evidence = _as_evidence(seen)
    if evidence.book is not None:
        return recollect(evidence, is_wanted)
    board, origin, steps, _ = evidence
    return learn(beginning(board, origin, steps[0].field), steps)


def beginning(board: Board, origin: Iterable[Station], field: int = 0) -> Knowledge:
    """What is known of him when nothing has been seen but where he can have started; `field` is that of his start."""
    routes = dict.fromkeys(sorted(origin), 1)
    stations = station_sets(board).of(routes)
    return Knowledge(board, field, stations, stations, routes)


def advance(knowledge: Knowledge | Recollection, view: ScotlandYardView) -> Knowledge | Recollection:
    """What is known after a later view of the same game: only what is new in it is looked at.

    For a game followed from its start this is what `knowledge_of(view)` finds. Of a bare position it can be more, as
    later views do not show how the hunters stood when it was set up, nor Mr X where he was surfaced then.
    Raises `ValueError` for a view from before, and `Contradiction` where nothing fits.
    """
    if isinstance(knowledge, Recollection):
        return recall_more(knowledge, steps_of(view, knowledge.earliest))
    return learn(knowledge, steps_of(view, knowledge.field))


def learn(knowledge: Knowledge, steps: Sequence[Step]) -> Knowledge:
    """What is known after these steps, the first of which may be the last one known, seen again with more clues.

    Raises `Contradiction` where nothing fits.
    """
    board, field, analysis, strong, routes = knowledge
    sets = station_sets(board)
    possible = _forward(sets, field, strong, steps)

    # Where he was seen nothing before it matters any more: from there the tickets are followed, and routes counted.
    rest = 0
    for index, step in enumerate(steps):
        if step.shown is not None:
            field, analysis, routes = step.field, 1 << step.shown, {step.shown: 1}
            rest = index + 1
    for step, strong in zip(steps[rest:], possible[rest:], strict=True):
        if step.field > field:
            field, analysis = step.field, _ride(sets, step, analysis)
            routes = _routes_on(routes, sets.neighbours(step.tickets), sets.stations(strong))
        else:
            routes = {there: routes[there] for there in sets.stations(strong)}
    return Knowledge(board, field, analysis, possible[-1], routes)


def possible_trail(seen: ScotlandYardView | Evidence, is_wanted: IsWanted = always) -> dict[int, tuple[Station, ...]]:
    """For each field of the log the stations that may be written under it, with field 0 for his start.

    In hindsight: later evidence narrows earlier places too. Raises `Contradiction` where nothing fits.
    """
    evidence = _as_evidence(seen)
    if evidence.book is not None:
        return trail_of(evidence, is_wanted)
    board, origin, steps, _ = evidence
    sets = station_sets(board)
    trail = _forward(sets, steps[0].field, sets.of(origin), steps)
    # Lines run both ways: a place is possible if the next possible ones lead back to it.
    for index in range(len(steps) - 1, 0, -1):
        trail[index - 1] &= _ride(sets, steps[index], trail[index])
    return {step.field: sets.stations(possible) for step, possible in zip(steps, trail, strict=True)}


def _as_evidence(seen: ScotlandYardView | Evidence) -> Evidence:
    return seen if isinstance(seen, Evidence) else evidence_of(seen)


def _forward(sets: StationSets, field: int, possible: StationSet, steps: Iterable[Step]) -> list[StationSet]:
    """After each step the stations where some route ends that fits the evidence so far."""
    found: list[StationSet] = []
    for step in steps:
        if step.field > field:
            possible = _ride(sets, step, possible)
        if step.shown is not None:
            possible &= 1 << step.shown
        for clue in step.clues:
            possible = clue.narrow(possible, sets)
        if not possible:
            raise Contradiction(step.field)
        found.append(possible)
    return found


def _ride(sets: StationSets, step: Step, stations: StationSet) -> StationSet:
    """Where the ride of this step leads from these stations, or from where it leads to them."""
    return sets.reached(stations, step.tickets)


def _routes_on(
    routes: dict[Station, int], neighbours: dict[Station, tuple[Station, ...]], ends: tuple[Station, ...]
) -> dict[Station, int]:
    """How many routes lead on to each of these ends: all that lead to a neighbour that a ride joins to it."""
    found: dict[Station, int] = {}
    for end in ends:
        number = 0
        for neighbour in neighbours[end]:
            number += routes.get(neighbour, 0)
        found[end] = number
    return found
