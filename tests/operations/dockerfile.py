"""A Dockerfile, as far as tests need to know it: its last stage, and what is copied from the repository."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Dockerfile:
    """What a container of it is started with."""

    bases: list[str] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    user: str = ""
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Dockerfile:
        """The file with its lines joined and its arguments filled in."""
        text = re.sub(r"\\\n", " ", path.read_text())
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        file, arguments = cls(), dict[str, str]()
        entrypoint: list[str] = []
        for line in lines:
            word, _, rest = line.partition(" ")
            match word:
                case "ARG":
                    name, _, value = rest.partition("=")
                    arguments[name] = value
                case "FROM":
                    base = rest.split(" AS ")[0]
                    file.bases.append(re.sub(r"\$\{(\w+)\}", lambda found: arguments[found[1]], base))
                    file.environment, file.user = {}, ""
                case "COPY" if not rest.startswith("--from"):
                    file.copied += rest.split()[:-1]
                case "ENV":
                    file.environment |= dict(part.split("=", 1) for part in shlex.split(rest))
                case "USER":
                    file.user = rest
                case "ENTRYPOINT":
                    entrypoint = json.loads(rest)
                case "CMD":
                    file.command = entrypoint + json.loads(rest)
                case "HEALTHCHECK":
                    file.health = json.loads(rest.partition("CMD ")[2])
        return file
