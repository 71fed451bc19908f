"""Views and events of the app game on the wire, and the parts of a view that positions have too."""

from collections.abc import Sequence
from functools import lru_cache

from whitehall.games.scotland_yard import notation
from whitehall.games.scotland_yard.events import (
    ActionsOffered,
    MasterEvent,
    MeetingPointReached,
    MeetingPointShown,
)
from whitehall.games.scotland_yard.findings import (
    ACTION_OF,
    Analysed,
    Finding,
    Interrogated,
    Located,
    Scanned,
    StatementHeard,
)
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.moves import UseAction
from whitehall.games.scotland_yard.state import MeetingPoint
from whitehall.games.scotland_yard.ticket import Station
from whitehall.games.scotland_yard.view import MasterView
from whitehall.games.scotland_yard.wire.findings import (
    write_analysed,
    write_finding,
    write_heard,
    write_interrogated,
    write_located,
    write_scanned,
)
from whitehall.games.scotland_yard.wire.numbers import action_number
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, master_pb2


def write_master_view(view: MasterView) -> master_pb2.MasterView:
    """What a viewer may know of the app game."""
    message = master_pb2.MasterView(
        helicopter_tickets=view.helicopter_tickets,
        available=map(action_number, view.available),
        meeting_points=map(write_meeting_point, view.meeting_points or ()),
        meetings=view.meetings,
        choices=view.choices,
    )
    message.MergeFromString(b"".join(map(_finding, view.findings)))
    return message


@lru_cache(1 << 12)
def _finding(finding: Finding) -> bytes:
    """A finding, as an encoded `MasterView` with nothing else in it: the same ones stand in view after view."""
    return master_pb2.MasterView(findings=[write_finding(finding)]).SerializeToString()


def write_master_event(event: MasterEvent) -> game_pb2.Event:
    """An event of the app game, as far as its viewer may know it, with its move in notation where it is one."""
    match event:
        case ActionsOffered(actions):
            offered = master_pb2.ActionsOffered(actions=map(action_number, actions))
            return game_pb2.Event(actions_offered=offered)
        case Analysed():
            return game_pb2.Event(analysed=write_analysed(event), text=_text(event))
        case Located():
            return game_pb2.Event(located=write_located(event), text=_text(event))
        case Scanned():
            return game_pb2.Event(scanned=write_scanned(event), text=_text(event))
        case Interrogated():
            return game_pb2.Event(interrogated=write_interrogated(event), text=_text(event))
        case StatementHeard():
            return game_pb2.Event(statement_heard=write_heard(event))
        case MeetingPointShown(station):
            return game_pb2.Event(meeting_point_shown=master_pb2.MeetingPointShown(station=station))
        case MeetingPointReached(station, number):
            reached = master_pb2.MeetingPointReached(station=station, number=number)
            return game_pb2.Event(meeting_point_reached=reached)


def _text(answer: Analysed | Located | Scanned | Interrogated) -> str:
    """The special action that was answered, in notation."""
    return notation.text(UseAction(ACTION_OF[type(answer)]))


def write_meeting_point(point: MeetingPoint) -> master_pb2.MeetingPoint:
    """A meeting point."""
    return master_pb2.MeetingPoint(station=point.station, shown=point.shown, reached=point.reached)


def read_meeting_points(messages: Sequence[master_pb2.MeetingPoint]) -> tuple[MeetingPoint, ...]:
    """Meeting points."""
    return tuple(MeetingPoint(Station(point.station), point.shown, point.reached) for point in messages)


def read_actions(numbers: Sequence[int]) -> tuple[SpecialAction, ...]:
    """Special actions, in the order of their numbers; all of them where none is named."""
    return tuple(action for action in SpecialAction if action in numbers or not numbers)
