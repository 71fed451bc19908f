"""Answers to questions about games of Cluedo on cardboard, each question and each answer one line."""

import json

from google.protobuf import json_format
from google.protobuf.message import Message

from whitehall.cli.json_lines import is_json, read_line
from whitehall.games.cluedo import hands_notation, log_notation
from whitehall.games.cluedo.deduction import Contradiction
from whitehall.games.cluedo.wire.deductions import contradicted, read_log, write_deductions
from whitehall.games.cluedo.wire.refuters import list_refuters, write_question
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2, position_pb2


def solutions(question: str) -> bytes:
    """What can lie in the envelope and in each hand, in the form of the API's `PossibleSolutions`."""
    try:
        if is_json(question):
            log = read_line(question, deduction_pb2.SuggestionLog)
            return _line(write_deductions(read_log(log), log.explain))
        return _line(write_deductions(log_notation.parse(question), ()))
    except Contradiction as error:
        raise contradicted(error) from error


def refuter(question: str) -> bytes:
    """Who has to answer a suggestion among open hands, in the form of the API's `Refuter`."""
    if is_json(question):
        asked = read_line(question, position_pb2.RefuterQuestion)
    else:
        asked = write_question(hands_notation.parse(question))
    return _line(position_pb2.Refuter.FromString(list_refuters(asked)))


def _line(answer: Message) -> bytes:
    fields = json_format.MessageToDict(answer, always_print_fields_with_no_presence=True)
    return json.dumps(fields, ensure_ascii=False).encode()
