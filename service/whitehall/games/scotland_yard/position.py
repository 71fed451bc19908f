"""Bare positions: a moment of a game set up by hand, without the history that led to it."""

from collections.abc import Iterable, Sequence
from typing import cast

from whitehall.games.scotland_yard import rounds
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.findings import Finding
from whitehall.games.scotland_yard.master import MasterOptions
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import MasterState, MeetingPoint, Phase, RoundStart, ScotlandYardState
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
    is_hunters_turn = phase == Phase.HUNTERS
    rounds_moved = round if is_hunters_turn else round - 1
    hunters = tuple(hunters)
    hands = (options.hand,) * options.hands if hands is None else tuple(hands)
    black_hands = (options.black_hand,) * options.hands if black_hands is None else tuple(black_hands)
    supply = options.supply if supply is None else supply
    black_tickets = options.black_tickets if black_tickets is None else black_tickets
    double_tickets = options.double_tickets if double_tickets is None else double_tickets
    moves_made = rounds_moved if moves_made is None else moves_made
    _check_time(options, round, phase)
    _check_stations(options, mr_x, hunters)
    _check_hands(options, hands, black_hands, supply)
    _check_mr_x(options, black_tickets, double_tickets, moves_made, rounds_moved, phase)
    if moved_pieces:
        _check_moved(options, moved_pieces, phase)
    if master is not None:
        _check_master(options.board, options.master, master, round, moves_made)
    elif options.master is not None:
        master = MasterState.at_start(options.master)
    moved_set = 0
    for piece in moved_pieces:
        moved_set |= 1 << options.hunter_numbers[piece]
    # Fields by their order: by their names they take twice as long.
    state = ScotlandYardState(
        options,
        round,
        phase,
        Station(mr_x),
        cast("tuple[Station, ...]", hunters),
        hands,
        black_hands,
        supply,
        black_tickets,
        double_tickets,
        moves_made,
        moved_set,
        (),  # log
        None,  # start
        () if is_hunters_turn else (RoundStart(cast("tuple[Station, ...]", hunters), supply),),
        None,  # outcome
        (),  # offered
        master,
    )
    settled, _ = rounds.go_on_with_hunters(state) if is_hunters_turn else rounds.go_on_with_mr_x(state)
    return settled


# What is wrong with a position. Later questions rely on the earlier answers.


def _check_time(options: ScotlandYardOptions, round: int, phase: Phase) -> None:  # noqa: A002 - as above
    if not 1 <= round <= options.rounds:
        raise PositionError("round", f"must be 1 to {options.rounds}")
    if phase == Phase.OVER:
        raise PositionError("phase", "a game is over by its rules, not by its position")
    if phase == Phase.PLACING:
        raise PositionError("phase", "a position has all its pieces on the board")


def _check_stations(options: ScotlandYardOptions, mr_x: int, hunters: tuple[int, ...]) -> None:
    if len(hunters) != len(options.hunters):
        raise PositionError("hunters", f"must be {len(options.hunters)} stations")
    stations = options.board.coordinates
    if mr_x not in stations:
        raise PositionError("mr_x", f"there is no station {mr_x}")
    for station in hunters:
        if station not in stations:
            raise PositionError("hunters", f"there is no station {station}", hunters.index(station))
    if len(set(hunters)) < len(hunters):
        second = next(index for index, station in enumerate(hunters) if station in hunters[:index])
        raise PositionError("hunters", "two pieces cannot share a station", second)
    if mr_x in hunters:
        raise PositionError("mr_x", "a hunter on Mr X's station has caught him")


def _check_hands(
    options: ScotlandYardOptions, hands: tuple[Tickets, ...], black_hands: tuple[int, ...], supply: Tickets
) -> None:
    if len(hands) != options.hands:
        raise PositionError("hands", f"must be {options.hands}")
    most_taxi, most_bus, most_underground = options.hand
    # The supply can hold all the tickets that the game has, without those in hand.
    room_taxi, room_bus, room_underground = options.supply
    for hand in hands:
        taxi, bus, underground = hand
        if not (0 <= taxi <= most_taxi and 0 <= bus <= most_bus and 0 <= underground <= most_underground):
            each = f"each kind of ticket must be 0 to {_listed(options.hand)}"
            raise PositionError("hands", each, hands.index(hand))
        room_taxi += most_taxi - taxi
        room_bus += most_bus - bus
        room_underground += most_underground - underground
    if len(black_hands) != len(hands):
        raise PositionError("black_hands", f"must be {options.hands}")
    for black in black_hands:
        if not 0 <= black <= options.black_hand:
            each = f"black tickets must be 0 to {options.black_hand}"
            raise PositionError("black_hands", each, black_hands.index(black))
    if not options.supply_changes:
        if supply != options.supply:
            raise PositionError("supply", "has no end in this game")
        return
    taxi, bus, underground = supply
    if not (0 <= taxi <= room_taxi and 0 <= bus <= room_bus and 0 <= underground <= room_underground):
        room = _listed(Tickets(room_taxi, room_bus, room_underground))
        raise PositionError("supply", f"with these hands each kind of ticket must be 0 to {room}")


