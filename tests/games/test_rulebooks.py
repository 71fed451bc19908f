"""Every rule has its place in print, in the code that enforces it, and in a test that names it."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from whitehall.games.core.rule import Rule
from whitehall.games.registry import games

TESTS = Path(__file__).parent
GAMES = sorted(games())

# The part behind the game's letters names the theme, such as MOVE; rules of one theme count up from 01.
_ID = re.compile(r"[A-Z]{2}-[A-Z]+-\d\d")


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_has_an_id_of_its_own_a_sentence_in_two_languages_and_a_source(name: str) -> None:
    rules = games()[name].rules
    assert len({rule.id for rule in rules}) == len(rules)
    assert len({rule.en for rule in rules}) == len({rule.fr for rule in rules}) == len(rules)
    for rule in rules:
        assert _ID.fullmatch(rule.id)
        assert rule.en.endswith(".")
        assert rule.fr.endswith(".")
        assert rule.en != rule.fr
        assert rule.source


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_enforced_somewhere(name: str) -> None:
    rulebook = _rulebook(name)
    enforced = set[str]()
    for module in _folder(rulebook).rglob("*.py"):
        if module != Path(rulebook.__file__ or ""):
            enforced |= _uses(module)
    assert _constants(rulebook).keys() - enforced == set()


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_named_by_a_test(name: str) -> None:
    rulebook = _rulebook(name)
    told = "".join(test.read_text() for test in (TESTS / _folder(rulebook).name).rglob("test_*.py"))
    untold = {
        constant for constant, rule in _constants(rulebook).items() if not re.search(rf"\b{constant}\b|{rule.id}", told)
    }
    assert untold == set()


def _rulebook(name: str) -> ModuleType:
    folder = type(games()[name]).__module__.rpartition(".")[0]
    return import_module(f"{folder}.rulebook")


def _folder(rulebook: ModuleType) -> Path:
    return Path(rulebook.__file__ or "").parent


def _constants(rulebook: ModuleType) -> dict[str, Rule]:
    return {name: value for name, value in vars(rulebook).items() if isinstance(value, Rule)}


def _uses(module: Path) -> set[str]:
    """The names that a module reads, as names of its own or out of another module; importing one is not using it."""
    return set(_names(ast.parse(module.read_text())))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
