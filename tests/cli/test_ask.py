"""`whitehall legal-moves`, `validate`, `possible-locations`: the engine's answers, one line for each question."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from google.protobuf.json_format import MessageToDict, MessageToJson
from hypothesis import given
from hypothesis import strategies as st

from tests.api.positions import message, walk, without_history
from tests.api.test_master import scene as master_scene
from tests.games.scotland_yard.detective import watched_game
from tests.games.scotland_yard.recaller import app_game
from tests.games.scotland_yard.test_app_notation import log_of
from whitehall.cli import main
from whitehall.cli import scotland_yard_answers as answers
from whitehall.games.core.fault import BadInput
from whitehall.games.core.notation import NotationError
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import boards, log_notation, notation, position_notation
from whitehall.games.scotland_yard.edition import MASTER, resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove, UseAction
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.rulebook import RULES
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.wire.deductions import write_deductions
from whitehall.games.scotland_yard.wire.position_reading import read_position
from whitehall.games.scotland_yard.wire.positions import judge, write_position
from whitehall.gen.whitehall.scotlandyard.v1 import deduction_pb2, move_pb2, position_pb2

POSITION = "new 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34"
ASKING = ["legal-moves", "validate", "possible-locations"]


def run(*arguments: str, stdin: str = "") -> tuple[Result, list[dict[str, Any]]]:
    result = CliRunner().invoke(main, arguments, input=stdin)
    return result, [json.loads(line) for line in result.stdout.splitlines()]


def positions() -> list[ScotlandYardState]:
    """Some hundreds, of games of 2 to 6 players."""
    return [without_history(state) for seed in range(5) for state, _, _ in walk(2 + seed, Random(seed))]


def legal_texts(state: ScotlandYardState) -> list[str]:
    legal = game.legal_moves(state, Seat(0 if state.phase is Phase.MR_X else 1))
    return [notation.text(move) for move in legal]


def one_line(question: Any) -> str:
    return MessageToJson(question, indent=None)


def test_legal_moves_are_the_engine_s_for_positions_in_both_forms_from_a_file(tmp_path: Path) -> None:
    states = positions()
    assert len(states) > 300
    file = tmp_path / "positions"
    lines = [position_notation.text(state) for state in states] + [one_line(message(state)) for state in states[:40]]
    file.write_text("\n".join(lines), encoding="utf-8")
    result, told = run("legal-moves", "--file", str(file))
    assert result.exit_code == 0
    assert [answer["moves"] for answer in told] == [legal_texts(state) for state in (*states, *states[:40])]


def test_legal_moves_of_detectives_with_the_app_are_the_engine_s() -> None:
    """Special actions first, then rides too; the bare rides would leave out the actions."""
    state = read_position(master_scene("hunters", 153))
    result, (told,) = run("legal-moves", one_line(master_scene("hunters", 153)))
    assert result.exit_code == 0
    assert told["moves"] == [notation.text(move) for move in game.legal_moves(state, Seat(1))]
    assert any(isinstance(move, UseAction) for move in game.legal_moves(state, Seat(1)))


def test_the_app_game_is_asked_about_in_lines_as_in_json() -> None:
    states = [state for state, _ in app_game(resolve("master", 3), 3, Seat(1)) if state.phase in (1, 2)][10:40]
    assert any(state.master and state.master.findings and state.master.meeting_points for state in states)
    lines = [position_notation.text(state) for state in states]
    _, told = run("legal-moves", *lines)
    assert told == run("legal-moves", *[one_line(write_position(state)) for state in states])[1]
    logs = [log_of(state) for state in states]
    result, told = run("possible-locations", *map(log_notation.text, logs))
    assert result.exit_code == 0
    for log, answer in zip(logs, told, strict=True):
        evidence = evidence_from_log(
            boards.board(log.board), log.rounds, start=log.start, hunters=log.hunters, master=MASTER.master
        )
        expected = MessageToDict(write_deductions(evidence, False), always_print_fields_with_no_presence=True)
        assert {"hindsight": [], "prospects": [], **answer} == expected


def test_lists_of_the_app_game_are_not_kept() -> None:
    """They are new for each question, so that none of them would ever be found again."""
    questions = [f"master 3 1 mr_x mr_x@{station} red@13 blue@26 bobby1@29 bobby2@34" for station in range(100, 150)]
    kept = (answers._texts_of, answers._doubles_of)
    before = [set(lists._known) for lists in kept]
    for question in questions:
        state = position_notation.parse(question)
        assert json.loads(answers.legal_moves(question))["moves"] == legal_texts(state)
        singles = [notation.text(move) for move in game.legal_moves(state, Seat(0)) if not isinstance(move, DoubleMove)]
        assert json.loads(answers.legal_rides(question))["moves"] == singles
    assert [set(lists._known) for lists in kept] == before


def test_doubles_can_be_left_out() -> None:
    state = position_notation.parse(POSITION)
    _, (told,) = run("legal-moves", "--singles-only", POSITION)
    legal = [move for move in game.legal_moves(state, Seat(0)) if not isinstance(move, DoubleMove)]
    assert told["moves"] == [notation.text(move) for move in legal]
    _, (told,) = run("legal-moves", POSITION)
    assert len(told["moves"]) > 100


def test_a_position_in_which_the_game_is_over_has_no_moves() -> None:
    """SY-14: Mr X on 2 with hunters on 10 and 20, and his turn."""
    for flags in ([], ["--singles-only"]):
        result, told = run("legal-moves", *flags, "new 3 1 mr_x mr_x@2 red@10 blue@20 bobby1@29 bobby2@34")
        assert (result.exit_code, told) == (0, [{"moves": []}])


def test_a_hunter_that_must_pass_is_listed_with_its_pass() -> None:
    """Red is walled in on 104, from which taxis lead to 86 and 116 alone."""
    position = "new 3 1 hunters mr_x@45 red@104:5/0/0 blue@86 bobby1@116 bobby2@34"
    state = position_notation.parse(position)
    _, (told,) = run("legal-moves", position)
    assert told["moves"] == legal_texts(state)


def test_every_rule_against_a_move_is_named() -> None:
    wrong, right, batch = f"{POSITION} | taxi 199", f"{POSITION} |taxi 46", f"{POSITION} | red taxi 4; blue taxi 15"
    typed = position_pb2.PositionMoves(position=message(position_notation.parse(POSITION)))
    typed.moves.add(text="taxi 199")
    result, told = run("validate", wrong, right, batch, one_line(typed))
    assert result.exit_code == 0
    assert [answer["legal"] for answer in told] == [False, True, False, False]
    assert told[0] == told[3]
    assert [found["rule"] for found in told[0]["violations"]] == ["SY-MOVE-02"]
    assert told[2]["violations"][0]["rule"] == "SY-TURN-02"
    assert told[0]["violations"][0]["sentence"]


def test_judgements_are_the_engine_s() -> None:
    chance = Random(3)
    states = positions()[:60]
    asked = [(state, move) for state in states for move in chance.sample(legal_texts(chance.choice(states)), 1)]
    questions = [f"{position_notation.text(state)} | {move}" for state, move in asked]
    _, told = run("validate", stdin="\n".join(questions))
    for (state, text), answer in zip(asked, told, strict=True):
        move = notation.parse(text)
        seat = Seat(0 if text.startswith("mr_x") else 1)
        found = [violation.rule.id for violation in game.violations(state, seat, move)]
        assert (answer["legal"], [each["rule"] for each in answer["violations"]]) == (not found, found)
    assert {answer["legal"] for answer in told} == {True, False}


HUNTERS = POSITION.replace("3 1 mr_x", "3 1 hunters").replace("@45", "@46")
APP = POSITION.replace("new", "master").replace("3 1 mr_x", "3 1 hunters")


ODD_MOVES = {
    POSITION: [
        *[
            "taxi 46",
            "taxi 200",
            "double taxi 46 taxi 45",
            "helicopter 7",
            "mr_x pass",
            "mr_x start 46",
            "red start 13",
        ],
        *["red taxi 4", "red pass", "black 46; black 47", "taxi 46; taxi 47", "mr_x taxi 46;"],
        *["mr_x taxi 46; red taxi 23", "red taxi 23; mr_x taxi 46", "red taxi 4; red taxi 4"],
    ],
    HUNTERS: [
        *["red taxi 4", "red taxi 4;", "red pass;", "mr_x taxi 45", "double taxi 46 taxi 45", "green taxi 4"],
        *["mr_x taxi 45; red taxi 4", "red taxi 4; mr_x taxi 45", "red start 13"],
        *["detectives scan", 'detectives hear "Big Ben"'],
    ],
    APP: ["detectives scan", 'detectives hear "Big Ben"', "red taxi 4", "mr_x taxi 46;"],
}


@pytest.mark.parametrize(("placed", "move"), [(placed, move) for placed in ODD_MOVES for move in ODD_MOVES[placed]])
def test_a_move_is_judged_as_the_service_judges_it_however_odd_it_is(placed: str, move: str) -> None:
    """Whose move it is, too, as SY-SEAT-01 depends on that."""
    state = position_notation.parse(placed)
    asked = position_pb2.PositionMoves(position=write_position(state), moves=[move_pb2.Move(text=move)])
    judged = position_pb2.Judgement.FromString(judge(asked))
    expected = {
        "legal": judged.legal,
        "violations": [
            {"rule": each.rule.id, "sentence": each.rule.sentence_en, "details": dict(each.details)}
            for each in judged.violations
        ],
    }
    assert run("validate", f"{placed} | {move}", one_line(asked))[1] == [expected, expected]


def test_moves_together_are_the_hunters_whoever_is_among_them() -> None:
    """Mr X's among them is told as that of a piece of another seat."""
    _, told = run("validate", *(f"{POSITION} | mr_x taxi 46;{more}" for more in ("", " red taxi 23", " mr_x taxi 58")))
    for answer in told:
        assert (answer["violations"][0]["rule"], answer["violations"][0]["details"]) == (
            "SY-SEAT-01",
            {"piece": "mr_x"},
        )


