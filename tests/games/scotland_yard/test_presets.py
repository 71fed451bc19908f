"""The numbers of each edition, by the number of players, as the rulebook's tables have them."""

import pytest

from tests.games.chance import SeededChance
from tests.games.scotland_yard.scenario import scene, shuttle, shuttle_scene
from whitehall.games.core.fault import OptionsError
from whitehall.games.core.rule import Rule
from whitehall.games.scotland_yard import rulebook
from whitehall.games.scotland_yard.edition import PRESETS, resolve
from whitehall.games.scotland_yard.events import Placed
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.piece import BOBBIES, DETECTIVES, Piece
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Tickets

X_CARDS = (35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172)
D_CARDS = (13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174)
MR_X, RED, BLUE, GREEN, YELLOW, PURPLE, BOBBY1, BOBBY2 = Piece

# players: detectives, Bobbies, one hand for all, each hand, supply
NEW = {
    2: (2, 2, True, Tickets(22, 16, 8), Tickets(35, 29, 15)),
    3: (2, 2, False, Tickets(11, 8, 4), Tickets(35, 29, 15)),
    4: (3, 1, False, Tickets(11, 8, 4), Tickets(24, 21, 11)),
    5: (4, 0, False, Tickets(11, 8, 4), Tickets(13, 13, 7)),
    6: (5, 0, False, Tickets(11, 8, 4), Tickets(2, 5, 3)),
}


@pytest.mark.parametrize("players", NEW)
def test_sy06_the_new_edition_deals_what_its_tables_say(players: int) -> None:
    detectives, bobbies, pooled, hand, supply = NEW[players]
    options = resolve("new", players)
    assert options.preset == "new"
    assert options.board.name == "london-2013"
    assert options.detectives == DETECTIVES[:detectives]
    assert options.bobbies == BOBBIES[:bobbies]
    assert (options.pooled, options.hand, options.supply) == (pooled, hand, supply)
    assert (options.black_tickets, options.double_tickets) == (5, 2)
    assert (options.rounds, options.log_fields, options.surfacing) == (22, 24, (3, 8, 13, 18, 24))
    assert sorted(options.start_cards_mr_x) == list(X_CARDS)
    assert sorted(options.start_cards_hunters) == list(D_CARDS)


@pytest.mark.parametrize("players", NEW)
def test_the_box_holds_57_taxi_45_bus_and_23_underground_tickets(players: int) -> None:
    options = resolve("new", players)
    hands = 1 if options.pooled else len(options.detectives)
    box = tuple(hands * held + left for held, left in zip(options.hand, options.supply, strict=True))
    assert box == (57, 45, 23)


@pytest.mark.parametrize("players", NEW)
def test_each_player_has_a_seat_and_seat_0_is_mr_xs(players: int) -> None:
    seats = resolve("new", players).seats
    assert seats[0] == (MR_X,)
    if players == 2:
        assert seats[1:] == ((RED, BLUE),)
    else:
        assert seats[1:] == tuple((piece,) for piece in DETECTIVES[: players - 1])


@pytest.mark.parametrize("players", NEW)
@pytest.mark.parametrize("seed", range(20))
def test_the_start_cards_put_every_piece_on_a_station_of_its_own(players: int, seed: int) -> None:
    options = resolve("new", players)
    state, events = game.setup(options, SeededChance(seed))
    assert state.mr_x in X_CARDS
    assert set(state.hunters) <= set(D_CARDS)
    assert len(set(state.hunters)) == len(options.detectives) + len(options.bobbies)
    placed = {event.piece: event.station for event in events if isinstance(event, Placed)}
    pieces = (*options.detectives, *options.bobbies)
    assert placed == {MR_X: state.mr_x, **dict(zip(pieces, state.hunters, strict=True))}
    assert len(events) == len(placed)


@pytest.mark.parametrize("players", NEW)
def test_a_game_begins_with_mr_x_full_hands_and_an_empty_log(players: int) -> None:
    options = resolve("new", players)
    state, _ = game.setup(options, SeededChance(7))
    assert (state.round, state.phase, state.moves_made, state.log, state.outcome) == (1, Phase.MR_X, 0, (), None)
    assert state.hands == (options.hand,) * (1 if options.pooled else len(options.detectives))
    assert (state.supply, state.black_tickets, state.double_tickets) == (options.supply, 5, 2)
    assert state.start == state.mr_x
    assert game.to_move(state) == (0,)


