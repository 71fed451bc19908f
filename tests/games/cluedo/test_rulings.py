"""Situations that players dispute, each with its ruling. The numbers are those of the list of rulings."""

import pytest

from tests.games.cluedo.staged import play, refusal, say, staged, wrong_case
from whitehall.games.cluedo import rulebook
from whitehall.games.cluedo.card import card, case, location, suspect
from whitehall.games.cluedo.events import (
    Asked,
    CalledIn,
    DoorCleared,
    Entered,
    Event,
    GameEnded,
    Passed,
    Refuted,
    Revealed,
    Stuck,
    TurnBegan,
    TurnEnded,
    TurnEndReason,
    Unrefuted,
)
from whitehall.games.cluedo.game import game
from whitehall.games.cluedo.moves import Accuse, Enter, Passage, Roll, Suggest, Walk
from whitehall.games.cluedo.options import AccusationMoment, Leftovers, Movement
from whitehall.games.cluedo.overrides import Overrides
from whitehall.games.cluedo.place import Square
from whitehall.games.cluedo.state import CluedoState, Phase
from whitehall.games.core.seat import Seat

UP_TO = Overrides(movement=Movement.UP_TO)


def kinds(state: CluedoState, seat: int) -> set[type]:
    return {type(move) for move in game.legal_moves(state, Seat(seat))}


def happenings(events: tuple[Event, ...], kind: type) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


def test_ruling_1_a_walk_stops_inside_the_room_and_spare_pips_are_lost() -> None:
    """Roll 9, a door four pips away, counting the step in."""
    state = play(staged(3, pawns={1: "9,8"}), ("S1 roll", (4, 5)))
    state, events = say(state, "S1 enter L9")
    assert events == (Entered(suspect(1), location(9), (Square(10, 8), Square(11, 8), Square(12, 8))),)
    assert (state.pawns[0], state.phase) == (location(9), Phase.SUGGEST)


@pytest.mark.parametrize(("changes", "ends"), [(Overrides(), 4), (UP_TO, 9)])
def test_ruling_2_a_roll_of_five_from_start_e_has_so_many_ends(changes: Overrides, ends: int) -> None:
    state = staged(5, changes=changes, active=Seat(4))
    state = play(state, ("S5 roll", (2, 3)))
    moves = game.legal_moves(state, Seat(4))
    assert len([move for move in moves if isinstance(move, Walk)]) == len(moves) == ends


def test_ruling_3_the_room_left_by_one_door_is_not_entered_by_another_in_the_same_turn() -> None:
    state = play(staged(3, pawns={1: "L2"}), ("S1 roll", (6, 6)))
    assert refusal(state, "S1 enter L2") is rulebook.NOT_BACK_IN
    way = "S1 enter L2 via 5,7 6,7 7,7 8,7 8,8 8,9"
    assert refusal(state, way) is rulebook.NOT_BACK_IN


def test_ruling_4_a_pawn_before_the_only_door_shuts_it_both_ways_but_the_passage_is_open() -> None:
    state = staged(3, pawns={1: "L1", 2: "7,4", 3: "7,6"})
    assert refusal(state, "S1 passage L6") is None
    stuck, events = say(state, "S1 roll", (6, 6))
    assert happenings(events, Stuck) == [Stuck(suspect(1))]
    assert stuck.pawns[0] == location(1)
    outside = play(state._replace(active=Seat(2)), ("S3 roll", (6, 6)))
    assert refusal(outside, "S3 enter L1") is rulebook.THROUGH_A_DOOR


def test_ruling_5_who_is_shut_in_may_accuse_at_the_start_and_then_the_turn_passes() -> None:
    state = staged(3, pawns={1: "L5", 2: "13,20", 3: "16,16"})
    assert kinds(state, 0) == {Roll, Accuse}
    assert refusal(state, "S1 suggest S1 W1 L5") is rulebook.ON_ARRIVAL
    state, events = say(state, "S1 roll", (3, 4))
    assert TurnEnded(Seat(0), TurnEndReason.NOTHING_LEFT) in events
    assert (state.active, state.phase) == (1, Phase.START)