def test_possible_locations_are_told_in_the_api_s_form(tmp_path: Path) -> None:
    board = boards.board(boards.LONDON_2013)
    logs = [tuple(detective.rounds) for seed in range(3) for _, detective in watched_game(2 + seed, seed)]
    file = tmp_path / "logs"
    file.write_text("\n".join(log_notation.text(log_notation.PublicLog(board.name, log)) for log in logs))
    for flags, hindsight in (([], False), (["--hindsight"], True)):
        result, told = run("possible-locations", *flags, "--file", str(file))
        assert result.exit_code == 0
        for log, answer in zip(logs, told, strict=True):
            expected = write_deductions(evidence_from_log(board, log), hindsight)
            assert {"hindsight": [], "prospects": [], **answer} == MessageToDict(
                expected, always_print_fields_with_no_presence=True
            )


def test_a_log_may_be_json_and_a_contradiction_is_an_answer() -> None:
    log = deduction_pb2.PublicLog(hindsight=True)
    log.rounds.add().rides.add(ticket=move_pb2.TICKET_BLACK, station=8)
    log.rounds.add().rides.add(ticket=move_pb2.TICKET_TAXI)
    result, told = run("possible-locations", one_line(log), "london-2013 | taxi@8 | taxi@199")
    assert result.exit_code == 0
    assert told[0]["analysis"] == [1, 18, 19]
    assert told[0]["hindsight"][1] == {"number": 1, "stations": [8]}
    assert told[1] == {"contradiction": 2}


