"""Answers: what the special actions brought to light, as clues and testimonies about Mr X's places."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from operator import or_

from whitehall.games.scotland_yard import investigation
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.clues import Among, Clue, Drawn, Heard, NotAmong, Stations, Step, Testimony
from whitehall.games.scotland_yard.findings import Analysed, Answer, Interrogated, Located, Scanned, StatementHeard
from whitehall.games.scotland_yard.master import MasterOptions, Nearness
from whitehall.games.scotland_yard.ticket import Station

BOOKS_KEPT = 16
"""For how many boards and numbers books are kept: a quarter of a MiB each when every answer has been looked up."""


class AnswerBook:
    """What each answer says on one board under one game's options. Every method is a pure function of these.

    `answer_book` keeps them.
    """

    def __init__(self, board: Board, master: MasterOptions) -> None:
        self.board = board
        self.master = master

    def told(self, step: Step, answers: Sequence[Answer], known: int) -> Step:
        """The step with what was answered while he stood there. Of the last fields this game knows `known`.

        An answer that was withheld says nothing. A statement belongs to the interrogation before it.
        """
        if not answers:
            return step
        clues: list[Clue] = []
        testimonies: list[Testimony] = []
        for answer in answers:
            match answer:
                # The log says it already, where it says all; one that it contradicts is a slip.
                case Analysed(tuple(stations)):
                    clues.append(Among(stations))
                case Located(tuple(nearness)):
                    clues.append(Among(self._stations_by_nearness.get(nearness, ())))
                case Scanned(int(distance)):
                    clues.append(Drawn(self._masts_by_distance.get(distance, {})))
                case Interrogated(tuple(landmarks)) if known:
                    first = step.field + 1 - min(known, self.master.recent_window)
                    marked = self._set(landmarks)
                    marks = {station: at & marked for station, at in self.landmarks_at.items() if at & marked}
                    testimonies.append(Testimony(first, step.field, marks, self._silent(marked), None))
                case StatementHeard(str(landmark), int(moves_ago)) if known:
                    heard = Heard(self.zones[landmark], step.field - moves_ago)
                    testimonies[-1] = testimonies[-1]._replace(heard=heard)
                # Of what was before a bare position nothing is known, so witnesses tell of where he is and no more.
                case Interrogated(tuple(landmarks)):
                    clues.append(NotAmong(self._silent(self._set(landmarks))))
                case StatementHeard(str(landmark), int(moves_ago)):
                    clues.append((NotAmong if moves_ago else Among)(self.zones[landmark]))
        # To be told the same twice is to be told it once; a Scan is another matter, with a mast drawn anew.
        said = [testimony for index, testimony in enumerate(testimonies) if testimony not in testimonies[:index]]
        return step._replace(clues=(*step.clues, *clues), testimonies=tuple(said))

    @cached_property
    def zones(self) -> Mapping[str, Stations]:
        """The zone of each landmark."""
        return {
            landmark.name: tuple(sorted(investigation.zone(self.board, landmark, self.master.near_radius)))
            for landmark in self.master.landmarks
        }

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The number of each landmark, in the order of the options."""
        return {landmark.name: number for number, landmark in enumerate(self.master.landmarks)}

    @cached_property
    def landmarks_at(self) -> Mapping[Station, int]:
        """For each station the set of the landmarks that it is at, as a bit mask of their numbers."""
        at = dict.fromkeys(self.board.stations, 0)
        for name, zone in self.zones.items():
            for station in zone:
                at[station] |= 1 << self.number[name]
        return at

    @cached_property
    def ears(self) -> frozenset[Station]:
        """The stations at some landmark."""
        return frozenset(station for station, landmarks in self.landmarks_at.items() if landmarks)

    @cached_property
    def nearness(self) -> Mapping[Station, tuple[Nearness, ...]]:
        """What Locate answers of each station."""
        return {station: investigation.locate(self.board, self.master, station) for station in self.board.stations}

    @cached_property
    def distances(self) -> Mapping[Station, tuple[int, ...]]:
        """What a Scan can answer of each station, once for each mast that it may use."""
        return {
            station: investigation.scan_answers(self.board, self.master, station) for station in self.board.stations
        }

    @cached_property
    def _stations_by_nearness(self) -> Mapping[tuple[Nearness, ...], Stations]:
        found: dict[tuple[Nearness, ...], list[Station]] = {}
        for station, nearness in self.nearness.items():
            found.setdefault(nearness, []).append(station)
        return {nearness: tuple(stations) for nearness, stations in found.items()}

    @cached_property
    def _masts_by_distance(self) -> Mapping[int, Mapping[Station, int]]:
        """For each distance the stations from which a Scan can give it, and how many of the masts would."""
        found: dict[int, dict[Station, int]] = {}
        for station, distances in self.distances.items():
            for distance in distances:
                masts = found.setdefault(distance, {})
                masts[station] = masts.get(station, 0) + 1
        return found

    def _set(self, names: Iterable[str]) -> int:
        return reduce(or_, [1 << self.number[name] for name in names], 0)

    def _silent(self, marked: int) -> Stations:
        """The stations in the zones of all landmarks without a question mark."""
        return tuple([station for station, at in self.landmarks_at.items() if at & ~marked])


@lru_cache(BOOKS_KEPT)
def answer_book(board: Board, master: MasterOptions) -> AnswerBook:
    """What answers say on this board in a game with these numbers."""
    return AnswerBook(board, master)
