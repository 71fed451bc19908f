"""Positions on the wire: questions without a game."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.rule import IllegalMove, Rule, Violation
from whitehall.games.core.seat import Seat
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import Move
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.sides import piece_meant, side_of, side_to_move
from whitehall.games.scotland_yard.state import MasterState, ScotlandYardState
from whitehall.games.scotland_yard.wire.findings import write_finding
from whitehall.games.scotland_yard.wire.master_views import write_meeting_point
from whitehall.games.scotland_yard.wire.moves import encode_moves_of, read_moves
from whitehall.games.scotland_yard.wire.numbers import action_number, phase_number, piece_number
from whitehall.games.scotland_yard.wire.options import write_options
from whitehall.games.scotland_yard.wire.position_reading import position_options, read_plain_position, read_position
from whitehall.games.scotland_yard.wire.views import write_events, write_outcome, write_tickets
from whitehall.gen.whitehall.common.v1 import rule_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import options_pb2, position_pb2


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
    """Everything that is in force, or nothing where the preset is. Whose the pieces are is no matter of a position."""
    usual = position_options(options.preset.encode(), options.players)
    is_usual = options is usual or options == replace(usual, seats=options.seats)
    return None if is_usual else write_options(options)


def list_legal_moves(question: position_pb2.Position) -> bytes:
    """The legal moves of the side to move, as an encoded `LegalMoves`."""
    return _moves_of(read_position(question))


def list_plain_legal_moves(question: bytes) -> bytes | None:
    """The same for an encoded `Position` as most of them are; None for any other."""
    state = read_plain_position(question)
    return None if state is None else _moves_of(state)


def _moves_of(state: ScotlandYardState) -> bytes:
    return encode_moves_of(state, side_to_move(state))


def judge(question: position_pb2.PositionMoves) -> bytes:
    """Every rule that forbids the moves, as an encoded `Judgement`."""
    state, seat, move = read_question(question)
    violations = [write_violation(violation) for violation in game.violations(state, seat, move)]
    return position_pb2.Judgement(legal=not violations, violations=violations).SerializeToString()


def apply(question: position_pb2.PositionMoves) -> bytes:
    """What becomes of the moves, as an encoded `AppliedMoves`."""
    state, seat, move = read_question(question)
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


def read_question(question: position_pb2.PositionMoves) -> tuple[ScotlandYardState, Seat, Move]:
    """The position, the side that the move belongs to, and the move. Raises `InvalidField`."""
    try:
        state = read_position(question.position)
    except InvalidField as fault:
        raise fault.below("position") from fault
    move = read_moves(question.moves, piece_meant(state))
    return state, side_of(move), move


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

PLAIN_QUESTIONS: Mapping[str, Callable[[bytes], bytes | None]] = {"ListPositionLegalMoves": list_plain_legal_moves}
"""What answers an encoded question of a method right away, if it is one of the many that are plain."""
