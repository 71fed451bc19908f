"""How questions come and answers go: in pipes without an end, on lines without an end, and when somebody hangs up."""

from __future__ import annotations

import io
import json
import signal
import subprocess
from pathlib import Path
from random import Random
from typing import Any, BinaryIO, cast

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from tests.api.positions import message, walk, without_history
from tests.cli.test_ask import NAMES, POSITION, TREES, one_line, run
from whitehall.cli import blocks, json_lines
from whitehall.cli.blocks import LONGEST_LINE
from whitehall.gen.whitehall.scotlandyard.v1 import deduction_pb2, position_pb2

KINDS: tuple[type[Message], ...] = (position_pb2.Position, position_pb2.PositionMoves, deduction_pb2.PublicLog)


@pytest.fixture
def asking(program: Path) -> Any:
    command = [str(program), "legal-moves", "--singles-only"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        yield process
        process.kill()


def ask(process: subprocess.Popen[bytes]) -> Any:
    stdin, stdout = cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout)
    stdin.write(f"{POSITION}\n".encode())
    stdin.flush()
    return json.loads(stdout.readline())


def test_each_question_of_a_slow_pipe_is_answered_before_the_next_one(asking: subprocess.Popen[bytes]) -> None:
    assert ask(asking) == ask(asking)


def test_ctrl_c_ends_it_with_its_own_code_and_no_words(asking: subprocess.Popen[bytes]) -> None:
    ask(asking)
    asking.send_signal(signal.SIGINT)
    assert asking.wait(20) == 130
    assert cast(BinaryIO, asking.stderr).read() == b""


def test_so_it_ends_verify_whose_other_codes_are_verdicts(program: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    record.write_text("no record\n")
    command = [str(program), "verify", str(record), "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert b"unreadable" in cast(BinaryIO, process.stdout).readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert cast(BinaryIO, process.stderr).read() == b""


def test_so_does_a_reader_that_has_gone(asking: subprocess.Popen[bytes]) -> None:
    ask(asking)
    cast(BinaryIO, asking.stdout).close()
    stdin = cast(BinaryIO, asking.stdin)
    stdin.write(f"{POSITION}\n".encode())
    stdin.close()
    assert asking.wait(20) == 141
    assert cast(BinaryIO, asking.stderr).read() == b""


@pytest.mark.parametrize(
    "command",
    ["--help", "--version", "config", f"legal-moves '{POSITION}'", "locate london-2013", "play --watch --seed 1"],
)
def test_what_cannot_be_written_is_told_in_a_line_with_a_code_of_its_own(program: Path, command: str) -> None:
    done = shell(f"'{program}' {command} >/dev/full")
    assert (done.returncode, done.stderr) == (74, "Error: No space left on device\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
@pytest.mark.parametrize("command", ["--help", f"legal-moves '{POSITION}'", "legal-moves", "validate", "locate"])
def test_a_stream_that_was_closed_beforehand_is_an_empty_one(program: Path, command: str, closed: str) -> None:
    done = shell(f"'{program}' {command} </dev/null {closed}")
    assert (done.returncode, done.stderr) == (0, "")


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=False)


def test_a_line_that_is_too_long_is_told_and_the_others_are_answered() -> None:
    for length in (LONGEST_LINE + 1, LONGEST_LINE + 70_000, 3 * LONGEST_LINE):
        result, (first, long, last) = run("legal-moves", stdin=f"{POSITION}\n{'x' * length}\n{POSITION}\n")
        assert result.exit_code == 1
        assert long == {
            "error": f"the line is longer than {LONGEST_LINE} bytes",
            "in": "-",
            "line": 2,
            "column": LONGEST_LINE + 1,
        }
        assert first == last


def test_a_line_is_too_long_by_its_bytes_and_not_by_its_characters() -> None:
    """Cut after so many bytes it would be a question, and another one than was asked."""
    wide = POSITION + "\u3000" * (LONGEST_LINE // 3) + " and more"
    assert len(wide) < LONGEST_LINE < len(wide.encode())
    result, (told,) = run("legal-moves", stdin=f"{wide}\n")
    assert result.exit_code == 1
    assert told["error"] == f"the line is longer than {LONGEST_LINE} bytes"


def test_a_line_without_an_end_takes_no_more_room_than_the_longest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(io.BytesIO):
        left = 1_000

        def read1(self, size: int | None = -1, /) -> bytes:
            self.left -= 1
            return b"x" * (size or 0) if self.left else b""

    monkeypatch.setattr("click.open_file", lambda *_: Endless())
    (block,) = blocks.blocks((), ["endless"])
    assert len(block.lines) == LONGEST_LINE + 2


@given(st.lists(st.binary(max_size=12)), st.integers(1, 20))
def test_lines_are_those_of_the_file_however_it_is_read(pieces: list[bytes], size: int) -> None:
    text = b"\n".join(pieces)

    class Slow(io.BytesIO):
        def read1(self, _: int | None = -1, /) -> bytes:
            return super().read1(size)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("click.open_file", lambda *_: Slow(text))
        found = list(blocks.blocks((), ["file"]))
    assert b"".join(block.lines for block in found) == text
    assert sum(block.size for block in found) <= len(text)
    line = 1
    for block in found:
        assert block.first_line == line
        line += block.lines.count(b"\n")


def by_protobuf(line: str, kind: type[Message]) -> Message | None:
    try:
        return json_format.Parse(line, kind())
    except (json_format.ParseError, RecursionError):
        return None


def check_same(line: str, kind: type[Message]) -> bool:
    """What is built quickly is what protobuf reads; whether it was built quickly."""
    built = json_lines._plain(line, kind)
    assert built is None or built == by_protobuf(line, kind)
    return built is not None


def test_plain_positions_are_built_as_protobuf_reads_them() -> None:
    for seed in range(3):
        for state, _, _ in walk(2 + seed, Random(seed)):
            assert check_same(one_line(message(without_history(state))), position_pb2.Position)


@given(st.dictionaries(st.sampled_from(NAMES), TREES, max_size=6).map(json.dumps), st.sampled_from(KINDS))
def test_whatever_is_built_quickly_is_what_protobuf_reads(line: str, kind: type[Message]) -> None:
    check_same(line, kind)


@pytest.mark.parametrize(
    "line",
    [
        '{"hunters": {}}',
        '{"hunters": [{"hasMoved": 1}]}',
        '{"players": 3, "players": 4}',
        '{"mrX": 1, "mr_x": 2}',
        '{"players": "3"}',
        '{"players": true}',
        '{"preset": "\\ud800"}',
        '{"round": 4294967296}',
        '{"moves": [{"text": "taxi 5", "passTurn": {}}]}',
        '{"board": null}',
        "[]",
        "{} {}",
    ],
)
def test_so_it_is_with_what_json_and_messages_see_differently(line: str) -> None:
    for kind in KINDS:
        check_same(line, kind)
