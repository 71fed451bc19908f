"""Being wanted: whether anybody still waits for what a long piece of work will come to.

A game's functions know no clock and no threads. One that may take long is given a question to ask, and asks it every
few milliseconds.
"""

from collections.abc import Callable

IsWanted = Callable[[], bool]
"""Whether to go on. Cheap, as it is asked often; once it has said no it says so for ever."""


class NoLongerWanted(Exception):
    """Work has been left half done, as nobody waits for what it comes to."""


def always() -> bool:
    """What work is told that somebody waits for however long it takes."""
    return True


def ask(is_wanted: IsWanted) -> None:
    """Raises `NoLongerWanted` where the work is to be left."""
    if not is_wanted():
        raise NoLongerWanted
