"""The app game's options: what the preset says, what cannot be, and how they stand in records (rulings, section 3)."""

from dataclasses import fields
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.games.scotland_yard.changes import FARTHEST, any_master_changes
from whitehall.games.core.fault import OptionsError
from whitehall.games.core.rule import Rule
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import app_option_notation, master_changes, rulebook
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.catalog import catalog
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.landmarks import london
from whitehall.games.scotland_yard.master import (
    AnalysisStart,
    HelicopterGrant,
    Landmark,
    MasterOptions,
    MasterOverrides,
    ScanMast,
)
from whitehall.games.scotland_yard.options import StartBy
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.ticket import Station, Tickets, Transport
from whitehall.games.scotland_yard.wire.master_options import read_master_options
from whitehall.games.scotland_yard.wire.options import write_options
from whitehall.gen.whitehall.scotlandyard.v1 import master_pb2


def resolved(players: int = 4, **changes: Any) -> MasterOptions:
    master = resolve("master", players, changes=Overrides(master=MasterOverrides(**changes))).master
    assert master is not None
    return master


def test_the_preset_is_the_sheet_s() -> None:
    options = resolve("master", 4)
    assert options.start_by is StartBy.DISTRIBUTION
    assert options.surfacing == (3, 8, 13, 18, 24)
    assert (options.black_tickets, options.double_tickets, options.hand) == (5, 2, (11, 8, 4))
    assert resolved() == MasterOptions(
        actions_per_round=1,
        action_when_surfaced=False,
        per_game_cap=0,
        cooldown=0,
        offered=4,
        masts=(Station(13), Station(184), Station(94), Station(108)),
        locate_near=5,
        locate_medium=10,
        scan_mast=ScanMast.RANDOM,
        analysis_start=AnalysisStart.CARDS,
        landmarks=london(),
        near_radius=0,
        recent_window=3,
        meeting_fields=(3, 8, 13, 18),
        meeting_distance=6,
        meetings_to_survive=1,
        meetings_to_win=2,
        announce_visit=False,
        helicopter_tickets=1,
        helicopter_grant=HelicopterGrant.START,
        helicopter_in_double=False,
        helicopter_reaches=False,
        stuck_win_needs_meeting=True,
    )


@pytest.mark.parametrize(
    ("players", "supply"), [(6, (7, 9, 5)), (5, (18, 17, 9)), (4, (29, 25, 13)), (3, (40, 33, 17)), (2, (40, 33, 17))]
)
def test_the_supply_is_what_the_larger_box_has_left(players: int, supply: tuple[int, int, int]) -> None:
    assert resolve("master", players).supply == Tickets(*supply)


NO_EFFECT = rulebook.OPTION_HAS_EFFECT

