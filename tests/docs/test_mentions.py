"""Links lead somewhere, and what the pages mention is there: files, commands, settings, flags, rules, metrics."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from click import Option
from grpc import StatusCode
from prometheus_client import CollectorRegistry

from tests.docs.page import ROOT, Page, pages
from whitehall.cli import main
from whitehall.games.cluedo.rulebook import RULES as CLUEDO_RULES
from whitehall.games.scotland_yard.rulebook import RULES
from whitehall.sessions.refusal import Reason
from whitehall.settings import Settings
from whitehall.settings.layers import CONFIG_VARIABLE, PREFIX
from whitehall.telemetry.metrics import Metrics
from whitehall_load.command import load

PAGES = pages()
RULES_IN_CODE = Page(ROOT / "docs" / "rules-in-code.md")
RULINGS = Page(ROOT / "docs" / "rulings.md")

SUFFIXES = (".json", ".lua", ".md", ".proto", ".py", ".toml", ".yaml")
MADE = ("build/", "dist/", ".venv/", "node_modules/")
"""Folders that commands make."""
OTHERS = (
    "application/",
    "buf/",
    "google/",
    "text/",
    "@",
    "record.json",
    "whitehall.toml",
    "whitehall.catalog.",
    "whitehall.example/",
)
"""Names that are other projects', a user's own in an example, or no files at all."""
CODES = {code.name for code in StatusCode}
LOCALE = {"LC_ALL", "LC_MESSAGES"}
"""Variables of every system's."""
BASES = (ROOT, ROOT / "service" / "whitehall", ROOT / "tests")

every_page = pytest.mark.parametrize("page", PAGES, ids=str)


def mentioned_paths(page: Page) -> set[str]:
    """What looks like a path in inline code, and in drawings of folders."""
    words = set(page.inline_code)
    for block in page.blocks:
        if not block.language:
            words |= {word.strip(",") for line in block.text.splitlines() for word in re.split(r"[\s:]+", line)}
    shaped = re.compile(r"\.?\w[\w.<>*-]*(/[\w.<>*-]+)*/?")
    return {
        word
        for word in words
        if shaped.fullmatch(word) and ("/" in word or word.endswith(SUFFIXES)) and not word.startswith((*MADE, *OTHERS))
    }


def exists(path: str, page: Page) -> bool:
    """Whether it is there, seen from the root, from the package, from the page; or anywhere, if it is a bare name."""
    wanted = re.sub(r"<[^>]*>", "*", path).rstrip("/")
    bases = {*BASES, page.path.parent, *(ROOT / "service" / "whitehall" / "games").iterdir()}
    if any(next(base.glob(wanted), None) for base in bases):
        return True
    return "/" not in wanted and any(next((ROOT / top).rglob(wanted), None) for top in ("service", "tests", "tools"))


@every_page
def test_every_relative_link_leads_to_a_file_and_a_heading(page: Page) -> None:
    for link in page.links:
        if "://" in link:
            continue
        target, _, anchor = link.partition("#")
        file = (page.path.parent / target).resolve() if target else page.path
        assert file.exists(), f"{page} links to {link}"
        assert file.is_relative_to(ROOT), f"{page} links out of the repository: {link}"
        assert not anchor or anchor in Page(file).anchors, f"{page} links to {link}"


@every_page
def test_every_path_that_is_mentioned_exists(page: Page) -> None:
    assert [path for path in sorted(mentioned_paths(page)) if not exists(path, page)] == []


def test_a_path_that_does_not_exist_would_be_noticed() -> None:
    readme = Page(ROOT / "README.md")
    assert exists("service/whitehall/main.py", readme)
    assert exists("games/<game>/", readme)
    assert not exists("service/whitehall/nowhere.py", readme)
    assert not exists("nowhere.py", readme)
    assert not exists("service/<game>/rulebook.py", readme)
    assert {"sessions/lua/write.lua", "pyproject.toml"} <= mentioned_paths(Page(ROOT / "docs" / "architecture.md"))


@every_page
def test_every_make_command_is_a_target(page: Page) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z]+)\b", page.code)) <= targets


def test_the_readme_begins_with_the_two_commands() -> None:
    commands = re.findall(r"^    make (\w+)", Page(ROOT / "README.md").text, re.MULTILINE)
    assert commands == ["run", "test"]


