"""Changes to the app game's options: which numbers can be set, and what they cannot be together."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from whitehall.games.core.fault import OptionsError
from whitehall.games.core.rule import Rule
from whitehall.games.core.sentences import MUST_ASCEND, at_least, at_most, must_be, must_be_not, taken
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import rulebook
from whitehall.games.scotland_yard.ascent import descent
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.idle import idle_of_app, refuse_idle
from whitehall.games.scotland_yard.investigation import taxi_distances
from whitehall.games.scotland_yard.master import MasterOptions, MasterOverrides, SpecialAction
from whitehall.games.scotland_yard.overrides import Range, given
from whitehall.games.scotland_yard.sentences import no_field, no_station_on, station_twice

FIELD = "overrides.master"
"""Where the changes stand in a request."""

RANGES: Mapping[str, Range] = MappingProxyType(
    {
        "actions_per_round": (0, 4),
        "per_game_cap": (0, 99),
        "cooldown": (0, 47),
        "offered": (1, len(SpecialAction)),
        "locate_near": (0, 997),
        "locate_medium": (1, 998),
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
    wanted = dict(given(changes))
    for name, (least, greatest) in RANGES.items():
        if name in wanted and not least <= wanted[name] <= greatest:
            raise _fault(name, must_be_not(least, greatest, wanted[name]), rulebook.WITHIN_RANGE)
    options = replace(usual, **wanted)
    refuse_idle(changes, idle_of_app(options), FIELD)
    return options


def faults(board: Board, log_fields: int, options: MasterOptions) -> Iterator[OptionsError]:
    """What the options, each sound by itself, cannot be together or on this board."""
    # Where nobody asks, what answers would depend on may be as it is: it could not be set either.
    if options.actions_per_round:
        yield from _mast_faults(board, options)
        yield from _landmark_faults(board, options)
    yield from _meeting_faults(log_fields, options)


def _mast_faults(board: Board, options: MasterOptions) -> Iterator[OptionsError]:
    if options.locate_near >= options.locate_medium:
        near = options.locate_near
        reason = Text(f"must be more than locate_near, which is {near}", f"doit dépasser locate_near, qui est {near}")
        yield _fault("locate_medium", reason, rulebook.NEAR_BEFORE_FAR)
    if not 1 <= len(options.masts) <= MOST_MASTS:
        yield _fault("masts", must_be(1, MOST_MASTS), rulebook.MASTS_ON_BOARD)
    for index, mast in enumerate(options.masts):
        place = f"masts.stations[{index}]"
        if mast not in board.coordinates:
            yield _fault(place, no_station_on(board.name, mast), rulebook.MASTS_ON_BOARD)
        elif mast in options.masts[:index]:
            yield _fault(place, station_twice(mast), rulebook.MASTS_ON_BOARD)
        elif len(taxi_distances(board, mast)) < len(board.coordinates):
            reason = Text(
                f"no taxi joins station {mast} to all others",
                f"aucun taxi ne relie la station {mast} à toutes les autres",
            )
            yield _fault(place, reason, rulebook.MASTS_ON_BOARD)


def _landmark_faults(board: Board, options: MasterOptions) -> Iterator[OptionsError]:
    rule = rulebook.LANDMARKS_ON_BOARD
    if len(options.landmarks) > MOST_LANDMARKS:
        yield _fault("landmarks", at_most(MOST_LANDMARKS), rule)
    names = set[str]()
    for index, landmark in enumerate(options.landmarks):
        place = f"landmarks.landmarks[{index}]"
        if not _is_name(landmark.name):
            reason = Text(
                f"must be 1 to {LONGEST_NAME} printable characters without quotes, slashes, backslashes and "
                "semicolons, no space at its ends",
                f"doit compter de 1 à {LONGEST_NAME} caractères imprimables, sans guillemet, barre oblique ou inverse "
                "ni point-virgule, ni espace aux bouts",
            )
            yield _fault(f"{place}.name", reason, rule)
        if landmark.name in names:
            yield _fault(f"{place}.name", taken(landmark.name), rule)
        names.add(landmark.name)
        if not landmark.stations:
            yield _fault(f"{place}.stations", at_least(1), rule)
        for number, station in enumerate(landmark.stations):
            if station not in board.coordinates:
                yield _fault(f"{place}.stations[{number}]", no_station_on(board.name, station), rule)
            if station in landmark.stations[:number]:
                yield _fault(f"{place}.stations[{number}]", station_twice(station), rule)


def _is_name(name: str) -> bool:
    """A name that can stand in quotes in a line of notation."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip() and _BARRED.isdisjoint(name)


def _meeting_faults(log_fields: int, options: MasterOptions) -> Iterator[OptionsError]:
    rule = rulebook.MEETINGS_ON_LOG
    if len(options.meeting_fields) > MOST_MEETINGS:
        yield _fault("meeting_fields", at_most(MOST_MEETINGS), rule)
    if (second := descent(options.meeting_fields)) is not None:
        yield _fault(f"meeting_fields.fields[{second}]", MUST_ASCEND, rule)
    for index, field in enumerate(options.meeting_fields):
        if not 1 <= field <= log_fields:
            yield _fault(f"meeting_fields.fields[{index}]", no_field(field, log_fields), rule)
    for name in ("meetings_to_survive", "meetings_to_win"):
        if getattr(options, name) > len(options.meeting_fields):
            points = len(options.meeting_fields)
            reason = Text(
                f"must be {points} at most, as no more points appear",
                f"pas plus de {points}, car il n'en apparaît pas plus",
            )
            yield _fault(name, reason, rule)


def _fault(name: str, reason: Text, rule: Rule) -> OptionsError:
    return OptionsError(f"{FIELD}.{name}", reason, rule)
