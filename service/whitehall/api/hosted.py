"""The games that this service hosts: each with its rules, its wire and its catalog, found by their folders."""

import importlib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from whitehall.api.wire import Wire
from whitehall.games.core.catalog import Catalog
from whitehall.games.registry import games


class Hosted(NamedTuple):
    """One game."""

    wire: Wire
    catalog: Catalog


@cache
def hosted_games() -> Mapping[str, Hosted]:
    """Every game by its name. A game's rules must not know their wire, so its folder is asked for both by name."""
    found: dict[str, Hosted] = {}
    for name, game in games().items():
        folder = type(game).__module__.rpartition(".")[0]
        wire = importlib.import_module(f"{folder}.wire").wire
        found[name] = Hosted(wire, importlib.import_module(f"{folder}.catalog").catalog)
    return MappingProxyType(found)
