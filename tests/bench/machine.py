"""The machine: which cores serve and which ask, and what the kernel says that processes have used. Linux only."""

from __future__ import annotations

import os
import platform
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_WHOLE_PROCESS = 2
"""The part of a clock's number that asks for a process with all its threads; see clock_getcpuclockid(3)."""


class Cores(NamedTuple):
    """Which cores those who serve may use, and which those who ask. The same single one where there is no other."""

    serving: frozenset[int]
    asking: frozenset[int]

    @classmethod
    def of_this_machine(cls) -> Cores:
        """One core serves, all others ask."""
        first, *others = sorted(os.sched_getaffinity(0))
        return cls(frozenset({first}), frozenset(others or {first}))

    @property
    def apart(self) -> bool:
        """Whether asking takes no time from serving."""
        return self.serving.isdisjoint(self.asking)


def pin(pid: int, cores: frozenset[int]) -> None:
    """From now on the process and whatever it starts stay on these cores; to be done before it has threads."""
    os.sched_setaffinity(pid, cores)


def family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    members = [pid]
    with suppress(OSError):
        for task in (_PROC / str(pid) / "task").iterdir():
            for child in (task / "children").read_text().split():
                members += family(int(child))
    return members


def cpu_seconds(pids: list[int]) -> float:
    """The processor time that these processes have used since they began, by the kernel's own account."""
    return sum(time.clock_gettime((~pid << 3) | _WHOLE_PROCESS) for pid in pids)


def resident_bytes(pid: int) -> int:
    """The memory that a process occupies."""
    for line in (_PROC / str(pid) / "status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise ProcessLookupError(pid)


def description() -> str:
    """Processor, cores and Python, for those who compare two runs."""
    names = [line for line in (_PROC / "cpuinfo").read_text().splitlines() if line.startswith("model name")]
    model = names[0].partition(":")[2].strip() if names else platform.machine()
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
