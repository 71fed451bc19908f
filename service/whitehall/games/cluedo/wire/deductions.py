"""Deductions on the wire: logs to be read, and what can lie in the envelope and in each hand."""

import re
from collections.abc import Callable, Iterable, Mapping

from whitehall.games.cluedo.card import Category, card
from whitehall.games.cluedo.deduction import (
    ENVELOPE,
    FACE_UP,
    Contradiction,
    Owner,
    PossibleSolutions,
    possible_solutions,
)
from whitehall.games.cluedo.evidence import Evidence, SeenAccusation, SeenEvent, SeenSuggestion
from whitehall.games.cluedo.explanation import Conclusion, NotCertain, explain
from whitehall.games.cluedo.prospects import Prospect, cases_in, prospects
from whitehall.games.cluedo.public_log import USUAL_DECK, deck_of, evidence_from_log
from whitehall.games.cluedo.sentences import not_in_deck
from whitehall.games.cluedo.view import CluedoView
from whitehall.games.cluedo.wire.places import case_fields, read_case, write_case
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Seat
from whitehall.games.core.text import Text
from whitehall.games.core.wanted import IsWanted, always
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2, position_pb2

SPREAD = 25
"""Suggestions are valued in steps of so many, so that every kind comes early."""

# --- writing ------------------------------------------------------------------------------------------------------


def write_deductions(
    seen: CluedoView | Evidence, asked: Iterable[deduction_pb2.Conclusion], is_wanted: IsWanted = always
) -> deduction_pb2.PossibleSolutions:
    """What can lie where, and why. Raises `InvalidField` for what cannot be explained, `Contradiction`, and
    `NoLongerWanted`.
    """
    message = _solutions(possible_solutions(seen, is_wanted))
    for index, conclusion in enumerate(asked):
        try:
            message.explanations.append(_explanation(seen, conclusion, is_wanted))
        except InvalidField as fault:
            raise fault.below(f"explain[{index}]") from fault
    return message


def _solutions(found: PossibleSolutions) -> deduction_pb2.PossibleSolutions:
    return deduction_pb2.PossibleSolutions(
        deals=str(found.deals),
        solutions=[
            deduction_pb2.PossibleSolution(envelope=write_case(case), deals=str(deals), share=deals / found.deals)
            for case, deals in found.solutions.items()
        ],
        cards=[
            deduction_pb2.CardOwners(
                card=held.word, owners=[_owner(owner, deals, found.deals) for owner, deals in owners.items()]
            )
            for held, owners in found.owners.items()
        ],
    )


def _owner(owner: Owner, deals: int, total: int) -> deduction_pb2.PossibleOwner:
    message = deduction_pb2.PossibleOwner(deals=str(deals), share=deals / total)
    if owner == ENVELOPE:
        message.envelope = True
    elif owner == FACE_UP:
        message.face_up = True
    else:
        message.seat = owner
    return message


def _explanation(
    seen: CluedoView | Evidence, asked: deduction_pb2.Conclusion, is_wanted: IsWanted
) -> deduction_pb2.Explanation:
    owner = asked.seat if asked.WhichOneof("owner") == "seat" else ENVELOPE
    conclusion = Conclusion(card(asked.card), owner, not asked.denied)
    try:
        return deduction_pb2.Explanation(conclusion=asked, certain=True, events=explain(seen, conclusion, is_wanted))
    except NotCertain:
        return deduction_pb2.Explanation(conclusion=asked)
    except InvalidField as fault:
        # Of all owners only a seat can be one that is not there.
        raise InvalidField("seat" if fault.field == "owner" else fault.field, fault.text) from fault


# --- reading ------------------------------------------------------------------------------------------------------


def read_log(message: deduction_pb2.SuggestionLog) -> Evidence:
    """The evidence of a log. Raises `InvalidField`."""
    try:
        return evidence_from_log(
            deck_of([asked or usual for asked, usual in zip(_counts(message), USUAL_DECK, strict=True)]),
            message.players,
            [_event(event) for event in message.events],
            first_dealt=Seat(message.first_dealt),
            face_up=[card(word) for word in message.face_up],
            seat=Seat(message.seat) if message.HasField("seat") else None,
            hand=[card(word) for word in message.hand],
        )
    except InvalidField as fault:
        raise InvalidField(_path(fault.field, message), fault.text) from fault


def _counts(message: deduction_pb2.SuggestionLog) -> tuple[int, int, int]:
    return message.suspects, message.weapons, message.locations


def _event(message: deduction_pb2.LoggedEvent) -> SeenEvent:
    if message.WhichOneof("kind") == "wrong_accusation":
        accusation = message.wrong_accusation
        envelope = read_case(accusation.envelope) if accusation.HasField("envelope") else None
        return SeenAccusation(Seat(accusation.seat), read_case(accusation), envelope)
    suggestion = message.suggestion
    return SeenSuggestion(
        Seat(suggestion.seat),
        read_case(suggestion),
        tuple(Seat(seat) for seat in suggestion.passed),
        Seat(suggestion.refuter) if suggestion.HasField("refuter") else None,
        card(suggestion.card) if suggestion.HasField("card") else None,
    )


def _path(field: str, message: deduction_pb2.SuggestionLog) -> str:
    """Where the field that is at fault stands in the message."""
    found = re.fullmatch(r"events\[(\d+)\]\.(?:case\.)?(.+)", field)
    if found:
        kind = message.events[int(found[1])].WhichOneof("kind")
        return f"events[{found[1]}].{kind}.{found[2]}"
    return "suspects" if field == "cards" else field


def contradicted(error: Contradiction) -> InvalidField:
    """The refusal of a log that no deal fits, at the first event that does not go with those before it."""
    if error.event is None:
        return InvalidField("hand", Text("no deal fits these cards", "aucune donne ne va avec ces cartes"))
    reason = Text(
        "contradicts what is known before it: no deal fits both",
        "contredit ce que l'on sait avant : aucune donne ne va avec les deux",
    )
    return InvalidField(f"events[{error.event}]", reason)


# --- questions ----------------------------------------------------------------------------------------------------


def list_possible_solutions(question: deduction_pb2.SuggestionLog) -> Callable[[IsWanted], bytes]:
    """What works out in a thread what can lie where for a log, as an encoded `PossibleSolutions`.

    That raises `InvalidField`.
    """

    def work(is_wanted: IsWanted) -> bytes:
        try:
            return write_deductions(read_log(question), question.explain, is_wanted).SerializeToString()
        except Contradiction as error:
            raise contradicted(error) from error

    return work


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


QUESTIONS: Mapping[str, Callable[..., Callable[[IsWanted], bytes]]] = {"ListPossibleSolutions": list_possible_solutions}
"""What answers one question of each position method about logs."""

INQUIRIES: Mapping[str, Callable[..., Valuation]] = {"ValueSuggestions": Valuation}
"""What answers a request bit by bit."""
