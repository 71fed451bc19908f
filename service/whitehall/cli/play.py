"""`whitehall play`: a whole game in the terminal, through the service as any other frontend uses it."""

import io
import os
import random
import sys
from pathlib import Path

import click

from whitehall.cli.language import IN_FRENCH, language

GAMES = ("scotland-yard", "cluedo")
"""The games that can be played here, the usual one first."""

PRESETS = ("new", "classic", "master")
"""The editions."""

STARTS = ("cards", "choice", "distribution")
"""The option `start_by` in words."""


@click.command(
    epilog="Exit codes: 0, the game has ended, or you have left it (quit, end of input); 1, no service could be "
    "started or reached, it refused, or Ctrl-C; 2, wrong usage. The rules are told "
    f"{IN_FRENCH}"
)
@click.argument("game", type=click.Choice(GAMES), default=GAMES[0])
@click.option(
    "--seat",
    help="Your side: `mr_x` or `detectives`, which is the default; in Cluedo your pawn, `S1` to `S6`, by default `S1`.",
)
@click.option("--watch", "--auto", is_flag=True, help="Bots play all seats. You see what --seat sees.")
@click.option(
    "--players",
    type=click.IntRange(2, 6),
    default=3,
    show_default=True,
    help="The number of people whom the rulebook sets the table for; in Scotland Yard it decides how many hunters "
    "there are.",
)
@click.option(
    "--preset",
    type=click.Choice(PRESETS),
    help="Scotland Yard: the edition. `new` with Bobbies, the usual one; `classic` as it was before 2003; `master` "
    "with the special actions, meeting points and helicopter of the app.",
)
@click.option(
    "--start-by",
    type=click.Choice(STARTS),
    help="Scotland Yard: how pieces come to where they start. By start cards, as the preset has it; by choice, the "
    "hunters first and Mr X secretly; or by distribution of the hunters over stations that chance names.",
)
@click.option(
    "--seed",
    type=int,
    help="Decides how bots choose, and is mixed into the game's chance. The cards differ all the same: the service "
    "adds a secret seed of its own.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write the game's record to this file at the end, as `whitehall verify` reads it: the answer of GetRecord "
    "in JSON, with all seeds, and with the record as text.",
)
@click.option(
    "--address",
    metavar="HOST:PORT",
    help="A running service. Without it, one is started for this game, and thrown away with all that it kept.",
)
@click.option(
    "--operator-key",
    metavar="ID:SECRET",
    envvar="WHITEHALL_OPERATOR_KEYS",
    show_envvar=True,
    help="For a service that asks for one; the first, where the variable holds several.",
)
def play(
    game: str,
    seat: str | None,
    watch: bool,
    players: int,
    preset: str | None,
    start_by: str | None,
    seed: int | None,
    record: Path | None,
    address: str | None,
    operator_key: str | None,
) -> None:
    """Play Scotland Yard or Cluedo against bots, or watch bots play: a whole game through the real service.

    Moves are typed in notation, such as `red taxi 86` or `suggest S4 W2 L3`; `?` helps.
    """
    # gRPC and the service take most of a second, and the other commands, `--help` included, can do without.
    from whitehall.cli.frontends import frontend_of  # noqa: PLC0415 - see above
    from whitehall.cli.match import play_match  # noqa: PLC0415 - see above

    for option, value in (("--preset", preset), ("--start-by", start_by)):
        if value and game != GAMES[0]:
            raise click.BadParameter("is for Scotland Yard alone", param_hint=option)
    frontend = frontend_of(game, preset or PRESETS[0], start_by)
    try:
        side = frontend.seat(seat, players)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--seat") from error
    if record and not record.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {record.parent}", param_hint="--record")
    if os.environ.get("NO_COLOR"):
        click.get_current_context().color = False
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    play_match(
        frontend,
        side,
        watch=watch,
        players=players,
        seed=random.randrange(1_000_000) if seed is None else seed,
        record=record,
        address=address,
        operator_key=operator_key.partition(",")[0].strip() if operator_key else None,
        language=language(),
    )
