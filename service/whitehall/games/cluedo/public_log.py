"""What a person at a cardboard game can write down of the cards, and the evidence that it makes.

Nothing here needs a game that this service has dealt or judged. Hand sizes are worked out and never asked for: who is
asked for a number that he does not know gives a wrong one, and everything after it is wrong as well.
"""

from collections.abc import Container, Iterator, Sequence

from whitehall.games.cluedo.card import Card, Case, Category
from whitehall.games.cluedo.edition import PLAYERS
from whitehall.games.cluedo.evidence import Evidence, SeenAccusation, SeenEvent
from whitehall.games.cluedo.options import hand_sizes
from whitehall.games.cluedo.sentences import not_in_deck
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import must_be, no_seat
from whitehall.games.core.text import Text

USUAL_DECK = (6, 6, 9)
"""Suspects, weapons and locations of a deck that is not told."""
MOST_OF_A_CATEGORY = 9


def deck_of(counts: Sequence[int] = USUAL_DECK) -> tuple[Card, ...]:
    """A deck of so many suspects, weapons and locations. Raises `InvalidField` for none of a kind, or for more than a
    log may have.
    """
    for category, count in zip(Category, counts, strict=True):
        if not count:
            raise InvalidField(f"{category.word}s", _none_left(category))
        if count > MOST_OF_A_CATEGORY:
            reason = Text(
                f"{count} are too many: a deck has {MOST_OF_A_CATEGORY} at most",
                f"{count}, c'est trop : un paquet en a {MOST_OF_A_CATEGORY} au plus",
            )
            raise InvalidField(f"{category.word}s", reason)
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
    sizes = hand_sizes(len(cards) - len(face_up) - len(Category), players, first_dealt)
    for fault in _hand_faults(cards, sizes, face_up, seat, hand):
        raise fault
    eliminated: set[Seat] = set()
    for index, event in enumerate(events):
        for fault in _event_faults(event, cards, players, eliminated):
            raise fault.below(f"events[{index}]")
        if isinstance(event, SeenAccusation):
            for fault in _envelope_faults(event, cards, face_up, seat, hand):
                raise fault.below(f"events[{index}]")
            eliminated.add(event.seat)
    hands = () if seat is None else ((seat, tuple(sorted(hand))),)
    return Evidence(tuple(sorted(cards)), sizes, tuple(sorted(face_up)), hands, None, tuple(events))


def _deal_faults(
    cards: Sequence[Card], players: int, first_dealt: Seat, face_up: Sequence[Card]
) -> Iterator[InvalidField]:
    if players not in PLAYERS:
        yield InvalidField("players", must_be(PLAYERS[0], PLAYERS[-1]))
    elif not 0 <= first_dealt < players:
        yield InvalidField("first_dealt", no_seat(first_dealt))
    yield from _repetitions("cards", cards)
    yield from _card_faults("face_up", face_up, cards)
    hidden = [card for card in cards if card not in face_up]
    for category in Category:
        if not any(card.category == category for card in hidden):
            yield InvalidField("face_up" if face_up else "cards", _none_left(category))
    if len(hidden) - len(Category) < players:
        reason = Text(
            "leaves too few cards to deal one to every seat", "laisse trop peu de cartes pour en donner une à chacun"
        )
        yield InvalidField("face_up" if face_up else "cards", reason)


def _hand_faults(
    cards: Sequence[Card], sizes: Sequence[int], face_up: Sequence[Card], seat: Seat | None, hand: Sequence[Card]
) -> Iterator[InvalidField]:
    if seat is None:
        if hand:
            yield InvalidField("seat", Text("must be there for a hand", "doit accompagner une main"))
        return
    if not 0 <= seat < len(sizes):
        yield InvalidField("seat", no_seat(seat))
        return
    yield from _card_faults("hand", hand, cards)
    for index, card in enumerate(hand):
        if card in face_up:
            yield InvalidField(f"hand[{index}]", _lies_open(card))
    if len(hand) != sizes[seat]:
        size = sizes[seat]
        reason = Text(f"must be {size} cards, as they were dealt", f"il faut {size} cartes, autant que reçues")
        yield InvalidField("hand", reason)


