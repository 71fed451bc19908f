"""What the commands for questions do with the lines of a file, from reading it to the answers.

`whitehall legal-moves` with positions in notation and in JSON, `whitehall validate` with a move in each position, and
`whitehall possible-locations` with logs of games that grow line by line.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from random import Random

from google.protobuf.json_format import MessageToJson

from tests.bench import games
from whitehall.cli import questions
from whitehall.cli import scotland_yard_answers as answers
from whitehall.cli.blocks import blocks
from whitehall.games.scotland_yard import log_notation, position_notation
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.wire.positions import write_position

GAMES = 40
"""Random games of five detectives that make one file."""


def positions(random: Random, seconds: float) -> tuple[int, float]:
    """Positions of random games, in random order."""
    return _answered([position_notation.text(state) for state in _states(random)], answers.legal_moves, seconds)


def positions_in_json(random: Random, seconds: float) -> tuple[int, float]:
    """The same as messages of the API."""
    lines = [MessageToJson(write_position(state), indent=None) for state in _states(random)]
    return _answered(lines, answers.legal_moves, seconds)


def moves(random: Random, seconds: float) -> tuple[int, float]:
    """A move to any station in each of such positions: nearly all are illegal, and every rule against them is told."""
    lines = []
    for state in _states(random):
        piece = "mr_x" if state.phase is Phase.MR_X else "red"
        lines.append(f"{position_notation.text(state)} | {piece} taxi {random.randint(1, 199)}")
    return _answered(lines, answers.validate, seconds)


def _states(random: Random) -> list[ScotlandYardState]:
    """Positions of random games, in random order."""
    states = [
        state for _ in range(GAMES) for state, *_ in games.play(games.start(random), random) if state.outcome is None
    ]
    random.shuffle(states)
    return states


def logs(random: Random, seconds: float) -> tuple[int, float]:
    """Logs of random games, each a line after every move of Mr X and a line when it is his turn again."""
    return _answered([line for _ in range(GAMES) for line in _log_lines(random)], answers.locations, seconds)


def _log_lines(random: Random) -> Iterator[str]:
    rounds: list[PublicRound] = []
    for state, seat, _, after in games.play(games.start(random), random):
        if seat != MR_X_SEAT:
            continue
        began = PublicRound(state.hunters, (), state.supply, state.black_tickets)
        rides = [
            PublicRide(entry.ticket, entry.station if field in state.options.surfacing else None)
            for field, entry in enumerate(after.log[len(state.log) :], len(state.log) + 1)
        ]
        for this in (began, began._replace(rides=tuple(rides))):
            yield log_notation.text(log_notation.PublicLog(state.options.board.name, (*rounds, this)))
        rounds.append(began._replace(rides=tuple(rides)))


def _answered(lines: Sequence[str], answer: questions.Answer, seconds: float) -> tuple[int, float]:
    with tempfile.NamedTemporaryFile() as file:
        file.write("".join(f"{line}\n" for line in lines).encode())
        file.flush()
        done, used = 0, 0.0
        while used < seconds:
            began = time.process_time()
            for block in blocks((), [file.name]):
                questions.answer_block(answer, block)
            used += time.process_time() - began
            done += len(lines)
    return done, used


WORK = {
    "lines with positions": positions,
    "lines with positions in JSON": positions_in_json,
    "lines with moves": moves,
    "lines with growing logs": logs,
}
