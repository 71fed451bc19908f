"""Logs that are hard to count, and games as they go.

A log is *heavy* where many unseen showings overlap: each seat's right neighbour suggests, so that nobody passes.
"""

from collections.abc import Sequence
from random import Random

from tests.games.cluedo.small_decks import Deal, answer
from whitehall.games.cluedo.card import Case, location, suspect, weapon
from whitehall.games.cluedo.evidence import Evidence, SeenAccusation, SeenEvent, SeenSuggestion
from whitehall.games.cluedo.public_log import USUAL_DECK, deck_of, evidence_from_log
from whitehall.games.core.seat import Seat

LARGEST = (9, 9, 9)
"""The largest deck that a log may have."""


def deal_of(random: Random, players: int, deck: Sequence[int] = USUAL_DECK) -> Deal:
    envelope = case_of(random, deck)
    rest = [card for card in deck_of(deck) if card not in envelope]
    random.shuffle(rest)
    return dict.fromkeys(envelope, -1) | {card: index % players for index, card in enumerate(rest)}


def case_of(random: Random, deck: Sequence[int] = USUAL_DECK) -> Case:
    first, second, third = (random.randint(1, most) for most in deck)
    return Case(suspect(first), weapon(second), location(third))


def evidence(players: int, deal: Deal, events: Sequence[SeenEvent], seat: int | None) -> Evidence:
    hand = [card for card, owner in deal.items() if owner == seat]
    return evidence_from_log(sorted(deal), players, events, seat=None if seat is None else Seat(seat), hand=hand)


def game(seed: int, suggestions: int, players: int = 6, seat: int | None = 0) -> Evidence:
    """What a seat has seen after so many suggestions, of cards that were named without a thought."""
    random = Random(seed)
    deal = deal_of(random, players)
    events: list[SeenEvent] = []
    for turn in range(suggestions):
        suggester, case = Seat(turn % players), case_of(random)
        passed, refuter, held = answer(deal, players, suggester, case)
        seen = refuter is not None and seat in (suggester, refuter)
        events.append(SeenSuggestion(suggester, case, passed, refuter, random.choice(held) if seen else None))
    return evidence(players, deal, events, seat)


def unseen(random: Random, players: int, deal: Deal, refuter: int, deck: Sequence[int] = USUAL_DECK) -> SeenSuggestion:
    """A showing by this seat, to the neighbour who asked it first."""
    while True:
        case = case_of(random, deck)
        if refuter in [deal[card] for card in case]:
            return SeenSuggestion(Seat((refuter - 1) % players), case, (), Seat(refuter))


def heavy(seed: int, players: int, showings: int) -> Evidence:
    """What an onlooker has seen where every suggestion was answered at once, by each seat so many times."""
    random = Random(seed)
    deal = deal_of(random, players)
    each = [seat for seat in range(players) for _ in range(showings)]
    return evidence(players, deal, [unseen(random, players, deal, seat) for seat in each], None)


def heaviest(seed: int, showings: int, *, accusations: int = 6) -> Evidence:
    """The same of the largest deck, where in the end seat after seat has accused wrongly."""
    random = Random(seed)
    deal = deal_of(random, 6, LARGEST)
    told: list[SeenEvent] = [unseen(random, 6, deal, number % 6, LARGEST) for number in range(showings)]
    for seat in range(accusations):
        case = case_of(random, LARGEST)
        if any(deal[card] >= 0 for card in case):
            told.append(SeenAccusation(Seat(seat), case))
    return evidence(6, deal, told, None)
