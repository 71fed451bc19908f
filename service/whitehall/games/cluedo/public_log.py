"""What a person at a cardboard game can write down of the cards, and the evidence that it makes.

Nothing here needs a game that this service has dealt or judged. Hand sizes are worked out and never asked for: who is
asked for a number that he does not know gives a wrong one, and everything after it is wrong as well.
"""

from collections.abc import Container, Iterator, Sequence

from whitehall.games.cluedo.card import Card, Case, Category
from whitehall.games.cluedo.evidence import Evidence, SeenAccusation, SeenEvent
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Seat

FEWEST_PLAYERS, MOST_PLAYERS = 2, 6
USUAL_DECK = (6, 6, 9)
"""Suspects, weapons and locations of a deck that is not told."""
MOST_OF_A_CATEGORY = 9


def deck_of(counts: Sequence[int] = USUAL_DECK) -> tuple[Card, ...]:
    """A deck of so many suspects, weapons and locations. Raises `InvalidField` for more than a log may have."""
    for category, count in zip(Category, counts, strict=True):
        if count > MOST_OF_A_CATEGORY:
            raise InvalidField(f"{category.word}s", f"{count} are too many: a deck has {MOST_OF_A_CATEGORY} at most")
    return tuple(
        Card(category, number)
        for category, count in zip(Category, counts, strict=True)
        for number in range(1, count + 1)
    )


def evidence_from_log(
    cards: Sequence[Card],
    players: int,
    events: Sequence[SeenEvent],
    *,
    first_dealt: Seat = Seat(0),  # noqa: B008
    face_up: Sequence[Card] = (),
    seat: Seat | None = None,
    hand: Sequence[Card] = (),
) -> Evidence:
    """The evidence of a whole game so far.

    `cards` is the deck. Seats are numbered clockwise; the hidden cards but three go round from `first_dealt` on, so
    some seats may have one more than others. `face_up` lists the cards that lie open, `seat` and `hand` who has written
    all this down and what they hold; an onlooker leaves both out. Raises `InvalidField` for a log that is no log.
    """
    for fault in _deal_faults(cards, players, first_dealt, face_up):
        raise fault
    sizes = hand_sizes(len(cards) - len(face_up), players, first_dealt)
    for fault in _hand_faults(cards, sizes, face_up, seat, hand):
        raise fault
    eliminated: set[Seat] = set()
    for index, event in enumerate(events):
        for fault in _event_faults(event, cards, players, eliminated):
            raise fault.below(f"events[{index}]")
        if isinstance(event, SeenAccusation):
            eliminated.add(event.seat)
    hands = () if seat is None else ((seat, tuple(sorted(hand))),)
    return Evidence(tuple(sorted(cards)), sizes, tuple(sorted(face_up)), hands, None, tuple(events))


def hand_sizes(hidden: int, players: int, first_dealt: Seat) -> tuple[int, ...]:
    """How many cards each seat has when this many do not lie open."""
    share, over = divmod(hidden - len(Category), players)
    return tuple(share + ((seat - first_dealt) % players < over) for seat in range(players))


def _deal_faults(
    cards: Sequence[Card], players: int, first_dealt: Seat, face_up: Sequence[Card]
) -> Iterator[InvalidField]:
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        yield InvalidField("players", f"must be {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    elif not 0 <= first_dealt < players:
        yield InvalidField("first_dealt", f"there is no seat {first_dealt}")
    yield from _repetitions("cards", cards)
    yield from _card_faults("face_up", face_up, cards)
    hidden = [card for card in cards if card not in face_up]
    for category in Category:
        if not any(card.category == category for card in hidden):
            yield InvalidField("face_up" if face_up else "cards", f"leaves no {category.word} for the envelope")
    if len(hidden) - len(Category) < players:
        yield InvalidField("face_up" if face_up else "cards", "leaves too few cards to deal one to every seat")


def _hand_faults(
    cards: Sequence[Card], sizes: Sequence[int], face_up: Sequence[Card], seat: Seat | None, hand: Sequence[Card]
) -> Iterator[InvalidField]:
    if seat is None:
        if hand:
            yield InvalidField("seat", "must be there for a hand")
        return
    if not 0 <= seat < len(sizes):
        yield InvalidField("seat", f"there is no seat {seat}")
        return
    yield from _card_faults("hand", hand, cards)
    for index, card in enumerate(hand):
        if card in face_up:
            yield InvalidField(f"hand[{index}]", f"{card.word} lies open")
    if len(hand) != sizes[seat]:
        yield InvalidField("hand", f"must be {sizes[seat]} cards, as they were dealt")


def _event_faults(
    event: SeenEvent, cards: Sequence[Card], players: int, eliminated: Container[Seat]
) -> Iterator[InvalidField]:
    """What makes an event one that cannot have happened, whoever holds what; `eliminated` have accused wrongly."""
    if not 0 <= event.seat < players:
        yield InvalidField("seat", f"there is no seat {event.seat}")
        return
    # Who has accused wrongly takes no turns any more.
    if event.seat in eliminated:
        yield InvalidField("seat", f"seat {event.seat} has accused wrongly before, and only answers since")
        return
    yield from _case_faults(event.case, cards)
    if isinstance(event, SeenAccusation):
        return
    # Seats are asked clockwise from the suggester's left, and all before the one that shows have passed.
    order = [(event.seat + step) % players for step in range(1, players)]
    for index, seat in enumerate(event.passed):
        if index >= len(order) or seat != order[index]:
            yield InvalidField(f"passed[{index}]", f"seat {seat} is not asked then")
            return
    if event.refuter is not None and event.refuter != next(iter(order[len(event.passed) :]), None):
        yield InvalidField("refuter", f"seat {event.refuter} is not asked then")
    if event.card is not None:
        if event.refuter is None:
            yield InvalidField("card", "must be left out where nobody showed one")
        elif event.card not in event.case:
            yield InvalidField("card", f"{event.card.word} was not named")


def _case_faults(case: Case, cards: Sequence[Card]) -> Iterator[InvalidField]:
    for name, card, category in zip(Case._fields, case, Category, strict=True):
        if card not in cards:
            yield InvalidField(f"case.{name}", f"{card.word} is not in the deck")
        elif card.category != category:
            yield InvalidField(f"case.{name}", f"{card.word} is no {category.word}")


def _card_faults(field: str, given: Sequence[Card], cards: Sequence[Card]) -> Iterator[InvalidField]:
    for index, card in enumerate(given):
        if card not in cards:
            yield InvalidField(f"{field}[{index}]", f"{card.word} is not in the deck")
    yield from _repetitions(field, given)


def _repetitions(field: str, given: Sequence[Card]) -> Iterator[InvalidField]:
    for index, card in enumerate(given):
        if card in given[:index]:
            yield InvalidField(f"{field}[{index}]", f"{card.word} is there twice")
