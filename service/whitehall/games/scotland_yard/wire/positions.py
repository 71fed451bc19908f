"""Positions on the wire: questions without a game."""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import replace
from functools import lru_cache

from google.protobuf.message import Message

from whitehall.games.core.fault import InvalidField, OptionsError
from whitehall.games.core.rule import IllegalMove, Rule, Violation
from whitehall.games.core.seat import Seat
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Together, UseAction
from whitehall.games.scotland_yard.options import MR_X_SEAT, ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.position import PositionError, position
from whitehall.games.scotland_yard.position_notation import sides
from whitehall.games.scotland_yard.sentences import must_be_left_out, without_app
from whitehall.games.scotland_yard.state import MasterState, Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Tickets
from whitehall.games.scotland_yard.wire.master import (
    action_number,
    read_actions,
    read_finding,
    read_meeting_points,
    write_finding,
    write_meeting_point,
)
from whitehall.games.scotland_yard.wire.moves import encode_moves_of, read_moves
from whitehall.games.scotland_yard.wire.numbers import phase_number, piece_number
from whitehall.games.scotland_yard.wire.options import fault, read_overrides, write_options
from whitehall.games.scotland_yard.wire.views import write_events, write_outcome, write_tickets
from whitehall.gen.whitehall.common.v1 import rule_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import options_pb2, position_pb2

HUNTERS_SEAT = Seat(1)
"""In a position one seat moves all hunters."""

_has: Callable[[Message, str], bool] = position_pb2.Position.HasField  # type: ignore[assignment]  # one method, of any message
"""Whether a message holds a field, asked ten times of each position: a message that is asked for its method looks among
its fields first.
"""

_POOLED = Text("the shared hand holds them", "la main commune les tient")
_OWN_HANDS = Text("every detective has its own, and no Bobby", "chaque détective a les siens, et les bobbies aucun")
_SHARED_HAND = Text(
    "is there exactly where detectives share a hand", "à donner exactement quand les détectives partagent une main"
)
_FINITE_SUPPLY = Text("is there exactly where it has an end", "à donner exactement quand elle a une fin")
_NO_BLACK_SUPPLY = Text(
    "must be 0: black tickets lie in no supply", "doit être 0 : aucun Black Ticket ne se trouve dans une pioche"
)
_PHASES = {phase.value: phase for phase in Phase}
_few = lru_cache(1 << 12)(Tickets)
"""Hands of the same few tickets come again and again, and to find one takes a third of the time of making it."""


@lru_cache(64)
def _options(preset: str, players: int, overrides: bytes = b"") -> ScotlandYardOptions:
    options = sides(preset, players, read_overrides(options_pb2.Options.FromString(overrides)))
    return replace(options, board=_apart(options.board))


@lru_cache(16)
def _apart(board: Board) -> Board:
    """The same board with a timetable of its own. What a timetable has prepared is answered sooner, so one that
    positions shared with games in play would tell whoever asks about a position whether Mr X has stood in it.
    """
    return copy(board)


def read_position(message: position_pb2.Position) -> ScotlandYardState:
    """The position, with the ends and forced passes that are due in it made. Raises `InvalidField`."""
    try:
        changes = message.overrides.SerializeToString() if _has(message, "overrides") else b""
        options = _options(message.preset, message.players, changes)
    except OptionsError as error:
        raise fault(error) from error
    hunters = list(message.hunters)
    pieces: tuple[int, ...] = tuple([hunter.piece for hunter in hunters])
    if pieces != options.hunters:
        expected = ", ".join(piece.word for piece in options.hunters)
        order = Text(
            f"must be {expected}, each once and in this order", f"il faut {expected}, chacun une fois et dans cet ordre"
        )
        raise InvalidField("hunters", order)
    own_hands = 0 if options.pooled else len(options.detectives)
    for index, hunter in enumerate(hunters):
        if _has(hunter, "tickets") != (index < own_hands):
            raise InvalidField(f"hunters[{index}].tickets", _POOLED if options.pooled else _OWN_HANDS)
    if _has(message, "shared_hand") != options.pooled:
        raise InvalidField("shared_hand", _SHARED_HAND)
    if _has(message, "supply") != options.supply_changes:
        raise InvalidField("supply", _FINITE_SUPPLY)
    supply = message.supply
    if supply.black:
        raise InvalidField("supply.black", _NO_BLACK_SUPPLY)
    hands = [message.shared_hand] if options.pooled else [hunter.tickets for hunter in hunters[:own_hands]]
    try:
        return position(
            options,
            round=message.round,
            phase=_PHASES[message.phase],
            mr_x=message.mr_x,
            hunters=[hunter.station for hunter in hunters],
            hands=[_few(hand.taxi, hand.bus, hand.underground) for hand in hands],
            black_hands=[hand.black for hand in hands],
            supply=_few(supply.taxi, supply.bus, supply.underground) if options.supply_changes else None,
            black_tickets=message.black_tickets,
            double_tickets=message.double_tickets,
            moves_made=message.moves_made,
            moved=[options.hunters[index] for index, hunter in enumerate(hunters) if hunter.has_moved],
            master=_read_master(message, options),
        )
    except PositionError as error:
        raise InvalidField(_path(error, options), error.text) from error


def _read_master(message: position_pb2.Position, options: ScotlandYardOptions) -> MasterState | None:
    """What the app keeps; None where it is as at the start of a game, or where there is no app."""
    if not message.HasField("master"):
        return None
    if options.master is None:
        raise InvalidField("master", must_be_left_out(without_app(options.preset)))
    master = message.master
    findings = [
        read_finding(finding, options.board, options.master, f"master.findings[{index}]")
        for index, finding in enumerate(master.findings)
    ]
    return MasterState(
        helicopter_tickets=master.helicopter_tickets,
        meeting_points=read_meeting_points(master.meeting_points),
        offered=read_actions(master.offered),
        findings=tuple(findings),
    )


