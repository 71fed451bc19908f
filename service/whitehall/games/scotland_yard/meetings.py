"""Meeting points: the stations that Mr X alone is told of, one after the other, and has to visit."""

from collections.abc import Mapping

from whitehall.games.core.chance import Chance
from whitehall.games.scotland_yard.events import MeetingPointReached, MeetingPointShown
from whitehall.games.scotland_yard.investigation import taxi_distances_anew
from whitehall.games.scotland_yard.master import HelicopterGrant
from whitehall.games.scotland_yard.state import MasterState, MeetingPoint, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket


def visit(state: ScotlandYardState, ticket: Ticket) -> tuple[ScotlandYardState, tuple[MeetingPointReached, ...]]:
    """Mr X has ended a move where he stands, and may so have reached an open meeting point."""
    master, options = state.master, state.options.master
    assert master is not None
    assert options is not None
    points = tuple(
        point._replace(reached=state.moves_made) if point.station == state.mr_x and not point.reached else point
        for point in master.meeting_points
    )
    # A flight reaches a point only where the game lets it, since it could be had at will.
    if points == master.meeting_points or (ticket == Ticket.HELICOPTER and not options.helicopter_reaches):
        return state, ()
    number = master.meetings + 1
    tickets = master.helicopter_tickets
    if options.helicopter_grant == HelicopterGrant.MEETING_POINT and number <= options.helicopter_tickets:
        tickets += 1
    state = state._replace(master=master._replace(meeting_points=points, helicopter_tickets=tickets))
    return state, (MeetingPointReached(state.mr_x, number, options.announce_visit),)


def win(state: ScotlandYardState) -> bool:
    """Whether he has reached as many as win at once."""
    options = state.options.master
    return state.master is not None and options is not None and 0 < options.meetings_to_win <= state.master.meetings


def suffice(state: ScotlandYardState) -> bool:
    """Whether he has reached as many as he must before the game ends. Without the app he need not reach any."""
    options = state.options.master
    return state.master is None or options is None or state.master.meetings >= options.meetings_to_survive


def show(
    state: ScotlandYardState, fields: int, chance: Chance
) -> tuple[ScotlandYardState, tuple[MeetingPointShown, ...]]:
    """Mr X has moved on from `fields` filled fields of his log, and is shown the points that are due since."""
    master, options = state.master, state.options.master
    assert master is not None
    assert options is not None
    shown: list[MeetingPointShown] = []
    for _ in [field for field in options.meeting_fields if fields < field <= state.moves_made]:
        candidates = _candidates(state, master, options.meeting_distance)
        if candidates:
            station = candidates[chance.draw("meeting point", len(candidates))]
            point = MeetingPoint(station, shown=state.moves_made, reached=0)
            master = master._replace(meeting_points=(*master.meeting_points, point))
            shown.append(MeetingPointShown(station))
    return state._replace(master=master), tuple(shown)


def _candidates(state: ScotlandYardState, master: MasterState, distance: int) -> tuple[Station, ...]:
    """Free stations, none of them a meeting point before, as far off as asked for; or else as far as there are any."""
    board = state.options.board
    taken = {state.mr_x, *state.hunters, *(point.station for point in master.meeting_points)}
    free = [station for station in board.stations if station not in taken]
    open_points = [point.station for point in master.meeting_points if not point.reached]
    distances = [taxi_distances_anew(board, station) for station in (state.mr_x, *open_points)]
    for least in range(distance, 0, -1):
        found = tuple([station for station in free if _is_beyond(least, station, distances)])
        if found:
            return found
    return ()


def _is_beyond(least: int, station: Station, distances: list[Mapping[Station, int]]) -> bool:
    # What no taxi reaches is farther than any distance.
    return all(known.get(station, least) >= least for known in distances)
