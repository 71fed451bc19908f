"""Where a roll leads: against a search that tries every walk, and against the numbers known of the classic grid."""

from random import Random
from typing import Any

import pytest

from tests.games.cluedo.walks import Spot, Target, ends, walks
from whitehall.games.cluedo import boards
from whitehall.games.cluedo.board import MOST_ROWS, Board, Direction, Door
from whitehall.games.cluedo.movement import reach
from whitehall.games.cluedo.options import Movement
from whitehall.games.cluedo.place import Square
from whitehall.games.cluedo.ways import Ways

MANSION = boards.board("mansion")
STARTS = dict(zip("abcdef", MANSION.starts, strict=True))

COURTYARD = Board(
    "courtyard",
    ["111#a####", "111......", "111.#.##.", "###......", "#b..#.222", "#.#...222"],
    [
        Door(Square(1, 3), Direction.WEST, 1),
        Door(Square(3, 8), Direction.SOUTH, 2),
        Door(Square(5, 5), Direction.EAST, 2),
    ],
    [(1, 2)],
)
"""A small board with narrow corridors, dead ends and rings."""


def others_on_starts(start: str) -> frozenset[Square]:
    return frozenset(square for letter, square in STARTS.items() if letter != start)


def spot(square: Square) -> Spot:
    return square.row, square.column


def spots(squares: frozenset[Square]) -> frozenset[Spot]:
    return frozenset(map(spot, squares))


def random_questions(
    board: Board, seed: int, number: int, most: int
) -> list[tuple[Square | int, frozenset[Square], int]]:
    random = Random(seed)
    asked: list[tuple[Square | int, frozenset[Square], int]] = []
    for _ in range(number):
        here, *others = random.sample(board.corridors, 6)
        origin = here if random.random() < 0.6 else random.choice(board.slots)
        asked.append((origin, frozenset(others[: random.randint(0, 5)]), random.randint(2, most)))
    return asked


def assert_same(board: Board, origin: Square | int, occupied: frozenset[Square], pips: int) -> None:
    plain: Target = origin if isinstance(origin, int) else spot(origin)
    every = walks(board, plain, spots(occupied), pips)
    for movement in Movement:
        found = reach(board, origin, occupied, pips, movement)
        squares, rooms = ends(board, plain, spots(occupied), pips, exact=movement is Movement.EXACT)
        asked = f"{board.name} {origin} {sorted(occupied)} {pips} {movement.word}"
        assert {spot(square) for square in found.squares} == squares, asked
        assert {slot: len(way) + 1 for slot, way in found.rooms.items()} == rooms, asked
        for square, way in found.squares.items():
            assert tuple(map(spot, way)) in every[spot(square), len(way)], asked
        for slot, way in found.rooms.items():
            assert tuple(map(spot, way)) in every[slot, len(way) + 1], asked


@pytest.mark.parametrize(
    "questions", [pytest.param(150, id="gate"), pytest.param(4000, id="thorough", marks=pytest.mark.slow)]
)
def test_a_roll_leads_where_trying_every_walk_leads(questions: int) -> None:
    for question in random_questions(MANSION, seed=questions, number=questions, most=9):
        assert_same(MANSION, *question)


@pytest.mark.slow
def test_the_longest_rolls_lead_where_trying_every_walk_leads() -> None:
    for origin, occupied, _ in random_questions(MANSION, seed=12, number=150, most=12):
        for pips in (10, 11, 12):
            assert_same(MANSION, origin, occupied, pips)


def test_narrow_corridors_and_dead_ends_lead_where_trying_every_walk_leads() -> None:
    """Hemmed in on a small board, the longest ways count often."""
    for question in random_questions(COURTYARD, seed=2, number=600, most=12):
        assert_same(COURTYARD, *question)


