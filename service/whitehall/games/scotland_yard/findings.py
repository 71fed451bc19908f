"""Findings: what the special actions answered. `None` stands for what a viewer may not know.

The same values are events when they happen and stay with the game afterwards, as evidence. Of a Scan no value anywhere
says from which mast it was taken: only the draws of the record tell, once the game is over. Unlike other events they
are no tuples, of which different kinds are equal when they hold the same.
"""

from dataclasses import dataclass
from typing import NamedTuple

from whitehall.games.scotland_yard.master import Nearness, SpecialAction
from whitehall.games.scotland_yard.ticket import Station


@dataclass(frozen=True, slots=True)
class Analysed:
    """Analysis: the stations that his tickets leave open, ascending."""

    stations: tuple[Station, ...] | None


@dataclass(frozen=True, slots=True)
class Located:
    """Locate: how far he is from each mast, in the order of the options' `masts`."""

    nearness: tuple[Nearness, ...] | None


@dataclass(frozen=True, slots=True)
class Scanned:
    """Scan: how many taxi moves he is from one of the masts."""

    distance: int | None


@dataclass(frozen=True, slots=True)
class Interrogated:
    """Interrogation: the landmarks where he has been seen lately, in the order of the options' `landmarks`.

    At all other landmarks he has not been, which is an answer too. Where several are named the detective side has to
    choose whose witnesses it hears.
    """

    landmarks: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class StatementHeard:
    """What the witnesses at one landmark say: how many moves ago he was there last; 0: he is there now.

    Who may not know what they say is not told that they spoke.
    """

    landmark: str
    moves_ago: int


Answer = Analysed | Located | Scanned | Interrogated | StatementHeard
"""What one special action, or the second step of Interrogation, brought to light."""


class Finding(NamedTuple):
    """An answer and the moment it is about: it stays true of that field of the log for ever."""

    round: int
    field: int
    """The number of fields that were filled when it was given."""
    answer: Answer

    def veiled(self) -> "Finding | None":
        """What those may know of it whom the app does not answer."""
        answer = veiled(self.answer)
        return None if answer is None else self._replace(answer=answer)


ACTION_OF = {
    Analysed: SpecialAction.ANALYSIS,
    Located: SpecialAction.LOCATE,
    Scanned: SpecialAction.SCAN,
    Interrogated: SpecialAction.INTERROGATION,
}
"""The special action that each answer is due to. A statement is the second half of an Interrogation."""


def veiled(answer: Answer) -> Answer | None:
    """The answer as Mr X and the public may know it: which action was used, and no more.

    Of a statement that is nothing. Without one, with one at once or with one that is chosen later, an Interrogation
    looks the same, for these tell apart how many landmarks show a question mark.
    """
    return None if isinstance(answer, StatementHeard) else type(answer)(None)
