"""`whitehall play`: whole games in the terminal, with a person at the keyboard and without one."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import secrets
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from tests.api.service import Service
from tests.cli.person import Person
from whitehall import main as composition
from whitehall.cli import main
from whitehall.cli.frontends import frontend_of
from whitehall.cli.play import GAMES
from whitehall.cli.service import throwaway_service
from whitehall.cli.verification import Verdict, verify
from whitehall.games.scotland_yard.rulebook import OWN_PIECES, RULES, STATION_ON_BOARD
from whitehall.sessions.fairness import SEED_BYTES

ESCAPE = "\x1b"
RULE = {rule.id: rule for rule in RULES}


def play(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *arguments], input=typed)


def rides(text: str) -> list[str]:
    """The moves that were told, in order."""
    return re.findall(r"^  (\w+ (?:(?:taxi|bus|underground|black) (?:\d+|\?)|pass))(?:$|, |: )", text, re.MULTILINE)


def happened(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Every event of a record, in order."""
    return [event for revision in record["revisions"] for event in revision["events"]]


# --- bots play ------------------------------------------------------------------------------------------------------


class Watched(NamedTuple):
    """One game that bots played: what was printed before its end and after, and its record."""

    seat: str
    before: str
    after: str
    record: dict[str, Any]
    kept: str
    """The file as it was written."""


@pytest.fixture(scope="module")
def watched(address: str, tmp_path_factory: pytest.TempPathFactory) -> list[Watched]:
    """A game for each number of players, seen by either side in turn."""
    games = []
    file = tmp_path_factory.mktemp("records") / "record.json"
    for players, seat in zip(range(2, 7), cycle(["detectives", "mr_x"]), strict=False):
        options = ["--watch", "--seat", seat, "--players", str(players), "--seed", "1", "--record", str(file)]
        result = play("--address", address, *options)
        assert result.exit_code == 0, result.output
        before, _, after = result.output.partition("\nWinner: ")
        kept = file.read_text()
        games.append(Watched(seat, before, after, json.loads(kept)["record"], kept))
    assert [game.record["players"] for game in games] == [2, 3, 4, 5, 6]
    return games


@pytest.mark.parametrize("game", GAMES)
def test_each_game_that_can_be_chosen_has_a_frontend_of_its_own(game: str) -> None:
    assert frontend_of(game, "new", None).game == game


def test_a_record_is_kept_with_its_text_so_that_no_part_of_it_can_be_changed(watched: list[Watched]) -> None:
    """Not even a start card that nobody drew: of the record alone all else would follow as before."""
    for game in watched:
        answer = json.loads(game.kept)
        assert verify(game.kept).verdict is Verdict.GENUINE
        assert verify(answer["text"]).verdict is Verdict.GENUINE
        cards = answer["record"]["options"]["startCardsMrX"]["stations"]
        placed = [event["placed"] for event in happened(game.record) if "placed" in event]
        (start,) = [each["station"] for each in placed if each["piece"] == "PIECE_MR_X"]
        cards[0 if cards[0] != start else 1] = 1  # on no card of either deck
        assert verify(json.dumps({"record": answer["record"]})).verdict is Verdict.GENUINE
        assert [fault.place for fault in verify(json.dumps(answer)).faults] == ["text"]


def test_a_watched_game_is_told_ride_by_ride_as_its_record_has_it(watched: list[Watched]) -> None:
    """Mr X's stations are told to himself alone, but where he surfaced."""
    for game in watched:
        expected = []
        for event in happened(game.record):
            mr_x = event.get("mrXTravelled")
            hidden = mr_x and game.seat == "detectives" and not mr_x["surfaced"]
            if event["text"]:
                expected.append(re.sub(r"\d+$", "?", event["text"]) if hidden else event["text"])
        assert rides(game.before) == expected


def test_the_end_tells_who_won_and_by_which_rule(watched: list[Watched]) -> None:
    for game in watched:
        outcome = game.record["outcome"]
        winner = "mr_x" if 0 in outcome["winners"] else "detectives"
        assert game.after.startswith(f"{winner}. {outcome['rule']}: {RULE[outcome['rule']].en}\n")


def test_after_the_end_the_whole_log_lies_open(watched: list[Watched]) -> None:
    for game in watched:
        assert (" ?" in game.before) == (game.seat == "detectives")
        start = next(
            event["placed"]["station"]
            for event in happened(game.record)
            if event.get("placed", {}).get("piece") == "PIECE_MR_X"
        )
        stations = [event["mrXTravelled"]["station"] for event in happened(game.record) if "mrXTravelled" in event]
        assert f"start {start}," in game.after
        assert re.findall(r"\d+ (?:taxi|bus|underground|black) (\S+?)[,\s]", game.after) == list(map(str, stations))


