"""Double moves: two rides in one round for one double ticket, paid and logged like two single ones."""

from tests.games.scotland_yard.scenario import listed, play, refusal, refusals, scene
from whitehall.games.scotland_yard.events import DoubleDeclared, MrXTravelled
from whitehall.games.scotland_yard.rulebook import (
    DOUBLE_LEFT,
    DOUBLE_NEEDS_TWO_FIELDS,
    DOUBLE_TICKETS_TOGETHER,
    LINE_OF_TICKET,
    MR_X_THEN_HUNTERS,
    ONE_DOUBLE_A_ROUND,
)
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Station, Ticket

FAR = "red 104, blue 29, bobby1 13, bobby2 141"
"""Three players' hunters, none of them near the places where these tests let Mr X ride."""


def test_t12_a_second_double_in_the_same_round_is_refused() -> None:
    state, _ = play(scene(3, "mr_x", f"mr_x 170, {FAR}"), "mr_x double taxi 159 taxi 170")
    assert ONE_DOUBLE_A_ROUND in refusals(state, "mr_x double taxi 159 taxi 170")
    assert refusal(state, "mr_x double taxi 159 taxi 170") in {ONE_DOUBLE_A_ROUND, MR_X_THEN_HUNTERS}


def test_sy12_each_double_costs_a_double_ticket_two_transport_tickets_and_two_fields() -> None:
    hunters_out = ("red taxi 116", "blue taxi 41", "bobby1 taxi 24", "bobby2 taxi 133")
    hunters_back = ("red taxi 104", "blue taxi 29", "bobby1 taxi 13", "bobby2 taxi 141")
    state = scene(3, "mr_x", f"mr_x 170, {FAR}")
    taxi = state.supply.taxi

    state, events = play(state, "mr_x double taxi 159 taxi 170")
    assert events == [
        DoubleDeclared(remaining=1),
        MrXTravelled(1, Ticket.TAXI, Station(159), surfaced=False),
        MrXTravelled(2, Ticket.TAXI, Station(170), surfaced=False),
    ]
    assert (state.double_tickets, state.moves_made, state.supply.taxi) == (1, 2, taxi - 2)

    state, _ = play(state, *hunters_out)
    assert state.supply.taxi == taxi  # red and blue have each put one back
    state, events = play(state, "mr_x double taxi 159 black 170")
    assert events[0] == DoubleDeclared(remaining=0)
    assert (state.double_tickets, state.moves_made, state.supply.taxi, state.black_tickets) == (0, 4, taxi - 1, 4)

    state, _ = play(state, *hunters_back)
    assert refusals(state, "mr_x double taxi 159 taxi 170") == {DOUBLE_LEFT}
    assert not [text for text in listed(state, 0) if "double" in text]


def test_t13_a_double_in_round_22_is_played_whole_and_the_hunters_then_move_once() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", in_round=22, fields=21)
    state, _ = play(state, "mr_x double taxi 159 taxi 170")
    assert (state.round, state.phase, state.moves_made) == (22, Phase.HUNTERS, 23)
    state, _ = play(state, "red taxi 116", "blue taxi 41", "bobby1 taxi 24")
    assert state.phase is Phase.HUNTERS
    state, _ = play(state, "bobby2 taxi 133")
    assert (state.phase, state.round) == (Phase.OVER, 22)


def test_hunters_get_nothing_in_between_the_halves() -> None:
    state, _ = play(scene(3, "mr_x", f"mr_x 170, {FAR}"), "mr_x double taxi 159 taxi 172")
    assert (state.mr_x, state.phase, state.round) == (172, Phase.HUNTERS, 1)


def test_a_double_may_mix_any_two_transports() -> None:
    state = scene(3, "mr_x", f"mr_x 46, {FAR}")
    for text in (
        "mr_x double taxi 47 taxi 62",
        "mr_x double bus 1 taxi 8",
        "mr_x double underground 79 bus 63",
        "mr_x double black 74 underground 46",
        "mr_x double taxi 33 black 46",
        "mr_x double black 1 black 58",
    ):
        assert refusal(state, text) is None, text


def test_each_half_rides_a_line_of_its_ticket() -> None:
    state = scene(3, "mr_x", f"mr_x 46, {FAR}")
    assert refusals(state, "mr_x double taxi 1 taxi 8") == {LINE_OF_TICKET}
    assert refusals(state, "mr_x double bus 1 bus 8") == {LINE_OF_TICKET}


def test_t39_two_taxi_rides_need_two_taxi_tickets_but_taxi_and_black_one_of_each() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", supply=(1, 5, 5), black=1)
    assert refusals(state, "mr_x double taxi 159 taxi 172") == {DOUBLE_TICKETS_TOGETHER}
    assert refusal(state, "mr_x double taxi 159 black 172") is None
    assert refusal(state, "mr_x double black 159 taxi 172") is None


def test_t40_two_black_rides_need_two_black_tickets() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", black=1)
    assert refusals(state, "mr_x double black 159 black 172") == {DOUBLE_TICKETS_TOGETHER}
    assert refusal(scene(3, "mr_x", f"mr_x 170, {FAR}", black=2), "mr_x double black 159 black 172") is None


def test_a_double_is_listed_only_when_both_halves_can_be_paid() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", supply=(1, 0, 0), black=0)
    assert listed(state, 0) == ["mr_x taxi 157", "mr_x taxi 159", "mr_x taxi 185"]


def test_a_double_needs_two_free_fields_where_the_log_is_short() -> None:
    """With preset `new` there are always two; on a log of 23 fields the last double finds one, and a single fits."""
    full_log = scene(3, "mr_x", f"mr_x 170, {FAR}", in_round=22, fields=22, doubles=1)
    assert refusal(full_log, "mr_x double taxi 159 taxi 172") is None
    short_log = scene(3, "mr_x", f"mr_x 170, {FAR}", in_round=22, fields=22, doubles=1, log_fields=23)
    assert refusals(short_log, "mr_x double taxi 159 taxi 172") == {DOUBLE_NEEDS_TWO_FIELDS}
    assert refusal(short_log, "mr_x taxi 159") is None
    assert not [text for text in listed(short_log, 0) if "double" in text]
