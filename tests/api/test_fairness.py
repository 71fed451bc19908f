"""Chance that anybody can derive again, and that nobody could choose."""

from __future__ import annotations

import pytest

from tests.api.derivation import check_chance, derive
from tests.api.table import WAITING, Yard
from whitehall.gen.whitehall.common.v1 import chance_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import record_pb2


@pytest.mark.parametrize("players", [2, 6])
async def test_the_chance_of_a_game_that_starts_at_once_follows_from_the_seed_that_was_committed_to(
    yard: Yard, players: int
) -> None:
    table = await yard.table(players, client_seed="the host’s, ünïcode")
    commitment = table.created.game.info.commitment
    await table.play_on(8)
    await table.abandon()
    record = await table.record(table.seats[1])
    assert seeds(record) == [(-1, "the host’s, ünïcode")]
    check_chance(record, commitment)


async def test_the_players_seeds_are_mixed_into_the_chance_of_a_game_that_waits_for_them(yard: Yard) -> None:
    """One for each seat, the last that it gave, in the order given; a claim after the start adds none."""
    table = await yard.table(3, start_mode=WAITING, client_seed="h")
    commitment = (await table.get()).info.commitment
    await table.claim(2, client_seed="blue")
    await table.claim(0)
    await table.claim(1, client_seed="|0|1|x")
    await table.claim(2, client_seed="blue again")
    await table.claim(2)
    await table.start()
    table.seats[0] = (await table.rotate(table.host, seat=0, client_seed="late")).token
    await table.claim(0, client_seed="too late")
    await table.abandon()
    record = await table.record()
    assert seeds(record) == [(-1, "h"), (1, "|0|1|x"), (2, "blue again")]
    check_chance(record, commitment)


async def test_other_seeds_of_the_players_make_another_chance() -> None:
    """With the same server seed, which no game shows twice: by the derivation alone."""
    draws = [chance_pb2.Draw(label=f"start card of {piece}", bound=16) for piece in ("red", "blue", "bobby1", "bobby2")]
    results = set()
    for client_seeds in ([], [(0, "a")], [(1, "a")], [(0, "b")], [(0, "a"), (1, "")], [(0, "a|1|0|")]):
        fairness = chance_pb2.Fairness(server_seed="07" * 32)
        fairness.client_seeds.extend(chance_pb2.ClientSeed(seat=seat, seed=seed) for seat, seed in client_seeds)
        results.add(tuple(derive(fairness, draws)))
    assert len(results) == 6


async def test_every_game_has_a_seed_of_its_own_and_shows_it_only_at_the_end(yard: Yard) -> None:
    tables = [await yard.table(3) for _ in range(5)]
    assert len({table.created.game.info.commitment for table in tables}) == 5
    for table in tables:
        await table.abandon()
        seed = (await table.record()).fairness.server_seed
        assert len(bytes.fromhex(seed)) == 32
        for token in (table.host, *table.seats):
            assert seed not in str(await table.get(token)) + str(await table.events(token))
        assert seed not in str(table.created)


def seeds(record: record_pb2.Record) -> list[tuple[int, str]]:
    return [(seed.seat, seed.seed) for seed in record.fairness.client_seeds]
