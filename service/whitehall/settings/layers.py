"""Layers of settings: what a file, the environment and flags set, by the settings' names, and what is wrong with it."""

import difflib
import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from pydantic import ValidationError

PREFIX: Final = "WHITEHALL_"
CONFIG_VARIABLE: Final = f"{PREFIX}CONFIG"
"""The variable that names the settings file where no flag does."""

LARGEST_FILE_BYTES: Final = 1 << 20
"""No file of settings is larger."""

FLAG: Final = "flag"
ENVIRONMENT: Final = "environment"
DEFAULT: Final = "default"

# An orchestrator may describe a service called "whitehall" to us in variables of these names, which nobody has set.
_SERVICE_LINK_NAME = re.compile(r"WHITEHALL_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)")
_SERVICE_LINK_VALUE = re.compile(r"(tcp|udp|sctp)://\S+")


class SettingsError(Exception):
    """The settings can't be used. The text names each setting at fault and what it may be, a line each.

    It never holds the value of a secret.
    """


class SettingsUnreadable(SettingsError):
    """The file of settings can't be read."""


def state_folder(environ: Mapping[str, str]) -> Path:
    """The user's folder for what programs keep. By the XDG rules a relative path counts for nothing."""
    state = Path(environ.get("XDG_STATE_HOME", ""))
    return (state if state.is_absolute() else Path("~/.local/state")) / "whitehall"


def from_file(path: Path, names: Collection[str]) -> dict[str, object]:
    """What a TOML file sets. Raises `SettingsError`."""
    try:
        values = tomllib.loads(_text(path))
    except OSError as error:
        raise SettingsUnreadable(f"{path} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is no UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        # Only the place: the rest of what the parser says may quote a secret.
        place = re.search(r"\(at .+\)$", str(error))
        raise SettingsError(f"{path} is not valid TOML {place[0] if place else ''}".rstrip()) from None
    return _known(values, str(path), names)


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE_BYTES + 1)
    if len(data) > LARGEST_FILE_BYTES:
        raise SettingsError(f"{path} is larger than {LARGEST_FILE_BYTES} bytes")
    return data.decode()


def from_environment(environ: Mapping[str, str], names: Collection[str]) -> dict[str, object]:
    """What variables set; one that is empty counts as not given. Raises `SettingsError`."""
    ours = {
        name.removeprefix(PREFIX).lower() if name.isupper() else name: value
        for name, value in environ.items()
        if name.startswith(PREFIX) and name != CONFIG_VARIABLE and not _is_service_link(name, value)
    }
    return {name: value for name, value in _known(ours, ENVIRONMENT, names).items() if value}


def _is_service_link(name: str, value: str) -> bool:
    return bool(_SERVICE_LINK_NAME.fullmatch(name)) or (
        name.endswith("_PORT") and bool(_SERVICE_LINK_VALUE.fullmatch(value))
    )


def from_flags(overrides: Mapping[str, object], names: Collection[str]) -> dict[str, object]:
    """What flags set; one that is None counts as not given. Raises `SettingsError`."""
    return {name: value for name, value in _known(overrides, FLAG, names).items() if value is not None}


def _known(values: Mapping[str, object], origin: str, names: Collection[str]) -> dict[str, object]:
    """The values, after a look at their names."""
    problems = []
    for name in values.keys() - set(names):
        nearest = difflib.get_close_matches(name.lower(), names, n=1)
        hint = f"did you mean {_place(nearest[0], origin)}?" if nearest else f"the settings are {', '.join(names)}"
        problems.append(f"{_place(name, origin)} is no setting; {hint}")
    if problems:
        raise SettingsError("\n".join(sorted(problems)))
    return dict(values)


def _place(name: str, origin: str) -> str:
    """A setting as whoever set it would look for it."""
    if origin == FLAG:
        return f"--{name.replace('_', '-')}"
    if origin == ENVIRONMENT:
        return name if name.startswith(PREFIX) else f"{PREFIX}{name.upper()}"
    return name if origin == DEFAULT else f"{name} in {origin}"


def explanations(error: ValidationError, origins: Mapping[str, str]) -> list[str]:
    """One line for each fault. Only the messages are used: what was put in may be a secret."""
    lines = []
    for fault in error.errors(include_url=False, include_input=False, include_context=False):
        message = fault["msg"].removeprefix("Value error, ").replace("Input should be", "has to be")
        if not fault["loc"]:
            lines.append(message)
            continue
        name, *inside = fault["loc"]
        entry = next((f", entry {place + 1}," for place in inside if isinstance(place, int)), "")
        lines.append(f"{_place(str(name), origins.get(str(name), DEFAULT))}{entry} {message}")
    return lines
