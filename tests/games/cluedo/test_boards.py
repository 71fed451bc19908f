"""Boards and themes: the classic grid as it is known, and clear words about whatever is no board."""

import json
import pickle
from collections import Counter
from typing import Any

import pytest

from whitehall.games.cluedo import boards, themes
from whitehall.games.cluedo.board import Direction
from whitehall.games.cluedo.edition import resolve
from whitehall.games.cluedo.overrides import Overrides
from whitehall.games.cluedo.place import Square
from whitehall.games.core.data_text import BadText
from whitehall.games.core.fault import BadBoard, OptionsError

MANSION = boards.board("mansion")

TINY: dict[str, Any] = {
    "name": "tiny",
    "rows": ["1ab2", "1..2"],
    "doors": [
        {"room": 1, "row": 1, "column": 1, "step": "west"},
        {"room": 2, "row": 1, "column": 2, "step": "east"},
    ],
    "passages": [[1, 2]],
}


def tiny(**changes: Any) -> str:
    return json.dumps(TINY | changes)


def test_the_classic_grid_has_the_squares_doors_and_passages_that_all_its_sources_agree_on() -> None:
    assert (MANSION.width, MANSION.height, len(MANSION.corridors)) == (24, 25, 188)
    assert len(MANSION.doors) == 17
    doors = Counter(door.slot for door in MANSION.doors)
    assert [doors[slot] for slot in range(1, 10)] == [1, 4, 1, 2, 2, 1, 3, 1, 2]
    assert MANSION.passages == ((1, 6), (3, 8))
    assert MANSION.starts == (
        Square(24, 7),
        Square(17, 0),
        Square(0, 9),
        Square(0, 14),
        Square(6, 23),
        Square(19, 23),
    )
    centre = [(row, column) for row in range(25) for column in range(24) if MANSION.rows[row][column] == "*"]
    assert centre == [(row, column) for row in range(10, 17) for column in range(10, 15)]


def test_no_square_serves_two_doors_and_each_leads_into_its_room() -> None:
    assert len(MANSION.door_at) == 17
    assert MANSION.door_at[Square(13, 20)].step is Direction.SOUTH
    for door in MANSION.doors:
        assert MANSION.letter(door.step.of(door.square)) == str(door.slot)


@pytest.mark.usefixtures("nobody_elses_boards")
def test_a_small_board_can_be_read_and_played_on() -> None:
    boards.add(tiny())
    assert boards.add(tiny()) is boards.board("tiny"), "to add it once more changes nothing"
    options = resolve("james-bond", 2, None, Overrides(board="tiny", suspects=("A", "B"), locations=("Here", "There")))
    assert options.hand_sizes == (4, 3)
    assert options.location_at == dict(zip((1, 2), options.locations, strict=True))
    with pytest.raises(BadBoard, match="there is another board 'tiny'"):
        boards.add(tiny(passages=[]))