def test_every_start_card_can_be_drawn() -> None:
    starts = [game.setup(resolve("new", 6), SeededChance(seed))[0] for seed in range(300)]
    assert {state.mr_x for state in starts} == set(X_CARDS)
    assert {station for state in starts for station in state.hunters} == set(D_CARDS)


def test_sy06_an_unknown_preset_is_refused_and_never_defaulted() -> None:
    for preset in ("", "New", "newer", "old", "hard"):
        with pytest.raises(OptionsError) as refused:
            resolve(preset, 3)
        assert refused.value.field == "preset"
        assert refused.value.rule is rulebook.KNOWN_PRESET


@pytest.mark.parametrize("players", [-1, 0, 1, 7, 100])
def test_a_number_of_players_that_the_box_does_not_seat_is_refused(players: int) -> None:
    with pytest.raises(OptionsError) as refused:
        resolve("new", players)
    assert refused.value.field == "players"
    assert refused.value.rule is rulebook.NUMBER_OF_PLAYERS


def test_the_presets_are_listed_by_name() -> None:
    assert "new" in PRESETS


@pytest.mark.parametrize(
    "seats",
    [
        [(MR_X,), (RED, BLUE, GREEN, YELLOW, PURPLE)],
        [[MR_X], [PURPLE], [RED, YELLOW], [GREEN, BLUE]],
        [(MR_X,), (PURPLE,), (YELLOW,), (GREEN,), (BLUE,), (RED,)],
    ],
    ids=["one person plays five detectives", "three people share them", "colours in another order"],
)
def test_seats_may_share_the_detectives_of_a_game_for_six_as_they_like(seats: list[tuple[Piece, ...]]) -> None:
    options = resolve("new", 6, seats)
    assert [set(seat) for seat in options.seats] == [set(seat) for seat in seats]
    assert options.detectives == DETECTIVES
    assert not options.pooled
    assert options.hand == Tickets(11, 8, 4)


@pytest.mark.parametrize(
    ("players", "seats", "rule"),
    [
        (3, [], rulebook.MR_X_SITS_ALONE),
        (3, [(RED,), (MR_X,), (BLUE,)], rulebook.MR_X_SITS_ALONE),
        (3, [(MR_X, RED), (BLUE,)], rulebook.MR_X_SITS_ALONE),
        (3, [(), (RED,), (BLUE,)], rulebook.MR_X_SITS_ALONE),
        (3, [(MR_X,)], rulebook.SEATS_SHARE_DETECTIVES),
        (3, [(MR_X,), (RED,)], rulebook.SEATS_SHARE_DETECTIVES),
        (3, [(MR_X,), (RED, BLUE), (BLUE,)], rulebook.SEATS_SHARE_DETECTIVES),
        (3, [(MR_X,), (RED, RED), (BLUE,)], rulebook.SEATS_SHARE_DETECTIVES),
        (3, [(MR_X,), (RED,), (BLUE,), ()], rulebook.SEATS_SHARE_DETECTIVES),
        (3, [(MR_X,), (RED,), (BLUE,), (GREEN,)], rulebook.SEATS_SHARE_DETECTIVES),
        (3, [(MR_X,), (RED,), (BLUE, MR_X)], rulebook.SEATS_SHARE_DETECTIVES),
        (3, [(MR_X,), (RED,), (BLUE, BOBBY1)], rulebook.BOBBIES_HAVE_NO_SEAT),
        (3, [(MR_X,), (RED,), (BLUE,), (BOBBY1, BOBBY2)], rulebook.BOBBIES_HAVE_NO_SEAT),
        (2, [(MR_X,), (RED,), (BLUE,)], rulebook.ONE_HAND_ONE_SEAT),
    ],
)
def test_seats_that_cannot_play_are_refused(players: int, seats: list[tuple[Piece, ...]], rule: Rule) -> None:
    with pytest.raises(OptionsError) as refused:
        resolve("new", players, seats)
    assert refused.value.field == "seats"
    assert refused.value.rule is rule


def test_sy06_detectives_have_neither_black_nor_double_tickets() -> None:
    """A hand holds taxi, bus and underground tickets and has no room for others; those are Mr X's."""
    state = scene(6, "mr_x", "mr_x 170, red 13, blue 29, green 34, yellow 94, purple 123")
    assert {hand._fields for hand in state.hands} == {("taxi", "bus", "underground")}
    state, _ = shuttle(shuttle_scene(), 5)
    assert (state.black_tickets, state.double_tickets) == (5, 2)
