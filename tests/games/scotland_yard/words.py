"""The reference engine's plain words, and the engine's own types: from one to the other and back."""

from tests.games.scotland_yard.reference import RefMove, Table
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard.moves import DoubleMove, Move, Pass, Ride, Travel
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets

RULE_OF_END = {
    "": None,
    "capture": "SY-END-01",
    "cornered": "SY-END-02",
    "immobile": "SY-END-03",
    "last round": "SY-END-04",
    "log full": "SY-END-05",
}


def word(name: Piece | Ticket) -> str:
    return name.name.lower()


def to_move(move: RefMove) -> Move:
    if move[1] == "pass":
        return Pass(Piece[move[0].upper()])
    if move[1] == "double":
        first, second = (Ride(Ticket[ticket.upper()], Station(station)) for ticket, station in move[2:])
        return DoubleMove(first, second)
    return Travel(Piece[move[0].upper()], Ticket[move[1].upper()], Station(move[2]))


def to_words(move: Move) -> RefMove:
    if isinstance(move, Pass):
        return (word(move.piece), "pass")
    if isinstance(move, DoubleMove):
        rides = ((word(ride.ticket), int(ride.station)) for ride in move)
        return ("mr_x", "double", *rides)
    assert isinstance(move, Travel), f"{move} is not a single move"
    return (word(move.piece), word(move.ticket), int(move.station))


def hunters_of(options: ScotlandYardOptions) -> tuple[str, ...]:
    return tuple(word(piece) for piece in (*options.detectives, *options.bobbies))


def those_of(seat: Seat, moves: set[RefMove], options: ScotlandYardOptions) -> set[RefMove]:
    """The moves that a seat may make: those of its own pieces and, on the detectives' side, of the Bobbies."""
    own = {word(piece) for piece in options.seats[seat]}
    if seat != 0:
        own |= {word(piece) for piece in options.bobbies}
    return {move for move in moves if move[0] in own}


def facts_of_table(table: Table, options: ScotlandYardOptions) -> dict[str, object]:
    """What both engines must agree on, as the reference has it."""
    hunters = hunters_of(options)
    return {
        "round": table.round,
        "phase": table.turn,
        "mr_x": table.mr_x,
        "hunters": tuple(table.at[piece] for piece in hunters),
        "hands": tuple(Tickets(**hand) for hand in table.hands.values()),
        "supply": Tickets(**table.supply),
        "black": table.black,
        "doubles": table.doubles,
        "fields": table.fields,
        "log": tuple(table.log),
        "moved": frozenset(table.gone) if table.turn == "hunters" else frozenset(),
        "winner": table.winner,
        "rule": RULE_OF_END[table.why],
    }


def facts_of_state(state: ScotlandYardState) -> dict[str, object]:
    """The same facts, as the engine has them."""
    options = state.options
    hunters = hunters_of(options)
    winner = ""
    if state.outcome is not None:
        winner = "mr_x" if state.outcome.winners == (0,) else "detectives"
        others = tuple(range(1, len(options.seats)))
        assert state.outcome.winners in {(0,), others}, f"{state.outcome.winners} cannot have won"
    moved = frozenset(piece for bit, piece in enumerate(hunters) if state.moved >> bit & 1)
    return {
        "round": state.round,
        "phase": {Phase.MR_X: "mr_x", Phase.HUNTERS: "hunters", Phase.OVER: "over"}[state.phase],
        "mr_x": state.mr_x,
        "hunters": state.hunters,
        "hands": state.hands,
        "supply": state.supply,
        "black": state.black_tickets,
        "doubles": state.double_tickets,
        "fields": state.moves_made,
        "log": tuple((entry.round, word(entry.ticket), entry.station) for entry in state.log),
        "moved": moved if state.phase is Phase.HUNTERS else frozenset(),
        "winner": winner,
        "rule": None if state.outcome is None else state.outcome.rule.id,
    }
