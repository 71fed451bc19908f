"""The app game on the wire: its options, what it has answered, and what a viewer may know of it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.text import Text
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
    MasterOverrides,
    Nearness,
    ScanMast,
    SpecialAction,
)
from whitehall.games.scotland_yard.moves import UseAction
from whitehall.games.scotland_yard.overrides import given
from whitehall.games.scotland_yard.state import MeetingPoint
from whitehall.games.scotland_yard.ticket import Station
from whitehall.games.scotland_yard.view import MasterView
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, master_pb2

_CHOICES = {"scan_mast": ScanMast, "analysis_start": AnalysisStart, "helicopter_grant": HelicopterGrant}


def action_number(action: SpecialAction) -> "master_pb2.SpecialAction.ValueType":
    """A special action."""
    return cast("master_pb2.SpecialAction.ValueType", action.value)


def nearness_number(nearness: Nearness) -> "master_pb2.Nearness.ValueType":
    """A distance as Locate has it."""
    return cast("master_pb2.Nearness.ValueType", nearness.value)


# --- options ------------------------------------------------------------------------------------------------------


def read_master(message: master_pb2.MasterOptions) -> MasterOverrides:
    """What a host asks for."""
    asked: dict[str, object] = {}
    for field, value in message.ListFields():
        match value:
            case master_pb2.Masts():
                asked[field.name] = tuple(Station(station) for station in value.stations)
            case master_pb2.Landmarks():
                asked[field.name] = tuple(map(_read_landmark, value.landmarks))
            case master_pb2.MeetingFields():
                asked[field.name] = tuple(value.fields)
            case int() if field.name in _CHOICES:
                asked[field.name] = _CHOICES[field.name](value)
            case _:
                asked[field.name] = value
    return MasterOverrides(**asked)  # type: ignore[arg-type]  # the message has the same fields


def _read_landmark(message: master_pb2.Landmark) -> Landmark:
    # To add zero makes a plain zero of a negative one, which means the same.
    x, y = message.x + 0.0, message.y + 0.0
    return Landmark(message.name, tuple(Station(station) for station in message.stations), x, y)


def write_master(changes: MasterOverrides) -> master_pb2.MasterOptions:
    """What differs, or all that is in force, as a host could have asked for it."""
    told: dict[str, Any] = {}
    for name, value in given(changes):
        match name:
            case "masts":
                told[name] = master_pb2.Masts(stations=value)
            case "landmarks":
                told[name] = master_pb2.Landmarks(landmarks=map(_write_landmark, value))
            case "meeting_fields":
                told[name] = master_pb2.MeetingFields(fields=value)
            case _:
                told[name] = value
    return master_pb2.MasterOptions(**told)


def _write_landmark(landmark: Landmark) -> master_pb2.Landmark:
    return master_pb2.Landmark(name=landmark.name, stations=landmark.stations, x=landmark.x, y=landmark.y)


# --- answers ------------------------------------------------------------------------------------------------------


def write_analysed(answer: Analysed) -> master_pb2.Analysed:
    """What Analysis answered."""
    return master_pb2.Analysed(stations=answer.stations or ())


def write_located(answer: Located) -> master_pb2.Located:
    """What Locate answered."""
    return master_pb2.Located(nearness=map(nearness_number, answer.nearness or ()))


def write_scanned(answer: Scanned) -> master_pb2.Scanned:
    """What a Scan answered."""
    return master_pb2.Scanned(distance=answer.distance)


def write_interrogated(answer: Interrogated) -> master_pb2.Interrogated:
    """What an Interrogation showed."""
    if answer.landmarks is None:
        return master_pb2.Interrogated()
    return master_pb2.Interrogated(question_marks=master_pb2.QuestionMarks(landmarks=answer.landmarks))


def write_heard(answer: StatementHeard) -> master_pb2.StatementHeard:
    """What witnesses said."""
    return master_pb2.StatementHeard(landmark=answer.landmark, moves_ago=answer.moves_ago)


@lru_cache(1 << 12)
def _finding(finding: Finding) -> bytes:
    """A finding, as an encoded `MasterView` with nothing else in it: the same ones stand in view after view."""
    return master_pb2.MasterView(findings=[write_finding(finding)]).SerializeToString()


def write_finding(finding: Finding) -> master_pb2.Finding:
    """An answer and the moment that it is about."""
    return master_pb2.Finding(round=finding.round, field=finding.field, answer=write_answer(finding.answer))


def write_answer(answer: Answer) -> master_pb2.Answer:
    """An answer, as far as its viewer may know it."""
    match answer:
        case Analysed():
            return master_pb2.Answer(analysed=write_analysed(answer))
        case Located():
            return master_pb2.Answer(located=write_located(answer))
        case Scanned():
            return master_pb2.Answer(scanned=write_scanned(answer))
        case Interrogated():
            return master_pb2.Answer(interrogated=write_interrogated(answer))
        case StatementHeard():
            return master_pb2.Answer(statement_heard=write_heard(answer))


def read_finding(message: master_pb2.Finding, path: str) -> Finding:
    """An answer that a caller tells of, and its moment. Raises `InvalidField`."""
    return Finding(message.round, message.field, read_answer(message.answer, f"{path}.answer"))


def read_answer(message: master_pb2.Answer, path: str) -> Answer:
    """An answer that a caller tells of; whether an app gives it, the game knows. Raises `InvalidField` for one that was
    withheld.
    """
    match message.WhichOneof("kind"):
        case "analysed":
            return Analysed(tuple(Station(station) for station in message.analysed.stations))
        case "located":
            return Located(tuple(map(Nearness, message.located.nearness)))
        case "scanned" if message.scanned.HasField("distance"):
            return Scanned(message.scanned.distance)
        case "interrogated":
            if not message.interrogated.HasField("question_marks"):
                reason = Text(
                    "must be there, and empty where he has been seen at no landmark",
                    "il en faut, et vide si personne ne l'a vu nulle part",
                )
                raise InvalidField(f"{path}.interrogated.question_marks", reason)
            return Interrogated(tuple(message.interrogated.question_marks.landmarks))
        case "statement_heard" if message.statement_heard.HasField("moves_ago"):
            return StatementHeard(message.statement_heard.landmark, message.statement_heard.moves_ago)
        case _:
            raise InvalidField(path, Text("holds no answer", "ne contient pas de réponse"))


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


# --- views and positions ------------------------------------------------------------------------------------------


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


def write_meeting_point(point: MeetingPoint) -> master_pb2.MeetingPoint:
    """A meeting point."""
    return master_pb2.MeetingPoint(station=point.station, shown=point.shown, reached=point.reached)


def read_meeting_points(messages: Sequence[master_pb2.MeetingPoint]) -> tuple[MeetingPoint, ...]:
    """Meeting points."""
    return tuple(MeetingPoint(Station(point.station), point.shown, point.reached) for point in messages)


def read_actions(numbers: Sequence[int]) -> tuple[SpecialAction, ...]:
    """Special actions, in the order of their numbers; all of them where none is named."""
    return tuple(action for action in SpecialAction if action in numbers or not numbers)
