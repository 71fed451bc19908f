"""Games in which nobody is caught: for tests that need a game to go on."""

from __future__ import annotations

from random import Random

from tests.api.table import Table, move_texts
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2


async def play_on(table: Table, revisions: int, seed: int = 0) -> game_pb2.Game:
    """Plays so many moves, none of which ends the game; the game as Mr X then sees it."""
    chance = Random(seed)
    game = await table.get(table.mr_x)
    for _ in range(revisions):
        seat = chance.choice(list(game.info.to_move))
        texts = [text for text in move_texts((await table.legal(seat)).moves) if "double" not in text]
        hides_on = f" {game.view.mr_x.station}"
        await table.play(seat, chance.choice([text for text in texts if not text.endswith(hides_on)]))
        game = await table.get(table.mr_x)
    return game
