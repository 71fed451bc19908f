"""Errors: one table from reasons to status codes and sentences, the same for every door."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from whitehall.games.core.text import Text
from whitehall.sessions.refusal import Reason, Refusal

DOMAIN = "whitehall"

DEFAULT_LOCALE = "en"

MOST_FAULTS = 16
"""Faults of fields that a refusal names. Its details travel in trailers, of which clients take 8 KiB in all; a batch of
questions can be wrong in thousands of places.
"""


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """What becomes of one reason: the gRPC code, and a sentence in each language we speak."""

    code: grpc.StatusCode
    en: str
    fr: str

    @property
    def text(self) -> Text:
        """The sentence in both."""
        return Text(self.en, self.fr)


_Code = grpc.StatusCode

ERRORS: Mapping[Reason, ErrorRow] = {
    Reason.MALFORMED_REQUEST: ErrorRow(
        _Code.INVALID_ARGUMENT,
        "The request is not a message of the expected type.",
        "La requête n'est pas un message du type attendu.",
    ),
    Reason.INVALID_FIELD: ErrorRow(
        _Code.INVALID_ARGUMENT,
        "A field of the request has a value that it may not have.",
        "Un champ de la requête a une valeur qu'il ne peut pas avoir.",
    ),
    Reason.REQUEST_ID_REUSED: ErrorRow(
        _Code.INVALID_ARGUMENT,
        "This request id was used before for another request.",
        "Cet identifiant de requête a déjà servi pour une autre requête.",
    ),
    Reason.TOKEN_MISSING: ErrorRow(
        _Code.UNAUTHENTICATED,
        "The call needs a token: authorization: Bearer <token>.",
        "L'appel exige un jeton : authorization: Bearer <jeton>.",
    ),
    Reason.TOKEN_INVALID: ErrorRow(
        _Code.UNAUTHENTICATED,
        "The token does not belong here.",
        "Le jeton n'est pas valable ici.",
    ),
    Reason.TOKEN_AMBIGUOUS: ErrorRow(
        _Code.UNAUTHENTICATED,
        "The call bears several tokens; it may bear one.",
        "L'appel porte plusieurs jetons ; il ne doit en porter qu'un.",
    ),
    Reason.TOKEN_REVOKED: ErrorRow(
        _Code.UNAUTHENTICATED,
        "The token has been replaced by a newer one.",
        "Le jeton a été remplacé par un plus récent.",
    ),
    Reason.WRONG_TOKEN_KIND: ErrorRow(
        _Code.PERMISSION_DENIED,
        "This kind of token may not call this method.",
        "Ce genre de jeton ne permet pas d'appeler cette méthode.",
    ),
    Reason.NOT_YOUR_PIECE: ErrorRow(
        _Code.PERMISSION_DENIED,
        "The piece is not yours.",
        "La pièce n'est pas à vous.",
    ),
    Reason.GAME_NOT_FOUND: ErrorRow(
        _Code.NOT_FOUND,
        "There is no such game.",
        "Cette partie n'existe pas.",
    ),
    Reason.NOT_IN_CATALOG: ErrorRow(
        _Code.NOT_FOUND,
        "The catalog has no such entry.",
        "Le catalogue n'a pas cette entrée.",
    ),
    Reason.ILLEGAL_MOVE: ErrorRow(
        _Code.FAILED_PRECONDITION,
        "A rule forbids the move.",
        "Une règle interdit ce coup.",
    ),
    Reason.GAME_NOT_STARTED: ErrorRow(
        _Code.FAILED_PRECONDITION,
        "The game has not been started.",
        "La partie n'a pas commencé.",
    ),
    Reason.GAME_ALREADY_STARTED: ErrorRow(
        _Code.FAILED_PRECONDITION,
        "The game has been started already.",
        "La partie a déjà commencé.",
    ),
    Reason.GAME_ENDED: ErrorRow(
        _Code.FAILED_PRECONDITION,
        "The game has ended.",
        "La partie est terminée.",
    ),
    Reason.GAME_NOT_ENDED: ErrorRow(
        _Code.FAILED_PRECONDITION,
        "The record opens when the game has ended.",
        "Le compte rendu s'ouvre à la fin de la partie.",
    ),
    Reason.STALE_REVISION: ErrorRow(
        _Code.ABORTED,
        "The game is at another revision than the expected one.",
        "La partie est à une autre révision que celle attendue.",
    ),
    Reason.STORE_UNAVAILABLE: ErrorRow(
        _Code.UNAVAILABLE,
        "The store does not answer; try again with the same request id.",
        "Le stockage ne répond pas ; réessayez avec le même identifiant de requête.",
    ),
    Reason.GAME_FROM_NEWER_RELEASE: ErrorRow(
        _Code.UNAVAILABLE,
        "A newer release of the service keeps this game.",
        "Une version plus récente du service tient cette partie.",
    ),
    # Not FAILED_PRECONDITION: there is nothing that the caller could do first, and another replica may have the board.
    Reason.BOARD_UNAVAILABLE: ErrorRow(
        _Code.UNAVAILABLE,
        "The board of this game is not here, or not as it was when the game began.",
        "Le plateau de cette partie n'est pas là, ou plus tel qu'au début de la partie.",
    ),
    Reason.TOO_MANY_CALLS: ErrorRow(
        _Code.RESOURCE_EXHAUSTED,
        "Too many calls are being answered.",
        "Trop d'appels sont en cours.",
    ),
    Reason.TOO_MANY_STREAMS: ErrorRow(
        _Code.RESOURCE_EXHAUSTED,
        "Too many streams are open.",
        "Trop de flux sont ouverts.",
    ),
    Reason.TOO_MANY_ROTATIONS: ErrorRow(
        _Code.RESOURCE_EXHAUSTED,
        "The tokens of this game have been exchanged too often.",
        "Les jetons de cette partie ont été échangés trop souvent.",
    ),
    Reason.TOO_MUCH_WORK: ErrorRow(
        _Code.RESOURCE_EXHAUSTED,
        "The options and the history of this game leave more open than can be worked out.",
        "Les options et l'historique de cette partie laissent trop de possibilités à examiner.",
    ),
    Reason.REQUEST_TOO_LARGE: ErrorRow(
        _Code.RESOURCE_EXHAUSTED,
        "The request is larger than the service takes.",
        "La requête est plus grande que ce que le service accepte.",
    ),
    Reason.TOO_MANY_REQUESTS: ErrorRow(
        _Code.RESOURCE_EXHAUSTED,
        "This token makes more calls than it may.",
        "Ce jeton fait plus d'appels qu'il n'en a le droit.",
    ),
    # Not RESOURCE_EXHAUSTED: another replica may have room, and what stands between is to look for it.
    Reason.TOO_MANY_CONNECTIONS: ErrorRow(
        _Code.UNAVAILABLE,
        "Too many connections are open.",
        "Trop de connexions sont ouvertes.",
    ),
    Reason.UNSUPPORTED: ErrorRow(
        _Code.UNIMPLEMENTED,
        "The service does not understand requests that are sent in this way.",
        "Le service ne comprend pas les requêtes envoyées de cette façon.",
    ),
    Reason.DEADLINE_EXCEEDED: ErrorRow(
        _Code.DEADLINE_EXCEEDED,
        "The deadline passed before the call was done.",
        "Le délai est passé avant la fin de l'appel.",
    ),
    Reason.INTERNAL_FAULT: ErrorRow(
        _Code.INTERNAL,
        "The service has a fault; it has been logged.",
        "Le service a une défaillance ; elle a été consignée.",
    ),
    Reason.DRAINING: ErrorRow(
        _Code.UNAVAILABLE,
        "The process is shutting down.",
        "Le processus s'arrête.",
    ),
}


@lru_cache(maxsize=256)
def locale(accept_language: str | None) -> str:
    """`fr` where the caller prefers French to English, else `en`."""
    best, best_weight = DEFAULT_LOCALE, 0.0
    for part in (accept_language or "").split(","):
        tag, _, parameters = part.strip().partition(";")
        language = tag.strip().lower().partition("-")[0]
        weight = _weight(parameters)
        if language in ("en", "fr") and weight > best_weight:
            best, best_weight = language, weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if not name:
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def sentence(refusal: Refusal, language: str) -> str:
    """What a person is told, in their language."""
    return _text(refusal).spoken_in(language)


def _text(refusal: Refusal) -> Text:
    """The rule itself where one forbids the move, the first faulty field and what is wrong with it, else the words that
    go with the reason.
    """
    if refusal.violation is not None:
        return refusal.violation.rule.text
    if refusal.faults:
        return refusal.faults[0].placed
    return ERRORS[refusal.reason].text


def status(refusal: Refusal, language: str) -> status_pb2.Status:
    """The refusal as a google.rpc.Status with its details."""
    row = ERRORS[refusal.reason]
    words = sentence(refusal, language)
    details: list[any_pb2.Any] = [
        _packed(
            error_details_pb2.ErrorInfo(reason=refusal.reason.value, domain=DOMAIN, metadata=dict(refusal.metadata))
        )
    ]
    if refusal.faults:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(field=fault.field, description=fault.text.spoken_in(language))
            for fault in refusal.faults[:MOST_FAULTS]
        ]
        details.append(_packed(error_details_pb2.BadRequest(field_violations=violations)))
    if row.code is _Code.FAILED_PRECONDITION or refusal.reason is Reason.STALE_REVISION:
        subject = refusal.metadata.get("rule", "game")
        violation = error_details_pb2.PreconditionFailure.Violation(
            type=refusal.reason.value, subject=subject, description=words
        )
        details.append(_packed(error_details_pb2.PreconditionFailure(violations=[violation])))
    if refusal.retry_after is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(refusal.retry_after * 1000))
        details.append(_packed(error_details_pb2.RetryInfo(retry_delay=delay)))
    details.append(_packed(error_details_pb2.LocalizedMessage(locale=language, message=words)))
    # Tools that do not unpack details still show which rule it is.
    message = words if refusal.violation is None else f"{words} ({refusal.violation.rule.id})"
    return status_pb2.Status(code=row.code.value[0], message=message, details=details)


def _packed(message: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed
