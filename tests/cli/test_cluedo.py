"""Cluedo on the command line: a game from its first roll to its record, and what can lie in the envelope."""

from __future__ import annotations

import json
from math import factorial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from whitehall.cli import main


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


def test_bots_play_a_whole_game_whose_record_is_genuine(address: str, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    played = run("play", "cluedo", "--watch", "--seed", "3", "--record", str(file), "--address", address)
    assert played.exit_code == 0, played.output
    assert "Winner: S" in played.output
    assert "CL-END-01" in played.output
    verified = run("verify", str(file))
    assert verified.exit_code == 0, verified.output
    assert json.loads(verified.output)["verdict"] == "genuine"
    record = json.loads(file.read_text())
    record["record"]["outcome"]["rule"] = "CL-END-02"
    file.write_text(json.dumps(record))
    assert run("verify", str(file)).exit_code == 1


def test_a_person_is_told_the_rule_of_a_refused_move_and_may_leave(address: str) -> None:
    typed = "moves\nsuggest S1 W1 L1\nroll\nquit\n"
    played = run("play", "cluedo", "--seed", "3", "--address", address, typed=typed)
    assert played.exit_code == 0, played.output
    assert "CL-SUGGEST-01" in played.output
    assert "S1 roll" in played.output
    assert "The game is abandoned" in played.output


@pytest.mark.parametrize(
    "arguments", [("--seat", "mr_x"), ("--start-by", "choice"), ("--seat", "S4", "--players", "3")]
)
def test_what_the_game_does_not_know_is_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert run("play", "cluedo", *arguments).exit_code == 2


def test_possible_solutions_are_worked_out_from_a_file_of_logs(tmp_path: Path) -> None:
    """Reference answer N12 in notation and as JSON, a log that contradicts itself, and one that is none."""
    suggestion = {"seat": 0, "suspect": "S2", "weapon": "W1", "location": "L2", "passed": [1, 2, 3, 4, 5]}
    log = {"players": 6, "seat": 0, "hand": ["S1", "W1", "L1"], "events": [{"suggestion": suggestion}]}
    nobody = "1 pass; 2 pass; 3 pass; 4 pass; 5 pass"
    questions = [
        f"6 players seat 0 holds S1 W1 L1 | 0 suggest S2 W1 L2; {nobody}",
        json.dumps(log),
        f"6 players seat 0 holds S1 W1 L1 | 0 suggest S2 W1 L2; {nobody} | 0 suggest S3 W1 L2; {nobody}",
        "6 players seat 0 holds S1 W1 X1",
    ]
    file = tmp_path / "logs.txt"
    file.write_text("\n".join(questions))
    answered = run("possible-solutions", "--file", str(file))
    assert answered.exit_code == 1
    one, same, contradicted, wrong = map(json.loads, answered.output.splitlines())
    assert one == same
    assert one["deals"] == "840840000"
    assert contradicted["error"].startswith("contradicts what is known")
    assert (contradicted["line"], contradicted["column"]) == (3, questions[2].rindex("0 suggest") + 1)
    assert (wrong["line"], wrong["column"]) == (4, 30)


def test_what_the_writer_saw_in_the_envelope_is_said_in_notation_and_json_alike() -> None:
    """The rest of the deck, 15 cards, goes to five hands of three: 15!/3!^5 deals."""
    three = {"suspect": "S2", "weapon": "W2"}
    accusation = {"seat": 0, **three, "location": "L2", "envelope": {**three, "location": "L3"}}
    log = {"players": 6, "seat": 0, "hand": ["S1", "W1", "L1"], "events": [{"wrongAccusation": accusation}]}
    head = "6 players seat 0 holds S1 W1 L1"
    questions = (
        f"{head} | 0 accuse S2 W2 L2 saw S2 W2 L3",
        json.dumps(log),
        f"{head} | 1 accuse S2 W2 L2 saw S2 W2 L3",
        f"{head} | 0 accuse S2 W2 L2 saw S2 W2",
    )
    answered = run("possible-solutions", *questions)
    one, same, others, short = map(json.loads, answered.output.splitlines())
    assert one == same
    assert one["deals"] == str(factorial(15) // factorial(3) ** 5)
    assert [solution["envelope"] for solution in one["solutions"]] == [accusation["envelope"]]
    assert others["error"].startswith("only who has accused")
    assert others["column"] == questions[2].rindex("S2") + 1
    assert (short["error"], short["column"]) == ("expected a location", len(questions[3]) + 1)


def test_a_deck_that_is_too_large_is_refused_before_anything_is_counted() -> None:
    answered = run("possible-solutions", "6 players deck 99 99 99", '{"players": 6, "suspects": 1000000000}')
    assert answered.exit_code == 1
    words, log = map(json.loads, answered.output.splitlines())
    assert (words["error"], words["column"]) == ("99 are too many: a deck has 9 at most", 16)
    assert log["error"].startswith("suspects: ")


def test_who_answers_a_suggestion_is_told_in_notation_and_json_alike() -> None:
    hands = [{"cards": ["S1", "W1"]}, {"cards": ["S4", "L3"]}, {}]
    question = {"hands": hands, "seat": 2, "suspect": "S4", "weapon": "W2", "location": "L3"}
    words = "0 holds S1 W1; 1 holds S4 L3; 2 holds"
    answered = run("refuter", f"{words} | 2 suggest S4 W2 L3", json.dumps(question), f"{words} | 1 suggest S4 W2 L3")
    assert answered.exit_code == 0, answered.output
    one, same, nobody = map(json.loads, answered.output.splitlines())
    assert one == same == {"passed": [0], "refuter": 1, "cards": ["S4", "L3"]}
    assert nobody == {"passed": [2, 0], "cards": []}


def test_hands_that_cannot_be_are_wrong_where_the_line_or_the_field_says() -> None:
    question = {"hands": [{"cards": ["S1"]}, {"cards": ["S1"]}], "suspect": "S4", "weapon": "W2", "location": "L3"}
    answered = run("refuter", "0 holds S1; 1 holds X | 0 suggest S4 W2 L3", json.dumps(question))
    assert answered.exit_code == 1
    words, fields = map(json.loads, answered.output.splitlines())
    assert words["column"] == 21
    assert fields["error"].startswith("hands[1].cards[0]: S1 ")
