"""Turns: one after another in the terminal, until the game ends or the person at the keyboard leaves."""

import sys
from collections.abc import Iterable, Sequence

import click

from whitehall.cli import words
from whitehall.cli.bot import Bot
from whitehall.cli.client import Refused, Seat
from whitehall.gen.whitehall.common.v1.game_pb2 import GAME_STATUS_ACTIVE
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2

MENDABLE = {"ILLEGAL_MOVE", "NOT_YOUR_PIECE", "INVALID_FIELD"}
"""The reasons after which another text may do better."""


def play_turns(seats: Sequence[Seat], eyes: Seat, bot: Bot, *, person: bool) -> game_pb2.Game | None:
    """The game after its end, or None where the person has left.

    `eyes` is the seat whose view is shown. With a `person` at the keyboard that seat is theirs; the bot plays the rest.
    """
    shown = -1
    while True:
        say(words.news(eyes.news()))
        game = eyes.look()
        if game.info.status != GAME_STATUS_ACTIVE:
            return game
        seat = seats[game.info.to_move[0]]
        asked = person and seat is eyes
        if game.view.round > shown and (asked or not person):
            shown = game.view.round
            say(["", *words.table(game)])
        if not asked:
            seat.play(bot.choose(seat.legal_moves()))
        elif not _ask(seat, game):
            return None


def _ask(seat: Seat, game: game_pb2.Game) -> bool:
    """Asks until a move is made; False where the person would rather leave."""
    while True:
        line = _line(f"round {game.view.round}> " if game.view.round else "placing> ")
        match line.split() if line is not None else ["quit"]:
            case []:
                pass
            case ["quit" | "exit"]:
                return False
            case ["?" | "help"]:
                click.echo(words.HELP)
            case ["table"]:
                say(words.table(game))
            case ["moves"]:
                say(words.moves(seat.legal_moves()))
            case ["moves", *first]:
                say(words.doubles(seat.legal_moves(), " ".join(first)))
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