TAXI, BLACK = "TICKET_TAXI", "TICKET_BLACK"


def rounds(*rides: list[str], **more: Any) -> dict[str, Any]:
    """A public log of these rounds; what is more belongs to the first of them."""
    told = [{"rides": [{"ticket": ticket} for ticket in each]} for each in rides]
    return {"rounds": [{**told[0], **more}, *told[1:]]}


@pytest.mark.parametrize(
    ("line", "log", "column"),
    [
        # The options allow 64 fields at most, so that there are 64 rides at most, and as many rounds.
        ("london-2013" + " | black" * 64, rounds(*[[BLACK]] * 64), None),
        ("london-2013" + " | black taxi" * 32, rounds(*[[BLACK, TAXI]] * 32), None),
        ("london-2013" + " | black" * 65, rounds(*[[BLACK]] * 65), 532),
        ("london-2013" + " | black" * 64 + " |", rounds(*[[BLACK]] * 64, []), 526),
        ("london-2013" + " | black taxi" * 32 + " | taxi", rounds(*[[BLACK, TAXI]] * 32, [TAXI]), 431),
        ("london-2013" + " | black" * 63 + " | taxi bus", rounds(*[[BLACK]] * 63, [TAXI, "TICKET_BUS"]), 524),
        ("london-2013" + " | taxi" + " taxi" * 5000, rounds([TAXI] * 5001), 25_015),
        # Seven hunters are all there are, and of tickets there are 99 at most that do not come back.
        ("london-2013 | 1/2/3/4/5/6/7 taxi", rounds([TAXI], hunters=[1, 2, 3, 4, 5, 6, 7]), None),
        ("london-2013 | 1/2/3/4/5/6/7/8 taxi", rounds([TAXI], hunters=[1, 2, 3, 4, 5, 6, 7, 8]), 29),
        ("london-2013 | taxi black:99", rounds([TAXI], blackTickets=99), None),
        ("london-2013 | taxi black:100", rounds([TAXI], blackTickets=100), 20),
        (
            "london-2013 | taxi supply:999/1/1",
            rounds([TAXI], supply={"taxi": 999, "bus": 1, "underground": 1}),
            None,
        ),
    ],
)
def test_a_log_may_be_as_long_as_that_of_any_game_in_either_form(
    line: str, log: dict[str, Any], column: int | None
) -> None:
    result, (told, same) = run("possible-locations", stdin=f"{line}\n{json.dumps(log)}\n")
    if column is None:
        assert result.exit_code == 0
        assert told == same
        assert told["strong"]
    else:
        assert result.exit_code == 1
        assert told["column"] == column
        assert same["field"].startswith("rounds")


