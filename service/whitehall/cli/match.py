"""A match in the terminal: one game from its making to its record."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import click
from google.protobuf.json_format import MessageToJson

from whitehall.cli import words
from whitehall.cli.bot import Bot
from whitehall.cli.buf import buf_curl
from whitehall.cli.client import Refused, Unreachable, connected
from whitehall.cli.service import throwaway_service
from whitehall.cli.turns import play_turns, say
from whitehall.gen.whitehall.scotlandyard.v1.record_pb2 import Record

RECORD_CALL = """\
  {buf_curl} -H 'authorization: Bearer {token}' -d '{{"game_id": "{game}"}}' \\
      http://{address}/whitehall.scotlandyard.v1.ScotlandYardService/GetRecord"""


def play_match(
    side: int,
    watch: bool,
    players: int,
    preset: str,
    start_by: str | None,
    seed: int,
    record: Path | None,
    address: str | None,
    operator_key: str | None,
    language: str,
) -> None:
    """Makes a game, plays it out and keeps its record; `side` is the seat of the person, or of the onlooker.

    Raises `ClickException` where no service can be started or reached, or where it refuses.
    """
    service: AbstractContextManager[str] = nullcontext(address) if address else throwaway_service()
    with service as reached, connected(reached, language) as client:
        try:
            game = client.create(preset, players, start_by, str(seed), operator_key)
            click.echo(f"Game {game.id}, preset {preset}, players {players}, seed {seed}.")
            eyes = game.seats[side]
            ended = play_turns(game.seats, eyes, Bot(seed), person=not watch)
            if ended is None:
                game.abandon()
                click.echo("You have left. The game is abandoned: nobody wins.")
            else:
                say(["", *words.result(ended, client.rule(ended.view.outcome.rule))])
            if record:
                _write(game.record(), record)
            elif address:
                click.echo("The record, with all seeds:")
                click.echo(RECORD_CALL.format(buf_curl=buf_curl(), token=eyes.token, game=game.id, address=address))
            else:
                click.echo("The record goes with this service; another time, --record FILE keeps it.")
        except Refused as refusal:
            raise click.ClickException(f"{refusal.reason}: {refusal.sentence}") from refusal
        except Unreachable as error:
            raise click.ClickException(f"no Whitehall answers at {reached}: {error}") from error


def _write(record: Record, file: Path) -> None:
    try:
        text = MessageToJson(record, always_print_fields_with_no_presence=True)
        file.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise click.FileError(str(file), error.strerror) from error
    click.echo(f"The record is in {file}.")
