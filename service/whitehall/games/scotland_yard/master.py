"""The app game: what the Master edition sets beyond the ordinary rules, as one table of options.

The publisher's app keeps most of these numbers to itself. Each that is not printed is a default of ours, documented in
`docs/master.md`, and can be set when a game is made.
"""

from dataclasses import dataclass
from typing import NamedTuple

from whitehall.games.core.word import Worded
from whitehall.games.scotland_yard.ticket import Station

PREFIX = "master."
"""What the names of the app game's options begin with, where they stand among the others."""


class SpecialAction(Worded):
    """What the detective side may ask the app. The numbers are those of the wire and of stored games."""

    ANALYSIS = 1
    """Every station that his tickets since he last surfaced leave open."""
    LOCATE = 2
    """Whether he is near, at a medium distance from, or far from each of the masts."""
    SCAN = 3
    """His exact distance from one of the masts, without saying which."""
    INTERROGATION = 4
    """At which landmarks he has been seen lately, and what the witnesses at one of them say."""


class Nearness(Worded):
    """How far from a mast he is, as Locate has it. The numbers are those of the wire and of stored games."""

    NEAR = 1
    """Green on the app's map."""
    MEDIUM = 2
    """Yellow."""
    FAR = 3
    """Red."""


class ScanMast(Worded):
    """Which of the masts a Scan measures from. The numbers are those of the wire and of stored games."""

    RANDOM = 1
    """One drawn anew for each Scan, all equally likely."""
    NEAREST = 2
    """The one that he is nearest to."""
    FARTHEST = 3
    """The one that he is farthest from."""


class AnalysisStart(Worded):
    """Where Analysis lets Mr X have started. The numbers are those of the wire and of stored games."""

    CARDS = 1
    """On one of his start cards; where he chose his station himself, on any."""
    ALL = 2
    """Anywhere."""


class HelicopterGrant(Worded):
    """When Mr X gets his helicopter tickets. The numbers are those of the wire and of stored games."""

    START = 1
    """All of them as the game begins."""
    MEETING_POINT = 2
    """One for each meeting point that he reaches, while there are any."""


class Landmark(NamedTuple):
    """A label on the board where witnesses may have seen Mr X."""

    name: str
    stations: tuple[Station, ...]
    """The stations next to it, ascending."""
    x: float = 0.0
    """Where the label stands on the map, in the frame of the stations' coordinates."""
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class MasterOptions:
    """The numbers of the app game. Made by `edition.resolve`, which refuses what cannot work."""

    actions_per_round: int
    """Special actions that the detective side may use in one round."""
    action_when_surfaced: bool
    """Whether it may use one while Mr X's pawn stands on the board."""
    per_game_cap: int
    """How often each special action may be used in a game; 0: as often as one likes."""
    cooldown: int
    """So many rounds after one with a special action, there is none."""
    offered: int
    """How many of the four special actions are offered in each round, drawn anew if they are not all."""
    masts: tuple[Station, ...]
    """The masts, each by its station: north, south, west, east."""
    locate_near: int
    """Up to so many taxi moves from a mast he is near it."""
    locate_medium: int
    """Up to so many he is at a medium distance, and beyond that far."""
    scan_mast: ScanMast
    analysis_start: AnalysisStart
    landmarks: tuple[Landmark, ...]
    """The landmarks, in the order in which answers name them. Names are unique."""
    near_radius: int
    """The zone of a landmark is its stations and all within so many taxi moves of them."""
    recent_window: int
    """Witnesses remember so many of the latest fields of the log."""
    meeting_fields: tuple[int, ...]
    """A meeting point is shown to Mr X after each of these fields of his log, ascending."""
    meeting_distance: int
    """A new one is drawn at least so many taxi moves from him and from those still open, where the board allows it."""
    meetings_to_survive: int
    """So many must he have reached when the game ends, or he has lost."""
    meetings_to_win: int
    """So many win the game at once; 0: none do."""
    announce_visit: bool
    """Whether the others are told that he has reached a meeting point, though not which."""
    helicopter_tickets: int
    helicopter_grant: HelicopterGrant
    helicopter_in_double: bool
    """Whether a half of a double move may go by helicopter."""
    helicopter_reaches: bool
    """Whether landing on a meeting point reaches it."""
    stuck_win_needs_meeting: bool
    """Whether immobile detectives let him win only when he has reached the meeting points that he must."""


@dataclass(frozen=True, slots=True)
class MasterOverrides:
    """What a host changes of `MasterOptions`, field by field. None: as the preset has it."""

    actions_per_round: int | None = None
    action_when_surfaced: bool | None = None
    per_game_cap: int | None = None
    cooldown: int | None = None
    offered: int | None = None
    masts: tuple[Station, ...] | None = None
    locate_near: int | None = None
    locate_medium: int | None = None
    scan_mast: ScanMast | None = None
    analysis_start: AnalysisStart | None = None
    landmarks: tuple[Landmark, ...] | None = None
    near_radius: int | None = None
    recent_window: int | None = None
    meeting_fields: tuple[int, ...] | None = None
    meeting_distance: int | None = None
    meetings_to_survive: int | None = None
    meetings_to_win: int | None = None
    announce_visit: bool | None = None
    helicopter_tickets: int | None = None
    helicopter_grant: HelicopterGrant | None = None
    helicopter_in_double: bool | None = None
    helicopter_reaches: bool | None = None
    stuck_win_needs_meeting: bool | None = None
