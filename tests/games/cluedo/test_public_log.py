"""Logs of the cards that people write down themselves: what counts as one."""

from collections.abc import Callable

import pytest

from tests.games.cluedo.table import DECK, cards, evidence, suggested
from whitehall.games.cluedo.card import Case, card, case
from whitehall.games.cluedo.evidence import Evidence, SeenAccusation, SeenEvent, SeenSuggestion
from whitehall.games.cluedo.public_log import deck_of, evidence_from_log
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Seat

CASE = case("S1 W1 L1")


def seats(*numbers: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, numbers))


@pytest.mark.parametrize(
    ("players", "first_dealt", "sizes"),
    [
        (2, 0, (9, 9)),
        (3, 0, (6, 6, 6)),
        (4, 0, (5, 5, 4, 4)),
        (4, 3, (5, 4, 4, 5)),
        (5, 0, (4, 4, 4, 3, 3)),
        (5, 2, (3, 3, 4, 4, 4)),
        (6, 5, (3, 3, 3, 3, 3, 3)),
    ],
)
def test_hands_are_as_large_as_dealing_round_makes_them(players: int, first_dealt: int, sizes: tuple[int, ...]) -> None:
    assert evidence(players, first_dealt=first_dealt).hand_sizes == sizes


@pytest.mark.parametrize(
    ("players", "face_up", "sizes"), [(4, "S1 W1", (4, 4, 4, 4)), (5, "S1 W1 L1", (3,) * 5), (2, "S1 W1 L1 L2", (7, 7))]
)
def test_open_cards_are_not_dealt(players: int, face_up: str, sizes: tuple[int, ...]) -> None:
    assert evidence(players, face_up=face_up).hand_sizes == sizes


def test_the_order_in_which_cards_are_listed_does_not_matter() -> None:
    backwards = " ".join(reversed(DECK.split()))
    assert evidence(3, deck=backwards, seat=1, hand="L2 L1 W2 W1 S2 S1") == evidence(
        3, seat=1, hand="S1 S2 W1 W2 L1 L2"
    )


def test_a_suggestion_that_is_still_being_answered_is_one_with_the_passes_so_far() -> None:
    pending = SeenSuggestion(Seat(4), CASE, seats(5, 0))
    assert evidence_from_log(cards(DECK), 6, [pending]).events == (pending,)


def test_everybody_but_the_suggester_may_pass() -> None:
    assert evidence(6, suggested(2, "S1 W1 L1")).events == (SeenSuggestion(Seat(2), CASE, seats(3, 4, 5, 0, 1)),)


def log(*events: SeenEvent) -> Evidence:
    return evidence_from_log(cards(DECK), 4, events)


def looked(accuser: int, saw: str, hand: str = "S2 S3 W2 W3 L2 L3", face_up: str = "") -> Evidence:
    """A log of seat 0 of three: this seat has accused wrongly, and this is noted of the envelope."""
    written = SeenAccusation(Seat(accuser), CASE, case(saw))
    return evidence(3, written, seat=0, hand=hand, face_up=face_up)


def test_who_has_accused_wrongly_may_write_down_what_it_saw_in_the_envelope() -> None:
    assert looked(0, "S1 W1 L4").events == (SeenAccusation(Seat(0), CASE, case("S1 W1 L4")),)


def test_who_has_accused_wrongly_goes_on_answering() -> None:
    told = (
        SeenAccusation(Seat(2), CASE),
        SeenSuggestion(Seat(1), CASE, (), Seat(2)),
        SeenSuggestion(Seat(0), CASE, ()),
    )
    assert log(*told).events == told


