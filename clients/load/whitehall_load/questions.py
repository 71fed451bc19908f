"""Questions about positions, as bots and trainers ask them: legal moves in batches, possible locations, reachable
places.
"""

from __future__ import annotations

from random import Random

from whitehall_client.aio import Service
from whitehall_client.gen.whitehall.cluedo.v1 import move_pb2 as cluedo_move_pb2
from whitehall_client.gen.whitehall.cluedo.v1 import options_pb2 as cluedo_options_pb2
from whitehall_client.gen.whitehall.cluedo.v1 import position_pb2 as cluedo_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import deduction_pb2, game_pb2, move_pb2, position_pb2
from whitehall_load.stopwatch import Stopwatch

BATCH = 16
STATIONS = range(1, 200)
HUNTERS = (move_pb2.PIECE_RED, move_pb2.PIECE_BLUE, move_pb2.PIECE_GREEN, move_pb2.PIECE_BOBBY1)


class Questioner:
    """Somebody who asks about positions of their own."""

    def __init__(self, service: Service, random: Random, stopwatch: Stopwatch) -> None:
        self._service = service
        self._random = random
        self._stopwatch = stopwatch

    async def ask(self, since: float) -> None:
        """One question of some kind, from the intended moment on."""
        await self._random.choice((self._legal_moves, self._locations, self._places))(since)

    async def _legal_moves(self, since: float) -> None:
        request = position_pb2.ListPositionLegalMovesRequest(positions=[self._position() for _ in range(BATCH)])
        method = self._service.scotland_yard.positions.ListPositionLegalMoves
        answer = await self._stopwatch.time("position moves", self._service.ask(method, request), since)
        if len(answer.moves) != BATCH:
            self._stopwatch.object("positions without an answer")

    async def _locations(self, since: float) -> None:
        rides = [deduction_pb2.PublicRide(ticket=move_pb2.TICKET_TAXI) for _ in range(self._random.randint(1, 6))]
        rounds = [deduction_pb2.PublicRound(rides=[ride]) for ride in rides]
        log = deduction_pb2.PublicLog(start=self._random.sample(STATIONS, 13), rounds=rounds)
        request = position_pb2.ListPossibleLocationsRequest(logs=[log])
        method = self._service.scotland_yard.positions.ListPossibleLocations
        answer = await self._stopwatch.time("possible locations", self._service.ask(method, request), since)
        if not answer.locations[0].strong:
            self._stopwatch.object("no possible location")

    async def _places(self, since: float) -> None:
        place = cluedo_move_pb2.Place(room=f"L{self._random.randint(1, 9)}")
        movement = cluedo_options_pb2.MOVEMENT_EXACT
        placement = cluedo_pb2.Placement(place=place, pips=self._random.randint(2, 12), movement=movement)
        request = cluedo_pb2.ListReachablePlacesRequest(placements=[placement])
        method = self._service.cluedo.positions.ListReachablePlaces
        answer = await self._stopwatch.time("reachable places", self._service.ask(method, request), since)
        if not answer.places[0].destinations:
            self._stopwatch.object("no reachable place")

    def _position(self) -> position_pb2.Position:
        mr_x, *hunters = self._random.sample(STATIONS, 1 + len(HUNTERS))
        hand = move_pb2.Tickets(taxi=11, bus=8, underground=4)
        return position_pb2.Position(
            preset="new",
            players=4,
            round=1,
            phase=game_pb2.PHASE_MR_X,
            mr_x=mr_x,
            hunters=[
                position_pb2.PositionHunter(
                    piece=piece, station=station, tickets=None if piece == move_pb2.PIECE_BOBBY1 else hand
                )
                for piece, station in zip(HUNTERS, hunters, strict=True)
            ],
            supply=move_pb2.Tickets(taxi=24, bus=21, underground=11),
            black_tickets=5,
            double_tickets=2,
        )