WRONG: list[tuple[dict[str, Any], str, Rule]] = [
    ({"masts": ()}, "masts", rulebook.MASTS_ON_BOARD),
    ({"masts": (13, 200)}, "masts.stations[1]", rulebook.MASTS_ON_BOARD),
    ({"masts": (13, 94, 13)}, "masts.stations[2]", rulebook.MASTS_ON_BOARD),
    ({"locate_near": 10}, "locate_medium", rulebook.NEAR_BEFORE_FAR),
    ({"locate_near": 6, "locate_medium": 5}, "locate_medium", rulebook.NEAR_BEFORE_FAR),
    (
        {"landmarks": (Landmark("A", (Station(1), Station(200))),)},
        "landmarks.landmarks[0].stations[1]",
        rulebook.LANDMARKS_ON_BOARD,
    ),
    (
        {"landmarks": (Landmark("A", (Station(1), Station(1))),)},
        "landmarks.landmarks[0].stations[1]",
        rulebook.LANDMARKS_ON_BOARD,
    ),
    ({"landmarks": (Landmark("A", ()),)}, "landmarks.landmarks[0].stations", rulebook.LANDMARKS_ON_BOARD),
    ({"landmarks": (Landmark("A", (Station(1),)),) * 2}, "landmarks.landmarks[1].name", rulebook.LANDMARKS_ON_BOARD),
    ({"landmarks": (Landmark('"A"', (Station(1),)),)}, "landmarks.landmarks[0].name", rulebook.LANDMARKS_ON_BOARD),
    ({"landmarks": (Landmark("A/B", (Station(1),)),)}, "landmarks.landmarks[0].name", rulebook.LANDMARKS_ON_BOARD),
    ({"landmarks": (Landmark("", (Station(1),)),)}, "landmarks.landmarks[0].name", rulebook.LANDMARKS_ON_BOARD),
    ({"meeting_fields": (3, 25)}, "meeting_fields.fields[1]", rulebook.MEETINGS_ON_LOG),
    ({"meeting_fields": (8, 3)}, "meeting_fields.fields[1]", rulebook.MEETINGS_ON_LOG),
    ({"meeting_fields": (3, 3)}, "meeting_fields.fields[1]", rulebook.MEETINGS_ON_LOG),
    ({"meeting_fields": ()}, "meetings_to_survive", rulebook.MEETINGS_ON_LOG),
    ({"meetings_to_win": 5}, "meetings_to_win", rulebook.MEETINGS_ON_LOG),
    ({"actions_per_round": 5}, "actions_per_round", rulebook.WITHIN_RANGE),
    ({"offered": 0}, "offered", rulebook.WITHIN_RANGE),
    ({"recent_window": 0}, "recent_window", rulebook.WITHIN_RANGE),
    ({"actions_per_round": 0, "cooldown": 1}, "cooldown", rulebook.OPTION_HAS_EFFECT),
    ({"actions_per_round": 0, "scan_mast": ScanMast.NEAREST}, "scan_mast", rulebook.OPTION_HAS_EFFECT),
    ({"helicopter_tickets": 0, "helicopter_reaches": True}, "helicopter_reaches", rulebook.OPTION_HAS_EFFECT),
    ({"landmarks": (), "near_radius": 1}, "near_radius", rulebook.OPTION_HAS_EFFECT),
    ({"landmarks": (), "recent_window": 2}, "recent_window", rulebook.OPTION_HAS_EFFECT),
    (
        {"meeting_fields": (), "meetings_to_survive": 0, "meetings_to_win": 0, "helicopter_reaches": True},
        "helicopter_reaches",
        rulebook.OPTION_HAS_EFFECT,
    ),
    (
        {"meetings_to_survive": 0, "stuck_win_needs_meeting": True},
        "stuck_win_needs_meeting",
        rulebook.OPTION_HAS_EFFECT,
    ),
]


@pytest.mark.parametrize(("changes", "field", "rule"), WRONG)
def test_what_cannot_be_is_refused_with_its_field_and_rule(changes: dict[str, Any], field: str, rule: Rule) -> None:
    with pytest.raises(OptionsError) as refused:
        resolved(**changes)
    assert (refused.value.field, refused.value.rule) == (f"overrides.master.{field}", rule)


OF_ACTIONS: dict[str, Any] = {
    "action_when_surfaced": True,
    "per_game_cap": 1,
    "cooldown": 1,
    "offered": 2,
    "masts": (Station(13),),
    "locate_near": 4,
    "locate_medium": 9,
    "scan_mast": ScanMast.NEAREST,
    "analysis_start": AnalysisStart.ALL,
    "landmarks": (),
    "near_radius": 1,
    "recent_window": 2,
}
"""All that a special action or its answer depends on."""


@pytest.mark.parametrize("name", OF_ACTIONS)
def test_where_there_are_no_special_actions_nothing_about_them_is_set_or_told(name: str) -> None:
    with pytest.raises(OptionsError) as refused:
        resolved(actions_per_round=0, **{name: OF_ACTIONS[name]})
    assert (refused.value.field, refused.value.rule) == (f"overrides.master.{name}", NO_EFFECT)
    told = write_options(resolve("master", 4, changes=Overrides(master=MasterOverrides(actions_per_round=0))))
    assert told.master.actions_per_round == 0
    assert not told.master.HasField(name)  # type: ignore[arg-type]  # one of its fields
    assert getattr(resolved(**{name: OF_ACTIONS[name]}), name) == OF_ACTIONS[name]


SMALL = Board("small", {1: (0, 1), 2: (0, 2)}, {transport: [(1, 2)] for transport in Transport})
"""It has none of the usual masts, nor the stations at landmarks."""


