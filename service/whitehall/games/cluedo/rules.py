"""The rules as a referee applies them: which moves are legal, why others are not, and what a move leads to."""

from collections.abc import Iterator
from functools import lru_cache

from whitehall.games.cluedo import turns, walking
from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.dealing import setup
from whitehall.games.cluedo.events import (
    Entered,
    Event,
    Refuted,
    Rolled,
    Stuck,
    TookPassage,
    TurnEndReason,
    Walked,
)
from whitehall.games.cluedo.moves import (
    Accuse,
    Dice,
    EndTurn,
    Enter,
    Move,
    Pass,
    Passage,
    Roll,
    Show,
    Suggest,
    Walk,
)
from whitehall.games.cluedo.options import AccusationMoment, CluedoOptions, DiceSource
from whitehall.games.cluedo.refutation import cards_to_show
from whitehall.games.cluedo.rulebook import (
    ACCUSATION_MOMENT,
    ANSWER_FIRST,
    CARDS_OF_THE_GAME,
    END_WHEN_MOVED,
    GAME_IS_OVER,
    IN_A_ROOM,
    IN_TURN,
    ON_ARRIVAL,
    ONE_WAY_TO_MOVE,
    OUT_OF_THE_RUNNING,
    OWN_CARD,
    OWN_PAWN,
    PASSAGE_LEADS_THERE,
    ROLL_FIRST,
    SERVICE_ROLLS,
    SUGGESTED_CARD,
    TABLE_ROLLS,
    THIS_ROOM,
    WHEN_ASKED,
    WHO_CAN_SHOW_MUST,
)
from whitehall.games.cluedo.state import CluedoState, Phase
from whitehall.games.cluedo.turns import Continued, pawn_of, place_of
from whitehall.games.cluedo.view import to_move
from whitehall.games.core.chance import Chance
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.rule import IllegalMove, Violation
from whitehall.games.core.seat import Seat

__all__ = ["apply", "check", "legal_moves", "outcome", "setup", "to_move", "violations"]

PIPS = range(1, 7)
"""What a die shows."""


# --- what may be done ---------------------------------------------------------------------------------------------


def legal_moves(state: CluedoState, seat: Seat) -> tuple[Move, ...]:
    """What the seat may do now. Walks and entries stand here without the way that they take."""
    if seat not in to_move(state):
        return ()
    pawn = pawn_of(state, seat)
    if state.phase == Phase.SHOW:
        cards = cards_to_show(state.hands[seat], state.suggestions[-1].case)
        return tuple(Show(pawn, card) for card in cards)
    moves: list[Move] = []
    if state.phase == Phase.START:
        moves += _rolls(pawn, state.options.dice)
        moves += [Passage(pawn, location) for location in passages(state)]
    if state.phase == Phase.MOVE:
        found = walking.in_reach(state)
        moves += [Walk(pawn, square) for square in found.squares]
        moves += [Enter(pawn, state.options.location_at[slot]) for slot in found.rooms]
    location = suggestion_room(state)
    if location is not None:
        moves += [Suggest(pawn, case) for case in state.options.cases if case.location == location]
    if may_accuse(state):
        moves += _accusations(pawn, state.options)
    if may_end(state):
        moves.append(EndTurn(pawn))
    return tuple(moves)


@lru_cache(256)
def _accusations(pawn: Card, options: CluedoOptions) -> tuple[Accuse, ...]:
    return tuple(Accuse(pawn, case) for case in options.cases)


def _rolls(pawn: Card, source: DiceSource) -> list[Move]:
    if source is DiceSource.SERVICE:
        return [Roll(pawn)]
    return [Roll(pawn, Dice(first, second)) for first in PIPS for second in PIPS]


def passages(state: CluedoState) -> tuple[Card, ...]:
    """Where the secret passage of the active pawn's room leads, if it has one."""
    place = place_of(state, pawn_of(state, state.active))
    if not isinstance(place, Card):
        return ()
    options = state.options
    slot = options.board.passage_from.get(options.slot_of[place])
    return () if slot is None else (options.location_at[slot],)