def _check_mr_x(
    options: ScotlandYardOptions,
    black_tickets: int,
    double_tickets: int,
    moves_made: int,
    rounds_moved: int,
    phase: Phase,
) -> None:
    if not 0 <= black_tickets <= options.black_tickets:
        raise PositionError("black_tickets", f"must be 0 to {options.black_tickets}")
    if not 0 <= double_tickets <= options.double_tickets:
        raise PositionError("double_tickets", f"must be 0 to {options.double_tickets}")
    # Each round takes one field of the log, and each double ticket spent one more; before his turn one field is free.
    most_moves = rounds_moved + min(rounds_moved, options.double_tickets - double_tickets)
    most_moves = min(most_moves, options.log_fields - (phase == Phase.MR_X))
    if not rounds_moved <= moves_made <= most_moves:
        bounds = f"{rounds_moved} to {most_moves}"
        raise PositionError("moves_made", f"after so many rounds and double tickets must be {bounds}")


def _check_moved(options: ScotlandYardOptions, moved: frozenset[Piece], phase: Phase) -> None:
    if not moved <= options.hunter_numbers.keys():
        raise PositionError("moved", "names a piece that is no hunter of this game")
    if phase == Phase.MR_X:
        first = min(options.hunter_numbers[piece] for piece in moved)
        raise PositionError("moved", "no hunter has moved when it is Mr X's turn", first)


def _check_master(
    board: Board,
    options: MasterOptions | None,
    master: MasterState,
    round: int,  # noqa: A002 - as above
    moves_made: int,
) -> None:
    """What the app keeps."""
    if options is None:
        raise PositionError("master", "must be left out: the preset plays without the app")
    if not 0 <= master.helicopter_tickets <= options.helicopter_tickets:
        raise PositionError("master.helicopter_tickets", f"must be 0 to {options.helicopter_tickets}")
    _check_meeting_points(board, options, master.meeting_points, moves_made)
    _check_findings(master.findings, round, moves_made)


def _check_meeting_points(
    board: Board, options: MasterOptions, points: tuple[MeetingPoint, ...], moves_made: int
) -> None:
    if len(points) > len(options.meeting_fields):
        raise PositionError("master.meeting_points", f"must be {len(options.meeting_fields)} at most")
    for index, point in enumerate(points):
        place = f"master.meeting_points[{index}]"
        if point.station not in board.coordinates:
            raise PositionError(f"{place}.station", f"there is no station {point.station}")
        if point.station in [earlier.station for earlier in points[:index]]:
            raise PositionError(f"{place}.station", f"station {point.station} is there twice")
        for name, field in (("shown", point.shown), ("reached", point.reached)):
            if not 0 <= field <= moves_made:
                raise PositionError(f"{place}.{name}", f"must be 0 to {moves_made}, a field that is filled")
        if 0 < point.reached <= point.shown:
            raise PositionError(f"{place}.reached", f"must be after field {point.shown}, when he was shown it")
    reached = sum(1 for point in points if point.reached)
    if 0 < options.meetings_to_win <= reached:
        raise PositionError("master.meeting_points", f"a game is won when {options.meetings_to_win} are reached")


def _check_findings(findings: tuple[Finding, ...], round: int, moves_made: int) -> None:  # noqa: A002 - as above
    earlier_round, earlier_field = 1, 0
    for index, finding in enumerate(findings):
        place = f"master.findings[{index}]"
        if not earlier_round <= finding.round <= round:
            raise PositionError(f"{place}.round", f"must be {earlier_round} to {round}: the latest come last")
        # Each round takes one field of the log at least.
        least_field = max(earlier_field, finding.round)
        if not least_field <= finding.field <= moves_made:
            raise PositionError(f"{place}.field", f"must be {least_field} to {moves_made}: the latest come last")
        earlier_round, earlier_field = finding.round, finding.field


def _listed(tickets: Tickets) -> str:
    return "/".join(str(count) for count in tickets)
