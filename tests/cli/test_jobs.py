"""`--jobs`: the same answers in the same order, whoever works them out; and an end without words, however it ends."""

from __future__ import annotations

import operator
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from tests.api.test_boards import ring
from tests.cli.test_ask import POSITION, positions, run
from tests.games.scotland_yard.recorded import a_record
from whitehall.cli.workers import AHEAD, LostWorker, in_order
from whitehall.games.scotland_yard import position_notation
from whitehall.games.scotland_yard.record import text

# What workers do here comes from the standard library: they load it sooner than this module.


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(in_order(operator.neg, range(200), 3, os.getpid)) == [-number for number in range(200)]


def test_one_job_is_done_here() -> None:
    here: list[int] = []
    list(in_order(here.append, range(3), 1, os.getpid))
    assert here == [0, 1, 2]


def test_no_more_is_taken_in_than_workers_can_be_kept_busy_with() -> None:
    """However much there is, and however slow whoever takes the results."""
    taken = 0

    def endless() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    results = in_order(operator.neg, endless(), 2, os.getpid)
    for number in range(1, 30):
        assert next(results) == -number
        assert taken <= number + 2 * AHEAD + 1
    results.close()


def test_a_worker_that_dies_is_told_and_nobody_waits_for_it() -> None:
    with pytest.raises(LostWorker, match="a worker process has ended before its time"):
        list(in_order(os._exit, range(5), 2, os.getpid))


def test_questions_are_answered_as_by_one_process_and_wrong_ones_told_with_their_places(tmp_path: Path) -> None:
    lines = [position_notation.text(state) for state in positions()]
    lines[200] = lines[200].replace("mr_x@", "mr_x@9")
    file = tmp_path / "positions"
    file.write_text("\n".join(lines * 5) + "\n", encoding="utf-8")
    assert file.stat().st_size > 3 << 16  # enough for several blocks
    alone, expected = run("legal-moves", "--singles-only", "--file", str(file))
    shared, told = run("legal-moves", "--singles-only", "--jobs", "2", "--file", str(file))
    assert (shared.exit_code, alone.exit_code) == (1, 1)
    assert told == expected
    assert [answer["line"] for answer in told if "error" in answer] == [201 + len(lines) * each for each in range(5)]


def test_records_are_verified_as_by_one_process(tmp_path: Path) -> None:
    written = [text(a_record(3, seed, rounds=3)) for seed in range(4)]
    written[2] = written[2].replace("\nabandoned", "\nmr_x wins SY-END-04")
    files = [tmp_path / str(number) for number in range(5)]
    for file, content in zip(files, [*written, "no record"], strict=True):
        file.write_text(content, encoding="utf-8")
    names = [str(file) for file in files]
    alone, expected = run("verify", *names)
    shared, told = run("verify", "--jobs", "2", *names)
    assert (shared.exit_code, told) == (alone.exit_code, expected)
    assert [each["verdict"] for each in told] == ["genuine", "genuine", "faulty", "genuine", "unreadable"]


@pytest.mark.usefixtures("nobody_elses_boards")
def test_workers_know_the_operator_s_boards_too(program: Path, tmp_path: Path) -> None:
    (tmp_path / "scotland-yard").mkdir()
    (tmp_path / "scotland-yard" / "ring.json").write_text(ring(), encoding="utf-8")
    command = [str(program), "possible-locations", "--jobs", "2", "--boards-dir", str(tmp_path), "ring start:5 | taxi"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"analysis":[4,6]' in done.stdout


def test_wrong_numbers_of_jobs_are_wrong_usage() -> None:
    for number in ("0", "-1", "257", "two"):
        assert run("legal-moves", "--jobs", number, POSITION)[0].exit_code == 2


@pytest.fixture
def asking(program: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Two workers with questions without an end, and one answer taken: both have begun."""
    command = [str(program), "legal-moves", "--jobs", "2"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        stdin = cast(BinaryIO, process.stdin)

        def ask() -> None:
            try:
                while True:
                    stdin.write(f"{POSITION}\n".encode() * 2_000)
            except OSError:  # nobody reads any more
                return

        asks = threading.Thread(target=ask)
        asks.start()
        assert cast(BinaryIO, process.stdout).readline().startswith(b'{"moves"')
        yield process
        process.kill()
        asks.join(30)
        with suppress(OSError):
            stdin.close()


def test_ctrl_c_ends_all_of_them_with_its_own_code_and_no_words(asking: subprocess.Popen[bytes]) -> None:
    """On a terminal it reaches every process of the command, and the last of them gone, stderr ends."""
    os.killpg(asking.pid, signal.SIGINT)
    assert asking.wait(30) == 130
    assert cast(BinaryIO, asking.stderr).read() == b""


def test_so_does_a_reader_that_has_gone(asking: subprocess.Popen[bytes]) -> None:
    cast(BinaryIO, asking.stdout).close()
    assert asking.wait(30) == 141
    assert cast(BinaryIO, asking.stderr).read() == b""