def _door(**changes: Any) -> list[dict[str, Any]]:
    return [{**TINY["doors"][0], **changes}, TINY["doors"][1]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "the board: must be an object"),
        ('{"name": "a", "name": "b"}', "the board: 'name' stands twice"),
        (tiny(doors=[]).replace("[]", '[{"row": 1, "row": 2}]', 1), "door 1: 'row' stands twice"),
        ('{"name": ' + "1" * 5000 + "}", "is too long"),
        (tiny(colour="red"), "the board: 'colour' is not known"),
        (tiny(name="Big Board"), "name: must be 1 to 64 small letters"),
        (tiny(about=7), "about: must be a text"),
        (tiny(about="Tiny\x1b[2J"), "about: must be one line, without control characters"),
        (tiny(about="Tiny\nboard"), "about: must be one line, without control characters"),
        (tiny(rows="1ab2"), "rows: must be a list"),
        (tiny(rows=[]), "rows: a board has 1 to 40 of them"),
        (tiny(rows=["1ab2", 7]), "row 1: must be a text"),
        (tiny(rows=["1ab2", "1..2."]), "row 1: every row has the same"),
        (tiny(rows=["1ab2"] * 41), "rows: a board has 1 to 40 of them"),
        (tiny(rows=["1ab2", "1.?2"]), "square 1,2: '\\?' draws nothing"),
        (tiny(rows=["1a.2", "1..2"]), "a board needs two starts or more"),
        (tiny(rows=["1ab1", "1..1"]), "a board needs two rooms or more"),
        (tiny(rows=["1ac2", "1..2"]), "starts: go from a on without a gap"),
        (tiny(rows=["1ab3", "1..3"]), "rooms: go from 1 on without a gap"),
        (tiny(rows=["1ab2", "1.b2"]), "start b: drawn twice"),
        (tiny(doors=TINY["doors"][:1]), "room 2: has no door"),
        (tiny(doors=_door(room=3)), "door at 1,1: there is no room 3"),
        (tiny(doors=_door(room=0)), "door at 1,1: there is no room 0"),
        (tiny(doors=_door(room="1")), "door 1, room: must be a whole number"),
        (tiny(doors=_door(row=True)), "door 1, row: must be a whole number"),
        (tiny(doors=_door(row=9)), "door at 9,1: no corridor is there"),
        (tiny(doors=_door(row=-1)), "door at -1,1: no corridor is there"),
        (tiny(doors=_door(step="north")), "door at 1,1: a step north does not lead into room 1"),
        (tiny(doors=_door(step="up")), "door 1: 'step' must be north, east, south, west"),
        (tiny(doors=[*TINY["doors"], TINY["doors"][0]]), "door at 1,1: one square serves one door"),
        (tiny(passages=[[1, 1]]), "passage 1-1: "),
        (tiny(passages=[[1, 3]]), "passage 1-3: there is no room 3"),
        (tiny(passages=[[1, 2], [2, 1]]), "passage 1-2: room 1 has another one"),
        (tiny(passages=[[1, 2, 1]]), "passages: must be pairs of rooms"),
        (tiny(passages=[[True, 2]]), "passages: must be a whole number"),
        (
            tiny(rows=["1a#b2", "1.#.2"], doors=[TINY["doors"][0], {**TINY["doors"][1], "column": 3}]),
            "start 0,3: no way",
        ),
    ],
)
def test_what_is_no_board_is_refused_with_the_place_and_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadBoard, match=reason):
        boards.load(text)


def test_a_board_survives_its_journey_to_another_process() -> None:
    copy = pickle.loads(pickle.dumps(MANSION))
    assert copy == MANSION
    assert copy.door_at == MANSION.door_at


def test_the_theme_names_two_weapons_as_the_rulebook_does_and_marks_all_other_names_as_ours() -> None:
    theme = themes.theme(themes.AGENTS)
    names = [*theme.suspects, *theme.weapons, *theme.locations]
    assert [name.text for name in names if not name.placeholder] == ["Golden Gun", "Poison"]
    assert (len(theme.suspects), len(theme.weapons), len(theme.locations)) == (6, 6, 9)


def test_a_game_may_have_names_numbers_and_slots_of_its_own() -> None:
    """A name that was ours and is kept stays marked; a host's own is the host's."""
    changes = Overrides(
        suspects=("Agent One", "Goldfinger", "Dr. No"), weapons=("Hat",), room_slots=(9, 8, 7, 6, 5, 4, 3, 2, 1)
    )
    options = resolve("james-bond", 3, None, changes)
    assert [name.placeholder for name in options.theme.suspects] == [True, False, False]
    assert len(options.cards) == 3 + 1 + 9
    assert options.location_at[9] == options.locations[0]
    assert options.slot_of[options.locations[8]] == 1


def test_what_is_no_theme_is_refused() -> None:
    with pytest.raises(BadText, match="the theme: 'about' is missing"):
        themes.load('{"name": "x"}')
    theme = {"name": "x", "about": "", "suspects": [{"name": "Ann"}], "weapons": [], "locations": []}
    assert themes.load(json.dumps(theme)).suspects[0].text == "Ann"
    with pytest.raises(BadText, match="about: must be one line"):
        themes.load(json.dumps(theme | {"about": "Two\nlines"}))
    with pytest.raises(BadText, match="name: must be one line"):
        themes.load(json.dumps(theme | {"suspects": [{"name": "Ann\x07"}]}))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        (Overrides(weapons=()), "overrides.weapons"),
        (Overrides(weapons=("Rope", " ")), "overrides.weapons"),
        (Overrides(neutral_cards=-1), "overrides.neutral_cards"),
        (Overrides(neutral_cards=17), "overrides.neutral_cards"),
        (Overrides(locations=("Casino",)), "overrides.locations"),
        (Overrides(room_slots=(1, 1, 2, 3, 4, 5, 6, 7, 8)), "overrides.room_slots"),
        (Overrides(suspects=("Only",)), "seats[1].pawn"),
    ],
)
def test_a_deck_that_cannot_be_dealt_is_refused(changes: Overrides, field: str) -> None:
    with pytest.raises(OptionsError) as refused:
        resolve("james-bond", 2, None, changes)
    assert refused.value.field == field
