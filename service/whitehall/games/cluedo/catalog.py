"""Cluedo's entries in the catalog, made from the tables that the rules themselves use."""

import json
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from whitehall.games.cluedo import boards, edition
from whitehall.games.cluedo.board import Board
from whitehall.games.cluedo.card import Category
from whitehall.games.cluedo.edition import MOST_CARDS, PLAYERS, Preset
from whitehall.games.cluedo.options import AccusationMoment, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.place import Square
from whitehall.games.cluedo.theme import Name
from whitehall.games.core.catalog import BoardEntry, Line, Parameter, Place, PresetEntry
from whitehall.games.core.word import Worded

_MEANINGS = {
    "board": "The board, by its name in this catalog.",
    "movement": "How much of a roll a pawn walks: all of it unless it enters a room before, or up to all of it.",
    "accusations": "When a seat may accuse: at the start of its turn and after its suggestion, or at any time in it.",
    "dice": "Who rolls: the service, or the table with dice of its own.",
    "leftovers": "What happens to cards that do not go round evenly: dealt all the same, or laid open.",
    "neutral_cards": "Cards laid open before the deal, in a game of two.",
    "first_dealt": "The seat that is dealt to first.",
    "suspects": "What the suspects are called, S1 first.",
    "weapons": "What the weapons are called, W1 first.",
    "locations": "What the locations are called, L1 first.",
    "room_slots": "The board's room of each location, L1 first.",
    "hand_sizes": "How many cards each seat is dealt.",
}

_CHOICES: dict[str, Iterable[Worded]] = {
    "movement": Movement,
    "accusations": AccusationMoment,
    "dice": DiceSource,
    "leftovers": Leftovers,
}

_MOST_NEUTRAL = MOST_CARDS - len(Category) - PLAYERS[0]

_ALLOWED = {
    "board": "a board of this catalog",
    "neutral_cards": f"0 to {_MOST_NEUTRAL}, so many that each seat is dealt a card; in a game of two",
    "first_dealt": "a seat of the game",
    "suspects": "names, as many as the board has start squares or fewer",
    "weapons": f"names; all cards together at most {MOST_CARDS}",
    "locations": "names, as many as the board has rooms",
    "room_slots": "the board's rooms, each once",
}


class CluedoCatalog:
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
    theme = preset.theme
    same: dict[str, object] = {
        "board": preset.board,
        "movement": preset.movement.word,
        "accusations": preset.accusations.word,
        "dice": preset.dice.word,
        "leftovers": preset.leftovers.word,
        "neutral_cards": preset.neutral_cards,
        "first_dealt": 0,
        "suspects": _texts(theme.suspects),
        "weapons": _texts(theme.weapons),
        "locations": _texts(theme.locations),
        "room_slots": theme.slots,
    }
    parameters = [_parameter(name, value) for name, value in same.items()]
    for players in PLAYERS:
        parameters.append(_parameter("hand_sizes", edition.resolve(preset.name, players).hand_sizes, players))
    return PresetEntry(preset.name, preset.title, PLAYERS, tuple(parameters))


def _texts(names: Iterable[Name]) -> list[str]:
    return [name.text for name in names]


def _parameter(name: str, value: object, players: int = 0) -> Parameter:
    allowed = " or ".join(choice.word for choice in _CHOICES[name]) if name in _CHOICES else ""
    return Parameter(name, json.dumps(value), _MEANINGS[name], players, allowed or _ALLOWED.get(name, ""))


@lru_cache
def _board(board: Board) -> BoardEntry:
    numbers = {square: number for number, square in enumerate(board.corridors, 1)}
    rooms = {slot: len(numbers) + slot for slot in board.slots}
    squares = [
        Place(number, square.column + 0.5, square.row + 0.5, _kinds(board, square), square.word)
        for square, number in numbers.items()
    ]
    drawn = [Place(number, *_middle(board, slot), ("room",), f"room {slot}") for slot, number in rooms.items()]
    corridors = [
        Line("corridor", number, numbers[there])
        for square, number in numbers.items()
        for there in board.neighbours[square]
        if number < numbers[there]
    ]
    doors = [Line("door", numbers[door.square], rooms[door.slot]) for door in board.doors]
    passages = [Line("passage", rooms[one], rooms[other]) for one, other in board.passages]
    return BoardEntry(
        board.name,
        board.about or board.name,
        float(board.width),
        float(board.height),
        (*squares, *drawn),
        (*corridors, *doors, *passages),
        board.rows,
    )


def _kinds(board: Board, square: Square) -> tuple[str, ...]:
    start = ("start",) if square in board.starts else ()
    return ("corridor", *start, *(("door",) if square in board.door_at else ()))


def _middle(board: Board, slot: int) -> tuple[float, float]:
    """The middle of all squares that are drawn in a room."""
    squares = list(_drawn(board, slot))
    return (
        sum(square.column for square in squares) / len(squares) + 0.5,
        sum(square.row for square in squares) / len(squares) + 0.5,
    )


def _drawn(board: Board, slot: int) -> Iterator[Square]:
    for row, letters in enumerate(board.rows):
        yield from (Square(row, column) for column, letter in enumerate(letters) if letter == str(slot))


catalog = CluedoCatalog()
