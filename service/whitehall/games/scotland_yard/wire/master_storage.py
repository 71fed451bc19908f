"""The app game as the bytes that the store keeps: its options, its part of a state, its events."""

from collections.abc import Iterable, Iterator

from whitehall.games.scotland_yard.events import (
    ActionsOffered,
    MasterEvent,
    MeetingPointReached,
    MeetingPointShown,
)
from whitehall.games.scotland_yard.findings import (
    Analysed,
    Answer,
    Finding,
    Interrogated,
    Located,
    Scanned,
    StatementHeard,
)
from whitehall.games.scotland_yard.master import (
    AnalysisStart,
    HelicopterGrant,
    Landmark,
    MasterOptions,
    Nearness,
    ScanMast,
    SpecialAction,
)
from whitehall.games.scotland_yard.state import MasterState, MeetingPoint
from whitehall.games.scotland_yard.ticket import Station
from whitehall.gen.whitehall.scotlandyard.store.v1 import state_pb2

# The kinds of events in stored games, after those of `storage`. Never reuse a number.
_ANALYSED, _LOCATED, _SCANNED, _INTERROGATED, _HEARD = 21, 22, 23, 24, 25
_OFFERED, _SHOWN, _REACHED = 26, 27, 28
_ANSWERS = range(_ANALYSED, _HEARD + 1)


def encode_options(options: MasterOptions) -> state_pb2.MasterOptions:
    """The numbers of the app game."""
    given = {name: getattr(options, name) for name in MasterOptions.__slots__ if name != "landmarks"}
    return state_pb2.MasterOptions(
        **given,
        landmarks=[
            state_pb2.Landmark(name=name, stations=stations, x=x, y=y) for name, stations, x, y in options.landmarks
        ],
    )


def decode_options(message: state_pb2.MasterOptions) -> MasterOptions:
    """The numbers that were encoded."""
    return MasterOptions(
        actions_per_round=message.actions_per_round,
        action_when_surfaced=message.action_when_surfaced,
        per_game_cap=message.per_game_cap,
        cooldown=message.cooldown,
        offered=message.offered,
        masts=_stations(message.masts),
        locate_near=message.locate_near,
        locate_medium=message.locate_medium,
        scan_mast=ScanMast(message.scan_mast),
        analysis_start=AnalysisStart(message.analysis_start),
        landmarks=tuple(
            Landmark(landmark.name, _stations(landmark.stations), landmark.x, landmark.y)
            for landmark in message.landmarks
        ),
        near_radius=message.near_radius,
        recent_window=message.recent_window,
        meeting_fields=tuple(message.meeting_fields),
        meeting_distance=message.meeting_distance,
        meetings_to_survive=message.meetings_to_survive,
        meetings_to_win=message.meetings_to_win,
        announce_visit=message.announce_visit,
        helicopter_tickets=message.helicopter_tickets,
        helicopter_grant=HelicopterGrant(message.helicopter_grant),
        helicopter_in_double=message.helicopter_in_double,
        helicopter_reaches=message.helicopter_reaches,
        stuck_win_needs_meeting=message.stuck_win_needs_meeting,
    )


def encode_state(master: MasterState) -> state_pb2.MasterState:
    """What the app keeps."""
    message = state_pb2.MasterState(
        helicopter_tickets=master.helicopter_tickets,
        meeting_points=[number for point in master.meeting_points for number in point],
        offered=master.offered,
    )
    for finding in master.findings:
        message.findings.extend((finding.round, finding.field, *event_numbers(finding.answer)))
        message.names.extend(names_of(finding.answer))
    return message


def decode_state(message: state_pb2.MasterState) -> MasterState:
    """What was encoded."""
    names, numbers = iter(message.names), iter(message.findings)
    points = zip(*[iter(message.meeting_points)] * len(MeetingPoint._fields), strict=True)
    return MasterState(
        helicopter_tickets=message.helicopter_tickets,
        meeting_points=tuple(MeetingPoint(Station(station), shown, reached) for station, shown, reached in points),
        offered=tuple(map(SpecialAction, message.offered)),
        findings=tuple(_findings(numbers, names)),
    )


def _findings(numbers: Iterator[int], names: Iterator[str]) -> Iterator[Finding]:
    for number in numbers:
        yield Finding(number, next(numbers), _answer(next(numbers), numbers, names))


def event_numbers(event: MasterEvent) -> tuple[int, ...]:
    """An event as its kind and its numbers; its names stand apart."""
    match event:
        case Analysed(stations):
            assert stations is not None
            return (_ANALYSED, len(stations), *stations)
        case Located(nearness):
            assert nearness is not None
            return (_LOCATED, len(nearness), *nearness)
        case Scanned(distance):
            assert distance is not None
            return (_SCANNED, distance)
        case Interrogated(landmarks):
            assert landmarks is not None
            return (_INTERROGATED, len(landmarks))
        case StatementHeard(_, moves_ago):
            return (_HEARD, moves_ago)
        case ActionsOffered(actions):
            return (_OFFERED, len(actions), *actions)
        case MeetingPointShown(station):
            return (_SHOWN, station)
        case MeetingPointReached(station, number, announced):
            assert station is not None
            return (_REACHED, station, number, int(announced))


def names_of(event: MasterEvent) -> tuple[str, ...]:
    """The names of landmarks in an event, in order."""
    match event:
        case Interrogated(landmarks):
            return landmarks or ()
        case StatementHeard(landmark):
            return (landmark,)
        case _:
            return ()


def decode_event(kind: int, numbers: Iterator[int], names: Iterator[str]) -> MasterEvent:
    """The event of such a kind, taken from what was encoded."""
    if kind in _ANSWERS:
        return _answer(kind, numbers, names)
    if kind == _OFFERED:
        return ActionsOffered(tuple(SpecialAction(next(numbers)) for _ in range(next(numbers))))
    if kind == _SHOWN:
        return MeetingPointShown(Station(next(numbers)))
    if kind == _REACHED:
        return MeetingPointReached(Station(next(numbers)), next(numbers), bool(next(numbers)))
    raise ValueError(f"unknown kind of stored event {kind}")


def _answer(kind: int, numbers: Iterator[int], names: Iterator[str]) -> Answer:
    if kind == _ANALYSED:
        return Analysed(tuple(Station(next(numbers)) for _ in range(next(numbers))))
    if kind == _LOCATED:
        return Located(tuple(Nearness(next(numbers)) for _ in range(next(numbers))))
    if kind == _SCANNED:
        return Scanned(next(numbers))
    if kind == _INTERROGATED:
        return Interrogated(tuple(next(names) for _ in range(next(numbers))))
    if kind == _HEARD:
        return StatementHeard(next(names), next(numbers))
    raise ValueError(f"unknown kind of stored answer {kind}")


def _stations(numbers: Iterable[int]) -> tuple[Station, ...]:
    return tuple(Station(number) for number in numbers)
