"""The catalog over gRPC, against the rulebook's tables and the printed board's numbers."""

from __future__ import annotations

import json
import platform
import re
from collections import Counter
from collections.abc import Awaitable
from dataclasses import fields
from typing import Any

import grpc
import pytest

import whitehall
from tests.api.refusals import refused
from tests.api.table import Yard
from whitehall.games.scotland_yard.master import MasterOverrides
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2

YARD = "scotland-yard"


async def parameters(yard: Yard, players: int = 0, name: str = "new") -> dict[str, Any]:
    """The parameters of a preset: those for any number of players, or those for this one."""
    (preset,) = [
        preset
        for preset in (await yard.catalog.ListPresets(catalog_pb2.ListPresetsRequest(game=YARD))).presets
        if preset.name == name
    ]
    assert list(preset.players) == [2, 3, 4, 5, 6]
    assert all(parameter.description for parameter in preset.parameters)
    assert preset.title
    return {
        parameter.name: json.loads(parameter.value) for parameter in preset.parameters if parameter.players == players
    }


async def test_the_new_edition_is_the_default_and_has_the_rulebook_s_numbers(yard: Yard) -> None:
    presets = (await yard.catalog.ListPresets(catalog_pb2.ListPresetsRequest())).presets
    assert next(preset.name for preset in presets if preset.game == YARD) == "new"
    table = await parameters(yard)
    assert table["board"] == "london-2013"
    assert table["rounds"] == 22
    assert table["log_fields"] == 24
    assert table["surfacing"] == [3, 8, 13, 18, 24]
    assert table["detective_tickets"] == {"taxi": 11, "bus": 8, "underground": 4}
    assert table["double_tickets"] == 2
    assert len(table["start_cards_mr_x"]) == 13
    assert len(table["start_cards_hunters"]) == 16
    assert not set(table["start_cards_mr_x"]) & set(table["start_cards_hunters"])


@pytest.mark.parametrize(
    ("players", "detectives", "bobbies", "shared"),
    [(2, 2, 2, True), (3, 2, 2, False), (4, 3, 1, False), (5, 4, 0, False), (6, 5, 0, False)],
)
async def test_each_number_of_players_has_its_hunters_and_its_supply(
    yard: Yard, players: int, detectives: int, bobbies: int, shared: bool
) -> None:
    table = await parameters(yard, players)
    assert (table["detectives"], table["bobbies"], table["shared_hand"]) == (detectives, bobbies, shared)
    box = (await parameters(yard))["box_tickets"]
    hand = (await parameters(yard))["detective_tickets"]
    assert table["black_tickets"] == 5
    assert table["supply"] == {kind: box[kind] - detectives * hand[kind] for kind in box}
    game = (await yard.table(players)).created.game
    assert len(game.view.hunters) == detectives + bobbies
    assert game.view.supply.taxi == table["supply"]["taxi"]


@pytest.mark.parametrize(("players", "detectives"), [(2, 4), (3, 4), (4, 3), (5, 4), (6, 5)])
async def test_the_classic_edition_has_the_numbers_of_its_rulebooks(yard: Yard, players: int, detectives: int) -> None:
    table = await parameters(yard, name="classic")
    assert table["board"] == "london-classic"
    assert (table["end_by"], table["log_fields"]) == ("log_full", 24)
    assert table["detective_tickets"] == {"taxi": 10, "bus": 8, "underground": 4}
    assert table["mr_x_supply"] == "from_detectives"
    assert table["mr_x_hand"] == {"taxi": 4, "bus": 3, "underground": 3}
    assert len(set(table["start_cards_mr_x"])) == 18
    assert table["start_cards_mr_x"] == table["start_cards_hunters"]
    table = await parameters(yard, players, "classic")
    assert (table["detectives"], table["bobbies"], table["shared_hand"]) == (detectives, 0, False)
    assert table["black_tickets"] == detectives


