"""Who may stand where: one piece to a station, and a hunter on Mr X's station ends the game."""

from tests.games.scotland_yard.scenario import listed, play, refusal, refusals, scene, station_of, winner
from whitehall.games.scotland_yard.rulebook import FERRY_FOR_BLACK, FREE_STATION, LINE_OF_TICKET, STATION_ON_BOARD


def test_t05_a_double_may_not_touch_an_occupied_station() -> None:
    """Red stands on 104, between 86 and 116: Mr X cannot ride through it by taxi, but the bus runs above it."""
    state = scene(3, "mr_x", "mr_x 86, red 104, blue 29, bobby1 13, bobby2 141")
    assert refusals(state, "mr_x double taxi 104 taxi 116") == {FREE_STATION}
    assert refusal(state, "mr_x bus 116") is None


def test_a_double_may_not_end_on_an_occupied_station_either() -> None:
    state = scene(3, "mr_x", "mr_x 69, red 104, blue 29, bobby1 13, bobby2 141")
    assert refusals(state, "mr_x double taxi 86 taxi 104") == {FREE_STATION}
    assert refusal(state, "mr_x double taxi 86 bus 116") is None


def test_mr_x_may_enter_neither_a_detectives_nor_a_bobbys_station() -> None:
    state = scene(3, "mr_x", "mr_x 103, red 86, blue 29, bobby1 102, bobby2 141")
    assert refusals(state, "mr_x taxi 86") == {FREE_STATION}
    assert refusals(state, "mr_x taxi 102") == {FREE_STATION}
    assert refusals(state, "mr_x black 86") == {FREE_STATION}


def test_t06_mr_x_may_come_back_to_the_station_that_his_double_began_on() -> None:
    state = scene(3, "mr_x", "mr_x 2, red 104, blue 29, bobby1 13, bobby2 141")
    after, _ = play(state, "mr_x double taxi 10 taxi 2")
    assert after.mr_x == 2


def test_t27_a_detective_may_not_move_onto_a_bobby() -> None:
    state = scene(3, "hunters", "mr_x 170, red 104, blue 29, bobby1 116, bobby2 141")
    assert refusals(state, "red taxi 116") == {FREE_STATION}


def test_detectives_and_bobbies_keep_off_each_other_in_every_combination() -> None:
    state = scene(3, "hunters", "mr_x 170, red 104, blue 86, bobby1 116, bobby2 117")
    for text in (
        "red taxi 86",
        "blue taxi 104",
        "bobby1 taxi 104",
        "blue bus 116",
        "bobby1 taxi 117",
        "bobby2 taxi 116",
    ):
        assert refusals(state, text) == {FREE_STATION}, text


def test_a_station_is_free_again_as_soon_as_its_piece_has_left() -> None:
    state = scene(3, "hunters", "mr_x 170, red 104, blue 29, bobby1 116, bobby2 141")
    after, _ = play(state, "bobby1 taxi 118", "red taxi 116")
    assert station_of(after, "red") == 116


def test_a_piece_under_a_line_does_not_block_it() -> None:
    """The bus from 86 to 116 runs above 104, and the underground from 46 to 79 above 78."""
    state = scene(3, "hunters", "mr_x 170, red 86, blue 46, bobby1 104, bobby2 78")
    assert refusal(state, "red bus 116") is None
    assert refusal(state, "blue underground 79") is None


def test_a_hunter_may_always_move_onto_mr_xs_station() -> None:
    state = scene(3, "hunters", "mr_x 116, red 104, blue 29, bobby1 13, bobby2 141")
    after, _ = play(state, "red taxi 116")
    assert winner(after) == "detectives"


def test_t25_neither_a_detective_nor_a_bobby_may_take_the_ferry() -> None:
    state = scene(3, "hunters", "mr_x 170, red 157, blue 29, bobby1 108, bobby2 141")
    for text in ("red taxi 115", "red bus 194", "bobby1 taxi 115", "bobby1 underground 115"):
        assert refusal(state, text) is FERRY_FOR_BLACK, text
    assert FERRY_FOR_BLACK in refusals(state, "red black 115")
    assert not [text for text in listed(state, 1) if text.endswith((" 115", " 194"))]


def test_a_piece_rides_only_along_a_line_of_its_ticket() -> None:
    state = scene(3, "hunters", "mr_x 170, red 104, blue 46, bobby1 13, bobby2 141")
    for text in ("red taxi 87", "red bus 86", "red taxi 104", "blue taxi 1", "blue underground 78", "bobby2 bus 142"):
        assert refusals(state, text) == {LINE_OF_TICKET}, text


def test_nobody_leaves_the_board() -> None:
    hunters = scene(3, "hunters", "mr_x 170, red 104, blue 46, bobby1 13, bobby2 141")
    assert refusal(hunters, "red taxi 200") is STATION_ON_BOARD
    mr_x = scene(3, "mr_x", "mr_x 170, red 104, blue 46, bobby1 13, bobby2 141")
    assert refusal(mr_x, "mr_x black 200") is STATION_ON_BOARD
    assert refusal(mr_x, "mr_x double taxi 159 taxi 200") is STATION_ON_BOARD
