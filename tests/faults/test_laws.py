"""The checker finds what it is there to find: a game as it was breaks no law, and each doctored one breaks its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.faults.history import Answer, Ending, History, Refusal, Request
from tests.faults.laws import Law, findings
from tests.faults.service import Replica
from tests.faults.table import Table
from tests.faults.tally import Tally
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, record_pb2
from whitehall.sessions.store import Version

LONG_ENOUGH = 20
"""Revisions of a game that leaves room for doctoring."""

STALE, ILLEGAL = Refusal("STALE_REVISION", 99), Refusal("ILLEGAL_MOVE")

Game = tuple[History, Ending]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A whole game on a service that nobody harmed."""
    return asyncio.run(_play(tmp_path_factory.mktemp("laws") / "replica"))


async def _play(folder: Path) -> Game:
    random = Random(1983)
    replica = Replica(folder)
    try:
        await replica.start()
        while True:
            table = Table([replica.address], random, Tally())
            await table.play()
            ending = await table.ending(replica.redis_url)
            if len(ending.log) >= LONG_ENOUGH:
                return table.history, ending
    finally:
        replica.stop()


@pytest.fixture
def game(played: Game) -> Game:
    """A copy that may be doctored."""
    history, ending = played
    record = record_pb2.Record()
    record.CopyFrom(ending.record)
    return deepcopy(history), replace(
        ending, record=record, games=deepcopy(ending.games), pages=deepcopy(ending.pages), log=list(ending.log)
    )


def broken(history: History, ending: Ending) -> set[Law]:
    """The laws that a game breaks."""
    return {finding.law for finding in findings(history, ending)}


def test_a_game_as_it_was_breaks_no_law(game: Game) -> None:
    assert findings(*game) == []


# --- the log ------------------------------------------------------------------------------------------------------


