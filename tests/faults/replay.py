"""Replay: a record played through again by the rules, from its options, seeds and moves alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from whitehall.games.core.chance import Draw, RecordedChance
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import notation
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import Move, Pass, Together, Travel
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.gen.whitehall.scotlandyard.v1 import record_pb2
from whitehall.sessions.fairness import ClientSeed, CommittedChance


class Step(NamedTuple):
    """What one revision comes to."""

    state: ScotlandYardState | None
    """None as long as the game waits for its start."""
    events: tuple[Event, ...]
    draws: tuple[Draw, ...]


def replay(record: record_pb2.Record) -> Iterator[Step]:
    """Every revision of a record, played again. Raises whatever the rules or the notation have against it."""
    options = resolve(record.preset, record.players, [[Piece(piece) for piece in seat.pieces] for seat in record.seats])
    seeds = [ClientSeed(seed.seat, seed.seed) for seed in record.fairness.client_seeds]
    seeded = CommittedChance(bytes.fromhex(record.fairness.server_seed), seeds)
    state: ScotlandYardState | None = None
    for revision in record.revisions:
        chance = RecordedChance(seeded)
        events: tuple[Event, ...] = ()
        if any(event.session.HasField("game_started") for event in revision.events):
            state, events = game.setup(options, chance)
        elif revision.moves:
            if state is None:
                raise ValueError(f"revision {revision.revision} is a move before the start")
            state, events = game.apply(state, Seat(revision.seat), _move(revision.moves), chance)
        yield Step(state, events, chance.draws)


def _move(texts: Sequence[str]) -> Move:
    """The move that a revision's texts stand for; several were sent together."""
    moves = [notation.parse(text) for text in texts]
    if len(moves) == 1:
        return moves[0]
    return Together(tuple(move for move in moves if isinstance(move, Travel | Pass)))
