"""What is wrong with an answer that somebody tells of: no app with these options gives it, wherever Mr X is."""

from collections.abc import Iterator

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.sentences import MUST_ASCEND, must_be
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.ascent import descent
from whitehall.games.scotland_yard.board import HIGHEST_STATION, Board
from whitehall.games.scotland_yard.findings import Analysed, Answer, Interrogated, Located, Scanned, StatementHeard
from whitehall.games.scotland_yard.master import MasterOptions
from whitehall.games.scotland_yard.sentences import masts_in_order, no_landmark, no_station, station_twice
from whitehall.games.scotland_yard.ticket import Station

FARTHEST = HIGHEST_STATION - 1
"""No way is longer, in taxi moves: it comes to no station twice."""


def faults(answer: Answer, board: Board, options: MasterOptions) -> Iterator[InvalidField]:
    """Each with its path from the answer on. One that was withheld says nothing, and so nothing wrong."""
    match answer:
        case Analysed(tuple(stations)):
            yield from _station_faults(stations, board)
        case Located(tuple(nearness)) if len(nearness) != len(options.masts):
            yield InvalidField("located.nearness", masts_in_order(options.masts))
        case Scanned(int(distance)) if not 0 <= distance <= FARTHEST:
            yield InvalidField("scanned.distance", must_be(0, FARTHEST))
        case Interrogated(tuple(landmarks)):
            yield from _mark_faults(landmarks, options)
        case StatementHeard(landmark, moves_ago):
            if all(each.name != landmark for each in options.landmarks):
                yield InvalidField("statement_heard.landmark", no_landmark(landmark))
            if moves_ago not in range(options.recent_window):
                window = options.recent_window
                reason = Text(f"must be less than {window}", f"doit être inférieur à {window}")
                yield InvalidField("statement_heard.moves_ago", reason)


def _station_faults(stations: tuple[Station, ...], board: Board) -> Iterator[InvalidField]:
    if not stations:
        reason = Text("must be 1 station or more, as he is somewhere", "il faut une station au moins")
        yield InvalidField("analysed.stations", reason)
    for index, station in enumerate(stations):
        if station not in board.coordinates:
            yield InvalidField(f"analysed.stations[{index}]", no_station(station))
    if (second := descent(stations)) is not None:
        station = stations[second]
        reason = station_twice(station) if station in stations[:second] else MUST_ASCEND
        yield InvalidField(f"analysed.stations[{second}]", reason)


def _mark_faults(landmarks: tuple[str, ...], options: MasterOptions) -> Iterator[InvalidField]:
    """In whatever order: who writes down what a map shows does not know that of the options."""
    known = {landmark.name for landmark in options.landmarks}
    for index, name in enumerate(landmarks):
        place = f"interrogated.question_marks.landmarks[{index}]"
        if name not in known:
            yield InvalidField(place, no_landmark(name))
        if name in landmarks[:index]:
            yield InvalidField(place, Text(f"{name!r} is there twice", f"{name!r} y figure deux fois"))
