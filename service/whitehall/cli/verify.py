"""`whitehall verify`: whether records are what they say."""

import json
import sys

import click

from whitehall.cli.boards import boards_flag

FAULTY = 1
UNREADABLE = 3


@click.command(
    epilog="Exit codes: 0, every record is genuine, or was judged by another ruleset and says so; 1, one is faulty; "
    "2, wrong usage; 3, one cannot be read."
)
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, allow_dash=True), metavar="FILE..."
)
@boards_flag
def verify(files: tuple[str, ...]) -> None:
    """Check records of games that have ended; `-` is stdin.

    Derives the commitment and every draw of chance from the seeds, plays the moves through, and compares the result.
    Reads the text that GetRecord answers, its whole answer as JSON, and what `whitehall play --record` writes. Prints a
    JSON line for each.
    """
    # The rules and protobuf take longer to load than `whitehall --help` takes to answer without them.
    from whitehall.cli.verification import Verdict  # noqa: PLC0415 - see above
    from whitehall.cli.verification import verify as verified  # noqa: PLC0415 - see above

    verdicts = set()
    for file in files:
        with click.open_file(file, "rb") as opened:
            found = verified(opened.read().decode(errors="replace").removeprefix("\ufeff"))
        verdicts.add(found.verdict)
        click.echo(json.dumps({"file": file, **found.to_json()}, ensure_ascii=False))
    if Verdict.UNREADABLE in verdicts:
        sys.exit(UNREADABLE)
    if Verdict.FAULTY in verdicts:
        sys.exit(FAULTY)
