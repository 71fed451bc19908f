"""The catalog: what is the same for all callers."""

import platform
from collections.abc import Iterator, Mapping

from whitehall import __version__
from whitehall.api.call import Call
from whitehall.api.endpoint import Endpoint, Unary
from whitehall.api.hosted import Hosted
from whitehall.games.core.catalog import BoardEntry, PresetEntry
from whitehall.games.core.rule import Rule
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.gen.whitehall.common.v1 import rule_pb2
from whitehall.sessions.refusal import Reason, Refusal

SERVICE = catalog_pb2.DESCRIPTOR.services_by_name["CatalogService"].full_name


class CatalogServicer:
    """The catalog's methods. `games` are the games by name."""

    def __init__(self, games: Mapping[str, Hosted]) -> None:
        self._games = games

    def endpoints(self) -> list[Endpoint]:
        """Every method of the catalog."""
        return [
            Unary(SERVICE, "ListPresets", catalog_pb2.ListPresetsRequest, self.list_presets),
            Unary(SERVICE, "ListBoards", catalog_pb2.ListBoardsRequest, self.list_boards),
            Unary(SERVICE, "GetBoard", catalog_pb2.GetBoardRequest, self.get_board),
            Unary(SERVICE, "ListRules", catalog_pb2.ListRulesRequest, self.list_rules),
            Unary(SERVICE, "GetBuildInfo", catalog_pb2.GetBuildInfoRequest, self.get_build_info),
        ]

    async def list_presets(
        self, request: catalog_pb2.ListPresetsRequest, call: Call
    ) -> catalog_pb2.ListPresetsResponse:
        """ListPresets."""
        presets = [_preset(name, preset) for name, game in self._asked(request.game) for preset in game.catalog.presets]
        return catalog_pb2.ListPresetsResponse(presets=presets)

    async def list_boards(self, request: catalog_pb2.ListBoardsRequest, call: Call) -> catalog_pb2.ListBoardsResponse:
        """ListBoards."""
        boards = [_board_info(name, board) for name, game in self._asked(request.game) for board in game.catalog.boards]
        return catalog_pb2.ListBoardsResponse(boards=boards)

    async def get_board(self, request: catalog_pb2.GetBoardRequest, call: Call) -> catalog_pb2.GetBoardResponse:
        """GetBoard."""
        for name, game in self._games.items():
            for board in game.catalog.boards:
                if board.name == request.name:
                    return catalog_pb2.GetBoardResponse(board=_board(name, board))
        raise Refusal(Reason.NOT_IN_CATALOG, metadata={"field": "name"})

    async def list_rules(self, request: catalog_pb2.ListRulesRequest, call: Call) -> catalog_pb2.ListRulesResponse:
        """ListRules."""
        rules = sorted(
            (rule for _, game in self._asked(request.game) for rule in game.wire.rules.rules), key=lambda rule: rule.id
        )
        return catalog_pb2.ListRulesResponse(rules=[rule_message(rule) for rule in rules])

    async def get_build_info(
        self, request: catalog_pb2.GetBuildInfoRequest, call: Call
    ) -> catalog_pb2.GetBuildInfoResponse:
        """GetBuildInfo."""
        games = [
            catalog_pb2.GameRules(game=name, ruleset=game.wire.rules.ruleset) for name, game in self._games.items()
        ]
        return catalog_pb2.GetBuildInfoResponse(version=__version__, python=platform.python_version(), games=games)

    def _asked(self, game: str) -> Iterator[tuple[str, Hosted]]:
        if game and game not in self._games:
            raise Refusal(Reason.NOT_IN_CATALOG, metadata={"field": "game"})
        return ((name, listed) for name, listed in self._games.items() if game in ("", name))


def rule_message(rule: Rule) -> rule_pb2.Rule:
    """A rule in full."""
    return rule_pb2.Rule(id=rule.id, sentence_en=rule.en, sentence_fr=rule.fr, source=rule.source)


def _preset(game: str, preset: PresetEntry) -> catalog_pb2.Preset:
    parameters = [catalog_pb2.Parameter(**parameter._asdict()) for parameter in preset.parameters]
    return catalog_pb2.Preset(
        game=game, name=preset.name, title=preset.title, players=preset.players, parameters=parameters
    )


def _board_info(game: str, board: BoardEntry) -> catalog_pb2.BoardInfo:
    return catalog_pb2.BoardInfo(name=board.name, game=game, title=board.title)


def _board(game: str, board: BoardEntry) -> catalog_pb2.Board:
    return catalog_pb2.Board(
        info=_board_info(game, board),
        width=board.width,
        height=board.height,
        places=[catalog_pb2.Place(**place._asdict()) for place in board.places],
        lines=[catalog_pb2.Line(kind=line.kind, start=line.start, end=line.end) for line in board.lines],
    )
