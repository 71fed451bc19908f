"""What a game tells people who have not begun one: its presets and its boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Parameter(NamedTuple):
    """One parameter of a preset: its value as JSON, and what it means. `players` 0: for any number of them.

    `allowed` says for people what a host may set it to; it is empty where he may not.
    """

    name: str
    value: str
    description: str
    players: int = 0
    allowed: str = ""


@dataclass(frozen=True, slots=True)
class PresetEntry:
    """A preset with every parameter that it sets."""

    name: str
    title: str
    players: tuple[int, ...]
    parameters: tuple[Parameter, ...]


class Place(NamedTuple):
    """A place on a board, by the number printed at it or one of ours, and what it is.

    `name` is what it is called in notation, where that is not its number.
    """

    number: int
    x: float
    y: float
    kinds: tuple[str, ...]
    name: str = ""


class Line(NamedTuple):
    """A line between two places, open in both directions; the smaller number first."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A board as a drawing needs it. `rows` draws one that consists of squares."""

    name: str
    title: str
    width: float
    height: float
    places: tuple[Place, ...]
    lines: tuple[Line, ...]
    rows: tuple[str, ...] = ()


class Catalog(Protocol):
    """One game's entries. Each game folder has them in its `catalog`; its default preset and board come first."""

    @property
    def presets(self) -> Sequence[PresetEntry]:
        """The presets."""
        ...

    @property
    def boards(self) -> Sequence[BoardEntry]:
        """The boards."""
        ...

    def add_board(self, text: str) -> str:
        """Adds an operator's board, which games can then be played on, and tells its name. Raises `BadBoard`, and
        `NameTaken` where another board has the name.

        To add one a second time changes nothing.
        """
        ...
