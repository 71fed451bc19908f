"""`python -m tests.toolchain.testimony` prints what the engine says about some games and positions, one thing a line.

It goes through the package that Python finds, so that a compiled engine can be held against the pure one.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from copy import copy
from random import Random
from zlib import crc32

from tests.games.adapters import ScotlandYardAdapter
from tests.games.chance import SeededChance
from tests.games.scotland_yard.detective import watched_game
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import boards, rounds
from whitehall.games.scotland_yard.deduction import possible_locations
from whitehall.games.scotland_yard.edition import PRESETS, resolve
from whitehall.games.scotland_yard.followed_log import FollowedLogs
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.locations import Contradiction
from whitehall.games.scotland_yard.moves import Move, Together, Travel
from whitehall.games.scotland_yard.public_round import PublicRide
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.wire import storage
from whitehall.games.scotland_yard.wire.moves import encode_legal_moves
from whitehall.games.scotland_yard.wire.position_reading import read_position
from whitehall.games.scotland_yard.wire.positions import QUESTIONS, list_legal_moves, write_position
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2

GAMES = 12

_adapter = ScotlandYardAdapter()


def testimony() -> Iterator[object]:
    """Whole games of every preset and number of players; at each move what is legal, what is not and why."""
    for preset in PRESETS:
        for players in range(2, 7):
            for number in range(GAMES // 4 if players > 2 else GAMES):
                yield from _game(preset, players, number)
    yield from _logs()
    yield from _promises()


def _game(preset: str, players: int, number: int) -> Iterator[object]:
    random, chance = Random(number), SeededChance(number)
    state, events = game.setup(resolve(preset, players), chance)
    yield preset, players, events
    while game.outcome(state) is None:
        seat = random.choice(game.to_move(state))
        moves = game.legal_moves(state, seat)
        yield len(moves), crc32(encode_legal_moves(moves))
        absurd = _absurd(random, state)
        yield absurd, list(game.violations(state, seat, absurd))
        state, events = game.apply(state, seat, random.choice(moves), chance)
        yield events, storage.encode_state(state).hex()
        # A position has all its pieces on the board.
        if random.random() < 0.2 and state.phase != Phase.PLACING:
            yield from _position(state, random)
            yield possible_locations(game.view(state, None))
    yield game.outcome(state)


def _logs() -> Iterator[object]:
    """Where Mr X can be in a game that is written down as it grows, and what is wrong with it where it is spoilt."""
    followed, on = FollowedLogs(), boards.board(boards.LONDON_2013)
    for _, detective in watched_game(3, 1):
        rounds = tuple(detective.rounds)
        yield followed.locations(on, rounds)
        for wrong in ({"hunters": rounds[-1].hunters[1:]}, {"rides": (PublicRide(Ticket.TAXI, Station(500)),)}):
            try:
                yield followed.locations(on, (*rounds[:-1], rounds[-1]._replace(**wrong)))
            except (Contradiction, InvalidField) as fault:
                yield type(fault).__name__, str(fault)


def _absurd(random: Random, state: ScotlandYardState) -> Move:
    """A move that is hardly ever legal, of any kind."""
    _, stray = _adapter.stray(random, state)
    return Together((stray,)) if isinstance(stray, Travel) and random.random() < 0.25 else stray


def _position(state: ScotlandYardState, random: Random) -> Iterator[object]:
    """The position as a question, whole and with one number of it changed."""
    question = write_position(state)
    if state.outcome is None:
        yield list_legal_moves(question).hex(), storage.encode_state(read_position(question)).hex()
    for _ in range(4):
        broken = position_pb2.Position()
        broken.CopyFrom(question)
        part = random.choice(
            [broken, random.choice(broken.hunters), broken.supply, random.choice(broken.hunters).tickets]
        )
        number = random.choice([field.name for field in part.DESCRIPTOR.fields if field.type == field.TYPE_INT32])
        setattr(part, number, random.choice([-1, 0, 1, 3, 24, 30, 146, 200, 2**31 - 1]))
        try:
            yield list_legal_moves(broken).hex()
        except InvalidField as fault:
            yield type(fault).__name__, str(fault)


def _promises() -> Iterator[object]:
    """What Python promises of frozen, pickled and copied values."""
    options = resolve("new", 6)
    state, _ = game.setup(options, SeededChance(1))
    try:
        options.rounds = 1  # type: ignore[misc]
    except AttributeError as refusal:
        yield type(refusal).__name__
    yield pickle.loads(pickle.dumps(state)) == state
    yield copy(options.board) == options.board, game.legal_moves(state, Seat(0)) != ()
    yield sorted(QUESTIONS)


if __name__ == "__main__":
    for line in (rounds.__file__, *testimony()):
        sys.stdout.write(f"{line}\n")
