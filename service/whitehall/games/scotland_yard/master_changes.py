"""Changes to the app game's options: which numbers can be set, and what they cannot be together."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from types import MappingProxyType

from whitehall.games.core.fault import OptionsError
from whitehall.games.core.rule import Rule
from whitehall.games.scotland_yard import rulebook
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.investigation import taxi_distances
from whitehall.games.scotland_yard.master import MasterOptions, MasterOverrides, SpecialAction
from whitehall.games.scotland_yard.overrides import Range

FIELD = "overrides.master"
"""Where the changes stand in a request."""

RANGES: Mapping[str, Range] = MappingProxyType(
    {
        "actions_per_round": (0, 4),
        "per_game_cap": (0, 99),
        "cooldown": (0, 47),
        "offered": (1, len(SpecialAction)),
        "locate_near": (0, 998),
        "locate_medium": (0, 998),
        "near_radius": (0, 20),
        "recent_window": (1, 6),
        "meeting_distance": (1, 20),
        "meetings_to_survive": (0, 16),
        "meetings_to_win": (0, 16),
        "helicopter_tickets": (0, 16),
    }
)
"""The range of each number."""

MOST_MASTS = 16
MOST_LANDMARKS = 100
MOST_MEETINGS = 16
LONGEST_NAME = 60
"""The longest name of a landmark: with its quotes it still makes a move as text."""
_BARRED = frozenset('"\\/;')
"""What has a meaning of its own in notation."""


def changed(usual: MasterOptions, changes: MasterOverrides) -> MasterOptions:
    """The preset's options with a host's changes; whether they fit together, `faults` says. Raises `OptionsError`."""
    given = {field.name: getattr(changes, field.name) for field in fields(changes)}
    given = {name: value for name, value in given.items() if value is not None}
    for name, (least, greatest) in RANGES.items():
        if name in given and not least <= given[name] <= greatest:
            raise _fault(name, f"must be {least} to {greatest}, not {given[name]}", rulebook.WITHIN_RANGE)
    _refuse_idle(replace(usual, **given), given)
    return replace(usual, **given)


def _refuse_idle(options: MasterOptions, given: Mapping[str, object]) -> None:
    """An option without effect would be a promise that the game does not keep."""
    of_actions = ("action_when_surfaced", "per_game_cap", "cooldown", "offered", "scan_mast", "analysis_start")
    only = dict.fromkeys(of_actions, (options.actions_per_round > 0, "there are no special actions"))
    of_flights = ("helicopter_grant", "helicopter_in_double", "helicopter_reaches")
    only |= dict.fromkeys(of_flights, (options.helicopter_tickets > 0, "there is no helicopter"))
    of_meetings = ("meeting_distance", "announce_visit")
    only |= {name: (bool(options.meeting_fields), "there are no meeting points") for name in of_meetings}
    only["stuck_win_needs_meeting"] = options.meetings_to_survive > 0, "Mr X needs no meeting point"
    for name, (has_effect, reason) in only.items():
        if name in given and not has_effect:
            raise _fault(name, reason, rulebook.OPTION_HAS_EFFECT)


def faults(board: Board, log_fields: int, options: MasterOptions) -> Iterator[OptionsError]:
    """What the options, each sound by itself, cannot be together or on this board."""
    yield from _mast_faults(board, options)
    if options.locate_near >= options.locate_medium:
        reason = f"must be more than locate_near, which is {options.locate_near}"
        yield _fault("locate_medium", reason, rulebook.NEAR_BEFORE_FAR)
    yield from _landmark_faults(board, options)
    yield from _meeting_faults(log_fields, options)


def _mast_faults(board: Board, options: MasterOptions) -> Iterator[OptionsError]:
    if not 1 <= len(options.masts) <= MOST_MASTS:
        yield _fault("masts", f"must be 1 to {MOST_MASTS}", rulebook.MASTS_ON_BOARD)
    for index, mast in enumerate(options.masts):
        place = f"masts.stations[{index}]"
        if mast not in board.coordinates:
            yield _fault(place, f"board {board.name} has no station {mast}", rulebook.MASTS_ON_BOARD)
        elif mast in options.masts[:index]:
            yield _fault(place, f"station {mast} is there twice", rulebook.MASTS_ON_BOARD)
        elif len(taxi_distances(board, mast)) < len(board.coordinates):
            yield _fault(place, f"no taxi joins station {mast} to all others", rulebook.MASTS_ON_BOARD)


def _landmark_faults(board: Board, options: MasterOptions) -> Iterator[OptionsError]:
    rule = rulebook.LANDMARKS_ON_BOARD
    if len(options.landmarks) > MOST_LANDMARKS:
        yield _fault("landmarks", f"must be {MOST_LANDMARKS} at most", rule)
    names = set[str]()
    for index, landmark in enumerate(options.landmarks):
        place = f"landmarks.landmarks[{index}]"
        if not _is_name(landmark.name):
            reason = f"must be 1 to {LONGEST_NAME} printable characters without quotes or slashes, no space at its ends"
            yield _fault(f"{place}.name", reason, rule)
        if landmark.name in names:
            yield _fault(f"{place}.name", f"{landmark.name!r} is taken", rule)
        names.add(landmark.name)
        if not landmark.stations:
            yield _fault(f"{place}.stations", "must be 1 or more", rule)
        for number, station in enumerate(landmark.stations):
            if station not in board.coordinates:
                yield _fault(f"{place}.stations[{number}]", f"board {board.name} has no station {station}", rule)
            if station in landmark.stations[:number]:
                yield _fault(f"{place}.stations[{number}]", f"station {station} is there twice", rule)


def _is_name(name: str) -> bool:
    """A name that can stand in quotes in a line of notation."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip() and _BARRED.isdisjoint(name)


def _meeting_faults(log_fields: int, options: MasterOptions) -> Iterator[OptionsError]:
    rule = rulebook.MEETINGS_ON_LOG
    if len(options.meeting_fields) > MOST_MEETINGS:
        yield _fault("meeting_fields", f"must be {MOST_MEETINGS} at most", rule)
    if list(options.meeting_fields) != sorted(set(options.meeting_fields)):
        yield _fault("meeting_fields", "must ascend", rule)
    for index, field in enumerate(options.meeting_fields):
        if not 1 <= field <= log_fields:
            yield _fault(f"meeting_fields.fields[{index}]", f"field {field} is none of the log's {log_fields}", rule)
    for name in ("meetings_to_survive", "meetings_to_win"):
        if getattr(options, name) > len(options.meeting_fields):
            yield _fault(name, f"must be {len(options.meeting_fields)} at most, as no more points appear", rule)


def _fault(name: str, reason: str, rule: Rule) -> OptionsError:
    return OptionsError(f"{FIELD}.{name}", reason, rule)
