"""An operator's own boards: added from a folder and played on; a file that is none keeps the service from starting."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.api.live import live
from tests.api.table import Table, Yard
from whitehall.api.board_files import LARGEST_FILE_BYTES, MOST_FILES, BoardFileError, add_boards
from whitehall.api.hosted import hosted_games
from whitehall.games.scotland_yard import boards
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import options_pb2, service_pb2
from whitehall.sessions.redis_store import RedisStore

pytestmark = pytest.mark.usefixtures("nobody_elses_boards")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "boards" / "scotland-yard").mkdir(parents=True)
    return tmp_path / "boards" / "scotland-yard"


def ring(name: str = "ring", stations: int = 8, **changes: Any) -> str:
    """A board of stations in a circle, joined by taxi."""
    places = {
        str(number): {"at": [number if number > 1 else 10, 5], "taxi": [number % stations + 1]}
        for number in range(1, stations + 1)
    }
    return json.dumps({"name": name, "about": "A ring of taxis", "stations": places} | changes)


def add(folder: Path) -> list[str]:
    """Adds the folder's boards; the warnings."""
    warnings: list[str] = []
    add_boards(folder.parent, hosted_games(), warnings.append)
    return warnings


async def test_a_board_of_the_folder_is_in_the_catalog_and_is_played_on(folder: Path, store: RedisStore) -> None:
    (folder / "ring.json").write_text(ring())
    async with live(store, {"boards_dir": str(folder.parent)}) as service:
        listed = (await service.yard.catalog.ListBoards(catalog_pb2.ListBoardsRequest(game="scotland-yard"))).boards
        assert [board.name for board in listed] == ["london-2013", "london-classic", "ring"]
        assert listed[-1].title == "A ring of taxis"
        board = (await service.yard.catalog.GetBoard(catalog_pb2.GetBoardRequest(name="ring"))).board
        assert len(board.places) == len(board.lines) == 8
        table = await table_on_ring(service.yard)
        view = table.created.game.view
        assert (view.board, view.options.board) == ("ring", "ring")
        assert {hunter.station for hunter in view.hunters} == {1, 2}
        station = (await table.get(table.mr_x)).view.mr_x.station
        assert station == 5
        await table.play(0, "taxi 6")


async def table_on_ring(yard: Yard) -> Table:
    overrides = options_pb2.Options(
        board="ring",
        bobbies=0,
        start_cards_hunters=options_pb2.StartCards(stations=[1, 2]),
        start_cards_mr_x=options_pb2.StartCards(stations=[5]),
    )
    request = service_pb2.CreateGameRequest(preset="new", players=3, overrides=overrides)
    return Table(yard, await yard.games.CreateGame(request))


async def test_the_service_does_not_start_with_a_file_that_is_no_board(folder: Path, store: RedisStore) -> None:
    (folder / "ring.json").write_text("{}")
    with pytest.raises(BoardFileError, match=r"ring\.json: the board: 'name' is missing"):
        async with live(store, {"boards_dir": str(folder.parent)}):
            pass


def write(text: str | bytes) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        (folder / "wrong.json").write_bytes(text.encode() if isinstance(text, str) else text)

    return prepare


def two(first: str, second: str) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        (folder / "right.json").write_text(first)
        (folder / "wrong.json").write_text(second)

    return prepare


def link_out(folder: Path) -> None:
    outside = folder.parent.parent / "secret.json"
    outside.write_text(ring())
    (folder / "wrong.json").symlink_to(outside)


def link_to_itself(folder: Path) -> None:
    (folder / "wrong.json").symlink_to(folder / "wrong.json")


def link_to_nothing(folder: Path) -> None:
    (folder / "wrong.json").symlink_to(folder / "nothing")


