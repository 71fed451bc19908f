"""Boards and the app game's numbers, as questions without a game name them."""

from functools import lru_cache

from whitehall.games.core.fault import BadBoard, InvalidField, OptionsError
from whitehall.games.scotland_yard import boards, master_changes
from whitehall.games.scotland_yard.app_options import app_options
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.master import MasterOptions
from whitehall.games.scotland_yard.wire.master_options import read_master_options
from whitehall.gen.whitehall.scotlandyard.v1 import master_pb2


def read_board(name: str, field: str = "board") -> Board:
    """The board of that name; the default one where it is empty. Raises `InvalidField`."""
    try:
        return boards.board(name or boards.LONDON_2013)
    except BadBoard as error:
        raise InvalidField(field, error.text) from error


def read_app_game(
    board: str, options: master_pb2.MasterOptions, within: str = "", field: str = "options"
) -> tuple[Board, MasterOptions]:
    """The board and the numbers that answers depend on; `within` and `field` say where they stand in the question.

    Raises `InvalidField`.
    """
    return _app_game(board, options.SerializeToString(deterministic=True), within, field)


@lru_cache(64)
def _app_game(name: str, options: bytes, within: str, field: str) -> tuple[Board, MasterOptions]:
    board = read_board(name, f"{within}board")
    try:
        return board, app_options(board, read_master_options(master_pb2.MasterOptions.FromString(options)))
    except OptionsError as error:
        told = error.told
        path = told.field.replace(master_changes.FIELD, f"{within}{field}")
        raise InvalidField(path, told.text, told.rule) from error
