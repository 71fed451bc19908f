"""The rules, one by one: what each allows, and what it forbids."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.chance import ScriptedChance, SeededChance
from whitehall.games.cluedo import events as happened
from whitehall.games.cluedo import rulebook
from whitehall.games.cluedo.card import Card, Case, card, case, location, suspect
from whitehall.games.cluedo.edition import resolve
from whitehall.games.cluedo.game import game
from whitehall.games.cluedo.moves import Accuse, Dice, EndTurn, Enter, Move, Pass, Passage, Roll, Show, Suggest, Walk
from whitehall.games.cluedo.options import AccusationMoment, DiceSource, Movement
from whitehall.games.cluedo.overrides import Overrides
from whitehall.games.cluedo.place import Place, Square
from whitehall.games.cluedo.state import CluedoState, Phase
from whitehall.games.core.fault import OptionsError
from whitehall.games.core.rule import Rule
from whitehall.games.core.seat import Seat

S1, S2, S3 = suspect(1), suspect(2), suspect(3)


def dealt(
    players: int = 3, pawns: dict[int, Place] | None = None, changes: Overrides | None = None, **facts: Any
) -> CluedoState:
    """A game just dealt, with pawns put elsewhere and other facts changed."""
    options = resolve("james-bond", players, None, changes or Overrides())
    state, _ = game.setup(options, SeededChance(1))
    places = list(state.pawns)
    for number, place in (pawns or {}).items():
        places[number - 1] = place
    return state._replace(pawns=tuple(places), **facts)


def walking(pips: tuple[int, int], pawns: dict[int, Place], changes: Overrides | None = None) -> CluedoState:
    """Seat 0 has rolled."""
    return dealt(pawns=pawns, changes=changes, phase=Phase.MOVE, dice=Dice(*pips))


def refusals(state: CluedoState, move: Move, seat: int = 0) -> list[Rule]:
    return [violation.rule for violation in game.violations(state, Seat(seat), move)]


def refusal(state: CluedoState, move: Move, seat: int = 0) -> Rule | None:
    found = game.check(state, Seat(seat), move)
    return None if found is None else found.rule


def play(state: CluedoState, move: Move, seat: int = 0) -> tuple[CluedoState, tuple[Any, ...]]:
    return game.apply(state, Seat(seat), move, ScriptedChance([]))


def holding(state: CluedoState, words: str) -> Seat | None:
    return next((Seat(seat) for seat, hand in enumerate(state.hands) if card(words) in hand), None)


def wrong(state: CluedoState) -> Case:
    return next(each for each in state.options.cases if each != state.envelope)


# --- whose turn it is -----------------------------------------------------------------------------------------------


def test_a_seat_moves_its_own_pawn_in_its_turn_and_nobody_once_the_game_is_over() -> None:
    state = dealt()
    assert refusals(state, Roll(S2)) == [rulebook.OWN_PAWN]
    assert refusals(state, Roll(S2), 1) == [rulebook.IN_TURN]
    assert refusals(state, Roll(S1)) == []
    over, _ = play(state, Accuse(S1, state.envelope))
    assert refusals(over, Roll(S1)) == [rulebook.GAME_IS_OVER]


def test_a_turn_begins_with_one_roll_and_the_pawn_walks_after_it() -> None:
    state = dealt()
    assert refusal(state, Walk(S1, Square(18, 7))) is rulebook.ROLL_FIRST
    assert refusal(state, EndTurn(S1)) is rulebook.END_WHEN_MOVED
    rolled, events = game.apply(state, Seat(0), Roll(S1), ScriptedChance([2, 3]))
    assert events == (happened.Rolled(S1, Dice(3, 4)),)
    assert refusal(rolled, Roll(S1)) is rulebook.ONE_WAY_TO_MOVE


def test_a_suggestion_is_answered_before_anything_else() -> None:
    state = dealt(pawns={1: location(3)}, phase=Phase.SUGGEST)
    named = case(f"{state.hands[1][0].word if state.hands[1][0].word[0] == 'S' else 'S6'} W1 L3")
    state, _ = play(state, Suggest(S1, named))
    if state.phase == Phase.SHOW:
        assert refusal(state, EndTurn(S1)) is rulebook.ANSWER_FIRST


def test_who_accused_wrongly_takes_no_turns_and_the_others_play_on() -> None:
    state = dealt()
    state, events = play(state, Accuse(S1, wrong(state)))
    assert happened.Eliminated(Seat(0)) in events
    assert game.to_move(state) == (1,)
    assert refusal(state, Roll(S1)) is rulebook.OUT_OF_THE_RUNNING


# --- dice -----------------------------------------------------------------------------------------------------------


def test_the_service_rolls_or_the_table_does_as_the_game_was_made() -> None:
    assert refusal(dealt(), Roll(S1, Dice(1, 2))) is rulebook.SERVICE_ROLLS
    table = dealt(changes=Overrides(dice=DiceSource.PHYSICAL))
    assert refusal(table, Roll(S1)) is rulebook.TABLE_ROLLS
    assert refusal(table, Roll(S1, Dice(0, 7))) is rulebook.TABLE_ROLLS
    assert refusal(table, Roll(S1, Dice(6, 6))) is None


# --- walking --------------------------------------------------------------------------------------------------------


def test_a_pawn_walks_along_corridors_and_never_diagonally() -> None:
    state = walking((1, 1), {1: Square(17, 3)})
    assert refusal(state, Walk(S1, Square(17, 5))) is None
    assert refusal(state, Walk(S1, Square(20, 2))) is rulebook.ALONG_CORRIDORS
    assert refusal(state, Walk(S1, Square(17, 5), (Square(16, 4),))) is rulebook.ALONG_CORRIDORS


def test_no_pawn_steps_on_another_one_s_square_nor_twice_on_one() -> None:
    state = walking((1, 1), {1: Square(17, 3), 2: Square(17, 5)})
    assert refusal(state, Walk(S1, Square(17, 5))) is rulebook.NO_OCCUPIED_SQUARE
    assert refusal(state, Walk(S1, Square(17, 6), (Square(17, 4), Square(17, 5)))) is rulebook.NO_OCCUPIED_SQUARE
    state = walking((1, 2), {1: Square(17, 3)})
    back = Walk(S1, Square(17, 4), (Square(17, 4), Square(17, 5)))
    assert refusal(state, back) is rulebook.NO_SQUARE_TWICE


def test_the_whole_roll_is_walked_or_up_to_all_of_it_as_the_game_was_made() -> None:
    pawns: dict[int, Place] = {1: Square(17, 3)}
    assert refusal(walking((1, 2), pawns), Walk(S1, Square(17, 5))) is rulebook.WHOLE_ROLL
    up_to = walking((1, 2), pawns, Overrides(movement=Movement.UP_TO))
    assert refusal(up_to, Walk(S1, Square(17, 4))) is None
    assert refusal(up_to, Walk(S1, Square(17, 8))) is rulebook.WITHIN_ROLL


def test_a_way_that_is_told_is_as_long_as_the_roll_allows_and_not_a_step_longer() -> None:
    up_to = walking((1, 1), {1: Square(17, 3)}, Overrides(movement=Movement.UP_TO))
    assert refusal(up_to, Walk(S1, Square(17, 5), (Square(17, 4),))) is None
    assert refusal(up_to, Walk(S1, Square(17, 6), (Square(17, 4), Square(17, 5)))) is rulebook.WITHIN_ROLL


def test_a_way_that_is_told_ends_in_front_of_a_door_of_that_room_with_a_pip_for_the_step() -> None:
    to_the_door = (Square(17, 5), Square(17, 6), Square(16, 6))
    pawns: dict[int, Place] = {1: Square(17, 4)}
    assert refusal(walking((1, 3), pawns), Enter(S1, location(9), to_the_door)) is None
    assert refusal(walking((1, 2), pawns), Enter(S1, location(9), to_the_door)) is rulebook.THROUGH_A_DOOR
    assert refusal(walking((6, 6), pawns), Enter(S1, location(9), to_the_door[:2])) is rulebook.THROUGH_A_DOOR
    for number in range(1, 9):
        assert refusal(walking((6, 6), pawns), Enter(S1, location(number), to_the_door)) is rulebook.THROUGH_A_DOOR


def test_a_room_is_entered_through_a_door_with_a_pip_for_the_step_and_spare_pips_are_lost() -> None:
    """Roll 9, a door four pips away: the pawn stops inside, and five pips are lost."""
    state = walking((4, 5), {1: Square(17, 4)})
    state, events = play(state, Enter(S1, location(9)))
    assert isinstance(events[0], happened.Entered)
    assert (events[0].path[-1], state.phase) == (Square(16, 6), Phase.SUGGEST)
    assert refusal(walking((1, 1), {1: Square(17, 4)}), Enter(S1, location(9))) is rulebook.THROUGH_A_DOOR


def test_the_room_just_left_is_not_entered_again() -> None:
    state = walking((5, 6), {1: location(2)})
    assert refusal(state, Enter(S1, location(2))) is rulebook.NOT_BACK_IN


def test_a_pawn_in_front_of_the_only_door_shuts_the_room_but_not_its_passage() -> None:
    state = dealt(pawns={1: location(1), 2: Square(7, 4)})
    assert refusal(state, Passage(S1, location(6))) is None
    assert refusal(state, Passage(S1, location(8))) is rulebook.PASSAGE_LEADS_THERE
    state, events = game.apply(state, Seat(0), Roll(S1), ScriptedChance([5, 5]))
    assert events[1:3] == (
        happened.Stuck(S1),
        happened.TurnEnded(Seat(0), happened.TurnEndReason.NOTHING_LEFT),
    )


# --- suggestions ----------------------------------------------------------------------------------------------------


def test_a_suggestion_is_made_in_the_room_where_the_pawn_has_just_come() -> None:
    arrived = dealt(pawns={1: location(3)}, phase=Phase.SUGGEST)
    assert refusal(arrived, Suggest(S1, case("S4 W2 L3"))) is None
    assert refusal(arrived, Suggest(S1, case("S4 W2 L5"))) is rulebook.THIS_ROOM
    assert refusal(arrived, Suggest(S1, Case(suspect(9), card("W2"), location(3)))) is rulebook.CARDS_OF_THE_GAME
    assert refusal(dealt(phase=Phase.CLOSE), Suggest(S1, case("S4 W2 L3"))) is rulebook.IN_A_ROOM


def test_who_walked_in_earlier_may_not_suggest_again_but_who_was_called_in_may() -> None:
    stays = dealt(pawns={1: location(8)})
    assert refusal(stays, Suggest(S1, case("S4 W2 L8"))) is rulebook.ON_ARRIVAL
    assert refusal(stays._replace(called=(S1,)), Suggest(S1, case("S4 W2 L8"))) is None


def test_a_pawn_that_stands_in_the_room_already_gains_no_right_by_being_named() -> None:
    state = dealt(pawns={1: location(8), 2: location(8)}, phase=Phase.SUGGEST)
    after, _ = play(state, Suggest(S1, case("S2 W2 L8")))
    assert after.called == ()
    called, _ = play(state, Suggest(S1, case("S3 W2 L8")))
    assert called.called == (S3,)


def test_who_has_accused_wrongly_gains_no_right_when_the_pawn_is_called_in() -> None:
    """No turn will come in which to use it."""
    state = dealt(pawns={1: location(8)}, phase=Phase.SUGGEST, eliminated=(Seat(2),))
    after, events = play(state, Suggest(S1, case("S3 W2 L8")))
    assert happened.CalledIn(S3, location(8)) in events
    assert after.pawns[2] == location(8)
    assert after.called == ()
    assert play(state, Suggest(S1, case("S2 W2 L8")))[0].called == (S2,)


def test_a_right_to_suggest_is_gone_once_its_seat_has_accused_wrongly() -> None:
    state = dealt(pawns={1: location(8)}, called=(S1, S2))
    after, _ = play(state, Accuse(S1, wrong(state)))
    assert after.called == (S2,)


# --- answers --------------------------------------------------------------------------------------------------------


def asked() -> tuple[CluedoState, Card, Seat]:
    """Seat 0 has suggested in room 3, and the next seat holds the weapon."""
    state = dealt(pawns={1: location(3)}, phase=Phase.SUGGEST)
    for number in range(1, 7):
        if holding(state, f"W{number}") == 1:
            named = Case(suspect(1), card(f"W{number}"), location(3))
            after, _ = play(state, Suggest(S1, named))
            return after, named.weapon, Seat(1)
    raise AssertionError("seat 1 holds no weapon")


def test_the_first_seat_that_holds_a_card_shows_one_of_those_that_were_suggested() -> None:
    state, weapon, seat = asked()
    assert game.to_move(state) == (seat,)
    assert refusal(state, Show(S1, weapon)) is rulebook.WHEN_ASKED
    unnamed = next(each for each in state.hands[seat] if each not in state.suggestions[-1].case)
    assert refusal(state, Show(S2, unnamed), seat) is rulebook.SUGGESTED_CARD
    missing = next(each for each in state.suggestions[-1].case if each not in state.hands[seat])
    assert refusal(state, Show(S2, missing), seat) is rulebook.OWN_CARD
    assert refusal(state, Pass(S2), seat) is rulebook.WHO_CAN_SHOW_MUST
    after, events = play(state, Show(S2, weapon), seat)
    assert events == (happened.Refuted(seat, Seat(0), weapon),)
    assert after.phase == Phase.CLOSE


def test_an_eliminated_seat_goes_on_showing_cards() -> None:
    state, weapon, seat = asked()
    assert refusal(state._replace(eliminated=(seat,)), Show(S2, weapon), seat) is None


# --- accusations and the end ----------------------------------------------------------------------------------------


def test_a_seat_accuses_at_the_start_of_its_turn_or_after_its_suggestion_or_at_any_time_as_the_game_was_made() -> None:
    state = walking((1, 2), {1: Square(17, 3)})
    assert refusal(state, Accuse(S1, wrong(state))) is rulebook.ACCUSATION_MOMENT
    any_time = walking((1, 2), {1: Square(17, 3)}, Overrides(accusations=AccusationMoment.ANY_TIME))
    assert refusal(any_time, Accuse(S1, wrong(any_time))) is None
    closing = dealt(phase=Phase.CLOSE)
    assert refusal(closing, Accuse(S1, wrong(closing))) is None


def test_who_names_the_envelope_wins_and_when_all_were_wrong_nobody_does() -> None:
    state = dealt(2)
    won, _ = play(state, Accuse(S1, state.envelope))
    assert won.outcome is not None
    assert (won.outcome.winners, won.outcome.rule) == ((0,), rulebook.RIGHT_ACCUSATION)
    state, _ = play(state, Accuse(S1, wrong(state)))
    assert state.outcome is None, "the last one still has to solve it"
    lost, _ = play(state, Accuse(S2, wrong(state)), 1)
    assert lost.outcome is not None
    assert (lost.outcome.winners, lost.outcome.rule) == ((), rulebook.NOBODY_LEFT)


def test_a_wrong_accuser_s_pawn_clears_the_door() -> None:
    state = dealt(pawns={1: Square(20, 17)})
    state, events = play(state, Accuse(S1, wrong(state)))
    assert happened.DoorCleared(S1, location(6)) in events
    assert state.pawns[0] == location(6)


# --- options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "players", "seats", "changes", "field", "rule"),
    [
        ("spectre", 3, None, Overrides(), "preset", rulebook.KNOWN_PRESET),
        ("james-bond", 7, None, Overrides(), "players", rulebook.TWO_TO_SIX),
        ("james-bond", 2, [S1, S1], Overrides(), "seats[1].pawn", rulebook.TWO_TO_SIX),
        ("james-bond", 3, None, Overrides(board="moon"), "overrides.board", rulebook.KNOWN_BOARD),
        ("james-bond", 3, None, Overrides(neutral_cards=2), "overrides.neutral_cards", rulebook.NEUTRAL_FOR_TWO),
        ("james-bond", 3, None, Overrides(first_dealt=3), "overrides.first_dealt", rulebook.DEALT_FIRST),
        ("james-bond", 3, None, Overrides(weapons=tuple("abcdefghijklm")), "overrides", rulebook.CARDS_FOR_ALL),
        ("james-bond", 3, None, Overrides(suspects=tuple("abcdefg")), "overrides.suspects", rulebook.START_FOR_ALL),
        ("james-bond", 3, None, Overrides(neutral_cards=0), "overrides.neutral_cards", rulebook.NEUTRAL_FOR_TWO),
        (
            "james-bond",
            3,
            None,
            Overrides(weapons=("Épée", "E\N{COMBINING ACUTE ACCENT}pe\N{COMBINING ACUTE ACCENT}e")),
            "overrides.weapons",
            rulebook.NAMES_DIFFER,
        ),
        ("james-bond", 3, None, Overrides(weapons=("a", "a")), "overrides.weapons", rulebook.NAMES_DIFFER),
    ],
)
def test_options_that_cannot_make_a_game_are_refused_with_their_rule(
    preset: str, players: int, seats: list[Card] | None, changes: Overrides, field: str, rule: Rule
) -> None:
    with pytest.raises(OptionsError) as refused:
        resolve(preset, players, seats, changes)
    assert (refused.value.field, refused.value.rule) == (field, rule)


@pytest.mark.parametrize(
    ("players", "sizes"), [(2, (9, 9)), (3, (6, 6, 6)), (4, (5, 5, 4, 4)), (5, (4, 4, 4, 3, 3)), (6, (3,) * 6)]
)
def test_all_cards_but_three_go_round(players: int, sizes: tuple[int, ...]) -> None:
    assert tuple(len(hand) for hand in dealt(players).hands) == sizes
