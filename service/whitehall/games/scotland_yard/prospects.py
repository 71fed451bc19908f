"""Prospects: how much the detective side can expect to learn from each special action that it may use now.

Each answer leaves a set of possible stations. Which answer comes depends on Mr X's route, so each counts as much as the
ways that would bring it about, by the measure of `PossibleLocations.routes`.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from whitehall.games.core.seat import PUBLIC
from whitehall.games.scotland_yard.answers import AnswerBook
from whitehall.games.scotland_yard.clues import Step, Told
from whitehall.games.scotland_yard.evidence import Evidence, evidence_of
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.moves import Hear, UseAction
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.recollection import Groups, Listener, Place, Ways, arrive, places_of
from whitehall.games.scotland_yard.station_sets import StationSet, StationSets, station_sets
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.view import ScotlandYardView

MOST_CASES = 30_000
"""So many stations, apart by what witnesses could tell of the routes there, are followed for an interrogation. With the
options of the edition it stays far below; with more cases it would take seconds, and others wait meanwhile.
"""

LINES_OF_A_STATION = 5
"""So many other stations are one ride away, at an average and for a black ticket."""


class Prospect(NamedTuple):
    """What to expect of one special action, or of the witnesses at one landmark."""

    move: UseAction | Hear
    stations: Fraction
    """How many stations will be possible after the answer, on average; exact.

    Where an interrogation finds several landmarks, the witnesses are taken to be heard at the one that promises most.
    """


def prospects(view: ScotlandYardView) -> tuple[Prospect, ...]:
    """What each move that the view offers promises: nothing to Mr X and the public, whom the app does not answer."""
    if view.master is None or view.viewer in (PUBLIC, MR_X_SEAT):
        return ()
    moves: list[UseAction | Hear] = [Hear(landmark) for landmark in view.master.choices]
    moves += [UseAction(action) for action in view.master.offered]
    return tuple(expected(evidence_of(view), moves)) if moves else ()


def expected(evidence: Evidence, moves: Iterable[UseAction | Hear]) -> list[Prospect]:
    """What each of these moves promises for all that the evidence leaves open, in a game with the app.

    Witnesses are left out where there are more than `MOST_CASES`. Raises `Contradiction` where nothing fits.
    """
    book, places, listed = evidence.book, places_of(evidence), list(moves)
    assert book is not None
    asks = any(isinstance(move, Hear) or move.action == SpecialAction.INTERROGATION for move in listed)
    told = _told(evidence, places, book) if asks else None
    found: list[Prospect] = []
    for move in listed:
        if isinstance(move, UseAction) and move.action != SpecialAction.INTERROGATION:
            found.append(Prospect(move, _mean(_readings(book, move.action, places[-1].ways))))
        elif told is not None:
            heard = _mean(_statement(told, book.number[move.landmark])) if isinstance(move, Hear) else None
            found.append(Prospect(move, heard or _mean_of_interrogation(told)))
    return found


_Case = tuple[Hashable, Station, int]
"""An answer, a station on which it leaves Mr X, and how many ways lead there and to this answer."""


def _mean(cases: Iterable[_Case]) -> Fraction:
    return Fraction(*_spread(cases))


def _spread(cases: Iterable[_Case]) -> tuple[int, int]:
    """The number of stations that each answer leaves, summed over all ways; and how many ways these are."""
    ways: dict[Hashable, int] = {}
    stations: dict[Hashable, set[Station]] = {}
    for answer, station, number in cases:
        ways[answer] = ways.get(answer, 0) + number
        stations.setdefault(answer, set()).add(station)
    return sum(number * len(stations[answer]) for answer, number in ways.items()), sum(ways.values())


def _readings(book: AnswerBook, action: SpecialAction, ways: Ways) -> Iterable[_Case]:
    """What the masts can answer. Analysis says nothing that the log does not say."""
    if action == SpecialAction.LOCATE:
        return ((book.nearness[here], here, number) for here, number in ways.items())
    if action == SpecialAction.SCAN:
        return ((distance, here, number) for here, number in ways.items() for distance in book.distances[here])
    return ((None, here, number) for here, number in ways.items())


def _mean_of_interrogation(told: Mapping[Told, Ways]) -> Fraction:
    by_marks: dict[frozenset[int], dict[Told, Ways]] = {}
    for passed, ways in told.items():
        by_marks.setdefault(frozenset().union(*passed), {})[passed] = ways
    stations = total = 0
    for marks, fitting in by_marks.items():
        # Without a question mark nobody speaks, and that is the answer.
        spreads = [_spread(_statement(fitting, landmark)) for landmark in marks or {None}]
        stations += min(spread for spread, _ in spreads)
        total += spreads[0][1]
    return Fraction(stations, total)


def _statement(told: Mapping[Told, Ways], landmark: int | None) -> Iterable[_Case]:
    """What the witnesses at a landmark can say: how many moves ago he was there last."""
    for passed, ways in told.items():
        ago = next((ago for ago, landmarks in enumerate(reversed(passed)) if landmark in landmarks), None)
        yield from ((ago, here, number) for here, number in ways.items())


class _Question(NamedTuple):
    """A question that has not been asked yet: it listens to which landmarks each place under a field is at."""

    first: int
    asked: int
    book: AnswerBook

    @property
    def begin(self) -> Told:
        return ()

    @property
    def ears(self) -> frozenset[int]:
        return self.book.ears

    def narrow(self, field: int, possible: StationSet, sets: StationSets) -> StationSet:
        return possible

    def tell(self, told: Told, station: Station | None) -> Told:
        here = () if station is None else self.book.landmarks_at[station]
        # Witnesses speak of the last time only, so the times before need not keep routes apart.
        before = [tuple([landmark for landmark in landmarks if landmark not in here]) for landmarks in told]
        return (*before, here)

    def is_met(self, told: Told) -> bool:
        return True


def _told(evidence: Evidence, places: Sequence[Place], book: AnswerBook) -> Mapping[Told, Ways] | None:
    """The ways to where he is now, apart by the landmarks at which they have been under the fields that count; None
    where there are too many cases.
    """
    sets, beginning, now = station_sets(evidence.board), places[0].step.field, places[-1].step.field
    # The question outlasts this moment, so that what it has been told is kept; the testimonies have ended.
    first = max(beginning + 1, now + 1 - book.master.recent_window)
    listeners: list[Listener] = [said for step in evidence.steps for said in step.testimonies]
    listeners.append(_Question(first, now + 1, book))
    if first > now:
        # In a bare position witnesses tell of where he is, and of nothing before.
        here: dict[Told, Ways] = {}
        for station, number in places[-1].ways.items():
            here.setdefault((book.landmarks_at[station],), {})[station] = number
        return here
    groups = places[first - 1 - beginning].groups
    for place in places[first - beginning :]:
        if _cases(groups, place.step, sets) > MOST_CASES:
            return None
        groups = arrive(sets, groups, place.step, listeners)
    return {passed: ways for (passed,), ways in groups.items()}


def _cases(groups: Groups, step: Step, sets: StationSets) -> int:
    """So many stations in so many groups this step may lead to."""
    if step.ticket == Ticket.HELICOPTER:
        return len(groups) * sets.all.bit_count()
    return LINES_OF_A_STATION * sum(map(len, groups.values()))
