"""Starts a program that does not outlive the one that asked for it.

    leash.py <pid of the parent> <program> [argument ...]

A script of its own, run by a fresh interpreter that then becomes the program. The same steps between fork and exec of
the service itself would run Python in a forked copy of a process with threads, which may hang.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main(parent: int, program: list[str]) -> None:
    """Become the program, in a session of its own, so that Ctrl-C reaches the parent alone; its files are private."""
    os.setsid()
    os.umask(0o077)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            return  # The parent died before the signal was arranged.
    os.execv(program[0], program)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
