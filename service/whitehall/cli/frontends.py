"""The games that can be played in the terminal. Their names stand in `play.GAMES`, too, which loads none of them."""

from whitehall.cli.cluedo import CluedoFrontend
from whitehall.cli.frontend import Frontend
from whitehall.cli.scotland_yard import ScotlandYardFrontend


def frontend_of(game: str, preset: str, start_by: str | None) -> Frontend:
    """The frontend of a game, by the game's name; `preset` and the option `start_by` are Scotland Yard's."""
    frontends: dict[str, Frontend] = {
        CluedoFrontend.game: CluedoFrontend(),
        ScotlandYardFrontend.game: ScotlandYardFrontend(preset, start_by),
    }
    return frontends[game]
