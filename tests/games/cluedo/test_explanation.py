"""Explanations in single situations. That they suffice and are least is tested on small decks, against every deal."""

import pytest

from tests.games.cluedo.table import accused, evidence, suggested
from whitehall.games.cluedo.card import card
from whitehall.games.cluedo.deduction import ENVELOPE, FACE_UP
from whitehall.games.cluedo.explanation import Conclusion, NotCertain, explain
from whitehall.games.core.fault import InvalidField

NOISE = (suggested(1, "S6 W6 L9", shows=3), accused(3, "S6 W6 L8"), suggested(4, "S5 W6 L9", shows=0, card="L9"))


def test_n8_takes_all_four_showings_and_none_of_the_others() -> None:
    showings = [suggested(0, f"S1 W{number} L{number}", shows=2) for number in range(1, 5)]
    seen = evidence(6, *NOISE[:2], *showings[:2], accused(1, "S6 W6 L8"), *showings[2:])
    assert explain(seen, Conclusion(card("S1"), 2)) == (2, 3, 5, 6)


def test_n13_takes_the_old_showing_and_the_card_that_i_was_shown() -> None:
    later = suggested(0, "S2 W2 L1", shows=1, card="S2")
    seen = evidence(6, *NOISE[:2], suggested(2, "S2 W1 L2", shows=4), later, seat=0, hand="S1 W1 L1")
    assert explain(seen, Conclusion(card("L2"), 4)) == (2, 3)


def test_what_my_own_hand_says_takes_no_event() -> None:
    seen = evidence(6, *NOISE, seat=0, hand="S1 W1 L9")
    assert explain(seen, Conclusion(card("S1"), 0)) == ()
    assert explain(seen, Conclusion(card("S1"), ENVELOPE, has=False)) == ()


def test_what_lies_open_takes_no_event() -> None:
    seen = evidence(2, face_up="S1 W1")
    assert explain(seen, Conclusion(card("S1"), FACE_UP)) == ()
    assert explain(seen, Conclusion(card("S1"), 1, has=False)) == ()
    with pytest.raises(NotCertain):
        explain(seen, Conclusion(card("S1"), ENVELOPE))


def test_that_a_seat_lacks_a_card_is_explained_by_its_pass() -> None:
    seen = evidence(6, *NOISE, suggested(0, "S1 W1 L1", shows=2))
    assert explain(seen, Conclusion(card("W1"), 1, has=False)) == (3,)


def test_cl_14_an_event_that_does_not_by_itself_justify_a_conclusion_is_not_alone_in_its_explanation() -> None:
    """W1 is with seat 1 because seat 2 turned out to have S1, and seat 1 passed on L1 elsewhere: three events."""
    seen = evidence(
        6,
        suggested(0, "S1 W1 L1", shows=1),
        suggested(0, "S1 W2 L2", shows=2, card="S1"),
        suggested(0, "S2 W2 L1", shows=3),
        suggested(0, "S2 W3 L1", shows=3),
    )
    events = explain(seen, Conclusion(card("W1"), 1))
    assert events in ((0, 1, 2), (0, 1, 3))


def test_what_is_not_certain_is_not_explained() -> None:
    with pytest.raises(NotCertain) as refused:
        explain(evidence(6, *NOISE), Conclusion(card("S1"), 2))
    assert refused.value.conclusion == Conclusion(card("S1"), 2)


@pytest.mark.parametrize(
    ("conclusion", "field"),
    [(Conclusion(card("S7"), 0), "card"), (Conclusion(card("S1"), 6), "owner"), (Conclusion(card("S1"), -3), "owner")],
)
def test_a_card_or_a_seat_that_is_not_in_the_game_is_refused(conclusion: Conclusion, field: str) -> None:
    with pytest.raises(InvalidField) as refused:
        explain(evidence(6), conclusion)
    assert refused.value.field == field
