"""`python -m tests.bench`: measures, prints the tables, and keeps them."""

from __future__ import annotations

import json
import os
import sys

# Read when gRPC is imported; it would remark on each process that is started beside it.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

import click
import uvloop
from rich.console import Console

from tests.bench.report import as_json, show, write_document
from tests.bench.run import BUILD, FULL, QUICK, run

RESULTS = BUILD / "results.json"
PAGE_WIDTH = 150
"""Where the output goes to no terminal."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--quick", is_flag=True, help="Only see whether everything runs: half a minute, and no numbers to rely on."
)
@click.option("--against", metavar="COMMIT", help="Run the engine of another commit besides, turn by turn.")
def main(quick: bool, against: str | None) -> None:
    """Measure the service against everything it has set itself, in about five minutes.

    The tables are printed, kept as JSON in build/bench/results.json, and, but for a quick run, renewed in
    docs/benchmarks.md.
    """
    if sys.platform != "linux":
        raise click.ClickException("the benchmark asks a Linux kernel for processor times")
    console = Console(width=None if sys.stdout.isatty() else PAGE_WIDTH)
    with console.status("") as status:
        results = uvloop.run(run(QUICK if quick else FULL, against, status.update))
    show(results, console)
    RESULTS.write_text(json.dumps(as_json(results), indent=1) + "\n")
    console.print(f"All numbers: {os.path.relpath(RESULTS)}")
    if not quick:
        write_document(results)


if __name__ == "__main__":
    main()
