"""Refutation: which seat has to answer a suggestion, and with which cards, once all hands are known."""

from collections.abc import Sequence
from typing import NamedTuple

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import no_seat
from whitehall.games.core.text import Text


class Refutation(NamedTuple):
    """What the hands make of a suggestion."""

    passed: tuple[Seat, ...]
    """The seats that hold none of the three cards, in the order in which they are asked, before one that does."""
    refuter: Seat | None
    """The seat that has to show a card; None where everybody passes."""
    cards: tuple[Card, ...]
    """The cards of which it shows one, of its own choice, ascending."""


def refutation(hands: Sequence[Sequence[Card]], seat: Seat, case: Case) -> Refutation:
    """Who answers a suggestion of this seat: clockwise from its left neighbour, the first that holds a named card.

    Seats that have accused wrongly are asked like all others; the suggester never is.
    """
    passed: list[Seat] = []
    for step in range(1, len(hands)):
        asked = Seat((seat + step) % len(hands))
        if cards := cards_to_show(hands[asked], case):
            return Refutation(tuple(passed), asked, cards)
        passed.append(asked)
    return Refutation(tuple(passed), None, ())


def cards_to_show(hand: Sequence[Card], case: Case) -> tuple[Card, ...]:
    """The named cards in a hand, ascending."""
    return tuple(sorted(set(hand) & set(case)))


def check_hands(hands: Sequence[Sequence[Card]], seat: Seat) -> None:
    """Raises `InvalidField` where these are no hands of one table, or the one who suggests has none of them.

    They need not be the whole deal: whoever asks may leave out cards that nobody names.
    """
    held_in: dict[Card, int] = {}
    for number, hand in enumerate(hands):
        for place, card in enumerate(hand):
            if card in held_in:
                owner = held_in[card]
                reason = Text(
                    f"{card.word} is in the hand of seat {owner} already",
                    f"{card.word} est déjà dans la main de la place {owner}",
                )
                raise InvalidField(f"hands[{number}].cards[{place}]", reason)
            held_in[card] = number
    if not 0 <= seat < len(hands):
        raise InvalidField("seat", no_seat(seat))
