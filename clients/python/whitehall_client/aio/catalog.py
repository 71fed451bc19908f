"""What the service knows apart from games in play. Needs no token."""

from __future__ import annotations

from collections.abc import Sequence

from whitehall_client.aio.caller import Caller
from whitehall_client.gen.whitehall.catalog.v1 import catalog_pb2, catalog_pb2_grpc
from whitehall_client.gen.whitehall.common.v1 import rule_pb2


class Catalog:
    """Presets, boards, rules, and what is running."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stub = catalog_pb2_grpc.CatalogServiceStub(caller.storeless_channel)

    async def presets(self, game: str = "") -> Sequence[catalog_pb2.Preset]:
        """The presets of a game (`scotland-yard`, `cluedo`), or of all, with every parameter; the default first."""
        return (await self._caller.ask(self._stub.ListPresets, catalog_pb2.ListPresetsRequest(game=game))).presets

    async def boards(self, game: str = "") -> Sequence[catalog_pb2.BoardInfo]:
        """The boards of a game, or of all, without their places."""
        return (await self._caller.ask(self._stub.ListBoards, catalog_pb2.ListBoardsRequest(game=game))).boards

    async def board(self, name: str) -> catalog_pb2.Board:
        """A board as a drawing needs it. Raises `NotFound`."""
        return (await self._caller.ask(self._stub.GetBoard, catalog_pb2.GetBoardRequest(name=name))).board

    async def rules(self, game: str = "") -> Sequence[rule_pb2.Rule]:
        """Every rule that a refusal can cite."""
        return (await self._caller.ask(self._stub.ListRules, catalog_pb2.ListRulesRequest(game=game))).rules

    async def build_info(self) -> catalog_pb2.GetBuildInfoResponse:
        """What is running."""
        return await self._caller.ask(self._stub.GetBuildInfo, catalog_pb2.GetBuildInfoRequest())
