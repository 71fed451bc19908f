"""Whole games of Cluedo over gRPC, as every seat, the spectators and the host see them."""

from __future__ import annotations

from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToJson

from tests.api.cluedo import Mansion, case_text
from tests.api.refusals import refused
from tests.api.table import Yard, bearing
from whitehall.api import positions
from whitehall.cli.verification import Verdict, verify
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.gen.whitehall.cluedo.v1 import (
    deduction_pb2,
    game_pb2,
    move_pb2,
    options_pb2,
    position_pb2,
    service_pb2,
)
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2


@pytest.fixture
def mansion(yard: Yard) -> Mansion:
    return Mansion(yard.channel)


def happened(history: list[game_pb2.Revision], kind: str) -> list[Any]:
    """The events of one kind, in order."""
    events = [event for revision in history for event in revision.events]
    return [getattr(event, kind) for event in events if event.HasField(kind)]  # type: ignore[arg-type]


@pytest.mark.parametrize("players", [2, 3, 6])
async def test_a_whole_game_is_played_and_each_seat_knows_what_it_may(mansion: Mansion, players: int) -> None:
    table = await mansion.table(players, allow_spectators=True)
    hands = [list((await table.get(token)).view.hand) for token in table.seats]
    assert not (await table.get()).view.hand
    ended = await table.play_out(Random(players))
    outcome = ended.view.outcome
    assert ended.info.status == common_pb2.GAME_STATUS_ENDED
    assert (len(outcome.winners), outcome.rule) == (1, "CL-END-01")
    envelope = ended.view.envelope
    cards = [card for hand in hands for card in hand]
    assert sorted([*cards, envelope.suspect, envelope.weapon, envelope.location]) == sorted(
        [f"{letter}{number}" for letter, most in (("S", 6), ("W", 6), ("L", 9)) for number in range(1, most + 1)]
    )
    assert list(ended.view.hand_sizes) == [len(hand) for hand in hands]

    truth = happened(
        [game_pb2.Revision(events=each.events) for each in (await table.record()).record.revisions], "refuted"
    )
    for seat, token in enumerate([*table.seats, table.spectator, table.host]):
        view = (await table.get(token)).view
        for made in view.suggestions:
            knows = seat in (made.seat, made.refuter)
            assert made.HasField("card") == (made.HasField("refuter") and knows)
        told = happened(await table.history(token), "refuted")
        assert len(told) == len(truth) == sum(made.HasField("refuter") for made in view.suggestions)
        for shown, true in zip(told, truth, strict=True):
            assert shown.HasField("card") == (seat in (true.seat, true.suggester))
            if shown.HasField("card"):
                assert shown == true
        dealt = happened(await table.history(token), "dealt")
        assert [list(each.cards) for each in dealt] == [hand if n == seat else [] for n, hand in enumerate(hands)]
    assert not any(each.HasField("envelope") for each in happened(await table.history(table.spectator), "enclosed"))


async def test_the_record_is_genuine_as_text_and_as_message(mansion: Mansion) -> None:
    table = await mansion.table(3)
    await table.play_out(Random(7))
    answer = await table.record()
    for text in (answer.text, MessageToJson(answer), MessageToJson(answer.record)):
        assert verify(text).verdict is Verdict.GENUINE, verify(text)
    false = answer.text.replace("CL-END-01", "CL-END-02")
    assert verify(false).verdict is Verdict.FAULTY


async def test_a_wrong_accuser_sees_the_envelope_and_goes_on_showing_while_others_learn_only_that_it_was_wrong(
    mansion: Mansion,
) -> None:
    table = await mansion.table(3)
    own = (await table.get(table.seats[0])).view.hand
    suspect = next((card for card in own if card.startswith("S")), "S1")
    await table.play(0, f"accuse {suspect} W1 L1")
    views = [(await table.get(token)).view for token in table.seats]
    if views[0].HasField("outcome"):
        return  # a lucky guess, of one in 324
    assert [view.HasField("envelope") for view in views] == [True, False, False]
    assert list(views[1].eliminated) == [0]
    solutions = (await table.deduce(table.seats[0])).solutions
    assert [case_text(each.envelope) for each in solutions] == [case_text(views[0].envelope)]
    with refused("ILLEGAL_MOVE") as refusal:
        await table.play(0, "roll")
    assert refusal.metadata["rule"] == "CL-TURN-03"


