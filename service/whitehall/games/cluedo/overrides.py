"""Overrides: what a host may change of a preset."""

from dataclasses import dataclass

from whitehall.games.cluedo.options import AccusationMoment, DiceSource, Leftovers, Movement


@dataclass(frozen=True, slots=True)
class Overrides:
    """What differs from the preset. None: as the preset has it."""

    board: str | None = None
    movement: Movement | None = None
    accusations: AccusationMoment | None = None
    dice: DiceSource | None = None
    leftovers: Leftovers | None = None
    neutral_cards: int | None = None
    """Cards laid open before the deal, in a game of two only."""
    first_dealt: int | None = None
    """The seat that is dealt to first."""
    suspects: tuple[str, ...] | None = None
    """Names of all suspects, S1 first; as many as there shall be cards and pawns."""
    weapons: tuple[str, ...] | None = None
    """Names of all weapons, W1 first."""
    locations: tuple[str, ...] | None = None
    """Names of all locations, L1 first; as many as the board has rooms."""
    room_slots: tuple[int, ...] | None = None
    """The board's room slot of each location, L1 first."""


NONE = Overrides()
"""The preset as it is."""
