"""Investigation on the wire: what special actions would answer, without a game, and where a ticket leads."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import analysis, hunters, investigation, mr_x
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.master import MasterOptions, Nearness
from whitehall.games.scotland_yard.moves import Travel
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.sentences import NO_ACTIONS, no_landmark, no_station
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.wire.app_game import read_app_game, read_board
from whitehall.games.scotland_yard.wire.numbers import nearness_number, piece_number, ticket_number
from whitehall.games.scotland_yard.wire.position_reading import read_position
from whitehall.gen.whitehall.scotlandyard.v1 import investigation_pb2, position_pb2


def _stations(board: Board, asked: Sequence[int], field: str = "stations") -> tuple[Station, ...]:
    """The stations that were asked for; every one where none was."""
    for index, station in enumerate(asked):
        if station not in board.coordinates:
            raise InvalidField(f"{field}[{index}]", no_station(station))
    return tuple(Station(station) for station in asked) or board.stations


def _game(message: investigation_pb2.AppGame) -> tuple[Board, MasterOptions]:
    """The board and the numbers of a game in which the app is asked. Raises `InvalidField`."""
    board, master = read_app_game(message.board, message.options, "game.")
    if not master.actions_per_round:
        raise InvalidField("game.options.actions_per_round", NO_ACTIONS)
    return board, master


def locate(question: investigation_pb2.LocateQuestion) -> bytes:
    """What Locate answers of stations, as an encoded `LocateTable`."""
    board, master = _game(question.game)
    wanted = question.nearness
    if wanted and len(wanted) != len(master.masts):
        masts = len(master.masts)
        reason = Text(
            f"must be one for each of the {masts} masts, or none",
            f"il en faut une par antenne, {masts} en tout, ou aucune",
        )
        raise InvalidField("nearness", reason)
    table = investigation_pb2.LocateTable(masts=master.masts)
    for station in _stations(board, question.stations):
        answer = investigation.locate(board, master, station)
        if _fits(answer, wanted):
            table.stations.add(
                station=station,
                distances=investigation.mast_distances(board, master, station),
                nearness=map(nearness_number, answer),
            )
    return table.SerializeToString()


def _fits(answer: Iterable[Nearness], wanted: Sequence[int]) -> bool:
    return not wanted or all(asked in (0, told) for told, asked in zip(answer, wanted, strict=True))


def scan(question: investigation_pb2.ScanQuestion) -> bytes:
    """What a Scan can answer of stations, as an encoded `ScanTable`."""
    board, master = _game(question.game)
    table = investigation_pb2.ScanTable(masts=master.masts)
    for station in _stations(board, question.stations):
        answers = investigation.scan_answers(board, master, station)
        if not question.HasField("distance") or question.distance in answers:
            distances = investigation.mast_distances(board, master, station)
            table.stations.add(station=station, distances=distances, answers=answers)
    return table.SerializeToString()


def interrogate(question: investigation_pb2.InterrogationQuestion) -> bytes:
    """What an Interrogation answers of a trail, and the landmarks' zones, as an encoded `InterrogationTable`."""
    board, master = _game(question.game)
    if len(question.trail) > master.recent_window:
        window = master.recent_window
        reason = Text(
            f"must be {window} at most, as witnesses remember no more",
            f"{window} au plus, car les témoins ne se rappellent rien d'autre",
        )
        raise InvalidField("trail", reason)
    trail = _stations(board, question.trail, "trail") if question.trail else ()
    zones = {place.name: investigation.zone(board, place, master.near_radius) for place in master.landmarks}
    for index, name in enumerate(question.landmarks):
        if name not in zones:
            raise InvalidField(f"landmarks[{index}]", no_landmark(name))
    table = investigation_pb2.InterrogationTable()
    for name in investigation.question_marks(board, master, trail):
        table.statements.add(landmark=name, moves_ago=investigation.moves_ago(board, master, name, trail))
    for station in board.stations:
        seen_at = [name for name, zone in zones.items() if station in zone]
        if seen_at and all(name in seen_at for name in question.landmarks):
            table.stations.add(station=station, landmarks=seen_at)
    return table.SerializeToString()


def analyse(question: investigation_pb2.AnalysisQuestion) -> bytes:
    """Where tickets lead from stations, or from where, as an encoded `AnalysisTable`."""
    board = read_board(question.board)
    # Lines run both ways, and so does a helicopter.
    tickets = [Ticket(ticket) for ticket in question.tickets]
    followed = analysis.follow(
        board, _stations(board, question.stations), reversed(tickets) if question.backwards else tickets
    )
    return investigation_pb2.AnalysisTable(stations=followed).SerializeToString()


def list_destinations(question: position_pb2.Position) -> bytes:
    """Where each piece of the side to move can go, as encoded `Destinations`."""
    state = read_position(question)
    destinations = investigation_pb2.Destinations()
    if state.phase == Phase.MR_X:
        _add(destinations, Piece.MR_X, mr_x.travels(state), state)
    elif state.phase == Phase.HUNTERS:
        for number in hunters.unmoved(state):
            _add(destinations, state.options.hunters[number], hunters.travels(state, number), state)
    return destinations.SerializeToString()


def _add(
    destinations: investigation_pb2.Destinations, piece: Piece, travels: Sequence[Travel], state: ScotlandYardState
) -> None:
    ends: dict[Ticket, list[Station]] = {}
    for travel in travels:
        ends.setdefault(travel.ticket, []).append(travel.station)
    by_piece = destinations.pieces.add(piece=piece_number(piece))
    for ticket, stations in ends.items():
        by_piece.tickets.add(ticket=ticket_number(ticket), left=_left(state, piece, ticket), stations=stations)


def _left(state: ScotlandYardState, piece: Piece, ticket: Ticket) -> int | None:
    """How many of these tickets the piece could spend; None where they are not counted."""
    if piece != Piece.MR_X:
        hand = state.options.hand_numbers[state.options.hunter_numbers[piece]]
        if hand is None:
            return None
        return state.black_hands[hand] if ticket == Ticket.BLACK else state.hands[hand].of(ticket)
    if ticket in (Ticket.BLACK, Ticket.HELICOPTER) or state.options.supply_changes:
        return mr_x.left(state, ticket)
    return None


QUESTIONS: Mapping[str, Callable[..., bytes]] = {
    "LocateStations": locate,
    "ScanStations": scan,
    "InterrogateStations": interrogate,
    "AnalyseStations": analyse,
    "ListDestinations": list_destinations,
}
"""What answers one question of each of these position methods."""
