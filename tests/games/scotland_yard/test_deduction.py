"""Deduction in single situations: the rulings, what each kind of evidence says, and what nobody may know."""

import pickle

import pytest

from tests.games.scotland_yard.detective import watched_game
from tests.games.scotland_yard.reference import reached
from tests.games.scotland_yard.scenario import DETECTIVES, MR_X, play, scene, shuttle, shuttle_scene
from whitehall.games.scotland_yard.boards import LONDON_2013, board
from whitehall.games.scotland_yard.deduction import advance, knowledge_of, possible_locations, possible_trail
from whitehall.games.scotland_yard.evidence import Evidence
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.locations import Contradiction, PossibleLocations
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket

FAR = "red 104, blue 29, bobby1 94, bobby2 141"
ROUND_OF_FAR = ("red taxi 116", "blue taxi 41", "bobby1 taxi 95", "bobby2 taxi 133")


def seen(state: ScotlandYardState) -> PossibleLocations:
    """What the detectives make of it."""
    return possible_locations(game.view(state, DETECTIVES))


def trail(state: ScotlandYardState) -> dict[int, tuple[Station, ...]]:
    return possible_trail(game.view(state, DETECTIVES))


# ---- The rulings


def test_t07_after_surfacing_on_13_and_an_underground_ride_analysis_ignores_the_detective_on_67() -> None:
    state = scene(3, "mr_x", "mr_x 23, red 67, blue 29, bobby1 94, bobby2 141", in_round=3)
    state, _ = play(state, "mr_x double taxi 13 underground 46")
    assert seen(state).analysis == (46, 67, 89)
    assert seen(state).strong == (46, 89)


def test_t10_after_surfacing_on_157_a_black_ticket_leads_along_every_line_and_the_ferry() -> None:
    state, _ = play(scene(3, "mr_x", f"mr_x 170, {FAR}", in_round=3), "mr_x taxi 157", *ROUND_OF_FAR, "mr_x black 194")
    assert seen(state).analysis == (115, 133, 142, 156, 158, 170, 185, 194)
    # Bobby 2 has moved to 133, and stood there when he moved.
    assert seen(state).strong == (115, 142, 156, 158, 170, 185, 194)


def test_t11_after_surfacing_on_46_a_bus_ticket_leads_to_four_stations() -> None:
    state, _ = play(scene(3, "mr_x", f"mr_x 33, {FAR}", in_round=3), "mr_x taxi 46", *ROUND_OF_FAR, "mr_x bus 34")
    assert seen(state).analysis == (1, 34, 58, 78)
    assert seen(state).strong == (1, 34, 58, 78)


def test_sy04_after_twelve_moves_the_sets_are_built_from_the_surfacing_at_8_and_the_four_tickets_since() -> None:
    """He surfaced on 170 in field 8. No hunter of the shuttle comes near, so both sets are that plain walk."""
    state, _ = shuttle(shuttle_scene(), 12)
    log = game.view(state, DETECTIVES).log
    assert [field.number for field in log] == list(range(1, 13))
    walks: list[tuple[int, ...]] = [(170,)]
    for _ in range(4):
        walks = [(*walk, there) for walk in walks for there in reached(walk[-1], "taxi")]
    ends = tuple(sorted({walk[-1] for walk in walks}))
    assert len(ends) > 10
    assert seen(state).analysis == ends
    assert seen(state).strong == ends
    assert seen(state).total_routes == len(walks)
    assert seen(state).routes == {end: sum(walk[-1] == end for walk in walks) for end in ends}


def test_sy18_a_station_stays_out_when_the_hunter_has_left_it_and_drops_out_when_one_searches_it_in_vain() -> None:
    """From 8 a taxi leads to 1, 18 and 19."""
    state = scene(3, "mr_x", "mr_x 19, red 31, blue 20, bobby1 94, bobby2 141", in_round=3)
    state, _ = play(state, "mr_x taxi 8", "red taxi 18", "blue taxi 9", "bobby1 taxi 95", "bobby2 taxi 133")
    assert seen(state).strong == (8,)
    state, _ = play(state, "mr_x taxi 1")
    assert seen(state).analysis == (1, 18, 19)
    assert seen(state).strong == (1, 19)
    state, _ = play(state, "red taxi 31")
    assert seen(state).strong == (1, 19)
    state, _ = play(state, "blue taxi 19")
    assert seen(state).strong == (1,)
    assert seen(state).analysis == (1, 18, 19)


# ---- Each kind of evidence


def test_at_the_start_he_may_be_on_any_of_his_13_cards_but_not_where_a_hunter_stands() -> None:
    state = shuttle_scene()
    cards = (35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172)
    assert seen(state).analysis == seen(state).strong == tuple(card for card in cards if card != 104)
    assert set(seen(state).routes.values()) == {1}


def test_while_his_pawn_stands_on_the_board_there_is_one_station_and_one_route() -> None:
    state, _ = shuttle(shuttle_scene(), 3)
    assert seen(state) == PossibleLocations((Station(159),), (Station(159),), {Station(159): 1})


