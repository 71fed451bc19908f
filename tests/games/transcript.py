"""Transcripts: whole games as readable text, with every seat's view after each move, compared word for word.

A transcript holds its own draws and moves, so it can be told again:

    python -m tests.games.transcript --write                 tell every transcript anew, from its own draws and moves
    python -m tests.games.transcript --new scotland-yard NAME --seed 7 players=3 preset=new
                                                             play random moves to the end, and write NAME.txt

Look at the difference before you commit it: every changed line is a changed rule, a changed view, or a fault.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Protocol

from tests.games.adapters import ADAPTERS
from tests.games.chance import ScriptedChance, SeededChance
from tests.games.cluedo.teller import CluedoTeller
from tests.games.scotland_yard.teller import ScotlandYardTeller
from whitehall.games.core.chance import RecordedChance
from whitehall.games.core.seat import Seat
from whitehall.games.registry import games

MOVE_LINE = re.compile(r"\d+\. seat (?P<seat>\d+): (?P<move>.+)")
HEADER_LINE = re.compile(r"(?P<key>\w+) = (?P<value>.*)")


class Teller(Protocol):
    """How one game's options, moves, events and views are written."""

    @property
    def folder(self) -> Path: ...
    def options(self, header: Mapping[str, str]) -> Any: ...
    def move(self, text: str) -> Any: ...
    def text(self, move: Any) -> str: ...
    def event(self, event: Any) -> str: ...
    def view(self, view: Any) -> Iterable[str]: ...


TELLERS: Mapping[str, Teller] = {"scotland-yard": ScotlandYardTeller(), "cluedo": CluedoTeller()}


def transcripts() -> list[tuple[str, Path]]:
    """Every transcript, with the name of its game."""
    return [(name, path) for name, teller in TELLERS.items() for path in sorted(teller.folder.glob("*.txt"))]


def tell_again(name: str, text: str) -> str:
    """What a transcript with these draws and moves says now."""
    header = {found["key"]: found["value"] for found in map(HEADER_LINE.fullmatch, text.splitlines()) if found}
    moves = [(found["seat"], found["move"]) for found in map(MOVE_LINE.fullmatch, text.splitlines()) if found]
    teller = TELLERS[name]
    return tell(name, header, [(Seat(int(seat)), teller.move(move)) for seat, move in moves])


def tell(name: str, header: Mapping[str, str], moves: Iterable[tuple[Seat, Any]]) -> str:
    """The whole transcript of a game."""
    return "\n".join(_lines(name, header, moves)) + "\n"


def _lines(name: str, header: Mapping[str, str], moves: Iterable[tuple[Seat, Any]]) -> Iterator[str]:
    game, teller = games()[name], TELLERS[name]
    chance = ScriptedChance(int(value) for value in header["draws"].split())
    for key, value in header.items():
        yield f"{key} = {value}"
    state, events = game.setup(teller.options(header), chance)
    yield from _what_each_sees(name, state, events)
    for number, (seat, move) in enumerate(moves, 1):
        state, events = game.apply(state, seat, move, chance)
        yield ""
        yield f"{number}. seat {seat}: {teller.text(move)}"
        yield from _what_each_sees(name, state, events)


def _what_each_sees(name: str, state: Any, events: Iterable[Any]) -> Iterator[str]:
    """Events and view: first the lines that everybody sees, then those that are for some, with their readers."""
    game, teller = games()[name], TELLERS[name]
    seen: dict[str, list[str]] = {}
    for viewer in (*(Seat(number) for number in range(len(state.options.seats))), None):
        happened = [game.event_view(event, viewer) for event in events]
        seen["public" if viewer is None else str(viewer)] = [
            *(f"- {teller.event(event)}" for event in happened if event is not None),
            *teller.view(game.view(state, viewer)),
        ]
    common = set.intersection(*map(set, seen.values()))
    yield from (f"  {line}" for line in seen["public"] if line in common)
    readers: dict[tuple[str, ...], list[str]] = {}
    for viewer_name, lines in seen.items():
        readers.setdefault(tuple(line for line in lines if line not in common), []).append(viewer_name)
    for own_lines, viewer_names in readers.items():
        yield from (f"  [{', '.join(viewer_names)}] {line}" for line in own_lines)


def play(name: str, header: dict[str, str], seed: int) -> str:
    """The transcript of a new game of random moves."""
    game, adapter, random = games()[name], ADAPTERS[name], Random(seed)
    chance = RecordedChance(SeededChance(seed))
    state, _ = game.setup(TELLERS[name].options(header), chance)
    moves = []
    while seats := game.to_move(state):
        seat = random.choice(seats)
        moves.append((seat, adapter.choose(random, game.legal_moves(state, seat))))
        state, _ = game.apply(state, *moves[-1], chance)
    return tell(name, {**header, "draws": " ".join(str(draw.value) for draw in chance.draws)}, moves)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true", help="tell every transcript anew")
    what.add_argument("--new", nargs=2, metavar=("GAME", "NAME"), help="play and tell a new game")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("option", nargs="*", help="options of a new game, such as players=3")
    given = parser.parse_args(arguments)
    if given.new:
        name, title = given.new
        header = dict(option.split("=", 1) for option in given.option)
        TELLERS[name].folder.joinpath(f"{title}.txt").write_text(play(name, header, given.seed), encoding="utf-8")
        return
    for name, path in transcripts():
        path.write_text(tell_again(name, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
