"""Findings on the wire: what the app has answered, as far as a viewer may know it or a caller tells of it."""

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.findings import (
    Analysed,
    Answer,
    Finding,
    Interrogated,
    Located,
    Scanned,
    StatementHeard,
)
from whitehall.games.scotland_yard.master import Nearness
from whitehall.games.scotland_yard.ticket import Station
from whitehall.games.scotland_yard.wire.numbers import nearness_number
from whitehall.gen.whitehall.scotlandyard.v1 import master_pb2


def write_analysed(answer: Analysed) -> master_pb2.Analysed:
    """What Analysis answered."""
    return master_pb2.Analysed(stations=answer.stations or ())


def write_located(answer: Located) -> master_pb2.Located:
    """What Locate answered."""
    return master_pb2.Located(nearness=map(nearness_number, answer.nearness or ()))


def write_scanned(answer: Scanned) -> master_pb2.Scanned:
    """What a Scan answered."""
    return master_pb2.Scanned(distance=answer.distance)


def write_interrogated(answer: Interrogated) -> master_pb2.Interrogated:
    """What an Interrogation showed."""
    if answer.landmarks is None:
        return master_pb2.Interrogated()
    return master_pb2.Interrogated(question_marks=master_pb2.QuestionMarks(landmarks=answer.landmarks))


def write_heard(answer: StatementHeard) -> master_pb2.StatementHeard:
    """What witnesses said."""
    return master_pb2.StatementHeard(landmark=answer.landmark, moves_ago=answer.moves_ago)


def write_finding(finding: Finding) -> master_pb2.Finding:
    """An answer and the moment that it is about."""
    return master_pb2.Finding(round=finding.round, field=finding.field, answer=write_answer(finding.answer))


def write_answer(answer: Answer) -> master_pb2.Answer:
    """An answer, as far as its viewer may know it."""
    match answer:
        case Analysed():
            return master_pb2.Answer(analysed=write_analysed(answer))
        case Located():
            return master_pb2.Answer(located=write_located(answer))
        case Scanned():
            return master_pb2.Answer(scanned=write_scanned(answer))
        case Interrogated():
            return master_pb2.Answer(interrogated=write_interrogated(answer))
        case StatementHeard():
            return master_pb2.Answer(statement_heard=write_heard(answer))


def read_finding(message: master_pb2.Finding, path: str) -> Finding:
    """An answer that a caller tells of, and its moment. Raises `InvalidField`."""
    return Finding(message.round, message.field, read_answer(message.answer, f"{path}.answer"))


def read_answer(message: master_pb2.Answer, path: str) -> Answer:
    """An answer that a caller tells of; whether an app gives it, the game knows. Raises `InvalidField` for one that was
    withheld.
    """
    match message.WhichOneof("kind"):
        case "analysed":
            return Analysed(tuple(Station(station) for station in message.analysed.stations))
        case "located":
            return Located(tuple(map(Nearness, message.located.nearness)))
        case "scanned" if message.scanned.HasField("distance"):
            return Scanned(message.scanned.distance)
        case "interrogated":
            if not message.interrogated.HasField("question_marks"):
                reason = Text(
                    "must be there, and empty where he has been seen at no landmark",
                    "il en faut, et vide si personne ne l'a vu nulle part",
                )
                raise InvalidField(f"{path}.interrogated.question_marks", reason)
            return Interrogated(tuple(message.interrogated.question_marks.landmarks))
        case "statement_heard" if message.statement_heard.HasField("moves_ago"):
            return StatementHeard(message.statement_heard.landmark, message.statement_heard.moves_ago)
        case _:
            raise InvalidField(path, Text("holds no answer", "ne contient pas de réponse"))