def test_both_halves_of_a_double_avoid_the_hunters_and_only_the_second_can_be_searched_afterwards() -> None:
    """From 8 a taxi leads to 1, 18 and 19; from 18 to 8, 31 and 43; from 19 to 8, 9 and 32."""
    state = scene(3, "mr_x", "mr_x 19, red 57, blue 46, bobby1 94, bobby2 141", in_round=3)
    state, _ = play(state, "mr_x taxi 8", "red taxi 43", "blue bus 1", "bobby1 taxi 95", "bobby2 taxi 133")
    state, _ = play(state, "mr_x double taxi 19 taxi 32")
    assert trail(state)[4] == (18, 19)
    assert seen(state).routes == {8: 2, 9: 1, 31: 1, 32: 1}
    state, _ = play(state, "red taxi 18", "blue taxi 9")
    assert trail(state)[4] == (18, 19)
    assert seen(state).strong == (8, 31, 32)


def test_once_the_hunters_have_moved_and_play_goes_on_he_is_nowhere_where_he_would_have_been_cornered() -> None:
    """From 20 a taxi leads to 2, 9 and 33, and from 2 there is no way but to 10 and 20."""
    state = scene(3, "mr_x", "mr_x 2, red 22, blue 19, bobby1 94, bobby2 141", in_round=3)
    state, _ = play(state, "mr_x taxi 20", "red taxi 34", "blue taxi 9", "bobby1 taxi 95", "bobby2 taxi 133")
    state, _ = play(state, "mr_x taxi 33", "red taxi 10", "blue taxi 20", "bobby1 taxi 94")
    assert seen(state).strong == (2, 33)
    state, _ = play(state, "bobby2 taxi 141")
    assert state.phase is Phase.MR_X
    assert seen(state).strong == (33,)
    assert seen(state).analysis == (2, 9, 33)


@pytest.mark.parametrize(("black", "possible"), [(1, (2, 11, 21, 34)), (0, (34,))])
def test_he_is_nowhere_where_no_ticket_that_was_left_would_have_taken_him_on(black: int, possible: tuple[int]) -> None:
    """From 10 a taxi leads to 2, 11 and 21, where only taxis stop, and to 34, where buses stop too."""
    places = "mr_x 2, red 46, blue 116, bobby1 94, bobby2 141"
    state = scene(3, "mr_x", places, in_round=3, supply=(2, 9, 9), black=black)
    state, _ = play(state, "mr_x taxi 10", "red bus 78", "blue bus 142", "bobby1 taxi 95", "bobby2 taxi 133")
    state, _ = play(state, "mr_x taxi 34", "red bus 46", "blue bus 116", "bobby1 taxi 94")
    assert seen(state).strong == (2, 11, 21, 34)
    state, _ = play(state, "bobby2 taxi 141")
    assert (state.phase, state.supply.taxi) == (Phase.MR_X, 0)
    assert seen(state).strong == possible


def test_what_comes_later_narrows_earlier_fields_in_hindsight() -> None:
    """From 8 a taxi leads to 1, 18 and 19, and only at 1 there is a bus."""
    state = scene(3, "mr_x", "mr_x 19, red 104, blue 29, bobby1 94, bobby2 141", in_round=3)
    state, _ = play(state, "mr_x taxi 8", *ROUND_OF_FAR, "mr_x taxi 1")
    assert trail(state)[4] == (1, 18, 19)
    state, _ = play(state, "red taxi 104", "blue taxi 29", "bobby1 taxi 94", "bobby2 taxi 141", "mr_x bus 58")
    assert (trail(state)[4], trail(state)[5]) == ((1,), (46, 58))


# ---- Bare positions


def test_before_anything_is_seen_of_a_bare_position_he_may_be_anywhere_but_with_the_hunters() -> None:
    state = scene(3, "hunters", f"mr_x 170, {FAR}", in_round=4)
    assert seen(state).analysis == tuple(range(1, 200))
    assert seen(state).strong == tuple(sorted(set(range(1, 200)) - {104, 29, 94, 141}))


def test_a_bare_position_in_which_he_is_surfaced_shows_him() -> None:
    state = scene(3, "hunters", f"mr_x 170, {FAR}", in_round=3)
    assert seen(state).analysis == seen(state).strong == (170,)


def test_where_the_hunters_stood_when_a_bare_position_was_set_up_he_did_not_come_from() -> None:
    """Taxis lead to 2 from 10 and 20 only, where hunters stand."""
    state = scene(3, "mr_x", "mr_x 33, red 10, blue 20, bobby1 94, bobby2 141", in_round=5)
    state, _ = play(state, "mr_x taxi 46")
    taken = {10, 20, 94, 141}
    expected = {there for here in set(range(1, 200)) - taken for there in reached(here, "taxi")} - taken
    assert 2 not in expected
    assert seen(state).strong == tuple(sorted(expected))
    assert 2 in seen(state).analysis


