"""Both engines side by side: the same moves, the same positions, the same ends, move by move through whole games."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.games.chance import NoChance, SeededChance
from tests.games.scotland_yard import words
from tests.games.scotland_yard.reference import (
    BOBBIES_OF,
    CLASSIC_DETECTIVES_OF,
    COLOURS,
    DETECTIVES_OF,
    LAND,
    RefMove,
    Table,
    reached,
    start,
    start_classic,
)
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import Move, Pass, Together, Travel
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.position import position
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Tickets

PERFT = Path(__file__).with_name("perft.json")
"""Named positions and how many sequences of 1, 2, 3 ... moves each allows. `slow` ones add a move."""

EFFORT = [pytest.param(1, id="gate"), pytest.param(10, id="thorough", marks=pytest.mark.slow)]


def set_up(entry: dict[str, Any]) -> tuple[ScotlandYardState, Table]:
    """The same position for both engines, from a plain description of what differs from a fresh start."""
    players, at = entry["players"], entry["hunters"]
    table = start(players, entry["mr_x"], at.values())
    assert list(table.at) == list(at), "hunters stand in the order of the game"
    table.round = entry.get("round", 1)
    table.turn = entry.get("turn", "mr_x")
    table.black = entry.get("black", 5)
    table.doubles = entry.get("doubles", 2)
    table.fields = entry.get("fields", table.round - (table.turn == "mr_x") + 2 - table.doubles)
    table.gone = set(entry.get("moved", ()))
    for holder, counts in entry.get("hands", {}).items():
        table.hands[holder] = dict(zip(LAND, counts, strict=True))
    if "supply" in entry:
        table.supply = dict(zip(LAND, entry["supply"], strict=True))
    options = resolve("new", players)
    pieces = dict(zip(words.hunters_of(options), (*options.detectives, *options.bobbies), strict=True))
    state = position(
        options,
        round=table.round,
        phase=Phase[table.turn.upper()],
        mr_x=Station(table.mr_x),
        hunters=[Station(station) for station in table.at.values()],
        hands=[Tickets(**hand) for hand in table.hands.values()],
        supply=Tickets(**table.supply),
        black_tickets=table.black,
        double_tickets=table.doubles,
        moves_made=table.fields,
        moved=[pieces[piece] for piece in table.gone],
    )
    table.settle_position()
    return state, table


def moves_of(state: ScotlandYardState) -> dict[Move, Seat]:
    """Every single move that some seat may make, each once, with the first seat that may make it."""
    found: dict[Move, Seat] = {}
    for seat in game.to_move(state):
        for move in game.legal_moves(state, seat):
            found.setdefault(move, seat)
    return found


def perft(state: ScotlandYardState, depth: int) -> int:
    """How many sequences of `depth` moves are legal from here."""
    moves = moves_of(state)
    if depth == 1:
        return len(moves)
    return sum(perft(game.apply(state, seat, move, NoChance())[0], depth - 1) for move, seat in moves.items())


def perft_of_reference(table: Table, depth: int) -> int:
    moves = table.legal()
    if depth == 1:
        return len(moves)
    return sum(perft_of_reference(table.play(move), depth - 1) for move in moves)


def entries(depths: str) -> list[Any]:
    return [
        pytest.param(entry, depth, count, id=f"{entry['name']}, {depth} moves")
        for entry in json.loads(PERFT.read_text(encoding="utf-8"))
        for depth, count in enumerate(entry[depths], start=1 if depths == "counts" else len(entry["counts"]) + 1)
    ]


@pytest.mark.parametrize(("entry", "depth", "count"), entries("counts"))
def test_both_engines_count_the_same_sequences_of_moves(entry: dict[str, Any], depth: int, count: int) -> None:
    state, table = set_up(entry)
    assert (perft(state, depth), perft_of_reference(table, depth)) == (count, count)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("entry", "depth", "count"), entries("slow"))
def test_both_engines_count_the_same_longer_sequences_of_moves(entry: dict[str, Any], depth: int, count: int) -> None:
    state, table = set_up(entry)
    assert (perft(state, depth), perft_of_reference(table, depth)) == (count, count)


def assert_agree(state: ScotlandYardState, table: Table) -> None:
    options = state.options
    assert words.facts_of_state(state) == words.facts_of_table(table, options)
    legal, may_move = table.legal(), []
    for number in range(len(options.seats)):
        seat = Seat(number)
        expected = words.those_of(seat, legal, options)
        moves = game.legal_moves(state, seat)
        assert {words.to_words(move) for move in moves} == expected, f"seat {seat}"
        assert len(moves) == len(expected), f"a move of seat {seat} is listed twice"
        if expected:
            may_move.append(seat)
    assert list(game.to_move(state)) == may_move


def seat_for(options: ScotlandYardOptions, move: RefMove, random: Random) -> Seat:
    """The seat of the piece; a Bobby's mover is any seat of the detective side."""
    for seat, pieces in enumerate(options.seats):
        if move[0] in {words.word(piece) for piece in pieces}:
            return Seat(seat)
    return Seat(random.randrange(1, len(options.seats)))


def choose(table: Table, random: Random) -> RefMove:
    """Doubles outnumber single moves by far; they are chosen now and then, or none would be left after two rounds."""
    moves = sorted(table.legal(), key=str)
    singles = [move for move in moves if move[1] != "double"]
    return random.choice(moves if random.random() < 0.15 else singles)


def batch(table: Table, options: ScotlandYardOptions, seat: Seat, random: Random) -> list[RefMove]:
    """Up to four legal moves of one seat, one after the other, chosen without a thought for where Mr X is."""
    imagined = deepcopy(table)
    imagined.mr_x = 0
    chosen: list[RefMove] = []
    for _ in range(random.randint(1, 4)):
        moves = sorted(words.those_of(seat, imagined.legal(), options), key=str)
        if not moves:
            break
        chosen.append(random.choice(moves))
        imagined.do(chosen[-1])
    return chosen


def play_together(table: Table, moves: list[RefMove]) -> Table:
    after = deepcopy(table)
    for move in moves:
        if after.turn == "hunters":
            after.do(move)
    after.settle()
    return after


def as_travel_or_pass(move: RefMove) -> Travel | Pass:
    single = words.to_move(move)
    assert isinstance(single, Travel | Pass)
    return single


def play_side_by_side(state: ScotlandYardState, table: Table, random: Random) -> Table:
    """Plays random moves on both engines to the end, comparing them after each."""
    options = state.options
    assert_agree(state, table)
    while table.turn != "over":
        move = choose(table, random)
        seat = seat_for(options, move, random)
        moves = batch(table, options, seat, random) if table.turn == "hunters" and random.random() < 0.2 else []
        if moves:
            state, _ = game.apply(state, seat, Together(tuple(map(as_travel_or_pass, moves))), NoChance())
            table = play_together(table, moves)
        else:
            state, _ = game.apply(state, seat, words.to_move(move), NoChance())
            table = table.play(move)
        assert_agree(state, table)
    return table


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("effort", EFFORT)
@pytest.mark.timeout(600)
def test_whole_random_games_agree_at_every_move(players: int, effort: int) -> None:
    ends = set()
    for seed in range(40 * effort):
        state, _ = game.setup(resolve("new", players), SeededChance(seed))
        table = start(players, state.mr_x, state.hunters)
        ends.add(play_side_by_side(state, table, Random(seed)).why)
    assert {"capture", "last round"} <= ends


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("effort", EFFORT)
@pytest.mark.timeout(600)
def test_whole_random_games_of_the_classic_edition_agree_at_every_move(players: int, effort: int) -> None:
    ends = set()
    for seed in range(30 * effort):
        state, _ = game.setup(resolve("classic", players), SeededChance(seed))
        table = start_classic(players, state.mr_x, state.hunters)
        ends.add(play_side_by_side(state, table, Random(seed)).why)
    assert {"capture", "immobile"} <= ends


def late_classic(random: Random) -> tuple[ScotlandYardState, Table]:
    """A classic game with few fields left in the log, some of them filled by double moves."""
    players = random.randint(2, 6)
    mr_x, *stations = random.sample(range(1, 200), 1 + CLASSIC_DETECTIVES_OF[players])
    table = start_classic(players, mr_x, stations)
    table.doubles = random.randint(0, 2)
    table.fields = random.randint(19, 23)
    table.round = table.fields + 1 - random.randint(0, 2 - table.doubles)
    table.supply = {ticket: random.choice([0, 1, 3]) for ticket in LAND}
    options = resolve("classic", players)
    state = position(
        options,
        round=table.round,
        mr_x=Station(mr_x),
        hunters=[Station(station) for station in stations],
        supply=Tickets(**table.supply),
        double_tickets=table.doubles,
        moves_made=table.fields,
    )
    table.settle_position()
    return state, table


