"""Views and events on the wire. They get what one viewer may know, and add nothing to it."""

from collections.abc import Iterable
from functools import lru_cache

from whitehall.games.core.outcome import Outcome
from whitehall.games.scotland_yard import notation
from whitehall.games.scotland_yard.events import (
    DoubleDeclared,
    Event,
    GameEnded,
    HunterPassed,
    HunterTravelled,
    MrXCaught,
    MrXTravelled,
    Placed,
    PlacingBegan,
)
from whitehall.games.scotland_yard.moves import Move, Pass, Single, Together, Travel
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.state import RoundStart
from whitehall.games.scotland_yard.ticket import Tickets
from whitehall.games.scotland_yard.view import HunterView, LogField, ScotlandYardView
from whitehall.games.scotland_yard.wire.master_views import write_master_event, write_master_view
from whitehall.games.scotland_yard.wire.numbers import pass_reason_number, phase_number, piece_number, ticket_number
from whitehall.games.scotland_yard.wire.options import write_options
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, move_pb2

ELEMENTS_KEPT = 1 << 12
"""How many elements of each list are kept in encoded form: those of a hundred games or more, at 30 bytes each."""


def write_view(view: ScotlandYardView) -> game_pb2.View:
    """A viewer's whole knowledge of the position.

    Most of a view is lists that were much the same in the view before. A repeated field is the concatenation of its
    encoded elements, so these are encoded once, kept, and merged into the message as bytes.
    """
    options = view.options
    message = game_pb2.View(
        seat=view.viewer,
        round=view.round,
        phase=phase_number(view.phase),
        mr_x=game_pb2.MrX(
            station=view.mr_x,
            start=view.start,
            black_tickets=view.black_tickets,
            double_tickets=view.double_tickets,
        ),
        supply=write_tickets(view.supply) if options.supply_changes else None,
        outcome=None if view.outcome is None else write_outcome(view.outcome),
        offered=view.offered,
        master=None if view.master is None else write_master_view(view.master),
    )
    lists = [
        _table(options),
        *map(_hunter, view.hunters),
        *map(_log_field, view.log),
        *(_round_start(start, options.supply_changes) for start in view.round_starts),
    ]
    message.MergeFromString(b"".join(lists))
    return message


@lru_cache(256)
def _table(options: ScotlandYardOptions) -> bytes:
    """What stays the same for a whole game, as an encoded `View` with nothing else in it."""
    return game_pb2.View(
        preset=options.preset,
        board=options.board.name,
        rounds=options.rounds,
        surfacing=options.surfacing,
        log_fields=options.log_fields,
        seats=write_seats(options),
        options=write_options(options),
    ).SerializeToString()


@lru_cache(ELEMENTS_KEPT)
def _hunter(hunter: HunterView) -> bytes:
    """A hunter, as an encoded `View` with nothing else in it."""
    message = game_pb2.Hunter(
        piece=piece_number(hunter.piece),
        station=hunter.station,
        tickets=None if hunter.tickets is None else write_tickets(hunter.tickets, hunter.black_tickets),
        has_moved=hunter.has_moved,
    )
    return game_pb2.View(hunters=[message]).SerializeToString()


@lru_cache(ELEMENTS_KEPT)
def _log_field(field: LogField) -> bytes:
    """A field of the log, as an encoded `View` with nothing else in it."""
    message = game_pb2.LogField(
        number=field.number,
        round=field.round,
        ticket=ticket_number(field.ticket),
        station=field.station,
        surfaced=field.surfaced,
    )
    return game_pb2.View(log=[message]).SerializeToString()


@lru_cache(ELEMENTS_KEPT)
def _round_start(start: RoundStart, is_counted: bool) -> bytes:
    """What lay open at the start of a round, as an encoded `View` with nothing else in it; the supply where it has an
    end.
    """
    message = game_pb2.RoundStart(hunters=start.hunters, supply=write_tickets(start.supply) if is_counted else None)
    return game_pb2.View(round_starts=[message]).SerializeToString()


def write_seats(options: ScotlandYardOptions) -> list[game_pb2.SeatPieces]:
    """The pieces of each seat."""
    return [
        game_pb2.SeatPieces(seat=seat, pieces=[piece_number(piece) for piece in pieces])
        for seat, pieces in enumerate(options.seats)
    ]


def write_tickets(tickets: Tickets, black: int = 0) -> move_pb2.Tickets:
    """Numbers of tickets; black ones are a detective's."""
    return move_pb2.Tickets(taxi=tickets.taxi, bus=tickets.bus, underground=tickets.underground, black=black)


def write_outcome(outcome: Outcome) -> common_pb2.Outcome:
    """How a game ended."""
    return common_pb2.Outcome(winners=outcome.winners, rule=outcome.rule.id)


def write_event(event: Event) -> game_pb2.Event:
    """An event, as far as its viewer may know it, with its move in notation where it is one."""
    match event:
        case PlacingBegan(offered):
            return game_pb2.Event(placing_began=game_pb2.PlacingBegan(offered=offered))
        case Placed(piece, station, chosen):
            placed = game_pb2.Placed(piece=piece_number(piece), station=station, chosen=chosen)
            where = "?" if station is None else str(station)
            return game_pb2.Event(placed=placed, text=f"{piece.word} {notation.START} {where}" if chosen else "")
        case DoubleDeclared(remaining):
            return game_pb2.Event(double_declared=game_pb2.DoubleDeclared(remaining=remaining))
        case MrXTravelled(number, ticket, station, surfaced):
            where = "?" if station is None else str(station)
            travelled = game_pb2.MrXTravelled(
                number=number,
                ticket=ticket_number(ticket),
                station=station,
                surfaced=surfaced,
            )
            return game_pb2.Event(mr_x_travelled=travelled, text=f"mr_x {ticket.word} {where}")
        case HunterTravelled(piece, ticket, station):
            rode = game_pb2.HunterTravelled(piece=piece_number(piece), ticket=ticket_number(ticket), station=station)
            return game_pb2.Event(hunter_travelled=rode, text=notation.text(Travel(piece, ticket, station)))
        case HunterPassed(piece, reason):
            passed = game_pb2.HunterPassed(piece=piece_number(piece), reason=pass_reason_number(reason))
            return game_pb2.Event(hunter_passed=passed, text=notation.text(Pass(piece)))
        case MrXCaught(piece, station):
            return game_pb2.Event(mr_x_caught=game_pb2.MrXCaught(piece=piece_number(piece), station=station))
        case GameEnded(outcome):
            return game_pb2.Event(game_ended=game_pb2.GameEnded(outcome=write_outcome(outcome)))
        case _:
            return write_master_event(event)


def write_events(events: Iterable[Event]) -> list[game_pb2.Event]:
    """Events in order."""
    return [write_event(event) for event in events]


def made(move: Move, events: Iterable[Event]) -> tuple[Single, ...]:
    """The single moves of a move that were made; those after a capture were not."""
    if not isinstance(move, Together):
        return (move,)
    moved = 0
    for event in events:
        if isinstance(event, MrXCaught):
            return move.moves[:moved]
        if isinstance(event, HunterTravelled | HunterPassed):
            moved += 1
    return move.moves