def called_into_8() -> CluedoState:
    """Seat 0 has called seat 1's pawn into slot 8, nobody could show, and seat 1's turn has begun."""
    state = staged(3, envelope="S2 W2 L8", pawns={1: "L8"}, phase=Phase.SUGGEST)
    return play(state, "S1 suggest S2 W2 L8", "S1 end")


def test_ruling_6_who_was_called_in_leaves_or_takes_the_passage_or_suggests_there_without_a_roll() -> None:
    state = called_into_8()
    assert state.called == (suspect(2),)
    assert kinds(state, 1) == {Roll, Passage, Suggest, Accuse}
    assert refusal(state, "S2 suggest S1 W1 L8") is None
    assert refusal(play(state, "S2 passage L3"), "S2 suggest S1 W1 L3") is None
    rolled = play(state, ("S2 roll", (1, 1)))
    assert refusal(rolled, "S2 suggest S1 W1 L8") is rulebook.ON_ARRIVAL


def test_ruling_6_who_rolled_and_could_not_leave_has_lost_the_right() -> None:
    state = called_into_8()
    state = state._replace(pawns=(Square(18, 6), *state.pawns[1:]))
    state, events = say(state, "S2 roll", (1, 1))
    assert happenings(events, Stuck)
    assert (state.active, state.called) == (2, ())


def test_ruling_7_who_is_in_the_room_already_gains_no_right_by_being_named() -> None:
    state = staged(3, envelope="S2 W2 L8", pawns={1: "L8", 2: "L8"}, phase=Phase.SUGGEST)
    state, events = say(state, "S1 suggest S2 W2 L8")
    assert not happenings(events, CalledIn)
    assert refusal(play(state, "S1 end"), "S2 suggest S1 W1 L8") is rulebook.ON_ARRIVAL


def test_ruling_8_who_walked_in_earlier_may_not_just_suggest() -> None:
    state = staged(3, pawns={1: "L8"})
    assert Suggest not in kinds(state, 0)
    assert refusal(state, "S1 suggest S1 W1 L8") is rulebook.ON_ARRIVAL


def test_ruling_9_the_right_of_who_was_called_in_is_used_up_by_suggesting() -> None:
    state = called_into_8()
    state = state._replace(hands=((), (), ()))
    state = play(state, "S2 suggest S2 W1 L8", "S2 end", ("S3 roll", (1, 2)))
    state = play(state, str(_a_walk(state, 2)))
    state = play(state, ("S1 roll", (1, 1)))
    state = play(state, str(_a_walk(state, 0)))
    assert (state.active, state.pawns[1]) == (1, location(8))
    assert refusal(state, "S2 suggest S1 W1 L8") is rulebook.ON_ARRIVAL


def _a_walk(state: CluedoState, seat: int) -> str:
    walk = next(move for move in game.legal_moves(state, Seat(seat)) if isinstance(move, Walk))
    return f"{walk.pawn.word} walk {walk.square.word}"


def test_ruling_10_three_cards_of_one_s_own_may_be_suggested_and_all_pass() -> None:
    state = staged(3, hands={0: "S3 W3 L3"}, pawns={1: "L3"}, phase=Phase.SUGGEST)
    state, events = say(state, "S1 suggest S3 W3 L3")
    assert events[-3:] == (Passed(Seat(1)), Passed(Seat(2)), Unrefuted(Seat(0)))
    assert state.phase == Phase.CLOSE


def test_ruling_11_an_eliminated_seat_answers_in_its_place_and_who_sits_behind_is_not_asked() -> None:
    """Seats 0 to 3: seat 2 suggests, seat 3 passes, seat 0 is eliminated but holds a card, seat 1 holds one too."""
    state = staged(
        4, hands={0: "W1", 1: "S1"}, pawns={3: "L9"}, phase=Phase.SUGGEST, active=Seat(2), eliminated=(Seat(0),)
    )
    state, events = say(state, "S3 suggest S1 W1 L9")
    assert [*happenings(events, Passed), *happenings(events, Asked)] == [Passed(Seat(3)), Asked(Seat(0))]
    assert game.to_move(state) == (0,)
    state, events = say(state, "S1 show W1")
    assert events == (Refuted(Seat(0), Seat(2), card("W1")),)