@pytest.mark.parametrize(
    ("start", "pips", "up_to", "exactly", "rooms"),
    [
        ("a", 7, 14, 7, set()),
        ("a", 12, 41, 22, {7, 8, 9}),
        ("c", 7, 10, 4, set()),
        ("c", 12, 25, 11, {2}),
        ("e", 7, 15, 7, {3}),
        ("e", 12, 39, 22, {2, 3, 4}),
        ("f", 7, 14, 7, set()),
        ("f", 12, 35, 18, {5, 6, 7}),
    ],
)
def test_from_its_start_a_pawn_has_so_many_squares(
    start: str, pips: int, up_to: int, exactly: int, rooms: set[int]
) -> None:
    """The others stand on their starts; rooms are not counted with the squares, and neither is the start."""
    for movement, count in ((Movement.UP_TO, up_to), (Movement.EXACT, exactly)):
        found = reach(MANSION, STARTS[start], others_on_starts(start), pips, movement)
        assert (len(found.squares), set(found.rooms)) == (count, rooms)


@pytest.mark.parametrize(
    ("slot", "pips", "up_to", "exactly"), [(2, 7, 87, 72), (7, 12, 106, 101), (6, 4, 16, 9), (9, 12, 100, 53)]
)
def test_from_a_room_a_pawn_has_so_many_squares(slot: int, pips: int, up_to: int, exactly: int) -> None:
    for movement, count in ((Movement.UP_TO, up_to), (Movement.EXACT, exactly)):
        assert len(reach(MANSION, slot, frozenset(STARTS.values()), pips, movement).squares) == count


ROOM_TO_ROOM = [
    [0, 7, 20, 17, 23, 28, 19, 19, 11],
    [7, 0, 4, 6, 12, 17, 13, 15, 7],
    [20, 4, 0, 7, 14, 20, 20, 27, 19],
    [17, 6, 7, 0, 4, 15, 15, 22, 14],
    [23, 12, 14, 4, 0, 7, 7, 14, 14],
    [28, 17, 20, 15, 7, 0, 4, 17, 17],
    [19, 13, 20, 15, 7, 4, 0, 8, 8],
    [19, 15, 27, 22, 14, 17, 8, 0, 4],
    [11, 7, 19, 14, 14, 17, 8, 4, 0],
]
"""Fewest pips from each room to each on the empty board, of which nine were published by another project."""

START_TO_ROOM = {
    "a": [23, 19, 31, 26, 18, 21, 12, 8, 10],
    "b": [23, 19, 31, 26, 18, 21, 12, 8, 8],
    "c": [13, 8, 25, 22, 28, 33, 24, 24, 16],
    "d": [24, 8, 10, 13, 19, 24, 24, 31, 23],
    "e": [23, 9, 7, 10, 17, 23, 23, 30, 22],
    "f": [32, 21, 24, 19, 11, 8, 10, 21, 21],
}


def pips_to_rooms(origin: Square | int) -> list[int]:
    found = reach(MANSION, origin, frozenset(), 40, Movement.UP_TO)
    return [len(found.rooms[slot]) + 1 if slot in found.rooms else 0 for slot in MANSION.slots]


def test_the_rooms_are_as_far_from_each_other_as_on_the_printed_board() -> None:
    assert [pips_to_rooms(slot) for slot in MANSION.slots] == ROOM_TO_ROOM
    assert {letter: pips_to_rooms(start) for letter, start in STARTS.items()} == START_TO_ROOM


def test_on_an_empty_board_every_roll_can_be_walked_out_from_everywhere() -> None:
    for origin in (*MANSION.corridors, *MANSION.slots):
        for pips in range(2, 13):
            found = reach(MANSION, origin, frozenset(), pips, Movement.EXACT)
            assert found.rooms or any(len(way) == pips for way in found.squares.values())


def test_a_door_four_pips_away_is_entered_with_a_roll_of_nine() -> None:
    """Ruling 1: the walk stops inside, and five pips are lost."""
    found = reach(MANSION, Square(9, 8), frozenset(), 9, Movement.EXACT)
    assert found.rooms[9] == (Square(10, 8), Square(11, 8), Square(12, 8))


def test_a_pawn_at_a_door_goes_in_with_one_step() -> None:
    found = reach(MANSION, Square(7, 4), frozenset(), 2, Movement.EXACT)
    assert found.rooms[1] == ()