async def test_legal_moves_give_every_place_in_reach_with_a_way_to_it_that_may_be_walked(mansion: Mansion) -> None:
    table = await mansion.table(2)
    await table.play(0, "roll")
    dice = (await table.get()).view.dice
    legal = await table.legal(0)
    assert legal.destinations
    for there in legal.destinations:
        if there.place.HasField("square"):
            assert there.pips == len(there.path) == dice.first + dice.second
            assert there.path[-1] == there.place.square
            move = move_pb2.Move(walk=move_pb2.Walk(square=there.place.square, via=there.path[:-1]))
        else:
            assert there.pips == len(there.path) + 1 <= dice.first + dice.second
            move = move_pb2.Move(enter=move_pb2.Enter(location=there.place.room, via=there.path))
        request = service_pb2.ValidateMoveRequest(game_id=table.game_id, move=move)
        assert (await table.calls.ValidateMove(request, metadata=bearing(table.seats[0]))).legal
    assert not (await table.legal(1)).destinations


async def test_with_physical_dice_seats_say_what_they_rolled_and_without_they_may_not(mansion: Mansion) -> None:
    physical = options_pb2.Options(dice=options_pb2.DICE_SOURCE_PHYSICAL)
    table = await mansion.table(2, overrides=physical)
    assert (await table.legal(0)).roll.physical
    with refused("ILLEGAL_MOVE") as refusal:
        await table.play(0, "roll")
    assert refusal.metadata["rule"] == "CL-DICE-02"
    await table.play(0, "roll 4 5")
    assert (await table.get()).view.dice == move_pb2.Dice(first=4, second=5)
    usual = await mansion.table(2)
    with refused("ILLEGAL_MOVE") as refusal:
        await usual.play(0, "roll 4 5")
    assert refusal.metadata["rule"] == "CL-DICE-01"


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (service_pb2.CreateGameRequest(preset="james-bond", players=7), "players"),
        (service_pb2.CreateGameRequest(preset="spectre", players=3), "preset"),
        (
            service_pb2.CreateGameRequest(
                preset="james-bond", players=3, overrides=options_pb2.Options(neutral_cards=4)
            ),
            "overrides.neutral_cards",
        ),
        (
            service_pb2.CreateGameRequest(
                preset="james-bond",
                players=2,
                seats=[service_pb2.SeatSetup(pawn="S1"), service_pb2.SeatSetup(pawn="S1")],
            ),
            "seats[1].pawn",
        ),
        (
            service_pb2.CreateGameRequest(
                preset="james-bond",
                players=2,
                overrides=options_pb2.Options(weapons=options_pb2.Names(names=["a", "a"])),
            ),
            "overrides.weapons",
        ),
        (
            service_pb2.CreateGameRequest(preset="james-bond", players=2, seats=[service_pb2.SeatSetup(pawn="W1")]),
            "seats[0].pawn",
        ),
    ],
)
async def test_a_game_that_cannot_be_is_refused_by_the_name_of_the_field(
    mansion: Mansion, request_: service_pb2.CreateGameRequest, field: str
) -> None:
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await mansion.games.CreateGame(request_)
    assert refusal.metadata["field"] == field


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (move_pb2.Move(), "move.kind"),
        (move_pb2.Move(show=move_pb2.Show(card="X1")), "move.show.card"),
        (move_pb2.Move(suggest=move_pb2.Suggest(suspect="W1", weapon="W1", location="L1")), "move.suggest.suspect"),
        (move_pb2.Move(walk=move_pb2.Walk()), "move.walk.square"),
        (move_pb2.Move(roll=move_pb2.Roll(dice=move_pb2.Dice(first=7, second=1))), "move.roll.dice.first"),
        (move_pb2.Move(text="fly L3"), "move.text"),
    ],
)
async def test_a_move_that_is_none_is_refused_by_the_name_of_the_field(
    mansion: Mansion, move: move_pb2.Move, field: str
) -> None:
    table = await mansion.table(2)
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await table.play(0, move)
    assert refusal.metadata["field"] == field


async def test_the_catalog_lists_preset_board_and_rules(yard: Yard, mansion: Mansion) -> None:
    (preset,) = (await yard.catalog.ListPresets(catalog_pb2.ListPresetsRequest(game="cluedo"))).presets
    assert (preset.name, list(preset.players)) == ("james-bond", [2, 3, 4, 5, 6])
    options = set(options_pb2.Options.DESCRIPTOR.fields_by_name)
    assert options == {parameter.name for parameter in preset.parameters if parameter.allowed}
    board = (await yard.catalog.GetBoard(catalog_pb2.GetBoardRequest(name="mansion"))).board
    kinds = [kind for place in board.places for kind in place.kinds]
    assert (kinds.count("corridor"), kinds.count("start"), kinds.count("room")) == (188, 6, 9)
    lines = [line.kind for line in board.lines]
    assert (lines.count("door"), lines.count("passage"), len(board.rows)) == (17, 2, 25)


# --- questions without a game ---------------------------------------------------------------------------------------