@every_page
def test_every_variable_is_a_setting(page: Page) -> None:
    variables = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} | {CONFIG_VARIABLE}
    assert set(re.findall(rf"\b{PREFIX}[A-Z_]+\b", page.text)) <= variables


@every_page
def test_every_command_and_flag_of_whitehall_exists(page: Page) -> None:
    # The text that keys of chance begin with is no command, nor is the name of a store's user.
    for command, arguments in re.findall(r"(?<!user )\bwhitehall (?!chance 1)([a-z-]+)\b([^\n|>#]*)", page.code):
        assert command in main.commands, f"{page}: whitehall {command}"
        # `whitehall load` hands its flags on.
        found = load if command == "load" else main.commands[command]
        known = {flag for option in found.params if isinstance(option, Option) for flag in option.opts}
        assert set(re.findall(r"--[a-z-]+", arguments)) <= known | {"--help"}, f"{page}: whitehall {command}{arguments}"


@every_page
def test_the_defaults_in_tables_are_those_of_the_settings(page: Page) -> None:
    for setting, told in re.findall(r"^\|[^|]*\| `([a-z_]+)` \| ([^|]*) \|$", page.text, re.MULTILINE):
        default = Settings.model_fields[setting].default
        assert told == (f"{default:g}" if isinstance(default, float) else str(default)), f"{page}: {setting}"


@every_page
def test_settings_in_toml_are_accepted(page: Page) -> None:
    for block in page.blocks:
        if block.language == "toml":
            Settings.load(tomllib.loads(block.text), {})


@every_page
def test_every_metric_is_exported(page: Page) -> None:
    exported = Metrics(CollectorRegistry()).exposition("")[0].decode()
    for metric in re.findall(r"`((?:whitehall|grpc_server)_[a-z_]+)`", page.text):
        assert f"# TYPE {metric} " in exported, f"{page}: {metric}"


@every_page
def test_every_rule_and_every_reason_exists(page: Page) -> None:
    rules = {rule.id for rule in (*RULES, *CLUEDO_RULES)}
    assert set(re.findall(r"\b(?:SY|CL)-[A-Z]+-\d+\b", page.text)) <= rules
    reasons = {code for code in page.inline_code if re.fullmatch(r"[A-Z]+(_[A-Z]+)+", code)}
    assert {name for name in reasons if not name.startswith((PREFIX, "START_MODE"))} - CODES - LOCALE <= set(Reason)


@pytest.mark.parametrize(
    ("game", "heading"),
    [("scotland_yard", "By the headings of the book"), ("cluedo", "Cluedo by the headings of its book")],
)
def test_the_table_of_rules_names_functions_that_exist(game: str, heading: str) -> None:
    named = re.findall(r"`([a-z_]+)\.([A-Za-z_]+)`", RULES_IN_CODE.section(heading))
    functions = [(module, name) for module, name in named if f".{name}" not in SUFFIXES]
    assert len(functions) > 10
    for module, name in functions:
        assert hasattr(import_module(f"whitehall.games.{game}.{module}"), name), f"{module}.{name}"


@pytest.mark.parametrize("game", ["scotland_yard", "cluedo"])
def test_the_functions_to_read_first_are_there_in_both_games(game: str) -> None:
    first = re.findall(r"`rules\.([a-z_]+)`", RULES_IN_CODE.section("Three functions to read first"))
    assert len(first) == 3
    assert all(hasattr(import_module(f"whitehall.games.{game}.rules"), name) for name in first)


def test_every_ruling_that_a_rule_cites_is_written_down_and_every_one_written_is_cited() -> None:
    cited = {
        number
        for rule in RULES
        for number in re.findall(r"(?:rulings?|and|contradiction) (\d+\.\d+|C\d+)", rule.source)
    }
    assert cited == set(re.findall(r"^## (\d+\.\d+|C\d+) ", RULINGS.text, re.MULTILINE))
    cited = {found for rule in CLUEDO_RULES for found in re.findall(r"ruling on [^;]+", rule.source)}
    assert cited == set(re.findall(r"^## Cluedo: (.+)$", RULINGS.text, re.MULTILINE))


def test_every_page_below_docs_is_in_its_index() -> None:
    index = {(ROOT / "docs" / link).resolve() for link in Page(ROOT / "docs" / "README.md").links}
    assert {path.resolve() for path in Path(ROOT, "docs").glob("*.md") if path.name != "README.md"} <= index
