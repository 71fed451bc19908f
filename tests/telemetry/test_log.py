"""The log: what a line says, in which form, and what can't get into one however hard somebody tries."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from whitehall.telemetry import log
from whitehall.telemetry.log import call_logger, configure
from whitehall.telemetry.redaction import describe, redact

TOKEN = "wh_seat_0_1_5f0c0ffee5f0c0ffee5f0c0ffee5f0c0"
STATION = 137


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """The log belongs to the whole process, so what a test does to it is undone."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


class Text(io.StringIO):
    """A log as text, once all of it is written."""

    def getvalue(self) -> str:
        assert log.flush(5), "lines are still waiting"
        return super().getvalue()


class Terminal(Text):
    def isatty(self) -> bool:
        return True


class Lines(Text):
    """A log in JSON lines, read back."""

    def read_back(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]

    def only(self) -> dict[str, Any]:
        (line,) = self.read_back()
        return line


@pytest.fixture
def lines() -> Lines:
    out = Lines()
    configure("json", "info", out)
    return out


class TestForm:
    def test_a_line_begins_with_time_level_and_event(self, lines: Lines) -> None:
        structlog.get_logger().warning("the store is back", seconds=1.5, tries=3)
        assert list(lines.only()) == ["time", "level", "event", "seconds", "tries"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", lines.only()["time"])
        assert (lines.only()["level"], lines.only()["seconds"]) == ("warning", 1.5)

    def test_a_line_of_a_worker_tells_which_one_it_is_also_where_it_is_a_library_s(self) -> None:
        out = Lines()
        configure("json", "info", out, worker=3)
        structlog.get_logger().info("hello")
        logging.getLogger("library").info("hello")
        call_logger("PlayMove", "grpc").ended("OK", 0.1)
        assert [line["worker"] for line in out.read_back()] == [3, 3, 3]

    def test_auto_is_pretty_on_a_terminal_and_json_in_a_pipe(self) -> None:
        terminal, pipe = Terminal(), Text()
        configure("auto", "info", terminal)
        structlog.get_logger().info("hello")
        configure("auto", "info", pipe)
        structlog.get_logger().info("hello")
        assert "\x1b[" in terminal.getvalue()
        assert "hello" in terminal.getvalue()
        assert json.loads(pipe.getvalue())["event"] == "hello"

    def test_pretty_into_a_file_has_no_colours(self) -> None:
        out = Text()
        configure("pretty", "info", out)
        structlog.get_logger().info("hello", name="x")
        assert "\x1b" not in out.getvalue()
        assert "name=x" in out.getvalue()

    def test_what_is_below_the_level_is_not_written(self) -> None:
        out = Lines()
        configure("json", "warning", out)
        structlog.get_logger().info("quiet")
        logging.getLogger("library").info("quiet")
        structlog.get_logger().warning("loud")
        logging.getLogger("library").warning("loud too")
        assert [line["event"] for line in out.read_back()] == ["loud", "loud too"]

    def test_a_line_break_in_a_value_makes_no_second_line(self, lines: Lines) -> None:
        structlog.get_logger().info("hello", game='x"}\n{"event": "forged')
        assert lines.only()["game"] == 'x"}\n{"event": "forged'

    @pytest.mark.parametrize("failure", [BrokenPipeError, ValueError("I/O operation on closed file")])
    def test_a_broken_log_does_not_break_the_call(self, failure: OSError | ValueError) -> None:
        class Broken(io.StringIO):
            def write(self, _: str) -> int:
                raise failure

        configure("json", "info", Broken())
        structlog.get_logger().info("into the void")


class TestCalls:
    def test_one_line_says_how_a_call_went(self, lines: Lines) -> None:
        call_logger("whitehall.scotlandyard.v1.ScotlandYardService/PlayMove", "grpc").ended(
            "FAILED_PRECONDITION",
            0.0012345,
            seat="seat",
            game="k3jd92kd02kd93jd",
            revision=17,
            reason="ILLEGAL_MOVE",
            trace_id="4bf92f3577b34da6a3ce929d0e0e4736",
        )
        line = lines.only()
        del line["time"]
        assert line == {
            "level": "info",
            "event": "call",
            "method": "whitehall.scotlandyard.v1.ScotlandYardService/PlayMove",
            "door": "grpc",
            "code": "FAILED_PRECONDITION",
            "milliseconds": 1.234,
            "seat": "seat",
            "game": "k3jd92kd02kd93jd",
            "revision": 17,
            "reason": "ILLEGAL_MOVE",
            "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
        }

    def test_what_is_not_known_is_left_out(self, lines: Lines) -> None:
        call_logger("m", "grpc").ended("OK", 0)
        assert set(lines.only()) == {"time", "level", "event", "method", "door", "code", "milliseconds"}

    @pytest.mark.parametrize(
        ("code", "level"),
        [
            ("OK", "info"),
            ("INVALID_ARGUMENT", "info"),
            ("UNAUTHENTICATED", "info"),
            ("ABORTED", "info"),
            ("UNAVAILABLE", "warning"),
            ("DEADLINE_EXCEEDED", "warning"),
            ("RESOURCE_EXHAUSTED", "warning"),
            ("INTERNAL", "error"),
            ("UNKNOWN", "error"),
        ],
    )
    def test_only_what_is_not_the_callers_fault_stands_out(self, lines: Lines, code: str, level: str) -> None:
        call_logger("m", "grpc").ended(code, 0)
        assert lines.only()["level"] == level

    def test_above_info_only_the_calls_that_stand_out_are_written(self) -> None:
        out = Lines()
        configure("json", "warning", out)
        calls = call_logger("m", "grpc")
        for code in ("OK", "NOT_FOUND", "UNAVAILABLE", "INTERNAL"):
            calls.ended(code, 0)
        assert [line["code"] for line in out.read_back()] == ["UNAVAILABLE", "INTERNAL"]

    def test_a_callers_idea_of_a_game_id_does_not_fill_the_log(self, lines: Lines) -> None:
        call_logger("m", "grpc").ended("NOT_FOUND", 0, game="g" * 100_000)
        assert lines.only()["game"] == "g" * 64


def judge_the_move_to(station: int, token: str) -> None:
    raise LookupError(f"{token} went to {station}")


def raised_by(act: Callable[[], object]) -> BaseException:
    try:
        act()
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


class TestExceptions:
    @pytest.mark.parametrize("form", ["json", "pretty"])
    def test_an_exception_is_told_by_type_and_place_and_never_by_what_it_says(self, form: Any) -> None:
        out = Text()
        configure(form, "info", out)
        try:
            judge_the_move_to(STATION, TOKEN)
        except LookupError:
            structlog.get_logger().exception("a call failed", method="PlayMove")
        text = out.getvalue()
        assert "LookupError" in text
        line = judge_the_move_to.__code__.co_firstlineno + 1
        assert f"{Path(__file__)}:{line} judge_the_move_to" in text
        assert "a call failed" in text
        assert TOKEN not in text
        assert "wh_seat_" not in text
        assert str(STATION) not in text.replace(f":{line} ", "").replace(re.search(r"T[\d:.]+Z", text)[0], "")  # type: ignore[index]

    @pytest.mark.parametrize("given_as", ["the exception", "a triple", "true"])
    def test_however_it_is_given(self, lines: Lines, given_as: str) -> None:
        try:
            judge_the_move_to(STATION, TOKEN)
        except LookupError as error:
            exc_info = {"the exception": error, "a triple": sys.exc_info(), "true": True}[given_as]
            structlog.get_logger().error("a call failed", exc_info=exc_info)
        assert lines.only()["exception"].startswith("LookupError\n  ")

    def test_no_exception_being_handled_is_no_exception_told(self, lines: Lines) -> None:
        structlog.get_logger().error("all is well", exc_info=True)
        assert "exception" not in lines.only()

    def test_what_it_came_from_is_told_in_the_same_way(self) -> None:
        def translate() -> None:
            try:
                judge_the_move_to(STATION, TOKEN)
            except LookupError as error:
                raise RuntimeError(f"at {STATION}") from error

        def stumble() -> None:
            try:
                translate()
            except RuntimeError:
                raise KeyError(STATION)  # noqa: B904

        told = describe(raised_by(stumble)).splitlines()
        assert [line for line in told if not line.startswith("  ")] == [
            "KeyError",
            "while handling RuntimeError",
            "caused by LookupError",
        ]

    def test_a_group_tells_of_each_that_it_holds(self) -> None:
        error = ExceptionGroup("two", [ValueError(TOKEN), asyncio.QueueFull(TOKEN)])
        assert describe(error).splitlines() == [
            "ExceptionGroup",
            "holding ValueError",
            "holding asyncio.queues.QueueFull",
        ]

    def test_a_circle_of_causes_ends(self) -> None:
        first, second = ValueError(), KeyError()
        first.__cause__, second.__cause__ = second, first
        assert describe(first) == "ValueError\ncaused by KeyError"

    def test_a_deep_recursion_is_cut_to_its_inner_end(self) -> None:
        def fall(depth: int) -> None:
            if depth == 0:
                raise ValueError
            fall(depth - 1)

        told = describe(raised_by(lambda: fall(500))).splitlines()
        assert told[1] == "  after 473 frames more"
        assert len(told) == 32

    def test_notes_that_somebody_added_are_values_too(self) -> None:
        error = ValueError()
        error.add_note(TOKEN)
        assert describe(error) == "ValueError"


@dataclass
class Position:
    mr_x: int


class Seat(StrEnum):
    HOST = "host"


class TestValues:
    def test_of_an_object_only_the_type_is_told(self, lines: Lines) -> None:
        structlog.get_logger().info("look", position=Position(STATION), error=LookupError(TOKEN), raw=TOKEN.encode())
        line = lines.only()
        assert line["position"] == f"<{__name__}.Position>"
        assert line["error"] == "<LookupError>"
        assert line["raw"] == "<bytes>"

    def test_inside_lists_and_mappings_too(self, lines: Lines) -> None:
        structlog.get_logger().info("look", nested={"all": [Position(STATION), (1, "two", None)]})
        (shown, plain) = lines.only()["nested"]["all"]
        assert shown.endswith("Position>")
        assert plain == [1, "two", None]

    def test_plain_things_are_told_plainly(self, lines: Lines) -> None:
        structlog.get_logger().info("look", path=Path("/tmp/x"), seat=Seat.HOST, far=float("inf"))
        line = lines.only()
        assert (line["path"], line["seat"], line["far"]) == ("/tmp/x", "host", "inf")


KINDS = st.sampled_from(["host", "seat", "spectator", "operator"])
TOKEN_TAIL = st.text("abcdefXYZ0123456789._~+/=-", min_size=8, max_size=60)
TOKENS = st.builds("wh_{}_{}".format, KINDS, TOKEN_TAIL)
URL_PASSWORDS = st.text(
    st.characters(min_codepoint=33, exclude_characters="/?#[]", exclude_categories=["Zs", "Zl", "Zp", "Cs", "Cc"]),
    min_size=6,
)
REDIS_URLS = st.builds(
    "{}://{}:{}@{}".format,
    st.sampled_from(["redis", "rediss"]),
    st.sampled_from(["", "whitehall"]),
    URL_PASSWORDS,
    st.sampled_from(["localhost:6379/0", "h"]),
)


def everywhere(secret: str) -> dict[str, object]:
    """The secret in every place of an event that we could think of."""
    return {
        "alone": secret,
        "amid": f"before {secret} after",
        "glued": f"before={secret}",
        "quoted": repr(secret),
        "list": [secret, {"deep": (secret,)}],
        "mapping": {secret: 1},
        "raw": secret.encode(),
        "error": ValueError(secret),
        "lines": f"one\n{secret}\nthree",
        "json": json.dumps({"token": secret}),
    }


class TestRedaction:
    @given(TOKENS, st.sampled_from(["json", "pretty"]))
    def test_no_token_gets_into_a_line_wherever_it_hides(self, token: str, form: Any) -> None:
        out = Text()
        configure(form, "info", out)
        tail = token.split("_", 2)[2]
        try:
            raise LookupError(token)
        except LookupError:
            structlog.get_logger().exception(f"failed for {token}", **everywhere(token))
        logging.getLogger("library").error("failed for %s", token, exc_info=ValueError(token))
        assert tail not in out.getvalue()
        if form == "json":
            for line in out.getvalue().splitlines():
                json.loads(line)

    @given(REDIS_URLS, st.sampled_from(["json", "pretty"]))
    def test_no_password_of_a_url_gets_into_a_line(self, url: str, form: Any) -> None:
        out = Text()
        configure(form, "info", out)
        password, _, host = url.split("://", 1)[1].split(":", 1)[1].rpartition("@")
        structlog.get_logger().info(f"connecting to {url}", **everywhere(url))
        logging.getLogger("library").info("connecting to %s", url)
        text = out.getvalue()
        for spelling in (password, json.dumps(password)[1:-1], repr(password)[1:-1]):
            assert f":{spelling}@" not in text
        before_host = re.findall(rf"(.)@{re.escape(host)}", text)
        assert before_host
        assert set(before_host) == {"]"}, "the end of the password is left"
        if form == "json":
            for line in text.splitlines():
                json.loads(line)

    def test_the_rest_of_the_line_stays(self) -> None:
        assert redact(f"seat {TOKEN} of game k3") == "seat wh_seat_[redacted] of game k3"
        assert (
            redact("redis://whitehall:s3cret@store:6379/0 is up") == "redis://whitehall:[redacted]@store:6379/0 is up"
        )
        for name in ("sentinel_password", "Sentinel_Password", "ssl_password", "a.b-password"):
            line = f"redis+sentinel://a:1,b:2/games?{name}=s3cret&db=1 is down"
            assert redact(line) == line.replace("s3cret", "[redacted]")
        assert redact("redis://store:6379/0?password=s3cret&db=1") == "redis://store:6379/0?password=[redacted]&db=1"

    @pytest.mark.parametrize(
        "line",
        [
            "",
            "what is a wh_seat_ token",
            "redis://store:6379/0, mail to admin@example.org",
            '{"url": "redis://store:6379", "by": "admin@example.org"}',
            "see http://127.0.0.1:9090/metrics",
        ],
    )
    def test_a_line_without_secrets_stays_as_it_is(self, line: str) -> None:
        assert redact(line) == line


class TestLibraries:
    def test_their_lines_look_like_ours_and_name_the_library(self, lines: Lines) -> None:
        logging.getLogger("redis.sentinel").warning("No answer received from %s.", "somewhere")
        line = lines.only()
        assert line["event"] == "No answer received from somewhere."
        assert (line["level"], line["logger"]) == ("warning", "redis.sentinel")

    def test_their_exceptions_lose_their_values_too(self, lines: Lines) -> None:
        try:
            judge_the_move_to(STATION, TOKEN)
        except LookupError:
            logging.getLogger("grpc").exception("Unexpected error")
        assert "judge_the_move_to" in lines.only()["exception"]
        assert str(STATION) not in lines.only()["event"]

    @pytest.mark.parametrize("name", ["grpc", "grpc._cython.cygrpc", "grpc.aio._server"])
    def test_what_grpc_says_is_not_repeated_since_callers_put_words_into_it(self, lines: Lines, name: str) -> None:
        logging.getLogger(name).error("Invalid encoding of header value: %s", b"Bearer \xff and a cookie of mine")
        line = lines.only()
        assert (line["level"], line["logger"], line["event"]) == ("error", name, "has something to report")
        assert "cookie" not in lines.getvalue()

    async def test_a_task_that_nobody_awaited_tells_its_error_but_not_what_the_error_said(self, lines: Lines) -> None:
        loop = asyncio.get_running_loop()

        async def fail() -> None:
            judge_the_move_to(STATION, TOKEN)

        task = loop.create_task(fail())
        await asyncio.wait([task])
        loop.call_exception_handler(
            {"message": "Task exception was never retrieved", "exception": task.exception(), "task": task}
        )
        line = lines.only()
        assert line["event"] == "Task exception was never retrieved"
        assert line["exception"].startswith("LookupError\n  ")
        assert f"to {STATION}" not in lines.getvalue()

    def test_a_task_in_a_message_tells_neither_its_result_nor_its_error(self, lines: Lines) -> None:
        logging.getLogger("asyncio").warning(
            "Executing %s took 0.200 seconds", f"<Task finished coro=<x()> result={STATION}>"
        )
        assert lines.only()["event"] == "Executing <Task finished coro=<x()> result=..."

    def test_a_record_of_an_unusual_level_or_with_wrong_arguments_is_still_written(self) -> None:
        lines = Lines()
        configure("json", "info", lines)
        logging.getLogger("library").log(35, "between warning and error")
        logging.getLogger("library").error("%d moves", "many")
        assert [(line["level"], line["event"]) for line in lines.read_back()] == [
            ("warning", "between warning and error"),
            ("error", "%d moves"),
        ]