def test_ruling_12_who_holds_two_of_the_three_chooses_and_only_the_suggester_sees() -> None:
    state = staged(3, hands={1: "S1 L3"}, pawns={1: "L3"}, phase=Phase.SUGGEST)
    state = play(state, "S1 suggest S1 W6 L3")
    shown = [say(state, f"S2 show {word}") for word in ("S1", "L3")]
    for viewer in (None, Seat(2)):
        assert len({game.view(after, viewer) for after, _ in shown}) == 1
        assert len({tuple(game.event_view(event, viewer) for event in events) for _, events in shown}) == 1
    for (after, _), word in zip(shown, ("S1", "L3"), strict=True):
        assert game.view(after, Seat(0)).suggestions[-1].card == card(word)
        assert game.view(after, Seat(1)).suggestions[-1].card == card(word)


def test_ruling_13_after_a_suggestion_that_nobody_answers_the_suggester_accuses_or_ends() -> None:
    state = staged(3, envelope="S1 W1 L3", pawns={1: "L3"}, phase=Phase.SUGGEST)
    state = play(state, "S1 suggest S1 W1 L3")
    assert refusal(state, "S1 accuse S1 W1 L3") is None
    assert refusal(state, "S1 end") is None
    assert refusal(state, "S1 suggest S1 W1 L3") is rulebook.ON_ARRIVAL


def test_ruling_14_a_wrong_accusation_tells_the_others_only_that_not_all_three_are_right() -> None:
    """Two cards right or none: all but the accuser see the same."""
    close, far = staged(3, envelope="S6 W6 L9"), staged(3, envelope="S6 W5 L8")
    # The cards that change places lie in the accuser's own hand, so that the others' hands stay the same.
    own = {*close.envelope, *far.envelope}
    close = close._replace(hands=(tuple(sorted(own - set(close.envelope))), *close.hands[1:]))
    far = far._replace(hands=(tuple(sorted(own - set(far.envelope))), *close.hands[1:]))
    after = [say(each, "S1 accuse S6 W6 L8") for each in (close, far)]
    for viewer in (None, Seat(1), Seat(2)):
        assert len({game.view(state, viewer) for state, _ in after}) == 1
        assert len({tuple(game.event_view(event, viewer) for event in events) for _, events in after}) == 1
    assert [game.view(state, Seat(0)).envelope for state, _ in after] == [case("S6 W6 L9"), case("S6 W5 L8")]


def test_ruling_15_a_wrong_accuser_s_pawn_before_a_door_is_moved_into_the_room() -> None:
    state = staged(3, pawns={1: "20,17"})
    state, events = say(state, f"S1 accuse {wrong_case(state).word}")
    assert happenings(events, DoorCleared) == [DoorCleared(suspect(1), location(6))]
    assert state.pawns[0] == location(6)


def test_ruling_16_of_two_players_one_accuses_wrongly_and_the_other_still_has_to_solve_it() -> None:
    state = staged(2)
    state = play(state, f"S1 accuse {wrong_case(state).word}")
    assert (game.outcome(state), game.to_move(state)) == (None, (1,))
    state = play(state, ("S2 roll", (1, 1)), "S2 walk 17,2")
    assert game.to_move(state) == (1,), "alone, seat 1 has every turn"
    won = play(state, f"S2 accuse {state.envelope.word}")
    assert won.outcome is not None
    assert won.outcome.winners == (1,)


def test_ruling_17_when_the_last_active_player_is_wrong_nobody_wins_and_the_solution_is_shown() -> None:
    state = staged(2)
    wrong = wrong_case(state).word
    state, events = say(play(state, f"S1 accuse {wrong}"), f"S2 accuse {wrong}")
    assert events[-2] == Revealed(state.envelope)
    assert isinstance(events[-1], GameEnded)
    assert events[-1].outcome.winners == ()
    assert events[-1].outcome.rule is rulebook.NOBODY_LEFT
    assert game.view(state, None).envelope == state.envelope