GAP = {"1": {"at": [0, 0], "taxi": [2]}, "2": {"at": [1, 0]}, "3": {"at": [2, 0]}}
STAR = {"1": {"at": [0, 0], "taxi": list(range(2, 50))}} | {str(number): {"at": [1, 0]} for number in range(2, 50)}


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (write(""), "not JSON"),
        (write("[" * 100_000), "nested too deeply"),
        (write('{"name":' * 50_000), "nested too deeply"),
        (write(b"\xff\xfe\x00"), "is no UTF-8 text"),
        (write(" " * (LARGEST_FILE_BYTES + 1)), "is larger than 1048576 bytes"),
        (write(ring(stations=1000)), "station 1000: numbers go from 1 to 999"),
        (write(ring().replace("[10, 5]", "[NaN, 5]")), "station 1: 'at' must lie on the map"),
        (write(ring().replace("[10, 5]", "[Infinity, 5]")), "station 1: 'at' must lie on the map"),
        (write(ring().replace("[10, 5]", "[1e999, 5]")), "station 1: 'at' must lie on the map"),
        (write(ring().replace("[10, 5]", "[1" + "0" * 5000 + ", 5]")), "is too long"),
        (write(ring().replace("[10, 5]", "[-1, 5]")), "station 1: 'at' must lie on the map"),
        (write(ring(name="")), "name: must be 1 to 64 small letters"),
        (write(ring(name="../ring")), "name: must be 1 to 64 small letters"),
        (write(ring(name="Ring\n")), "name: must be 1 to 64 small letters"),
        (write(ring(about=7)), "about: must be a text"),
        (write(ring(about="A ring\x1b[2J")), "about: must be one line, without control characters"),
        (write(ring(about="A ring\nof taxis")), "about: must be one line, without control characters"),
        (write(ring(about="A ring\u2028of taxis")), "about: must be one line, without control characters"),
        (write(ring(about="A ring\ud800")), "about: must be one line, without control characters"),
        (write(json.dumps({"name": "gap", "stations": GAP})), "station 3: no way leads there by land"),
        (write(json.dumps({"name": "star", "stations": STAR})), "station 1: has more than 40 lines"),
        (two(ring(), ring(stations=9)), "name: there is another board 'ring'"),
        (write(ring(name="london-2013")), "name: there is another board 'london-2013'"),
        (link_out, "is a link that leads out of the folder"),
        (link_to_itself, "can't be read"),
        (link_to_nothing, "can't be read: No such file or directory"),
        (lambda folder: (folder / "wrong.json").mkdir(), "is no plain file"),
        (lambda folder: os.mkfifo(folder / "wrong.json"), "is no plain file"),
    ],
)
def test_a_hostile_or_wrong_file_is_named_and_refused(
    folder: Path, prepare: Callable[[Path], None], reason: str
) -> None:
    prepare(folder)
    with pytest.raises(BoardFileError) as refused:
        add(folder)
    assert str(refused.value).startswith(str(folder / "wrong.json") + ": ")
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("second", "reason"),
    [(ring(), "name: the board 'ring' is there already"), (ring(stations=9), "name: there is another board 'ring'")],
)
def test_of_two_files_with_one_name_both_are_named(folder: Path, second: str, reason: str) -> None:
    two(ring(), second)(folder)
    with pytest.raises(BoardFileError) as refused:
        add(folder)
    assert str(refused.value) == f"{folder / 'wrong.json'}: {reason}, in {folder / 'right.json'}"


def test_a_folder_may_be_read_again(folder: Path) -> None:
    write(ring())(folder)
    add(folder)
    add(folder)


def test_a_file_may_begin_with_the_mark_of_utf_8_and_have_the_line_ends_of_windows(folder: Path) -> None:
    board = json.dumps(json.loads(ring()), indent=1).replace("\n", "\r\n")
    (folder / "ring.json").write_bytes(b"\xef\xbb\xbf" + board.encode())
    add(folder)
    assert "ring" in boards.names()


def test_a_folder_that_is_not_there_or_no_games_is_named(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(BoardFileError, match=r"nowhere: can't be read: No such file or directory"):
        add_boards(tmp_path / "nowhere", hosted_games(), print)
    (folder.parent / "ring.json").write_text(ring())
    with pytest.raises(
        BoardFileError, match=r"ring\.json: each entry has to be a folder with a game's name: cluedo, scotland"
    ):
        add(folder)


def test_too_many_files_are_refused_before_any_is_read(folder: Path) -> None:
    for number in range(MOST_FILES + 1):
        (folder / f"{number}.json").write_text("")
    with pytest.raises(BoardFileError, match="holds more than 100 boards"):
        add(folder)


def test_links_within_the_folder_are_followed_and_other_files_left_alone(folder: Path) -> None:
    """As an orchestrator mounts files: links that lead through a hidden folder beside them."""
    (folder / "..data").mkdir()
    (folder / "..data" / "ring.json").write_text(ring())
    (folder / "ring.json").symlink_to(Path("..data") / "ring.json")
    (folder / "README.md").write_text("# Our boards")
    add(folder)
    assert boards.names() == ("london-2013", "london-classic", "ring")


def empty(folder: Path) -> None:
    folder.rmdir()


def without_a_board(folder: Path) -> None:
    (folder / "ring.txt").write_text(ring())
    (folder / ".ring.json").write_text(ring())


@pytest.mark.parametrize("prepare", [empty, without_a_board, lambda folder: None])
def test_a_folder_without_any_board_is_told_in_one_line(folder: Path, prepare: Callable[[Path], None]) -> None:
    prepare(folder)
    (warning,) = add(folder)
    assert warning == (
        f"{folder.parent}: holds no board; boards are files that end in .json, in cluedo/ or scotland-yard/"
    )
    assert boards.names() == ("london-2013", "london-classic")


async def test_the_log_warns_of_a_folder_without_any_board_once(folder: Path, store: RedisStore) -> None:
    with capture_logs() as lines:
        async with live(store, {"boards_dir": str(folder.parent)}):
            pass
    (line,) = [line for line in lines if line["log_level"] == "warning"]
    assert line["event"] == "no boards"
    assert line["why"].startswith(f"{folder.parent}: holds no board")


def test_the_end_of_a_file_s_name_may_be_written_in_large_letters(folder: Path) -> None:
    (folder / "RING.JSON").write_text(ring(about="Un anneau : huit stations, l’été"))
    assert add(folder) == []
    assert boards.names() == ("london-2013", "london-classic", "ring")


def test_to_add_a_board_again_changes_nothing(folder: Path) -> None:
    (folder / "ring.json").write_text(ring())
    add(folder)
    first = boards.board("ring")
    add(folder)
    assert boards.board("ring") is first
    assert boards.names().count("ring") == 1
