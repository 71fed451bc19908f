"""Scotland Yard's entries in the catalog, made from the tables that the rules themselves use."""

import json
from collections.abc import Iterable
from dataclasses import fields
from functools import cached_property, lru_cache

from whitehall.games.core.catalog import BoardEntry, Line, Parameter, Place, PresetEntry
from whitehall.games.core.word import Worded
from whitehall.games.scotland_yard import boards, edition
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.edition import Preset
from whitehall.games.scotland_yard.master import PREFIX, AnalysisStart, HelicopterGrant, MasterOptions, ScanMast
from whitehall.games.scotland_yard.master_changes import RANGES as MASTER_RANGES
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, StartBy, StuckScope
from whitehall.games.scotland_yard.overrides import HOUSE_RULES, RANGES
from whitehall.games.scotland_yard.ticket import Station, Transport

_MEANINGS = {
    "house_rules": "Variants by name; each sets some options, and what is set beside them counts for more.",
    "board": "The board, by its name in this catalog.",
    "end_by": "What lets Mr X escape: that the rounds are over, or that his log is full.",
    "rounds": "Rounds after which Mr X has escaped; where a full log ends the game, as many as it has fields.",
    "log_fields": "Fields of Mr X's log, one for each of his moves.",
    "surfacing": "The log fields at which Mr X surfaces.",
    "detective_tickets": "Normal tickets of each detective, by kind.",
    "two_player_pool": "Normal tickets of the hand that the detectives share, by kind.",
    "detective_black_tickets": "Black tickets of each detective, for any line by land: a house rule.",
    "mr_x_supply": "Where Mr X's normal tickets come from: what the box has left and detectives spend; a supply with no"
    " end; or a hand of his own and what detectives spend.",
    "box_tickets": "Normal tickets in the box, by kind, of which a finite supply is the rest.",
    "mr_x_hand": "Mr X's own normal tickets, where he gets what detectives spend.",
    "supply": "Normal tickets that Mr X can draw from at the start, by kind.",
    "black_tickets": "Black tickets of Mr X.",
    "double_tickets": "Double tickets of Mr X.",
    "detectives": "Detectives on the board.",
    "bobbies": "Bobbies on the board.",
    "shared_hand": "Whether the detectives spend from one hand.",
    "stuck_scope": "Who has to be without a ride for Mr X to win: the detectives, or the Bobbies too.",
    "last_black_wins": "Whether Mr X wins when his last black ticket is answered without catching him: a house rule.",
    "start_by": "How pieces come to where they start: by start cards; by choice, the hunters openly and then Mr X"
    " secretly; or by distribution of the hunters over cards that lie open, Mr X drawing his own.",
    "start_cards_mr_x": "Stations on Mr X's start cards.",
    "start_cards_hunters": "Stations on the hunters' start cards.",
    "master.actions_per_round": "Special actions that the detective side may use in a round, all seats together.",
    "master.action_when_surfaced": "Whether it may use one while Mr X's pawn stands on the board.",
    "master.per_game_cap": "How often each special action may be used in a game; 0: as often as one likes.",
    "master.cooldown": "Rounds without a special action after one with any.",
    "master.offered": "How many of the four special actions each round offers, drawn anew.",
    "master.masts": "The masts, each by its station.",
    "master.locate_near": "Up to so many taxi moves from a mast Locate says near.",
    "master.locate_medium": "Up to so many it says medium, and beyond far.",
    "master.scan_mast": "Which mast a Scan measures from.",
    "master.analysis_start": "Where Analysis lets Mr X have started.",
    "master.landmarks": "Landmarks, each with the stations next to it and its place on the map.",
    "master.near_radius": "The zone of a landmark is its stations and all within so many taxi moves of them.",
    "master.recent_window": "How many of the latest fields of the log witnesses remember.",
    "master.meeting_fields": "The fields of the log after which a meeting point is shown to Mr X.",
    "master.meeting_distance": "The least number of taxi moves from him and from open meeting points to a new one.",
    "master.meetings_to_survive": "Meeting points that he must have reached when the game ends.",
    "master.meetings_to_win": "Meeting points that win at once; 0: none do.",
    "master.announce_visit": "Whether the others are told that he has reached one.",
    "master.helicopter_tickets": "Helicopter tickets of Mr X.",
    "master.helicopter_grant": "When he gets them: as the game begins, or with meeting points that he reaches.",
    "master.helicopter_in_double": "Whether a half of a double move may go by helicopter.",
    "master.helicopter_reaches": "Whether landing on a meeting point reaches it.",
    "master.stuck_win_needs_meeting": "Whether immobile detectives need a meeting point of his for him to win.",
}

_CHOICES: dict[str, Iterable[Worded]] = {
    "end_by": EndBy,
    "mr_x_supply": MrXSupply,
    "stuck_scope": StuckScope,
    "master.scan_mast": ScanMast,
    "master.analysis_start": AnalysisStart,
    "master.helicopter_grant": HelicopterGrant,
    "start_by": StartBy,
}

_OF_TICKETS = {"detective_tickets", "two_player_pool", "box_tickets", "mr_x_hand"}