def a_move(history: History) -> Request:
    """An acknowledged move from the middle of the game."""
    moves = sorted((_revision(request), request.request_id, request) for request in history.requests if _moved(request))
    return moves[len(moves) // 2][2]


def _moved(request: Request) -> bool:
    return bool(request.answers) and " " in request.words[0]


def _revision(request: Request) -> int:
    return request.answers[0].revision


def renumber(ending: Ending) -> None:
    """Count a log anew after something was put in or taken out, snapshot included."""
    for number, revision in enumerate(ending.record.revisions, 1):
        revision.revision = number
    ending.log = [
        replace(logged, version=Version(number, logged.version.write_id)) for number, logged in enumerate(ending.log, 1)
    ]
    ending.session = replace(ending.session, version=ending.log[-1].version)


def lose(history: History, ending: Ending) -> None:
    """Take an acknowledged move out of the log."""
    at = _revision(a_move(history)) - 1
    del ending.record.revisions[at]
    ending.log = [*ending.log[:at], *ending.log[at + 1 :]]


def double(history: History, ending: Ending) -> None:
    """Carry an acknowledged move out again at the end."""
    at = _revision(a_move(history)) - 1
    ending.record.revisions.append(ending.record.revisions[at])
    ending.log = [*ending.log, ending.log[at]]


def test_a_gap_in_the_log_is_found(game: Game) -> None:
    lose(*game)
    assert Law.NUMBERED in broken(*game)


def test_a_revision_that_was_given_twice_is_found(game: Game) -> None:
    double(*game)
    assert Law.NUMBERED in broken(*game)


def test_a_lost_move_is_found_although_the_log_has_closed_ranks(game: Game) -> None:
    lose(*game)
    renumber(game[1])
    laws = broken(*game)
    assert {Law.ACKNOWLEDGED, Law.TOLD} <= laws
    assert Law.NUMBERED not in laws


def test_a_doubled_move_is_found_although_the_log_counts_on(game: Game) -> None:
    double(*game)
    renumber(game[1])
    laws = broken(*game)
    assert Law.SENT in laws
    assert Law.NUMBERED not in laws


def test_two_moves_in_each_other_s_place_are_found(game: Game) -> None:
    history, ending = game
    at = _revision(a_move(history))
    one, other = deepcopy(ending.record.revisions[at - 1]), deepcopy(ending.record.revisions[at])
    ending.record.revisions[at - 1].CopyFrom(other)
    ending.record.revisions[at].CopyFrom(one)
    assert Law.NUMBERED in broken(*game)
    renumber(ending)
    laws = broken(*game)
    assert {Law.ACKNOWLEDGED, Law.KEPT} <= laws
    assert Law.NUMBERED not in laws


# --- requests -----------------------------------------------------------------------------------------------------


def test_a_move_whose_every_answer_was_lost_may_be_in_the_log(game: Game) -> None:
    request = a_move(game[0])
    request.answers, request.lost = [], 1
    assert broken(*game) == set()


def test_a_move_that_nobody_sent_is_found(game: Game) -> None:
    game[0].requests.remove(a_move(game[0]))
    assert broken(*game) == {Law.SENT}


def test_a_move_that_was_refused_and_carried_out_is_found(game: Game) -> None:
    request = a_move(game[0])
    request.answers, request.lost, request.in_parallel = [], 1, False
    request.expected_revision, request.refusals = 1, [STALE]
    assert broken(*game) == {Law.SENT}
    request.expected_revision, request.refusals = None, [ILLEGAL]
    assert broken(*game) == set(), "a delivery that was thought lost may find the move legal again"
    request.lost, request.in_parallel = 0, False
    assert broken(*game) == {Law.SENT}


def test_a_move_that_was_refused_and_acknowledged_is_found(game: Game) -> None:
    request = a_move(game[0])
    request.lost, request.in_parallel = 1, True
    request.expected_revision, request.refusals = 1, [STALE]
    assert broken(*game) == {Law.REFUSED}
    request.expected_revision, request.refusals = None, [ILLEGAL]
    assert broken(*game) == set(), "a copy that comes late may find the move legal again"


@pytest.mark.parametrize(
    ("words", "expected_revision", "refusal"),
    [
        (("mr_x taxi 1",), 3, ILLEGAL),
        (("mr_x taxi 1",), 3, Refusal("STALE_REVISION", 3)),
        (("mr_x taxi 1",), 3, Refusal("GAME_NOT_STARTED")),
        (("mr_x taxi 1",), None, STALE),
    ],
)
def test_a_refusal_for_no_good_reason_is_found(
    game: Game, words: tuple[str, ...], expected_revision: int | None, refusal: Refusal
) -> None:
    game[0].requests.append(Request("new", 0, words, expected_revision, refusals=[refusal]))
    assert broken(*game) == {Law.REFUSED}


@pytest.mark.parametrize(
    ("words", "expected_revision", "refusal"),
    [
        (("mr_x taxi 1",), 3, STALE),
        (("mr_x taxi 1",), None, ILLEGAL),
        (("red taxi 1", "blue taxi 1"), 3, ILLEGAL),
    ],
)
def test_a_refusal_because_others_were_faster_breaks_no_law(
    game: Game, words: tuple[str, ...], expected_revision: int | None, refusal: Refusal
) -> None:
    game[0].requests.append(Request("new", 0, words, expected_revision, refusals=[refusal]))
    assert broken(*game) == set()


def test_one_revision_for_two_requests_is_found(game: Game) -> None:
    twin = replace(a_move(game[0]), request_id="another")
    game[0].requests.append(twin)
    assert broken(*game) == {Law.ACKNOWLEDGED}


def test_two_answers_to_one_request_are_found(game: Game) -> None:
    request = a_move(game[0])
    request.answers.append(Answer(_revision(request) + 1))
    assert broken(*game) == {Law.ACKNOWLEDGED}


def test_two_tokens_for_one_claim_are_found(game: Game) -> None:
    claim = next(request for request in game[0].requests if request.answers[0].token)
    claim.answers.append(replace(claim.answers[0], token="another"))
    assert broken(*game) == {Law.ACKNOWLEDGED}


# --- watchers and readers -----------------------------------------------------------------------------------------


def test_a_revision_that_a_watcher_missed_is_found(game: Game) -> None:
    del game[0].watches[0].sightings[5]
    assert broken(*game) == {Law.WATCHED}


def test_a_revision_that_a_watcher_saw_twice_is_found(game: Game) -> None:
    sightings = game[0].watches[0].sightings
    sightings.insert(5, sightings[5])
    assert broken(*game) == {Law.WATCHED}


def test_revisions_that_a_watcher_saw_in_the_wrong_order_are_found(game: Game) -> None:
    sightings = game[0].watches[0].sightings
    sightings[5], sightings[6] = sightings[6], sightings[5]
    assert broken(*game) == {Law.WATCHED}


def test_a_watcher_who_did_not_see_the_end_is_found(game: Game) -> None:
    game[0].watches[0].sightings.pop()
    assert broken(*game) == {Law.WATCHED}


def test_a_watcher_who_saw_nothing_is_found(game: Game) -> None:
    game[0].watches[0].sightings.clear()
    assert broken(*game) == {Law.WATCHED}


def test_a_watcher_who_had_to_begin_anew_is_found(game: Game) -> None:
    sightings = game[0].watches[0].sightings
    sightings[5] = sightings[5]._replace(reset=True)
    assert broken(*game) == {Law.WATCHED}


def test_a_cursor_that_names_another_write_is_found(game: Game) -> None:
    revision = game[0].watches[0].sightings[5].revision
    revision.cursor = f"{revision.revision}-{bytes(8).hex()}"
    assert broken(*game) == {Law.TOLD}


def test_a_hidden_station_that_was_told_is_found(game: Game) -> None:
    told = (event for revision in _public(game) for event in revision.events if event.HasField("mr_x_travelled"))
    next(event for event in told if not event.mr_x_travelled.surfaced).mr_x_travelled.station = 1
    assert broken(*game) == {Law.TOLD}


def _public(game: Game) -> list[game_pb2.Revision]:
    return [sighting.revision for watch in game[0].watches if watch.viewer is None for sighting in watch.sightings]


def test_a_page_that_differs_from_the_log_is_found(game: Game) -> None:
    _, page = game[1].pages[0]
    page[5].time.seconds += 1
    assert broken(*game) == {Law.TOLD}


# --- replay and snapshot ------------------------------------------------------------------------------------------


def _station(record: record_pb2.Record) -> None:
    travelled = (event for each in record.revisions for event in each.events if event.HasField("hunter_travelled"))
    next(travelled).hunter_travelled.station += 1


def _draw(record: record_pb2.Record) -> None:
    dealt = next(revision for revision in record.revisions if revision.draws)
    dealt.draws[0].value = (dealt.draws[0].value + 1) % dealt.draws[0].bound


def _illegal(record: record_pb2.Record) -> None:
    next(revision for revision in record.revisions if revision.moves).moves[:] = ["mr_x taxi 199"]


def _seed(record: record_pb2.Record) -> None:
    record.fairness.server_seed = bytes(32).hex()


def _client_seed(record: record_pb2.Record) -> None:
    record.fairness.client_seeds[0].seed = "another"


@pytest.mark.parametrize("doctor", [_station, _draw, _illegal, _seed, _client_seed])
def test_a_record_that_its_replay_contradicts_is_found(game: Game, doctor: Callable[[record_pb2.Record], None]) -> None:
    doctor(game[1].record)
    assert Law.REPLAYED in broken(*game)


def test_a_seed_that_was_not_committed_to_is_found(game: Game) -> None:
    game[0].commitment = bytes(32).hex()
    assert broken(*game) == {Law.FAIR}


def test_a_snapshot_that_the_log_does_not_lead_to_is_found(game: Game) -> None:
    history, ending = game
    session = ending.session
    for doctored in (
        replace(session, state=session.state._replace(black_tickets=session.state.black_tickets + 1)),
        replace(session, draws=session.draws + 1),
        replace(session, generations=(*session.generations[:-1], session.generations[-1] + 1)),
        replace(session, claimed=(False, *session.claimed[1:])),
    ):
        assert broken(history, replace(ending, session=doctored)) == {Law.KEPT}


def test_a_view_that_is_not_the_replay_s_is_found(game: Game) -> None:
    _, shown = game[1].games[0]
    shown.view.mr_x.black_tickets += 1
    assert broken(*game) == {Law.KEPT}
