"""Whole app games through store, messages and records: nothing is lost, and what is hidden stays hidden."""

from collections.abc import Iterator
from itertools import chain
from random import Random

import pytest

from tests.games.chance import SeededChance
from tests.games.scotland_yard.changes import possible_changes
from tests.games.scotland_yard.master import sent
from tests.games.scotland_yard.recorded import a_record
from whitehall.games.core.seat import Seat, Viewer
from whitehall.games.scotland_yard import record, record_reading
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.findings import Analysed, Answer, Interrogated, Located, Scanned, StatementHeard
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.investigation import mast_distances
from whitehall.games.scotland_yard.master import MasterOverrides, SpecialAction
from whitehall.games.scotland_yard.moves import Move, UseAction
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.replay import replay
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.wire.findings import read_finding, write_finding
from whitehall.games.scotland_yard.wire.moves import encode_legal_moves, encode_moves_of, read_moves
from whitehall.games.scotland_yard.wire.position_reading import read_position
from whitehall.games.scotland_yard.wire.positions import write_position
from whitehall.games.scotland_yard.wire.storage import decode_happened, decode_state, encode_happened, encode_state
from whitehall.gen.whitehall.scotlandyard.v1 import master_pb2, move_pb2

Step = tuple[ScotlandYardState, Seat, Move, ScotlandYardState, tuple[Event, ...]]


def steps(seed: int, changes: Overrides = NONE) -> Iterator[Step]:
    """A game of random moves, special actions as often as may be."""
    random, chance = Random(seed), SeededChance(seed)
    state, _ = game.setup(resolve("master", 2 + seed % 5, changes=changes), chance)
    while state.outcome is None:
        seat = random.choice(game.to_move(state))
        moves = game.legal_moves(state, seat)
        actions = [move for move in moves if not hasattr(move, "piece") and not hasattr(move, "first")]
        move = random.choice(actions or moves)
        after, events = game.apply(state, seat, move, chance)
        yield state, seat, move, after, events
        state = after


def options_of(seed: int) -> Overrides:
    return possible_changes(Random(seed), "master", 2 + seed % 5)


@pytest.mark.parametrize("seed", range(12))
def test_states_moves_and_events_come_out_of_the_store_as_they_went_in(seed: int) -> None:
    for _, _, move, after, events in steps(seed, options_of(seed)):
        assert decode_state(after.options, encode_state(after)) == after
        stored_move, stored_events = decode_happened(encode_happened(move, events))
        assert (stored_move, stored_events) == (move, events)
        assert [type(event) for event in stored_events] == [type(event) for event in events]


@pytest.mark.parametrize("seed", range(6))
def test_listed_moves_are_ready_to_be_sent(seed: int) -> None:
    for state, seat, _, _, _ in steps(seed):
        legal = game.legal_moves(state, seat)
        listed = move_pb2.LegalMoves.FromString(encode_moves_of(state, seat))
        assert listed == move_pb2.LegalMoves.FromString(encode_legal_moves(legal))
        texts = [action.text for action in listed.actions]
        for piece in listed.pieces:
            name = move_pb2.Piece.Name(piece.piece).removeprefix("PIECE_").lower()
            texts += [ride.text for ride in piece.rides]
            texts += [f"{name} helicopter {station}" for station in piece.flights]
            texts += [f"{piece.start_text} {station}" for station in piece.starts]
            texts += [piece.pass_text] if piece.may_pass else []
            texts += [f"{double.first.text} {ride.text}" for double in piece.doubles for ride in double.seconds]
        mover = state.options.movers[seat][0]
        sent = [read_moves([move_pb2.Move(text=text)], mover) for text in texts]
        assert sorted(map(repr, sent)) == sorted(map(repr, legal))


@pytest.mark.parametrize("seed", range(4))
def test_flights_as_second_halves_are_listed_by_their_stations(seed: int) -> None:
    changes = Overrides(master=MasterOverrides(helicopter_in_double=True, helicopter_tickets=2))
    state = next(step[0] for step in steps(seed, changes) if step[1] == MR_X_SEAT)
    listed = move_pb2.LegalMoves.FromString(encode_moves_of(state, MR_X_SEAT))
    (piece,) = listed.pieces
    number = sum(len(double.seconds) + len(double.flights) for double in piece.doubles)
    assert number + len(piece.rides) + len(piece.flights) == len(game.legal_moves(state, MR_X_SEAT))


@pytest.mark.parametrize("seed", range(6))
def test_positions_hold_what_decides_what_may_be_played(seed: int) -> None:
    for _, _, _, after, _ in steps(seed):
        if after.outcome is None and after.round:
            asked = read_position(write_position(after))
            assert asked.master == after.master
            for seat in (MR_X_SEAT, Seat(1)):
                if len(asked.options.seats) == len(after.options.seats):
                    assert game.legal_moves(asked, seat) == game.legal_moves(after, seat)


def test_findings_are_read_as_they_were_written() -> None:
    for seed in range(5):
        *_, (_, _, _, after, _) = steps(seed)
        assert after.master is not None
        assert after.options.master is not None
        for finding in after.master.findings:
            message = master_pb2.Finding.FromString(write_finding(finding).SerializeToString())
            assert read_finding(message, "it") == finding


