"""Moves: what a seat tries."""

from dataclasses import dataclass
from typing import NamedTuple

from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.ticket import Station, Ticket


class Ride(NamedTuple):
    """One half of a double move: a ticket and the station it leads to."""

    ticket: Ticket
    station: Station


class Travel(NamedTuple):
    """A piece rides one line to a neighbouring station. A Bobby names the line's ticket but does not spend one."""

    piece: Piece
    ticket: Ticket
    station: Station


class DoubleMove(NamedTuple):
    """Mr X spends a double ticket and rides twice in one round."""

    first: Ride
    second: Ride


class Pass(NamedTuple):
    """A hunter stays where it is because it cannot move."""

    piece: Piece


class Place(NamedTuple):
    """A piece is put on the station where it starts, before the first round."""

    piece: Piece
    station: Station


class Together(NamedTuple):
    """Moves of several hunters by one seat, judged whole and made in this order."""

    moves: tuple[Travel | Pass, ...]


class AppMove:
    """What the detective side asks of the app."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class UseAction(AppMove):
    """The detective side uses a special action. No tuple, lest the second action equal a pass of the second piece."""

    action: SpecialAction


@dataclass(frozen=True, slots=True)
class Hear(AppMove):
    """The detective side chooses the landmark whose witnesses it hears, where an Interrogation found several."""

    landmark: str


Single = Travel | DoubleMove | Pass | Place | UseAction | Hear
"""A move that is not made of others."""

Move = Single | Together
