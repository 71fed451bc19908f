"""How questions come and answers go: in pipes without an end, on lines without an end, and when somebody hangs up."""

from __future__ import annotations

import codecs
import io
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.test_ask import POSITION, run
from whitehall.cli import blocks
from whitehall.cli import scotland_yard_answers as answers
from whitehall.cli.blocks import LONGEST_LINE


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


def test_verify_has_the_same_code_for_it(program: Path, tmp_path: Path) -> None:
    """None of its verdicts is meant."""
    (tmp_path / "record").write_text("no record\n")
    ours, theirs = os.pipe()
    os.close(ours)
    command = [str(program), "verify", str(tmp_path / "record")]
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    "command",
    ["--help", "--version", "config", f"legal-moves '{POSITION}'", "locate london-2013", "play --watch --seed 1"],
)
def test_what_cannot_be_written_is_told_in_a_line_with_a_code_of_its_own(program: Path, command: str) -> None:
    done = shell(f"'{program}' {command} >/dev/full")
    assert (done.returncode, done.stderr) == (74, "Error: No space left on device\n")


@pytest.mark.parametrize("closed", ["<&-", "2>&-"])
@pytest.mark.parametrize("command", ["--help", f"legal-moves '{POSITION}'", "legal-moves", "validate", "locate"])
def test_a_stream_that_was_closed_beforehand_is_an_empty_one(program: Path, command: str, closed: str) -> None:
    done = shell(f"'{program}' {command} </dev/null {closed}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "config",
        f"legal-moves '{POSITION}'",
        "locate london-2013",
        "verify README.md",
        "play --watch --seed 1",
    ],
)
@pytest.mark.parametrize("more", ["", "<&-"])
def test_answers_are_not_lost_unseen_where_their_stream_was_closed(program: Path, command: str, more: str) -> None:
    done = shell(f"'{program}' {command} {more} >&-")
    assert (done.returncode, done.stderr) == (74, "Error: Bad file descriptor\n")


@pytest.mark.parametrize("command", ["legal-moves", "validate", "locate"])
def test_where_there_is_nothing_to_write_nothing_is_lost(program: Path, command: str) -> None:
    done = shell(f"'{program}' {command} </dev/null >&-")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("out", ["&-", "/dev/full"])
def test_a_service_serves_where_nobody_can_read_that_it_does(program: Path, tmp_path: Path, out: str) -> None:
    listeners = " ".join(f"--{listener}-address 127.0.0.1:0" for listener in ("grpc", "http", "admin"))
    flags = f"--data-dir '{tmp_path}' --drain-seconds 0 --log-format json"
    command = f"exec '{program}' serve {listeners} {flags} >{out}"
    with subprocess.Popen(command, shell=True, stderr=subprocess.PIPE) as process:
        log = cast(BinaryIO, process.stderr)
        assert any(b'"started"' in line for line in log)
        process.send_signal(signal.SIGTERM)
        last = log.readlines()[-1]
    assert b'"stopped"' in last
    assert process.returncode == 0


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


QUESTIONS = {
    "legal-moves": POSITION,
    "validate": f"{POSITION} | taxi 46",
    "possible-locations": "london-2013 | taxi",
    "locate": "london-2013 13",
    "scan": "london-2013 13",
    "possible-solutions": "3 players seat 0 holds S1 S2 W1 W2 L1 L2",
    "refuter": "0 holds S1 W1; 1 holds S4 L3; 2 holds W2 | 0 suggest S4 W2 L3",
}


@pytest.mark.parametrize("command", QUESTIONS)
def test_a_file_of_windows_is_read_like_any_other(command: str, tmp_path: Path) -> None:
    """It begins with the mark of UTF-8, which is no part of the first line, and its lines end in CR LF."""
    file = tmp_path / "questions"
    lines = ["# asked on Windows", QUESTIONS[command], "", QUESTIONS[command], "{}"]
    expected = run(command, stdin="\n".join(lines))[1]
    assert "error" not in expected[0]
    for text in ("\ufeff" + "\r\n".join(lines), "\ufeff" + "\r\n".join([*lines, ""])):
        file.write_bytes(text.encode())
        assert run(command, stdin=text)[1] == expected
        told = run(command, "--file", str(file))[1]
        assert [{**answer, "in": "-"} if "in" in answer else answer for answer in told] == expected
    file.write_bytes(f"\ufeff{QUESTIONS[command]}".encode())
    assert run(command, "--file", str(file), "--file", str(file))[1] == expected[:1] * 2


@pytest.mark.parametrize("command", QUESTIONS)
def test_utf_16_is_told_as_what_it_is_not(command: str, tmp_path: Path) -> None:
    """An old PowerShell writes it."""
    file = tmp_path / "questions"
    file.write_text(f"{QUESTIONS[command]}\n", encoding="utf-16")
    result, (told, *_) = run(command, "--file", str(file))
    assert result.exit_code == 1
    assert told["error"] == "a zero byte: questions are text in UTF-8"
    assert told["column"] == 4


def test_what_is_no_utf_8_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "questions"
    file.write_bytes("é ".encode() + b"\xff\n" + b"\xc3\n" + b'{"preset": "\xe9"}\n')
    _, told = run("legal-moves", "--file", str(file))
    assert {answer["error"] for answer in told} == {"what stands here is no text in UTF-8"}
    assert [answer["column"] for answer in told] == [3, 1, 13]


def test_what_we_fail_at_ourselves_is_told_and_the_others_are_answered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody knows of a question that does it; when there is one, it must not take those around it with it."""
    answer = answers.legal_moves

    def failing(question: str) -> bytes:
        return b"%d" % (1 // 0) if "@66" in question else answer(question)

    monkeypatch.setattr(answers, "legal_moves", failing)
    bad, wrong = POSITION.replace("@45", "@66"), POSITION.replace("@45", "@999")
    result, (first, told, refused, last) = run("legal-moves", stdin=f"{POSITION}\n{bad}\n{wrong}\n{POSITION}\n")
    assert result.exit_code == 70
    assert "moves" in first
    assert first == last
    assert told == {
        "error": "Whitehall itself has failed at this, please report it: ZeroDivisionError",
        "in": "-",
        "line": 2,
    }
    assert refused["column"] == 14
    assert "in failing" in result.stderr
    assert run("legal-moves", POSITION)[0].exit_code == 0


def test_a_line_without_an_end_takes_no_more_room_than_the_longest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(io.BytesIO):
        left = 1_000

        def read1(self, size: int | None = -1, /) -> bytes:
            self.left -= 1
            return b"x" * (size or 0) if self.left else b""

    monkeypatch.setattr("click.open_file", lambda *_: Endless())
    (block,) = blocks.blocks((), ["endless"])
    assert len(block.lines) == LONGEST_LINE + 2


@given(st.lists(st.binary(max_size=12) | st.just(codecs.BOM_UTF8)), st.integers(1, 20))
def test_lines_are_those_of_the_file_however_it_is_read(pieces: list[bytes], size: int) -> None:
    text = b"\n".join(pieces)

    class Slow(io.BytesIO):
        def read1(self, _: int | None = -1, /) -> bytes:
            return super().read1(size)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("click.open_file", lambda *_: Slow(text))
        found = list(blocks.blocks((), ["file"]))
    assert b"".join(block.lines for block in found) == text.removeprefix(codecs.BOM_UTF8)
    assert sum(block.size for block in found) <= len(text)
    line = 1
    for block in found:
        assert block.first_line == line
        line += block.lines.count(b"\n")
