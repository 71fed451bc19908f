"""Special actions of the app game: when the detective side may use one, and what each answers (rulings, section 3)."""

from itertools import pairwise
from random import Random

import pytest

from tests.games.chance import SeededChance
from tests.games.scotland_yard.changes import possible_changes
from tests.games.scotland_yard.master import FAR_APART, HUNTERS_RIDE, app_scene, kept, numbers, sent
from tests.games.scotland_yard.reference import reached
from tests.games.scotland_yard.scenario import (
    DETECTIVES,
    MR_X,
    PUBLIC,
    listed,
    play,
    refusal,
    refusals,
    scene,
    violation,
)
from whitehall.games.core.seat import Seat, Viewer
from whitehall.games.scotland_yard import investigation, rulebook
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.events import HunterPassed
from whitehall.games.scotland_yard.findings import (
    Analysed,
    Answer,
    Finding,
    Interrogated,
    Located,
    Scanned,
    StatementHeard,
)
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.master import Nearness, ScanMast, SpecialAction
from whitehall.games.scotland_yard.moves import Hear, UseAction
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.view import MasterView

ACTIONS = ("analysis", "locate", "scan", "interrogate")
NEAR, MEDIUM, FAR = Nearness.NEAR, Nearness.MEDIUM, Nearness.FAR


# ---- when


@pytest.mark.parametrize("action", ACTIONS)
def test_t35_a_special_action_comes_before_any_hunter_moves(action: str) -> None:
    state = app_scene("hunters", 170)
    assert refusal(state, f"detectives {action}") is None
    moved, _ = play(state, "bobby1 taxi 10")
    assert refusal(moved, f"detectives {action}") is rulebook.ACTION_BEFORE_HUNTERS


@pytest.mark.parametrize("action", ACTIONS)
def test_t35_a_second_special_action_in_the_round_is_refused_and_spends_nothing(action: str) -> None:
    state, _ = play(app_scene("hunters", 170), "detectives locate")
    assert refusal(state, f"detectives {action}") is rulebook.ACTION_ONCE_A_ROUND
    assert game.legal_moves(state, DETECTIVES) == tuple(
        move for move in game.legal_moves(app_scene("hunters", 170), DETECTIVES) if hasattr(move, "piece")
    )


def test_after_the_round_there_is_another_one() -> None:
    state, _ = play(app_scene("hunters", 170), "detectives locate", *HUNTERS_RIDE, "mr_x taxi 159")
    assert refusal(state, "detectives locate") is None


def test_two_in_a_round_where_the_game_allows_two() -> None:
    state = app_scene("hunters", 170, actions_per_round=2)
    state, _ = play(state, "detectives locate", "detectives analysis")
    assert refusal(state, "detectives analysis") is rulebook.ACTION_ONCE_A_ROUND


def test_none_where_the_game_allows_none() -> None:
    state = app_scene("hunters", 170, actions_per_round=0)
    assert refusal(state, "detectives locate") is rulebook.ACTION_ONCE_A_ROUND
    assert not any(text.startswith("detectives") for text in listed(state, 1))


@pytest.mark.parametrize("action", ACTIONS)
def test_t42_a_special_action_while_mr_x_is_surfaced_is_refused_and_not_spent(action: str) -> None:
    state = app_scene("hunters", 170, in_round=3, fields=3)
    assert refusal(state, f"detectives {action}") is rulebook.ACTION_HIDDEN_ONLY
    assert kept(state).findings == ()
    allowed = app_scene("hunters", 170, in_round=3, fields=3, action_when_surfaced=True)
    assert refusal(allowed, f"detectives {action}") is None


def test_where_only_the_first_half_of_a_double_surfaced_he_is_hidden_again() -> None:
    state = app_scene("mr_x", 170, in_round=3, fields=2)
    state, _ = play(state, "mr_x double taxi 159 taxi 170", draws=[0])
    assert refusal(state, "detectives locate") is None


def test_it_is_the_detective_side_s_on_its_turn() -> None:
    state = app_scene("mr_x", 170)
    assert refusal(state, "detectives locate") is rulebook.MR_X_THEN_HUNTERS
    for turn in ("mr_x", "hunters"):
        for text in ("detectives scan", 'detectives hear "Harrods"'):
            refused = violation(app_scene(turn, 170), text, seat=0)
            assert refused is not None
            assert refused.rule is rulebook.ACTION_OF_DETECTIVES
            assert not refused.details