@pytest.mark.parametrize(
    ("write", "field", "why"),
    [
        (lambda: evidence(1), "players", "must be 2 to 6"),
        (lambda: evidence(7), "players", "must be 2 to 6"),
        (lambda: evidence(3, first_dealt=3), "first_dealt", "there is no seat 3"),
        (lambda: evidence(3, deck=f"{DECK} S1"), "cards[21]", "S1 is there twice"),
        (lambda: evidence(3, deck="S1 S2 S3 W1 W2 W3"), "cards", "leaves no location for the envelope"),
        (lambda: evidence(4, deck="S1 S2 W1 W2 L1 L2"), "cards", "leaves too few cards to deal one to every seat"),
        (lambda: evidence(2, face_up="S1 S2 S3 S4 S5 S6"), "face_up", "leaves no suspect for the envelope"),
        (lambda: evidence(2, face_up="S1 S7"), "face_up[1]", "S7 is not in the deck"),
        (lambda: evidence(2, face_up="S1 S1"), "face_up[1]", "S1 is there twice"),
        (lambda: evidence(6, hand="S1 W1 L1"), "seat", "must be there for a hand"),
        (lambda: evidence(6, seat=6, hand="S1 W1 L1"), "seat", "there is no seat 6"),
        (lambda: evidence(6, seat=0, hand="S1 W1"), "hand", "must be 3 cards, as they were dealt"),
        (lambda: evidence(6, seat=0, hand="S1 W1 W1"), "hand[2]", "W1 is there twice"),
        (lambda: evidence(6, seat=0, hand="S1 W1 W9"), "hand[2]", "W9 is not in the deck"),
        (lambda: evidence(2, seat=0, hand="S1 W1 W2 L1 L2 L3 L4", face_up="W2 L7 L8 L9"), "hand[2]", "W2 lies open"),
        (lambda: log(SeenAccusation(Seat(4), CASE)), "events[0].seat", "there is no seat 4"),
        (
            lambda: log(SeenAccusation(Seat(0), CASE), SeenAccusation(Seat(1), case("S1 W1 L10"))),
            "events[1].case.location",
            "L10 is not in the deck",
        ),
        (
            lambda: log(SeenAccusation(Seat(0), Case(card("W2"), card("W1"), card("L1")))),
            "events[0].case.suspect",
            "W2 is no suspect",
        ),
        (
            lambda: log(SeenAccusation(Seat(2), CASE), SeenAccusation(Seat(2), case("S1 W1 L2"))),
            "events[1].seat",
            "seat 2 has accused wrongly before, and only answers since",
        ),
        (
            lambda: log(SeenAccusation(Seat(2), CASE), SeenSuggestion(Seat(2), CASE, seats(3))),
            "events[1].seat",
            "seat 2 has accused wrongly before, and only answers since",
        ),
        (lambda: looked(1, "S1 W1 L4"), "events[0].envelope", "only who has accused looks into it, and tells nobody"),
        (
            lambda: evidence(3, SeenAccusation(Seat(0), CASE, case("S1 W1 L4"))),
            "events[0].envelope",
            "only who has accused looks into it, and tells nobody",
        ),
        (lambda: looked(0, "S1 W1 L1"), "events[0].envelope", "holds what was accused: it was right"),
        (lambda: looked(0, "S1 W3 L4"), "events[0].envelope.weapon", "W3 is in the hand of seat 0"),
        (lambda: looked(0, "S1 W1 L10"), "events[0].envelope.location", "L10 is not in the deck"),
        (
            lambda: looked(0, "S1 W4 L4", face_up="S4 W4 L4", hand="S2 S3 W2 W3 L2"),
            "events[0].envelope.weapon",
            "W4 lies open",
        ),
        (lambda: deck_of((99, 6, 9)), "suspects", "99 are too many: a deck has 9 at most"),
        (lambda: deck_of((6, 10, 9)), "weapons", "10 are too many: a deck has 9 at most"),
        (lambda: deck_of((6, 6, 10**12)), "locations", "1000000000000 are too many: a deck has 9 at most"),
        (lambda: log(SeenSuggestion(Seat(0), CASE, seats(2))), "events[0].passed[0]", "seat 2 is not asked then"),
        (lambda: log(SeenSuggestion(Seat(0), CASE, seats(1, 1))), "events[0].passed[1]", "seat 1 is not asked then"),
        (
            lambda: log(SeenSuggestion(Seat(3), CASE, seats(0, 1, 2, 3))),
            "events[0].passed[3]",
            "seat 3 is not asked then",
        ),
        (
            lambda: log(SeenSuggestion(Seat(0), CASE, seats(1), Seat(3))),
            "events[0].refuter",
            "seat 3 is not asked then",
        ),
        (
            lambda: log(SeenSuggestion(Seat(0), CASE, seats(1, 2, 3), Seat(0))),
            "events[0].refuter",
            "seat 0 is not asked then",
        ),
        (
            lambda: log(SeenSuggestion(Seat(0), CASE, seats(1, 2, 3), None, card("S1"))),
            "events[0].card",
            "must be left out where nobody showed one",
        ),
        (
            lambda: log(SeenSuggestion(Seat(0), CASE, (), Seat(1), card("S2"))),
            "events[0].card",
            "S2 was not named",
        ),
    ],
)
def test_what_cannot_have_been_so_is_refused_by_its_field(write: Callable[[], object], field: str, why: str) -> None:
    with pytest.raises(InvalidField) as refused:
        write()
    assert (refused.value.field, refused.value.reason) == (field, why)
