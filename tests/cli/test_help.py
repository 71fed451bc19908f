"""What the command says of itself, and what it costs to be told."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from whitehall import __version__
from whitehall.cli import main
from whitehall.settings import Settings

COMMANDS = {
    "serve",
    "play",
    "legal-moves",
    "validate",
    "possible-locations",
    "locate",
    "scan",
    "possible-solutions",
    "refuter",
    "verify",
    "config",
    "health",
    "load",
}


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_the_help_lists_every_command_with_a_sentence(flag: str) -> None:
    text = run(flag)
    listed = {line.split()[0]: line.split()[1:] for line in text.partition("Commands:")[2].splitlines() if line.strip()}
    assert listed.keys() == COMMANDS == main.commands.keys()
    assert all(listed.values())


def test_the_version_is_the_package_s() -> None:
    assert run("--version") == f"whitehall, version {__version__}\n"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_of_every_command_is_explained(name: str) -> None:
    options = [option for option in main.commands[name].params if isinstance(option, click.Option)]
    assert all(option.help for option in options)
    text = run(name, "--help")
    assert all(option.opts[0] in text for option in options)


@pytest.mark.parametrize("name", ["serve", "config", "health"])
def test_every_setting_is_a_flag_of_the_commands_that_read_settings(name: str) -> None:
    flags = {flag for option in main.commands[name].params for flag in option.opts}
    assert {f"--{setting.replace('_', '-')}" for setting in Settings.model_fields} <= flags


def test_the_help_of_play_tells_the_exit_codes() -> None:
    words = " ".join(run("play", "--help").split())
    assert "Exit codes: 0, " in words
    assert "; 1, " in words
    assert "; 2, wrong usage" in words


@pytest.mark.parametrize("arguments", [["--help"], ["config"], ["play", "--help"], ["serve", "--help"]])
def test_whoever_asks_a_small_thing_does_not_wait_for_the_service_to_load(arguments: list[str]) -> None:
    """Neither gRPC, nor the store's client, nor any game is imported; together they take half a second."""
    code = f"""
import sys
from whitehall.cli import main
main({arguments!r}, standalone_mode=False)
heavy = {{"grpc", "redis", "protovalidate", "whitehall.main", "whitehall.games"}}
sys.exit(sorted(heavy & sys.modules.keys()) or 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_command_is_wrong_usage() -> None:
    assert CliRunner().invoke(main, ["solve"]).exit_code == 2
