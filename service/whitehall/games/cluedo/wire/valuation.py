"""The valuation of suggestions on the wire: told bit by bit, as it takes a while."""

from collections.abc import Callable, Mapping

from whitehall.games.cluedo.card import Category, card
from whitehall.games.cluedo.deduction import Contradiction
from whitehall.games.cluedo.prospects import Prospect, cases_in, prospects
from whitehall.games.cluedo.sentences import not_in_deck
from whitehall.games.cluedo.wire.deductions import contradicted, read_log
from whitehall.games.cluedo.wire.places import case_fields
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Seat
from whitehall.games.core.text import Text
from whitehall.games.core.wanted import IsWanted
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2, position_pb2

SPREAD = 25
"""Suggestions are valued in steps of so many, so that every kind comes early."""


class Valuation:
    """What each suggestion is worth that a seat could make, one after another.

    Made from a request at once; raises `InvalidField` for what is none.
    """

    def __init__(self, request: position_pb2.ValueSuggestionsRequest, is_wanted: IsWanted) -> None:
        try:
            evidence = read_log(request.log)
            if not request.log.HasField("seat"):
                raise InvalidField("seat", Text("must say who would suggest", "doit dire qui ferait l'hypothèse"))
        except InvalidField as fault:
            raise fault.below("log") from fault
        rooms = [card for card in evidence.cards if card.category == Category.LOCATION]
        if request.location:
            rooms = [room for room in rooms if room.word == request.location]
            if not rooms:
                raise InvalidField("location", not_in_deck(card(request.location)))
        cases = [case for room in rooms for case in cases_in(evidence, room)]
        spread = [case for first in range(SPREAD) for case in cases[first::SPREAD]]
        self._total = len(spread)
        self._valued = prospects(evidence, Seat(request.log.seat), spread, is_wanted)
        self._best: Prospect | None = None
        self._done = 0

    def go_on(self) -> position_pb2.ValueSuggestionsResponse | None:
        """One more value, and how far this has come; None after the last. Raises `InvalidField`, `NoLongerWanted`."""
        try:
            prospect = next(self._valued, None)
        except Contradiction as error:
            raise contradicted(error).below("log") from error
        if prospect is None:
            return None
        self._best = min(self._best or prospect, prospect, key=lambda each: (each.expected, each.case))
        self._done += 1
        return position_pb2.ValueSuggestionsResponse(
            value=_value(prospect), done=self._done, total=self._total, best=_value(self._best)
        )

    def farewell(
        self, told: position_pb2.ValueSuggestionsResponse | None
    ) -> position_pb2.ValueSuggestionsResponse | None:
        """How far this has come when nothing was told after that."""
        if told is None:
            return position_pb2.ValueSuggestionsResponse(total=self._total)
        if told.done == told.total:
            return None
        return position_pb2.ValueSuggestionsResponse(done=told.done, total=told.total, best=told.best)


def _value(prospect: Prospect) -> deduction_pb2.SuggestionValue:
    return deduction_pb2.SuggestionValue(**case_fields(prospect.case), expected_solutions=float(prospect.expected))


INQUIRIES: Mapping[str, Callable[..., Valuation]] = {"ValueSuggestions": Valuation}
"""What answers a request bit by bit."""
