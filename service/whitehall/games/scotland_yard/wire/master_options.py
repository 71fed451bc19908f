"""The app game's options on the wire: what a host asks for, and everything that is in force."""

from typing import Any

from whitehall.games.scotland_yard.master import AnalysisStart, HelicopterGrant, Landmark, MasterOverrides, ScanMast
from whitehall.games.scotland_yard.overrides import given
from whitehall.games.scotland_yard.ticket import Station
from whitehall.gen.whitehall.scotlandyard.v1 import master_pb2

_CHOICES = {"scan_mast": ScanMast, "analysis_start": AnalysisStart, "helicopter_grant": HelicopterGrant}


def read_master_options(message: master_pb2.MasterOptions) -> MasterOverrides:
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


def write_master_options(changes: MasterOverrides) -> master_pb2.MasterOptions:
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
