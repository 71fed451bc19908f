"""`whitehall config`: every setting with its value and its origin, and no secret."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from whitehall.cli import main
from whitehall.cli.command import BROKEN
from whitehall.settings import Settings

SECRET = "tell-nobody-of-this"
TOKEN_KEY = "0123456789abcdef" * 4


def config(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["config", *arguments])


def table(*arguments: str) -> dict[str, tuple[str, str]]:
    """By setting: its value and its origin, as the JSON form tells them."""
    result = config("--json", *arguments)
    assert result.exit_code == 0, result.output
    return {name: (entry["value"], entry["from"]) for name, entry in json.loads(result.output).items()}


def test_every_setting_is_told_on_a_line_of_its_own() -> None:
    lines = config().output.splitlines()
    assert [line.split()[0] for line in lines] == list(Settings.model_fields)
    assert all(line.endswith("default") for line in lines)


def test_both_forms_say_the_same() -> None:
    for line, (name, (value, origin)) in zip(config().output.splitlines(), table().items(), strict=True):
        assert line.split() == [name, *value.split(), origin]


def test_each_value_is_told_with_where_it_came_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A flag beats the environment, the environment the file, the file the default."""
    file = tmp_path / "whitehall.toml"
    file.write_text("active_ttl_days = 3\nended_ttl_days = 4\ncache_games = 5\n")
    monkeypatch.setenv("WHITEHALL_ENDED_TTL_DAYS", "6")
    monkeypatch.setenv("WHITEHALL_CACHE_GAMES", "7")
    told = table("--config", str(file), "--cache-games", "8")
    assert told["active_ttl_days"] == ("3", str(file))
    assert told["ended_ttl_days"] == ("6", "environment")
    assert told["cache_games"] == ("8", "flag")
    assert told["max_streams"] == ("2000", "default")


def test_a_file_may_be_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "whitehall.toml"
    file.write_text('durability = "aof"\n')
    monkeypatch.setenv("WHITEHALL_CONFIG", str(file))
    assert table()["durability"] == ("aof", str(file))


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_secrets_are_masked_in_both_forms_and_from_every_origin(
    form: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "whitehall.toml"
    file.write_text(f'redis_url = "redis://user:{SECRET}@localhost:6379/0"\n')
    monkeypatch.setenv("WHITEHALL_OPERATOR_KEYS", f"me:{SECRET},you:{SECRET}-2")
    result = config(*form, "--config", str(file), "--token-keys", TOKEN_KEY)
    assert result.exit_code == 0, result.output
    assert SECRET not in result.output
    assert TOKEN_KEY not in result.output
    assert "me:***" in result.output, "which keys there are may be seen"
    assert "you:***" in result.output


def test_a_masked_secret_is_told_from_one_that_is_not_set() -> None:
    assert table()["redis_url"] == ("", "default")
    value, origin = table("--redis-url", f"redis://:{SECRET}@localhost")["redis_url"]
    assert value == "redis://**********@localhost"
    assert origin == "flag"


@pytest.mark.parametrize(
    ("variable", "advice"),
    [
        ("WHITEHALL_GRPC_ADRESS", "did you mean WHITEHALL_GRPC_ADDRESS?"),
        ("WHITEHALL_REDIS_URI", "did you mean WHITEHALL_REDIS_URL?"),
    ],
)
def test_an_unknown_variable_is_an_error_that_names_the_nearest_setting(
    variable: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, SECRET)
    result = config()
    assert result.exit_code == 1
    assert f"{variable} is no setting; {advice}" in result.output
    assert SECRET not in result.output


def test_an_unknown_entry_of_the_file_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "whitehall.toml"
    file.write_text("cache_game = 1\n")
    result = config("--config", str(file))
    assert result.exit_code == 1
    assert f"cache_game in {file} is no setting; did you mean cache_games in {file}?" in result.output


def test_an_unknown_flag_is_wrong_usage() -> None:
    result = config("--cache-game", "1")
    assert result.exit_code == 2
    assert "--cache-games" in result.output


def test_a_value_that_cannot_be_is_an_error_that_does_not_repeat_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHITEHALL_OPERATOR_KEYS", f"{SECRET}")
    monkeypatch.setenv("WHITEHALL_REDIS_URL", f"http://user:{SECRET}@localhost")
    result = config("--max-streams", "0")
    assert result.exit_code == 1
    for place in ("WHITEHALL_OPERATOR_KEYS", "WHITEHALL_REDIS_URL", "--max-streams"):
        assert place in result.output
    assert SECRET not in result.output


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """The code is that of everything that can't be read, whichever command is asked."""
    program = Path(sys.executable).with_name("whitehall")
    done = subprocess.run(
        [program, "serve", "--config", tmp_path / "nothing.toml"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == BROKEN
    assert "nothing.toml can't be read" in done.stderr
