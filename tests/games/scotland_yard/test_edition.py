"""Editions: the new edition's table for each number of players, and seats that cannot be."""

import pytest

from whitehall.games.core.fault import OptionsError
from whitehall.games.core.rule import Rule
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import rulebook
from whitehall.games.scotland_yard.edition import PRESETS, resolve
from whitehall.games.scotland_yard.options import EndBy
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.ticket import LAND, Tickets

MR_X, RED, BLUE, GREEN, YELLOW, PURPLE, BOBBY1, BOBBY2 = Piece


@pytest.mark.parametrize(
    ("players", "detectives", "bobbies", "supply"),
    [
        (2, (RED, BLUE), (BOBBY1, BOBBY2), (35, 29, 15)),
        (3, (RED, BLUE), (BOBBY1, BOBBY2), (35, 29, 15)),
        (4, (RED, BLUE, GREEN), (BOBBY1,), (24, 21, 11)),
        (5, (RED, BLUE, GREEN, YELLOW), (), (13, 13, 7)),
        (6, (RED, BLUE, GREEN, YELLOW, PURPLE), (), (2, 5, 3)),
    ],
)
def test_each_number_of_players_has_its_hunters_and_its_supply(
    players: int, detectives: tuple[Piece, ...], bobbies: tuple[Piece, ...], supply: tuple[int, int, int]
) -> None:
    options = resolve("new", players)
    assert options.detectives == detectives
    assert options.bobbies == bobbies
    assert options.hunters == detectives + bobbies
    assert options.supply == supply


def test_the_new_edition_is_the_rulebooks() -> None:
    options = resolve("new", 5)
    assert (options.rounds, options.log_fields, options.surfacing) == (22, 24, (3, 8, 13, 18, 24))
    assert options.hand == Tickets(taxi=11, bus=8, underground=4)
    assert (options.black_tickets, options.double_tickets) == (5, 2)
    assert options.board.name == "london-2013"
    assert (len(options.start_cards_mr_x), len(options.start_cards_hunters)) == (13, 16)


def test_two_players_share_one_hand_of_two_detectives_and_one_seat() -> None:
    options = resolve("new", 2)
    assert options.pooled
    assert options.hand == Tickets(taxi=22, bus=16, underground=8)
    assert options.seats == ((MR_X,), (RED, BLUE))


def test_otherwise_each_player_has_a_seat_with_one_detective() -> None:
    options = resolve("new", 4)
    assert not options.pooled
    assert options.seats == ((MR_X,), (RED,), (BLUE,), (GREEN,))


def test_every_seat_of_the_detective_side_moves_the_bobbies() -> None:
    options = resolve("new", 3)
    assert options.movers == {0: (MR_X,), 1: (RED, BOBBY1, BOBBY2), 2: (BLUE, BOBBY1, BOBBY2)}


def test_one_person_may_play_several_detectives() -> None:
    options = resolve("new", 6, seats=[[MR_X], [RED, PURPLE], [YELLOW, BLUE, GREEN]])
    assert options.seats == ((MR_X,), (RED, PURPLE), (YELLOW, BLUE, GREEN))
    assert options.movers[Seat(2)] == (BLUE, GREEN, YELLOW)  # moves are always listed in the order of the pieces


@pytest.mark.parametrize(
    ("seats", "rule"),
    [
        ([], rulebook.MR_X_SITS_ALONE),
        ([[RED], [MR_X], [BLUE]], rulebook.MR_X_SITS_ALONE),
        ([[MR_X, RED], [BLUE]], rulebook.MR_X_SITS_ALONE),
        ([[MR_X], [RED]], rulebook.SEATS_SHARE_DETECTIVES),
        ([[MR_X], [RED, BLUE], [RED]], rulebook.SEATS_SHARE_DETECTIVES),
        ([[MR_X], [RED, BLUE], []], rulebook.SEATS_SHARE_DETECTIVES),
        ([[MR_X], [RED, BLUE], [GREEN]], rulebook.SEATS_SHARE_DETECTIVES),
        ([[MR_X], [RED, BLUE], [MR_X]], rulebook.SEATS_SHARE_DETECTIVES),
        ([[MR_X], [RED, BLUE, BOBBY1]], rulebook.BOBBIES_HAVE_NO_SEAT),
    ],
)
def test_seats_that_cannot_be_are_refused_with_the_rule(seats: list[list[Piece]], rule: Rule) -> None:
    with pytest.raises(OptionsError) as refused:
        resolve("new", 3, seats=seats)
    assert (refused.value.field, refused.value.rule) == ("seats", rule)


def test_a_shared_hand_cannot_be_spread_over_two_seats() -> None:
    with pytest.raises(OptionsError) as refused:
        resolve("new", 2, seats=[[MR_X], [RED], [BLUE]])
    assert refused.value.rule == rulebook.ONE_HAND_ONE_SEAT


@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_two_to_six_play(players: int) -> None:
    with pytest.raises(OptionsError, match="must be 2 to 6") as refused:
        resolve("new", players)
    assert (refused.value.field, refused.value.rule) == ("players", rulebook.NUMBER_OF_PLAYERS)


def test_an_unknown_preset_is_refused_and_never_replaced_by_a_default() -> None:
    with pytest.raises(OptionsError) as refused:
        resolve("newer", 3)
    assert (refused.value.field, refused.value.rule) == ("preset", rulebook.KNOWN_PRESET)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_works_for_every_number_of_players_it_lists(preset: str) -> None:
    """Ruling 7.2: the log holds all rounds and doubles, or its end is the game's. Each piece has a card, each card a
    station.
    """
    for players in PRESETS[preset].hunters:
        options = resolve(preset, players)
        if options.end_by == EndBy.ROUNDS:
            assert options.log_fields >= options.rounds + options.double_tickets
        assert len(set(options.start_cards_hunters)) >= len(options.hunters)
        assert len({*options.start_cards_mr_x, *options.start_cards_hunters}) > len(options.hunters)
        assert {*options.start_cards_hunters, *options.start_cards_mr_x} <= set(options.board.stations)
        assert min(options.supply) >= 0


def test_no_start_of_mr_x_is_one_ride_from_a_start_of_a_hunter() -> None:
    options = resolve("new", 6)
    hunters = set(options.start_cards_hunters)
    assert hunters.isdisjoint(options.start_cards_mr_x)
    for start in options.start_cards_mr_x:
        for transport in LAND:
            assert hunters.isdisjoint(options.board.neighbours(start, transport))
