"""Bare positions: a moment of a game set up by hand, without the history that led to it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import cast

from whitehall.games.scotland_yard import rounds
from whitehall.games.scotland_yard.master import MasterOptions
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import MasterState, Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Tickets


class PositionError(ValueError):
    """No game can come to this position: the `field` at fault, and why; `index` says which of the hunters or hands."""

    def __init__(self, field: str, reason: str, index: int | None = None) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
        self.index = index


def position(
    options: ScotlandYardOptions,
    *,
    mr_x: int,
    hunters: Sequence[int],
    round: int = 1,  # noqa: A002 - the rulebook's word
    phase: Phase = Phase.MR_X,
    hands: Sequence[Tickets] | None = None,
    black_hands: Sequence[int] | None = None,
    supply: Tickets | None = None,
    black_tickets: int | None = None,
    double_tickets: int | None = None,
    moves_made: int | None = None,
    moved: Iterable[Piece] = (),
    master: MasterState | None = None,
) -> ScotlandYardState:
    """The state in which Mr X and the `hunters` (detectives, then Bobbies) stand as given in some round.

    What is left out is as at the start of a game, and `moves_made` as if no double move had been made. `moved` names
    the hunters that have had their move in this round, in the hunters' phase only. What is due at once without
    anybody's choice happens: a game may be over before it goes on. Raises `PositionError` for what no game can come to.
    """
    moved_pieces = frozenset(moved)
    numbers = options.hunter_numbers
    is_hunters_turn = phase == Phase.HUNTERS
    rounds_moved = round if is_hunters_turn else round - 1
    state = ScotlandYardState(
        options=options,
        round=round,
        phase=phase,
        mr_x=Station(mr_x),
        hunters=cast("tuple[Station, ...]", tuple(hunters)),
        hands=(options.hand,) * options.hands if hands is None else tuple(hands),
        black_hands=(options.black_hand,) * options.hands if black_hands is None else tuple(black_hands),
        supply=options.supply if supply is None else supply,
        black_tickets=options.black_tickets if black_tickets is None else black_tickets,
        double_tickets=options.double_tickets if double_tickets is None else double_tickets,
        moves_made=rounds_moved if moves_made is None else moves_made,
        moved=sum([1 << numbers[piece] for piece in moved_pieces if piece in numbers]),
        log=(),
        start=None,
        round_starts=(),
        outcome=None,
        master=master or (None if options.master is None else MasterState.at_start(options.master)),
    )
    for fault in _faults(state, rounds_moved, moved_pieces):
        raise fault
    settle = rounds.go_on_with_hunters if is_hunters_turn else rounds.begin
    settled, _ = settle(state)
    return settled


def _faults(state: ScotlandYardState, rounds_moved: int, moved: frozenset[Piece]) -> Iterator[PositionError]:
    """What is wrong with a position. Later questions rely on the earlier answers."""
    options = state.options
    if not 1 <= state.round <= options.rounds:
        yield PositionError("round", f"must be 1 to {options.rounds}")
    if state.phase == Phase.OVER:
        yield PositionError("phase", "a game is over by its rules, not by its position")
    if state.phase == Phase.PLACING:
        yield PositionError("phase", "a position has all its pieces on the board")

    if len(state.hunters) != len(options.hunters):
        yield PositionError("hunters", f"must be {len(options.hunters)} stations")
    stations = options.board.coordinates
    if state.mr_x not in stations:
        yield PositionError("mr_x", f"there is no station {state.mr_x}")
    for station in state.hunters:
        if station not in stations:
            yield PositionError("hunters", f"there is no station {station}", state.hunters.index(station))
    if len(set(state.hunters)) < len(state.hunters):
        second = next(index for index, station in enumerate(state.hunters) if station in state.hunters[:index])
        yield PositionError("hunters", "two pieces cannot share a station", second)
    if state.mr_x in state.hunters:
        yield PositionError("mr_x", "a hunter on Mr X's station has caught him")

    if len(state.hands) != options.hands:
        yield PositionError("hands", f"must be {options.hands}")
    for hand in state.hands:
        if not _up_to(options.hand, hand):
            each = f"each kind of ticket must be 0 to {_listed(options.hand)}"
            yield PositionError("hands", each, state.hands.index(hand))
    if len(state.black_hands) != len(state.hands):
        yield PositionError("black_hands", f"must be {options.hands}")
    # Hardly any position has one, and the quickest question comes first.
    if any(state.black_hands):
        for index, black in enumerate(state.black_hands):
            if not 0 <= black <= options.black_hand:
                yield PositionError("black_hands", f"black tickets must be 0 to {options.black_hand}", index)
    room = _room_in_supply(state)
    if not options.supply_changes:
        if state.supply != options.supply:
            yield PositionError("supply", "has no end in this game")
    elif not _up_to(room, state.supply):
        yield PositionError("supply", f"with these hands each kind of ticket must be 0 to {_listed(room)}")
    if not 0 <= state.black_tickets <= options.black_tickets:
        yield PositionError("black_tickets", f"must be 0 to {options.black_tickets}")
    if not 0 <= state.double_tickets <= options.double_tickets:
        yield PositionError("double_tickets", f"must be 0 to {options.double_tickets}")

    # Each round takes one field of the log, and each double ticket spent one more; before his turn one field is free.
    most_moves = rounds_moved + min(rounds_moved, options.double_tickets - state.double_tickets)
    most_moves = min(most_moves, options.log_fields - (state.phase == Phase.MR_X))
    if not rounds_moved <= state.moves_made <= most_moves:
        yield PositionError(
            "moves_made", f"after so many rounds and double tickets must be {rounds_moved} to {most_moves}"
        )

    if state.master is not None and options.master is not None:
        yield from _master_faults(state, state.master, options.master)

    if moved:
        if not moved <= options.hunter_numbers.keys():
            yield PositionError("moved", "names a piece that is no hunter of this game")
        if state.phase == Phase.MR_X:
            first = min(options.hunter_numbers[piece] for piece in moved)
            yield PositionError("moved", "no hunter has moved when it is Mr X's turn", first)


def _master_faults(state: ScotlandYardState, master: MasterState, options: MasterOptions) -> Iterator[PositionError]:
    """What is wrong with what the app keeps."""
    if not 0 <= master.helicopter_tickets <= options.helicopter_tickets:
        yield PositionError("master.helicopter_tickets", f"must be 0 to {options.helicopter_tickets}")
    if len(master.meeting_points) > len(options.meeting_fields):
        yield PositionError("master.meeting_points", f"must be {len(options.meeting_fields)} at most")
    for index, point in enumerate(master.meeting_points):
        place = f"master.meeting_points[{index}]"
        if point.station not in state.options.board.coordinates:
            yield PositionError(f"{place}.station", f"there is no station {point.station}")
        if point.station in [earlier.station for earlier in master.meeting_points[:index]]:
            yield PositionError(f"{place}.station", f"station {point.station} is there twice")
        for name, field in (("shown", point.shown), ("reached", point.reached)):
            if not 0 <= field <= state.moves_made:
                yield PositionError(f"{place}.{name}", f"must be 0 to {state.moves_made}, a field that is filled")
    for index, finding in enumerate(master.findings):
        place = f"master.findings[{index}]"
        if not 1 <= finding.round <= state.round:
            yield PositionError(f"{place}.round", f"must be 1 to {state.round}")
        if not 0 <= finding.field <= state.moves_made:
            yield PositionError(f"{place}.field", f"must be 0 to {state.moves_made}")


@lru_cache(1 << 12)
def _up_to(most: Tickets, tickets: Tickets) -> bool:
    """Whether there are 0 to `most` tickets of each kind. Spelled out and kept, as it is asked for every hand."""
    taxi, bus, underground = tickets
    return 0 <= taxi <= most[0] and 0 <= bus <= most[1] and 0 <= underground <= most[2]


def _room_in_supply(state: ScotlandYardState) -> Tickets:
    """The most tickets that the supply can hold with these hands: all that the game has, without those in hand."""
    taxi, bus, underground = state.options.supply
    hand = state.options.hand
    for held in state.hands:
        taxi += hand[0] - held[0]
        bus += hand[1] - held[1]
        underground += hand[2] - held[2]
    return Tickets(taxi, bus, underground)


def _listed(tickets: Tickets) -> str:
    return "/".join(str(count) for count in tickets)