def suggestion_room(state: CluedoState) -> Card | None:
    """The room in which the active seat may suggest now: it has just come there, or was called in."""
    pawn = pawn_of(state, state.active)
    place = place_of(state, pawn)
    arrived = state.phase == Phase.SUGGEST or (state.phase == Phase.START and pawn in state.called)
    return place if arrived and isinstance(place, Card) else None


def may_accuse(state: CluedoState) -> bool:
    """Whether the active seat may accuse now."""
    if state.phase in (Phase.START, Phase.CLOSE):
        return True
    return state.options.accusations is AccusationMoment.ANY_TIME and state.phase in (Phase.MOVE, Phase.SUGGEST)


def may_end(state: CluedoState) -> bool:
    """Whether the active seat may end its turn now."""
    return state.phase in (Phase.SUGGEST, Phase.CLOSE)


# --- what may not -------------------------------------------------------------------------------------------------


def violations(state: CluedoState, seat: Seat, move: Move) -> Iterator[Violation]:
    """Every rule against the move, judged on what the seat may know."""
    # A seat moves its own pawn only.
    if move.pawn != pawn_of(state, seat):
        yield Violation.of(OWN_PAWN, pawn=move.pawn.word)
        return

    # Once the game is over, nobody plays any more.
    if state.outcome is not None:
        yield Violation.of(GAME_IS_OVER)
        return

    # Who can show a card must, and who cannot is passed over.
    if isinstance(move, Pass):
        yield Violation.of(WHO_CAN_SHOW_MUST)
        return

    if isinstance(move, Show):
        yield from _show_violations(state, seat, move)
        return

    # Who has accused wrongly takes no turns any more.
    if seat in state.eliminated:
        yield Violation.of(OUT_OF_THE_RUNNING)
        return

    # Seats play in turn.
    if seat != state.active:
        yield Violation.of(IN_TURN)
        return

    # A suggestion is answered before anything else happens.
    if state.phase == Phase.SHOW:
        yield Violation.of(ANSWER_FIRST)
        return

    match move:
        case Roll():
            yield from _roll_violations(state, move)
        case Passage():
            yield from _passage_violations(state, move)
        case Walk() | Enter():
            # A pawn walks once, after the roll.
            if state.phase != Phase.MOVE:
                yield Violation.of(ROLL_FIRST)
            else:
                yield from walking.violations(state, move)
        case Suggest():
            yield from _suggestion_violations(state, move)
        case Accuse():
            yield from _accusation_violations(state, move)
        case EndTurn():
            # A turn is ended once its pawn has moved.
            if not may_end(state):
                yield Violation.of(END_WHEN_MOVED)


def _show_violations(state: CluedoState, seat: Seat, move: Show) -> Iterator[Violation]:
    # A card is shown by the seat that has been asked.
    if state.phase != Phase.SHOW or seat not in to_move(state):
        yield Violation.of(WHEN_ASKED)
        return
    # It is one of the three that were suggested,
    if move.card not in state.suggestions[-1].case:
        yield Violation.of(SUGGESTED_CARD, card=move.card.word)
    # and in the hand of who shows it.
    if move.card not in state.hands[seat]:
        yield Violation.of(OWN_CARD, card=move.card.word)


def _roll_violations(state: CluedoState, move: Roll) -> Iterator[Violation]:
    # A turn begins with one roll.
    if state.phase != Phase.START:
        yield Violation.of(ONE_WAY_TO_MOVE)
    # The service rolls, or the table does.
    if state.options.dice is DiceSource.SERVICE:
        if move.dice is not None:
            yield Violation.of(SERVICE_ROLLS)
    elif move.dice is None or not all(pip in PIPS for pip in move.dice):
        yield Violation.of(TABLE_ROLLS)


def _passage_violations(state: CluedoState, move: Passage) -> Iterator[Violation]:
    # A passage takes the place of the roll.
    if state.phase != Phase.START:
        yield Violation.of(ONE_WAY_TO_MOVE)
    # It leads from the room where the pawn stands to the one opposite.
    if move.location not in passages(state):
        yield Violation.of(PASSAGE_LEADS_THERE, location=move.location.word)