def test_the_table_shows_where_the_record_has_the_hunters_at_the_start(watched: list[Watched]) -> None:
    for game in watched:
        placed = {
            event["placed"]["piece"].removeprefix("PIECE_").lower(): str(event["placed"]["station"])
            for event in happened(game.record)
            if "placed" in event
        }
        first = game.before.partition("Round 1 of 22")[2].partition("Round 2 of 22")[0]
        shown = dict(re.findall(r"^  (\w+) +(\d+)  ", first, re.MULTILINE))
        assert placed | shown == placed
        assert placed.keys() - shown.keys() == ({"mr_x"} if game.seat == "detectives" else set())


def test_the_seed_is_mixed_into_the_game_s_chance_and_does_not_decide_it(watched: list[Watched]) -> None:
    for game in watched:
        assert game.record["fairness"]["clientSeeds"] == [{"seat": -1, "seed": "1"}]
    assert len({game.record["fairness"]["serverSeed"] for game in watched}) == len(watched)


def test_without_a_terminal_the_text_is_plain(watched: list[Watched]) -> None:
    assert not any(ESCAPE in game.before + game.after for game in watched)


@pytest.fixture
def one_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Services in this process that always commit to the same server seed."""

    def entropy(number: int) -> bytes:
        return bytes(number) if number == SEED_BYTES else secrets.token_bytes(number)

    monkeypatch.setattr(composition, "serving", partial(composition.serving, entropy=entropy))


@pytest.mark.usefixtures("one_chance")
def test_the_seed_decides_everything_that_the_service_s_own_seed_leaves_open() -> None:
    def told(seed: int) -> str:
        result = play("--address", address, "--watch", "--players", "2", "--seed", str(seed))
        assert result.exit_code == 0, result.output
        return re.sub(r"^Game \w+", "", result.output.partition("The record")[0])

    with throwaway_service() as address:
        assert told(7) == told(7)
        assert told(7) != told(8)


# --- a person plays -------------------------------------------------------------------------------------------------


@pytest.fixture
def sit_down(program: Path, address: str) -> Iterator[Callable[..., Person]]:
    """`sit_down("--seat", "mr_x", LANG="fr_FR.UTF-8")` starts a game, and hears it up to the first prompt."""
    people: list[Person] = []

    def start(*arguments: str, **environment: str) -> Person:
        person = Person(program, "--address", address, *arguments, environment={**os.environ, **environment})
        people.append(person)
        person.listen()
        return person

    yield start
    for person in people:
        person.__exit__(None, None, None)


@pytest.mark.parametrize("seat", ["mr_x", "detectives"])
def test_a_person_who_plays_what_is_listed_plays_to_the_end(sit_down: Callable[..., Person], seat: str) -> None:
    person = sit_down("--seat", seat, "--seed", "1", "--players", "5")
    while person.prompted:
        piece, moves = next(iter(person.moves().items()))
        assert moves
        person.say(f"{piece} {moves[0]}")
    assert person.wait() == 0
    assert re.search(r"\nWinner: (mr_x|detectives)\. SY-END-0\d: ", person.heard)
    assert "GetRecord" in person.heard, "it is said how to get the record"


@pytest.mark.parametrize("seat", ["mr_x", "detectives"])
@pytest.mark.parametrize("start_by", ["choice", "distribution"])
def test_choose_a_person_places_what_is_listed_and_then_plays(
    sit_down: Callable[..., Person], start_by: str, seat: str
) -> None:
    person = sit_down("--seat", seat, "--start-by", start_by, "--seed", "1")
    placed = []
    while "Round 1 of 22" not in person.heard:
        assert person.heard.endswith("placing> ")
        piece, starts = next(iter(person.moves().items()))
        placed.append(piece)
        left = 4 if start_by == "distribution" else 195 if piece == "mr_x" else 199
        assert len(starts) == left + 1 - len(placed)
        assert f"  {piece} {starts[-1]}\n" in person.say(f"{piece} {starts[-1]}")
    own = {"detectives": ["red", "blue", "bobby1", "bobby2"], "mr_x": ["mr_x"] * (start_by == "choice")}
    assert placed == own[seat]
    again = "mr_x" if seat == "mr_x" else "red"
    assert person.say(f"{again} start 1").startswith("  SY-START-01")


@pytest.mark.parametrize("start_by", ["choice", "distribution"])
def test_choose_bots_place_their_pieces_and_the_record_is_genuine(address: str, start_by: str, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    result = play("--address", address, "--watch", "--start-by", start_by, "--seed", "1", "--record", str(file))
    assert result.exit_code == 0, result.output
    told = re.findall(r"^  (\w+ start \S+)$", result.output, re.MULTILINE)
    happen = [
        event for event in happened(json.loads(file.read_text())["record"]) if event.get("placed", {}).get("chosen")
    ]
    assert told == [re.sub(r"^(mr_x start) \d+", r"\1 ?", event["text"]) for event in happen]
    assert len(told) == (5 if start_by == "choice" else 4)
    verified = CliRunner().invoke(main, ["verify", str(file)])
    assert json.loads(verified.output)["verdict"] == "genuine"


@pytest.mark.parametrize(
    ("environment", "tongue"),
    [({}, "en"), ({"LANG": "fr_CA.UTF-8"}, "fr"), ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en")],
)
def test_a_refused_move_is_answered_by_the_rule_and_asked_for_again(
    sit_down: Callable[..., Person], environment: dict[str, str], tongue: str
) -> None:
    person = sit_down(**environment)
    for typed, rule in [("red taxi 200", STATION_ON_BOARD), ("mr_x taxi 1", OWN_PIECES)]:
        answer = person.say(typed)
        assert answer.startswith(f"  {rule.id}  {getattr(rule, tongue)}\n")
        assert person.prompted
    legal = person.moves()
    assert "red" in legal
    assert f"  red {legal['red'][0]}\n" in person.say(f"red {legal['red'][0]}")
    assert "red" not in person.moves()


def test_text_that_is_no_move_is_explained_and_asked_for_again(sit_down: Callable[..., Person]) -> None:
    person = sit_down()
    assert "expected a piece, taxi, bus" in person.say("go west")
    assert "which piece moves?" in person.say("taxi 86")
    assert "expected the number of a station" in person.say("red taxi x")
    assert "INVALID_FIELD" in person.say("red " + "taxi " * 100), "longer than a move may be"
    assert person.say("") == "round 1> "


def test_several_hunters_move_together(sit_down: Callable[..., Person]) -> None:
    person = sit_down("--players", "3")
    moves: list[str] = []
    taken: set[str] = set()
    for piece, listed in person.moves().items():
        move = next(move for move in listed if move.split()[1] not in taken)
        taken.add(move.split()[1])
        moves.append(f"{piece} {move}")
    told = person.say("; ".join(moves))
    assert "Round 2" in told or "Winner" in told
    assert rides(told)[: len(moves)] == moves or "catches mr_x" in told


def test_mr_x_is_told_which_double_moves_there_are_and_makes_one(sit_down: Callable[..., Person]) -> None:
    person = sit_down("--seat", "mr_x")
    listing = person.say("moves")
    first = re.search(r"moves (double \w+ \d+)", listing)
    assert first
    halves = [
        line.split() for line in person.say(f"moves {first[1]}").splitlines() if line.strip().startswith("double")
    ]
    assert halves
    ticket, station = halves[-1][3:5]
    assert "no double move begins" in person.say("moves double taxi 200")
    told = person.say(f"{first[1]} {ticket} {station}")
    assert "mr_x lays out a double ticket" in told
    assert rides(told)[:2] == [f"mr_x {first[1].removeprefix('double ')}", f"mr_x {ticket} {station}"]
    assert "double 1" in told or "Winner" in told


def test_help_and_table_cost_no_turn(sit_down: Callable[..., Person]) -> None:
    person = sit_down()
    for asked in ("?", "help"):
        assert "double taxi 86 black 52" in person.say(asked)
    assert "Round 1 of 22, to move: detectives" in person.say("table")
    assert "mr_x      ?" in person.say("table"), "where he is stays hidden"
    assert person.moves().keys() == {"red", "blue", "bobby1", "bobby2"}


@pytest.mark.parametrize("typed", ["quit\n", "", "red taxi 200\n", "exit\n", "\xff\n"])
def test_whoever_leaves_leaves_politely(address: str, tmp_path: Path, typed: str) -> None:
    """By `quit` or by the end of the input, at once or after some lines. The game is abandoned, so its record opens."""
    record = tmp_path / "record.json"
    result = play("--address", address, "--record", str(record), typed=typed)
    assert result.exit_code == 0
    assert "nobody wins" in result.output
    assert json.loads(record.read_text())["record"]["info"]["status"] == "GAME_STATUS_ABANDONED"


def test_bytes_that_are_no_text_are_no_move(address: str) -> None:
    result = CliRunner().invoke(main, ["play", "--address", address], input=io.BytesIO(b"\xff\xfe\x00\nquit\n"))
    assert result.exit_code == 0
    assert "INVALID_FIELD" in result.output


@contextmanager
def terminal(program: Path, *arguments: str, **environment: str) -> Iterator[Callable[[str], str]]:
    """The program on a terminal: what it prints once a line is typed, until it asks again or ends."""
    ours, theirs = pty.openpty()
    command: list[str | Path] = [program, "play", *arguments]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", **environment}
    )
    os.close(theirs)

    def exchange(line: str) -> str:
        os.write(ours, line.encode())
        text = b""
        while not text.endswith(b"> "):
            try:
                piece = os.read(ours, 65536)
            except OSError:  # how Linux tells that nobody has the terminal any more
                break
            if not piece:
                break
            text += piece
        return text.decode()

    try:
        yield exchange
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_a_terminal_gets_colours_unless_it_wants_none(program: Path, address: str) -> None:
    with terminal(program, "--address", address) as exchange:
        assert f"{ESCAPE}[31mred" in exchange("")
        exchange("quit\n")
    with terminal(program, "--address", address, NO_COLOR="1") as exchange:
        assert ESCAPE not in exchange("")
        exchange("quit\n")


# --- the service ----------------------------------------------------------------------------------------------------


def processes_naming(folder: Path) -> list[str]:
    """The command lines of running processes that name a folder."""
    lines = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in line:
            lines.append(line)
    return lines


@pytest.mark.parametrize("ending", ["the game ends", "the person leaves", "Ctrl-C", "nobody reads on"])
def test_a_service_of_its_own_leaves_nothing_behind(program: Path, tmp_path: Path, ending: str) -> None:
    """Neither files nor processes, however it ends."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    if ending == "nobody reads on":
        command = f"'{program}' play --watch --seed 1 | head -1"
        done = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, check=False)
        assert done.stdout.startswith("Game ")
        assert "Traceback" not in done.stderr
    else:
        watching = [] if ending == "the person leaves" else ["--watch"]
        with Person(program, *watching, environment=environment) as person:
            if ending == "Ctrl-C":
                person.hear_something()
                os.kill(person.pid, signal.SIGINT)
            person.listen()
            if ending == "the person leaves":
                person.say("quit")
            # However quick the signal is, a short game may be quicker.
            interrupted = ending == "Ctrl-C" and "Winner" not in person.heard
            assert person.wait() == (1 if interrupted else 0)
            assert "Traceback" not in person.heard
            assert interrupted or "--record FILE" in person.heard
    assert list(tmp_path.iterdir()) == []
    assert processes_naming(tmp_path) == []


