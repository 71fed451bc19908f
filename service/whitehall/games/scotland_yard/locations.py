"""Locations: where Mr X can be, as the answer of a deduction."""

from collections.abc import Mapping
from typing import NamedTuple

from whitehall.games.core.fault import TooMuchWork
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.ticket import Station


class Contradiction(ValueError):
    """No route fits the evidence; `field` is the first field of the log that no route can fill.

    Field 0 is his start. A game that this service has judged from its start never contradicts itself.
    """

    def __init__(self, field: int) -> None:
        super().__init__(f"no station is possible for {f'field {field} of the log' if field else 'the start'}")
        self.field = field


class TooManyCases(TooMuchWork):
    """What witnesses said leaves more cases to be told apart than are followed for one question.

    With the options of the edition there are never so many.
    """

    def __init__(self, most: int) -> None:
        words = Text(
            f"leaves more than {most} cases to be followed: ask with fewer or smaller landmarks, "
            "a smaller recent_window, or without hindsight",
            f"laisse plus de {most} cas à suivre : demandez avec moins de lieux ou de plus petits, "
            "un recent_window plus petit, ou sans hindsight",
        )
        super().__init__("master", words, most)


class PossibleLocations(NamedTuple):
    """Where Mr X can be now. Stations are listed in ascending order."""

    analysis: tuple[Station, ...]
    """What his tickets since he last surfaced leave open, the hunters ignored; before that, from his start cards."""
    strong: tuple[Station, ...]
    """What everything seen since the start leaves open: the stations where some route ends that fits all of it."""
    routes: Mapping[Station, int]
    """For each station of `strong` how many routes end there, counted from where he was last seen or may have started.

    A route is the list of his stations, so lines that join the same two stations count once. If all routes are equally
    likely, a station's probability is its number divided by `total_routes`.

    In the app game a route counts once for each choice of masts with which its Scans would have been answered so, as
    all masts are equally likely; and where witnesses asked since then remember what was before, it is counted from
    further back.
    """

    @property
    def total_routes(self) -> int:
        """How many routes fit since he was last seen."""
        return sum(self.routes.values())
