"""The register of games, found rather than listed: a new game's folder is all it takes."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

import whitehall.games
from whitehall.games.core.game import Game

CORE = "whitehall.games.core"
"""What all games share is no game itself."""


@cache
def games() -> Mapping[str, Game[Any, Any, Any, Any, Any, Any]]:
    """Every game by its name: the object `game` in the module `game` of each folder beside `core`."""
    found: dict[str, Game[Any, Any, Any, Any, Any, Any]] = {}
    for folder in pkgutil.iter_modules(whitehall.games.__path__, "whitehall.games."):
        module = f"{folder.name}.game"
        if folder.name != CORE and folder.ispkg and find_spec(module):
            game = importlib.import_module(module).game
            found[game.name] = game
    return MappingProxyType(found)
