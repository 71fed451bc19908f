"""`whitehall verify`: accepts what the service records, and nothing that was changed afterwards."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from tests.games.scotland_yard.recorded import a_record
from whitehall.cli import main, verification
from whitehall.cli.recorded import recorded_games
from whitehall.cli.verification import MOST_BYTES, Told, Verdict, verify, verify_bytes
from whitehall.games.cluedo import record as cluedo_record
from whitehall.games.core.chance import Draw
from whitehall.games.core.record import RecordedSeed
from whitehall.games.registry import games
from whitehall.games.scotland_yard import record as scotland_yard_record
from whitehall.games.scotland_yard.moves import DoubleMove, Move, Ride, Travel
from whitehall.games.scotland_yard.record import Placement, Record, pieces_of, text
from whitehall.games.scotland_yard.record import Result as Ending
from whitehall.games.scotland_yard.ticket import Station, Ticket


def run(*arguments: str, stdin: str | bytes = "") -> tuple[Result, list[dict[str, object]]]:
    result = CliRunner().invoke(main, ["verify", *arguments], input=stdin)
    return result, [json.loads(line) for line in result.stdout.splitlines()]


def said(fault: Told) -> str:
    """The reason, behind the place in the text."""
    why = fault.text.en
    return why if fault.at is None else f"line {fault.at.line}, column {fault.at.column}: {why}"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_record_of_a_game_is_accepted_ended_or_abandoned(players: int) -> None:
    for seed in range(10):
        record = a_record(players, seed, rounds=seed if seed % 4 == 0 else 99)
        found = verify(text(record))
        assert found.verdict is Verdict.GENUINE, found
        assert (found.game_id, found.ruleset, found.faults) == (record.game_id, 1, ())


def flipped(seed: str) -> str:
    return seed[:-1] + ("0" if seed[-1] != "0" else "1")


def elsewhere(move: Move) -> Move:
    """The move to another station."""
    match move:
        case Travel(piece, ticket, station):
            return Travel(piece, ticket, Station(station % 199 + 1))
        case DoubleMove(first, second):
            return DoubleMove(first, Ride(second.ticket, Station(second.station % 199 + 1)))
        case _:
            return Travel(pieces_of(move)[0], Ticket.TAXI, Station(1))


def doctored(record: Record, chance: Random) -> Iterator[tuple[str, Record]]:
    """The record with one thing changed, and what that is."""
    number = chance.randrange(len(record.turns))
    turn = record.turns[number]
    place = chance.randrange(len(turn))
    changed = (*turn[:place], elsewhere(turn[place]), *turn[place + 1 :])
    before, after = record.turns[:number], record.turns[number + 1 :]
    yield "move", record._replace(turns=(*before, changed, *after))
    if len(turn) > 2:
        yield "order of moves", record._replace(turns=(*before, (turn[0], *reversed(turn[1:])), *after))
    if before and turn != record.turns[number - 1]:
        yield "order of turns", record._replace(turns=(*before[:-1], turn, before[-1], *after))
    yield "turn left out", record._replace(turns=(*before, *after))
    drawn = chance.randrange(len(record.draws))
    label, bound, value = record.draws[drawn].label, record.draws[drawn].bound, record.draws[drawn].value
    other = Draw(label, bound, (value + 1) % bound)
    yield "draw", record._replace(draws=(*record.draws[:drawn], other, *record.draws[drawn + 1 :]))
    yield "order of draws", record._replace(draws=record.draws[::-1])
    yield "draw left out", record._replace(draws=record.draws[1:])
    yield "draw too many", record._replace(draws=(*record.draws, record.draws[0]))
    yield "seed", record._replace(server_seed=flipped(record.server_seed))
    yield "commitment", record._replace(commitment=flipped(record.commitment))
    yield "client seed", record._replace(client_seeds=(*record.client_seeds, RecordedSeed(0, "mine")))
    won = record.result is not None and record.result.mr_x_wins
    yield "result", record._replace(result=Ending(not won, "SY-END-01"))
    yield "abandoned", record._replace(result=None if record.result else Ending(mr_x_wins=True, rule="SY-END-04"))
    yield "start", record._replace(start=(Placement(record.start[0].piece, Station(1)), *record.start[1:]))
    yield "players", record._replace(players=2 + (record.players - 1) % 5)
    yield "preset", record._replace(preset="old")
    yield "seats", record._replace(seats=record.seats[:-1])


ALWAYS_SEEN = (
    "draw",
    "seed",
    "commitment",
    "client seed",
    "result",
    "abandoned",
    "start",
    "preset",
    "seats",
)
"""What is found even where the digest was made anew: it contradicts the rest."""


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_doctored_record_is_refused(players: int) -> None:
    for seed in range(10):
        record = a_record(players, seed)
        assert record.turns
        for what, wrong in doctored(record, Random(seed)):
            assert verify(text(wrong)).verdict is Verdict.FAULTY, f"{seed}: {what}"
            if what.startswith(ALWAYS_SEEN):
                assert verify(text(wrong.sealed())).verdict is Verdict.FAULTY, f"{seed}: {what}, sealed anew"


def test_an_illegal_move_is_told_with_its_turn_and_rule() -> None:
    record = a_record(3, 1)
    first = record.turns[0][0]
    assert isinstance(first, Travel)
    wrong = record._replace(turns=((first._replace(station=Station(1)), *record.turns[0][1:]), *record.turns[1:]))
    (fault,) = verify(text(wrong.sealed())).faults
    assert fault.place == "turn 1"
    assert f"mr_x {first.ticket.word} 1: " in fault.text.en
    assert "(SY-MOVE-" in fault.text.en


def test_another_ruleset_is_reported_and_its_chance_still_checked() -> None:
    record = a_record(4, 2)._replace(ruleset=7, turns=()).sealed()
    assert verify(text(record)).verdict is Verdict.OTHER_RULESET
    assert verify(text(record._replace(server_seed=flipped(record.server_seed)).sealed())).verdict is Verdict.FAULTY


def test_files_and_stdin_get_a_line_each_and_the_exit_code_of_the_worst(tmp_path: Path) -> None:
    good, other, bad, none = (tmp_path / name for name in ("good", "other", "bad", "none"))
    record = a_record(3, 1)
    good.write_text(text(record), encoding="utf-8")
    other.write_text(text(record._replace(ruleset=2).sealed()), encoding="utf-8")
    bad.write_text(text(record._replace(result=None)), encoding="utf-8")
    none.write_bytes(b"[Game \xff")

    result, lines = run(str(good), "-", stdin=good.read_bytes())
    assert result.exit_code == 0
    assert [line["verdict"] for line in lines] == ["genuine"] * 2
    assert lines[0] == {"file": str(good), "verdict": "genuine", "game_id": record.game_id, "ruleset": 1, "faults": []}

    result, lines = run(str(other))
    assert (result.exit_code, lines[0]["verdict"]) == (0, "other ruleset")
    result, lines = run(str(bad), str(good))
    assert (result.exit_code, [line["verdict"] for line in lines]) == (1, ["faulty", "genuine"])
    result, lines = run(str(bad), str(none))
    assert (result.exit_code, lines[1]["verdict"]) == (3, "unreadable")
    assert lines[1]["faults"] == [
        {"place": "", "reason": "what stands here is no text in UTF-8", "line": 1, "column": 7}
    ]
    assert run(str(tmp_path / "nowhere"))[0].exit_code == 2
    assert run()[0].exit_code == 2


FIELDS = st.sampled_from(
    ["record", "text", "ruleset", "info", "seats", "seat", "pieces", "fairness", "serverSeed", "revisions", "moves"]
) | st.text(max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=5),
    max_leaves=12,
)


@given(st.dictionaries(FIELDS, JSON, max_size=5).map(json.dumps) | st.text(max_size=30).map("{{{}".format))
def test_any_json_gets_a_verdict(tree: str) -> None:
    assert verify(tree).verdict in (Verdict.UNREADABLE, Verdict.FAULTY)


@pytest.mark.parametrize(
    "hostile",
    [
        "{" * 100_000,
        '{"record":' + "[" * 100_000,
        '{"record": {"seats": [{"pieces": [99]}]}}',
        '{"record": {"fairness": {"serverSeed": "xyz"}}}',
        '{"record": {"fairness": {"clientSeeds": [{"seed": "\\ud800"}]}}}',
        '{"record": {"revisions": [{"draws": [{"label": "a", "bound": 0, "value": 0}]}]}}',
        '{"record": {"revisions": [{"moves": ["red taxi 5"]}]}}',
        '{"record": {"revisions": [{"moves": ["nonsense"]}]}}',
        '{"record": 5}',
    ],
)
def test_hostile_json_is_unreadable_and_no_more(hostile: str) -> None:
    assert verify(hostile).verdict is Verdict.UNREADABLE


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ('{\n "info": {},\n}', "line 3, column 1: from here on it is no JSON"),
        ('{"info": {}, "info": {}}', "record.info: stands twice"),
        ('{"ruleset": 1, "option": {}}', "record.option: is no field of Record; did you mean options?"),
        ('{"seats": [{"seat": 0, "pawn": "S1"}], "players": "x"}', "record.players: must be a whole number"),
        ('{"seats": [{"seat": 0, "pieces": []}], "players": "x"}', "record.players: must be a whole number"),
        ('{"record": []}', "record: must be an object (Record)"),
        ("{}", "record.info.game_id: must be there"),
        ('{"record": null}', "record.info.game_id: must be there"),
        ('{"record": {}}', "record.info.game_id: must be there"),
        ('{"record": {"info": {"gameId": "a"}, "ruleset": 1}}', "record.preset: must be there"),
        ('[{"record": {}}]', "this is JSON, but no object"),
        (" \n [ 5]", "this is JSON, but no object"),
        ("[]", "this is JSON, but no object"),
        ('{"record": ' + "[" * 100_000, "no message has so many brackets in each other"),
    ],
)
def test_json_that_is_no_record_is_told_with_its_place(wrong: str, told: str) -> None:
    (fault,) = verify(wrong).faults
    assert f"{fault.place}{said(fault)}".startswith(told)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("", 'line 1, column 1: expected [Game "cluedo"] or [Game "scotland-yard"]'),
        ("mr_x wins SY-END-04\n", 'line 1, column 1: expected [Game "cluedo"] or [Game "scotland-yard"]'),
        ('\n [Game "chess"]\n', "line 2, column 8: there is no game 'chess'; there are: cluedo, scotland-yard"),
        ('[Game "cluedo"]\n[Dice "2"]\n', "line 2, column 2: there is no tag Dice"),
        ('[Game "scotland-yard"]\n[Dice "2"]\n', "line 2, column 2: there is no tag Dice"),
    ],
)
def test_a_text_is_read_as_the_game_that_it_names_and_as_no_other(wrong: str, told: str) -> None:
    found = verify(wrong)
    assert found.verdict is Verdict.UNREADABLE
    assert said(found.faults[0]).startswith(told)


def test_every_game_of_the_service_has_records_under_its_own_name() -> None:
    assert recorded_games().keys() == games().keys() == {scotland_yard_record.GAME, cluedo_record.GAME}


def test_what_is_no_utf_8_is_unreadable_and_its_place_is_told() -> None:
    """Read with other characters in its place, a name would be another one without anybody being told."""
    record = a_record(3, 1)
    named = record._replace(seats=(record.seats[0]._replace(name="Zoë"), *record.seats[1:])).sealed()
    assert verify_bytes(text(named).encode()).verdict is Verdict.GENUINE
    lines = text(named).splitlines()
    number = next(number for number, line in enumerate(lines, 1) if "Zoë" in line)
    found = verify_bytes(text(named).encode().replace("ë".encode(), b"\xeb"))
    assert found.verdict is Verdict.UNREADABLE
    place = f"line {number}, column {lines[number - 1].index('ë') + 1}"
    assert said(found.faults[0]) == f"{place}: what stands here is no text in UTF-8"
    assert verify_bytes(text(named).encode("utf-16")).verdict is Verdict.UNREADABLE
    assert verify_bytes('{"preset": "é"}'.encode("latin-1")).faults[0].at == (1, 13)


def test_what_is_wrong_is_told_in_french_to_whom_asks_for_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    genuine = a_record(3, 1)
    wrongs = {
        text(genuine).partition("[Seat")[0]: "il manque la balise Seat",
        text(genuine._replace(digest="00" * 32)): "n'est pas celle du reste",
        text(genuine._replace(turns=genuine.turns[:1]).sealed()): "après ces coups, la partie n'est pas finie",
        text(genuine._replace(draws=()).sealed()): "aucun tirage noté pour ",
        "{}": "record.info.game_id : doit être présent",
    }
    for number, wrong in enumerate(wrongs):
        (tmp_path / str(number)).write_text(wrong, encoding="utf-8")
    _, lines = run(*(str(tmp_path / str(number)) for number in range(len(wrongs))))
    for line, told in zip(lines, wrongs.values(), strict=True):
        assert told in json.dumps(line["faults"], ensure_ascii=False)


def test_what_is_longer_than_any_record_is_unreadable_and_not_read_to_its_end(tmp_path: Path) -> None:
    """The file has no contents on the disk, and would take a gigabyte in memory."""
    endless = tmp_path / "endless"
    with endless.open("wb") as file:
        file.truncate(1 << 30)
    tracemalloc.start()
    try:
        result, lines = run(str(endless))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (result.exit_code, lines[0]["verdict"]) == (3, "unreadable")
    assert lines[0]["faults"] == [{"place": "", "reason": "no record is longer than 16 MiB"}]
    assert most < 3 * MOST_BYTES


def test_a_record_that_we_fail_at_ourselves_costs_no_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text(text(a_record(3, 1)), encoding="utf-8")
    bad.write_text(text(a_record(3, 2)._replace(game_id="bad").sealed()), encoding="utf-8")
    judge = verification.verify
    monkeypatch.setattr(verification, "verify", lambda text: judge(text) if '"bad"' not in text else 1 // 0)
    result, lines = run(str(good), str(bad), str(good))
    assert result.exit_code == 70
    assert [line["verdict"] for line in lines] == ["genuine", "undecided", "genuine"]
    assert "ZeroDivisionError" in str(lines[1]["faults"])


def test_a_record_may_come_from_windows(tmp_path: Path) -> None:
    file = tmp_path / "record"
    file.write_bytes(("\ufeff" + text(a_record(3, 1)).replace("\n", "\r\n")).encode())
    assert [line["verdict"] for line in run(str(file))[1]] == ["genuine"]
    assert [line["verdict"] for line in run("-", stdin=file.read_bytes())[1]] == ["genuine"]
