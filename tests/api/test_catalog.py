"""The catalog over gRPC, against the rulebook's tables and the printed board's numbers."""

from __future__ import annotations

import json
import platform
import re
from collections import Counter
from collections.abc import Awaitable
from typing import Any

import grpc
import pytest

import whitehall
from tests.api.refusals import refused
from tests.api.table import Yard
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2

YARD = "scotland-yard"


async def parameters(yard: Yard, players: int = 0) -> dict[str, Any]:
    """The parameters of preset `new`: those for any number of players, or those for this one."""
    (preset,) = [
        preset
        for preset in (await yard.catalog.ListPresets(catalog_pb2.ListPresetsRequest(game=YARD))).presets
        if preset.name == "new"
    ]
    assert list(preset.players) == [2, 3, 4, 5, 6]
    assert all(parameter.description for parameter in preset.parameters)
    assert preset.title
    return {
        parameter.name: json.loads(parameter.value) for parameter in preset.parameters if parameter.players == players
    }


async def test_the_new_edition_is_the_default_and_has_the_rulebook_s_numbers(yard: Yard) -> None:
    presets = (await yard.catalog.ListPresets(catalog_pb2.ListPresetsRequest())).presets
    assert (presets[0].game, presets[0].name) == (YARD, "new")
    table = await parameters(yard)
    assert table["board"] == "london-2013"
    assert table["rounds"] == 22
    assert table["log_fields"] == 24
    assert table["surfacing"] == [3, 8, 13, 18, 24]
    assert table["hand"] == {"taxi": 11, "bus": 8, "underground": 4}
    assert (table["black_tickets"], table["double_tickets"]) == (5, 2)
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
    box = (await parameters(yard))["box"]
    hand = (await parameters(yard))["hand"]
    assert table["supply"] == {kind: box[kind] - detectives * hand[kind] for kind in box}
    game = (await yard.table(players)).created.game
    assert len(game.view.hunters) == detectives + bobbies
    assert game.view.supply.taxi == table["supply"]["taxi"]


async def test_the_board_has_the_stations_and_lines_of_the_print(yard: Yard) -> None:
    boards = (await yard.catalog.ListBoards(catalog_pb2.ListBoardsRequest(game=YARD))).boards
    assert [board.name for board in boards] == ["london-2013"]
    board = (await yard.catalog.GetBoard(catalog_pb2.GetBoardRequest(name="london-2013"))).board
    assert board.info == boards[0]
    assert [place.number for place in board.places] == list(range(1, 200))
    assert Counter(line.kind for line in board.lines) == {"taxi": 345, "bus": 99, "underground": 20, "ferry": 3}
    lines = [(line.kind, getattr(line, "from"), line.to) for line in board.lines]
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
