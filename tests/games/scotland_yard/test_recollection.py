"""Deduction from what the app answers, in single situations that can be worked out with a finger on the board.

From 46 taxis lead to 33, 45, 47 and 61. The museum's witnesses see 33 and 46, those of Madame Tussauds 21 and 47; 45
and 61 are near no landmark.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.games.scotland_yard.reference import reached
from tests.games.scotland_yard.scenario import DETECTIVES, MR_X, PUBLIC, play, scene
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Viewer
from whitehall.games.scotland_yard.boards import LONDON_2013, board
from whitehall.games.scotland_yard.deduction import possible_locations, possible_trail
from whitehall.games.scotland_yard.edition import MASTER
from whitehall.games.scotland_yard.evidence import Evidence
from whitehall.games.scotland_yard.findings import Analysed, Answer, Interrogated, Located, Scanned, StatementHeard
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.locations import Contradiction
from whitehall.games.scotland_yard.master import Nearness, SpecialAction
from whitehall.games.scotland_yard.moves import Hear, UseAction
from whitehall.games.scotland_yard.prospects import expected, prospects
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.ticket import Station, Ticket

LONDON = board(LONDON_2013)
NEAR, MEDIUM, FAR = Nearness
MUSEUM, TUSSAUDS = "Sherlock Holmes Museum", "Madame Tussauds"


def by(ticket: str, *answers: Answer, to: int | None = None, hunters: Sequence[int] = ()) -> PublicRound:
    """A round with one ride."""
    ride = PublicRide(Ticket[ticket.upper()], None if to is None else Station(to))
    standing = tuple(Station(station) for station in hunters)
    return PublicRound(standing, (ride,), helicopter_tickets=ticket == "helicopter", answers=answers)


def app_log(*rounds: PublicRound) -> Evidence:
    return evidence_from_log(LONDON, rounds, master=MASTER.master)


def strong(*rounds: PublicRound) -> tuple[int, ...]:
    return possible_locations(app_log(*rounds)).strong


def interrogated(*landmarks: str) -> Interrogated:
    return Interrogated(landmarks)


# ---- The masts


def test_t33_locate_leaves_the_stations_of_which_the_masts_show_these_colours() -> None:
    """From 13 taxis lead to 4, 23 and 24, of which 24 alone is at a medium distance from the eastern mast."""
    assert strong(by("taxi", to=13), by("taxi", Located((NEAR, FAR, MEDIUM, MEDIUM)))) == (24,)
    assert strong(by("taxi", to=13), by("taxi", Located((NEAR, FAR, MEDIUM, FAR)))) == (4, 23)


def test_t34_a_scan_leaves_each_station_that_is_so_far_from_some_mast() -> None:
    """Only at a mast itself it can be none; of the four stations next to 46 two are five moves from some mast."""
    assert strong(by("taxi", Scanned(0))) == (13, 94, 108, 184)
    assert strong(by("taxi", to=46), by("taxi", Scanned(5))) == (33, 47)


def test_a_station_at_that_distance_from_two_masts_is_twice_as_likely_as_from_one() -> None:
    """From 33 taxis lead to 20, 21, 32 and 46: 20 is six moves from two masts, 21 from one, the others from none."""
    found = possible_locations(app_log(by("taxi", to=33), by("taxi", Scanned(6))))
    assert found.routes == {20: 2, 21: 1}
    twice = possible_locations(app_log(by("taxi", to=33), by("taxi", Scanned(6), Scanned(6))))
    assert twice.routes == {20: 4, 21: 1}


def test_what_the_masts_said_stays_true_in_later_rounds() -> None:
    """He was on 20 or 21 then; from there taxis lead to 2, 9 and 33, or to 10 and 33."""
    found = possible_locations(app_log(by("taxi", to=33), by("taxi", Scanned(6)), by("taxi")))
    assert found.routes == {2: 2, 9: 2, 10: 1, 33: 3}


# ---- Witnesses


def test_a_landmark_with_a_question_mark_tells_that_he_was_there_and_the_others_that_he_was_not() -> None:
    """He was seen on 46, at the museum. Had he gone on to 47, Madame Tussauds would show a question mark too."""
    assert strong(by("taxi", to=46), by("taxi", interrogated(MUSEUM))) == (33, 45, 61)
    assert strong(by("taxi", to=46), by("taxi", interrogated(MUSEUM, TUSSAUDS))) == (47,)


def test_a_statement_tells_how_long_ago_he_was_there_last() -> None:
    museum = interrogated(MUSEUM)
    assert strong(by("taxi", to=46), by("taxi", museum, StatementHeard(MUSEUM, 0))) == (33,)
    assert strong(by("taxi", to=46), by("taxi", museum, StatementHeard(MUSEUM, 1))) == (45, 61)


def test_t36_no_question_mark_tells_that_he_was_at_no_landmark_lately() -> None:
    """They remember three moves, so that he was seen on 46 before does not matter."""
    assert MASTER.master is not None
    near_some = {station for landmark in MASTER.master.landmarks for station in landmark.stations}
    ends = {46}
    for _ in range(3):
        ends = {there for here in ends for there in reached(here, "taxi")} - near_some
    assert strong(by("taxi", to=46), by("taxi"), by("taxi"), by("taxi", interrogated())) == tuple(sorted(ends))


def test_what_witnesses_say_later_tells_where_he_has_been_before() -> None:
    """Seen on 46 two moves ago, he has been at Madame Tussauds one move ago: on 47, and now on 34 or 62, or back."""
    rounds = (by("taxi", to=46), by("taxi"), by("taxi", interrogated(MUSEUM, TUSSAUDS), StatementHeard(TUSSAUDS, 1)))
    assert possible_trail(app_log(*rounds[:2]))[2] == (33, 45, 47, 61)
    assert possible_trail(app_log(*rounds)) == {0: (33, 45, 47, 61), 1: (46,), 2: (47,), 3: (34, 46, 62)}


def test_two_interrogations_together_say_more_than_each_by_itself() -> None:
    """The museum saw him a move ago, on 46, and then again: from 45 or 61 no taxi leads there but back to 46."""
    first = by("taxi", interrogated(MUSEUM), StatementHeard(MUSEUM, 1))
    then = by("taxi", interrogated(MUSEUM), StatementHeard(MUSEUM, 0))
    assert strong(by("taxi", to=46), first) == (45, 61)
    assert strong(by("taxi", to=46), first, then) == (46,)


def test_witnesses_do_not_remember_his_start() -> None:
    """He began on 46 and has moved once: at the museum he has been before it counts, and not since."""
    start = (Station(46),)
    evidence = evidence_from_log(LONDON, [by("taxi", interrogated())], start=start, master=MASTER.master)
    assert possible_locations(evidence).strong == (45, 61)


def test_an_answer_that_contradicts_the_log_is_found_in_the_field_where_it_was_given() -> None:
    """He was seen on 46, so the museum's witnesses must have seen him."""
    with pytest.raises(Contradiction) as refused:
        possible_locations(app_log(by("taxi", to=46), by("taxi"), by("taxi", interrogated(TUSSAUDS))))
    assert refused.value.field == 3