def test_arguments_come_before_files_and_stdin_is_read_where_nothing_else_asks(tmp_path: Path) -> None:
    first, second, third = (f"{POSITION} | taxi {station}" for station in (46, 58, 199))
    file = tmp_path / "file"
    file.write_text(f"# questions\n\n{second}\r\n   \n", encoding="utf-8")
    _, told = run("validate", first, "--file", str(file), "--file", "-", stdin=third)
    assert [answer["legal"] for answer in told] == [True, True, False]
    assert run("validate", stdin=f"{third}\n{first}")[1] == [told[2], told[0]]
    assert run("validate", stdin="")[1] == []


@pytest.mark.parametrize(
    ("command", "question", "told"),
    [
        ("legal-moves", POSITION.replace("@26", "@999"), {"error": "there is no station 999", "column": 29}),
        ("legal-moves", '{"preset": "new"}', {"error": "players: must be ", "field": "players"}),
        ("legal-moves", '{"preset":', {"error": "from here on it is no JSON", "column": 11}),
        ("legal-moves", "[" * 100_000, {"error": "no message has so many brackets in each other"}),
        ("legal-moves", '  [{"preset": "new"}]', {"error": "this is JSON, but no object", "column": 3}),
        ("validate", "[]", {"error": "this is JSON, but no object", "column": 1}),
        ("possible-locations", '["london-2013 | taxi"]', {"error": "this is JSON, but no object", "column": 1}),
        ("scan", "[1, 2", {"error": "from here on it is no JSON", "column": 6}),
        ("legal-moves", '{"a":' * 100_000, {"error": "no message has so many brackets in each other"}),
        ("legal-moves", '{"players": NaN}', {"error": "no message has so many brackets"}),
        ("legal-moves", '{"players": 3, "players": 3}', {"error": "players: stands twice", "field": "players"}),
        (
            "legal-moves",
            '{"mrX": 1, "hunters": [{"peice": 1}]}',
            {
                "error": "hunters[0].peice: is no field of PositionHunter; did you mean piece?",
                "field": "hunters[0].peice",
            },
        ),
        (
            "validate",
            '{"position": {"preset": "old"}}',
            {"error": "position.players: must be 2 to 6", "field": "position.players"},
        ),
        ("validate", POSITION, {"error": "expected | and a move after the position", "column": 56}),
        ("validate", POSITION + " | tram 5", {"error": "expected a piece, taxi", "column": 59}),
        ("validate", POSITION.replace("@26", "@999") + " | taxi 5", {"error": "there is no station 999", "column": 29}),
        ("possible-locations", "london-2013 | tram", {"error": "expected stations of hunters", "column": 15}),
        (
            "scan",
            "london-2013 distance 8",
            {"error": "expected stations, or an answer such as distance:8", "column": 13},
        ),
        (
            "locate",
            "london-2013 108 close",
            {"error": "expected stations, or an answer such as near far any medium", "column": 17},
        ),
        (
            "possible-locations",
            "london-2013" + "| taxi" * 10_000,
            {"error": "no game has more than 64 rounds", "column": 11 + 65 * 6 + 1},
        ),
        ("locate", "london-2013 13 999", {"error": "there is no station 999", "column": 16}),
        ("locate", "london-2013 13 near far", {"error": "must be one for each of the 4 masts", "column": 16}),
        ("locate", " paris", {"error": "there is no board 'paris'", "column": 2}),
        ("scan", "london-2013 999 13", {"error": "there is no station 999", "column": 13}),
        ("scan", '{"stations": [999]}', {"error": "stations[0]: there is no station 999", "field": "stations[0]"}),
        ("possible-locations", "paris | taxi", {"error": "there is no board 'paris'", "column": 1}),
        ("possible-locations", "london-2013 | taxi@500", {"error": "there is no station 500", "column": 15}),
        (
            "possible-locations",
            '{"rounds": [{"rides": [{"ticket": "TICKET_TAXI", "station": 500}]}]}',
            {
                "error": "rounds[0].rides[0].station: there is no station 500",
                "field": "rounds[0].rides[0].station",
            },
        ),
    ],
)
def test_a_wrong_question_is_told_with_its_place_and_the_others_are_answered(
    command: str, question: str, told: dict[str, Any], tmp_path: Path
) -> None:
    good = {"validate": f"{POSITION} | taxi 46", "legal-moves": POSITION}.get(command, "london-2013")
    file = tmp_path / "questions"
    file.write_text(f"{good}\n\n{question}\n{good}\n", encoding="utf-8")
    result, lines = run(command, "--file", str(file))
    assert result.exit_code == 1
    assert "error" not in lines[0]
    assert lines[0] == lines[2]
    reason = told.pop("error")
    assert lines[1].pop("error").startswith(reason)
    assert lines[1] == {"in": str(file), "line": 3, **told}


