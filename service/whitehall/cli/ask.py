"""`whitehall legal-moves`, `validate`, `possible-locations` and the like: questions that need no service."""

from collections.abc import Callable
from typing import Any

import click

from whitehall.cli.boards import boards_flag
from whitehall.cli.interruption import interruptible
from whitehall.cli.jobs import jobs_flag
from whitehall.cli.language import IN_FRENCH

EXIT_CODES = (
    "Exit codes: 0, every question is answered; 1, one was wrong, and its line says where; 2, wrong usage; 70, "
    "Whitehall itself has failed at one, and its line says so; 130, Ctrl-C; 141, nobody reads the answers any more. "
    "Prints a JSON line for each question, in order; without --jobs as soon as the question has come. Questions are in "
    "notation (docs/notation.md) or JSON of the API. "
    f"Sentences are {IN_FRENCH}"
)


def _asking(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command its questions: arguments, and `--file`; helpers; boards that they may speak of; and an end
    by Ctrl-C.
    """
    files = click.option(
        "--file",
        "files",
        multiple=True,
        type=click.Path(exists=True, dir_okay=False, allow_dash=True),
        metavar="FILE",
        help="Questions, one on a line; `-` is stdin, which is read where nothing else asks. May be given again.",
    )
    return click.argument("questions", nargs=-1, metavar="[QUESTION]...")(
        files(jobs_flag(boards_flag(interruptible()(command))))
    )


# The rules and protobuf take longer to load than `whitehall --help` takes to answer without them, so each command
# loads them when it is run.


@click.command("legal-moves", epilog=EXIT_CODES)
@_asking
@click.option("--singles-only", is_flag=True, help="Leave out double moves: there may be hundreds of them.")
def legal_moves(questions: tuple[str, ...], files: tuple[str, ...], jobs: int, singles_only: bool) -> None:
    """List the legal moves of the side to move in each position.

    A question is a position: 'new 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34'.
    """
    from whitehall.cli import scotland_yard_answers as answers  # noqa: PLC0415 - see above
    from whitehall.cli.questions import answer_all  # noqa: PLC0415 - see above

    answer_all(questions, files, answers.legal_rides if singles_only else answers.legal_moves, jobs)


@click.command(epilog=EXIT_CODES)
@_asking
def validate(questions: tuple[str, ...], files: tuple[str, ...], jobs: int) -> None:
    """Name every rule that forbids a move in a position.

    A question is a position, a bar and the move: 'new 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34 | taxi 46'.
    An illegal move is answered like a legal one.
    """
    from whitehall.cli import scotland_yard_answers as answers  # noqa: PLC0415 - see above
    from whitehall.cli.questions import answer_all  # noqa: PLC0415 - see above

    answer_all(questions, files, answers.validate, jobs)


@click.command("possible-locations", epilog=EXIT_CODES)
@_asking
@click.option("--hindsight", is_flag=True, help="Also tell what may be written under each field of the log.")
def possible_locations(questions: tuple[str, ...], files: tuple[str, ...], jobs: int, hindsight: bool) -> None:
    """Work out where Mr X can be, exactly, from what lay open on the table.

    A question is the log of a game on cardboard: 'london-2013 now:15/26 | 13/26 bus black@86 | 14/25 taxi'. A log that
    no route fits is answered by the field that it fails at.
    """
    from whitehall.cli import scotland_yard_answers as answers  # noqa: PLC0415 - see above
    from whitehall.cli.questions import answer_all  # noqa: PLC0415 - see above

    answer_all(questions, files, answers.locations_in_hindsight if hindsight else answers.locations, jobs)


@click.command(epilog=EXIT_CODES)
@_asking
def locate(questions: tuple[str, ...], files: tuple[str, ...], jobs: int) -> None:
    """Tell what Locate answers of stations, or of which stations it gives an answer.

    A question is a board and stations: 'london-2013 13 153'; or a board and an answer, one word for each mast in the
    order north, south, west, east: 'london-2013 near far medium medium', with `any` where a mast does not matter. The
    board alone asks for all its stations.
    """
    from whitehall.cli import scotland_yard_tables as tables  # noqa: PLC0415 - see above
    from whitehall.cli.questions import answer_all  # noqa: PLC0415 - see above

    answer_all(questions, files, tables.locate, jobs)


@click.command(epilog=EXIT_CODES)
@_asking
def scan(questions: tuple[str, ...], files: tuple[str, ...], jobs: int) -> None:
    """Tell what a Scan can answer of stations, or of which stations it can give an answer.

    A question is a board and stations: 'london-2013 108 46'; or a board and a distance in taxi moves:
    'london-2013 distance:8'. The board alone asks for all its stations.
    """
    from whitehall.cli import scotland_yard_tables as tables  # noqa: PLC0415 - see above
    from whitehall.cli.questions import answer_all  # noqa: PLC0415 - see above

    answer_all(questions, files, tables.scan, jobs)


@click.command("possible-solutions", epilog=EXIT_CODES)
@_asking
def possible_solutions(questions: tuple[str, ...], files: tuple[str, ...], jobs: int) -> None:
    """Work out what can lie in the envelope at a game of Cluedo, exactly, and who can hold what.

    A question is what a player has written down: '3 players seat 0 holds S1 S2 W1 W2 L1 L2 | 0 suggest S3 W3 L3;
    1 pass; 2 show W3 | 1 suggest S4 W2 L4; 2 show'. Each deal that fits counts alike. A log that no deal fits is
    wrong, and its line names the first event that contradicts what was noted before it, counted from 0.
    """
    from whitehall.cli.cluedo_answers import solutions  # noqa: PLC0415 - see above
    from whitehall.cli.questions import answer_all  # noqa: PLC0415 - see above

    answer_all(questions, files, solutions, jobs)


@click.command(epilog=EXIT_CODES)
@_asking
def refuter(questions: tuple[str, ...], files: tuple[str, ...], jobs: int) -> None:
    """Tell who has to answer a suggestion at a game of Cluedo when all hands are known, and with which cards.

    A question is the hands of all seats, then the suggestion: '0 holds S1 W1; 1 holds S4 L3; 2 holds W2 | 0 suggest S4
    W2 L3'.
    """
    from whitehall.cli import cluedo_answers  # noqa: PLC0415 - see above
    from whitehall.cli.questions import answer_all  # noqa: PLC0415 - see above

    answer_all(questions, files, cluedo_answers.refuter, jobs)