def test_any_detective_seat_may_use_it_for_all() -> None:
    state = scene(4, "hunters", "mr_x 170, red 104, blue 46, green 5, bobby1 2", preset="master")
    for seat in (1, 2, 3):
        assert refusal(state, "detectives locate", seat=seat) is None
        assert set(game.to_move(state)) == {Seat(1), Seat(2), Seat(3)}


@pytest.mark.parametrize("preset", ["new", "classic"])
def test_without_the_app_there_is_none(preset: str) -> None:
    places = "mr_x 170, red 104, blue 46, " + ("bobby1 2, bobby2 5" if preset == "new" else "green 2, yellow 5")
    state = scene(2, "hunters", places, preset=preset)
    assert refusal(state, "detectives locate") is rulebook.APP_GAME_ONLY
    assert refusal(state, 'detectives hear "Harrods"') is rulebook.APP_GAME_ONLY
    assert state.master is None


def test_each_so_often_at_most_where_the_game_sets_a_limit() -> None:
    state = app_scene("hunters", 170, per_game_cap=1)
    state, _ = play(state, "detectives locate", *HUNTERS_RIDE, "mr_x taxi 159")
    assert refusal(state, "detectives locate") is rulebook.ACTION_AGAIN
    assert refusal(state, "detectives analysis") is None


def test_so_many_rounds_without_where_the_game_sets_a_pause() -> None:
    state = app_scene("hunters", 170, cooldown=1)
    state, _ = play(state, "detectives locate", *HUNTERS_RIDE, "mr_x taxi 159")
    assert refusal(state, "detectives analysis") is rulebook.ACTION_EVERY_SO_OFTEN
    back = ("red taxi 104", "blue bus 46", "bobby1 taxi 2", "bobby2 taxi 5")
    state, _ = play(state, *back, "mr_x taxi 170", draws=[0])
    assert refusal(state, "detectives analysis") is rulebook.ACTION_HIDDEN_ONLY  # the third field surfaces
    state, _ = play(state, *HUNTERS_RIDE, "mr_x taxi 159")
    assert refusal(state, "detectives analysis") is None


def test_only_what_the_round_offers_where_actions_are_drawn() -> None:
    """Analysis and Scan are drawn out: of four the first, then of Locate, Scan and Interrogation the second."""
    state = app_scene("mr_x", 170, offered=2)
    state, events = play(state, "mr_x taxi 159", draws=[0, 1])
    assert listed(state, 1)[:2] == ["detectives locate", "detectives interrogate"]
    assert refusal(state, "detectives analysis") is rulebook.ACTION_OFFERED
    assert refusal(state, "detectives scan") is rulebook.ACTION_OFFERED
    assert all(game.event_view(events[-1], viewer) == events[-1] for viewer in (MR_X, DETECTIVES, PUBLIC))


def test_forced_passes_wait_for_the_special_action() -> None:
    """Each detective has only tickets that no line takes there, and no Bobby plays. The answer still helps."""
    hands = dict.fromkeys(("red", "blue", "green", "yellow", "purple"), (0, 8, 4))
    places = "mr_x 170, red 2, blue 20, green 26, yellow 31, purple 36"
    state = scene(6, "hunters", places, preset="master", hands=hands)
    assert listed(state, 1) == [*(f"detectives {action}" for action in ACTIONS), "red pass"]
    asked, events = play(state, "detectives locate")
    assert [type(event).__name__ for event in events] == ["Located", *["HunterPassed"] * 5]
    assert asked.round == 2
    passed, _ = play(state, "red pass")
    assert passed.round == 2


# ---- Locate and Scan


@pytest.mark.parametrize(
    ("station", "distances", "answer"),
    [(13, (0, 12, 9, 10), (NEAR, FAR, MEDIUM, MEDIUM)), (153, (11, 3, 7, 7), (FAR, NEAR, MEDIUM, MEDIUM))],
)
def test_t33_locate_tells_all_four_masts(
    station: int, distances: tuple[int, ...], answer: tuple[Nearness, ...]
) -> None:
    state = app_scene("hunters", station)
    assert numbers(state).masts == (13, 184, 94, 108)
    assert investigation.mast_distances(state.options.board, numbers(state), state.mr_x) == distances
    state, events = play(state, "detectives locate")
    assert events == [Located(answer)]


