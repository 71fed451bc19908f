"""Deductions on the wire: logs to be read, and what can lie in the envelope and in each hand."""

import re
from collections.abc import Callable, Iterable, Mapping

from whitehall.games.cluedo.card import card
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
from whitehall.games.cluedo.public_log import USUAL_DECK, deck_of, evidence_from_log
from whitehall.games.cluedo.view import CluedoView
from whitehall.games.cluedo.wire.places import read_case, write_case
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Seat
from whitehall.games.core.text import Text
from whitehall.games.core.wanted import IsWanted, always
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2

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


QUESTIONS: Mapping[str, Callable[..., Callable[[IsWanted], bytes]]] = {"ListPossibleSolutions": list_possible_solutions}
"""What answers one question of each position method about logs."""
