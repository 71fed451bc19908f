"""Games whose board is gone, or is another one by now: told by name, taken no harm, and the host can clean up."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import grpc
import pytest
from google.rpc import error_details_pb2
from structlog.testing import capture_logs

from tests.api.live import Live, live
from tests.api.refusals import refused
from tests.api.table import bearing
from tests.api.test_boards import ring
from whitehall.games.cluedo import boards as cluedo_boards
from whitehall.games.cluedo.wire import storage as cluedo_storage
from whitehall.games.core.fault import BoardUnavailable
from whitehall.games.scotland_yard import boards as yard_boards
from whitehall.games.scotland_yard import edition
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.wire import storage as yard_storage
from whitehall.gen.whitehall.cluedo.v1 import service_pb2 as cluedo
from whitehall.gen.whitehall.cluedo.v1 import service_pb2_grpc as cluedo_grpc
from whitehall.gen.whitehall.common.v1 import game_pb2
from whitehall.gen.whitehall.scotlandyard.store.v1 import state_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2 as yard
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2_grpc as yard_grpc
from whitehall.sessions.redis_store import RedisStore

NEEDS_NO_BOARD = {"CreateGame", "RotateToken", "AbandonGame", "DeleteGame"}


class Kind(NamedTuple):
    """How games of one kind are made on a board of an operator's."""

    folder: str
    pb: Any
    stub: Any
    board: str
    """The file's text."""
    changed: str
    """Another board under the same name."""
    overrides: dict[str, Any]
    preset: str
    move: dict[str, Any]
    """A move that its seat may make first."""


def mansion(**changes: Any) -> str:
    """The classic grid under a name of its own."""
    data = json.loads(files(cluedo_boards.__package__).joinpath("data", "mansion.json").read_text(encoding="utf-8"))
    return json.dumps(data | {"name": "ring"} | changes)


def other_ring() -> str:
    """The ring with one line laid elsewhere."""
    data = json.loads(ring())
    data["stations"]["3"]["taxi"] = [5]
    return json.dumps(data)


KINDS = {
    "scotland-yard": Kind(
        "scotland-yard",
        yard,
        yard_grpc.ScotlandYardServiceStub,
        ring(),
        other_ring(),
        {
            "board": "ring",
            "bobbies": 0,
            "start_cards_hunters": {"stations": [1, 2]},
            "start_cards_mr_x": {"stations": [5]},
        },
        "new",
        {"moves": [{"text": "taxi 6"}]},
    ),
    "cluedo": Kind(
        "cluedo",
        cluedo,
        cluedo_grpc.CluedoServiceStub,
        mansion(),
        mansion(passages=[]),
        {"board": "ring"},
        "james-bond",
        {"move": {"text": "roll"}},
    ),
}


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture(params=["missing", "changed"])
def fate(request: pytest.FixtureRequest) -> str:
    """What becomes of the board between two starts."""
    return str(request.param)


@pytest.fixture(autouse=True)
def nobody_elses_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are added to a process for good; each test begins without any and leaves none."""
    forget(monkeypatch)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process: no operator's boards, and no options decoded with them."""
    for boards, storage in ((yard_boards, yard_storage), (cluedo_boards, cluedo_storage)):
        monkeypatch.setattr(boards.shelf, "_added", {})
        storage.decode_options.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, kind: Kind) -> Path:
    (tmp_path / kind.folder).mkdir()
    (tmp_path / kind.folder / "ring.json").write_text(kind.board, encoding="utf-8")
    return tmp_path


@asynccontextmanager
async def started(store: RedisStore, kind: Kind, folder: Path) -> AsyncIterator[tuple[Live, Any]]:
    async with live(store, {"boards_dir": str(folder)}) as service:
        yield service, kind.stub(service.yard.channel)


async def begun(calls: Any, kind: Kind, **fields: Any) -> Any:
    """A game on the board that may be gone later."""
    request = kind.pb.CreateGameRequest(
        preset=kind.preset, players=3, overrides=kind.overrides, allow_spectators=True, **fields
    )
    return await calls.CreateGame(request)


