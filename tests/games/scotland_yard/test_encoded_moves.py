"""Lists of moves that are kept in encoded form say what the rules say."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.chance import NoChance, SeededChance
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import edition
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.wire.moves import encode_legal_moves, encode_moves_of


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_seat_is_sent_the_moves_that_the_rules_list(players: int) -> None:
    """In every position of random games, passes, waiting hunters and seats that are not to move included."""
    random = Random(players)
    options = edition.resolve("new", players)
    for seed in range(8):
        state, _ = game.setup(options, SeededChance(seed))
        while True:
            for seat in map(Seat, range(players)):
                assert encode_moves_of(state, seat) == encode_legal_moves(game.legal_moves(state, seat))
            if game.outcome(state) is not None:
                break
            seat = random.choice(game.to_move(state))
            state, _ = game.apply(state, seat, random.choice(game.legal_moves(state, seat)), NoChance())
