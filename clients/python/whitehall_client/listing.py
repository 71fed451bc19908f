"""Legal moves as text: each is ready to be played as it is."""

from __future__ import annotations

from collections.abc import Iterator

from whitehall_client.gen.whitehall.cluedo.v1 import move_pb2 as cluedo_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import move_pb2 as yard_pb2


def scotland_yard_texts(moves: yard_pb2.LegalMoves) -> list[str]:
    """Every move, piece by piece: rides, flights, doubles, passes, placements; then special actions."""
    return [*(text for piece in moves.pieces for text in _piece(piece)), *(action.text for action in moves.actions)]


def _piece(moves: yard_pb2.PieceMoves) -> Iterator[str]:
    yield from (ride.text for ride in moves.rides)
    yield from (f"helicopter {station}" for station in moves.flights)
    for group in moves.doubles:
        first = group.first.text
        yield from (f"{first} {second.text}" for second in group.seconds)
        yield from (f"{first} helicopter {station}" for station in group.flights)
    if moves.may_pass:
        yield moves.pass_text
    yield from (f"{moves.start_text} {station}" for station in moves.starts)


def cluedo_texts(moves: cluedo_pb2.LegalMoves) -> list[str]:
    """Every move but those that are put together from cards or dice: suggestions in `suggest_in`, accusations where
    `may_accuse`, and rolls where the table has dice of its own.
    """
    roll = [moves.roll.text] if moves.HasField("roll") and not moves.roll.physical else []
    end = [moves.end.text] if moves.HasField("end") else []
    return [
        *roll,
        *(destination.text for destination in moves.destinations),
        *(passage.text for passage in moves.passages),
        *(show.text for show in moves.shows),
        *end,
    ]
