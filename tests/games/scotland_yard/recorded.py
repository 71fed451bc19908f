"""Random games with their records, made by the engine and the service's chance alone."""

from __future__ import annotations

import hashlib
from random import Random

from whitehall.games.core.chance import RecordedChance
from whitehall.games.core.record import RecordedSeed
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.events import HunterPassed, HunterTravelled, MrXCaught, Placed
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove, Move, Pass, Place, Together, Travel
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.record import Placement, Record, RecordedSeat, Result
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.sessions.fairness import ClientSeed, CommittedChance, commitment


def a_record(players: int, seed: int, rounds: int = 99, *, preset: str = "new", overrides: Overrides = NONE) -> Record:
    """A game of random moves, alone and together, with its record; abandoned after so many rounds."""
    chance = Random(f"{players} {seed}")
    options = resolve(preset, players, changes=overrides)
    server_seed = hashlib.sha256(f"seed {players} {seed}".encode()).digest()
    client_seeds = [ClientSeed(-1, 'host’s "own"\n\u2028'), ClientSeed(1, "")] if seed % 2 else []
    drawn = RecordedChance(CommittedChance(server_seed, client_seeds))
    state, events = game.setup(options, drawn)
    placed = [event for event in events if isinstance(event, Placed)]
    start = [Placement(event.piece, event.station) for event in placed if event.station is not None]
    turns: list[list[Move]] = []
    while state.outcome is None and state.round <= rounds:
        seat = chance.choice(game.to_move(state))
        legal = game.legal_moves(state, seat)
        singles = [move for move in legal if not isinstance(move, DoubleMove)]
        move = chance.choice(legal if chance.random() < 0.1 else singles or list(legal))
        if isinstance(move, Travel | Pass) and state.phase is Phase.HUNTERS and chance.random() < 0.4:
            move = together(state, seat, move, chance)
        if state.phase is Phase.MR_X:
            turns.append([])
        state, events = game.apply(state, seat, move, drawn)
        if isinstance(move, Place):
            start.append(Placement(*move))
            continue
        if isinstance(move, Together) and any(isinstance(event, MrXCaught) for event in events):
            moved = sum(isinstance(event, HunterTravelled | HunterPassed) for event in events)
            move = Together(move.moves[:moved])
        turns[-1].append(move)
    outcome = state.outcome
    return Record(
        game_id="abcdefghijklmnopqrstuvwxyz",
        ruleset=game.ruleset,
        preset=preset,
        players=players,
        seats=tuple(RecordedSeat(f"Ann “{seat}”", pieces) for seat, pieces in enumerate(options.seats)),
        commitment=commitment(server_seed),
        server_seed=server_seed.hex(),
        client_seeds=tuple(RecordedSeed(given.seat, given.seed) for given in client_seeds),
        draws=drawn.draws,
        start=tuple(start),
        turns=tuple(map(tuple, turns)),
        result=None if outcome is None else Result(0 in outcome.winners, outcome.rule.id),
        overrides=overrides,
    ).sealed()


def together(state: ScotlandYardState, seat: Seat, first: Travel | Pass, chance: Random) -> Together:
    """The move, with one more of another piece of the seat where that is legal."""
    others = [move for move in game.legal_moves(state, seat) if isinstance(move, Travel | Pass)]
    for second in chance.sample(others, k=len(others)):
        batch = Together((first, second))
        if game.check(state, seat, batch) is None:
            return batch
    return Together((first,))