@pytest.mark.parametrize(
    ("turn", "places", "hands", "moves"),
    [
        ("hunters", "mr_x 116, red 104, blue 29, bobby1 94, bobby2 141", {}, ["red taxi 116"]),
        ("mr_x", "mr_x 2, red 10, blue 20, bobby1 94, bobby2 141", {}, []),
        ("mr_x", "mr_x 2, red 104, blue 29, bobby1 94, bobby2 141", {"red": (0, 0, 0), "blue": (0, 0, 0)}, []),
    ],
    ids=["caught", "cornered", "escaped"],
)
def test_a_bare_position_that_ends_before_he_has_moved_shows_him(
    turn: str, places: str, hands: dict[str, tuple[int, int, int]], moves: list[str]
) -> None:
    state, _ = play(scene(3, turn, places, in_round=5, hands=hands), *moves)
    assert state.phase is Phase.OVER
    assert seen(state).analysis == seen(state).strong == (state.mr_x,)
    assert trail(state) == {state.moves_made: (state.mr_x,)}


def test_who_has_watched_a_bare_position_can_know_more_than_its_later_views_tell() -> None:
    """A later view does not hold the station on which he was surfaced when the position was set up."""
    state = scene(3, "hunters", f"mr_x 46, {FAR}", in_round=3)
    watched = knowledge_of(game.view(state, DETECTIVES))
    state, _ = play(state, *ROUND_OF_FAR, "mr_x bus 34")
    assert advance(watched, game.view(state, DETECTIVES)).locations.strong == (1, 34, 58, 78)
    assert {1, 34, 58, 78} < set(seen(state).strong)


# ---- Knowledge that is carried along


def test_knowledge_can_be_advanced_over_any_number_of_moves_at_once_and_is_not_changed_by_it() -> None:
    views = [game.view(state, DETECTIVES) for state, _ in watched_game(4, 20)]
    known = [knowledge_of(view) for view in views]
    copies = [pickle.dumps(knowledge) for knowledge in known]
    assert len(views) > 60
    for step in (0, 1, 2, 7, 30):
        for earlier, view, expected in zip(known, views[step:], known[step:], strict=False):
            assert advance(earlier, view) == expected
    assert [pickle.dumps(knowledge) for knowledge in known] == copies


def test_knowledge_cannot_go_back_to_a_view_from_before() -> None:
    before, _ = shuttle(shuttle_scene(), 2)
    after, _ = shuttle(before, 2)
    known = knowledge_of(game.view(after, DETECTIVES))
    with pytest.raises(ValueError, match="fields 0 to 2 of the log, and not of 4"):
        advance(known, game.view(before, DETECTIVES))


def test_mr_x_is_told_what_the_others_can_know_and_not_what_he_knows() -> None:
    state, _ = play(scene(3, "mr_x", f"mr_x 33, {FAR}", in_round=3), "mr_x taxi 46", *ROUND_OF_FAR, "mr_x bus 34")
    assert game.view(state, MR_X).log[-1].station == 34
    assert possible_locations(game.view(state, MR_X)).strong == (1, 34, 58, 78)


# ---- Contradictions


def london(*rounds: PublicRound, start: int, hunters: tuple[int, ...] | None = None) -> Evidence:
    now = None if hunters is None else stations(*hunters)
    return evidence_from_log(board(LONDON_2013), rounds, start=stations(start), hunters=now)


def stations(*numbers: int) -> tuple[Station, ...]:
    return tuple(Station(number) for number in numbers)


def taxi(station: int | None = None) -> PublicRide:
    return PublicRide(Ticket.TAXI, None if station is None else Station(station))


BY_UNDERGROUND = PublicRide(Ticket.UNDERGROUND)

CONTRADICTIONS = {
    "a hunter drew his start station": (0, london(PublicRound(stations(2), ()), start=2)),
    "from his start he could not have moved": (0, london(PublicRound(stations(10, 20), ()), start=2)),
    "both stations that the taxi led to were searched": (
        1,
        london(PublicRound(stations(34, 33), (taxi(),)), start=2, hunters=(10, 20)),
    ),
    "hunters stood on both stations that the taxi leads to": (
        1,
        london(PublicRound(stations(10, 20), (taxi(),)), start=2),
    ),
    "no underground stops where the taxi led": (2, london(PublicRound((), (taxi(), BY_UNDERGROUND)), start=2)),
    "he surfaced where no two taxis lead": (
        2,
        london(PublicRound((), (taxi(),)), PublicRound((), (taxi(46),)), PublicRound((), (taxi(),)), start=2),
    ),
}


@pytest.mark.parametrize(("field", "evidence"), CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
def test_evidence_that_nothing_fits_is_refused_by_the_first_field_that_no_route_can_fill(
    field: int, evidence: Evidence
) -> None:
    """A taxi leads from 2 to 10 and 20, and there is no other line."""
    for ask in (possible_locations, possible_trail, knowledge_of):
        with pytest.raises(Contradiction) as refused:
            ask(evidence)
        where = f"field {field} of the log" if field else "the start"
        assert (refused.value.field, str(refused.value)) == (field, f"no station is possible for {where}")
