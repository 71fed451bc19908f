"""Vectors of the scenario tests: a pytest plugin that notes every judgement on which a test of Scotland Yard insists.

A scenario asks `refusal`, `winner` or `ended_by` only to assert what the rulebook says, and what a failing test asked
is thrown away. So what remains is as right as the tests are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from google.protobuf import json_format

from tests.games.scotland_yard import scenario
from whitehall.games.core.rule import Rule, Violation
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.wire.position_reading import read_position
from whitehall.games.scotland_yard.wire.positions import write_position

APPLY = "whitehall.scotlandyard.v1.ScotlandYardPositionService/ApplyPositionMoves"
FOLDER = "tests/games/scotland_yard"


@dataclass(frozen=True)
class Judged:
    """A move in a position, and what became of it."""

    test: str
    position: Any
    text: str
    rules: tuple[str, ...]
    result: Any
    says: str

    def vector(self, number: int) -> dict[str, Any]:
        name = self.test.rpartition("::")[2]
        module = self.test.partition("::")[0].rpartition("/")[2].removeprefix("test_").removesuffix(".py")
        sentence = re.sub(r"^test_", "", name).replace("_", " ")
        request = {"questions": [{"position": self.position, "moves": _moves(self.text)}]}
        return {
            "id": f"scotland-yard/{module}/{name.removeprefix('test_')}/{number}",
            "rules": list(self.rules),
            "description": f"{sentence}: {self.text} {self.says}",
            "origin": f"{FOLDER}/test_{module}.py",
            "steps": [{"call": APPLY, "request": request, "answer": {"results": [self.result]}}],
        }


def _moves(text: str) -> list[dict[str, str]]:
    return [{"text": part.strip()} for part in text.split(";")]


class Recorder:
    """The plugin."""

    def __init__(self) -> None:
        self._noted: list[Judged] = []
        self._by_test: dict[str, list[Judged]] = {}
        self._test = ""
        self._last: tuple[ScotlandYardState, ScotlandYardState, str] | None = None

    def vectors(self) -> Iterator[dict[str, Any]]:
        """What was noted, each judgement once."""
        seen = set()
        for test in sorted(self._by_test):
            number = 0
            for judged in self._by_test[test]:
                key = (str(judged.position), judged.text)
                if key not in seen:
                    seen.add(key)
                    number += 1
                    yield judged.vector(number)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self._test, self._noted, self._last = item.nodeid, [], None
        result = yield
        self._by_test[item.nodeid] = self._noted
        return result

    def listen(self, patch: pytest.MonkeyPatch) -> None:
        """Notes what the words of scenarios are asked."""
        violation, play, winner, ended_by = scenario.violation, scenario.play, scenario.winner, scenario.ended_by

        def noting_violation(state: ScotlandYardState, text: str, *, seat: int | None = None) -> Violation | None:
            found = violation(state, text, seat=seat)
            if seat is None:
                self._note_violation(state, text, found)
            return found

        def noting_play(
            state: ScotlandYardState, *texts: str, draws: Sequence[int] = ()
        ) -> tuple[ScotlandYardState, list[Event]]:
            after, happened = play(state, *texts, draws=draws)
            if len(texts) == 1 and not draws:
                self._last = state, after, texts[0]
            return after, happened

        def noting_winner(state: ScotlandYardState) -> str | None:
            self._note_end(state)
            return winner(state)

        def noting_end(state: ScotlandYardState) -> Rule | None:
            self._note_end(state)
            return ended_by(state)

        patch.setattr(scenario, "violation", noting_violation)
        for name, noting in (("play", noting_play), ("winner", noting_winner), ("ended_by", noting_end)):
            patch.setattr(scenario, name, noting)

    def _note_violation(self, state: ScotlandYardState, text: str, found: Violation | None) -> None:
        position = as_question(state)
        if position is None or not _names_its_piece(state, text):
            return
        if found is None:
            judged = Judged(self._test, position, text, (), {"violation": None}, "is legal")
        else:
            rule = found.rule.id
            refused = {"violation": {"rule": {"id": rule}}, "position": None}
            judged = Judged(self._test, position, text, (rule,), refused, f"is refused by {rule}")
        self._noted.append(judged)

    def _note_end(self, after: ScotlandYardState) -> None:
        if self._last is None or self._last[1] is not after:
            return
        before, _, text = self._last
        position, outcome = as_question(before), game.outcome(after)
        if position is None or not _names_its_piece(before, text):
            return
        if outcome is None:
            judged = Judged(self._test, position, text, (), {"violation": None, "outcome": None}, "goes on")
        else:
            rule = outcome.rule.id
            ended = {"outcome": {"winners": list(outcome.winners), "rule": rule}, "violation": None}
            judged = Judged(self._test, position, text, (rule,), ended, f"ends the game by {rule}")
        self._noted.append(judged)


def _names_its_piece(state: ScotlandYardState, text: str) -> bool:
    return text.split(maxsplit=1)[0] in {"mr_x", *(piece.name.lower() for piece in state.options.hunters)}


def as_question(state: ScotlandYardState) -> Any:
    """The position as JSON, or None where it can't be asked about."""
    if state.phase in (Phase.PLACING, Phase.OVER):
        return None
    message = write_position(state)
    try:
        same = read_position(message) == state
    except ValueError:
        return None
    return json_format.MessageToDict(message) if same else None
