"""`--boards-dir`: questions about positions, logs and records on an operator's own boards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from google.protobuf.json_format import MessageToJson

from tests.api.positions import message, without_history
from tests.api.test_boards import ring
from tests.games.scotland_yard.recorded import a_record
from whitehall.games.core.chance import RecordedChance
from whitehall.games.scotland_yard import boards, notation
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.record import text
from whitehall.sessions.fairness import CommittedChance

AGAIN = "london-again"
"""The board of 2013 under another name, so that a whole game can be played on its start cards."""


pytestmark = pytest.mark.usefixtures("nobody_elses_boards")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "boards" / "scotland-yard").mkdir(parents=True)
    (tmp_path / "boards" / "scotland-yard" / "ring.json").write_text(ring(), encoding="utf-8")
    again = json.loads(files(boards.__package__).joinpath("data", "london-2013.json").read_text(encoding="utf-8"))
    again["name"] = AGAIN
    (tmp_path / "boards" / "scotland-yard" / "again.json").write_text(json.dumps(again), encoding="utf-8")
    return tmp_path / "boards"


def run(*arguments: str, **environment: str) -> CompletedProcess[str]:
    """The command in a process of its own, which has read no folder yet."""
    program = Path(sys.executable).with_name("whitehall")
    return subprocess.run(
        [program, *arguments], env=os.environ | environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("by_environment", [False, True])
def test_a_log_on_an_operator_s_board_is_answered(folder: Path, by_environment: bool) -> None:
    """A circle of eight taxi stations: from 5 a taxi leads to 4 and 6."""
    log = "ring start:5 now:1/2 | 1/2 taxi"
    if by_environment:
        result = run("possible-locations", log, WHITEHALL_BOARDS_DIR=str(folder))
    else:
        result = run("possible-locations", "--boards-dir", str(folder), log)
    assert result.returncode == 0, result.stderr
    assert [found["station"] for found in json.loads(result.stdout)["strong"]] == [4, 6]


def test_a_position_on_an_operator_s_board_is_answered(folder: Path) -> None:
    boards.add((folder / "scotland-yard" / "again.json").read_text(encoding="utf-8"))
    options = resolve("new", 3, changes=Overrides(board=AGAIN))
    state, _ = game.setup(options, RecordedChance(CommittedChance(bytes(32), [])))
    question = message(without_history(state))
    question.overrides.board = AGAIN
    position = MessageToJson(question, indent=None)
    expected = [notation.text(move) for move in game.legal_moves(state, MR_X_SEAT)]
    assert expected
    assert run("legal-moves", position).returncode == 1
    result = run("legal-moves", "--boards-dir", str(folder), position)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["moves"] == expected


def test_a_record_of_a_game_on_an_operator_s_board_is_verified(folder: Path, tmp_path: Path) -> None:
    boards.add((folder / "scotland-yard" / "again.json").read_text(encoding="utf-8"))
    record = tmp_path / "record.txt"
    record.write_text(text(a_record(3, 1, overrides=Overrides(board=AGAIN))), encoding="utf-8")
    assert run("verify", str(record)).returncode != 0
    result = run("verify", "--boards-dir", str(folder), str(record))
    assert (result.returncode, json.loads(result.stdout)["verdict"]) == (0, "genuine"), result.stderr


@pytest.mark.parametrize("command", ["legal-moves", "validate", "possible-locations", "locate", "scan", "verify"])
def test_a_folder_that_is_wrong_is_told_as_by_the_service_and_nothing_is_answered(command: str, folder: Path) -> None:
    nowhere = folder / "nowhere"
    result = run(command, "--boards-dir", str(nowhere), __file__)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"Error: {nowhere}: can't be read: No such file or directory\n"
    hostile = folder / "scotland-yard" / "hostile.json"
    hostile.write_text("[" * 100_000, encoding="utf-8")
    result = run(command, "--boards-dir", str(folder), __file__)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"Error: {hostile}: nested too deeply\n"


def test_a_folder_without_any_board_is_told_and_the_question_is_answered(tmp_path: Path) -> None:
    result = run(
        "possible-locations", "--boards-dir", str(tmp_path), "london-2013 now:15/26 | 13/26 bus black@86 | 14/25 taxi"
    )
    assert result.stderr == (
        f"Warning: {tmp_path}: holds no board; boards are files that end in .json, in cluedo/ or scotland-yard/\n"
    )
    assert (result.returncode, bool(result.stdout)) == (0, True)
