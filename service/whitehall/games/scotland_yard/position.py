"""Bare positions: a moment of a game set up by hand, without the history that led to it."""

from collections.abc import Iterable, Sequence
from typing import cast

from whitehall.games.core.fault import BadInput
from whitehall.games.core.sentences import at_most, must_be
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import answer_faults, rounds
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.findings import Finding
from whitehall.games.scotland_yard.master import MasterOptions
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.sentences import NO_ACTIONS, must_be_left_out, no_station, station_twice
from whitehall.games.scotland_yard.state import MasterState, MeetingPoint, Phase, RoundStart, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Tickets


class PositionError(BadInput):
    """No game can come to this position: the `field` at fault, and why; `index` says which of the hunters or hands."""

    def __init__(self, field: str, text: Text, index: int | None = None) -> None:
        super().__init__(text, field)
        self.field = field
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
        _check_master(options.board, options.master, master, rounds_moved, moves_made)
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
        raise PositionError("round", must_be(1, options.rounds))
    if phase == Phase.OVER:
        over = Text(
            "a game is over by its rules, not by its position", "une partie finit par ses règles, non par sa position"
        )
        raise PositionError("phase", over)
    if phase == Phase.PLACING:
        placed = Text("a position has all its pieces on the board", "une position a tous ses pions sur le plateau")
        raise PositionError("phase", placed)


def _check_stations(options: ScotlandYardOptions, mr_x: int, hunters: tuple[int, ...]) -> None:
    if len(hunters) != len(options.hunters):
        number = len(options.hunters)
        raise PositionError("hunters", Text(f"must be {number} stations", f"il faut {number} stations"))
    stations = options.board.coordinates
    if mr_x not in stations:
        raise PositionError("mr_x", no_station(mr_x))
    for station in hunters:
        if station not in stations:
            raise PositionError("hunters", no_station(station), hunters.index(station))
    if len(set(hunters)) < len(hunters):
        second = next(index for index, station in enumerate(hunters) if station in hunters[:index])
        shared = Text("two pieces cannot share a station", "deux pions ne peuvent partager une station")
        raise PositionError("hunters", shared, second)
    if mr_x in hunters:
        caught = Text(
            "a hunter on Mr X's station has caught him", "un poursuivant sur la station de Mister X l'a attrapé"
        )
        raise PositionError("mr_x", caught)


def _check_hands(
    options: ScotlandYardOptions, hands: tuple[Tickets, ...], black_hands: tuple[int, ...], supply: Tickets
) -> None:
    if len(hands) != options.hands:
        raise PositionError("hands", _must_be_so_many(options.hands))
    most_taxi, most_bus, most_underground = options.hand
    # The supply can hold all the tickets that the game has, without those in hand.
    room_taxi, room_bus, room_underground = options.supply
    for hand in hands:
        taxi, bus, underground = hand
        if not (0 <= taxi <= most_taxi and 0 <= bus <= most_bus and 0 <= underground <= most_underground):
            must = must_be(0, _listed(options.hand))
            each = Text(f"each kind of ticket {must.en}", f"chaque sorte de tickets {must.fr}")
            raise PositionError("hands", each, hands.index(hand))
        room_taxi += most_taxi - taxi
        room_bus += most_bus - bus
        room_underground += most_underground - underground
    if len(black_hands) != len(hands):
        raise PositionError("black_hands", _must_be_so_many(options.hands))
    for black in black_hands:
        if not 0 <= black <= options.black_hand:
            must = must_be(0, options.black_hand)
            each = Text(f"black tickets {must.en}", f"le nombre de Black Tickets {must.fr}")
            raise PositionError("black_hands", each, black_hands.index(black))
    if not options.supply_changes:
        if supply != options.supply:
            raise PositionError("supply", Text("has no end in this game", "est sans fin dans cette partie"))
        return
    taxi, bus, underground = supply
    if not (0 <= taxi <= room_taxi and 0 <= bus <= room_bus and 0 <= underground <= room_underground):
        must = must_be(0, _listed(Tickets(room_taxi, room_bus, room_underground)))
        too_many = Text(
            f"with these hands each kind of ticket {must.en}", f"avec ces mains, chaque sorte de tickets {must.fr}"
        )
        raise PositionError("supply", too_many)


def _check_mr_x(
    options: ScotlandYardOptions,
    black_tickets: int,
    double_tickets: int,
    moves_made: int,
    rounds_moved: int,
    phase: Phase,
) -> None:
    if not 0 <= black_tickets <= options.black_tickets:
        raise PositionError("black_tickets", must_be(0, options.black_tickets))
    if not 0 <= double_tickets <= options.double_tickets:
        raise PositionError("double_tickets", must_be(0, options.double_tickets))
    # Each round takes one field of the log, and each double ticket spent one more; before his turn one field is free.
    most_moves = rounds_moved + min(rounds_moved, options.double_tickets - double_tickets)
    most_moves = min(most_moves, options.log_fields - (phase == Phase.MR_X))
    if not rounds_moved <= moves_made <= most_moves:
        must = must_be(rounds_moved, most_moves)
        filled = Text(
            f"after so many rounds and double tickets the filled fields of the log {must.en}",
            f"après tant de tours et de coups doubles, le nombre de cases remplies de la tablette {must.fr}",
        )
        raise PositionError("moves_made", filled)


