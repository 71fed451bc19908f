"""One run: starts everybody, lets them take turns, and holds what was measured against the bars."""

from __future__ import annotations

import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.bench import web
from tests.bench.bars import Bar, at_least, at_most, below, unmeasured
from tests.bench.calls import unary
from tests.bench.contest import Contest
from tests.bench.echo import SERVICE as ECHO
from tests.bench.engine import LATE_WORK, WORK, EngineSide
from tests.bench.footprint import Footprint, footprint
from tests.bench.idle import open_sides
from tests.bench.load import Slice
from tests.bench.machine import Cores
from tests.bench.peer import Peer, PeerMissing, install, open_peer
from tests.bench.watched import WORKERS, Watched, watched
from tests.bench.yard import GAMES, POSITIONS, Yard, open_yard
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2, service_pb2

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "bench"

MANY = 16
"""Calls in flight where throughput counts."""
STREAMS = 4
"""Streams that are open at a time in the bulk lane."""
BATCHES = (64, 256)

PEER = "boardgame.io"

SHARE_OF_ECHO = {
    "positions MrX": 0.90,
    "positions Hunters": 0.90,
    "positions Mixed": 0.90,
    "GetGame": 0.90,
    "ListLegalMoves": 0.90,
    "PlayMove": 0.85,
}
"""By contest: how much of what a core can do in echoes it has to do in real calls."""

SHARE_OF_GRPC = {
    "REST, ListLegalMoves": 0.80,
    "REST, positions MrX": 0.80,
    "REST, positions Hunters": 0.80,
    "REST, positions Mixed": 0.80,
    "Connect, positions MrX": 0.50,
    "Connect, positions Hunters": 0.50,
    "Connect, positions Mixed": 0.50,
}
"""By contest: how much of the processor's time of the same call over gRPC it may take. Where the store is asked too, as
in a read of a game, its time is in both.
"""

BESIDE = "gRPC beside an idle HTTP listener"
OFTEN = 6
"""How many rounds that has for each one of the others: it is to show three hundredths, and rounds differ by more."""

A_SECOND = (
    ("positions", "Mr X's positions", 100_000),
    ("games", "complete games", 1_200),
    ("location sets", "steps of possible-location sets", 350_000),
    ("lines with positions", "positions that `whitehall legal-moves` answers from a file", 20_000),
    ("lines with moves", "moves that `whitehall validate` judges from a file", 20_000),
    ("lines with growing logs", "logs that `whitehall possible-locations` answers from a file", 20_000),
)
"""By the engine's work: what it does, and how much of it a core has to do in a second."""

EACH = (
    ("app deductions", "a deduction from a whole app game", 2.0),
    ("app steps", "a deduction that follows an app game", 0.2),
    ("first mansion deductions", "a first deduction of Cluedo", 50.0),
    ("mansion deductions", "a deduction in the middle of Cluedo", 5.0),
    ("mansion walks", "the places in reach of a pawn", 0.2),
)
"""By the engine's work: what it does, and how many milliseconds it may take."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How long a run takes."""

    rounds: int
    seconds: float
    """How long a turn lasts with many calls in flight; with one, half as long. A round has two turns for each side."""
    warm_up: float
    """How long the peer plays before the first round, in seconds."""
    starts: int
    games: int
    calls: int
    scrapes: int


FULL = Scale(rounds=7, seconds=0.3, warm_up=4.0, starts=5, games=20, calls=10_000, scrapes=11)
QUICK = Scale(rounds=1, seconds=0.05, warm_up=0.5, starts=1, games=4, calls=960, scrapes=1)


class Results(NamedTuple):
    """What a run has found."""

    bars: list[Bar]
    contests: list[Contest]
    footprint: Footprint
    watched: Watched
    apart: bool
    """Whether those who asked had cores of their own."""


