"""Views: what one viewer may know, built up from nothing. Deductions take a view, never a state."""

from dataclasses import replace
from typing import NamedTuple

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.events import Dealt, Enclosed, EnvelopeSeen, Event, Refuted
from whitehall.games.cluedo.moves import Dice
from whitehall.games.cluedo.options import CluedoOptions
from whitehall.games.cluedo.place import Place
from whitehall.games.cluedo.state import AccusationMade, CluedoState, Phase, SuggestionMade
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.seat import Seat, Viewer


class CluedoView(NamedTuple):
    """One viewer's whole knowledge of the position.

    `hand` is the viewer's own; spectators and the host have none. In `suggestions` the card that was shown is there for
    the suggester and for who showed it, and None for all others. `envelope` is there for a seat that accused wrongly,
    since it has looked, and for all once the game is over. The sizes of all hands are `options.hand_sizes`.
    """

    viewer: Viewer
    options: CluedoOptions
    turn: int
    active: Seat
    phase: Phase
    to_move: tuple[Seat, ...]
    """The seat that has to move; in phase `SHOW` the one that was asked for a card. Open to all."""
    dice: Dice | None
    pawns: tuple[Place, ...]
    weapons: tuple[Card, ...]
    called: tuple[Card, ...]
    hand: tuple[Card, ...]
    face_up: tuple[Card, ...]
    suggestions: tuple[SuggestionMade, ...]
    accusations: tuple[AccusationMade, ...]
    eliminated: tuple[Seat, ...]
    envelope: Case | None
    outcome: Outcome | None


def view_of(state: CluedoState, viewer: Viewer) -> CluedoView:
    """What `viewer` may know of the position, copied field by field: what is not named here stays hidden."""
    sees_envelope = state.phase == Phase.OVER or viewer in state.eliminated
    return CluedoView(
        viewer=viewer,
        options=state.options,
        turn=state.turn,
        active=state.active,
        phase=state.phase,
        to_move=to_move(state),
        dice=state.dice,
        pawns=state.pawns,
        weapons=state.weapons,
        called=state.called,
        hand=() if viewer is None else state.hands[viewer],
        face_up=state.face_up,
        suggestions=tuple(_suggestion_view(made, viewer) for made in state.suggestions),
        accusations=state.accusations,
        eliminated=state.eliminated,
        envelope=state.envelope if sees_envelope else None,
        outcome=state.outcome,
    )


def to_move(state: CluedoState) -> tuple[Seat, ...]:
    """The seat that was asked for a card, or else the one whose turn it is; none once the game is over."""
    if state.phase == Phase.OVER:
        return ()
    if state.phase == Phase.SHOW:
        refuter = state.suggestions[-1].refuter
        return () if refuter is None else (refuter,)
    return (state.active,)


def _suggestion_view(made: SuggestionMade, viewer: Viewer) -> SuggestionMade:
    if viewer is not None and viewer in (made.seat, made.refuter):
        return made
    return made._replace(card=None)


def event_view(event: Event, viewer: Viewer) -> Event:
    """The event as `viewer` may know it.

    Nobody sees what goes into the envelope; a hand is seen by its seat, a shown card by the two seats concerned, and
    the envelope, after a wrong accusation, by the accuser.
    """
    match event:
        case Enclosed():
            return Enclosed(None)
        case Dealt(seat=seat) if seat != viewer:
            return replace(event, cards=None)
        case Refuted(seat=seat, to=to) if viewer is None or viewer not in (seat, to):
            return replace(event, card=None)
        case EnvelopeSeen(seat=seat) if seat != viewer:
            return replace(event, case=None)
    return event
