"""Deductions on the wire: public logs to be read, and where Mr X can be."""

from collections.abc import Callable, Mapping

from whitehall.games.core.fault import InvalidField
from whitehall.games.scotland_yard import boards
from whitehall.games.scotland_yard.board import Board, BoardError
from whitehall.games.scotland_yard.deduction import possible_trail
from whitehall.games.scotland_yard.evidence import Evidence, evidence_of
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.locations import Contradiction, PossibleLocations
from whitehall.games.scotland_yard.public_log import PublicRide, PublicRound, evidence_from_log
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets
from whitehall.games.scotland_yard.view import ScotlandYardView
from whitehall.gen.whitehall.scotlandyard.v1 import deduction_pb2

MOST_FIELDS = 32
"""Fields of the log that are taken in; no edition has more than 24. With all of them black and nothing seen it takes a
few milliseconds to count the routes, and others wait meanwhile.
"""


def encode_deductions(seen: ScotlandYardView | Evidence, hindsight: bool) -> bytes:
    """Where Mr X can be, as an encoded `PossibleLocations`; a contradiction is an answer like others."""
    return write_deductions(seen, hindsight).SerializeToString()


def write_deductions(seen: ScotlandYardView | Evidence, hindsight: bool) -> deduction_pb2.PossibleLocations:
    """Where Mr X can be; in hindsight also where he can have been."""
    evidence = evidence_of(seen) if isinstance(seen, ScotlandYardView) else seen
    try:
        message = _locations(game.deduce(evidence))
    except Contradiction as error:
        return deduction_pb2.PossibleLocations(contradiction=error.field)
    if hindsight:
        for number, stations in possible_trail(evidence).items():
            message.hindsight.add(number=number, stations=stations)
    return message


def _locations(found: PossibleLocations) -> deduction_pb2.PossibleLocations:
    total = found.total_routes
    return deduction_pb2.PossibleLocations(
        analysis=found.analysis,
        strong=[
            deduction_pb2.PossibleStation(station=station, routes=str(routes), probability=routes / total)
            for station, routes in found.routes.items()
        ],
        total_routes=str(total),
    )


def read_log(message: deduction_pb2.PublicLog) -> Evidence:
    """The evidence of a public log. Raises `InvalidField`."""
    if sum(len(this.rides) for this in message.rounds) > MOST_FIELDS:
        raise InvalidField("rounds", f"must hold {MOST_FIELDS} rides at most")
    return evidence_from_log(
        _board(message.board),
        [_read_round(this) for this in message.rounds],
        start=[Station(station) for station in message.start] or None,
        hunters=[Station(station) for station in message.hunters] or None,
    )


def _board(name: str) -> Board:
    try:
        return boards.board(name or boards.LONDON_2013)
    except BoardError as error:
        raise InvalidField("board", error.reason) from error


def _read_round(message: deduction_pb2.PublicRound) -> PublicRound:
    supply = message.supply
    return PublicRound(
        hunters=tuple([Station(station) for station in message.hunters]),
        rides=tuple([_read_ride(ride) for ride in message.rides]),
        supply=Tickets(supply.taxi, supply.bus, supply.underground) if message.HasField("supply") else None,
        black_tickets=message.black_tickets if message.HasField("black_tickets") else None,
    )


def _read_ride(message: deduction_pb2.PublicRide) -> PublicRide:
    return PublicRide(Ticket(message.ticket), Station(message.station) if message.HasField("station") else None)


def list_possible_locations(question: deduction_pb2.PublicLog) -> bytes:
    """Where Mr X can be for a public log, as an encoded `PossibleLocations`."""
    return encode_deductions(read_log(question), question.hindsight)


QUESTIONS: Mapping[str, Callable[..., bytes]] = {"ListPossibleLocations": list_possible_locations}
"""What answers one question of each position method about logs."""