def test_a_board_without_the_usual_masts_is_played_on_where_nobody_asks_for_them() -> None:
    assert [fault.field for fault in master_changes.faults(SMALL, 24, resolved())]
    assert not list(master_changes.faults(SMALL, 24, resolved(actions_per_round=0)))


@pytest.mark.parametrize("preset", ["new", "classic"])
def test_they_belong_to_presets_with_the_app_alone(preset: str) -> None:
    with pytest.raises(OptionsError) as refused:
        resolve(preset, 4, changes=Overrides(master=MasterOverrides(offered=2)))
    assert (refused.value.field, refused.value.rule) == ("overrides.master", rulebook.MASTER_IN_APP_GAME)


@pytest.mark.parametrize("barred", ['"', "/", "\\", ";"])
def test_a_landmark_s_name_has_none_of_the_signs_that_its_refusal_names(barred: str) -> None:
    with pytest.raises(OptionsError) as refused:
        resolved(landmarks=(Landmark(f"A{barred}B", (Station(1),)),))
    assert refused.value.text == Text(
        "must be 1 to 60 printable characters without quotes, slashes, backslashes and semicolons, "
        "no space at its ends",
        "doit compter de 1 à 60 caractères imprimables, sans guillemet, barre oblique ou inverse ni point-virgule, "
        "ni espace aux bouts",
    )


def test_on_a_shorter_log_the_late_meeting_points_do_not_appear() -> None:
    master = resolve("master", 4, changes=Overrides(house_rules=("fast",))).master
    assert master is not None
    assert master.meeting_fields == (3, 8, 13)


def test_the_landmarks_are_45_with_names_of_their_own_and_two_stations_each() -> None:
    assert len({landmark.name for landmark in london()}) == len(london()) == 45
    assert all(len(set(landmark.stations)) == 2 for landmark in london())


def test_every_option_has_a_place_in_overrides_in_records_and_in_the_catalog() -> None:
    names = [field.name for field in fields(MasterOptions)]
    assert [field.name for field in fields(MasterOverrides)] == names
    assert list(app_option_notation.NAMES) == names
    (preset,) = [entry for entry in catalog.presets if entry.name == "master"]
    listed = {parameter.name for parameter in preset.parameters if parameter.allowed}
    assert {f"master.{name}" for name in names} <= listed


@pytest.mark.parametrize("seed", range(100))
def test_they_come_out_of_a_record_as_they_went_in(seed: int) -> None:
    changes = any_master_changes(Random(seed), 23)
    read = {
        name.removeprefix("master."): app_option_notation.read(name.removeprefix("master."), value)
        for name, value in app_option_notation.texts(changes)
    }
    assert MasterOverrides(**read) == changes


coordinates = st.floats(0.0, FARTHEST)


@given(coordinates, coordinates)
@example(1e-05, 1 / 14)
@example(5e-324, 9999.999999999998)
def test_a_landmark_may_stand_anywhere_on_the_map(x: float, y: float) -> None:
    table = (Landmark("King's Cross", (Station(4), Station(13)), x, y),)
    ((_, value),) = app_option_notation.texts(MasterOverrides(landmarks=table))
    assert app_option_notation.read("landmarks", value) == table


def test_a_negative_zero_is_read_as_zero() -> None:
    """They mean the same place, and a record would have to tell them apart."""
    table = master_pb2.Landmarks(landmarks=[master_pb2.Landmark(name="Here", stations=[1], x=-0.0, y=-0.0)])
    (landmark,) = read_master_options(master_pb2.MasterOptions(landmarks=table)).landmarks or ()
    assert f"{landmark.x} {landmark.y}" == "0.0 0.0"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("offered", "four"),
        ("offered", "-1"),
        ("masts", "13, 94"),
        ("scan_mast", "north"),
        ("announce_visit", "yes"),
        ("landmarks", "King's Cross"),
        ("landmarks", "4@1,2 A; "),
        ("landmarks", "4@1e-05,2 A"),
        ("landmarks", "4@-0.0,2 A"),
        ("landmarks", "4@1.,2 A"),
    ],
)
def test_what_a_record_cannot_say_is_refused(name: str, value: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        app_option_notation.read(name, value)
