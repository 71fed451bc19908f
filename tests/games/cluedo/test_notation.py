"""Moves as text: each has one form, reading it gives the move again, and a slip is told by its column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whitehall.games.cluedo.card import Case, Category, card, case, location, suspect
from whitehall.games.cluedo.moves import (
    Accuse,
    Dice,
    EndTurn,
    Enter,
    Move,
    Pass,
    Passage,
    Roll,
    Show,
    Suggest,
    Walk,
)
from whitehall.games.cluedo.notation import parse, text
from whitehall.games.cluedo.place import Square
from whitehall.games.core.notation import NotationError

S1, S2 = suspect(1), suspect(2)

WRITTEN: list[tuple[Move, str]] = [
    (Roll(S1), "S1 roll"),
    (Roll(S1, Dice(4, 5)), "S1 roll 4 5"),
    (Walk(S1, Square(7, 4)), "S1 walk 7,4"),
    (Walk(S1, Square(7, 4), (Square(9, 4), Square(8, 4))), "S1 walk 7,4 via 9,4 8,4"),
    (Enter(S1, location(3)), "S1 enter L3"),
    (Enter(S1, location(3), (Square(5, 18),)), "S1 enter L3 via 5,18"),
    (Passage(S1, location(6)), "S1 passage L6"),
    (Suggest(S1, case("S4 W2 L3")), "S1 suggest S4 W2 L3"),
    (Show(S2, card("W2")), "S2 show W2"),
    (Pass(S2), "S2 pass"),
    (Accuse(S1, case("S4 W2 L3")), "S1 accuse S4 W2 L3"),
    (EndTurn(S1), "S1 end"),
]


@pytest.mark.parametrize(("move", "words"), WRITTEN)
def test_each_move_has_one_form(move: Move, words: str) -> None:
    assert text(move) == words
    assert parse(words) == move
    assert parse(text(move, with_pawn=False), move.pawn) == move
    assert parse(f"  {words.lower().replace(' ', '   ')} ") == move


pawns = st.integers(1, 99).map(suspect)
squares = st.builds(Square, st.integers(0, 99), st.integers(0, 99))
locations = st.integers(1, 99).map(location)
cases = st.builds(Case, pawns, st.integers(1, 99).map(lambda number: card(f"W{number}")), locations)
dice = st.none() | st.builds(Dice, st.integers(1, 6), st.integers(1, 6))
ways = st.lists(squares, max_size=12).map(tuple)
moves = st.one_of(
    st.builds(Roll, pawns, dice),
    st.builds(Walk, pawns, squares, ways),
    st.builds(Enter, pawns, locations, ways),
    st.builds(Passage, pawns, locations),
    st.builds(Suggest, pawns, cases),
    st.builds(Show, pawns, pawns | locations),
    st.builds(Pass, pawns),
    st.builds(Accuse, pawns, cases),
    st.builds(EndTurn, pawns),
)


@given(moves)
def test_what_is_written_reads_as_the_same_move(move: Move) -> None:
    assert parse(text(move)) == move


@given(st.text(max_size=40))
def test_any_text_is_a_move_or_a_slip_at_a_column(words: str) -> None:
    column = slip_in(words)
    if column is None:
        assert parse(text(parse(words, S1))) == parse(words, S1)
    else:
        assert 1 <= column <= len(words) + 1


def slip_in(words: str) -> int | None:
    """The column of the slip, or None for a move."""
    try:
        parse(words, S1)
    except NotationError as error:
        return error.column
    return None


@pytest.mark.parametrize(
    ("words", "column", "reason"),
    [
        ("", 1, "expected a pawn"),
        ("roll", 1, "expected a pawn"),
        ("W1 roll", 1, "expected a suspect"),
        ("S1", 3, "expected a move"),
        ("S1 fly", 4, "expected roll, walk"),
        ("S1 roll 4", 10, "expected a die"),
        ("S1 roll 4 7", 11, "expected a die, 1 to 6"),
        ("S1 walk", 8, "expected a square"),
        ("S1 walk 7", 9, "expected a square by row and column"),
        ("S1 walk 07,4", 9, "expected a square by row and column"),
        ("S1 walk 7,4 via", 16, "expected a square"),
        ("S1 enter S3", 10, "expected a location, such as L1"),
        ("S1 suggest W2 S4 L3", 12, "expected a suspect, such as S1"),
        ("S1 suggest S4 W2 W3", 18, "expected a location, such as L1"),
        ("S1 show", 8, "expected a card"),
        ("S1 end now", 8, "expected nothing more"),
    ],
)
def test_a_slip_is_told_by_its_column(words: str, column: int, reason: str) -> None:
    with pytest.raises(NotationError) as slip:
        parse(words)
    assert slip.value.column == column
    assert reason in slip.value.reason


def test_the_ids_of_cards_go_by_their_kind() -> None:
    assert [card(word).category for word in ("s1", "W10", "L99")] == list(Category)
    for word in ("S0", "X1", "S", "S100", "", "S1 "):
        with pytest.raises(ValueError, match="is the id of no card"):
            card(word)
