"""The game that the page on boards of Cluedo asks for can be made on the board that it shows."""

from __future__ import annotations

import json

import pytest
from google.protobuf.json_format import Parse

from tests.docs.page import ROOT, Page
from whitehall.games.cluedo import boards
from whitehall.games.cluedo.wire import wire
from whitehall.gen.whitehall.cluedo.v1 import service_pb2

PAGE = Page(ROOT / "docs" / "cluedo-boards.md")


@pytest.mark.usefixtures("nobody_elses_boards")
def test_the_game_of_the_example_is_made_on_the_board_of_the_example() -> None:
    drawing = next(block.text for block in PAGE.blocks if block.language == "sh").split("'END'\n")[1].split("END\n")[0]
    board = boards.add(drawing)
    assert list(board.rows) == json.loads(drawing)["rows"]
    asked = next(block.text for block in PAGE.blocks if block.language == "json")
    options, _ = wire.read_options(Parse(asked, service_pb2.CreateGameRequest()))
    assert options.board == board
    assert options.location_at == dict(enumerate(options.locations, 1))
