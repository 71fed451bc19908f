"""Games that stand at a moment of our choosing, without the moves that would lead there."""

from __future__ import annotations

from typing import Any

from tests.api.service import Service
from tests.api.table import Table, Yard
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.wire import storage
from whitehall.gen.whitehall.store.v1 import session_pb2


async def staged(yard: Yard, service: Service, state: ScotlandYardState, **options: Any) -> Table:
    """A game whose board the store has been told anew. `state` is one of preset `new` with the usual seats."""
    table = await yard.table(state.options.players, **options)
    rewrite(service, table.game_id, state=storage.encode_state(state))
    return table


def rewrite(service: Service, game_id: str, **fields: Any) -> None:
    """Changes fields of a game's snapshot in the store, behind the service's back."""
    key = f"wh:{{{game_id}}}:g"
    with service.store() as store:
        version, snapshot = store.hmget(key, "v", "s")
        session = session_pb2.Session.FromString(snapshot)
        for name, value in fields.items():
            setattr(session, name, value)
        # Another write id: what the process has in memory is not what the store has.
        other = bytes([version[0] ^ 1]) + version[1:]
        store.hset(key, mapping={"v": other, "s": session.SerializeToString()})
