"""Evidence: what one viewer has seen of the cards, event by event.

Whatever a viewer may not know (who holds what, above all) has no way into an `Evidence`: it is made from a view, or
from what somebody at a cardboard game has written down.
"""

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.constraints import KINDS, CardSet, Constraints
from whitehall.games.cluedo.view import CluedoView
from whitehall.games.core.seat import Seat


class SeenSuggestion(NamedTuple):
    """A suggestion and what was seen of the answers to it."""

    seat: Seat
    """Who suggested."""
    case: Case
    passed: tuple[Seat, ...]
    """The seats that held none of the three cards. Those that have not been asked yet are in no field."""
    refuter: Seat | None = None
    """The seat that showed one of the three cards, or has been asked to and must."""
    card: Card | None = None
    """The card that it showed, where the viewer saw it or showed it."""


class SeenAccusation(NamedTuple):
    """A wrong accusation: not all three cards are in the envelope, and to all but its seat that is all that it says."""

    seat: Seat
    """Who accused."""
    case: Case
    envelope: Case | None = None
    """What is in the envelope, where the viewer is the one who accused, and has written down what it saw then."""


SeenEvent = SeenSuggestion | SeenAccusation


class Evidence(NamedTuple):
    """All that a viewer knows of where the cards are."""

    cards: tuple[Card, ...]
    """The whole deck."""
    hand_sizes: tuple[int, ...]
    """How many cards each seat holds."""
    face_up: tuple[Card, ...]
    """The cards that lie open."""
    hands: tuple[tuple[Seat, tuple[Card, ...]], ...]
    """The hands that the viewer knows whole: its own."""
    envelope: Case | None
    """What is in the envelope, where the viewer has looked."""
    events: tuple[SeenEvent, ...]
    """In order of time."""

    def __repr__(self) -> str:
        """Says whose it is and how much, and no card."""
        return f"<Evidence of seats {[seat for seat, _ in self.hands]}, {len(self.events)} events>"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise."""
        return tuple(Seat(seat) for seat in range(len(self.hand_sizes)))

    @property
    def hidden(self) -> tuple[Card, ...]:
        """The cards that do not lie open: those in hands and in the envelope."""
        return tuple(card for card in self.cards if card not in self.face_up)


def evidence_of(view: CluedoView) -> Evidence:
    """What the viewer of this view has seen."""
    options = view.options
    suggestions = (
        ((made.turn, 0), SeenSuggestion(made.seat, made.case, made.passed, made.refuter, made.card))
        for made in view.suggestions
    )
    # A seat suggests before it accuses in one turn, or not at all.
    accusations = (
        ((made.turn, 1), SeenAccusation(made.seat, made.case)) for made in view.accusations if not made.right
    )
    events: Iterable[tuple[tuple[int, int], SeenEvent]] = chain(suggestions, accusations)
    return Evidence(
        cards=options.cards,
        hand_sizes=options.hand_sizes,
        face_up=view.face_up,
        hands=() if view.viewer is None else ((view.viewer, view.hand),),
        envelope=view.envelope,
        events=tuple(event for _, event in sorted(events, key=lambda timed: timed[0])),
    )


def constraints_of(evidence: Evidence, events: Iterable[SeenEvent] | None = None) -> Constraints:
    """What the evidence demands of a deal; with `events`, what it does if nothing but those had happened.

    The cards are the hidden ones, numbered in their order.
    """
    hidden = evidence.hidden
    number = {card: index for index, card in enumerate(hidden)}
    envelope = len(evidence.hand_sizes)
    owners = [(1 << envelope + 1) - 1] * len(hidden)
    held: set[tuple[int, CardSet]] = set()
    barred: set[CardSet] = set()

    def those(cards: Iterable[Card]) -> CardSet:
        return sum(1 << number[card] for card in cards if card in number)

    for seat, hand in evidence.hands:
        for card, index in number.items():
            owners[index] &= 1 << seat if card in hand else ~(1 << seat)

    def looked(case: Case) -> None:
        for card, index in number.items():
            owners[index] &= 1 << envelope if card in case else ~(1 << envelope)

    if evidence.envelope is not None:
        looked(evidence.envelope)
    for event in evidence.events if events is None else events:
        if isinstance(event, SeenAccusation):
            if event.envelope is not None:
                looked(event.envelope)
            # A face-up card is not in the envelope, so a case with one says nothing.
            if those(event.case).bit_count() == KINDS:
                barred.add(those(event.case))
            continue
        without = sum(1 << seat for seat in set(event.passed))
        for card in event.case:
            if card in number:
                owners[number[card]] &= ~without
        if event.refuter is not None:
            # An open card is in no hand: if nothing else is left, no deal fits.
            held.add((event.refuter, those(event.case if event.card is None else (event.card,))))
    kinds = tuple(card.category - 1 for card in hidden)
    return Constraints(kinds, tuple(owners), evidence.hand_sizes, frozenset(held), frozenset(barred))
