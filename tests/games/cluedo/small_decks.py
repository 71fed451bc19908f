"""Games with so few cards that every deal can be looked at, and what follows from looking at every deal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import NamedTuple

from whitehall.games.cluedo.card import Card, Case, location, suspect, weapon
from whitehall.games.cluedo.deduction import ENVELOPE, FACE_UP
from whitehall.games.cluedo.evidence import Evidence, SeenAccusation, SeenEvent, SeenSuggestion
from whitehall.games.cluedo.public_log import evidence_from_log
from whitehall.games.core.seat import Seat

Deal = dict[Card, int]
"""The owner of every card of the deck."""


class SmallGame(NamedTuple):
    """What one viewer has written down."""

    cards: tuple[Card, ...]
    players: int
    first_dealt: int
    face_up: tuple[Card, ...]
    seat: int | None
    hand: tuple[Card, ...]
    events: tuple[SeenEvent, ...]

    def evidence(self) -> Evidence:
        return evidence_from_log(
            self.cards,
            self.players,
            self.events,
            first_dealt=Seat(self.first_dealt),
            face_up=self.face_up,
            seat=None if self.seat is None else Seat(self.seat),
            hand=self.hand,
        )

    def deals(self) -> list[Deal]:
        """Every deal that fits the cards that the viewer sees, before anything happens."""
        every = every_deal(self.cards, self.players, self.first_dealt, self.face_up)
        if self.seat is None:
            return list(every)
        return [deal for deal in every if {card for card in deal if deal[card] == self.seat} == set(self.hand)]


def every_deal(cards: Sequence[Card], players: int, first_dealt: int, face_up: Sequence[Card]) -> Iterator[Deal]:
    """Each way of filling the envelope and dealing out the rest."""
    hidden = [card for card in cards if card not in face_up]
    kinds = [[card for card in hidden if card.category == category] for category in (1, 2, 3)]
    for envelope in product(*kinds):
        rest = [card for card in hidden if card not in envelope]
        sizes = [0] * players
        for turn in range(len(rest)):
            sizes[(first_dealt + turn) % players] += 1
        deal = dict.fromkeys(face_up, FACE_UP) | dict.fromkeys(envelope, ENVELOPE)
        yield from _deal_out(deal, rest, sizes, 0)


def _deal_out(deal: Deal, rest: list[Card], sizes: list[int], seat: int) -> Iterator[Deal]:
    if seat == len(sizes):
        yield deal
        return
    for hand in combinations(rest, sizes[seat]):
        left = [card for card in rest if card not in hand]
        yield from _deal_out(deal | dict.fromkeys(hand, seat), left, sizes, seat + 1)


def fits(deal: Deal, event: SeenEvent) -> bool:
    """Whether this could have been seen if the cards lay so."""
    owners = [deal[card] for card in event.case]
    if isinstance(event, SeenAccusation):
        return owners != [ENVELOPE] * 3 and event.envelope in (None, solution(deal))
    if any(seat in owners for seat in event.passed):
        return False
    if event.card is not None:
        return deal[event.card] == event.refuter
    return event.refuter is None or event.refuter in owners


def fitting(deals: Sequence[Deal], events: Sequence[SeenEvent]) -> list[Deal]:
    return [deal for deal in deals if all(fits(deal, event) for event in events)]


def solution(deal: Deal) -> Case:
    return Case(*sorted(card for card, owner in deal.items() if owner == ENVELOPE))


def solutions(deals: Sequence[Deal]) -> Counter[Case]:
    return Counter(solution(deal) for deal in deals)


def owners(deals: Sequence[Deal]) -> dict[Card, Counter[int]]:
    return {card: Counter(deal[card] for deal in deals) for card in deals[0]}


def small_game(random: Random) -> SmallGame:
    """A log of a game that was really dealt and answered truthfully."""
    counts = (random.randint(2, 3), random.randint(2, 3), random.randint(2, 4))
    makers = (suspect, weapon, location)
    cards = tuple(make(number) for make, count in zip(makers, counts, strict=True) for number in range(1, count + 1))
    players = random.randint(2, min(4, len(cards) - 3))
    spare = len(cards) - 3 - players
    face_up = _face_up(random, cards, random.choice((0, 0, 1, 2)) if spare >= 2 else 0)
    first_dealt = random.randrange(players)
    # Any deal may be the true one; the first few of them would all be alike.
    deal = random.choice(list(every_deal(cards, players, first_dealt, face_up)))
    seat = random.choice((None, *range(players)))
    hand = tuple(card for card in cards if deal[card] == seat)
    events = [_event(random, cards, players, deal, seat) for _ in range(random.randint(0, 8))]
    return SmallGame(cards, players, first_dealt, face_up, seat, hand, _by_those_in_the_running(events))


def tampered(random: Random, game: SmallGame) -> SmallGame:
    """The same game with slips of the pen in its log: some events come from another deal."""
    deal = random.choice(list(every_deal(game.cards, game.players, game.first_dealt, game.face_up)))
    slips = [_event(random, game.cards, game.players, deal, game.seat) for _ in range(3)]
    events = [*game.events, *slips]
    random.shuffle(events)
    return game._replace(events=_by_those_in_the_running(events))


def _by_those_in_the_running(events: Iterable[SeenEvent]) -> tuple[SeenEvent, ...]:
    """Without what a seat did after it had accused wrongly."""
    left: list[SeenEvent] = []
    for event in events:
        if not any(isinstance(before, SeenAccusation) and before.seat == event.seat for before in left):
            left.append(event)
    return tuple(left)


def answer(deal: Deal, players: int, seat: int, case: Case) -> tuple[tuple[Seat, ...], Seat | None, list[Card]]:
    """Who passes, who shows, and which cards that seat can show."""
    passed: list[Seat] = []
    for step in range(1, players):
        asked = (seat + step) % players
        held = [card for card in case if deal[card] == asked]
        if held:
            return tuple(passed), Seat(asked), held
        passed.append(Seat(asked))
    return tuple(passed), None, []


def _face_up(random: Random, cards: tuple[Card, ...], number: int) -> tuple[Card, ...]:
    """Cards of which enough are left of each kind."""
    chosen = tuple(sorted(random.sample(cards, number)))
    left = Counter(card.category for card in cards if card not in chosen)
    return chosen if len(left) == 3 and min(left.values()) > 1 else ()


def _event(random: Random, cards: tuple[Card, ...], players: int, deal: Deal, viewer: int | None) -> SeenEvent:
    case = Case(*(random.choice([card for card in cards if card.category == category]) for category in (1, 2, 3)))
    seat = Seat(random.randrange(players))
    if random.random() < 0.2 and solution(deal) != case:
        return SeenAccusation(seat, case)
    passed, refuter, held = answer(deal, players, seat, case)
    sees = refuter is not None and viewer in (seat, refuter)
    return SeenSuggestion(seat, case, passed, refuter, random.choice(held) if sees else None)
