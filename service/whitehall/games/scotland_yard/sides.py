"""Sides: who moves in a position that is asked about without a game. One seat is Mr X's, and one moves all hunters."""

from functools import lru_cache

from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import edition
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Together, UseAction
from whitehall.games.scotland_yard.options import MR_X_SEAT, ScotlandYardOptions
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState

HUNTERS_SEAT = Seat(1)
"""The seat of all hunters."""


@lru_cache(64)
def sides(preset: str, players: int, changes: Overrides = NONE) -> ScotlandYardOptions:
    """The options of a position: as in a game for so many players, but with one seat that moves all hunters.

    Raises `OptionsError`.
    """
    detectives = edition.resolve(preset, players).detectives
    return edition.resolve(preset, players, [(Piece.MR_X,), detectives], changes)


def side_to_move(state: ScotlandYardState) -> Seat:
    """The seat whose turn it is."""
    return MR_X_SEAT if state.phase is Phase.MR_X else HUNTERS_SEAT


def side_of(move: Move) -> Seat:
    """The seat that a move belongs to: moves together are the hunters', whatever is among them, and so are special
    actions.
    """
    if isinstance(move, DoubleMove):
        return MR_X_SEAT
    if isinstance(move, Together | UseAction | Hear):
        return HUNTERS_SEAT
    return MR_X_SEAT if move.piece is Piece.MR_X else HUNTERS_SEAT


def piece_meant(state: ScotlandYardState) -> Piece | None:
    """The piece that is meant where a move names none; None where one has to be named."""
    return Piece.MR_X if state.phase is Phase.MR_X else None
