"""Options in a line: positions of games that differ from their preset, there and back, and each fault at its column."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.chance import SeededChance
from tests.games.scotland_yard.changes import possible_changes
from whitehall.games.core.fault import BadInput, OptionsError
from whitehall.games.core.notation import NotationError
from whitehall.games.scotland_yard import app_option_notation, differences, option_notation, option_words
from whitehall.games.scotland_yard.edition import PRESETS, resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.master import Landmark, MasterOverrides, ScanMast
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.position import PositionError, position
from whitehall.games.scotland_yard.position_notation import parse, text
from whitehall.games.scotland_yard.sides import sides
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Tickets
from whitehall.games.scotland_yard.wire.options import read_overrides, write_options

REST = "mr_x@45 red@13 blue@26 bobby1@29 bobby2@34"


def without_landmarks(changes: Overrides) -> Overrides:
    if changes.master is None:
        return changes
    of_app = replace(changes.master, landmarks=None)
    return replace(changes, master=None if of_app == MasterOverrides() else of_app)


def some_options(seed: int) -> ScotlandYardOptions:
    """Options for a position that can be written in a line."""
    random = Random(seed)
    preset, players = random.choice(list(PRESETS)), random.randint(2, 6)
    changes = without_landmarks(possible_changes(random, preset, players))
    try:
        return sides(preset, players, changes)
    except OptionsError:  # only the landmarks made an option next to them fit
        return sides(preset, players)


def some_position(options: ScotlandYardOptions, random: Random) -> ScotlandYardState:
    """Any position in which the game goes on, with hands and counts that have been spent from."""
    while True:
        mr_x, *hunters = random.sample(options.board.stations, len(options.hunters) + 1)
        phase = random.choice([Phase.MR_X, Phase.HUNTERS])
        number = random.randint(1, options.rounds)
        hands = [Tickets(*(random.randint(0, most) for most in options.hand)) for _ in range(options.hands)]
        moved = [piece for piece in options.hunters if random.random() < 0.3] if phase == Phase.HUNTERS else []
        try:
            state = position(
                options,
                mr_x=mr_x,
                hunters=hunters,
                round=number,
                phase=phase,
                hands=hands,
                black_hands=[random.randint(0, options.black_hand) for _ in hands],
                black_tickets=random.randint(0, options.black_tickets),
                moved=moved,
            )
        except PositionError:  # so many moves as the round asks for do not fit into the log
            continue
        if state.phase != Phase.OVER:
            return state


@given(st.integers(0, 1 << 30))
def test_a_position_of_a_game_with_any_options_goes_to_a_line_and_back(seed: int) -> None:
    state = some_position(some_options(seed), Random(seed))
    line = text(state)
    assert "\n" not in line
    assert parse(line) == state
    assert text(parse(line)) == line


@given(st.integers(0, 1 << 30))
def test_what_is_told_of_options_is_what_a_host_would_send(seed: int) -> None:
    """The same as in the contract, and asked for again it makes the same game."""
    options = some_options(seed)
    told = differences.in_force(options)
    assert told == read_overrides(write_options(options))
    usual = differences.in_force(sides(options.preset, options.players))
    assert sides(options.preset, options.players, differences.changes(told, usual)) == options
    assert differences.changes(usual, usual) == NONE


def test_options_that_differ_stand_after_the_preset_and_lists_have_commas() -> None:
    changes = Overrides(
        board="london-classic", rounds=13, log_fields=15, surfacing=(3, 8, 13), detective_tickets=Tickets(10, 8, 4)
    )
    state, _ = game.setup(resolve("new", 3, changes=changes), SeededChance(1))
    assert text(state).split(" 3 1 mr_x ")[0] == (
        "new option:board=london-classic option:rounds=13 option:log_fields=15 option:surfacing=3,8,13 "
        "option:detective_tickets=10/8/4"
    )


def test_a_seat_may_play_other_detectives_without_being_another_option() -> None:
    options = resolve("new", 4, [(Piece.MR_X,), (Piece.RED,), (Piece.BLUE, Piece.GREEN)])
    state, _ = game.setup(options, SeededChance(1))
    assert "option:" not in text(state)


@pytest.mark.parametrize(
    ("given", "changes"),
    [
        ("option:surfacing=", Overrides(surfacing=())),
        ("option:start_by=choice option:bobbies=2", Overrides(start_by=StartBy.CHOICE, bobbies=2)),
        ("option:end_by=log_full", Overrides(end_by=EndBy.LOG_FULL)),
        ("option:mr_x_supply=unlimited", Overrides(mr_x_supply=MrXSupply.UNLIMITED)),
    ],
)
def test_each_option_has_its_word(given: str, changes: Overrides) -> None:
    assert parse(f"new {given} 3 1 mr_x {REST}").options == sides("new", 3, changes)


@pytest.mark.parametrize("names", [["fast"], ["invisible"], ["fast", "invisible"], ["invisible", "fast"]])
def test_house_rules_are_read_by_their_names_and_written_as_what_they_set(names: list[str]) -> None:
    changes = Overrides(house_rules=tuple(names))
    state = parse(f"new option:house_rules={','.join(names)} 3 1 mr_x {REST}")
    assert state.options == sides("new", 3, changes)
    assert "house_rules" not in text(state)
    assert parse(text(state)) == state
    assert option_words.read(option_words.words(changes)) == changes


def test_what_is_set_beside_a_house_rule_counts_for_more() -> None:
    state = parse(f"new option:rounds=12 option:house_rules=fast 3 1 mr_x {REST}")
    assert (state.options.rounds, state.options.surfacing) == (12, (3, 8, 13))


# Any text may be the name of a board, which comes first.
VALUED = [
    "house_rules",
    *option_notation.NAMES[1:],
    *(f"master.{name}" for name in app_option_notation.NAMES if name != "landmarks"),
]


def suggested(reason: str) -> str:
    """A value that the words of a fault propose."""
    forms = (r"such as (.+)", r"a number from (\d+)", r"expected (\w+)(?:,| or)")
    return next(found[1] for form in forms if (found := re.search(form, reason)))


@pytest.mark.parametrize("name", VALUED)
def test_what_a_fault_of_a_value_proposes_is_read(name: str) -> None:
    with pytest.raises(NotationError) as caught:
        option_words.read([f"option:{name}=%"])
    option_words.read([f"option:{name}={suggested(caught.value.reason)}"])
    if name != "house_rules":  # a record tells what they set
        with pytest.raises(BadInput) as in_record:
            option_notation.read(name, "%")
        option_notation.read(name, suggested(in_record.value.reason))


def test_the_app_game_s_options_bear_its_name() -> None:
    line = f"master option:master.scan_mast=nearest option:master.masts=13,94 3 1 mr_x {REST}"
    wanted = MasterOverrides(scan_mast=ScanMast.NEAREST, masts=(Station(13), Station(94)))
    assert parse(line).options == sides("master", 3, Overrides(master=wanted))


def test_black_tickets_of_detectives_follow_the_others_of_their_hand() -> None:
    line = f"new option:detective_black_tickets=2 3 1 mr_x {REST.replace('@13', '@13:11/8/4/1')}"
    state = parse(line)
    assert state.black_hands == (1, 2)
    assert "red@13:11/8/4/1 blue@26:11/8/4/2" in text(state)
    shared = parse("new option:detective_black_tickets=2 2 1 mr_x " + f"{REST} hand:20/8/4/3")
    assert shared.black_hands == (3,)
    assert "hand:20/8/4/3" in text(shared)


def test_a_supply_without_an_end_is_not_counted() -> None:
    line = f"new option:mr_x_supply=unlimited 3 1 mr_x {REST}"
    assert "supply:" not in text(parse(line))


def test_landmarks_make_no_word() -> None:
    landmarks: Any = (Landmark("Harrods", (Station(1),)),)
    state = position(
        sides("master", 3, Overrides(master=MasterOverrides(landmarks=landmarks))), mr_x=45, hunters=[13, 26, 29, 34]
    )
    with pytest.raises(ValueError, match="a table of landmarks has no notation in one line"):
        text(state)


def line(given: str, preset: str = "new", rest: str = f"3 1 mr_x {REST}") -> str:
    return f"{preset} {given} {rest}"


@pytest.mark.parametrize(
    ("wrong", "column", "reason"),
    [
        (line("option:rounds"), 18, "expected = and a value"),
        (line("option:rouds=13"), 12, "there is no option 'rouds'; there are: house_rules, board, end_by"),
        (line("option:master.mast=13"), 12, "there is no option 'master.mast' of the app game"),
        (line("option:rounds=x"), 19, "expected a number from 0 to 999"),
        (line("option:surfacing=3,x"), 22, "expected numbers with commas between them, such as 3,8,13"),
        (line("option:surfacing=3/8"), 22, "expected numbers with commas between them, such as 3,8,13"),
        (line("option:master.masts=13/94", "master"), 28, "expected numbers with commas between them"),
        (line("option:house_rules=fast/invisible"), 24, "expected names with commas between them, such as fast,"),
        (
            line("option:bobbies=1 option:house_rules=slow"),
            41,
            "there is no house rule",
        ),
        (line("option:rounds=13 option:rounds=13"), 22, "stands here twice"),
        (line("option:rounds=99"), 5, "must be 1 to 48, not 99"),
        (line("option:bobbies=1 option:rounds=30"), 5, "log_fields: must be 32 or more for 30 rounds"),
        (line("option:bobbies=1 option:surfacing=8,3"), 41, "must ascend"),
        (line("option:bobbies=1 option:master.masts=13"), 22, "preset new plays without the app"),
        (line("option:bobbies=1 option:board=paris"), 22, "there is no board 'paris'"),
        (
            line("option:bobbies=1 option:master.masts=1,1", "master"),
            47,
            "station 1 is",
        ),
        (line("option:detective_tickets=11/8/100"), 35, "must be 0 to 99, not 100"),
        (
            line("option:bobbies=1 option:detective_tickets=60/8/4"),
            5,
            "box_tickets: must hold the detectives'",
        ),
        (line("option:master.locate_near=10", "master"), 8, "master.locate_medium: must be more than locate_near"),
        (line("option:master.landmarks=1@1,1", "master"), 15, "a table of landmarks has no notation in one line"),
        (line("option:bobbies=1", "old"), 1, "there is no preset 'old'"),
        (line("option:bobbies=1", rest="9 1 mr_x"), 22, "must be 2 to 6"),
        (line("option:bobbies=1", rest="x 1 mr_x"), 22, "expected the number of players"),
        (line("option:bobbies=1", rest="3 1"), 25, "expected whose turn it is"),
        (line("option:rounds=13", rest=f"3 14 mr_x {REST}"), 24, "must be 1 to 13"),
        (f"new 3 1 mr_x option:rounds=13 {REST}", 14, "options stand right after the preset"),
        (
            line("option:bobbies=2", rest=f"3 1 mr_x {REST.replace('@13', '@13:1/1/1/1')}"),
            39,
            "black tickets must be 0",
        ),
    ],
)
def test_a_wrong_option_is_told_with_its_column(wrong: str, column: int, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(wrong)
    assert caught.value.reason.startswith(reason)
    assert caught.value.column == column


@given(st.integers(0, 40), st.integers(0, 9), st.text(max_size=5) | st.sampled_from(["=", ",", ".", " ", "option:"]))
def test_whatever_is_changed_in_options_they_are_read_or_the_place_is_told(place: int, cut: int, put: str) -> None:
    whole = line("option:surfacing=3,8 option:rounds=13")
    wrong = whole[:place] + put + whole[place + cut :]
    fault = None
    try:
        state = parse(wrong)
    except NotationError as error:
        fault = error
    else:
        assert parse(text(state)) == state
    assert fault is None or 1 <= fault.column <= len(wrong) + 1