async def run(scale: Scale, against: str | None, step: Callable[[str], None]) -> Results:
    """Measures everything. `step` is told what comes next; `against` names a commit whose engine runs besides."""
    cores = Cores.of_this_machine()
    BUILD.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        # Not in the build folder: the path of a socket must be short.
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="whitehall-bench-")))
        step("readiness and room")
        found = await footprint(folder, starts=scale.starts, games=scale.games, calls=scale.calls)
        step("being watched")
        seen = await watched(folder, scale.scrapes)
        step("starting everybody")
        yard = await stack.enter_async_context(open_yard(folder, cores))
        contests = [*_against_echoes(yard, scale), *_web(yard, scale), *_bulk(yard, scale)]
        beside, alone = await stack.enter_async_context(open_sides(folder, cores, MANY))
        contests.append(Contest(BESIDE, beside, alone, scale.seconds / 2, often=OFTEN))
        source = None if against is None else stack.enter_context(_worktree(against)) / "service"
        for work in WORK:
            ours = await stack.enter_async_context(EngineSide.open(work, folder, cores))
            theirs = None
            if source is not None and work not in LATE_WORK:
                theirs = await stack.enter_async_context(EngineSide.open(work, folder, cores, source))
            contests.append(Contest(f"engine, {work}", ours, theirs, scale.seconds / 2))
        no_peer = ""
        try:
            install(BUILD / "peer")
            peer = await stack.enter_async_context(open_peer(BUILD / "peer", folder, cores, scale.warm_up))
            contests += _against_peer(yard, peer, scale)
        except PeerMissing as missing:
            no_peer = str(missing)
        for number in range(scale.rounds + 1):
            for contest in contests:
                step(f"round {number} of {scale.rounds}: {contest.name}" if number else f"warming up: {contest.name}")
                await contest.play_round(number)
    return Results(_judge(contests, found, seen, no_peer), contests, found, seen, cores.apart)


def _against_echoes(yard: Yard, scale: Scale) -> Iterator[Contest]:
    """Each method against its echo, with many calls in flight and with one."""
    for in_flight, seconds in ((MANY, scale.seconds), (1, scale.seconds / 2)):
        of = f", {in_flight} in flight"
        for name, questions in yard.sets.items():
            ours = yard.asking(unary(yard.channel, POSITIONS, "ListPositionLegalMoves"), questions, in_flight)
            echo = yard.asking(unary(yard.echo, ECHO, name), questions, in_flight)
            yield Contest(f"positions {name}{of}", ours, echo, seconds)
        for method, questions in yard.reads.items():
            ours = yard.asking(unary(yard.channel, GAMES, method), questions, in_flight)
            echo = yard.asking(unary(yard.echo, ECHO, method), questions, in_flight)
            yield Contest(f"{method}{of}", ours, echo, seconds)
        played = yard.playing(yard.channel, GAMES, in_flight)
        yield Contest(f"PlayMove{of}", played, yard.playing(yard.echo, ECHO, in_flight), seconds)


def _web(yard: Yard, scale: Scale) -> Iterator[Contest]:
    """The other doors against gRPC: the same questions, and the processor's time for each."""
    of = f", {MANY} in flight"
    for method, ending in (("ListLegalMoves", "/legal-moves"), ("GetGame", "")):
        questions = yard.reads[method]
        over_grpc = yard.asking(unary(yard.channel, GAMES, method), questions, MANY)
        kind = getattr(service_pb2, f"{method}Request")
        path = f"/v1/scotland-yard/games/{{game_id}}{ending}"
        in_json = [web.rest("GET", path, kind, question, leaves_out=["game_id"]) for question in questions]
        yield Contest(f"REST, {method}{of}", yard.asking(yard.web, in_json, MANY), over_grpc, scale.seconds)
        in_proto = [web.connect(f"/{GAMES}/{method}", question) for question in questions]
        yield Contest(f"Connect, {method}{of}", yard.asking(yard.web, in_proto, MANY), over_grpc, scale.seconds)
    method, path = "ListPositionLegalMoves", "/v1/scotland-yard/positions:legalMoves"
    for name, questions in yard.sets.items():
        over_grpc = yard.asking(unary(yard.channel, POSITIONS, method), questions, MANY)
        kind = position_pb2.ListPositionLegalMovesRequest
        in_json = [web.rest("POST", path, kind, question) for question in questions]
        yield Contest(f"REST, positions {name}{of}", yard.asking(yard.web, in_json, MANY), over_grpc, scale.seconds)
        in_proto = [web.connect(f"/{POSITIONS}/{method}", question) for question in questions]
        yield Contest(f"Connect, positions {name}{of}", yard.asking(yard.web, in_proto, MANY), over_grpc, scale.seconds)


def _bulk(yard: Yard, scale: Scale) -> Iterator[Contest]:
    """Batches in streams against calls with one position each."""
    for size in BATCHES:
        one_by_one = yard.asking(unary(yard.channel, POSITIONS, "ListPositionLegalMoves"), yard.sets["Mixed"], MANY)
        yield Contest(f"batches of {size}", yard.streaming(size, STREAMS), one_by_one, scale.seconds)