def _event_faults(
    event: SeenEvent, cards: Sequence[Card], players: int, eliminated: Container[Seat]
) -> Iterator[InvalidField]:
    """What makes an event one that cannot have happened, whoever holds what; `eliminated` have accused wrongly."""
    if not 0 <= event.seat < players:
        yield InvalidField("seat", no_seat(event.seat))
        return
    # Who has accused wrongly takes no turns any more.
    if event.seat in eliminated:
        reason = Text(
            f"seat {event.seat} has accused wrongly before, and only answers since",
            f"la place {event.seat} a déjà porté une accusation fausse et ne fait plus que répondre",
        )
        yield InvalidField("seat", reason)
        return
    yield from _case_faults("case", event.case, cards)
    if isinstance(event, SeenAccusation):
        return
    # Seats are asked clockwise from the suggester's left, and all before the one that shows have passed.
    order = [(event.seat + step) % players for step in range(1, players)]
    for index, seat in enumerate(event.passed):
        if index >= len(order) or seat != order[index]:
            yield InvalidField(f"passed[{index}]", _not_asked(seat))
            return
    if event.refuter is not None and event.refuter != next(iter(order[len(event.passed) :]), None):
        yield InvalidField("refuter", _not_asked(event.refuter))
    if event.card is not None:
        if event.refuter is None:
            reason = Text("must be left out where nobody showed one", "à omettre si personne n'en a montré")
            yield InvalidField("card", reason)
        elif event.card not in event.case:
            reason = Text(f"{event.card.word} was not named", f"{event.card.word} n'a pas été nommée")
            yield InvalidField("card", reason)


def _envelope_faults(
    event: SeenAccusation, cards: Sequence[Card], face_up: Sequence[Card], seat: Seat | None, hand: Sequence[Card]
) -> Iterator[InvalidField]:
    """What makes an envelope one that the writer cannot have seen after this accusation."""
    if event.envelope is None:
        return
    if event.seat != seat:
        reason = Text(
            "only who has accused looks into it, and tells nobody",
            "seul l'auteur de l'accusation le regarde, sans rien en dire",
        )
        yield InvalidField("envelope", reason)
    yield from _case_faults("envelope", event.envelope, cards)
    for name, card in zip(Case._fields, event.envelope, strict=True):
        if card in face_up:
            yield InvalidField(f"envelope.{name}", _lies_open(card))
        if card in hand:
            reason = Text(f"{card.word} is in the hand of seat {seat}", f"{card.word} est en main à la place {seat}")
            yield InvalidField(f"envelope.{name}", reason)
    if event.envelope == event.case:
        reason = Text("holds what was accused: it was right", "contient ce qui a été accusé : c'était juste")
        yield InvalidField("envelope", reason)


def _none_left(category: Category) -> Text:
    return Text(f"leaves no {category.word} for the envelope", f"il manque {category.text.fr} pour l'étui")


def _lies_open(card: Card) -> Text:
    return Text(f"{card.word} lies open", f"{card.word} est face visible")


def _not_asked(seat: Seat) -> Text:
    return Text(f"seat {seat} is not asked then", f"ce n'est pas à la place {seat} de répondre")


def _case_faults(field: str, case: Case, cards: Sequence[Card]) -> Iterator[InvalidField]:
    for name, card, category in zip(Case._fields, case, Category, strict=True):
        if card not in cards:
            yield InvalidField(f"{field}.{name}", not_in_deck(card))
        elif card.category != category:
            reason = Text(f"{card.word} is no {category.word}", f"{card.word} n'est pas {category.text.fr}")
            yield InvalidField(f"{field}.{name}", reason)


def _card_faults(field: str, given: Sequence[Card], cards: Sequence[Card]) -> Iterator[InvalidField]:
    for index, card in enumerate(given):
        if card not in cards:
            yield InvalidField(f"{field}[{index}]", not_in_deck(card))
    yield from _repetitions(field, given)


def _repetitions(field: str, given: Sequence[Card]) -> Iterator[InvalidField]:
    for index, card in enumerate(given):
        if card in given[:index]:
            yield InvalidField(f"{field}[{index}]", Text(f"{card.word} is there twice", f"{card.word} y est deux fois"))
