"""Analysis: the stations that Mr X's tickets leave open since he was last seen, the hunters ignored.

It looks at the open part of his log alone: its tickets, and the station under the last field at which he surfaced.
"""

from collections.abc import Iterable

from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.master import AnalysisStart
from whitehall.games.scotland_yard.options import StartBy
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.station_sets import station_sets
from whitehall.games.scotland_yard.ticket import Station, Ticket


def follow(board: Board, origin: Iterable[Station], tickets: Iterable[Ticket]) -> tuple[Station, ...]:
    """Where rides for these tickets lead from any of these stations, ascending. A helicopter leads everywhere."""
    sets = station_sets(board)
    possible = sets.of(origin)
    for ticket in tickets:
        possible = sets.all if ticket == Ticket.HELICOPTER else sets.reached(possible, 1 << ticket)
    return sets.stations(possible)


def analysis(state: ScotlandYardState) -> tuple[Station, ...]:
    """What the special action of that name answers."""
    options = state.options
    tickets = [entry.ticket for entry in state.log]
    first_number = state.moves_made - len(state.log) + 1
    for index in range(len(state.log) - 1, -1, -1):
        if first_number + index in options.surfacing:
            return follow(options.board, (state.log[index].station,), tickets[index + 1 :])
    return follow(options.board, _origin(state), tickets)


def _origin(state: ScotlandYardState) -> tuple[Station, ...]:
    """Where he may have been before the first field of the log that is known."""
    options = state.options
    is_anywhere = options.start_by == StartBy.CHOICE
    if options.master is not None:
        is_anywhere |= options.master.analysis_start == AnalysisStart.ALL
    # Of what was before a bare position nothing is known.
    if is_anywhere or state.moves_made > len(state.log):
        return options.board.stations
    drawn = state.round_starts[0].hunters if state.round_starts else state.hunters
    return tuple(card for card in options.start_cards_mr_x if card not in drawn)
