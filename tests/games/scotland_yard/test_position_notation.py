"""Positions as one line: one form for each, and errors that point at the word."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.api.positions import bare, walk, without_history
from whitehall.games.core.notation import NotationError
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.position_notation import parse, text
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Tickets

START = "new 3 1 mr_x mr_x@45 red@13:11/8/4 blue@26:11/8/4 bobby1@29 bobby2@34 supply:35/29/15 black:5 double:2 moves:0"
TICKETS = "expected a number of tickets from 0 to 999"
EXPECTED = "expected a piece at its station, hand, supply, black, double, moves, helicopter, offered, point or finding"

SHORT = "new 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34"


def test_a_position_is_written_word_by_word() -> None:
    assert text(bare(3, 45, [13, 26, 29, 34])) == START


def test_what_is_left_out_is_as_at_the_start_and_the_order_of_words_does_not_matter() -> None:
    assert parse(SHORT) == parse(START) == bare(3, 45, [13, 26, 29, 34])
    assert parse("new 3 1 mr_x  bobby2@34 double:2 blue@26\tbobby1@29 red@13:11/8/4  mr_x@45 ") == parse(START)


def test_a_hunter_that_has_moved_bears_a_mark_and_a_shared_hand_stands_alone() -> None:
    state = bare(
        2, 45, [13, 26, 29, 34], phase=Phase.HUNTERS, hands=[Tickets(20, 16, 8)], moved=[Piece.BLUE], black_tickets=4
    )
    written = (
        "new 2 1 hunters mr_x@45 red@13 blue@26! bobby1@29 bobby2@34 hand:20/16/8 supply:35/29/15 black:4 double:2"
    )
    assert text(state) == f"{written} moves:1"
    assert parse(written) == state


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_positions_of_games_go_to_text_and_back_and_to_the_same_text_again(players: int) -> None:
    for seed in range(5):
        for state, _, _ in walk(players, Random(seed)):
            position = without_history(state)
            assert parse(text(position)) == position
            assert text(parse(text(position))) == text(position)


def test_the_classic_edition_has_its_own_hands_and_supply() -> None:
    short = "classic 5 2 mr_x mr_x@45 red@13 blue@26 green@29 yellow@34:9/8/4"
    whole = short.replace("@13", "@13:10/8/4").replace("@26", "@26:10/8/4").replace("@29", "@29:10/8/4")
    assert text(parse(short)) == f"{whole} supply:4/3/3 black:4 double:2 moves:1"


def test_a_game_that_is_over_has_no_position() -> None:
    *_, (_, _, over) = walk(3, Random(1))
    with pytest.raises(ValueError, match="over"):
        text(over)


@pytest.mark.parametrize(
    ("wrong", "column", "reason"),
    [
        ("", 1, "expected a preset"),
        ("new", 4, "expected the number of players"),
        ("new three 1 mr_x", 5, "expected the number of players"),
        ("new 3 0 mr_x", 7, "expected the round"),
        ("new 3 1 red", 9, "expected whose turn it is"),
        ("old 3 1 mr_x", 1, "there is no preset 'old'"),
        ("new 7 1 mr_x", 5, "must be 2 to 6"),
        (SHORT.replace("new 3 1", "new 3 23"), 7, "must be 1 to 22"),
        (SHORT.replace("@45", "@200"), 14, "there is no station 200"),
        (SHORT.replace("@45", "@13"), 14, "a hunter on Mr X's station has caught him"),
        (SHORT.replace("@45", "@45!"), 14, "mr_x has neither a hand nor an exclamation mark"),
        (SHORT.replace("mr_x@45", "mr_x@45 mr_x@46"), SHORT.index("red") + 1, "the pieces must be mr_x, red,"),
        (SHORT.replace("blue", "green"), SHORT.index("blue") + 1, "the pieces must be mr_x, red, blue, bobby1, bobby2"),
        (f"{SHORT} red@5 black:5", len(SHORT) + 2, "the pieces must be mr_x, red, blue, bobby1, bobby2, each once"),
        (SHORT.replace("mr_x@45 ", ""), 48, "the pieces must be mr_x, red, blue, bobby1, bobby2, each once"),
        (
            SHORT.replace("blue", "red"),
            SHORT.index("blue") + 1,
            "the pieces must be mr_x, red, blue, bobby1, bobby2, each once",
        ),
        (
            SHORT.replace("blue", "pink"),
            29,
            EXPECTED,
        ),
        (
            SHORT.replace("@26", "@26:1/2"),
            37,
            "expected taxi, bus and underground tickets, such as 11/8/4",
        ),
        (SHORT.replace("@26", "@26:12/0/0"), 29, "each kind of ticket must be 0 to 11/8/4"),
        (SHORT.replace("@26", "@26!"), 29, "no hunter has moved when it is Mr X's turn"),
        (SHORT.replace("@29", "@29:1/1/1"), 37, "bobby1 rides without tickets"),
        (SHORT.replace("@34", "@26"), 47, "two pieces cannot share a station"),
        (SHORT + " hand:1/1/1", 57, "the detectives of this game have a hand each"),
        (SHORT + " black:6", 57, "must be 0 to 5"),
        (SHORT + " black:1 black:1", 65, "stands here twice"),
        (SHORT + " moves:1", 57, "after so many rounds and double tickets the filled fields of the log must be 0"),
        (SHORT.replace("red@13", "red@13:11/8/4000"), SHORT.index("red") + 13, TICKETS),
        (SHORT.replace("red@13", "red@13:11/8"), SHORT.index("red") + 8, "expected taxi, bus and underground tickets"),
        (
            SHORT.replace("red@13", "red@13:11/8/4!!"),
            SHORT.index("red") + 15,
            "expected nothing behind the exclamation",
        ),
        (SHORT.replace("red@13", "red@12345"), SHORT.index("red") + 5, "expected a number from 1 to 999"),
        (SHORT.replace("red@13", "red@"), SHORT.index("red") + 5, "expected a number from 1 to 999"),
        (SHORT + " double:99999999999", 64, TICKETS),
        (SHORT + " black:-1", 63, TICKETS),
        (SHORT + " moves:1000", 63, "expected a number from 0 to 999"),
        (SHORT + " supply:1/1000/1", 66, TICKETS),
        (SHORT + " supply:1/1/1/1", 64, "expected taxi, bus and underground tickets"),
        (SHORT + " hand:", 62, "expected taxi, bus and underground tickets"),
        (SHORT + " supply:36/0/0", 57, "with these hands each kind of ticket must be 0 to 35/29/15"),
    ],
)
def test_an_error_tells_column_and_reason(wrong: str, column: int, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(wrong)
    assert caught.value.reason.startswith(reason)
    assert caught.value.column == column


@given(st.integers(0, len(START)), st.integers(0, 9), st.text(max_size=5) | st.sampled_from(["@", ":", "!", " ", "/9"]))
def test_whatever_is_changed_in_a_position_it_is_read_or_the_place_is_told(place: int, cut: int, put: str) -> None:
    wrong = START[:place] + put + START[place + cut :]
    fault = None
    try:
        state = parse(wrong)
    except NotationError as error:
        fault = error
    else:
        assert state.phase is Phase.OVER or parse(text(state)) == state
    assert fault is None or 1 <= fault.column <= len(wrong) + 1


@given(st.text(max_size=60))
def test_any_text_is_read_or_the_place_is_told(wrong: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(wrong)
    assert 1 <= caught.value.column <= len(wrong) + 1