def test_sentences_are_french_where_the_environment_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    _, told = run("legal-moves", '{"players": 3, "players": 3}', POSITION.replace("@26", "@999"), '{"preset":')
    assert [answer["error"] for answer in told] == [
        "players : figure deux fois",
        "il n'y a pas de station 999",
        "à partir d'ici, ce n'est pas du JSON",
    ]
    _, (judged,) = run("validate", f"{POSITION} | taxi 199")
    assert judged["violations"][0]["sentence"] == next(r.fr for r in RULES if r.id == "SY-MOVE-02")


@pytest.mark.parametrize("command", ASKING)
def test_wrong_usage_has_its_own_exit_code(command: str) -> None:
    assert run(command, "--file", "/nowhere/at/all")[0].exit_code == 2
    assert run(command, "--no-such-flag")[0].exit_code == 2


ANSWERS = [answers.legal_moves, answers.legal_rides, answers.validate, answers.locations_in_hindsight]
LINES = st.text(max_size=50) | st.sampled_from([POSITION, "london-2013 | 5 taxi"])
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["position", "moves"]), inner),
    max_leaves=6,
)
NAMES = ["preset", "players", "round", "phase", "mrX", "hunters", "position", "moves", "board", "start", "rounds", "x"]


@given(st.one_of(LINES, st.tuples(LINES, LINES).map(" | ".join)))
def test_whatever_is_asked_there_is_an_answer_or_a_reason(question: str) -> None:
    check_answers(question)


@given(st.dictionaries(st.sampled_from(NAMES), TREES, max_size=6).map(json.dumps))
def test_whatever_json_is_asked_there_is_an_answer_or_a_reason(question: str) -> None:
    check_answers(question)


def check_answers(question: str) -> None:
    for answer in ANSWERS:
        wrong = None
        try:
            assert json.loads(answer(question))
        except BadInput as error:
            wrong = error
        assert wrong is None or (wrong.text.en and wrong.text.fr)
        assert not isinstance(wrong, NotationError) or 1 <= wrong.column <= len(question) + 1


def test_long_work_shows_a_bar_on_a_terminal(program: Path, tmp_path: Path) -> None:
    """It goes to stderr, and stdout gets the answers alone."""
    logs = [log_notation.PublicLog("london-2013", tuple(played.rounds)) for _, played in watched_game(4, 0)][-1:]
    file = tmp_path / "logs"
    file.write_text(f"{log_notation.text(logs[0])}\n" * 20_000, encoding="utf-8")
    ours, theirs = pty.openpty()
    with (tmp_path / "answers").open("wb") as out:
        command = [str(program), "possible-locations", "--hindsight", "--file", str(file)]
        process = subprocess.Popen(command, stdout=out, stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # how Linux tells that nobody has the terminal any more
        pass
    os.close(ours)
    assert process.wait(30) == 0
    assert b"Answering" in shown
    lines = (tmp_path / "answers").read_bytes().splitlines()
    assert len(lines) == 20_000
    assert lines == lines[:1] * 20_000
    assert json.loads(lines[0])["totalRoutes"]


def test_elsewhere_there_is_nothing_but_answers(program: Path) -> None:
    command = [str(program), "legal-moves", "--singles-only"]
    run = subprocess.run(command, input=f"{POSITION}\n".encode() * 3000, capture_output=True, check=True)
    assert run.stderr == b""
    assert len(run.stdout.splitlines()) == 3000
    assert b"\x1b" not in run.stdout