async def test_every_option_is_told_with_what_it_may_be_set_to(yard: Yard) -> None:
    """Each field of `Overrides` is a parameter of that name with its range or its choices."""
    presets = (await yard.catalog.ListPresets(catalog_pb2.ListPresetsRequest(game=YARD))).presets
    allowed = {parameter.name: parameter.allowed for preset in presets for parameter in preset.parameters}
    of_app = {f"master.{field.name}" for field in fields(MasterOverrides)}
    told = {name for name, told in allowed.items() if told}
    assert {field.name for field in fields(Overrides)} - {"master"} | of_app == told
    assert allowed["rounds"] == "1 to 48"
    assert allowed["end_by"] == "rounds or log_full"
    assert allowed["mr_x_supply"] == "finite or unlimited or from_detectives"
    assert allowed["mr_x_hand"] == "0 to 99 of each kind"
    assert {"fast", "invisible"} <= set(re.findall(r"(\w+): ", allowed["house_rules"]))


async def test_the_board_has_the_stations_and_lines_of_the_print(yard: Yard) -> None:
    boards = (await yard.catalog.ListBoards(catalog_pb2.ListBoardsRequest(game=YARD))).boards
    assert [board.name for board in boards] == ["london-2013", "london-classic"]
    board = (await yard.catalog.GetBoard(catalog_pb2.GetBoardRequest(name="london-2013"))).board
    assert board.info == boards[0]
    assert [place.number for place in board.places] == list(range(1, 200))
    assert Counter(line.kind for line in board.lines) == {"taxi": 345, "bus": 99, "underground": 20, "ferry": 3}
    lines = [(line.kind, line.start, line.end) for line in board.lines]
    assert len(set(lines)) == len(lines)
    assert all(start < end for _, start, end in lines)
    assert {(start, end) for kind, start, end in lines if kind == "ferry"} == {(108, 115), (115, 157), (157, 194)}
    for place in board.places:
        assert 0 <= place.x <= board.width
        assert 0 <= place.y <= board.height
        stops = {kind for kind, *ends in lines if place.number in ends}
        assert set(place.kinds) == stops
        assert "taxi" in stops or place.number == 108
    assert len({(place.x, place.y) for place in board.places}) == 199


async def test_every_rule_is_told_in_both_languages_with_its_source(yard: Yard) -> None:
    rules = (await yard.catalog.ListRules(catalog_pb2.ListRulesRequest())).rules
    ids = [rule.id for rule in rules]
    assert ids == sorted(set(ids))
    for rule in rules:
        assert re.fullmatch(r"[A-Z]{2}-[A-Z]+-[0-9]{2}", rule.id)
        assert rule.sentence_en.endswith(".")
        assert rule.sentence_fr.endswith(".")
        assert rule.sentence_en != rule.sentence_fr
        assert rule.source
    assert {"SY-MOVE-04", "SY-END-01", "SY-SEAT-01"} <= set(ids)


async def test_what_is_running_is_told(yard: Yard) -> None:
    build = await yard.catalog.GetBuildInfo(catalog_pb2.GetBuildInfoRequest())
    assert (build.version, build.python) == (whitehall.__version__, platform.python_version())
    assert YARD in {game.game for game in build.games}
    assert all(game.ruleset >= 1 for game in build.games)


async def test_what_the_catalog_lacks_is_not_found(yard: Yard) -> None:
    unanswered: list[tuple[str, Awaitable[object]]] = [
        ("game", yard.catalog.ListPresets(catalog_pb2.ListPresetsRequest(game="chess"))),
        ("game", yard.catalog.ListBoards(catalog_pb2.ListBoardsRequest(game="chess"))),
        ("game", yard.catalog.ListRules(catalog_pb2.ListRulesRequest(game="Scotland-Yard"))),
        ("name", yard.catalog.GetBoard(catalog_pb2.GetBoardRequest(name="london"))),
    ]
    for field, call in unanswered:
        with refused("NOT_IN_CATALOG", grpc.StatusCode.NOT_FOUND) as refusal:
            await call
        assert refusal.metadata == {"field": field}
