"""Stored games ask for a reader that knows all that they hold, and for no newer one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.games.chance import SeededChance
from whitehall.games.cluedo import edition as cluedo_edition
from whitehall.games.cluedo.wire import wire as cluedo
from whitehall.games.core.game import Game
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, StartBy, StuckScope
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.wire import wire as scotland_yard
from whitehall.gen.whitehall.store.v1 import session_pb2
from whitehall.sessions import wire
from whitehall.sessions.codec import Codec
from whitehall.sessions.refusal import Reason, Refusal
from whitehall.sessions.session import Session, Status
from whitehall.sessions.store import Stored, Version

CODECS: dict[str, Codec] = {"scotland-yard": scotland_yard, "cluedo": cluedo}
VERSION = Version(1, b"12345678")


def kept(game: str, options: Any) -> bytes:
    """The snapshot of a game that has just been dealt."""
    rules: Mapping[str, Game[Any, Any, Any, Any, Any, Any]]
    rules = {"scotland-yard": scotland_yard.rules, "cluedo": cluedo.rules}
    state, _ = rules[game].setup(options, SeededChance(1))
    session = Session(
        game_id="a",
        game=game,
        ruleset=1,
        version=VERSION,
        generations=(0,) * 8,
        status=Status.ACTIVE,
        options=options,
        state=state,
        seat_names=("a", "b"),
        claimed=(False, False),
        spectators=False,
        server_seed=b"",
        client_seeds=(),
        draws=0,
        created_ms=0,
        last_move_ms=0,
    )
    return wire.encode_session(session, CODECS[game])


def asks_for(snapshot: bytes) -> int:
    return session_pb2.Session.FromString(snapshot).min_reader


def read(snapshot: bytes) -> Session:
    return wire.decode_session("a", Stored(VERSION, snapshot, (0,) * 8, 0), CODECS)


NEWER = {
    "the app game": resolve("master", 3),
    "the edition before": resolve("classic", 3),
    "pieces that are placed": resolve("new", 3, None, Overrides(start_by=StartBy.CHOICE)),
    "pieces that are distributed": resolve("new", 3, None, Overrides(start_by=StartBy.DISTRIBUTION)),
    "a log that ends the game": resolve("new", 3, None, Overrides(end_by=EndBy.LOG_FULL)),
    "tickets without end": resolve("new", 3, None, Overrides(mr_x_supply=MrXSupply.UNLIMITED)),
    "hunters that all get stuck": resolve("new", 6, None, Overrides(stuck_scope=StuckScope.ALL_HUNTERS)),
    "detectives with black tickets": resolve("new", 3, None, Overrides(detective_black_tickets=1)),
    "a last black ticket that wins": resolve("new", 3, None, Overrides(last_black_wins=True)),
}
"""Games of which a reader of the first format would overlook something."""


@pytest.mark.parametrize("options", NEWER.values(), ids=NEWER)
def test_a_game_that_an_older_release_would_misread_is_left_alone_by_it(
    options: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = kept("scotland-yard", options)
    assert asks_for(snapshot) == 2 <= wire.READER
    assert read(snapshot).options == options
    monkeypatch.setattr(wire, "READER", 1)
    with pytest.raises(Refusal) as refused:
        read(snapshot)
    assert refused.value.reason is Reason.GAME_FROM_NEWER_RELEASE
    assert refused.value.retry_after


@pytest.mark.parametrize("players", range(2, 7))
def test_an_older_release_goes_on_with_every_game_that_it_understands(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "READER", 1)
    fewer_rounds = resolve("new", players, None, Overrides(rounds=13, surfacing=(3, 8, 13)))
    for options in (resolve("new", players), fewer_rounds):
        assert read(kept("scotland-yard", options)).options == options
    found = read(kept("cluedo", cluedo_edition.resolve("james-bond", players)))
    assert found.state.hands[Seat(0)]


def test_a_game_whose_board_is_not_here_goes_on_asking_for_its_reader() -> None:
    snapshot = session_pb2.Session.FromString(kept("scotland-yard", resolve("master", 3)))
    options = scotland_yard.encode_options(resolve("master", 3))
    snapshot.options = options.replace(b"london-2013", b"london-1492")
    found = read(snapshot.SerializeToString())
    assert found.sealed is not None
    again = wire.encode_session(found, scotland_yard)
    assert asks_for(again) == 2
    assert session_pb2.Session.FromString(again).options == snapshot.options
