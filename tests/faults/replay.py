"""Replay: a record played through again by the rules, from its options, seeds and moves alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.faults.games import Played
from whitehall.games.core.chance import Draw, RecordedChance
from whitehall.games.core.seat import Seat
from whitehall.sessions.fairness import ClientSeed, CommittedChance


class Step(NamedTuple):
    """What one revision comes to."""

    state: Any
    """None as long as the game waits for its start."""
    events: tuple[Any, ...]
    draws: tuple[Draw, ...]


def replay(record: Any, played: Played) -> Iterator[Step]:
    """Every revision of a record, played again. Raises whatever the rules or the notation have against it."""
    game, options = played.wire.rules, played.options(record)
    seeds = [ClientSeed(seed.seat, seed.seed) for seed in record.fairness.client_seeds]
    seeded = CommittedChance(bytes.fromhex(record.fairness.server_seed), seeds)
    state: Any = None
    for revision in record.revisions:
        chance = RecordedChance(seeded)
        events: tuple[Any, ...] = ()
        if any(event.session.HasField("game_started") for event in revision.events):
            state, events = game.setup(options, chance)
        elif revision.moves:
            if state is None:
                raise ValueError(f"revision {revision.revision} is a move before the start")
            state, events = game.apply(state, Seat(revision.seat), played.read(revision.moves), chance)
        yield Step(state, events, chance.draws)