def test_the_thresholds_include_their_ends() -> None:
    """153 is 11, 3, 7 and 7 taxi moves from the masts."""
    for near, medium, answer in ((3, 7, (FAR, NEAR, MEDIUM, MEDIUM)), (2, 11, (MEDIUM,) * 4), (11, 12, (NEAR,) * 4)):
        _, events = play(app_scene("hunters", 153, locate_near=near, locate_medium=medium), "detectives locate")
        assert events == [Located(answer)]


def test_sy22_two_stations_as_far_from_the_masts_get_the_same_answers() -> None:
    board, master = (state := app_scene("hunters", 13)).options.board, numbers(state)
    distances = {station: investigation.mast_distances(board, master, station) for station in board.stations}
    alike = [
        (one, other)
        for one, other in pairwise(sorted(board.stations, key=distances.__getitem__))
        if distances[one] == distances[other] and not {one, other} & {104, 46, 2, 5}
    ]
    assert alike
    for pair in alike:
        for action, draws in (("locate", []), ("scan", [2])):
            one, other = (play(app_scene("hunters", station), f"detectives {action}", draws=draws) for station in pair)
            assert one[1] == other[1]


@pytest.mark.parametrize(("mast", "distance"), list(enumerate((10, 8, 12, 0))))
def test_t34_scan_tells_the_distance_from_the_mast_that_was_drawn(mast: int, distance: int) -> None:
    _, events = play(app_scene("hunters", 108), "detectives scan", draws=[mast])
    assert events == [Scanned(distance)]


@pytest.mark.parametrize(("mast", "distance"), [(ScanMast.NEAREST, 0), (ScanMast.FARTHEST, 12)])
def test_a_scan_from_a_certain_mast_draws_none(mast: ScanMast, distance: int) -> None:
    _, events = play(app_scene("hunters", 108, scan_mast=mast), "detectives scan")
    assert events == [Scanned(distance)]


def test_sy22_a_scan_leaves_the_stations_of_which_some_mast_could_have_given_it() -> None:
    board, master = (state := app_scene("hunters", 13)).options.board, numbers(state)
    left = investigation.scanned(board, master, 8)
    assert left == tuple(
        station for station in board.stations if 8 in investigation.mast_distances(board, master, station)
    )
    assert 108 in left


# ---- Analysis


def test_analysis_follows_the_tickets_from_the_last_surfacing_and_ignores_the_hunters() -> None:
    """Seen at 61, then by taxi: any neighbour, though blue stands on 62 and so knows better."""
    state = app_scene("mr_x", 46, in_round=3, fields=2, hunters="red 104, blue 62, bobby1 2, bobby2 5")
    state, _ = play(state, "mr_x double taxi 61 taxi 46", draws=[0])
    _, events = play(state, "detectives analysis")
    assert 62 in reached(61, "taxi")
    assert events == [Analysed(tuple(map(Station, sorted(reached(61, "taxi")))))]


@pytest.mark.parametrize(
    ("seen", "ticket", "stations"),
    [(46, Ticket.BUS, (1, 34, 58, 78)), (157, Ticket.BLACK, (115, 133, 142, 156, 158, 170, 185, 194))],
)
def test_t10_t11_analysis_of_one_move(seen: int, ticket: Ticket, stations: tuple[int, ...]) -> None:
    hunters = "red 104, blue 67, bobby1 2, bobby2 5"
    state = app_scene("mr_x", seen, in_round=4, fields=3, hunters=hunters, trail=[seen])
    state, _ = play(state, f"mr_x {ticket.word} {stations[0]}")
    _, events = play(state, "detectives analysis")
    assert events == [Analysed(tuple(map(Station, stations)))]


def test_t37_after_a_helicopter_every_station_is_possible() -> None:
    state, _ = play(app_scene("mr_x", 170), "mr_x helicopter 13")
    _, events = play(state, "detectives analysis")
    assert events == [Analysed(state.options.board.stations)]


# ---- Interrogation


def test_t36_where_nobody_has_seen_him_the_empty_answer_stands_and_the_action_is_spent() -> None:
    state = app_scene("hunters", 170, trail=[159, 170, 159])
    state, events = play(state, "detectives interrogate")
    assert events == [Interrogated(())]
    assert refusal(state, "detectives locate") is rulebook.ACTION_ONCE_A_ROUND
    assert refusal(state, 'detectives hear "Harrods"') is rulebook.NOTHING_TO_HEAR


def test_with_one_landmark_its_statement_follows_without_a_choice() -> None:
    state = app_scene("hunters", 24, trail=[13, 23, 24])
    state, events = play(state, "detectives interrogate")
    assert events == [Interrogated(("King's Cross",)), StatementHeard("King's Cross", 2)]
    assert kept(state).findings == tuple(Finding(1, 1, event) for event in events)  # type: ignore[arg-type]


