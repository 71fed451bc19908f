"""Turns: how they end and begin, and what a suggestion and an accusation bring about. Moves are legal already."""

from itertools import chain

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.events import (
    Accused,
    Asked,
    CalledIn,
    DoorCleared,
    Eliminated,
    EnvelopeSeen,
    Event,
    GameEnded,
    Passed,
    Revealed,
    Suggested,
    TurnBegan,
    TurnEnded,
    TurnEndReason,
    Unrefuted,
    WeaponMoved,
)
from whitehall.games.cluedo.options import AccusationMoment
from whitehall.games.cluedo.place import Place, Square
from whitehall.games.cluedo.refutation import refutation
from whitehall.games.cluedo.rulebook import NOBODY_LEFT, RIGHT_ACCUSATION
from whitehall.games.cluedo.state import AccusationMade, CluedoState, Phase, SuggestionMade
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.rule import Rule
from whitehall.games.core.seat import Seat

Continued = tuple[CluedoState, tuple[Event, ...]]


def pawn_of(state: CluedoState, seat: Seat) -> Card:
    """The pawn of a seat."""
    return state.options.seats[seat]


def place_of(state: CluedoState, pawn: Card) -> Place:
    """Where a pawn stands."""
    return state.pawns[pawn.number - 1]


def stand(state: CluedoState, pawn: Card, place: Place) -> CluedoState:
    """The state with a pawn somewhere else, whoever brought it there."""
    pawns = (*state.pawns[: pawn.number - 1], place, *state.pawns[pawn.number :])
    return state._replace(pawns=pawns, called=tuple(card for card in state.called if card != pawn))


def suggest(state: CluedoState, seat: Seat, case: Case) -> Continued:
    """Suspect and weapon come into the room, and the seats answer, clockwise: they pass until one can show a card."""
    options = state.options
    events: list[Event] = [Suggested(seat, case)]
    pawn_moved = place_of(state, case.suspect) != case.location
    if pawn_moved:
        state = stand(state, case.suspect, case.location)
        events.append(CalledIn(case.suspect, case.location))
        called_seat = options.seat_of.get(case.suspect)
        # Only who has turns to come gains the right to suggest there.
        if called_seat is not None and called_seat not in state.eliminated:
            state = state._replace(called=tuple(sorted((*state.called, case.suspect))))
    index = case.weapon.number - 1
    weapon_moved = state.weapons[index] != case.location
    if weapon_moved:
        state = state._replace(weapons=(*state.weapons[:index], case.location, *state.weapons[index + 1 :]))
        events.append(WeaponMoved(case.weapon, case.location))

    passed, refuter, _ = refutation(state.hands, seat, case)
    events += map(Passed, passed)
    events.append(Unrefuted(seat) if refuter is None else Asked(refuter))
    made = SuggestionMade(state.turn, seat, case, pawn_moved, weapon_moved, passed, refuter, None)
    phase = Phase.CLOSE if refuter is None else Phase.SHOW
    return state._replace(phase=phase, suggestions=(*state.suggestions, made)), tuple(events)


def accuse(state: CluedoState, seat: Seat, case: Case) -> Continued:
    """The accuser looks into the envelope: right, and the game is won; wrong, and he is out of the running."""
    right = case == state.envelope
    state = state._replace(accusations=(*state.accusations, AccusationMade(state.turn, seat, case, right)))
    accused = Accused(seat, case, right)
    if right:
        state, events = _finish(state, (seat,), RIGHT_ACCUSATION)
        return state, (accused, *events)

    state = state._replace(eliminated=(*state.eliminated, seat))
    out: tuple[Event, ...] = (accused, EnvelopeSeen(seat, state.envelope), Eliminated(seat))
    pawn = pawn_of(state, seat)
    place = place_of(state, pawn)
    door = state.options.board.door_at.get(place) if isinstance(place, Square) else None
    if door is not None:
        location = state.options.location_at[door.slot]
        state = stand(state, pawn, location)
        out += (DoorCleared(pawn, location),)
    state, events = end(state, TurnEndReason.ELIMINATED)
    return state, out + events


def close(state: CluedoState) -> Continued:
    """All that belongs to the turn is done: it ends, where its seat may not accuse any more."""
    may_accuse = state.options.accusations is AccusationMoment.ANY_TIME
    if may_accuse:
        return state._replace(phase=Phase.CLOSE), ()
    return end(state, TurnEndReason.NOTHING_LEFT)


def end(state: CluedoState, reason: TurnEndReason) -> Continued:
    """The turn is over, and the next seat's begins; or the game is over, where nobody is left."""
    seat = state.active
    ended = TurnEnded(seat, reason)
    pawn = pawn_of(state, seat)
    state = state._replace(called=tuple(card for card in state.called if card != pawn), dice=None)
    players = state.options.players
    for step in chain(range(1, players), (0,)):
        following = Seat((seat + step) % players)
        if following not in state.eliminated:
            state = state._replace(turn=state.turn + 1, active=following, phase=Phase.START)
            return state, (ended, TurnBegan(state.turn, following))
    state, events = _finish(state, (), NOBODY_LEFT)
    return state, (ended, *events)


def _finish(state: CluedoState, winners: tuple[Seat, ...], rule: Rule) -> Continued:
    outcome = Outcome(winners, rule)
    state = state._replace(phase=Phase.OVER, outcome=outcome)
    return state, (Revealed(state.envelope), GameEnded(outcome))
