"""Scotland Yard's entries in the catalog, made from the tables that the rules themselves use."""

import json
from functools import cached_property

from whitehall.games.core.catalog import BoardEntry, Line, Parameter, Place, PresetEntry
from whitehall.games.scotland_yard import boards, edition
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.edition import Preset
from whitehall.games.scotland_yard.ticket import Station, Transport

_TITLES = {
    "new": "Scotland Yard with Bobbies and a common supply of tickets",
    boards.LONDON_2013: "London, 199 stations, as printed since 2013",
}

_FRAME = 1000.0
"""Coordinates are thousandths of the map's width."""


class ScotlandYardCatalog:
    """The presets and boards, worked out when first asked for."""

    @cached_property
    def presets(self) -> tuple[PresetEntry, ...]:
        return tuple(_preset(preset) for preset in edition.PRESETS.values())

    @cached_property
    def boards(self) -> tuple[BoardEntry, ...]:
        return tuple(_board(boards.board(name)) for name in boards.PACKAGED)


def _preset(preset: Preset) -> PresetEntry:
    parameters = [
        _parameter("board", preset.board, "The board, by its name in this catalog."),
        _parameter("rounds", preset.rounds, "Rounds after which Mr X has escaped."),
        _parameter("log_fields", preset.log_fields, "Fields of Mr X's log, one for each of his moves."),
        _parameter("surfacing", preset.surfacing, "The log fields at which Mr X surfaces."),
        _parameter("box", preset.box._asdict(), "Normal tickets in the box, by kind."),
        _parameter("hand", preset.hand._asdict(), "Normal tickets of each detective, by kind."),
        _parameter("black_tickets", preset.black_tickets, "Black tickets of Mr X."),
        _parameter("double_tickets", preset.double_tickets, "Double tickets of Mr X."),
        _parameter("start_cards_mr_x", preset.start_cards_mr_x, "Stations on Mr X's start cards."),
        _parameter("start_cards_hunters", preset.start_cards_hunters, "Stations on the hunters' start cards."),
    ]
    for players, hunters in preset.hunters.items():
        options = edition.resolve(preset.name, players)
        parameters += [
            _parameter("detectives", hunters.detectives, "Detectives on the board.", players),
            _parameter("bobbies", hunters.bobbies, "Bobbies on the board.", players),
            _parameter("shared_hand", hunters.pooled, "Whether the detectives spend from one hand.", players),
            _parameter("supply", options.supply._asdict(), "Tickets in the common supply at the start.", players),
        ]
    return PresetEntry(preset.name, _TITLES[preset.name], tuple(preset.hunters), tuple(parameters))


def _parameter(name: str, value: object, description: str, players: int = 0) -> Parameter:
    return Parameter(name, json.dumps(value), description, players)


def _board(board: Board) -> BoardEntry:
    places = tuple(
        Place(station, point.x, point.y, _stops(board, station)) for station, point in board.coordinates.items()
    )
    lines = tuple(Line(transport.word, *line) for transport in Transport for line in board.edges[transport])
    height = max(place.y for place in places)
    return BoardEntry(board.name, _TITLES[board.name], _FRAME, height, places, lines)


def _stops(board: Board, station: Station) -> tuple[str, ...]:
    return tuple(transport.word for transport in Transport if board.neighbours(station, transport))


catalog = ScotlandYardCatalog()
