"""Prospects: how much the detective side can expect to learn from each special action that it may use now.

Each answer leaves a set of possible stations. Which answer comes depends on Mr X's route, so each counts as much as the
ways that would bring it about, by the measure of `PossibleLocations.routes`.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple

from whitehall.games.core.seat import PUBLIC
from whitehall.games.core.wanted import IsWanted, always
from whitehall.games.scotland_yard.answers import AnswerBook
from whitehall.games.scotland_yard.clues import Told
from whitehall.games.scotland_yard.evidence import Evidence, evidence_of
from whitehall.games.scotland_yard.hearing import Cases, Listener, Ways
from whitehall.games.scotland_yard.locations import TooManyCases
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.moves import Hear, UseAction
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.recollection import Place, arrive, places_of
from whitehall.games.scotland_yard.station_sets import StationSet, StationSets, station_sets
from whitehall.games.scotland_yard.ticket import Station
from whitehall.games.scotland_yard.view import ScotlandYardView


class Prospect(NamedTuple):
    """What to expect of one special action, or of the witnesses at one landmark."""

    move: UseAction | Hear
    stations: Fraction
    """How many stations will be possible after the answer, on average; exact.

    Where an interrogation finds several landmarks, the witnesses are taken to be heard at the one that promises most.
    """


def prospects(view: ScotlandYardView, is_wanted: IsWanted = always) -> tuple[Prospect, ...]:
    """What each move that the view offers promises: nothing to Mr X and the public, whom the app does not answer."""
    if view.master is None or view.viewer in (PUBLIC, MR_X_SEAT):
        return ()
    moves: list[UseAction | Hear] = [Hear(landmark) for landmark in view.master.choices]
    moves += [UseAction(action) for action in view.master.available]
    return tuple(expected(evidence_of(view), moves, is_wanted)) if moves else ()


def expected(evidence: Evidence, moves: Iterable[UseAction | Hear], is_wanted: IsWanted = always) -> list[Prospect]:
    """What each of these moves promises for all that the evidence leaves open, in a game with the app.

    Witnesses are left out where there are too many cases of what they could tell. Raises `Contradiction` where nothing
    fits, `TooManyCases` where the evidence alone leaves so many, and `NoLongerWanted`.
    """
    cases = Cases(is_wanted)
    book, places, listed = evidence.book, places_of(evidence, cases), list(moves)
    assert book is not None
    witnesses = _Witnesses(evidence, places, book, cases)
    found: list[Prospect] = []
    for move in listed:
        if isinstance(move, UseAction) and move.action != SpecialAction.INTERROGATION:
            found.append(Prospect(move, _mean(_readings(book, move.action, places[-1].ways))))
        else:
            with suppress(TooManyCases):
                found.append(Prospect(move, witnesses.mean(move)))
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


class _Question:
    """A question that has not been asked yet: it listens to which landmarks each place under a field is at.

    What it has been told are these sets of landmarks one after the other, that of the latest field in the lowest bits.
    """

    def __init__(self, first: int, asked: int, book: AnswerBook) -> None:
        self.first = first
        self.asked = asked
        self.begin: Told = 0
        self.ears = book.ears
        self._landmarks_at = book.landmarks_at
        self._width = len(book.number)
        self._fields = range(book.master.recent_window)
        self._under_each_field = sum(1 << self._width * ago for ago in self._fields)

    def narrow(self, field: int, possible: StationSet, sets: StationSets) -> StationSet:
        return possible

    def tell(self, told: Told, station: Station | None) -> Told:
        here = 0 if station is None else self._landmarks_at[station]
        # Witnesses speak of the last time only, so the times before need not keep routes apart.
        return (told & ~(here * self._under_each_field)) << self._width | here

    def is_met(self, told: Told) -> bool:
        return True

    def marks(self, told: Told) -> int:
        """The set of the landmarks where routes have been that told this."""
        everywhere = reduce(or_, [told >> ago * self._width for ago in self._fields])
        return everywhere & (1 << self._width) - 1

    def speakers(self, marks: int) -> Sequence[int | None]:
        """The landmarks that can be heard where these show a question mark; where none does, nobody speaks."""
        return [number for number in range(self._width) if marks >> number & 1] or [None]

    def moves_ago(self, told: Told, landmark: int) -> int | None:
        """How many moves ago they were at the landmark of this number."""
        return next((ago for ago in self._fields if told >> ago * self._width + landmark & 1), None)


class _Witnesses:
    """What witnesses could tell, for all that the evidence leaves open. Followed when it is first asked for."""

    def __init__(self, evidence: Evidence, places: Sequence[Place], book: AnswerBook, cases: Cases) -> None:
        now = places[-1].step.field
        # In a bare position witnesses tell of where he is, and of nothing before.
        self._first = min(max(places[0].step.field + 1, now + 1 - book.master.recent_window), now)
        # The question outlasts this moment, so that what it has been told is kept; the testimonies have ended.
        self._question = _Question(self._first, now + 1, book)
        self._evidence = evidence
        self._places = places
        self._book = book
        self._cases = cases

    def mean(self, move: UseAction | Hear) -> Fraction:
        """How many stations an interrogation leaves, or the statement at a landmark. Raises `TooManyCases`."""
        if isinstance(move, Hear):
            return Fraction(*_spread(self._statement(self._told, self._book.number[move.landmark])))
        by_marks: dict[int, dict[Told, Ways]] = {}
        for told, ways in self._told.items():
            by_marks.setdefault(self._question.marks(told), {})[told] = ways
        stations = total = 0
        for marks, fitting in by_marks.items():
            spreads = [_spread(self._statement(fitting, speaker)) for speaker in self._question.speakers(marks)]
            stations += min(spread for spread, _ in spreads)
            total += spreads[0][1]
        return Fraction(stations, total)

    def _statement(self, fitting: Mapping[Told, Ways], landmark: int | None) -> Iterator[_Case]:
        """What the witnesses at a landmark can say: how many moves ago he was there last."""
        for told, ways in fitting.items():
            self._cases.follow(len(ways))
            ago = None if landmark is None else self._question.moves_ago(told, landmark)
            yield from ((ago, here, number) for here, number in ways.items())

    @cached_property
    def _told(self) -> Mapping[Told, Ways]:
        """The ways to where he is now, apart by the landmarks at which they have been under the fields that count."""
        sets, beginning = station_sets(self._evidence.board), self._places[0].step.field
        if self._first == beginning:
            here: dict[Told, Ways] = {}
            for station, number in self._places[-1].ways.items():
                here.setdefault(self._question.tell(0, station), {})[station] = number
            return here
        listeners: list[Listener] = [said for step in self._evidence.steps for said in step.testimonies]
        listeners.append(self._question)
        groups = self._places[self._first - 1 - beginning].groups
        for place in self._places[self._first - beginning :]:
            groups = arrive(sets, groups, place.step, listeners, self._cases)
        return {told: ways for (told,), ways in groups.items()}
