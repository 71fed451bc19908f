"""Seats: who sits at the table. A seat holds a token and moves pieces; a piece stands on the board."""

from typing import NewType

Seat = NewType("Seat", int)
"""The number of a seat in one game, from 0 in the order in which the game lists them."""

Viewer = Seat | None
"""Whose eyes a view is made for: a seat, or None for the public (spectators and the host)."""

PUBLIC: Viewer = None
"""The viewer that may know only what lies open on the table."""
