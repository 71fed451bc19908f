"""Riding: what binds every piece on its way from one station to the next."""

from collections.abc import Iterator

from whitehall.games.core.rule import Violation
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rulebook import (
    FERRY_FOR_BLACK,
    FREE_STATION,
    HELICOPTER_FOR_MR_X,
    LINE_OF_TICKET,
    STATION_ON_BOARD,
)
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.timetable import BLACK_TICKET


def violations(
    state: ScotlandYardState, piece: Piece, here: Station, ticket: Ticket, there: Station
) -> Iterator[Violation]:
    """What forbids `piece` to ride from `here`, a station of the board, to `there`, its tickets aside."""
    board = state.options.board

    # A move leads to a station of the board.
    if there not in board.coordinates:
        yield Violation.of(STATION_ON_BOARD, piece=piece.word, station=there)
        return

    # Only Mr X flies by helicopter, and to another station than his own.
    lines = board.timetable.tickets_between(here, there)
    if ticket == Ticket.HELICOPTER:
        if piece != Piece.MR_X or there == here:
            yield Violation.of(HELICOPTER_FOR_MR_X, piece=piece.word, station=there)

    # The ferry carries Mr X alone, and only for a black ticket.
    elif lines == BLACK_TICKET and (piece != Piece.MR_X or ticket != Ticket.BLACK):
        yield Violation.of(FERRY_FOR_BLACK, piece=piece.word, station=there)

    # A move follows one line of the ticket's kind from the piece's station to the next stop.
    elif not lines >> ticket & 1:
        yield Violation.of(LINE_OF_TICKET, piece=piece.word, ticket=ticket.word, station=there)

    # No piece moves onto a station where a detective or a Bobby stands.
    if there in state.hunters and there != here:
        yield Violation.of(FREE_STATION, piece=piece.word, station=there)
