"""Answers to questions about games of Cluedo on cardboard, each question and each answer one line."""

from collections.abc import Iterable

from whitehall.api.json_writing import json_writer
from whitehall.cli.json_lines import is_json, read_line
from whitehall.games.cluedo import hands_notation, log_notation
from whitehall.games.cluedo.deduction import Contradiction
from whitehall.games.cluedo.evidence import Evidence
from whitehall.games.cluedo.wire.deductions import contradicted, read_log, write_deductions
from whitehall.games.cluedo.wire.refuters import list_refuters, write_question
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.notation import at_column
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2, position_pb2

_write_solutions = json_writer(deduction_pb2.PossibleSolutions)
_write_refuter = json_writer(position_pb2.Refuter)


def solutions(question: str) -> bytes:
    """What can lie in the envelope and in each hand, in the form of the API's `PossibleSolutions`."""
    if is_json(question):
        log = read_line(question, deduction_pb2.SuggestionLog)
        return _solved(read_log(log), log.explain)
    said = log_notation.parse(question)
    try:
        return _solved(said.evidence, ())
    except InvalidField as fault:
        raise at_column(fault, said.columns) from fault


def _solved(evidence: Evidence, asked: Iterable[deduction_pb2.Conclusion]) -> bytes:
    try:
        return _write_solutions(write_deductions(evidence, asked).SerializeToString())
    except Contradiction as error:
        raise contradicted(error) from error


def refuter(question: str) -> bytes:
    """Who has to answer a suggestion among open hands, in the form of the API's `Refuter`."""
    if is_json(question):
        return _write_refuter(list_refuters(read_line(question, position_pb2.RefuterQuestion)))
    said = hands_notation.parse(question)
    try:
        return _write_refuter(list_refuters(write_question(said.asked)))
    except InvalidField as fault:
        raise at_column(fault, said.columns) from fault