async def test_reachable_places_are_those_of_the_notes_on_the_classic_board(mansion: Mansion) -> None:
    """Start a with an exact 7, the others on their starts: 7 squares and rooms; up to 7: 14."""
    others = [(17, 0), (0, 9), (0, 14), (6, 23), (19, 23)]
    found = []
    for movement in (options_pb2.MOVEMENT_EXACT, options_pb2.MOVEMENT_UP_TO):
        placement = position_pb2.Placement(
            place=move_pb2.Place(square=move_pb2.Square(row=24, column=7)),
            occupied=[move_pb2.Square(row=row, column=column) for row, column in others],
            pips=7,
            movement=movement,
        )
        request = position_pb2.ListReachablePlacesRequest(placements=[placement])
        (places,) = (await mansion.positions.ListReachablePlaces(request)).places
        found.append(len([there for there in places.destinations if there.place.HasField("square")]))
    assert found == [7, 14]


def a_log(**fields: Any) -> deduction_pb2.SuggestionLog:
    """Six seats; seat 0 holds S1 W1 L1."""
    return deduction_pb2.SuggestionLog(players=6, seat=0, hand=["S1", "W1", "L1"], **fields)


def asked(seat: int, words: str, passed: list[int], **answer: Any) -> deduction_pb2.LoggedEvent:
    suspect, weapon, location = words.split()
    return deduction_pb2.LoggedEvent(
        suggestion=deduction_pb2.LoggedSuggestion(
            seat=seat, suspect=suspect, weapon=weapon, location=location, passed=passed, **answer
        )
    )


async def test_possible_solutions_are_counted_exactly_and_a_certainty_is_explained(mansion: Mansion) -> None:
    """Reference answer N12: I suggest S2 W1 L2 and nobody shows."""
    explain = [deduction_pb2.Conclusion(card="S2", envelope=True), deduction_pb2.Conclusion(card="W2", seat=3)]
    log = a_log(events=[asked(0, "S2 W1 L2", [1, 2, 3, 4, 5])], explain=explain)
    request = position_pb2.ListPossibleSolutionsRequest(logs=[log])
    (found,) = (await mansion.positions.ListPossibleSolutions(request)).solutions
    assert found.deals == "840840000"
    assert {(each.envelope.suspect, each.envelope.location) for each in found.solutions} == {("S2", "L2")}
    assert [(each.certain, list(each.events)) for each in found.explanations] == [(True, [0]), (False, [])]


async def test_a_log_that_contradicts_itself_is_refused_by_its_first_such_event(mansion: Mansion) -> None:
    events = [
        asked(1, "S2 W2 L2", [2, 3], refuter=4),
        asked(0, "S3 W1 L1", [1, 2, 3, 4, 5]),
        asked(1, "S3 W3 L3", [], refuter=2),
        asked(0, "S4 W1 L1", [1, 2, 3, 4, 5]),
        asked(2, "S5 W5 L5", [3]),
    ]
    request = position_pb2.ListPossibleSolutionsRequest(logs=[a_log(), a_log(events=events)])
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await mansion.positions.ListPossibleSolutions(request)
    assert refusal.metadata["field"] == "logs[1].events[3]"


async def test_a_log_that_cannot_be_is_refused_by_the_name_of_its_field(mansion: Mansion) -> None:
    request = position_pb2.ListPossibleSolutionsRequest(logs=[a_log(events=[asked(1, "S2 W2 L2", [3])])])
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await mansion.positions.ListPossibleSolutions(request)
    assert refusal.metadata["field"] == "logs[0].events[0].suggestion.passed[0]"


async def test_abandoning_a_game_opens_the_record_and_no_view(mansion: Mansion) -> None:
    table = await mansion.table()
    request = service_pb2.AbandonGameRequest(game_id=table.game_id)
    await mansion.games.AbandonGame(request, metadata=bearing(table.host))
    for token in (table.host, *table.seats):
        assert not (await table.get(token)).view.HasField("envelope")
    asked_for = service_pb2.GetRecordRequest(game_id=table.game_id)
    answer = await mansion.games.GetRecord(asked_for, metadata=bearing(table.seats[0]))
    # The envelope is what the first three draws say.
    assert len(answer.record.revisions[0].draws) > 3


async def test_a_conclusion_about_nobody_is_refused_by_the_field_that_names_the_seat(mansion: Mansion) -> None:
    log = a_log(explain=[deduction_pb2.Conclusion(card="S2", seat=0), deduction_pb2.Conclusion(card="S2", seat=5)])
    log.players = 3
    log.hand.extend(["S3", "S4", "S5"])
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await mansion.positions.ListPossibleSolutions(position_pb2.ListPossibleSolutionsRequest(logs=[log]))
    assert refusal.fields == ["logs[0].explain[1].seat"]