@pytest.mark.parametrize("effort", EFFORT)
def test_t14_the_ends_of_classic_games_agree_at_every_move(effort: int) -> None:
    ends = set()
    for seed in range(100 * effort):
        ends.add(play_side_by_side(*late_classic(Random(seed)), Random(seed)).why)
    assert {"capture", "log full"} <= ends


def scarce(random: Random) -> dict[str, Any]:
    """A late position with few tickets and the hunters close together, where passes and odd ends abound."""
    players = random.randint(2, 6)
    pieces = (*COLOURS[: DETECTIVES_OF[players]], *("bobby1", "bobby2")[: BOBBIES_OF[players]])
    stations = [random.randint(1, 199)]
    while len(stations) < len(pieces) + 1:
        near = sorted(reached(random.choice(stations), "black") - set(stations))
        stations.append(random.choice(near) if near and random.random() < 0.8 else random.randint(1, 199))
        if len(set(stations)) < len(stations):
            stations.pop()
    random.shuffle(stations)
    holders = ["pool"] if players == 2 else [piece for piece in pieces if not piece.startswith("bobby")]
    turn = random.choice(["mr_x", "hunters"])
    moved = random.sample(pieces, random.randrange(len(pieces))) if turn == "hunters" else []
    return {
        "players": players,
        "turn": turn,
        "round": random.randint(3, 22),
        "mr_x": stations[0],
        "hunters": dict(zip(pieces, stations[1:], strict=True)),
        "hands": {holder: [random.choice([0, 0, 1, 2]) for _ in LAND] for holder in holders},
        "supply": [random.choice([0, 1, 3]) for _ in LAND],
        "black": random.randint(0, 2),
        "doubles": random.randint(0, 2),
        "moved": moved,
    }


def scarce_positions(number: int) -> Iterator[tuple[int, dict[str, Any]]]:
    for seed in range(number):
        yield seed, scarce(Random(seed))


@pytest.mark.parametrize("effort", EFFORT)
@pytest.mark.timeout(600)
def test_games_with_few_tickets_agree_at_every_move_and_reach_every_end(effort: int) -> None:
    ends, passes = set(), set()
    for seed, entry in scarce_positions(300 * effort):
        state, table = set_up(entry)
        table = play_side_by_side(state, table, Random(seed))
        ends.add(table.why)
        passes |= {reason for _, reason in table.passes}
    assert ends == {"capture", "cornered", "immobile", "last round"}
    assert passes == {"ticket", "blocked"}


@pytest.mark.parametrize("effort", EFFORT)
def test_the_engine_refuses_every_single_move_that_the_reference_does_not_list(effort: int) -> None:
    """In each position: any move of any piece, by any ticket, to a station near it or anywhere."""
    for seed, entry in scarce_positions(60 * effort):
        random = Random(seed)
        state, table = set_up(entry)
        for _ in range(150):
            move = stray(table, random)
            seat = seat_for(state.options, move, random)
            found = game.check(state, seat, words.to_move(move))
            assert (found is None) is (move in table.legal()), move


def stray(table: Table, random: Random) -> RefMove:
    """A move that may well be illegal."""
    piece = random.choice(["mr_x", *table.at])
    here = table.mr_x if piece == "mr_x" else table.at[piece]
    ride = stray_ride(here, random)
    kind = random.random()
    if piece == "mr_x" and kind < 0.5:
        return ("mr_x", "double", ride, stray_ride(ride[1], random))
    if kind > 0.9:
        return (piece, "pass")
    return (piece, *ride)


def stray_ride(here: int, random: Random) -> tuple[str, int]:
    ticket = random.choice([*LAND, "black"])
    near = sorted(reached(here, random.choice([ticket, "black"]))) if 1 <= here <= 199 else []
    return ticket, random.choice(near) if near and random.random() < 0.9 else random.randint(1, 199)