def _path(error: PositionError, options: ScotlandYardOptions) -> str:
    """Where the field that is at fault stands in the message: most of what concerns a hunter stands at that hunter."""
    match error.field:
        case "hands" | "black_hands":
            return "shared_hand" if options.pooled else f"hunters[{error.index}].tickets"
        case "hunters":
            return f"hunters[{error.index}].station"
        case "moved":
            return f"hunters[{error.index}].has_moved"
        case field:
            return field


def write_position(state: ScotlandYardState) -> position_pb2.Position:
    """A position as it can be asked about again."""
    options = state.options
    detectives = len(options.detectives)
    hunters = []
    for index, (piece, station) in enumerate(zip(options.hunters, state.hunters, strict=True)):
        owns_hand = not options.pooled and index < detectives
        hunters.append(
            position_pb2.PositionHunter(
                piece=piece_number(piece),
                station=station,
                tickets=write_tickets(state.hands[index], state.black_hands[index]) if owns_hand else None,
                has_moved=bool(state.moved >> index & 1),
            )
        )
    return position_pb2.Position(
        preset=options.preset,
        players=options.players,
        round=state.round,
        phase=phase_number(state.phase),
        mr_x=state.mr_x,
        hunters=hunters,
        supply=write_tickets(state.supply) if options.supply_changes else None,
        shared_hand=write_tickets(state.hands[0], state.black_hands[0]) if options.pooled else None,
        black_tickets=state.black_tickets,
        double_tickets=state.double_tickets,
        moves_made=state.moves_made,
        overrides=_overrides(options),
        master=None if state.master is None else _write_master(state.master),
    )


def _write_master(master: MasterState) -> position_pb2.MasterPosition:
    return position_pb2.MasterPosition(
        helicopter_tickets=master.helicopter_tickets,
        offered=map(action_number, master.offered),
        findings=map(write_finding, master.findings),
        meeting_points=map(write_meeting_point, master.meeting_points),
    )


def _overrides(options: ScotlandYardOptions) -> options_pb2.Options | None:
    """Everything that is in force, or nothing where the preset is."""
    usual = _options(options.preset, options.players)
    return None if options is usual or options == usual else write_options(options)


def list_legal_moves(question: position_pb2.Position) -> bytes:
    """The legal moves of the side to move, as an encoded `LegalMoves`."""
    state = read_position(question)
    return encode_moves_of(state, MR_X_SEAT if state.phase is Phase.MR_X else HUNTERS_SEAT)


def judge(question: position_pb2.PositionMoves) -> bytes:
    """Every rule that forbids the moves, as an encoded `Judgement`."""
    state, seat, move = _read_question(question)
    violations = [write_violation(violation) for violation in game.violations(state, seat, move)]
    return position_pb2.Judgement(legal=not violations, violations=violations).SerializeToString()


def apply(question: position_pb2.PositionMoves) -> bytes:
    """What becomes of the moves, as an encoded `AppliedMoves`."""
    state, seat, move = _read_question(question)
    try:
        after, events = game.apply(state, seat, move, _GivenDraws(question.draws))
    except IllegalMove as error:
        return position_pb2.AppliedMoves(violation=write_violation(error.violation)).SerializeToString()
    outcome = game.outcome(after)
    return position_pb2.AppliedMoves(
        position=write_position(after),
        events=write_events(events),
        outcome=None if outcome is None else write_outcome(outcome),
    ).SerializeToString()


class _GivenDraws:
    """Chance as the caller decides it, draw by draw."""

    def __init__(self, draws: Iterable[int]) -> None:
        self._draws = enumerate(draws)
        self._asked = 0

    def draw(self, label: str, bound: int) -> int:
        index, value = next(self._draws, (self._asked, bound))
        self._asked += 1
        if value >= bound:
            reason = Text(f"must be 0 to {bound - 1}: {label}", f"doit se situer entre 0 et {bound - 1} : {label}")
            raise InvalidField(f"draws[{index}]", reason)
        return value


def _read_question(question: position_pb2.PositionMoves) -> tuple[ScotlandYardState, Seat, Move]:
    try:
        state = read_position(question.position)
    except InvalidField as fault:
        raise fault.below("position") from fault
    move = read_moves(question.moves, Piece.MR_X if state.phase is Phase.MR_X else None)
    return state, _mover(move), move


def _mover(move: Move) -> Seat:
    """The side that a move belongs to; a batch is the hunters', and so is a special action."""
    if isinstance(move, DoubleMove):
        return MR_X_SEAT
    if isinstance(move, Together | UseAction | Hear):
        return HUNTERS_SEAT
    return MR_X_SEAT if move.piece is Piece.MR_X else HUNTERS_SEAT


def write_violation(violation: Violation) -> rule_pb2.RuleViolation:
    """A violation with its rule in full."""
    return rule_pb2.RuleViolation(rule=write_rule(violation.rule), details=dict(violation.details))


def write_rule(rule: Rule) -> rule_pb2.Rule:
    """A rule as the catalog has it."""
    return rule_pb2.Rule(id=rule.id, sentence_en=rule.en, sentence_fr=rule.fr, source=rule.source)


QUESTIONS: Mapping[str, Callable[..., bytes]] = {
    "ListPositionLegalMoves": list_legal_moves,
    "ValidatePositionMoves": judge,
    "ApplyPositionMoves": apply,
}
"""What answers one question of each position method."""