@pytest.mark.parametrize("seed", range(8))
def test_a_record_round_trips_and_replays_without_a_fault(seed: int) -> None:
    made = a_record(2 + seed % 5, seed, preset="master", overrides=options_of(seed) if seed % 2 else NONE)
    read = record_reading.parse(record.text(made))
    assert read == made
    assert record.text(read) == record.text(made)
    assert replay(read) == ()


# ---- what stays hidden


class Chosen:
    """Chance that gives one number, or what is nearest to it."""

    def __init__(self, value: int) -> None:
        self._value = value

    def draw(self, label: str, bound: int) -> int:
        return min(self._value, bound - 1)


def scans(seed: int) -> Iterator[tuple[ScotlandYardState, list[tuple[ScotlandYardState, tuple[Event, ...]]]]]:
    """Positions in which the detective side may scan, each with what comes of it for each of the four masts."""
    for state, seat, _, _, _ in steps(seed):
        scan = UseAction(SpecialAction.SCAN)
        if scan in game.legal_moves(state, seat):
            yield state, [game.apply(state, seat, scan, Chosen(mast)) for mast in range(4)]


@pytest.mark.parametrize("seed", range(8))
def test_from_which_mast_a_scan_was_taken_is_kept_nowhere_but_in_the_draw(seed: int) -> None:
    """Two masts as far from him leave the same truth, bit for bit, so nothing made of it can tell which it was."""
    for state, results in scans(seed):
        master = state.options.master
        assert master is not None
        distances = mast_distances(state.options.board, master, state.mr_x)
        for (after, events), distance in zip(results, distances, strict=True):
            assert events == (Scanned(distance),)
            twin, _ = results[distances.index(distance)]
            assert after == twin
            assert encode_state(after) == encode_state(twin)
            assert encode_happened(UseAction(SpecialAction.SCAN), events)


@pytest.mark.parametrize("seed", range(8))
def test_mr_x_and_the_public_learn_of_a_scan_that_there_was_one(seed: int) -> None:
    for _, results in scans(seed):
        for viewer in (MR_X_SEAT, None):
            told = {sent(after, events, viewer) for after, events in results}
            assert len(told) == 1


@pytest.mark.parametrize("seed", range(8))
def test_a_scan_s_messages_are_as_long_whatever_it_answers(seed: int) -> None:
    for state, results in scans(seed):
        for seat in state.options.hunter_seats:
            lengths = {len(sent(after, events, seat)) for after, events in results}
            assert len(lengths) == 1


def told(seed: int, point: int, until: int) -> Iterator[tuple[tuple[Viewer, ...], bytes]]:
    """What each of the blind is sent in a game whose meeting points are drawn by `point`, for so many moves."""
    moves = [(seat, move) for _, seat, move, _, _ in steps(seed)][:until]
    chance = MeetingsElsewhere(SeededChance(seed), point)
    state, events = game.setup(resolve("master", 2 + seed % 5), chance)
    for number in range(-1, len(moves)):
        if number >= 0:
            if state.outcome is not None:
                return
            state, events = game.apply(state, *moves[number], chance)
        for viewer in (*state.options.hunter_seats, None):
            yield (viewer,), sent(state, events, viewer)


class MeetingsElsewhere:
    """The same chance but for meeting points, which it moves on by some."""

    def __init__(self, chance: SeededChance, by: int) -> None:
        self._chance = chance
        self._by = by

    def draw(self, label: str, bound: int) -> int:
        value = self._chance.draw(label, bound)
        return (value + self._by) % bound if label == "meeting point" else value


@pytest.mark.parametrize("seed", range(10))
def test_where_meeting_points_are_changes_nothing_that_the_hunters_or_the_public_are_sent(seed: int) -> None:
    """As long as neither game is over, which every one of them sees."""
    compared = 0
    # He may reach a meeting point in one of them only, so that one of them is over before the other.
    for one, other in zip(told(seed, 0, 60), told(seed, 17, 60), strict=False):
        if b"SY-END" in one[1] + other[1]:
            break
        assert one == other
        compared += 1
    assert compared > 60, "hardly anything was compared"


BLANK: list[Answer] = [Analysed(None), Located(None), Scanned(None), Interrogated(None)]
"""What can be told of a special action that was used to those who may not know the answer."""


def test_while_a_game_goes_on_views_tell_all_but_the_detectives_which_actions_were_used_and_no_more() -> None:
    seen = set[str]()
    for _, _, _, after, _ in chain.from_iterable(map(steps, range(8))):
        if after.outcome is not None:
            continue
        assert after.master is not None
        used = [finding for finding in after.master.findings if not isinstance(finding.answer, StatementHeard)]
        seen |= {type(finding.answer).__name__ for finding in after.master.findings}
        for viewer in (MR_X_SEAT, None):
            master = game.view(after, viewer).master
            assert master is not None
            assert not master.choices
            assert all(finding.answer in BLANK for finding in master.findings)
            told_of = [(finding.round, finding.field, type(finding.answer)) for finding in master.findings]
            assert told_of == [(finding.round, finding.field, type(finding.answer)) for finding in used]
    assert seen == {"Analysed", "Located", "Scanned", "Interrogated", "StatementHeard"}
