"""Editions: the rulebook's table as data, and how a game's options are made from it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from unicodedata import normalize

from whitehall.games.cluedo import boards, rulebook, themes
from whitehall.games.cluedo.board import Board
from whitehall.games.cluedo.card import Card, Category, suspect
from whitehall.games.cluedo.options import AccusationMoment, CluedoOptions, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.overrides import NONE, Overrides
from whitehall.games.cluedo.theme import Name, Theme
from whitehall.games.core.fault import BadBoard, OptionsError
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import at_least, must_be, no_seat
from whitehall.games.core.text import Text

PLAYERS = (2, 3, 4, 5, 6)
MOST_CARDS = 27


@dataclass(frozen=True, slots=True)
class Preset:
    """One edition's table."""

    name: str
    title: str
    """One line about it, for people."""
    board: str
    theme: Theme
    movement: Movement
    accusations: AccusationMoment
    dice: DiceSource
    leftovers: Leftovers
    neutral_cards: int


JAMES_BOND = Preset(
    name="james-bond",
    title="Cluedo James Bond, on the classic grid",
    board=boards.MANSION,
    theme=themes.theme(themes.AGENTS),
    movement=Movement.EXACT,
    accusations=AccusationMoment.RULEBOOK,
    dice=DiceSource.SERVICE,
    leftovers=Leftovers.DEALT,
    neutral_cards=0,
)

PRESETS: Mapping[str, Preset] = MappingProxyType({JAMES_BOND.name: JAMES_BOND})
"""By name, the default first."""


def resolve(preset: str, players: int, seats: Sequence[Card] | None = None, changes: Overrides = NONE) -> CluedoOptions:
    """The options of a game: the preset's table with these changes. `seats` holds each seat's pawn, clockwise.

    Raises `OptionsError` for what cannot work.
    """
    if preset not in PRESETS:
        raise OptionsError("preset", _one_of(PRESETS), rulebook.KNOWN_PRESET)
    table = PRESETS[preset]
    if players not in PLAYERS:
        raise OptionsError("players", must_be(PLAYERS[0], PLAYERS[-1]), rulebook.TWO_TO_SIX)
    try:
        board = boards.board(changes.board or table.board)
    except BadBoard as error:
        raise OptionsError("overrides.board", error.text, rulebook.KNOWN_BOARD) from error
    theme = _theme(table.theme, board, changes)
    pawns = tuple(suspect(number) for number in range(1, players + 1)) if seats is None else tuple(seats)
    leftovers = changes.leftovers or table.leftovers
    neutral = table.neutral_cards if changes.neutral_cards is None else changes.neutral_cards
    first = changes.first_dealt or 0
    for fault in (
        *_theme_faults(theme, board),
        *_seat_faults(pawns, players, theme),
        *_deal_faults(theme, players, neutral, first, changes),
    ):
        raise fault
    return CluedoOptions(
        preset=preset,
        seats=pawns,
        board=board,
        theme=theme,
        movement=changes.movement or table.movement,
        accusations=changes.accusations or table.accusations,
        dice=changes.dice or table.dice,
        leftovers=leftovers,
        neutral_cards=neutral,
        first_dealt=Seat(first),
    )


def _one_of(names: Iterable[str]) -> Text:
    known = ", ".join(names)
    return Text(f"there are: {known}", f"il y a : {known}")


def _theme(usual: Theme, board: Board, changes: Overrides) -> Theme:
    locations = _named(usual.locations, changes.locations)
    # A board with another number of rooms takes as many locations of the theme, in their order.
    slots = usual.slots if len(usual.slots) == len(locations) else tuple(range(1, len(locations) + 1))
    return Theme(
        name=usual.name,
        about=usual.about,
        suspects=_named(usual.suspects, changes.suspects),
        weapons=_named(usual.weapons, changes.weapons),
        locations=locations,
        slots=slots if changes.room_slots is None else changes.room_slots,
    )