def test_ruling_18_an_accusation_after_a_walk_is_refused_unless_the_game_allows_it_at_any_time() -> None:
    start = staged(3, pawns={1: "17,5"})
    state = play(start, ("S1 roll", (1, 1)))
    assert refusal(state, "S1 accuse S1 W1 L1") is rulebook.ACCUSATION_MOMENT
    arrived = staged(3, pawns={1: "L3"}, phase=Phase.SUGGEST)
    assert refusal(arrived, "S1 accuse S1 W1 L1") is rulebook.ACCUSATION_MOMENT
    state, events = say(state, "S1 walk 17,7")
    assert TurnBegan(2, Seat(1)) in events, "in a corridor nothing is left to choose"
    at_any_time = Overrides(accusations=AccusationMoment.ANY_TIME)
    state = play(staged(3, pawns={1: "17,5"}, changes=at_any_time), ("S1 roll", (1, 1)))
    assert refusal(state, "S1 accuse S1 W1 L1") is None
    state = play(state, "S1 walk 17,7")
    assert kinds(state, 0) == {Accuse, type(game.legal_moves(state, Seat(0))[-1])}
    assert refusal(state, "S1 end") is None


def test_ruling_19_no_passage_after_a_roll() -> None:
    state = play(staged(3, pawns={1: "L1"}), ("S1 roll", (3, 4)))
    assert refusal(state, "S1 passage L6") is rulebook.ONE_WAY_TO_MOVE


@pytest.mark.parametrize(
    ("players", "leftovers", "first", "sizes", "face_up"),
    [
        (4, Leftovers.DEALT, 0, (5, 5, 4, 4), 0),
        (4, Leftovers.DEALT, 3, (5, 4, 4, 5), 0),
        (4, Leftovers.FACE_UP, 0, (4, 4, 4, 4), 2),
        (5, Leftovers.FACE_UP, 0, (3, 3, 3, 3, 3), 3),
        (3, Leftovers.FACE_UP, 0, (6, 6, 6), 0),
        (6, Leftovers.FACE_UP, 0, (3, 3, 3, 3, 3, 3), 0),
    ],
)
def test_ruling_20_an_uneven_deal_tells_who_was_dealt_to_first_or_lays_cards_open(
    players: int, leftovers: Leftovers, first: int, sizes: tuple[int, ...], face_up: int
) -> None:
    state = staged(players, changes=Overrides(leftovers=leftovers, first_dealt=first))
    assert state.options.hand_sizes == sizes == tuple(map(len, state.hands))
    assert len(state.face_up) == face_up


def test_ruling_21_a_neutral_card_may_be_named_in_a_suggestion() -> None:
    hands = {0: "S2 S3 S4 S5 W2 W3 W4", 1: "W5 L1 L2 L3 L4 L5 L6"}
    state = staged(2, hands=hands, changes=Overrides(neutral_cards=4), pawns={1: "L3"}, phase=Phase.SUGGEST)
    assert state.options.hand_sizes == (7, 7)
    assert state.face_up == (card("S1"), card("W1"), card("L7"), card("L8"))
    assert refusal(state, "S1 suggest S1 W1 L3") is None


def test_ruling_22_asking_whether_an_accusation_is_legal_changes_nothing() -> None:
    """Nobody opens an accusation and cancels it: it is one move, and to check it leaves the turn as it was."""
    state = staged(3)
    before = state
    assert game.check(state, Seat(0), Accuse(suspect(1), state.envelope)) is None
    assert state == before
    assert kinds(state, 0) == {Roll, Accuse}


def test_a_call_into_another_room_keeps_the_right_and_a_second_naming_there_does_not_take_it() -> None:
    """Called into slot 8 and named there once more before its turn, a pawn keeps its right."""
    state = staged(4, envelope="S3 W2 L8", pawns={1: "L8", 2: "L8"}, phase=Phase.SUGGEST, called=(suspect(2),))
    state = play(state, "S1 suggest S3 W2 L8", "S1 end", "S2 suggest S3 W2 L8", "S2 end")
    assert state.called == (suspect(3),)
    assert refusal(state, "S3 suggest S3 W2 L8") is None