async def test_who_goes_on_after_a_wrong_accusation_is_refused_by_its_field(mansion: Mansion) -> None:
    accusation = deduction_pb2.LoggedAccusation(seat=1, suspect="S2", weapon="W2", location="L2")
    wrong = deduction_pb2.LoggedEvent(wrong_accusation=accusation)
    for event, field in ((wrong, "wrong_accusation.seat"), (asked(1, "S2 W2 L3", [2]), "suggestion.seat")):
        request = position_pb2.ListPossibleSolutionsRequest(logs=[a_log(events=[wrong, event])])
        with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
            await mansion.positions.ListPossibleSolutions(request)
        assert refusal.fields == [f"logs[0].events[1].{field}"]


async def test_who_has_accused_wrongly_knows_the_envelope_of_its_log_by_that_event(mansion: Mansion) -> None:
    accusation = deduction_pb2.LoggedAccusation(seat=0, suspect="S2", weapon="W2", location="L2")
    accusation.envelope.CopyFrom(move_pb2.Case(suspect="S2", weapon="W2", location="L3"))
    log = a_log(
        events=[
            asked(1, "S4 W4 L4", [2, 3, 4, 5, 0]),
            deduction_pb2.LoggedEvent(wrong_accusation=accusation),
        ],
        explain=[deduction_pb2.Conclusion(card="L3", envelope=True)],
    )
    answer = await mansion.positions.ListPossibleSolutions(position_pb2.ListPossibleSolutionsRequest(logs=[log]))
    (found,) = answer.solutions
    assert [case_text(solution.envelope) for solution in found.solutions] == ["S2 W2 L3"]
    assert found.explanations[0].certain
    assert list(found.explanations[0].events) == [1]


@pytest.mark.parametrize(
    ("envelope", "field"),
    [
        (("S2", "W2", "L2"), "events[0].wrong_accusation.envelope"),
        (("S1", "W2", "L3"), "events[0].wrong_accusation.envelope.suspect"),
        (("S2", "W7", "L3"), "events[0].wrong_accusation.envelope.weapon"),
        (("S2", "W2", ""), "events[0].wrong_accusation.envelope.location"),
        (("S2", "W3", "L3"), "events[1]"),
    ],
)
async def test_an_envelope_that_nobody_can_have_seen_is_refused_by_its_field(
    mansion: Mansion, envelope: tuple[str, str, str], field: str
) -> None:
    suspect, weapon, location = envelope
    accusation = deduction_pb2.LoggedAccusation(seat=0, suspect="S2", weapon="W2", location="L2")
    accusation.envelope.CopyFrom(move_pb2.Case(suspect=suspect, weapon=weapon, location=location))
    shown = asked(1, "S4 W3 L4", [], refuter=2, card="W3")
    log = a_log(events=[deduction_pb2.LoggedEvent(wrong_accusation=accusation), shown])
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await mansion.positions.ListPossibleSolutions(position_pb2.ListPossibleSolutionsRequest(logs=[log]))
    assert refusal.fields == [f"logs[0].{field}"]


async def test_suggestions_are_valued_one_by_one_and_the_best_is_told_at_every_step(mansion: Mansion) -> None:
    request = position_pb2.ValueSuggestionsRequest(log=a_log(), location="L3")
    told = [message async for message in mansion.positions.ValueSuggestions(request, timeout=60)]
    assert [message.done for message in told] == list(range(1, 37))
    assert {message.total for message in told} == {36}
    values = [message.value.expected_solutions for message in told]
    for number, message in enumerate(told, 1):
        assert message.best.expected_solutions == min(values[:number])
    # Of five suspects, five weapons and eight locations each can be; a suggestion of own cards tells the least.
    assert all(1 <= value <= 200 for value in values)


async def test_valuing_ends_in_good_order_when_the_caller_has_no_more_time(
    mansion: Mansion, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So much of his time is kept for the last words that a busy machine does not use it up.
    monkeypatch.setattr(positions, "FAREWELL_SHARE", 0.95)
    request = position_pb2.ValueSuggestionsRequest(
        log=deduction_pb2.SuggestionLog(players=6, seat=0, hand=["S1", "W1", "L1"])
    )
    told = [message async for message in mansion.positions.ValueSuggestions(request, timeout=5)]
    last = told[-1]
    assert last.total == 324
    assert last.done == len([message for message in told if message.HasField("value")])
    assert last.done == last.total or not last.HasField("value")


async def test_who_would_suggest_has_to_be_said(mansion: Mansion) -> None:
    request = position_pb2.ValueSuggestionsRequest(log=deduction_pb2.SuggestionLog(players=3))
    with refused("INVALID_FIELD") as refusal:
        async for _ in mansion.positions.ValueSuggestions(request):
            pass
    assert refusal.metadata["field"] == "log.seat"
