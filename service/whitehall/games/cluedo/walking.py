"""Walking as the rules judge it: where the active pawn may go with what was rolled, and why not elsewhere."""

from collections.abc import Iterator

from whitehall.games.cluedo.card import Card
from whitehall.games.cluedo.movement import Reach, Slot, Way, first_steps, reach
from whitehall.games.cluedo.moves import Enter, Walk
from whitehall.games.cluedo.options import Movement
from whitehall.games.cluedo.place import Square
from whitehall.games.cluedo.rulebook import (
    ALONG_CORRIDORS,
    NO_OCCUPIED_SQUARE,
    NO_SQUARE_TWICE,
    NOT_BACK_IN,
    THROUGH_A_DOOR,
    WHOLE_ROLL,
    WITHIN_ROLL,
)
from whitehall.games.cluedo.state import CluedoState
from whitehall.games.cluedo.turns import pawn_of, place_of
from whitehall.games.core.rule import Violation


def in_reach(state: CluedoState) -> Reach:
    """Where the active pawn can walk with what was rolled."""
    if state.dice is None:
        return Reach({}, {})
    options = state.options
    return reach(options.board, _here(state), _occupied(state), state.dice.pips, options.movement)


def way(state: CluedoState, move: Walk | Enter) -> Way:
    """The squares that a legal move steps on."""
    if isinstance(move, Walk):
        return (*move.via, move.square) if move.via else in_reach(state).squares[move.square]
    return move.via or in_reach(state).rooms[state.options.slot_of[move.location]]


def violations(state: CluedoState, move: Walk | Enter) -> Iterator[Violation]:
    """Every rule that forbids to walk there."""
    slot = state.options.slot_of.get(move.location) if isinstance(move, Enter) else None
    if isinstance(move, Enter):
        if slot is None:
            yield Violation.of(THROUGH_A_DOOR, location=move.location.word)
            return
        # The room just left is not entered again in the same turn.
        if slot == _here(state):
            yield Violation.of(NOT_BACK_IN, location=move.location.word)
            return
    elif move.square not in state.options.board.neighbours:
        yield Violation.of(ALONG_CORRIDORS, square=move.square.word)
        return
    # A walk never ends where another pawn stands.
    elif move.square in _occupied(state):
        yield Violation.of(NO_OCCUPIED_SQUARE, square=move.square.word)
        return
    if move.via:
        yield from _way_violations(state, move, slot)
        return
    found = in_reach(state)
    if isinstance(move, Walk) and move.square not in found.squares:
        yield _too_far(state)
    # A room is in reach where a way to one of its doors leaves a pip for the step through it.
    elif slot is not None and slot not in found.rooms:
        yield Violation.of(THROUGH_A_DOOR, location=state.options.location_at[slot].word)


def _way_violations(state: CluedoState, move: Walk | Enter, slot: Slot | None) -> Iterator[Violation]:
    board, here = state.options.board, _here(state)
    squares = (*move.via, move.square) if isinstance(move, Walk) else move.via
    occupied = _occupied(state)
    steps = first_steps(board, here)
    for square in squares:
        if square not in steps:
            yield Violation.of(ALONG_CORRIDORS, square=square.word)
            return
        steps = board.neighbours[square]
    for square in squares:
        if square in occupied:
            yield Violation.of(NO_OCCUPIED_SQUARE, square=square.word)
            return
    if len({here, *squares}) <= len(squares):
        yield Violation.of(NO_SQUARE_TWICE)
        return
    if slot is not None:
        door = board.door_at.get(squares[-1])
        pips = 0 if state.dice is None else state.dice.pips
        if door is None or door.slot != slot or len(squares) >= pips:
            yield Violation.of(THROUGH_A_DOOR, location=state.options.location_at[slot].word)
    elif not _is_long_enough(state, len(squares)):
        yield _too_far(state)


def _is_long_enough(state: CluedoState, length: int) -> bool:
    """Whether a walk to a square may have this length."""
    pips = 0 if state.dice is None else state.dice.pips
    if state.options.movement is Movement.UP_TO:
        return length <= pips
    return length in {len(each) for each in in_reach(state).squares.values()}


def _too_far(state: CluedoState) -> Violation:
    pips = 0 if state.dice is None else state.dice.pips
    return Violation.of(WITHIN_ROLL if state.options.movement is Movement.UP_TO else WHOLE_ROLL, pips=pips)


def _here(state: CluedoState) -> Square | Slot:
    place = place_of(state, pawn_of(state, state.active))
    return state.options.slot_of[place] if isinstance(place, Card) else place


def _occupied(state: CluedoState) -> frozenset[Square]:
    """The squares where other pawns stand. In rooms there is space for all."""
    own = pawn_of(state, state.active).number
    return frozenset(
        place for number, place in enumerate(state.pawns, 1) if number != own and isinstance(place, Square)
    )