def test_pawns_that_nobody_plays_are_called_in_and_block_squares_but_never_move_by_themselves() -> None:
    state = staged(2, envelope="S6 W6 L3", pawns={1: "L3"}, phase=Phase.SUGGEST)
    state, events = say(state, "S1 suggest S6 W6 L3")
    assert happenings(events, CalledIn) == [CalledIn(suspect(6), location(3))]
    assert state.called == ()


def test_one_s_own_suspect_may_be_suggested() -> None:
    state = staged(3, pawns={1: "L3"}, phase=Phase.SUGGEST)
    assert refusal(state, "S1 suggest S1 W1 L3") is None


def test_the_suggester_never_answers() -> None:
    """A suggester who alone holds a named card is not asked (CL-04 of the public's faults)."""
    state = staged(4, hands={2: "S3 W3 L3"}, pawns={3: "L3"}, phase=Phase.SUGGEST, active=Seat(2))
    state, events = say(state, "S3 suggest S3 W3 L3")
    assert [event.seat for event in events if isinstance(event, Passed)] == [3, 0, 1]


def test_the_answers_go_round_the_table_and_over_its_end() -> None:
    """D suggests, A and C hold: A is asked. A suggests, B and C hold: B is asked (CL-04)."""
    state = staged(4, hands={0: "W1", 2: "S1"}, pawns={4: "L9"}, phase=Phase.SUGGEST, active=Seat(3))
    _, events = say(state, "S4 suggest S1 W1 L9")
    assert happenings(events, Asked) == [Asked(Seat(0))]
    state = staged(4, hands={1: "W1", 2: "S1"}, pawns={1: "L9"}, phase=Phase.SUGGEST)
    _, events = say(state, "S1 suggest S1 W1 L9")
    assert happenings(events, Asked) == [Asked(Seat(1))]


def test_after_an_elimination_the_turns_go_on_in_order_without_that_seat() -> None:
    """Four seats, the third is out in its own turn: next the fourth, then the first, second, fourth (CL-12)."""
    state = staged(4, active=Seat(2), turn=3)
    state = play(state, f"S3 accuse {wrong_case(state).word}")
    order = []
    for _ in range(5):
        order.append(int(state.active))
        pawn = state.options.seats[state.active].word
        state = play(state, (f"{pawn} roll", (1, 1)))
        state = play(state, _a_walk(state, state.active))
    assert order == [3, 0, 1, 3, 0]


def test_after_the_last_seat_is_out_the_first_is_next() -> None:
    state = staged(4, active=Seat(3))
    assert play(state, f"S4 accuse {wrong_case(state).word}").active == 0


def test_a_pawn_with_no_way_out_stays_and_the_turn_can_go_on() -> None:
    """In a room whose only door is blocked, without taking the passage: stay, and with accusations at any time the
    turn still waits for its end (CL-16).
    """
    changes = Overrides(accusations=AccusationMoment.ANY_TIME)
    state = staged(3, pawns={1: "L1", 2: "7,4"}, changes=changes)
    state, events = say(state, "S1 roll", (5, 5))
    assert events[-1] == Stuck(suspect(1))
    assert refusal(state, "S1 end") is None


def test_a_room_two_steps_away_is_offered_to_a_roll_of_five() -> None:
    state = play(staged(3, pawns={1: "8,4"}), ("S1 roll", (2, 3)))
    assert Enter(suspect(1), location(1)) in game.legal_moves(state, Seat(0))


@pytest.mark.parametrize("square", ["3,6", "3,7", "1,9", "2,6"])
def test_a_square_is_never_taken_for_a_room(square: str) -> None:
    """A suspect on 3,7 is called into L7 like from any other square."""
    column = square.partition(",")[2]
    state = staged(3, envelope=f"S6 W6 L{column}", pawns={1: f"L{column}", 2: square}, phase=Phase.SUGGEST)
    state, events = say(state, f"S1 suggest S2 W6 L{column}")
    assert happenings(events, CalledIn) == [CalledIn(suspect(2), location(int(column)))]
    assert state.called == (suspect(2),)
