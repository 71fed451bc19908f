"""Games to be played over the wire: every move chosen and every request encoded before the clock starts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple
from uuid import uuid4

import grpc

from tests.bench import games
from tests.bench.calls import Metadata, Question, bearing, unary
from tests.bench.echo import SERVICE as ECHO
from tests.bench.server import OPERATOR_TOKEN
from whitehall.games.scotland_yard.moves import DoubleMove, Move, Pass, Travel
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.position import position
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.wire.numbers import piece_number, ticket_number
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, move_pb2, service_pb2


class Match(NamedTuple):
    """A game on the server that nobody has moved in yet, and all its moves to come."""

    game_id: str
    seats: tuple[Metadata, ...]
    moves: Iterator[Question]
    """A PlayMove for each move, up to the end of the game."""


class Matchmaker:
    """Makes games of five detectives at one service, be it the real one or its echo."""

    def __init__(self, channel: grpc.aio.Channel, service: str, random: Random) -> None:
        self._random = random
        self._is_echo = service == ECHO
        self._create = unary(channel, service, "CreateGame")
        self._get = unary(channel, service, "GetGame")

    async def match(self, *, keeps_doubles: bool = False) -> Match:
        """A new game, and random moves for it. With `keeps_doubles` Mr X never rides twice."""
        request = service_pb2.CreateGameRequest(preset=games.PRESET, players=games.PLAYERS, request_id=str(uuid4()))
        answer = await self._create(request.SerializeToString(), metadata=bearing(OPERATOR_TOKEN))
        created = service_pb2.CreateGameResponse.FromString(answer)
        game_id = created.game.info.game_id
        seats = tuple(bearing(invitation.token) for invitation in created.invitations)
        # An echo has no start cards, and does not mind which moves it is sent.
        state = games.start(self._random) if self._is_echo else await self._dealt(game_id, seats[0])
        moves = games.play(state, self._random, keeps_doubles=keeps_doubles)
        return Match(game_id, seats, iter([(seats[seat], question(game_id, move)) for _, seat, move, _ in moves]))

    async def _dealt(self, game_id: str, mr_x: Metadata) -> ScotlandYardState:
        """How the service has dealt, which Mr X may see."""
        request = service_pb2.GetGameRequest(game_id=game_id)
        answer = await self._get(request.SerializeToString(), metadata=mr_x)
        return as_dealt(games.OPTIONS, service_pb2.GetGameResponse.FromString(answer).game.view)


def as_dealt(options: ScotlandYardOptions, view: game_pb2.View) -> ScotlandYardState:
    """A game before its first move, by what Mr X is shown of it."""
    return position(options, mr_x=view.mr_x.station, hunters=[hunter.station for hunter in view.hunters])


def question(game_id: str, move: Move) -> bytes:
    """A PlayMove for one move, as it goes over the wire."""
    request = service_pb2.PlayMoveRequest(game_id=game_id, request_id=str(uuid4()), moves=[_message(move)])
    return request.SerializeToString()


def _message(move: Move) -> move_pb2.Move:
    match move:
        case Travel(piece, ticket, station):
            travel = move_pb2.Travel(piece=piece_number(piece), ticket=ticket_number(ticket), station=station)
            return move_pb2.Move(travel=travel)
        case DoubleMove():
            first, second = [move_pb2.Ride(ticket=ticket_number(ride.ticket), station=ride.station) for ride in move]
            return move_pb2.Move(double_move=move_pb2.DoubleMove(first=first, second=second))
        case Pass(piece):
            return move_pb2.Move(text=f"{piece.word} pass")
        case _:
            raise AssertionError("legal moves are single moves")
