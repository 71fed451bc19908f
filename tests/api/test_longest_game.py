"""The longest game that there can be: still read whole by clients as they come, in answers that are small."""

from random import Random

from tests.api.refusals import refused
from tests.api.table import Yard
from whitehall.gen.whitehall.scotlandyard.v1 import options_pb2
from whitehall.sessions.referee import MOST_REVISIONS

MEBIBYTE = 1 << 20
LEAST_MOVES = 20
"""Without a capture, games go on for much longer; but somebody may be cornered."""


async def test_op13_the_longest_game_is_read_in_answers_below_a_mebibyte_by_every_viewer(yard: Yard) -> None:
    """OP-13: as many exchanged tokens as the service allows, and then a game in which
    nobody is caught until there is no other way.
    """
    table = await yard.table(6, allow_spectators=True, overrides=options_pb2.Options(rounds=48, log_fields=64))
    for _ in range(MOST_REVISIONS - 1):
        table.host = (await table.rotate(table.host)).token
    with refused("TOO_MANY_ROTATIONS"):
        await table.rotate(table.host)
    chance = Random("the longest game")
    while choices := [(seat, text) for seat in (await table.get()).info.to_move for text in await table.harmless(seat)]:
        await table.play(*chance.choice(choices))
    last = await table.play_at_random(chance)
    assert last.info.revision > MOST_REVISIONS + LEAST_MOVES
    for viewer in (table.host, table.spectator, *table.seats):
        revisions, page_token = 0, ""
        while True:
            page = await table.events(viewer, page_size=200, page_token=page_token)
            assert page.ByteSize() < MEBIBYTE
            revisions += len(page.revisions)
            page_token = page.next_page_token
            if not page_token:
                break
        assert revisions == last.info.revision
        assert (await table.get(viewer)).ByteSize() < MEBIBYTE
        assert (await table.record(viewer)).ByteSize() < MEBIBYTE
