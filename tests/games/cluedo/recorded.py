"""Random games with their records, made by the engine and the service's chance alone."""

import hashlib
from random import Random

from tests.games.cluedo.worlds import choose
from whitehall.games.cluedo.edition import resolve
from whitehall.games.cluedo.game import game
from whitehall.games.cluedo.moves import Move
from whitehall.games.cluedo.overrides import NONE, Overrides
from whitehall.games.cluedo.record import Record, RecordedSeat, Result
from whitehall.games.core.chance import RecordedChance
from whitehall.games.core.record import RecordedSeed
from whitehall.sessions.fairness import ClientSeed, CommittedChance, commitment


def a_record(players: int, seed: int, turns: int = 999, *, overrides: Overrides = NONE) -> Record:
    """A game of random moves with its record; abandoned after so many turns."""
    random = Random(f"{players} {seed}")
    options = resolve("james-bond", players, changes=overrides)
    server_seed = hashlib.sha256(f"seed {players} {seed}".encode()).digest()
    client_seeds = [ClientSeed(-1, 'host’s "own"\n\u2028'), ClientSeed(1, "")] if seed % 2 else []
    drawn = RecordedChance(CommittedChance(server_seed, client_seeds))
    state, _ = game.setup(options, drawn)
    played: list[list[Move]] = []
    while state.outcome is None and state.turn <= turns:
        if len(played) < state.turn:
            played.append([])
        seat = game.to_move(state)[0]
        move = choose(random, game.legal_moves(state, seat), 0.1)
        played[-1].append(move)
        state, _ = game.apply(state, seat, move, drawn)
    outcome = state.outcome
    winner = options.seats[outcome.winners[0]] if outcome is not None and outcome.winners else None
    return Record(
        game_id="abcdefghijklmnopqrstuvwxyz",
        ruleset=game.ruleset,
        preset="james-bond",
        players=players,
        seats=tuple(RecordedSeat(f"Ann “{seat}”", pawn) for seat, pawn in enumerate(options.seats)),
        commitment=commitment(server_seed),
        server_seed=server_seed.hex(),
        client_seeds=tuple(RecordedSeed(given.seat, given.seed) for given in client_seeds),
        draws=drawn.draws,
        turns=tuple(map(tuple, played)),
        result=None if outcome is None else Result(winner, outcome.rule.id),
        overrides=overrides,
    ).sealed()
