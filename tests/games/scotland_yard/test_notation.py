"""Notation: each move has one written form, reading forgives a little, and an error says where it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whitehall.games.core.notation import NotationError
from whitehall.games.scotland_yard.moves import DoubleMove, Move, Pass, Place, Ride, Together, Travel
from whitehall.games.scotland_yard.notation import parse, text
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.ticket import Station, Ticket

TAXI_86, BLACK_52 = Ride(Ticket.TAXI, Station(86)), Ride(Ticket.BLACK, Station(52))
RED_BUS_105 = Travel(Piece.RED, Ticket.BUS, Station(105))
BLUE_TAXI_31 = Travel(Piece.BLUE, Ticket.TAXI, Station(31))

stations = st.integers(1, 999).map(Station)
tickets = st.sampled_from(Ticket)
pieces = st.sampled_from(Piece)
travels = st.builds(Travel, pieces, tickets, stations)
passes = st.builds(Pass, pieces)
rides = st.builds(Ride, tickets, stations)
batches = st.lists(travels | passes, min_size=1, max_size=7).map(lambda moves: Together(tuple(moves)))
places = st.builds(Place, pieces, stations)
moves = travels | passes | places | st.builds(DoubleMove, rides, rides) | batches


@pytest.mark.parametrize(
    ("written", "move"),
    [
        ("mr_x taxi 86", Travel(Piece.MR_X, *TAXI_86)),
        ("mr_x underground 46", Travel(Piece.MR_X, Ticket.UNDERGROUND, Station(46))),
        ("mr_x double taxi 86 black 52", DoubleMove(TAXI_86, BLACK_52)),
        ("red bus 105", RED_BUS_105),
        ("bobby1 taxi 31", Travel(Piece.BOBBY1, Ticket.TAXI, Station(31))),
        ("red pass", Pass(Piece.RED)),
        ("red start 13", Place(Piece.RED, Station(13))),
        ("mr_x start 45", Place(Piece.MR_X, Station(45))),
        ("red bus 105; blue taxi 31", Together((RED_BUS_105, BLUE_TAXI_31))),
        ("red bus 105; blue pass", Together((RED_BUS_105, Pass(Piece.BLUE)))),
        ("red bus 105;", Together((RED_BUS_105,))),
    ],
)
def test_every_move_has_its_written_form(written: str, move: Move) -> None:
    assert text(move) == written
    assert parse(written) == move


@given(moves)
def test_reading_what_was_written_gives_exactly_the_move(move: Move) -> None:
    again = parse(text(move))
    assert again == move
    assert type(again) is type(move)


@given(travels | passes | places)
def test_the_piece_may_be_left_out_where_it_is_clear(move: Travel | Pass | Place) -> None:
    assert parse(text(move, with_piece=False), move.piece) == move


def test_a_named_piece_goes_before_the_one_that_is_asked() -> None:
    assert parse("red bus 105", Piece.BLUE) == RED_BUS_105


def test_only_mr_x_doubles_so_a_double_move_needs_no_name() -> None:
    assert parse("double taxi 86 black 52") == DoubleMove(TAXI_86, BLACK_52)
    assert text(DoubleMove(TAXI_86, BLACK_52), with_piece=False) == "double taxi 86 black 52"


def test_capitals_spaces_and_a_last_semicolon_are_forgiven() -> None:
    assert parse("  Red  BUS\t105 ;blue taxi 31 ; ") == Together((RED_BUS_105, BLUE_TAXI_31))


ANYTHING = (
    "expected a piece, taxi, bus, underground, black, helicopter, pass, start, double, "
    "detectives, analysis, locate, scan, interrogate or hear"
)


@pytest.mark.parametrize(
    ("written", "column", "reason"),
    [
        ("detectivs scan", 1, ANYTHING),
        ("", 1, ANYTHING),
        ("   ", 1, ANYTHING),
        ("tram 86", 1, ANYTHING),
        ("red", 4, "expected taxi, bus, underground, black, helicopter, pass, start or double"),
        ("red tram 86", 5, "expected taxi, bus, underground, black, helicopter, pass, start or double"),
        ("taxi 86", 1, "which piece moves?"),
        ("red bus", 8, "expected the number of a station"),
        ("red bus 0", 9, "expected the number of a station"),
        ("red bus 086", 9, "expected the number of a station"),
        ("red bus 12345", 9, "expected the number of a station"),
        ("red bus ٣", 9, "expected the number of a station"),
        ("red bus 105 blue", 13, "expected ; or the end"),
        ("red bus 105; taxi 31", 14, "which piece moves?"),
        (
            "red bus 105;; blue taxi 31",
            13,
            ANYTHING,
        ),
        ("red start", 10, "expected the number of a station"),
        ("start 13", 1, "which piece moves?"),
        ("red start 13; blue start 26", 1, "pieces are placed one by one"),
        ("red bus 105; blue start 26", 14, "pieces are placed one by one"),
        ("red double taxi 86 taxi 87", 1, "only mr_x makes a double move"),
        ("mr_x double taxi 86", 20, "expected taxi, bus, underground, black or helicopter"),
        ("mr_x double taxi 86 taxi 87; red pass", 1, "a double move stands alone"),
        ("red pass; mr_x double taxi 86 taxi 87", 11, "a double move stands alone"),
    ],
)
def test_what_is_no_move_is_refused_where_it_goes_wrong(written: str, column: int, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse(written)
    assert (refused.value.column, refused.value.reason) == (column, reason)


@given(st.text(max_size=40) | st.text("redbustaximr_x;0123456789 ", max_size=40))
def test_any_text_is_a_move_or_is_refused_at_a_place_within_it(written: str) -> None:
    column, move = None, None
    try:
        move = parse(written)
    except NotationError as error:
        column = error.column
    assert parse(text(move)) == move if move else column in range(1, len(written) + 2)
