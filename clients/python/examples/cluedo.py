"""A whole game of Cluedo James Bond by asyncio, each player a task that watches: `python cluedo.py [HOST:PORT]`.

Players suggest what may be the solution, and accuse as soon as the service's deductions leave a single one.
"""

from __future__ import annotations

import asyncio
import random
import sys
from contextlib import aclosing, suppress

from whitehall_client import IllegalMove, StaleRevision, aio
from whitehall_client.aio.cluedo import Seat


async def choose(seat: Seat) -> str:
    """A move that may be made now."""
    legal = (await seat.legal_moves()).moves
    if legal.may_accuse or legal.suggest_in:
        solutions = (await seat.deductions()).deductions.solutions
        case = random.choice(solutions).envelope
        if legal.may_accuse and len(solutions) == 1:
            return f"accuse {case.suspect} {case.weapon} {case.location}"
        if legal.suggest_in:
            return f"suggest {case.suspect} {case.weapon} {legal.suggest_in}"
    moves = await seat.moves()
    rooms = [move for move in moves if " enter " in move]
    return random.choice(rooms or moves)


async def play(seat: Seat, number: int) -> None:
    """Moves whenever it is the seat's turn, until the game is over."""
    async with aclosing(seat.watch()) as news:
        async for message in news:
            game = message.update.game
            if number in game.info.to_move:
                # Where this news is old by now, newer is on its way.
                with suppress(IllegalMove, StaleRevision):
                    await seat.play(await choose(seat), expected_revision=game.info.revision)


async def main(target: str = "localhost:50051") -> None:
    """Plays to the end and says who won."""
    async with aio.connect(target) as service:
        made = await service.cluedo.create_game(players=3)
        seats = [await service.cluedo.claim(invitation) for invitation in made.seats.values()]
        await asyncio.gather(*(play(seat, number) for number, seat in enumerate(seats)))
        view = (await seats[0].game()).view
        case, names = view.envelope, {card.card: card.name for card in view.cards}
        print("it was", names[case.suspect], "with", names[case.weapon], "at", names[case.location])
        print("won by", ", ".join(made.game.info.seats[seat].name for seat in view.outcome.winners) or "nobody")
        await service.cluedo.host(made.game_id, made.host_token).delete()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
