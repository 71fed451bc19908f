"""Seating: which seat plays which pieces."""

from collections.abc import Sequence

from whitehall.games.core.fault import OptionsError
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import rulebook
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.piece import Piece


def usual_seats(detectives: tuple[Piece, ...], seats: int) -> tuple[tuple[Piece, ...], ...]:
    """Seat 0 for Mr X, and so many seats with an equal share of the detectives."""
    share = len(detectives) // seats
    return ((Piece.MR_X,), *(detectives[first : first + share] for first in range(0, len(detectives), share)))


def checked_seats(
    seats: Sequence[Sequence[Piece]], detectives: tuple[Piece, ...], pooled: bool
) -> tuple[tuple[Piece, ...], ...]:
    """The seats as asked for. Raises `OptionsError` where they cannot be, for a hand that is `pooled` too."""
    if not seats or tuple(seats[MR_X_SEAT]) != (Piece.MR_X,):
        reason = Text("seat 0 must hold Mr X and nothing else", "la place 0 doit revenir à Mister X seul")
        raise OptionsError("seats", reason, rulebook.MR_X_SITS_ALONE)
    listed = [piece for seat in seats[1:] for piece in seat]
    for piece in listed:
        if piece.is_bobby:
            reason = Text(f"{piece.word} belongs to no seat", f"{piece.word} n'appartient à aucune place")
            raise OptionsError("seats", reason, rulebook.BOBBIES_HAVE_NO_SEAT)
        if piece not in detectives:
            reason = Text(
                f"{piece.word} is no detective of this game", f"{piece.word} n'est pas un détective de cette partie"
            )
            raise OptionsError("seats", reason, rulebook.SEATS_SHARE_DETECTIVES)
    for piece in detectives:
        if listed.count(piece) != 1:
            reason = Text(f"{piece.word} must have exactly one seat", f"il faut exactement une place à {piece.word}")
            raise OptionsError("seats", reason, rulebook.SEATS_SHARE_DETECTIVES)
    if not all(seats):
        reason = Text("every seat must hold a piece", "chaque place doit tenir un pion")
        raise OptionsError("seats", reason, rulebook.SEATS_SHARE_DETECTIVES)
    if pooled and len(seats) != 2:
        reason = Text(
            "detectives with a shared hand must share a seat",
            "des détectives qui partagent une main partagent une place",
        )
        raise OptionsError("seats", reason, rulebook.ONE_HAND_ONE_SEAT)
    return tuple(tuple(seat) for seat in seats)