@pytest.fixture
def befall(kind: Kind, fate: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What becomes of the board."""

    def happen() -> None:
        forget(monkeypatch)
        file = folder / kind.folder / "ring.json"
        if fate == "missing":
            file.unlink()
            (folder / kind.folder / "other.json").write_text(kind.board.replace('"ring"', '"other"'), encoding="utf-8")
        else:
            file.write_text(kind.changed, encoding="utf-8")

    return happen


def needing_the_board(kind: Kind) -> list[str]:
    methods = next(iter(kind.pb.DESCRIPTOR.services_by_name.values())).methods
    assert {method.name for method in methods} > NEEDS_NO_BOARD
    return [method.name for method in methods if method.name not in NEEDS_NO_BOARD]


async def call(calls: Any, kind: Kind, method: str, created: Any, **fields: Any) -> Any:
    """A call that would be answered if the board were here."""
    waits = created.game.info.status == game_pb2.GAME_STATUS_WAITING
    body = kind.move if method in ("PlayMove", "ValidateMove") else {}
    request = getattr(kind.pb, f"{method}Request")(game_id=created.game.info.game_id, **body, **fields)
    token = created.host_token if method in ("StartGame", "GetRecord") or waits else created.invitations[0].token
    answer = getattr(calls, method)(request, metadata=bearing(token), timeout=5)
    if method == "WatchGame":
        return [message async for message in answer]
    return await answer


async def test_every_call_that_needs_the_board_is_refused_by_name_and_the_log_tells_it_once(
    store: RedisStore, kind: Kind, folder: Path, fate: str, befall: Any
) -> None:
    async with started(store, kind, folder) as (_, calls):
        in_play = await begun(calls, kind)
        waiting = await begun(calls, kind, start_mode=game_pb2.START_MODE_WAITING)
    befall()
    with capture_logs() as lines:
        async with started(store, kind, folder) as (_, calls):
            for method in needing_the_board(kind):
                with refused("BOARD_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE) as refusal:
                    await call(calls, kind, method, waiting if method == "StartGame" else in_play)
                assert refusal.metadata == {"board": "ring"}, method
                assert refusal.detail(error_details_pb2.RetryInfo) is not None, "another replica may have it"
    why = {"missing": "there is none of this name", "changed": "is not the one that the game was begun on"}[fate]
    told = [line for line in lines if line["event"] == "board unavailable"]
    assert [(line["log_level"], line["board"], line["why"]) for line in told] == [("warning", "ring", why)]
    assert not [line for line in lines if line["log_level"] == "error"]


async def test_the_game_goes_on_where_it_was_once_the_board_is_back(
    store: RedisStore, kind: Kind, folder: Path, befall: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that was refused or done in between has touched what the store keeps of the game."""
    async with started(store, kind, folder) as (_, calls):
        created = await begun(calls, kind)
        before = await call(calls, kind, "GetGame", created)
    befall()
    async with started(store, kind, folder) as (_, calls):
        with refused("BOARD_UNAVAILABLE"):
            await call(calls, kind, "PlayMove", created, request_id=str(uuid4()))
        seat = kind.pb.RotateTokenRequest(game_id=created.game.info.game_id, seat=1)
        rotated = await calls.RotateToken(seat, metadata=bearing(created.host_token))
    forget(monkeypatch)
    (folder / kind.folder / "ring.json").write_text(kind.board, encoding="utf-8")
    async with started(store, kind, folder) as (_, calls):
        after = await call(calls, kind, "GetGame", created)
        assert after.game.view == before.game.view
        assert after.game.info.revision == rotated.revision == before.game.info.revision + 1
        other = kind.pb.GetGameRequest(game_id=created.game.info.game_id)
        assert (await calls.GetGame(other, metadata=bearing(rotated.token))).game.info.revision == rotated.revision
        await call(calls, kind, "PlayMove", created)


async def test_the_host_can_abandon_and_delete_without_the_board(
    store: RedisStore, kind: Kind, folder: Path, befall: Any
) -> None:
    async with started(store, kind, folder) as (_, calls):
        created = await begun(calls, kind)
    befall()
    async with started(store, kind, folder) as (service, calls):
        game_id, host = created.game.info.game_id, bearing(created.host_token)
        abandon = kind.pb.AbandonGameRequest(game_id=game_id, request_id=str(uuid4()))
        first, again = [await calls.AbandonGame(abandon, metadata=host) for _ in range(2)]
        assert first.update.game.info.status == game_pb2.GAME_STATUS_ABANDONED
        assert not first.update.game.HasField("view")
        assert (first.replayed, again.replayed) == (False, True)
        assert first.update.revision == again.update.revision
        with refused("GAME_ENDED"):
            await calls.AbandonGame(kind.pb.AbandonGameRequest(game_id=game_id), metadata=host)
        await calls.DeleteGame(kind.pb.DeleteGameRequest(game_id=game_id), metadata=host)
        with refused("GAME_NOT_FOUND"):
            await call(calls, kind, "GetGame", created)
        assert await service.metric(f'whitehall_games_finished_total{{ended_by="abandoned",game="{kind.folder}"}}') == 1


async def test_tokens_are_judged_before_the_board_is_told(
    store: RedisStore, kind: Kind, folder: Path, befall: Any
) -> None:
    async with started(store, kind, folder) as (_, calls):
        created = await begun(calls, kind)
    befall()
    async with started(store, kind, folder) as (_, calls):
        claim = kind.pb.RotateTokenRequest(game_id=created.game.info.game_id)
        await calls.RotateToken(claim, metadata=bearing(created.invitations[0].token))
        for method in needing_the_board(kind):
            if method not in ("StartGame", "GetRecord"):
                with refused("TOKEN_REVOKED"):
                    await call(calls, kind, method, created)


def test_a_game_from_before_digests_were_kept_is_taken_for_one_on_its_board() -> None:
    options = edition.resolve("new", 3)
    message = state_pb2.Options.FromString(yard_storage.encode_options(options))
    assert message.board_digest == options.board.digest
    message.ClearField("board_digest")
    assert yard_storage.decode_options(message.SerializeToString()) == options


def test_a_packaged_board_is_checked_too() -> None:
    for storage, options in (
        (yard_storage, edition.resolve("new", 3, changes=Overrides(board="london-classic"))),
        (yard_storage, edition.resolve("new", 3)),
    ):
        message = state_pb2.Options.FromString(storage.encode_options(options))
        message.board = {"london-2013": "london-classic", "london-classic": "london-2013"}[message.board]
        with pytest.raises(BoardUnavailable, match="is not the one that the game was begun on"):
            storage.decode_options(message.SerializeToString())


def test_a_board_whose_map_or_words_are_drawn_anew_is_the_same_board() -> None:
    """No rule asks where a station stands on the map; the lines, in whatever order, and the stations are the board."""
    drawn = json.loads(ring())
    stations = dict(reversed(drawn["stations"].items())) | {"3": {"at": [500, 500], "taxi": [4]}}
    again = {"name": "ring", "about": "Our ring", "stations": stations}
    assert yard_boards.load(json.dumps(again)).digest == yard_boards.load(ring()).digest
    assert yard_boards.load(other_ring()).digest != yard_boards.load(ring()).digest
    assert cluedo_boards.load(mansion(about="Ours")).digest == cluedo_boards.board("mansion").digest
    assert cluedo_boards.load(mansion(passages=[])).digest != cluedo_boards.board("mansion").digest
