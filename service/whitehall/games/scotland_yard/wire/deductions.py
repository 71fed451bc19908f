"""Deductions on the wire: public logs to be read, and where Mr X can be."""

from collections.abc import Callable, Mapping, Sequence

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.text import Text
from whitehall.games.core.wanted import IsWanted, always
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.deduction import possible_trail
from whitehall.games.scotland_yard.evidence import Evidence, evidence_of
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.locations import Contradiction, PossibleLocations
from whitehall.games.scotland_yard.master import MasterOptions, SpecialAction
from whitehall.games.scotland_yard.moves import Hear, UseAction
from whitehall.games.scotland_yard.prospects import Prospect, expected
from whitehall.games.scotland_yard.prospects import prospects as prospects_of
from whitehall.games.scotland_yard.public_log import Log
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.sentences import NO_ACTIONS, must_be_left_out
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets
from whitehall.games.scotland_yard.view import ScotlandYardView
from whitehall.games.scotland_yard.wire.app_game import read_app_game, read_board
from whitehall.games.scotland_yard.wire.findings import read_answer
from whitehall.games.scotland_yard.wire.numbers import action_number
from whitehall.gen.whitehall.scotlandyard.v1 import deduction_pb2, master_pb2


def deductions_of(
    seen: ScotlandYardView | Evidence, hindsight: bool, prospects: bool = False
) -> bytes | Callable[[IsWanted], bytes]:
    """Where Mr X can be, as an encoded `PossibleLocations`; a contradiction is an answer like others.

    Of an app game, which can take a while, what works it out: for a thread, as others wait meanwhile. Raises
    `TooManyCases`.
    """

    def encoded(is_wanted: IsWanted) -> bytes:
        return write_deductions(seen, hindsight, prospects, is_wanted).SerializeToString()

    has_app = seen.master is not None if isinstance(seen, ScotlandYardView) else seen.book is not None
    return encoded if has_app else encoded(always)


def write_deductions(
    seen: ScotlandYardView | Evidence, hindsight: bool, prospects: bool = False, is_wanted: IsWanted = always
) -> deduction_pb2.PossibleLocations:
    """Where Mr X can be; in hindsight also where he can have been; and what special actions can be expected to tell.

    Raises `TooManyCases`, and `NoLongerWanted` where nobody waits.
    """
    evidence = evidence_of(seen) if isinstance(seen, ScotlandYardView) else seen
    try:
        message = _locations(game.deduce(evidence, is_wanted))
    except Contradiction as error:
        return deduction_pb2.PossibleLocations(contradiction=error.field)
    if hindsight:
        for number, stations in possible_trail(evidence, is_wanted).items():
            message.hindsight.add(number=number, stations=stations)
    if prospects:
        message.prospects.extend(map(_prospect, _prospects(seen, is_wanted)))
    return message


def _prospects(seen: ScotlandYardView | Evidence, is_wanted: IsWanted) -> Sequence[Prospect]:
    """Of a game, what its view offers; of a log, every special action."""
    if isinstance(seen, ScotlandYardView):
        return prospects_of(seen, is_wanted)
    return expected(seen, map(UseAction, SpecialAction), is_wanted)


def _prospect(prospect: Prospect) -> deduction_pb2.Prospect:
    move = prospect.move
    return deduction_pb2.Prospect(
        action=action_number(move.action) if isinstance(move, UseAction) else master_pb2.SPECIAL_ACTION_UNSPECIFIED,
        landmark=move.landmark if isinstance(move, Hear) else "",
        stations=float(prospect.stations),
        exact_stations=str(prospect.stations),
    )


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


def read_log(message: deduction_pb2.PublicLog) -> Log:
    """The public log, which may still be none. Raises `InvalidField` where its board is not known."""
    board, master = read_board(message.board), None
    if message.HasField("master"):
        board, master = read_app_game(message.board, message.master, field="master")
        if message.prospects and not master.actions_per_round:
            raise InvalidField("prospects", must_be_left_out(NO_ACTIONS))
    elif message.prospects:
        nobody = Text("without master nobody can ask the app", "sans master, personne ne peut consulter l'application")
        raise InvalidField("prospects", must_be_left_out(nobody))
    return Log(
        board,
        tuple([_read_round(this, board, master, f"rounds[{n}]") for n, this in enumerate(message.rounds)]),
        tuple([Station(station) for station in message.start]) or None,
        tuple([Station(station) for station in message.hunters]) or None,
        master,
    )


def _read_round(
    message: deduction_pb2.PublicRound, board: Board, master: MasterOptions | None, path: str
) -> PublicRound:
    supply = message.supply
    if message.answers and master is None:
        nothing = Text("without master the app answers nothing", "sans master, l'application ne répond rien")
        raise InvalidField(f"{path}.answers", must_be_left_out(nothing))
    return PublicRound(
        hunters=tuple([Station(station) for station in message.hunters]),
        rides=tuple([_read_ride(ride) for ride in message.rides]),
        supply=Tickets(supply.taxi, supply.bus, supply.underground) if message.HasField("supply") else None,
        black_tickets=message.black_tickets if message.HasField("black_tickets") else None,
        helicopter_tickets=message.helicopter_tickets if message.HasField("helicopter_tickets") else None,
        answers=tuple(read_answer(answer, f"{path}.answers[{index}]") for index, answer in enumerate(message.answers)),
    )


def _read_ride(message: deduction_pb2.PublicRide) -> PublicRide:
    return PublicRide(Ticket(message.ticket), Station(message.station) if message.HasField("station") else None)


def list_possible_locations(question: deduction_pb2.PublicLog) -> bytes | Callable[[IsWanted], bytes]:
    """Where Mr X can be for a public log, as an encoded `PossibleLocations`, or what works it out in a thread."""
    return deductions_of(read_log(question).evidence(), question.hindsight, question.prospects)


QUESTIONS: Mapping[str, Callable[..., bytes | Callable[[IsWanted], bytes]]] = {
    "ListPossibleLocations": list_possible_locations
}
"""What answers one question of each position method about logs."""