def test_with_several_the_detective_side_chooses_whose_witnesses_it_hears() -> None:
    state = app_scene("hunters", 67, trail=[13, 23, 67])
    state, events = play(state, "detectives interrogate")
    assert events == [Interrogated(("King's Cross", "British Museum"))]
    assert listed(state, 1) == [
        'detectives hear "King\'s Cross"',
        'detectives hear "British Museum"',
    ]
    for text in (*HUNTERS_RIDE, "red taxi 116; blue bus 1", "detectives scan"):
        assert rulebook.CHOICE_FIRST in refusals(state, text)
    assert refusal(state, 'detectives hear "Harrods"') is rulebook.HEAR_WHERE_SEEN
    assert refusal(state, 'detectives hear "The Moon"') is rulebook.LANDMARK_ON_BOARD
    heard, events = play(state, 'detectives hear "King\'s Cross"')
    assert events == [StatementHeard("King's Cross", 2)]
    assert refusal(heard, 'detectives hear "British Museum"') is rulebook.NOTHING_TO_HEAR
    assert refusal(heard, "red taxi 116") is None
    _, events = play(state, 'detectives hear "British Museum"')
    assert events == [StatementHeard("British Museum", 0)]


def test_witnesses_tell_of_the_latest_time_within_what_they_remember() -> None:
    twice = app_scene("hunters", 24, trail=[13, 4, 24])
    assert play(twice, "detectives interrogate")[1][-1] == StatementHeard("King's Cross", 1)
    forgotten = app_scene("hunters", 24, trail=[13, 23, 37, 24])
    assert play(forgotten, "detectives interrogate")[1] == [Interrogated(())]
    remembered = app_scene("hunters", 24, trail=[13, 23, 37, 24], recent_window=4)
    assert play(remembered, "detectives interrogate")[1][-1] == StatementHeard("King's Cross", 3)


def test_his_start_is_no_field_of_the_log_and_nobody_has_seen_him_there() -> None:
    """He starts at 4, in the zone of King's Cross, and takes a taxi to 3."""
    state = scene(2, "mr_x", f"mr_x 4, {FAR_APART}", preset="master")
    state, _ = play(state._replace(start=state.mr_x), "mr_x taxi 3")
    assert play(state, "detectives interrogate")[1] == [Interrogated(())]


def test_a_wider_radius_takes_in_the_taxi_neighbours() -> None:
    state = app_scene("hunters", 24, trail=[24], near_radius=1)
    assert play(state, "detectives interrogate")[1][0] == Interrogated(("King's Cross",))
    board, master = state.options.board, numbers(state)
    places = master.landmarks
    zones = [{there for place in places for there in investigation.zone(board, place, radius)} for radius in (0, 1)]
    assert (len(places), *map(len, zones)) == (45, 69, 149)


# ---- who learns what


BLANK: dict[str, Answer] = {
    "analysis": Analysed(None),
    "locate": Located(None),
    "scan": Scanned(None),
    "interrogate": Interrogated(None),
}
"""What can be told of each special action to those who may not know what it answered."""


@pytest.mark.parametrize("action", ACTIONS)
def test_the_detective_side_alone_learns_the_answer_and_all_learn_which_action_was_used(action: str) -> None:
    state, events = play(app_scene("hunters", 24, trail=[13, 23, 24]), f"detectives {action}", draws=[0])
    assert len(events) == 1 + (action == "interrogate"), "a statement follows where one landmark saw him"
    assert BLANK[action] not in events
    assert [game.event_view(event, DETECTIVES) for event in events] == events
    assert [finding.answer for finding in app_of(state, DETECTIVES).findings] == events
    for viewer in (MR_X, PUBLIC):
        told = [game.event_view(event, viewer) for event in events]
        assert [event for event in told if event is not None] == [BLANK[action]]
        assert app_of(state, viewer).findings == (Finding(1, 1, BLANK[action]),)


def app_of(state: ScotlandYardState, viewer: Viewer) -> MasterView:
    """What a viewer may know of the app."""
    found = game.view(state, viewer).master
    assert found is not None
    return found


MARKS = {0: (170, 159, 170), 1: (13, 23, 24), 2: (13, 23, 67)}
"""By the number of landmarks with a question mark: Mr X's last three stations."""


