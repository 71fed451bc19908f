"""Directions of imports that import-linter has no contract for; the others are in pyproject.toml."""

from __future__ import annotations

import sys

import grimp

CORE = "whitehall.games.core"


def test_the_core_of_the_games_needs_only_the_standard_library() -> None:
    graph = grimp.build_graph("whitehall", include_external_packages=True, cache_dir=None)
    core = {CORE} | graph.find_descendants(CORE)
    imported = set().union(*(graph.find_modules_directly_imported_by(module) for module in core))
    assert imported - core <= sys.stdlib_module_names
