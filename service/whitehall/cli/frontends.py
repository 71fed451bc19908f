"""The games that can be played in the terminal."""

from whitehall.cli.cluedo import CluedoFrontend
from whitehall.cli.frontend import Frontend
from whitehall.cli.scotland_yard import ScotlandYardFrontend


def frontend_of(game: str, start_by: str | None) -> Frontend:
    """The frontend of a game, by the game's name; `start_by` is an option of Scotland Yard."""
    return CluedoFrontend() if game == CluedoFrontend.game else ScotlandYardFrontend(start_by)
