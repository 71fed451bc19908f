"""Answers to questions about games of Cluedo on cardboard, each question and each answer one line."""

import json

from google.protobuf import json_format

from whitehall.cli.answers import Wrong
from whitehall.cli.json_lines import UnreadableLine, read_line
from whitehall.games.cluedo import log_notation
from whitehall.games.cluedo.deduction import Contradiction
from whitehall.games.cluedo.wire.deductions import read_log, write_deductions
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.notation import NotationError
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2


def solutions(question: str) -> bytes:
    """What can lie in the envelope and in each hand, in the form of the API's `PossibleSolutions`."""
    try:
        if question.lstrip().startswith("{"):
            log = read_line(question, deduction_pb2.SuggestionLog)
            found = write_deductions(read_log(log), log.explain)
        else:
            found = write_deductions(log_notation.parse(question), ())
    except NotationError as error:
        raise Wrong(error.reason, error.column) from error
    except (InvalidField, UnreadableLine) as error:
        raise Wrong(str(error)) from error
    except Contradiction as error:
        return json.dumps({"contradiction": error.event}).encode()
    answer = json_format.MessageToDict(found, always_print_fields_with_no_presence=True)
    return json.dumps(answer, ensure_ascii=False).encode()