@pytest.mark.parametrize(("mr_x", "possible"), [(46, (33, 46)), (33, (33, 46)), (47, (21, 47))])
def test_in_a_bare_position_witnesses_tell_of_where_he_is(mr_x: int, possible: tuple[int, ...]) -> None:
    """Where he was before it was set up nobody knows, nor does it count."""
    places = f"mr_x {mr_x}, red 104, blue 29, bobby1 94, bobby2 141"
    state, _ = play(scene(3, "hunters", places, in_round=4, preset="master"), "detectives interrogate")
    assert possible_locations(game.view(state, DETECTIVES)).strong == possible


# ---- The helicopter, and Analysis


def test_t37_after_a_helicopter_analysis_names_every_station() -> None:
    """He has left 46, and does not land where a hunter stands; Analysis does not look at either."""
    found = possible_locations(app_log(by("taxi", to=46, hunters=(13, 89)), by("helicopter", hunters=(13, 89))))
    assert found.analysis == LONDON.stations
    assert found.strong == tuple(station for station in LONDON.stations if station not in (13, 46, 89))


def test_an_analysis_that_the_log_contradicts_is_found_in_the_field_where_it_was_given() -> None:
    """A taxi leads from 46 to 33, 45, 47 and 61."""
    with pytest.raises(Contradiction) as found:
        strong(by("taxi", to=46), by("taxi", Analysed((Station(1), Station(2)))), by("taxi"))
    assert found.value.field == 2


def test_an_analysis_tells_of_what_was_before_the_log_that_was_kept() -> None:
    """Nobody wrote down where he surfaced, but the app named four stations."""
    named = tuple(map(Station, (33, 45, 47, 61)))
    assert strong(by("taxi", Analysed(named))) == named


