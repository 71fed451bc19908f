"""Turns: one after another in the terminal, until the game ends or the person at the keyboard leaves."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from whitehall.cli.client import Refused, Seat
from whitehall.cli.frontend import Bot, Frontend
from whitehall.gen.whitehall.common.v1.game_pb2 import GAME_STATUS_ACTIVE

MENDABLE = {"ILLEGAL_MOVE", "NOT_YOUR_PIECE", "INVALID_FIELD"}
"""The reasons after which another text may do better."""


def play_turns(frontend: Frontend, seats: Sequence[Seat], eyes: Seat, bot: Bot, *, person: bool) -> Any | None:
    """The game after its end, or None where the person has left.

    `eyes` is the seat whose view is shown. With a `person` at the keyboard that seat is theirs; the bot plays the rest.
    """
    shown = -1
    while True:
        say(frontend.news(eyes.news()))
        game = eyes.look()
        if game.info.status != GAME_STATUS_ACTIVE:
            return game
        seat = seats[game.info.to_move[0]]
        asked = person and seat is eyes
        if frontend.moment(game) > shown and (asked or not person):
            shown = frontend.moment(game)
            say(["", *frontend.table(game)])
        if not asked:
            seat.play(bot.choose(seat))
        elif not _ask(frontend, seat, game):
            return None


def _ask(frontend: Frontend, seat: Seat, game: Any) -> bool:
    """Asks until a move is made; False where the person would rather leave."""
    while True:
        line = _line(frontend.prompt(game))
        match line.split() if line is not None else ["quit"]:
            case []:
                pass
            case ["quit" | "exit"]:
                return False
            case ["?" | "help"]:
                click.echo(frontend.help)
            case ["table"]:
                say(frontend.table(game))
            case ["moves", *words]:
                say(frontend.moves(seat.legal_moves(), words))
            case text:
                try:
                    seat.play(" ".join(text))
                    return True
                except Refused as refusal:
                    if refusal.reason not in MENDABLE:
                        raise
                    click.echo(f"  {refusal.rule or refusal.reason}  {refusal.sentence}")


def _line(prompt: str) -> str | None:
    """What was typed, or None at the end of the input. A transcript of piped input reads like a session."""
    try:
        line = input(prompt)
    except EOFError:
        click.echo()
        return None
    if not sys.stdin.isatty():
        click.echo(line)
    return line


def say(lines: Iterable[str]) -> None:
    """Prints lines; colours only on a terminal."""
    for line in lines:
        click.echo(line)
