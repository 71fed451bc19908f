"""The app game's options on the wire: what a host asks for, and everything that is in force."""

from whitehall.games.scotland_yard.master import (
    AnalysisStart,
    HelicopterGrant,
    Landmark,
    MasterOptions,
    MasterOverrides,
    ScanMast,
)
from whitehall.games.scotland_yard.ticket import Station
from whitehall.games.scotland_yard.wire.numbers import analysis_start_number, helicopter_grant_number, scan_mast_number
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
    return Landmark(message.name, tuple(Station(station) for station in message.stations), message.x, message.y)


def write_master_options(options: MasterOptions) -> master_pb2.MasterOptions:
    """Everything that is in force, as a host could have asked for it: without what would have no effect."""
    acts, flies = options.actions_per_round > 0, options.helicopter_tickets > 0
    meets = bool(options.meeting_fields)
    return master_pb2.MasterOptions(
        actions_per_round=options.actions_per_round,
        action_when_surfaced=options.action_when_surfaced if acts else None,
        per_game_cap=options.per_game_cap if acts else None,
        cooldown=options.cooldown if acts else None,
        offered=options.offered if acts else None,
        masts=master_pb2.Masts(stations=options.masts),
        locate_near=options.locate_near,
        locate_medium=options.locate_medium,
        scan_mast=scan_mast_number(options.scan_mast) if acts else None,
        analysis_start=analysis_start_number(options.analysis_start) if acts else None,
        landmarks=master_pb2.Landmarks(landmarks=map(_write_landmark, options.landmarks)),
        near_radius=options.near_radius,
        recent_window=options.recent_window,
        meeting_fields=master_pb2.MeetingFields(fields=options.meeting_fields),
        meeting_distance=options.meeting_distance if meets else None,
        meetings_to_survive=options.meetings_to_survive,
        meetings_to_win=options.meetings_to_win,
        announce_visit=options.announce_visit if meets else None,
        helicopter_tickets=options.helicopter_tickets,
        helicopter_grant=helicopter_grant_number(options.helicopter_grant) if flies else None,
        helicopter_in_double=options.helicopter_in_double if flies else None,
        helicopter_reaches=options.helicopter_reaches if flies else None,
        stuck_win_needs_meeting=options.stuck_win_needs_meeting if options.meetings_to_survive else None,
    )


def _write_landmark(landmark: Landmark) -> master_pb2.Landmark:
    return master_pb2.Landmark(name=landmark.name, stations=landmark.stations, x=landmark.x, y=landmark.y)
