"""Themes: what the cards are called, and where on the board each location lies."""

from dataclasses import dataclass
from typing import NamedTuple


class Name(NamedTuple):
    """A card's name. `placeholder` marks one that we made up because the edition's own was not to be had."""

    text: str
    placeholder: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """The names of all cards, S1, W1 and L1 first."""

    name: str
    """What the theme is called, such as `007`."""
    suspects: tuple[Name, ...]
    weapons: tuple[Name, ...]
    locations: tuple[Name, ...]
    slots: tuple[int, ...]
    """The board's room slot of each location, L1 first; each slot once."""
    about: str = ""
    """One line about it, for people."""
