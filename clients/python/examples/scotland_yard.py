"""A whole game of Scotland Yard between simple players: `python scotland_yard.py [HOST:PORT] [PRESET]`.

Mr X keeps away from where hunters can come next; detectives head for where he can be.
"""

from __future__ import annotations

import random
import sys

import whitehall_client
from whitehall_client.blocking.scotland_yard import Seat
from whitehall_client.gen.whitehall.common.v1 import game_pb2


def choose(seat: Seat, is_mr_x: bool) -> str:
    """A move: any of those that lead where it wants to be, else any."""
    moves = seat.moves()
    wanted = {station.station for station in seat.deductions().deductions.strong}
    # A move's last word is the station where it ends.
    ends = {move: int(move.split()[-1]) for move in moves if move.split()[-1].isdigit()}
    good = [move for move, station in ends.items() if (station in wanted) != is_mr_x and "double" not in move]
    return random.choice(good or moves)


def main(target: str = "localhost:50051", preset: str = "new") -> None:
    """Plays to the end and says who won."""
    with whitehall_client.connect(target) as service:
        yard = service.scotland_yard
        made = yard.create_game(preset, players=4)
        seats = [yard.claim(invitation) for invitation in made.seats.values()]
        game = seats[0].game()
        while game.info.status == game_pb2.GAME_STATUS_ACTIVE:
            to_move = game.info.to_move[0]
            update = seats[to_move].play(choose(seats[to_move], to_move == 0)).update
            print(f"round {update.game.view.round:2}:", *(event.text for event in update.revision.events if event.text))
            game = update.game
        rules = {rule.id: rule.sentence_en for rule in service.catalog.rules("scotland-yard")}
        winners = [game.info.seats[seat].name for seat in game.view.outcome.winners]
        print("won by", ", ".join(winners), "|", rules[game.view.outcome.rule])
        yard.host(made.game_id, made.host_token).delete()


if __name__ == "__main__":
    main(*sys.argv[1:])
