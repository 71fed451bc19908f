"""Investigation: what each special action would answer of a station, and which stations would give an answer.

Pure functions of a board, the edition's numbers and stations: they know no game and no Mr X. Distances are taxi moves
along the lines, whoever stands on the way.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from whitehall.games.core.chance import Chance
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.master import Landmark, MasterOptions, Nearness, ScanMast
from whitehall.games.scotland_yard.ticket import Station, Transport

DISTANCES_KEPT = 1 << 10
"""From how many stations distances are kept: from all of London's, on several boards."""


def taxi_distances_anew(board: Board, origin: Station) -> Mapping[Station, int]:
    """How many taxi moves each station is from `origin`; what no taxi reaches from there is left out.

    Worked out each time: for stations that Mr X has been on, which nobody may read off the time that an answer takes.
    """
    distances = {origin: 0}
    to_visit = [origin]
    for here in to_visit:
        for there in board.neighbours(here, Transport.TAXI):
            if there not in distances:
                distances[there] = distances[here] + 1
                to_visit.append(there)
    return MappingProxyType(distances)


taxi_distances = lru_cache(DISTANCES_KEPT)(taxi_distances_anew)
"""The same from stations that lie open, masts and landmarks: worked out once and kept."""


def mast_distances(board: Board, master: MasterOptions, station: Station) -> tuple[int, ...]:
    """How many taxi moves the station is from each mast."""
    return tuple([taxi_distances(board, mast)[station] for mast in master.masts])


def nearness(master: MasterOptions, distance: int) -> Nearness:
    """What Locate calls a distance."""
    if distance <= master.locate_near:
        return Nearness.NEAR
    return Nearness.MEDIUM if distance <= master.locate_medium else Nearness.FAR


def locate(board: Board, master: MasterOptions, station: Station) -> tuple[Nearness, ...]:
    """What Locate answers while Mr X is on the station."""
    return tuple([nearness(master, distance) for distance in mast_distances(board, master, station)])


def located(board: Board, master: MasterOptions, answer: Sequence[Nearness]) -> tuple[Station, ...]:
    """The stations of which Locate gives this answer."""
    return tuple([station for station in board.stations if locate(board, master, station) == tuple(answer)])


def scan(board: Board, master: MasterOptions, station: Station, chance: Chance) -> int:
    """What a Scan answers while Mr X is on the station: the mast is drawn and goes no further than this function."""
    distances = mast_distances(board, master, station)
    match master.scan_mast:
        case ScanMast.NEAREST:
            return min(distances)
        case ScanMast.FARTHEST:
            return max(distances)
        case ScanMast.RANDOM:
            return distances[chance.draw("mast of a scan", len(distances))]


def scan_answers(board: Board, master: MasterOptions, station: Station) -> tuple[int, ...]:
    """Every distance that a Scan could give while Mr X is on the station, ascending; one for each mast it may use.

    A distance stands here as often as there are masts that give it: all are equally likely.
    """
    distances = mast_distances(board, master, station)
    match master.scan_mast:
        case ScanMast.NEAREST:
            return (min(distances),)
        case ScanMast.FARTHEST:
            return (max(distances),)
        case ScanMast.RANDOM:
            return tuple(sorted(distances))


def scanned(board: Board, master: MasterOptions, distance: int) -> tuple[Station, ...]:
    """The stations of which a Scan can give this answer."""
    return tuple([station for station in board.stations if distance in scan_answers(board, master, station)])


@lru_cache(DISTANCES_KEPT)
def zone(board: Board, landmark: Landmark, radius: int) -> frozenset[Station]:
    """The stations that count as being at a landmark."""
    if not radius:
        return frozenset(landmark.stations)
    return frozenset(
        there
        for station in landmark.stations
        for there, distance in taxi_distances(board, station).items()
        if distance <= radius
    )


def question_marks(board: Board, master: MasterOptions, recent: Sequence[Station]) -> tuple[str, ...]:
    """The landmarks where Interrogation shows a question mark.

    `recent` are the stations under the latest fields of the log, the newest last: at most the window of the options.
    """
    seen = set(recent)
    return tuple(
        [place.name for place in master.landmarks if not seen.isdisjoint(zone(board, place, master.near_radius))]
    )


def moves_ago(board: Board, master: MasterOptions, landmark: str, recent: Sequence[Station]) -> int | None:
    """The witnesses' statement: how many moves ago Mr X was at the landmark last; None where he was not lately.

    Raises `KeyError` for a landmark that there is not.
    """
    there = zone(board, landmark_named(master, landmark), master.near_radius)
    return next((ago for ago, station in enumerate(reversed(recent)) if station in there), None)


def landmark_named(master: MasterOptions, name: str) -> Landmark:
    """The landmark of that name. Raises `KeyError`."""
    for landmark in master.landmarks:
        if landmark.name == name:
            return landmark
    raise KeyError(name)
