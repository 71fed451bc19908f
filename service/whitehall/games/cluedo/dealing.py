"""Dealing: the envelope, the cards that lie open, and the hands."""

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.events import Dealt, Enclosed, Event, LaidOpen, TurnBegan
from whitehall.games.cluedo.options import CluedoOptions
from whitehall.games.cluedo.state import CluedoState, Phase
from whitehall.games.core.chance import Chance
from whitehall.games.core.seat import Seat


def setup(options: CluedoOptions, chance: Chance) -> tuple[CluedoState, tuple[Event, ...]]:
    """A card of each kind goes into the envelope; of the rest, shuffled together, neutral cards are laid open, and the
    others go round from the seat that is dealt to first. Pawns and weapons stand where they start.
    """
    envelope = Case(
        _drawn(options.suspects, "suspect in the envelope", chance),
        _drawn(options.weapons, "weapon in the envelope", chance),
        _drawn(options.locations, "location in the envelope", chance),
    )
    deck = [card for card in options.cards if card not in envelope]
    face_up = [_dealt(deck, "neutral card", chance) for _ in range(options.neutral_cards)]
    hands: list[list[Card]] = [[] for _ in options.seats]
    to_deal = sum(options.hand_sizes)
    for number in range(to_deal):
        seat = (options.first_dealt + number) % options.players
        hands[seat].append(_dealt(deck, f"card of seat {seat}", chance))
    face_up += deck
    rooms = options.locations
    state = CluedoState(
        options=options,
        turn=1,
        active=Seat(0),
        phase=Phase.START,
        dice=None,
        pawns=options.board.starts[: len(options.suspects)],
        weapons=tuple(rooms[number % len(rooms)] for number in range(len(options.weapons))),
        called=(),
        envelope=envelope,
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        face_up=tuple(sorted(face_up)),
        suggestions=(),
        accusations=(),
        eliminated=(),
        outcome=None,
    )
    dealt = [Dealt(Seat(seat), len(hand), hand) for seat, hand in enumerate(state.hands)]
    laid_open = [LaidOpen(state.face_up)] if face_up else []
    return state, (Enclosed(envelope), *laid_open, *dealt, TurnBegan(1, Seat(0)))


def _drawn(cards: tuple[Card, ...], label: str, chance: Chance) -> Card:
    return cards[chance.draw(label, len(cards))]


def _dealt(deck: list[Card], label: str, chance: Chance) -> Card:
    return deck.pop(chance.draw(label, len(deck)))
