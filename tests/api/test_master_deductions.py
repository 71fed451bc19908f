"""What the app's answers tell, over gRPC: live games, logs of games on cardboard, and what an action would tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

import grpc
import pytest

from tests.api.refusals import refused
from tests.api.table import Table, Yard, bearing, move_texts
from tests.games.scotland_yard.reference import X_CARDS, reached
from whitehall.gen.whitehall.scotlandyard.v1 import (
    deduction_pb2,
    game_pb2,
    investigation_pb2,
    master_pb2,
    move_pb2,
    options_pb2,
    position_pb2,
    service_pb2,
)
from whitehall.gen.whitehall.scotlandyard.v1.master_pb2 import (
    NEARNESS_NEAR,
    SPECIAL_ACTION_ANALYSIS,
    SPECIAL_ACTION_INTERROGATION,
    SPECIAL_ACTION_LOCATE,
    SPECIAL_ACTION_SCAN,
)

TAXI = move_pb2.TICKET_TAXI


async def master_table(yard: Yard, players: int = 3, master: master_pb2.MasterOptions | None = None) -> Table:
    """A game of the app in play, the hunters on the first stations that were offered."""
    request = service_pb2.CreateGameRequest(
        preset="master", players=players, allow_spectators=True, overrides=options_pb2.Options(master=master)
    )
    table = Table(yard, await yard.games.CreateGame(request))
    while (game := await table.get()).view.phase == game_pb2.PHASE_PLACING:
        seat = game.info.to_move[0]
        piece = (await table.legal(seat)).moves.pieces[0]
        await table.play(seat, f"{piece.start_text} {piece.starts[0]}")
    return table


async def deduced(table: Table, token: str, **fields: bool) -> deduction_pb2.PossibleLocations:
    request = service_pb2.GetDeductionsRequest(game_id=table.game_id, **fields)
    return (await table.calls.GetDeductions(request, metadata=bearing(token))).deductions


async def locations(yard: Yard, *logs: deduction_pb2.PublicLog) -> list[deduction_pb2.PossibleLocations]:
    request = position_pb2.ListPossibleLocationsRequest(logs=logs)
    return list((await yard.positions.ListPossibleLocations(request)).locations)


async def actions(table: Table, seat: int) -> list[str]:
    return [action.text for action in (await table.legal(seat)).moves.actions]


# ---- What would it tell us?


async def test_after_his_first_move_each_action_promises_what_counting_by_hand_gives(yard: Yard) -> None:
    """From his start cards by the ticket on his log, each way alike, and never to where a hunter stands."""
    table = await master_table(yard)
    ride = next(text for text in await table.harmless(0, "taxi"))
    await table.play(0, ride)
    view = (await table.get()).view
    ends = sorted(
        there for start in X_CARDS for there in reached(start, "taxi") - {hunter.station for hunter in view.hunters}
    )
    found = await deduced(table, table.seats[1], prospects=True)
    assert {each.station: int(each.routes) for each in found.strong} == Counter(ends)

    located = position_pb2.LocateStationsRequest(questions=[investigation_pb2.LocateQuestion()])
    scanned = position_pb2.ScanStationsRequest(questions=[investigation_pb2.ScanQuestion()])
    zoned = position_pb2.InterrogateStationsRequest(questions=[investigation_pb2.InterrogationQuestion()])
    (locate,) = (await yard.positions.LocateStations(located)).tables
    (scan,) = (await yard.positions.ScanStations(scanned)).tables
    (zones,) = (await yard.positions.InterrogateStations(zoned)).tables
    colours = {row.station: tuple(row.nearness) for row in locate.stations}
    distances = {row.station: Counter[object](row.answers) for row in scan.stations}
    landmarks = {row.station: tuple(row.landmarks) for row in zones.stations}

    def weighed(answers: Callable[[int], Counter[object]]) -> Fraction:
        """Over stations, each as likely as routes lead there."""
        left = Counter(answer for station in set(ends) for answer in answers(station))
        total = sum(sum(answers(station).values()) for station in ends)
        return Fraction(sum(n * left[answer] for station in ends for answer, n in answers(station).items()), total)

    promised = {each.action: Fraction(each.exact_stations) for each in found.prospects}
    assert promised == {
        SPECIAL_ACTION_ANALYSIS: len(set(ends)),
        SPECIAL_ACTION_LOCATE: weighed(lambda station: Counter[object]([colours[station]])),
        SPECIAL_ACTION_SCAN: weighed(lambda station: distances[station]),
        # With one field on the log witnesses can say nothing that the question marks do not say.
        SPECIAL_ACTION_INTERROGATION: weighed(lambda station: Counter[object]([landmarks.get(station)])),
    }
    assert all(each.stations == float(Fraction(each.exact_stations)) for each in found.prospects)


async def test_only_the_detective_side_is_promised_anything_and_only_what_it_may_use_now(yard: Yard) -> None:
    table = await master_table(yard)
    red, blue = table.seats[1:3]
    assert not (await deduced(table, red, prospects=True)).prospects, "Mr X has not moved"
    await table.play(0, (await table.harmless(0))[0])
    for token in (red, blue):
        assert len((await deduced(table, token, prospects=True)).prospects) == 4
        assert not (await deduced(table, token)).prospects
    for token in (table.mr_x, table.host, table.spectator):
        assert not (await deduced(table, token, prospects=True)).prospects
    await table.play(1, "detectives locate")
    assert not (await deduced(table, red, prospects=True)).prospects, "the action of this round is spent"


async def test_where_a_landmark_has_to_be_chosen_each_promises_what_its_witnesses_would_leave(yard: Yard) -> None:
    """The zones of both landmarks are the whole board, so that their witnesses say what is known already."""
    landmarks = [
        master_pb2.Landmark(name=name, stations=[station]) for name, station in (("North", 13), ("South", 184))
    ]
    everywhere = master_pb2.MasterOptions(landmarks=master_pb2.Landmarks(landmarks=landmarks), near_radius=20)
    table = await master_table(yard, master=everywhere)
    await table.play(0, (await table.harmless(0))[0])
    await table.play(1, "detectives interrogate")
    assert await actions(table, 1) == ['detectives hear "North"', 'detectives hear "South"']
    found = await deduced(table, table.seats[1], prospects=True)
    assert [(each.landmark, each.action) for each in found.prospects] == [
        ("North", master_pb2.SPECIAL_ACTION_UNSPECIFIED),
        ("South", master_pb2.SPECIAL_ACTION_UNSPECIFIED),
    ]
    assert {Fraction(each.exact_stations) for each in found.prospects} == {Fraction(len(found.strong))}
    assert not (await deduced(table, table.spectator, prospects=True)).prospects
    with refused("ILLEGAL_MOVE", grpc.StatusCode.FAILED_PRECONDITION) as refusal:
        await table.play(1, 'detectives hear "East"')
    assert refusal.metadata["rule"] == "SY-ACTION-12"
    await table.play(1, 'detectives hear "South"')
    assert (await deduced(table, table.seats[1])).strong == found.strong


async def test_an_action_at_the_wrong_moment_or_by_the_wrong_seat_is_refused_by_its_rule_and_spends_nothing(
    yard: Yard,
) -> None:
    table = await master_table(yard)

    async def rule_against(seat: int, action: str) -> str:
        before = await table.get(table.seats[1])
        with refused("ILLEGAL_MOVE", grpc.StatusCode.FAILED_PRECONDITION) as refusal:
            await table.play(seat, action)
        after = await table.get(table.seats[1])
        assert (after.info.revision, after.view) == (before.info.revision, before.view)
        return refusal.metadata["rule"]

    assert await rule_against(1, "detectives scan") == "SY-TURN-02", "Mr X is to move"
    await table.play(0, (await table.harmless(0))[0])
    with refused("NOT_YOUR_PIECE"):
        await table.play(0, "detectives scan")
    assert await rule_against(1, 'detectives hear "King\'s Cross"') == "SY-ACTION-10"
    assert await rule_against(1, 'detectives hear "The Moon"') == "SY-ACTION-12"
    await table.play(2, "detectives scan")
    assert await rule_against(1, "detectives locate") == "SY-ACTION-04"
    assert await rule_against(2, "detectives scan") == "SY-ACTION-04"
    later = await master_table(yard)
    await later.play(0, (await later.harmless(0))[0])
    await later.play(1, (await later.harmless(1, "red"))[0])
    table = later
    assert await rule_against(2, "detectives analysis") == "SY-ACTION-03", "a hunter has moved"


# ---- A log kept at the table


def kept_log(view: game_pb2.View) -> deduction_pb2.PublicLog:
    """What a detective has written down of an app game, from nothing but his own view."""
    log = deduction_pb2.PublicLog(start=view.options.start_cards_mr_x.stations, hindsight=True, prospects=True)
    log.master.SetInParent()
    spent = Counter(field.ticket for field in view.log)
    for number, start in enumerate(view.round_starts, 1):
        since = Counter(field.ticket for field in view.log if field.round >= number)
        log.rounds.add(
            hunters=start.hunters,
            supply=start.supply,
            black_tickets=view.mr_x.black_tickets + since[move_pb2.TICKET_BLACK],
            helicopter_tickets=view.master.helicopter_tickets + since[move_pb2.TICKET_HELICOPTER],
            rides=[
                deduction_pb2.PublicRide(
                    ticket=field.ticket, station=field.station if field.HasField("station") else None
                )
                for field in view.log
                if field.round == number
            ],
            answers=[finding.answer for finding in view.master.findings if finding.round == number],
        )
    assert sum(len(this.rides) for this in log.rounds) == sum(spent.values())
    if view.phase == game_pb2.PHASE_HUNTERS:
        log.hunters.extend(hunter.station for hunter in view.hunters)
    return log


@pytest.mark.parametrize("seed", range(3))
async def test_a_log_kept_by_a_detective_is_answered_as_the_game_itself_is(yard: Yard, seed: int) -> None:
    """Sets, routes, hindsight, and what is promised of the actions that may be used; and he is always among them."""
    table, random = await master_table(yard, 2 + seed), Random(seed)
    compared = 0
    while (game := await table.get(table.seats[1])).view.phase != game_pb2.PHASE_OVER and compared < 40:
        here = (await table.get(table.mr_x)).view.mr_x.station
        found = await deduced(table, table.seats[1], hindsight=True, prospects=True)
        (answer,) = await locations(yard, kept_log(game.view))
        offered = {each.action for each in found.prospects}
        told = [each for each in answer.prospects if each.action in offered]
        del answer.prospects[:]
        answer.prospects.extend(told)
        if not game.view.master.choices:
            assert answer == found
        assert here in [each.station for each in answer.strong]
        compared += 1
        await play_one(table, random, game)
    assert compared > 10


async def play_one(table: Table, random: Random, game: game_pb2.Game) -> None:
    """A special action if there is any, else any move that catches nobody, a flight now and then."""
    seat = random.choice(list(game.info.to_move))
    if seat and (offered := await actions(table, seat)):
        await table.play(seat, random.choice(offered))
        return
    moves = (await table.legal(seat)).moves
    flights = [f"helicopter {station}" for piece in moves.pieces for station in piece.flights]
    if flights and random.random() < 0.2:
        await table.play(seat, random.choice(flights))
        return
    harmless = await table.harmless(seat)
    await table.play(seat, random.choice(harmless or list(move_texts(moves))))


def app_log(*rides: tuple[move_pb2.Ticket.ValueType, int | None], prospects: bool = False) -> deduction_pb2.PublicLog:
    """Rounds of one ride, a ticket and where he showed himself; nothing else was written down."""
    log = deduction_pb2.PublicLog(prospects=prospects)
    log.master.SetInParent()
    for ticket, station in rides:
        log.rounds.add().rides.add(ticket=ticket, station=station)
    return log


def strong(found: deduction_pb2.PossibleLocations) -> dict[int, float]:
    return {each.station: each.probability for each in found.strong}


async def test_each_answer_on_a_log_leaves_what_it_should(yard: Yard) -> None:
    """He showed himself on 46 and took a taxi, to 33, 45, 47 or 61."""
    logs = [app_log((TAXI, 46), (TAXI, None)) for _ in range(5)]
    locate, scan, interrogate, hear, analyse = (log.rounds[1].answers for log in logs)
    scan.add().scanned.distance = 12
    interrogate.add().interrogated.question_marks.landmarks.append("Sherlock Holmes Museum")
    hear.add().interrogated.question_marks.landmarks.append("Sherlock Holmes Museum")
    hear.add().statement_heard.CopyFrom(master_pb2.StatementHeard(landmark="Sherlock Holmes Museum", moves_ago=0))
    analyse.add().analysed.stations.extend([33, 45, 47, 61])
    asked = position_pb2.LocateStationsRequest(questions=[investigation_pb2.LocateQuestion(stations=[33, 45, 47, 61])])
    (table,) = (await yard.positions.LocateStations(asked)).tables
    nearness = list(table.stations[2].nearness)
    locate.add().located.nearness.extend(nearness)
    found = [strong(answer) for answer in await locations(yard, *logs)]
    assert set(found[0]) == {row.station for row in table.stations if list(row.nearness) == nearness}
    # 12 taxi moves: from one mast each of 33, 45 and 61, from two of 47.
    assert found[1] == {33: 0.2, 45: 0.2, 47: 0.4, 61: 0.2}
    # From 46 itself the museum's witnesses saw him; those of Madame Tussauds would have seen him on 47.
    assert set(found[2]) == {33, 45, 61}
    assert set(found[3]) == {33}
    assert set(found[4]) == {33, 45, 47, 61}


async def test_a_log_promises_all_four_actions_without_a_view(yard: Yard) -> None:
    """Four stations. Locate parts 33 and 45 from 47 and from 61. Of the 16 distances that a Scan may tell, two are 4,
    two 5, three 6, five 12, two 14, which 2, 2, 3, 4 and 2 of the stations have, and one each 3 and 10. The museum's
    witnesses part 33, now, from 45 and 61, a move ago; with those of Madame Tussauds they tell of 47.
    """
    (found,) = await locations(yard, app_log((TAXI, 46), (TAXI, None), prospects=True))
    assert {each.action: each.exact_stations for each in found.prospects} == {
        SPECIAL_ACTION_ANALYSIS: "4",
        SPECIAL_ACTION_LOCATE: "3/2",
        SPECIAL_ACTION_SCAN: "43/16",
        SPECIAL_ACTION_INTERROGATION: "3/2",
    }


def fly_twice(log: deduction_pb2.PublicLog) -> None:
    """The game has one ticket, which nobody counted."""
    for this in (log.rounds[0], log.rounds.add()):
        del this.rides[:]
        this.rides.add(ticket=move_pb2.TICKET_HELICOPTER)


def ask_without_special_actions(log: deduction_pb2.PublicLog) -> None:
    """Prospects of a game in which nobody asks the app."""
    log.master.actions_per_round = 0
    log.prospects = True


def ask_without_the_app(log: deduction_pb2.PublicLog) -> None:
    """Prospects of a game that is played without it."""
    log.ClearField("master")
    log.prospects = True


Spoil = Callable[[deduction_pb2.PublicLog], object]

WRONG_LOGS: Sequence[tuple[str, Spoil]] = [
    ("rounds[0].answers", lambda log: log.ClearField("master")),
    ("prospects", ask_without_the_app),
    ("rounds[0].answers", lambda log: setattr(log.master, "actions_per_round", 0)),
    ("prospects", ask_without_special_actions),
    (
        "rounds[0].answers[0].located.nearness",
        lambda log: log.rounds[0].answers[0].located.nearness.append(NEARNESS_NEAR),
    ),
    (
        "rounds[0].answers[1].interrogated.question_marks.landmarks[0]",
        lambda log: log.rounds[0].answers.add().interrogated.question_marks.landmarks.append("The Moon"),
    ),
    (
        "rounds[0].answers[1].statement_heard.landmark",
        lambda log: (
            log.rounds[0]
            .answers.add()
            .statement_heard.CopyFrom(master_pb2.StatementHeard(landmark="King's Cross", moves_ago=0))
        ),
    ),
    ("rounds[0].answers[1].kind", lambda log: log.rounds[0].answers.add()),
    (
        "rounds[0].answers[1].interrogated.question_marks",
        lambda log: log.rounds[0].answers.add().interrogated.SetInParent(),
    ),
    (
        "rounds[0].answers[1].interrogated.question_marks.landmarks[1]",
        lambda log: log.rounds[0].answers.add().interrogated.question_marks.landmarks.extend(["King's Cross"] * 2),
    ),
    ("rounds[0].answers[1].scanned.distance", lambda log: setattr(log.rounds[0].answers.add().scanned, "distance", -1)),
    ("master.locate_medium", lambda log: setattr(log.master, "locate_near", 10)),
    ("master.masts.stations[1]", lambda log: log.master.masts.stations.extend([13, 200])),
    (
        "master.landmarks.landmarks[0].stations[0]",
        lambda log: log.master.landmarks.landmarks.add(name="Nowhere", stations=[200]),
    ),
    ("rounds[1].helicopter_tickets", fly_twice),
]


@pytest.mark.parametrize(("field", "spoil"), WRONG_LOGS, ids=[field for field, _ in WRONG_LOGS])
async def test_answers_and_numbers_that_no_app_has_are_refused_by_their_field(
    yard: Yard, field: str, spoil: Spoil
) -> None:
    log = app_log((TAXI, None))
    log.rounds[0].answers.add().located.nearness.extend([NEARNESS_NEAR] * 4)
    spoil(log)
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await locations(yard, deduction_pb2.PublicLog(), log)
    assert refusal.fields == [f"logs[1].{field}"]