def _named(usual: tuple[Name, ...], names: tuple[str, ...] | None) -> tuple[Name, ...]:
    """The names asked for. One that is the theme's own stays marked as it is."""
    if names is None:
        return usual
    known = {_as_read(name.text): name for name in usual}
    return tuple(known.get(_as_read(name), Name(name)) for name in names)


def _as_read(name: str) -> str:
    """What two names have in common that look the same: letters with accents can be written in two ways."""
    return normalize("NFC", name)


def _theme_faults(theme: Theme, board: Board) -> Iterator[OptionsError]:
    for field in ("suspects", "weapons", "locations"):
        names = [_as_read(name.text) for name in getattr(theme, field)]
        if not names:
            reason = Text("the envelope takes one", "l'étui en prend une")
            yield OptionsError(f"overrides.{field}", reason, rulebook.CARDS_FOR_ALL)
        if not all(name.strip() for name in names):
            reason = Text("every card has a name", "chaque carte a un nom")
            yield OptionsError(f"overrides.{field}", reason, rulebook.NAMES_DIFFER)
        if len(set(names)) < len(names):
            reason = Text("two have the same name", "deux portent le même nom")
            yield OptionsError(f"overrides.{field}", reason, rulebook.NAMES_DIFFER)
    if len(theme.suspects) > len(board.starts):
        starts = len(board.starts)
        reason = Text(f"the board has {starts} start squares", f"le plateau a {starts} cases de départ")
        yield OptionsError("overrides.suspects", reason, rulebook.START_FOR_ALL)
    if len(theme.locations) != len(board.slots):
        rooms = len(board.slots)
        reason = Text(f"the board has {rooms} rooms", f"le plateau a {rooms} pièces")
        yield OptionsError("overrides.locations", reason, rulebook.START_FOR_ALL)
    if sorted(theme.slots) != list(board.slots):
        reason = Text("must be the board's rooms, each once", "il faut les pièces du plateau, chacune une fois")
        yield OptionsError("overrides.room_slots", reason, rulebook.START_FOR_ALL)


def _seat_faults(pawns: tuple[Card, ...], players: int, theme: Theme) -> Iterator[OptionsError]:
    if len(pawns) != players:
        reason = Text(f"must be {players}, one for each player", f"il en faut {players}, une par personne")
        yield OptionsError("seats", reason, rulebook.TWO_TO_SIX)
    known = {suspect(number) for number in range(1, len(theme.suspects) + 1)}
    for index, pawn in enumerate(pawns):
        if pawn not in known:
            reason = Text(f"there is no pawn {pawn.word}", f"il n'y a pas de pion {pawn.word}")
            yield OptionsError(f"seats[{index}].pawn", reason, rulebook.TWO_TO_SIX)
        if pawn in pawns[:index]:
            reason = Text(f"{pawn.word} is taken", f"{pawn.word} est déjà pris")
            yield OptionsError(f"seats[{index}].pawn", reason, rulebook.TWO_TO_SIX)


def _deal_faults(theme: Theme, players: int, neutral: int, first: int, changes: Overrides) -> Iterator[OptionsError]:
    cards = len(theme.suspects) + len(theme.weapons) + len(theme.locations)
    if cards > MOST_CARDS or cards - len(Category) < players:
        reason = Text(f"the deck has {cards} cards", f"le paquet a {cards} cartes")
        yield OptionsError("overrides", reason, rulebook.CARDS_FOR_ALL)
    if changes.neutral_cards is not None and players != PLAYERS[0]:
        reason = Text("is for a game of two", "seulement à deux joueurs")
        yield OptionsError("overrides.neutral_cards", reason, rulebook.NEUTRAL_FOR_TWO)
    if neutral < 0:
        yield OptionsError("overrides.neutral_cards", at_least(0), rulebook.NEUTRAL_FOR_TWO)
    if cards - len(Category) - neutral < players:
        reason = Text("leaves too few cards to deal", "laisse trop peu de cartes à distribuer")
        yield OptionsError("overrides.neutral_cards", reason, rulebook.NEUTRAL_FOR_TWO)
    if not 0 <= first < players:
        yield OptionsError("overrides.first_dealt", no_seat(first), rulebook.DEALT_FIRST)
