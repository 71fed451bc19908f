"""The bars: what the service demands of itself, and whether a run has met it."""

from __future__ import annotations

from typing import NamedTuple


class Bar(NamedTuple):
    """One demand, and what was measured."""

    name: str
    demand: str
    """As people write it: `>= 0.90`."""
    shown: str
    """What was measured, written the same way; `-` where nothing could be."""
    cleared: float | None
    """What was measured as a share of what was demanded, such that more is better; None where nothing was measured."""
    met: bool | None
    note: str = ""
    """Why nothing was measured."""

    @property
    def verdict(self) -> str:
        """In a word or two."""
        return "not measured" if self.met is None else "met" if self.met else "missed"


def at_least(name: str, bound: float, measured: float, form: str) -> Bar:
    """A demand for so much or more; `form` is how both numbers are written."""
    return Bar(name, f">= {form.format(bound)}", form.format(measured), measured / bound, measured >= bound)


def at_most(name: str, bound: float, measured: float, form: str) -> Bar:
    """A demand for so much or less."""
    return Bar(name, f"<= {form.format(bound)}", form.format(measured), bound / measured, measured <= bound)


def below(name: str, bound: float, measured: float, form: str) -> Bar:
    """A demand for less than so much."""
    return Bar(name, f"< {form.format(bound)}", form.format(measured), bound / measured, measured < bound)


def unmeasured(name: str, demand: str, reason: str) -> Bar:
    """A demand that this run could not look into."""
    return Bar(name, demand, "-", None, None, reason)
