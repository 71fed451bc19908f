"""Deductions on the wire: logs to be read, and what can lie in the envelope and in each hand."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from whitehall.games.cluedo.card import Card, card, location, suspect, weapon
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
from whitehall.games.cluedo.public_log import evidence_from_log
from whitehall.games.cluedo.view import CluedoView
from whitehall.games.cluedo.wire.places import case_fields, read_case, write_case
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Seat
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2, position_pb2

USUAL_SUSPECTS, USUAL_WEAPONS, USUAL_LOCATIONS = 6, 6, 9
"""The deck of a log that names no other one."""

SPREAD = 25
"""Suggestions are valued in steps of so many, so that every kind comes early."""

# --- writing ------------------------------------------------------------------------------------------------------


def write_deductions(
    seen: CluedoView | Evidence, asked: Iterable[deduction_pb2.Conclusion]
) -> deduction_pb2.PossibleSolutions:
    """What can lie where, and why. Raises `InvalidField` for what cannot be explained, and `Contradiction`."""
    message = _solutions(possible_solutions(seen))
    for index, conclusion in enumerate(asked):
        try:
            message.explanations.append(_explanation(seen, conclusion))
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


def _explanation(seen: CluedoView | Evidence, asked: deduction_pb2.Conclusion) -> deduction_pb2.Explanation:
    owner = asked.seat if asked.WhichOneof("owner") == "seat" else ENVELOPE
    conclusion = Conclusion(card(asked.card), owner, not asked.denied)
    try:
        return deduction_pb2.Explanation(conclusion=asked, certain=True, events=explain(seen, conclusion))
    except NotCertain:
        return deduction_pb2.Explanation(conclusion=asked)


# --- reading ------------------------------------------------------------------------------------------------------


def read_log(message: deduction_pb2.SuggestionLog) -> Evidence:
    """The evidence of a log. Raises `InvalidField`."""
    try:
        return evidence_from_log(
            _deck(message),
            message.players,
            [_event(event) for event in message.events],
            first_dealt=Seat(message.first_dealt),
            face_up=[card(word) for word in message.face_up],
            seat=Seat(message.seat) if message.HasField("seat") else None,
            hand=[card(word) for word in message.hand],
        )
    except InvalidField as fault:
        raise InvalidField(_path(fault.field, message), fault.description) from fault


def _deck(message: deduction_pb2.SuggestionLog) -> list[Card]:
    kinds: Iterable[tuple[Callable[[int], Card], int]] = (
        (suspect, message.suspects or USUAL_SUSPECTS),
        (weapon, message.weapons or USUAL_WEAPONS),
        (location, message.locations or USUAL_LOCATIONS),
    )
    return [make(number) for make, count in kinds for number in range(1, count + 1)]


def _event(message: deduction_pb2.LoggedEvent) -> SeenEvent:
    if message.WhichOneof("kind") == "wrong_accusation":
        accusation = message.wrong_accusation
        return SeenAccusation(Seat(accusation.seat), read_case(accusation))
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


def _contradicted(error: Contradiction) -> InvalidField:
    """The refusal of a log that no deal fits, at the first event that does not go with those before it."""
    if error.event is None:
        return InvalidField("hand", "no deal fits these cards")
    return InvalidField(f"events[{error.event}]", "contradicts what is known before it: no deal fits both")


# --- questions ----------------------------------------------------------------------------------------------------


def list_possible_solutions(question: deduction_pb2.SuggestionLog) -> bytes:
    """What can lie where for a log, as an encoded `PossibleSolutions`. Raises `InvalidField`."""
    try:
        return write_deductions(read_log(question), question.explain).SerializeToString()
    except Contradiction as error:
        raise _contradicted(error) from error


def value_suggestions(
    request: position_pb2.ValueSuggestionsRequest, out_of_time: Callable[[], bool]
) -> Iterator[position_pb2.ValueSuggestionsResponse]:
    """The value of each suggestion, one after another; where time runs out, how far it has come.

    Raises `InvalidField`.
    """
    try:
        evidence = read_log(request.log)
        if not request.log.HasField("seat"):
            raise InvalidField("seat", "must say who would suggest")
    except InvalidField as fault:
        raise fault.below("log") from fault
    rooms = [room for room in evidence.cards if room.word.startswith("L")]
    if request.location:
        rooms = [room for room in rooms if room.word == request.location]
        if not rooms:
            raise InvalidField("location", f"{request.location} is not in the deck")
    cases = [case for room in rooms for case in cases_in(evidence, room)]
    spread = [case for first in range(SPREAD) for case in cases[first::SPREAD]]
    best: Prospect | None = None
    valued = prospects(evidence, Seat(request.log.seat), spread)
    try:
        for done in range(len(spread) + 1):
            prospect = None if out_of_time() else next(valued, None)
            if prospect is None:
                if done < len(spread):
                    yield _progress(None, done, len(spread), best)
                return
            best = min(best or prospect, prospect, key=lambda each: (each.expected, each.case))
            yield _progress(prospect, done + 1, len(spread), best)
    except Contradiction as error:
        raise _contradicted(error).below("log") from error


def _progress(
    prospect: Prospect | None, done: int, total: int, best: Prospect | None
) -> position_pb2.ValueSuggestionsResponse:
    return position_pb2.ValueSuggestionsResponse(
        value=None if prospect is None else _value(prospect),
        done=done,
        total=total,
        best=None if best is None else _value(best),
    )


def _value(prospect: Prospect) -> deduction_pb2.SuggestionValue:
    return deduction_pb2.SuggestionValue(**case_fields(prospect.case), expected_solutions=float(prospect.expected))


QUESTIONS: Mapping[str, Callable[..., bytes]] = {"ListPossibleSolutions": list_possible_solutions}
"""What answers one question of each position method about logs."""

INQUIRIES: Mapping[str, Callable[..., Iterator[position_pb2.ValueSuggestionsResponse]]] = {
    "ValueSuggestions": value_suggestions
}
"""What answers a request bit by bit."""