def test_an_analysis_tells_nothing_that_the_log_does_not_tell() -> None:
    everywhere = Analysed(tuple(LONDON.stations))
    assert strong(by("taxi", to=46), by("taxi", everywhere)) == strong(by("taxi", to=46), by("taxi"))


# ---- Helicopter tickets that nobody counted


def surrounded(first: PublicRound, helicopters: int | None) -> tuple[PublicRound, PublicRound]:
    """He has shown himself on 2, hunters stand on 10 and 20, nothing but taxis leads away, and he is to move."""
    turn = PublicRound((Station(10), Station(20)), (), black_tickets=0, helicopter_tickets=helicopters)
    return first, turn


@pytest.mark.parametrize("helicopters", [None, 1])
def test_who_may_fly_is_not_ruled_out_where_he_is_surrounded(helicopters: int | None) -> None:
    assert strong(*surrounded(by("taxi", to=2, hunters=(13, 20)), helicopters)) == (2,)


@pytest.mark.parametrize(
    ("first", "helicopters"),
    [(by("taxi", to=2, hunters=(13, 20)), 0), (by("helicopter", to=2, hunters=(13, 20)), None)],
    ids=["counted", "flown"],
)
def test_who_has_no_helicopter_left_could_not_have_stayed_there(first: PublicRound, helicopters: int | None) -> None:
    with pytest.raises(Contradiction) as found:
        strong(*surrounded(first, helicopters))
    assert found.value.field == 1


def test_no_more_flights_lie_on_a_log_than_the_game_has_tickets_whether_they_were_counted_or_not() -> None:
    flight = by("helicopter")._replace(helicopter_tickets=None)
    assert len(strong(flight)) == 199
    with pytest.raises(InvalidField) as refused:
        app_log(flight, by("taxi"), flight)
    assert refused.value.field == "rounds[2].helicopter_tickets"


# ---- What would it tell us?


def test_each_special_action_promises_the_mean_number_of_stations_that_its_answer_leaves() -> None:
    """From 46: 45 and 61 show different colours, 33 those of 45; of the four, 47 alone is near the museum and Tussauds.

    Scans: 33 answers 5, 6, 12, 14; 45 answers 3, 6, 12, 14; 47 answers 4, 5, 12, 12; 61 answers 4, 6, 10, 12.
    """
    moves = [UseAction(action) for action in SpecialAction]
    found = {
        prospect.move.action: prospect.stations
        for prospect in expected(app_log(by("taxi", to=46), by("taxi")), moves)
        if isinstance(prospect.move, UseAction)
    }
    assert found[SpecialAction.ANALYSIS] == 4
    # {33, 45}, {47} and {61}.
    assert found[SpecialAction.LOCATE] == Fraction(2 + 2 + 1 + 1, 4)
    # Of the 16 masts two answer 5, three 6, five 12, two 14, two 4, and one each 3 and 10.
    assert found[SpecialAction.SCAN] == Fraction(2 * 2 + 3 * 3 + 5 * 4 + 2 * 2 + 2 * 2 + 1 + 1, 16)
    # The museum alone: 33 now, or 45 or 61 a move ago; with Madame Tussauds: 47.
    assert found[SpecialAction.INTERROGATION] == Fraction(1 + 2 + 2 + 1, 4)


def test_where_a_choice_is_due_each_landmark_promises_what_its_witnesses_would_leave() -> None:
    """Two moves after 46 with both landmarks: by 47 to 34, 46 or 62, or by 33 or 46 to 21 or 47."""
    log = app_log(by("taxi", to=46), by("taxi"), by("taxi", interrogated(MUSEUM, TUSSAUDS)))
    routes = {(47, 34), (47, 46), (47, 62), (33, 21)}
    assert possible_locations(log).routes == {end: 1 for _, end in sorted(routes, key=lambda route: route[1])}
    museum, tussauds = (prospect.stations for prospect in expected(log, [Hear(MUSEUM), Hear(TUSSAUDS)]))
    # Two moves ago: 34 and 62; one: 21; now: 46.
    assert museum == Fraction(2 + 2 + 1 + 1, 4)
    # One move ago: 34, 46, 62; now: 21.
    assert tussauds == Fraction(3 + 3 + 3 + 1, 4)


