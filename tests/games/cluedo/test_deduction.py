"""Deduction in single situations: the reference answers, what each kind of evidence says, and what it does not say."""

from fractions import Fraction
from math import factorial, prod

import pytest

from tests.games.cluedo.table import DECK, accused, deduce, suggested
from whitehall.games.cluedo.card import Card, case
from whitehall.games.cluedo.card import card as card_of
from whitehall.games.cluedo.deduction import ENVELOPE, FACE_UP, Contradiction, PossibleSolutions
from whitehall.games.core.fault import InvalidField


def share(found: PossibleSolutions, card: str, owner: int = ENVELOPE) -> Fraction:
    return found.share(card_of(card), owner)


def certain(found: PossibleSolutions) -> dict[str, int]:
    return {card.word: owner for card, owner in found.certain.items()}


# ---- The reference answers, to the last digit


def test_n1_nothing_known_with_six_seats() -> None:
    found = deduce(6)
    assert found.deals == 44460928512000
    assert len(found.solutions) == 6 * 6 * 9
    assert set(found.solutions.values()) == {44460928512000 // 324}
    assert {share(found, f"S{number}") for number in range(1, 7)} == {Fraction(1, 6)}
    assert {share(found, f"L{number}") for number in range(1, 10)} == {Fraction(1, 9)}
    assert certain(found) == {}


def test_n2_three_seats_and_two_cards_of_each_kind_in_my_hand() -> None:
    found = deduce(3, seat=0, hand="S1 S2 W1 W2 L1 L2")
    assert found.deals == 103488
    assert share(found, "S3") == Fraction(1, 4)
    assert share(found, "S3", 1) == share(found, "S3", 2) == Fraction(3, 8)
    assert share(found, "L3") == Fraction(1, 7)
    assert share(found, "L3", 1) == share(found, "L3", 2) == Fraction(3, 7)


def test_n4_two_seats_with_four_cards_face_up() -> None:
    found = deduce(2, face_up="S1 W1 L1 L2", seat=0, hand="S2 S3 W2 W3 L3 L4 L5")
    assert found.deals == 36
    assert share(found, "S4") == Fraction(1, 3)
    assert share(found, "L6") == Fraction(1, 4)
    assert share(found, "L1", FACE_UP) == 1


def test_n5_a_wrong_accusation_bars_one_case_and_clears_no_card() -> None:
    """Public programs clear all three cards, drop part of the fact, or take it that the accuser holds none of them."""
    found = deduce(6, accused(0, "S1 W1 L1"))
    assert found.deals == 44323703424000
    assert share(found, "S1") == Fraction(53, 323)
    assert share(found, "L1") == Fraction(35, 323)
    assert case("S1 W1 L1") not in found.solutions
    assert len(found.solutions) == 323
    assert share(found, "S1", 0) == share(found, "S1", 1) > 0


def test_n6_four_passes_and_an_unseen_showing() -> None:
    found = deduce(6, suggested(0, "S1 W1 L1", shows=5))
    assert found.deals == 2180802624000
    assert share(found, "S1", 0) == Fraction(420, 1621)
    assert share(found, "S1", 5) == Fraction(660, 1621)
    assert share(found, "S1") == Fraction(541, 1621)
    assert share(found, "L1") == Fraction(370, 1621)
    assert [share(found, "S1", seat) for seat in (1, 2, 3, 4)] == [0, 0, 0, 0]


def test_n8_four_showings_that_share_a_card_settle_it_in_a_hand_of_three() -> None:
    found = deduce(6, *(suggested(0, f"S1 W{number} L{number}", shows=2) for number in range(1, 5)))
    assert found.deals == 1150269120000
    assert certain(found) == {"S1": 2}


def test_n12_nobody_shows_and_i_know_which_of_the_three_is_mine() -> None:
    found = deduce(6, suggested(0, "S2 W1 L2"), seat=0, hand="S1 W1 L1")
    assert found.deals == 840840000
    assert certain(found) == {"S1": 0, "W1": 0, "L1": 0, "S2": ENVELOPE, "L2": ENVELOPE}


def test_n13_an_old_showing_is_settled_by_a_later_one() -> None:
    later = suggested(0, "S2 W2 L1", shows=1, card="S2")
    found = deduce(6, suggested(2, "S2 W1 L2", shows=4), later, seat=0, hand="S1 W1 L1")
    assert found.deals == 1009008000
    assert certain(found)["L2"] == 4


# ---- What each kind of evidence says


def test_a_hand_of_two_with_three_showings_that_share_two_cards_holds_one_of_them() -> None:
    """S1 W1 L1, S1 W1 L2, S1 W1 L3: two places cannot do it with three locations, so one of S1 and W1 is there."""
    showings = [suggested(0, f"S1 W1 L{number}", shows=1) for number in (1, 2, 3)]
    deck = "S1 S2 S3 W1 W2 W3 L1 L2 L3 L4 L5"
    found = deduce(4, *showings, deck=deck)
    assert share(found, "S1", 1) + share(found, "W1", 1) >= 1
    assert not {word for word, owner in certain(found).items() if owner == 1}
    held = deduce(
        4, *showings, suggested(3, "S1 W2 L4", shows=2, card=None), suggested(0, "S1 W2 L4", shows=2), deck=deck
    )
    assert certain(held)["W1"] == 1


def test_cl_06_hand_sizes_follow_from_the_deal_and_are_never_asked_for() -> None:
    assert deduce(4, seat=0, hand="S1 S2 S3 S4 S5").deals > 0
    with pytest.raises(InvalidField, match="hand: must be 4 cards"):
        deduce(4, seat=3, hand="S1 S2 S3 S4 S5")
    assert deduce(4, seat=3, hand="S1 S2 S3 S4 S5", first_dealt=2).deals > 0


def test_hand_sizes_tell_what_passes_alone_do_not() -> None:
    """Who has passed on all but as many cards as are in that hand has them all."""
    named = ["S1 W1 L1", "S2 W2 L2", "S3 W3 L3", "S4 W4 L4", "S5 W5 L5", "S5 W6 L6", "S1 W1 L7"]
    found = deduce(6, *(suggested(0, words, shows=2 + index % 4) for index, words in enumerate(named)))
    assert {word: owner for word, owner in certain(found).items() if owner == 1} == {"S6": 1, "L8": 1, "L9": 1}


def test_cl_08_of_somebody_elses_suggestion_that_nobody_answers_each_card_is_the_suggesters_or_in_the_envelope() -> (
    None
):
    found = deduce(6, suggested(2, "S2 W2 L2"), seat=0, hand="S1 W1 L1")
    for word in ("S2", "W2", "L2"):
        assert set(found.owners[card_of(word)]) == {2, ENVELOPE}
    # That the suggester lacks one of them settles that one, and says nothing of the other two.
    lacks = deduce(6, suggested(2, "S2 W2 L2"), suggested(1, "S2 W3 L3", shows=3), seat=0, hand="S1 W1 L1")
    assert certain(lacks)["S2"] == ENVELOPE
    assert set(lacks.owners[card_of("W2")]) == set(lacks.owners[card_of("L2")]) == {2, ENVELOPE}


def test_ruling_10_all_three_cards_my_own_tells_the_others_only_that_nobody_else_has_them() -> None:
    bluff = suggested(1, "S1 W1 L1")
    found = deduce(6, bluff, seat=0, hand="S2 W2 L2")
    for word in ("S1", "W1", "L1"):
        assert set(found.owners[card_of(word)]) == {1, ENVELOPE}
    assert certain(found).keys() == {"S2", "W2", "L2"}


def test_ruling_13_that_nobody_shows_proves_nothing_to_an_onlooker() -> None:
    assert certain(deduce(6, suggested(0, "S1 W1 L1"))) == {}


def test_cl_02_the_showing_of_a_seat_that_has_accused_wrongly_counts_like_any_other() -> None:
    wrong = accused(1, "S5 W5 L5")
    found = deduce(6, wrong, suggested(0, "S1 W1 L1", shows=1))
    assert sum(share(found, word, 1) for word in ("S1", "W1", "L1")) >= 1
    assert found.deals < deduce(6, wrong).deals


def test_a_card_that_i_have_shown_to_somebody_says_nothing_new_to_me() -> None:
    shown = suggested(5, "S1 W2 L2", shows=0, card="S1")
    assert deduce(6, shown, seat=0, hand="S1 W1 L1") == deduce(6, seat=0, hand="S1 W1 L1")


def test_who_shows_one_of_three_may_hold_all_of_them() -> None:
    found = deduce(6, suggested(0, "S1 W1 L1", shows=1))
    together = deduce(6, suggested(0, "S1 W1 L1", shows=1), suggested(0, "S1 W2 L2", shows=1, card="S1"))
    assert share(together, "W1", 1) > 0
    assert found.deals > together.deals


def test_the_eliminated_seat_knows_everything_of_the_envelope() -> None:
    found = deduce(3, accused(0, "S3 W3 L3"), seat=0, hand="S1 S2 W1 W2 L1 L2", envelope="S3 W3 L4")
    assert dict(found.solutions) == {case("S3 W3 L4"): found.deals}
    # Twelve cards are left for two hands of six.
    assert found.deals == 924


def test_a_face_up_card_in_a_suggestion_or_an_accusation_says_nothing_itself() -> None:
    plain = deduce(2, face_up="S1 W1 L1 L2")
    assert deduce(2, accused(0, "S1 W2 L3"), face_up="S1 W1 L1 L2") == plain
    shows = deduce(2, suggested(0, "S1 W1 L3", shows=1), face_up="S1 W1 L1 L2")
    assert certain(shows)["L3"] == 1


def test_a_larger_deck_has_numbers_that_take_more_than_64_bits() -> None:
    """30 cards for six seats: three for the envelope, 27 for hands of 5 5 5 4 4 4."""
    kinds = [[f"{kind}{number}" for number in range(1, 11)] for kind in "SWL"]
    found = deduce(6, suggested(0, "S1 W1 L1", shows=1, card="S1"), deck=" ".join(map(" ".join, kinds)))
    dealt = factorial(26) // (factorial(5) ** 2 * factorial(4) ** 4)
    assert found.deals == 9 * 10 * 10 * dealt > 2**64
    assert share(found, "L1") == Fraction(1, 10)
    assert share(found, "S2", 1) == Fraction(8, 9) * Fraction(4, 26)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_largest_deck_is_counted_right_though_its_numbers_hardly_fit_into_64_bits(players: int) -> None:
    """27 cards: nine of each kind, and 24 in the hands."""
    found = deduce(players, deck=" ".join(f"{kind}{number}" for kind in "SWL" for number in range(1, 10)))
    hands = [len(range(seat, 24, players)) for seat in range(players)]
    assert found.deals == 9**3 * factorial(24) // prod(map(factorial, hands))
    for card in found.owners:
        assert found.share(card, ENVELOPE) == Fraction(1, 9)
        assert [found.share(card, seat) for seat in range(players)] == [Fraction(8 * hand, 9 * 24) for hand in hands]


def test_every_card_of_the_deck_has_its_owners_and_their_numbers_add_up() -> None:
    found = deduce(5, suggested(0, "S1 W1 L1", shows=3), suggested(1, "S1 W2 L1"), accused(2, "S4 W4 L4"))
    assert [card.word for card in found.owners] == DECK.split()
    assert all(sum(able.values()) == found.deals for able in found.owners.values())
    assert sum(found.solutions.values()) == found.deals
    assert list(found.solutions) == sorted(found.solutions)
    for kind in "SWL":
        assert sum(share(found, card.word) for card in found.owners if card.word[0] == kind) == 1


# ---- Contradictions


def test_a_contradiction_names_the_first_event_that_no_deal_fits() -> None:
    events = [
        suggested(0, "S1 W1 L1", shows=2),
        suggested(2, "S1 W2 L2", shows=3),
        suggested(0, "S1 W1 L1", shows=1),
        suggested(0, "S4 W4 L4"),
    ]
    with pytest.raises(Contradiction, match="no deal fits event 2") as refused:
        deduce(6, *events)
    assert refused.value.event == 2


def test_an_open_card_that_is_shown_from_a_hand_contradicts_itself() -> None:
    with pytest.raises(Contradiction) as refused:
        deduce(2, suggested(0, "S1 W2 L2", shows=1, card="S1"), face_up="S1 W1")
    assert refused.value.event == 0


def test_an_envelope_that_holds_one_of_my_own_cards_contradicts_itself_before_anything_has_happened() -> None:
    with pytest.raises(Contradiction, match="no deal fits the cards") as refused:
        deduce(3, suggested(1, "S4 W4 L4"), seat=0, hand="S1 S2 W1 W2 L1 L2", envelope="S1 W3 L3")
    assert refused.value.event is None


def test_ts_15_a_contradiction_says_nothing_of_any_card() -> None:
    with pytest.raises(Contradiction) as refused:
        deduce(6, suggested(1, "S1 W1 L1", shows=2), seat=2, hand="S2 W2 L2")
    assert not any(card.word in str(refused.value) for card in _cards())


def _cards() -> list[Card]:
    return [card_of(word) for word in DECK.split()]
