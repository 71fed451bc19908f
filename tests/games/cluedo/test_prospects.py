"""What suggestions promise, in single situations. The numbers are tested on small decks, against every deal."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest

from tests.games.cluedo.table import evidence, suggested
from whitehall.games.cluedo.card import Case, case, location
from whitehall.games.cluedo.deduction import Contradiction, possible_solutions
from whitehall.games.cluedo.prospects import Prospect, cases_in, prospects
from whitehall.games.core.seat import Seat

ME = Seat(0)


def test_with_nothing_known_two_cards_of_my_own_promise_most() -> None:
    """The rulebook's tip, in numbers. With S1 W1 in it whatever is said is said of L2: with 1 to 7 nobody has it, and 5
    suspects with 5 weapons are left for it; or somebody shows it, and they are left for 7 other locations.
    """
    seen = evidence(6, seat=0, hand="S1 W1 L1")
    found = {prospect.case.word: prospect.expected for prospect in prospects(seen, ME, cases_in(seen, location(2)))}
    assert len(found) == 36
    assert found["S1 W1 L2"] == Fraction(7, 8) * 5 * 5 * 7 + Fraction(1, 8) * 5 * 5
    assert min(found, key=found.__getitem__) == "S1 W1 L2"
    # Strangers are all alike.
    assert len({expected for word, expected in found.items() if "1" not in word}) == 1


def test_a_suggestion_of_three_cards_of_my_own_tells_nothing() -> None:
    seen = evidence(6, seat=0, hand="S1 W1 L1")
    before = len(possible_solutions(seen).solutions)
    assert list(prospects(seen, ME, [case("S1 W1 L1")])) == [Prospect(case("S1 W1 L1"), Fraction(before))]


def test_once_the_solution_is_known_nothing_is_left_to_tell() -> None:
    seen = evidence(3, seat=0, hand="S1 S2 W1 W2 L1 L2", envelope="S3 W3 L3")
    assert {prospect.expected for prospect in prospects(seen, ME, cases_in(seen, location(4)))} == {1}


def test_of_two_players_each_answer_says_where_a_card_is() -> None:
    """My S1 W1 leave only the location to ask for: she has it, or it is in the envelope. The cards that I do not see
    are 3 suspects, 3 weapons and 4 locations, L6 among them, so it is hers with 3 to 1.
    """
    seen = evidence(2, face_up="S6 W6 L9 L8", seat=0, hand="S1 S2 W1 W2 L1 L2 L3")
    (prospect,) = prospects(seen, ME, [case("S1 W1 L6")])
    assert prospect.expected == Fraction(3, 4) * 3 * 3 * 3 + Fraction(1, 4) * 3 * 3


def test_prospects_come_one_at_a_time_so_that_a_caller_can_stop() -> None:
    asked: list[Case] = []

    def watched() -> Iterator[Case]:
        for one in cases_in(seen, location(2)):
            asked.append(one)
            yield one

    seen = evidence(6, suggested(1, "S2 W3 L4", shows=3), seat=0, hand="S1 W1 L1")
    found = list(islice(prospects(seen, ME, watched()), 2))
    assert len(found) == 2
    assert len(asked) == 2


def test_a_log_that_contradicts_itself_promises_nothing() -> None:
    seen = evidence(6, suggested(1, "S1 W2 L2", shows=0, card="S1"), seat=0, hand="S2 W2 L2")
    with pytest.raises(Contradiction) as refused:
        next(prospects(seen, ME, [case("S1 W1 L1")]))
    assert refused.value.event == 0
