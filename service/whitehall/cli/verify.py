"""`whitehall verify`: whether records are what they say."""

import json
import sys
from contextlib import closing

import click

from whitehall.cli.boards import boards_flag, same_boards
from whitehall.cli.interruption import interruptible
from whitehall.cli.jobs import jobs_flag
from whitehall.cli.language import IN_FRENCH, language
from whitehall.cli.workers import in_order

FAULTY = 1
UNREADABLE = 3


@click.command(
    epilog="Exit codes: 0, every record is genuine, or was judged by another ruleset and says so; 1, one is faulty; "
    "2, wrong usage; 3, one cannot be read; 70, Whitehall itself has failed at one; 130, Ctrl-C; 141, nobody reads the "
    f"answers any more. What is wrong is told {IN_FRENCH}"
)
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, allow_dash=True), metavar="FILE..."
)
@jobs_flag
@boards_flag
@interruptible()
def verify(files: tuple[str, ...], jobs: int) -> None:
    """Check records of games that have ended; `-` is stdin.

    Derives the commitment and every draw of chance from the seeds, plays the moves through, and compares the result.
    Reads the text that GetRecord answers, and its whole answer as JSON, which is what `whitehall play --record` writes;
    also the JSON of a `Record` alone, which an option without effect does not contradict. What is longer than 16 MiB is
    no record. Prints a JSON line for each.
    """
    # The rules and protobuf take longer to load than `whitehall --help` takes to answer without them.
    from whitehall.cli.mishap import FAILED  # noqa: PLC0415 - see above
    from whitehall.cli.verification import MOST_BYTES, Verdict, verify_bytes  # noqa: PLC0415 - see above

    verdicts = set()
    contents = (_beginning(file, MOST_BYTES + 1) for file in files)
    with closing(in_order(verify_bytes, contents, jobs, same_boards())) as results:
        for file, found in zip(files, results, strict=True):
            verdicts.add(found.verdict)
            click.echo(json.dumps({"file": file, **found.to_json(language())}, ensure_ascii=False))
    if Verdict.UNDECIDED in verdicts:
        sys.exit(FAILED)
    if Verdict.UNREADABLE in verdicts:
        sys.exit(UNREADABLE)
    if Verdict.FAULTY in verdicts:
        sys.exit(FAULTY)


def _beginning(file: str, most: int) -> bytes:
    """The first bytes of a file, all of them where there are not so many: one may have no end."""
    with click.open_file(file, "rb") as opened:
        beginning: bytes = opened.read(most)
    return beginning