@pytest.mark.parametrize("actions_per_round", [1, 2])
def test_the_public_is_sent_the_same_however_many_landmarks_show_a_question_mark(actions_per_round: int) -> None:
    """Through a whole round and into the next one; but that a landmark is chosen is a revision with nothing in it."""
    heard: list[list[bytes]] = []
    for number, trail in MARKS.items():
        state = app_scene("hunters", trail[-1], trail=trail, actions_per_round=actions_per_round)
        told = [sent(state, [], PUBLIC)]
        state, events = play(state, "detectives interrogate")
        assert isinstance(events[0], Interrogated)
        assert len(events[0].landmarks or ()) == number
        told.append(sent(state, events, PUBLIC))
        if app_of(state, DETECTIVES).choices:
            state, events = play(state, 'detectives hear "British Museum"')
            assert sent(state, events, PUBLIC) == sent(state, [], PUBLIC)
        told.append(sent(state, [], PUBLIC))
        there = min(set(reached(trail[-1], "taxi")) - {116, 1, 10, 15})
        for text in (*["detectives analysis"][: actions_per_round - 1], *HUNTERS_RIDE, f"mr_x taxi {there}"):
            state, events = play(state, text)
            told.append(sent(state, events, PUBLIC))
        heard.append(told)
    assert heard[0] == heard[1] == heard[2]
    assert len(heard[0]) == 7 + actions_per_round


@pytest.mark.parametrize("actions_per_round", [1, 2])
def test_what_is_left_of_special_actions_is_shown_to_the_public_as_if_nothing_had_to_be_chosen(
    actions_per_round: int,
) -> None:
    """The detectives must choose first, and Mr X is shown what the public is."""
    left = tuple(SpecialAction) if actions_per_round == 2 else ()
    for trail in MARKS.values():
        state = app_scene("hunters", trail[-1], trail=trail, actions_per_round=actions_per_round)
        state, _ = play(state, "detectives interrogate")
        detectives = app_of(state, DETECTIVES)
        assert detectives.available == (() if detectives.choices else left)
        for viewer in (MR_X, PUBLIC):
            shown = app_of(state, viewer)
            assert (shown.available, shown.choices) == (left, ())


@pytest.mark.parametrize("seed", range(12))
def test_wherever_he_has_been_lately_the_public_is_sent_the_same_of_an_interrogation(seed: int) -> None:
    """Positions of a random game under random options, with other hidden stations put into his log."""
    random, chance = Random(seed), SeededChance(seed)
    options = resolve("master", 2 + seed % 5, changes=possible_changes(Random(seed), "master", 2 + seed % 5))
    state, _ = game.setup(options, chance)
    asked = UseAction(SpecialAction.INTERROGATION)
    compared = 0
    while state.outcome is None:
        seat = random.choice(game.to_move(state))
        moves = game.legal_moves(state, seat)
        if asked in moves:
            told = set[bytes]()
            for _ in range(12):
                elsewhere = with_another_trail(state, random)
                after, events = game.apply(elsewhere, seat, asked, chance)
                if HunterPassed in map(type, events):
                    continue
                told.add(sent(after, events, PUBLIC))
                if choices := app_of(after, seat).choices:
                    chosen, events = game.apply(after, seat, Hear(choices[0]), chance)
                    told_then = sent(chosen, events, PUBLIC)
                    assert HunterPassed in map(type, events) or told_then == sent(after, [], PUBLIC)
            assert len(told) <= 1
            compared += len(told)
        actions = [move for move in moves if move != asked and isinstance(move, UseAction | Hear)]
        state, _ = game.apply(state, seat, random.choice(actions or moves), chance)
    assert options.master is not None
    assert compared or not options.master.actions_per_round


def with_another_trail(state: ScotlandYardState, random: Random) -> ScotlandYardState:
    """The same game to the public: wherever he was not seen, he was somewhere else."""
    free = [station for station in state.options.board.stations if station not in state.hunters]
    first = state.moves_made - len(state.log) + 1
    log = tuple(
        entry if number in state.options.surfacing else entry._replace(station=random.choice(free))
        for number, entry in enumerate(state.log, first)
    )
    return state._replace(log=log, mr_x=log[-1].station)


def test_sy22_one_answer_stays_true_of_its_moment_when_he_has_moved_on() -> None:
    state, (located,) = play(app_scene("hunters", 153), "detectives locate")
    state, _ = play(state, *HUNTERS_RIDE, "mr_x taxi 152")
    assert kept(state).findings == (Finding(1, 1, located),)  # type: ignore[arg-type]
