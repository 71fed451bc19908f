"""The capacity model by hand, the simulation by cases where the answer is known, and the page that tells of both."""

from __future__ import annotations

import pytest

from tools.capacity.__main__ import PAGE, READ, WRITE, told, with_tables
from tools.capacity.costs import BENCHMARKS, Costs, measured
from tools.capacity.hot_games import Town, watch
from tools.capacity.model import Load, needs

ROUND = Costs(
    play=1000,
    legal_moves=500,
    follow=200,
    store_write=50,
    store_read=10,
    game_bytes=4096,
    process_bytes=100 * 2**20,
)


def test_what_a_load_needs_is_what_a_calculation_by_hand_gives() -> None:
    """A thousand moves a second, each with two followers: 1500 us and 400 us of the service, of which the store has
    50 us for the write and 10 us for each of the five reads.
    """
    need = needs(Load(games=10_000, seconds_per_move=10, followers=2, ended_days=0), ROUND)
    assert need.cores == 3  # 1.8 cores at work, 60 % used
    assert need.memory == 3 * 100 * 2**20
    assert need.store_commands == 6_000
    assert need.primaries_for_commands == 1
    assert need.store_memory == 10_000 * 4096 * 1.5
    assert needs(Load(games=200_000, seconds_per_move=10, followers=2), ROUND).primaries_for_commands == 4


def test_memory_asks_for_another_primary_where_commands_do_not() -> None:
    need = needs(Load(games=10_000_000, seconds_per_move=100_000, followers=0, ended_days=0), ROUND)
    assert (need.primaries_for_commands, need.primaries_for_memory) == (1, 3)


def test_games_that_are_over_are_kept_too() -> None:
    """A game of 127 moves with ten seconds each lasts 1270 s, so 68 times as many end within a day as are played."""
    load = Load(games=1000, seconds_per_move=10, followers=0, ended_days=1)
    assert load.kept == pytest.approx(1000 * (1 + 86_400 / 1270))


def test_without_spectators_and_with_time_in_between_a_follower_waits_for_the_work_itself() -> None:
    """Three followers on one process are told one after the other: 1700, 1900 and 2100 us after the move."""
    seen = watch(Town(games=1, seconds_per_move=1000, processes=1, spectators=0, seconds=500_000), ROUND)
    assert seen.followers == 3
    assert seen.median == pytest.approx(0.0019)
    assert seen.p99 == pytest.approx(0.0021)
    assert seen.busiest == pytest.approx(500 * 0.0021 / 500_000, rel=0.15)


def test_a_game_has_only_so_many_spectators() -> None:
    seen = watch(Town(games=1, seconds_per_move=10, processes=1, spectators=1_000, seconds=100), ROUND)
    assert (seen.followers, seen.turned_away) == (67, 936)


def test_more_processes_tell_followers_sooner() -> None:
    towns = [Town(games=200, seconds_per_move=5, processes=number, spectators=2_000, seconds=30) for number in (1, 4)]
    one, four = (watch(town, ROUND) for town in towns)
    assert four.p99 < one.p99
    assert four.busiest < one.busiest


def test_the_tables_of_the_page_follow_from_the_benchmarks() -> None:
    page = PAGE.read_text()
    costs = measured(BENCHMARKS.read_text(), told(page, WRITE), told(page, READ))
    assert with_tables(page, costs) == page