def test_a_service_that_asks_for_an_operator_key_gets_it_from_flag_or_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "sixteen-or-more-characters"
    service = Service(tmp_path, "--operator-keys", f"me:{secret}", "--drain-seconds", "0")
    service.start()
    try:
        without = play("--address", service.grpc)
        assert without.exit_code == 1
        assert "TOKEN_MISSING" in without.output
        wrong = play("--address", service.grpc, "--operator-key", f"me:{secret[::-1]}")
        assert wrong.exit_code == 1
        assert "TOKEN_INVALID" in wrong.output
        assert secret[::-1] not in wrong.output
        assert play("--address", service.grpc, "--operator-key", f"me:{secret}").exit_code == 0
        monkeypatch.setenv("WHITEHALL_OPERATOR_KEYS", f"me:{secret}, you:{secret}")
        result = play("--address", service.grpc)
        assert result.exit_code == 0
        assert secret not in result.output
    finally:
        service.stop()


def test_where_no_service_answers_the_exit_code_is_1_and_the_address_is_named() -> None:
    result = play("--address", "127.0.0.1:1")
    assert result.exit_code == 1
    assert "no Whitehall answers at 127.0.0.1:1" in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["--players", "1"],
        ["--players", "7"],
        ["--seat", "bobby1"],
        ["--seed", "x"],
        ["--record", "/no/such/folder/record.json"],
        ["--record", "/"],
    ],
)
def test_what_cannot_be_asked_for_is_wrong_usage(arguments: list[str]) -> None:
    assert play(*arguments).exit_code == 2
