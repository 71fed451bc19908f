"""The app game's numbers on a board, for questions without a game."""

from functools import lru_cache

from whitehall.games.scotland_yard import edition, master_changes
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.master import MasterOptions, MasterOverrides


@lru_cache(64)
def app_options(board: Board, changes: MasterOverrides) -> MasterOptions:
    """The numbers of the edition with the app, with these changes. Raises `OptionsError` for what cannot work."""
    usual = edition.MASTER
    assert usual.master is not None
    master = master_changes.changed(usual.master, changes)
    for fault in master_changes.faults(board, usual.log_fields, master):
        raise fault
    return master