def test_a_pawn_before_the_only_door_keeps_everybody_in_and_out() -> None:
    """Ruling 4: slot 1 has one door, and (7,4) lies in front of it."""
    blocked = frozenset({Square(7, 4)})
    assert reach(MANSION, 1, blocked, 12, Movement.EXACT).is_empty
    assert 1 not in reach(MANSION, Square(7, 1), blocked, 12, Movement.EXACT).rooms


def test_the_room_just_left_is_not_entered_by_another_door() -> None:
    """Ruling 3: out of slot 2 by the west door and in again by the south door would take six pips."""
    assert 2 not in reach(MANSION, 2, frozenset(), 12, Movement.EXACT).rooms


def test_a_pawn_on_the_narrow_way_cuts_off_two_doors() -> None:
    """A pawn on (13,20) shuts slot 5's north door, and slot 4's south door is cut off with it."""
    blocked = frozenset({Square(13, 20)})
    found = reach(MANSION, Square(13, 18), blocked, 12, Movement.UP_TO)
    assert Square(13, 22) not in found.squares
    assert not {4} & {slot for slot, way in found.rooms.items() if way[-1] == Square(13, 22)}
    assert not [way for way in found.rooms.values() if way[-1] == Square(13, 20)]


def test_a_pawn_hemmed_in_goes_as_far_as_it_can() -> None:
    """No room and no exact way: any square where a longest way ends. From (24,7) with (20,7) and (20,8) taken there
    are two squares by three, all of which a way of six steps can take in; it ends on one of these.
    """
    found = reach(MANSION, Square(24, 7), frozenset({Square(20, 7), Square(20, 8)}), 12, Movement.EXACT)
    assert set(found.squares) == {Square(21, 8), Square(22, 7), Square(23, 8)}
    assert {len(way) for way in found.squares.values()} == {6}


def test_a_pawn_shut_in_on_all_sides_cannot_go_anywhere() -> None:
    assert reach(MANSION, Square(24, 7), frozenset({Square(23, 7)}), 7, Movement.EXACT).is_empty
    assert reach(MANSION, Square(24, 7), frozenset({Square(23, 7)}), 7, Movement.UP_TO).is_empty


def widest_room(random: Random, share: float) -> Board:
    """As large a grid as a board may be, of which this share is corridor, with doors into one room all over it."""
    size = MOST_ROWS
    drawn = [["." if random.random() < share else "#" for _ in range(size)] for _ in range(size)]
    drawn[0][:4] = "ab2."
    doors = {Square(0, 3): Door(Square(0, 3), Direction.WEST, 2)}
    for row in range(2, size - 1, 2):
        for column in range(2, size - 1, 3):
            drawn[row][column] = "1"
            for step in Direction:
                back = step.of(Square(0, 0))
                square = Square(row - back.row, column - back.column)
                doors.setdefault(square, Door(square, step, 1))
    drawn[1][:4] = "...."
    real = [door for door in doors.values() if drawn[door.square.row][door.square.column] in ".ab"]
    return Board("grid", ["".join(row) for row in drawn], real, [])


@pytest.mark.parametrize("share", [1, 0.8, 0.7, 0.6])
def test_the_largest_grid_with_hundreds_of_doors_is_not_searched_from_each_of_them(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an operator's own if it comes at all, and in a game all other calls wait meanwhile. From every door, it
    would take some 100,000 steps of the search; a twentieth of a second is good for 20,000.
    """
    back, steps = Ways._back, 0

    def counted(*arguments: Any) -> Any:
        nonlocal steps
        steps += 1
        return back(*arguments)

    monkeypatch.setattr(Ways, "_back", counted)
    board = widest_room(Random(3), share)
    assert len(board.doors) > 400
    for pips in (11, 12):
        reach.cache_clear()
        steps = 0
        assert len(reach(board, 1, frozenset(), pips, Movement.EXACT).squares) > 400
        assert 0 < steps < 20_000
