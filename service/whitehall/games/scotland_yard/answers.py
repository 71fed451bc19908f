"""Answers: what the special actions brought to light, as clues and testimonies about Mr X's places."""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from whitehall.games.scotland_yard import investigation
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.clues import Among, Clue, Drawn, Heard, NotAmong, Stations, Step, Testimony
from whitehall.games.scotland_yard.findings import Answer, Interrogated, Located, Scanned, StatementHeard
from whitehall.games.scotland_yard.master import MasterOptions, Nearness
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.ticket import Station

BOOKS_KEPT = 16
"""For how many games' options books are kept: a quarter of a MiB each when every answer has been looked up."""

SILENCES_KEPT = 1 << 9
"""For so many sets of landmarks a book keeps which stations the others stand for."""


class AnswerBook:
    """What each answer says on one board under one game's options. Every method is a pure function of these."""

    def __init__(self, board: Board, master: MasterOptions) -> None:
        self.board = board
        self.master = master
        self._silent = lru_cache(SILENCES_KEPT)(self._zones_without)

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
                case Located(tuple(nearness)):
                    clues.append(Among(self._stations_by_nearness.get(nearness, ())))
                case Scanned(int(distance)):
                    clues.append(Drawn(self._masts_by_distance.get(distance, {})))
                case Interrogated(tuple(landmarks)) if known:
                    first = step.field + 1 - min(known, self.master.recent_window)
                    marked = tuple([self.zones[name] for name in landmarks])
                    testimonies.append(Testimony(first, step.field, marked, self._silent(landmarks), None))
                case StatementHeard(str(landmark), int(moves_ago)) if known:
                    heard = Heard(self.zones[landmark], step.field - moves_ago)
                    testimonies[-1] = testimonies[-1]._replace(heard=heard)
                # Of what was before a bare position nothing is known, so witnesses tell of where he is and no more.
                case Interrogated(tuple(landmarks)):
                    clues.append(NotAmong(self._silent(landmarks)))
                case StatementHeard(str(landmark), int(moves_ago)):
                    clues.append((NotAmong if moves_ago else Among)(self.zones[landmark]))
        # To be told the same twice is to be told it once; a Scan is another matter, with a mast drawn anew.
        return step._replace(clues=(*step.clues, *clues), testimonies=tuple(dict.fromkeys(testimonies)))

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
    def landmarks_at(self) -> Mapping[Station, tuple[int, ...]]:
        """For each station the numbers of the landmarks that it is at."""
        zones = self.zones.items()
        return {
            station: tuple([self.number[name] for name, zone in zones if station in zone])
            for station in self.board.stations
        }

    @cached_property
    def ears(self) -> frozenset[int]:
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

    def _zones_without(self, marked: Sequence[str]) -> Stations:
        """The stations in the zones of all landmarks without a question mark."""
        return tuple(sorted({station for name, zone in self.zones.items() if name not in marked for station in zone}))


@lru_cache(BOOKS_KEPT)
def answer_book(options: ScotlandYardOptions) -> AnswerBook:
    """What answers say in a game with these options, which must be those of an app game."""
    assert options.master is not None
    return AnswerBook(options.board, options.master)