def _against_peer(yard: Yard, peer: Peer, scale: Scale) -> Iterator[Contest]:
    """Games at the service against games at the peer: one client that sends all moves, then six that follow them."""
    for in_flight, seconds in ((MANY, scale.seconds), (1, scale.seconds / 2)):
        ours = yard.playing(yard.channel, GAMES, in_flight)
        yield Contest(f"{PEER}, {in_flight} in flight", ours, peer.playing(in_flight, 1), seconds)
    ours = yard.playing(yard.channel, GAMES, MANY, followed=True)
    yield Contest(f"{PEER}, {MANY} in flight, six follow", ours, peer.playing(MANY, 6), scale.seconds)


@contextmanager
def _worktree(commit: str) -> Iterator[Path]:
    """The tree of another commit, beside ours for as long as it is needed."""
    place = BUILD / "against"
    git = ("git", "-C", str(ROOT), "worktree")
    subprocess.run([*git, "add", "--force", "--detach", str(place), commit], check=True, capture_output=True)
    try:
        yield place
    finally:
        subprocess.run([*git, "remove", "--force", str(place)], check=True, capture_output=True)


def _capacity(of: Slice) -> float:
    return of.capacity


def _cpu_each(of: Slice) -> float:
    return of.cpu_each


def _judge(contests: list[Contest], found: Footprint, seen: Watched, no_peer: str) -> list[Bar]:
    """Every bar that applies, with what was measured.

    Throughput is judged by what a core can do, as those who ask may be the ones who can't do more.
    """
    by_name = {contest.name: contest for contest in contests}
    many = f", {MANY} in flight"
    bars = []
    for name, bound in SHARE_OF_ECHO.items():
        ratio = by_name[f"{name}{many}"].ratio(_capacity).median
        bars.append(at_least(f"{name} against its echo", bound, ratio, "{:.2f}"))
    for name, bound in SHARE_OF_GRPC.items():
        ratio = by_name[f"{name}{many}"].ratio(_cpu_each).median
        bars.append(at_most(f"{name}: server CPU against the same call over gRPC", bound, ratio, "{:.2f}"))
    ratio = by_name[BESIDE].ratio(_capacity).median
    bars.append(at_least(f"{BESIDE} against gRPC alone", 0.97, ratio, "{:.2f}"))
    for size in BATCHES:
        ratio = by_name[f"batches of {size}"].ratio(_capacity).median
        bars.append(at_least(f"batches of {size} against batches of one, positions", 20, ratio, "{:.1f}"))
    for work, words, bound in A_SECOND:
        rate = by_name[f"engine, {work}"].of_subject(_capacity).median
        bars.append(at_least(f"engine alone, {words} a second", bound, rate, "{:,.0f}"))
    for work, words, milliseconds in EACH:
        taken = by_name[f"engine, {work}"].of_subject(_cpu_each).median * 1000
        bars.append(at_most(f"engine alone, ms for {words}", milliseconds, taken, "{:.2f}"))
    bars.append(at_most("seconds until ready", 2.0, statistics.median(found.ready), "{:.2f}"))
    mebibytes = found.service_bytes / 2**20
    bars.append(at_most(f"MiB of the process after {found.calls:,} calls", 150, mebibytes, "{:.0f}"))
    kibibytes = max(game.bytes for game in found.games) / 2**10
    mebibytes = found.deduction_bytes / 2**20
    bars.append(at_most("MiB that one deduction of Cluedo keeps", 64, mebibytes, "{:.0f}"))
    bars.append(at_most("KiB in the store of the largest complete game", 8, kibibytes, "{:.1f}"))
    bars.append(at_most(f"seconds for a scrape of {WORKERS} workers", 0.2, statistics.median(seen.scrapes), "{:.3f}"))
    share = seen.counting / by_name[f"GetGame{many}"].of_subject(_cpu_each).median
    bars.append(at_most("share of the processor's time of a GetGame that is counting", 0.05, share, "{:.3f}"))
    cpu, p99 = f"server CPU per confirmed move against {PEER}", f"p99 of a confirmed move against {PEER}"
    if no_peer:
        bars += [unmeasured(cpu, "< 1.00", no_peer), unmeasured(p99, "< 1.00", no_peer)]
    else:
        contest = by_name[f"{PEER}{many}"]
        bars.append(below(cpu, 1.0, contest.ratio(_cpu_each).median, "{:.2f}"))
        bars.append(below(p99, 1.0, contest.latency_ratio(0.99), "{:.2f}"))
    return bars
