"""The games that can be played in the terminal."""

from whitehall.cli.cluedo import CluedoFrontend
from whitehall.cli.frontend import Frontend
from whitehall.cli.scotland_yard import ScotlandYardFrontend


def frontend_of(game: str, preset: str, start_by: str | None) -> Frontend:
    """The frontend of a game, by the game's name; `preset` and the option `start_by` are Scotland Yard's."""
    return CluedoFrontend() if game == CluedoFrontend.game else ScotlandYardFrontend(preset, start_by)