def _check_moved(options: ScotlandYardOptions, moved: frozenset[Piece], phase: Phase) -> None:
    if not moved <= options.hunter_numbers.keys():
        no_hunter = Text(
            "names a piece that is no hunter of this game", "nomme un pion qui n'est pas un poursuivant de cette partie"
        )
        raise PositionError("moved", no_hunter)
    if phase == Phase.MR_X:
        first = min(options.hunter_numbers[piece] for piece in moved)
        too_early = Text(
            "no hunter has moved when it is Mr X's turn", "aucun poursuivant n'a joué quand c'est à Mister X"
        )
        raise PositionError("moved", too_early, first)


def _check_master(
    board: Board,
    options: MasterOptions | None,
    master: MasterState,
    rounds_moved: int,
    moves_made: int,
) -> None:
    """What the app keeps."""
    if options is None:
        no_app = Text("the preset plays without the app", "le préréglage se joue sans l'application")
        raise PositionError("master", must_be_left_out(no_app))
    if not 0 <= master.helicopter_tickets <= options.helicopter_tickets:
        raise PositionError("master.helicopter_tickets", must_be(0, options.helicopter_tickets))
    _check_meeting_points(board, options, master.meeting_points, moves_made)
    if master.findings and not options.actions_per_round:
        raise PositionError("master.findings", must_be_left_out(NO_ACTIONS))
    _check_findings(master.findings, rounds_moved, moves_made)
    for index, finding in enumerate(master.findings):
        for fault in answer_faults.faults(finding.answer, board, options):
            raise PositionError(f"master.findings[{index}].answer.{fault.field}", fault.text)


def _check_meeting_points(
    board: Board, options: MasterOptions, points: tuple[MeetingPoint, ...], moves_made: int
) -> None:
    if len(points) > len(options.meeting_fields):
        raise PositionError("master.meeting_points", at_most(len(options.meeting_fields)))
    for index, point in enumerate(points):
        place = f"master.meeting_points[{index}]"
        if point.station not in board.coordinates:
            raise PositionError(f"{place}.station", no_station(point.station))
        if point.station in [earlier.station for earlier in points[:index]]:
            raise PositionError(f"{place}.station", station_twice(point.station))
        for name, field in (("shown", point.shown), ("reached", point.reached)):
            if not 0 <= field <= moves_made:
                must = must_be(0, moves_made)
                filled = Text(f"{must.en}: no more fields are filled", f"{must.fr} : pas plus de cases remplies")
                raise PositionError(f"{place}.{name}", filled)
        if index and point.shown < points[index - 1].shown:
            raise PositionError(f"{place}.shown", _latest_last(points[index - 1].shown, moves_made))
        if 0 < point.reached <= point.shown:
            later = Text(
                f"must be after field {point.shown}, when he was shown it",
                f"doit suivre la case {point.shown}, où il lui a été montré",
            )
            raise PositionError(f"{place}.reached", later)
    reached = sum(1 for point in points if point.reached)
    if 0 < options.meetings_to_win <= reached:
        needed = options.meetings_to_win
        won = Text(f"a game is won when {needed} are reached", f"la partie est gagnée quand {needed} sont atteints")
        raise PositionError("master.meeting_points", won)


def _check_findings(findings: tuple[Finding, ...], rounds_moved: int, moves_made: int) -> None:
    """The app answers after Mr X's move, so in none but the rounds in which he has moved."""
    if findings and not rounds_moved:
        unmoved = Text("Mr X has not moved yet", "Mister X n'a pas encore joué")
        raise PositionError("master.findings", must_be_left_out(unmoved))
    earlier_round, earlier_field = 1, 0
    for index, finding in enumerate(findings):
        place = f"master.findings[{index}]"
        if not earlier_round <= finding.round <= rounds_moved:
            raise PositionError(f"{place}.round", _latest_last(earlier_round, rounds_moved))
        # Each round takes one field of the log at least.
        least_field = max(earlier_field, finding.round)
        if not least_field <= finding.field <= moves_made:
            raise PositionError(f"{place}.field", _latest_last(least_field, moves_made))
        earlier_round, earlier_field = finding.round, finding.field


def _latest_last(least: int, most: int) -> Text:
    must = must_be(least, most)
    return Text(f"{must.en}: the latest come last", f"{must.fr} : les plus récents viennent en dernier")


def _must_be_so_many(number: int) -> Text:
    return Text(f"must be {number}", f"il en faut {number}")


def _listed(tickets: Tickets) -> str:
    """For a range's end: of tickets that are all none, `0`."""
    return "/".join(str(count) for count in tickets) if any(tickets) else "0"