class ScotlandYardCatalog:
    """The presets and boards, worked out when first asked for."""

    @cached_property
    def presets(self) -> tuple[PresetEntry, ...]:
        return tuple(_preset(preset) for preset in edition.PRESETS.values())

    @property
    def boards(self) -> tuple[BoardEntry, ...]:
        return tuple(_board(boards.board(name)) for name in boards.names())

    def add_board(self, text: str) -> str:
        return boards.add(text).name


def _preset(preset: Preset) -> PresetEntry:
    parameters = [_parameter(name, value) for name, value in _same_for_all(preset).items()]
    for players in preset.hunters:
        parameters += [_parameter(name, value, players) for name, value in _by_players(preset, players).items()]
    return PresetEntry(preset.name, preset.title, tuple(preset.hunters), tuple(parameters))


def _same_for_all(preset: Preset) -> dict[str, object]:
    """The parameters that do not depend on the number of players, by the names of the options that set them."""
    options = edition.resolve(preset.name, min(preset.hunters))
    return {
        "house_rules": (),
        "board": preset.board,
        "end_by": preset.end_by.word,
        "rounds": preset.rounds,
        "log_fields": preset.log_fields,
        "surfacing": preset.surfacing,
        "detective_tickets": preset.hand._asdict(),
        "detective_black_tickets": options.black_hand,
        "mr_x_supply": preset.mr_x_supply.word,
        "box_tickets": preset.box._asdict(),
        "mr_x_hand": preset.mr_x_hand and preset.mr_x_hand._asdict(),
        "double_tickets": preset.double_tickets,
        "stuck_scope": options.stuck_scope.word,
        "last_black_wins": options.last_black_wins,
        "start_by": preset.start_by.word,
        "start_cards_mr_x": preset.start_cards_mr_x,
        "start_cards_hunters": preset.start_cards_hunters,
    } | ({} if preset.master is None else _of_app(preset.master))


def _of_app(master: MasterOptions) -> dict[str, object]:
    """The parameters of the app game."""
    values = {field.name: getattr(master, field.name) for field in fields(master)}
    words = {name: value.word for name, value in values.items() if isinstance(value, Worded)}
    landmarks = [landmark._asdict() for landmark in master.landmarks]
    return {f"{PREFIX}{name}": value for name, value in (values | words | {"landmarks": landmarks}).items()}


def _by_players(preset: Preset, players: int) -> dict[str, object]:
    """The parameters that a number of players sets."""
    options = edition.resolve(preset.name, players)
    found: dict[str, object] = {
        "detectives": len(options.detectives),
        "bobbies": len(options.bobbies),
        "shared_hand": options.pooled,
        "supply": options.supply._asdict(),
        "black_tickets": options.black_tickets,
    }
    return found | {"two_player_pool": options.hand._asdict()} if options.pooled else found


def _parameter(name: str, value: object, players: int = 0) -> Parameter:
    return Parameter(name, json.dumps(value), _MEANINGS[name], players, _allowed(name))


def _allowed(name: str) -> str:
    """What a host may set an option to."""
    if name.startswith(PREFIX):
        return _allowed_in_app(name.removeprefix(PREFIX))
    match name:
        case "house_rules":
            return "; ".join(f"{name}: {rule.title}" for name, rule in HOUSE_RULES.items())
        case "board":
            return "a board of this catalog"
        case "end_by" | "mr_x_supply" | "stuck_scope" | "start_by":
            return " or ".join(choice.word for choice in _CHOICES[name])
        case "surfacing":
            return "fields of the log, ascending; or none"
        case "start_cards_mr_x" | "start_cards_hunters":
            return "stations of the board, each once, enough for every piece"
        case "last_black_wins":
            return "true or false"
    if name not in RANGES:
        return ""
    least, greatest = RANGES[name]
    return f"{least} to {greatest}{' of each kind' if name in _OF_TICKETS else ''}"


def _allowed_in_app(name: str) -> str:
    """What a host may set an option of the app game to."""
    match name:
        case "scan_mast" | "analysis_start" | "helicopter_grant":
            return " or ".join(choice.word for choice in _CHOICES[f"{PREFIX}{name}"])
        case "masts":
            return "stations of the board, each once"
        case "landmarks":
            return "names, each once, with stations of the board"
        case "meeting_fields":
            return "fields of the log, ascending; or none"
    if name not in MASTER_RANGES:
        return "true or false"
    least, greatest = MASTER_RANGES[name]
    return f"{least} to {greatest}"


@lru_cache
def _board(board: Board) -> BoardEntry:
    places = tuple(
        Place(station, point.x, point.y, _stops(board, station)) for station, point in board.coordinates.items()
    )
    lines = tuple(Line(transport.word, *line) for transport in Transport for line in board.edges[transport])
    height = max(place.y for place in places)
    return BoardEntry(board.name, board.about or board.name, boards.MAP_WIDTH, height, places, lines)


def _stops(board: Board, station: Station) -> tuple[str, ...]:
    return tuple(transport.word for transport in Transport if board.neighbours(station, transport))


catalog = ScotlandYardCatalog()