def test_in_a_bare_position_an_interrogation_promises_what_witnesses_of_this_moment_would_leave() -> None:
    """He may be anywhere but with the hunters; the answer is which landmarks he is at, if any."""
    places = "mr_x 46, red 104, blue 29, bobby1 94, bobby2 141"
    view = game.view(scene(3, "hunters", places, in_round=4, preset="master"), DETECTIVES)
    free = set(LONDON.stations) - {104, 29, 94, 141}
    assert MASTER.master is not None
    at = [tuple(place.name for place in MASTER.master.landmarks if station in place.stations) for station in free]
    found = {prospect.move: prospect.stations for prospect in prospects(view)}
    assert found[UseAction(SpecialAction.INTERROGATION)] == Fraction(sum(at.count(marks) for marks in at), len(free))
    assert found[UseAction(SpecialAction.ANALYSIS)] == len(free)


@pytest.mark.parametrize("viewer", [MR_X, PUBLIC], ids=["mr_x", "public"])
def test_nothing_is_promised_to_those_whom_the_app_does_not_answer(viewer: Viewer) -> None:
    state = scene(3, "hunters", "mr_x 46, red 104, blue 29, bobby1 94, bobby2 141", in_round=4, preset="master")
    assert prospects(game.view(state, viewer)) == ()


def test_a_game_without_the_app_has_no_prospects() -> None:
    state = scene(3, "hunters", "mr_x 46, red 104, blue 29, bobby1 94, bobby2 141", in_round=4)
    assert prospects(game.view(state, DETECTIVES)) == ()


def test_an_interrogation_is_left_out_where_witnesses_could_tell_of_too_many_routes() -> None:
    """After black tickets alone, with nobody watching, when witnesses remember six moves and see a taxi move away."""
    assert MASTER.master is not None
    long_memory = replace(MASTER.master, recent_window=6, near_radius=1)
    log = evidence_from_log(LONDON, [by("black")] * 20, master=long_memory)
    moves = [UseAction(action) for action in SpecialAction]
    promised = [prospect.move for prospect in expected(log, moves)]
    assert promised == [move for move in moves if move.action != SpecialAction.INTERROGATION]


# ---- Answers that no app gives

FAULTS: dict[str, tuple[str, PublicRound]] = {
    "too few colours": ("rounds[0].answers[0].located.nearness", by("taxi", Located((NEAR, FAR)))),
    "no station": ("rounds[0].answers[0].analysed.stations", by("taxi", Analysed(()))),
    "a station that there is not": (
        "rounds[0].answers[0].analysed.stations[1]",
        by("taxi", Analysed((Station(1), Station(200)))),
    ),
    "a station twice": (
        "rounds[0].answers[1].analysed.stations[1]",
        by("taxi", Scanned(4), Analysed((Station(1), Station(1)))),
    ),
    "stations that do not ascend": (
        "rounds[0].answers[0].analysed.stations[2]",
        by("taxi", Analysed((Station(1), Station(7), Station(2)))),
    ),
    "a distance that is too long": ("rounds[0].answers[0].scanned.distance", by("taxi", Scanned(999))),
    "a landmark twice": (
        "rounds[0].answers[0].interrogated.question_marks.landmarks[1]",
        by("taxi", interrogated(MUSEUM, MUSEUM)),
    ),
    "an unknown landmark": (
        "rounds[0].answers[0].interrogated.question_marks.landmarks[1]",
        by("taxi", interrogated(MUSEUM, "Big Ben's cellar")),
    ),
    "a statement that nobody asked for": (
        "rounds[0].answers[0].statement_heard.landmark",
        by("taxi", StatementHeard(MUSEUM, 0)),
    ),
    "a statement from a landmark without a question mark": (
        "rounds[0].answers[1].statement_heard.landmark",
        by("taxi", interrogated(TUSSAUDS), StatementHeard(MUSEUM, 0)),
    ),
    "a memory that is too long": (
        "rounds[0].answers[1].statement_heard.moves_ago",
        by("taxi", interrogated(MUSEUM), StatementHeard(MUSEUM, 3)),
    ),
    "an answer before he has moved": ("rounds[0].answers", PublicRound((), (), answers=(Scanned(4),))),
    "a flight without a helicopter": ("rounds[0].helicopter_tickets", by("helicopter")._replace(helicopter_tickets=0)),
}


@pytest.mark.parametrize(("field", "this"), FAULTS.values(), ids=FAULTS.keys())
def test_answers_that_no_app_gives_are_refused_by_the_field_at_fault(field: str, this: PublicRound) -> None:
    with pytest.raises(InvalidField) as refused:
        app_log(this)
    assert refused.value.field == field


def test_answers_are_refused_where_there_is_no_app() -> None:
    with pytest.raises(InvalidField) as refused:
        evidence_from_log(LONDON, [by("taxi", Scanned(4))])
    assert refused.value.field == "rounds[0].answers"
