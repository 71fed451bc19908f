"""Who answers a suggestion once all hands are known, as a rulebook reader would find out by going round the table."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.cluedo.staged import say, staged
from whitehall.games.cluedo import hands_notation
from whitehall.games.cluedo.card import Card, card, case
from whitehall.games.cluedo.edition import resolve
from whitehall.games.cluedo.hands_notation import OpenSuggestion
from whitehall.games.cluedo.refutation import check_hands, refutation
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.notation import NotationError
from whitehall.games.core.seat import Seat


def cards(words: str) -> tuple[Card, ...]:
    return tuple(map(card, words.split()))


ROPE_TABLE = tuple(map(cards, ("S1 W1", "S2 W2", "L1 W3", "S4 L2")))


@pytest.mark.parametrize(
    ("seat", "named", "passed", "refuter", "shown"),
    [
        (0, "S6 W2 L9", (), 1, "W2"),
        # The first that holds any of them answers, though another one holds more.
        (0, "S4 W3 L2", (1,), 2, "W3"),
        (0, "S4 W6 L2", (1, 2), 3, "S4 L2"),
        # Clockwise over the end of the table (CL-04).
        (3, "S6 W1 L1", (), 0, "W1"),
        (2, "S2 W6 L9", (3, 0), 1, "S2"),
        # The suggester never answers, even with all three.
        (0, "S1 W1 L9", (1, 2, 3), None, ""),
        (1, "S6 W6 L9", (2, 3, 0), None, ""),
    ],
)
def test_the_first_seat_on_the_left_that_holds_a_named_card_answers(
    seat: int, named: str, passed: tuple[int, ...], refuter: int | None, shown: str
) -> None:
    assert refutation(ROPE_TABLE, Seat(seat), case(named)) == (passed, refuter, cards(shown))


def test_a_game_in_play_asks_whom_the_open_hands_say() -> None:
    random = Random(5)
    for players in range(2, 7):
        for _ in range(20):
            state = staged(players, pawns={1: "L3"}, called=cards("S1"))
            deck = list(resolve("james-bond", players).cards)
            named = case(f"{random.choice(deck[:6]).word} {random.choice(deck[6:12]).word} L3")
            after, _ = say(state, f"S1 suggest {named.word}")
            made, found = after.suggestions[-1], refutation(state.hands, Seat(0), named)
            assert (made.passed, made.refuter) == (found.passed, found.refuter)
            holders = [seat for seat in range(1, players) if set(state.hands[seat]) & set(named)]
            assert found.refuter == (min(holders) if holders else None)


@pytest.mark.parametrize(
    ("hands", "seat", "field"),
    [(("S1", "S2 S1"), 0, "hands[1].cards[1]"), (("S1 S1", "S2"), 0, "hands[0].cards[1]"), (("S1", "S2"), 2, "seat")],
)
def test_what_are_no_hands_of_one_table_is_refused_by_the_place(hands: tuple[str, ...], seat: int, field: str) -> None:
    with pytest.raises(InvalidField) as refused:
        check_hands(list(map(cards, hands)), Seat(seat))
    assert refused.value.field == field


def test_a_line_tells_all_hands_and_the_suggestion() -> None:
    said = hands_notation.parse("0 holds S1 w1;  1 holds ; 2 HOLDS W2 L4 | 1 suggest S4 W2 L3")
    assert said.asked == OpenSuggestion((cards("S1 W1"), (), cards("W2 L4")), Seat(1), case("S4 W2 L3"))


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("0 holds S1; 1 holds S2", 23),
        ("0 holds S1 | 0 suggest S4 W2 L3", 12),
        ("0 holds; 1 holds; 2 holds; 3 holds; 4 holds; 5 holds; 6 holds | 0 suggest S4 W2 L3", 55),
        ("1 holds S1; 0 holds S2 | 0 suggest S4 W2 L3", 1),
        ("0 holds S1; 1 has S2 | 0 suggest S4 W2 L3", 15),
        ("0 holds S1; 1 holds X2 | 0 suggest S4 W2 L3", 21),
        ("0 holds S1; 1 holds S2 | 0 accuse S4 W2 L3", 28),
        ("0 holds S1; 1 holds S2 | 0 suggest S4 L3 W2", 39),
        ("0 holds S1; 1 holds S2 | 0 suggest S4 W2 L3 | 1 pass", 45),
        ("", 1),
    ],
)
def test_a_line_that_is_none_is_refused_where_reading_stopped(line: str, column: int) -> None:
    with pytest.raises(NotationError) as refused:
        hands_notation.parse(line)
    assert refused.value.column == column
