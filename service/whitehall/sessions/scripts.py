"""The Lua scripts that the store's servers run, each of them all or nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from whitehall.sessions.servers import Command


class Script:
    """A Lua script by name, sent by its hash."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()

    @classmethod
    def named(cls, name: str) -> Script:
        return cls((Path(__file__).parent / "lua" / f"{name}.lua").read_text())

    @property
    def loading(self) -> Command:
        """The command by which a server learns it."""
        return ("SCRIPT LOAD", self.text)

    def reading(self) -> Script:
        """The same script as one that also runs where nothing can be written."""
        return Script(self.text.replace("flags=allow-oom", "flags=no-writes", 1))


CREATE = Script.named("create")
WRITE = Script.named("write")
DELETE = Script.named("delete")
READ = Script.named("read")
READ_LOG = Script.named("read_log")
RECALL = Script.named("recall")

READING: Final[Mapping[str, Script]] = {script.sha: script.reading() for script in (READ, READ_LOG, RECALL)}
"""Those that only read, by the hashes of the ones that may write."""
ALL: Final = (CREATE, WRITE, DELETE, READ, READ_LOG, RECALL, *READING.values())