def _suggestion_violations(state: CluedoState, move: Suggest) -> Iterator[Violation]:
    place = place_of(state, move.pawn)
    # Suspects, weapons and locations are named that the game has.
    if not _is_known(state, move.case):
        yield Violation.of(CARDS_OF_THE_GAME)
    # A suggestion is made in a room,
    if not isinstance(place, Card):
        yield Violation.of(IN_A_ROOM)
        return
    # names that room,
    if move.case.location != place:
        yield Violation.of(THIS_ROOM, location=place.word)
    # and follows the pawn's coming there.
    if suggestion_room(state) is None:
        yield Violation.of(ON_ARRIVAL)


def _accusation_violations(state: CluedoState, move: Accuse) -> Iterator[Violation]:
    if not _is_known(state, move.case):
        yield Violation.of(CARDS_OF_THE_GAME)
    # A seat accuses at the very start of its turn, or when its suggestion has been answered.
    if not may_accuse(state):
        yield Violation.of(ACCUSATION_MOMENT)


def _is_known(state: CluedoState, case: Case) -> bool:
    options = state.options
    return case.suspect in options.suspects and case.weapon in options.weapons and case.location in options.locations


def check(state: CluedoState, seat: Seat, move: Move) -> Violation | None:
    """The first of `violations`, or None."""
    return next(violations(state, seat, move), None)


# --- what comes of it ---------------------------------------------------------------------------------------------


def apply(state: CluedoState, seat: Seat, move: Move, chance: Chance) -> Continued:
    """Makes a legal move, and all that follows from it without anybody's choice. Raises `IllegalMove`.

    Where the service rolls, a roll takes two draws; nothing else in a turn is left to chance.
    """
    violation = check(state, seat, move)
    if violation is not None:
        raise IllegalMove(violation)
    match move:
        case Roll(pawn, dice):
            return _roll(state, pawn, dice or _rolled(chance))
        case Walk(pawn, square):
            walked = Walked(pawn, walking.way(state, move))
            state, events = turns.close(turns.stand(state, pawn, square))
            return state, (walked, *events)
        case Enter(pawn, location):
            entered = Entered(pawn, location, walking.way(state, move))
            return turns.stand(state, pawn, location)._replace(phase=Phase.SUGGEST), (entered,)
        case Passage(pawn, location):
            state = turns.stand(state, pawn, location)._replace(phase=Phase.SUGGEST)
            return state, (TookPassage(pawn, location),)
        case Suggest(_, case):
            return turns.suggest(state, seat, case)
        case Show(_, card):
            return _show(state, seat, card)
        case Accuse(_, case):
            return turns.accuse(state, seat, case)
        case EndTurn():
            return turns.end(state, TurnEndReason.CHOSEN)
        case Pass():
            raise AssertionError("a pass is never legal")


def _rolled(chance: Chance) -> Dice:
    return Dice(1 + chance.draw("first die", len(PIPS)), 1 + chance.draw("second die", len(PIPS)))


def _roll(state: CluedoState, pawn: Card, dice: Dice) -> Continued:
    """The pawn has to walk now; where it can't take a step, that was all."""
    state = state._replace(dice=dice, phase=Phase.MOVE)
    rolled: tuple[Event, ...] = (Rolled(pawn, dice),)
    if not walking.in_reach(state).is_empty:
        return state, rolled
    state, events = turns.close(state)
    return state, (*rolled, Stuck(pawn), *events)


def _show(state: CluedoState, seat: Seat, card: Card) -> Continued:
    *earlier, asked = state.suggestions
    answered = asked._replace(card=card)
    state = state._replace(phase=Phase.CLOSE, suggestions=(*earlier, answered))
    return state, (Refuted(seat, asked.seat, card),)


def outcome(state: CluedoState) -> Outcome | None:
    """How the game ended, or None while it goes on."""
    return state.outcome
