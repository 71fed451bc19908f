"""The peer: boardgame.io, installed from npm into the build folder, with its server and its client as they ship."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.bench import machine
from tests.bench.child import Child
from tests.bench.load import Slice
from tests.bench.machine import Cores
from whitehall.games.scotland_yard import boards

SOURCE = Path(__file__).parent / "peer"
BOARD = Path(boards.__file__).parent / "data" / "london-2013.json"
INSTALL_SECONDS = 180.0
WARM_UP_TURNS = 3


class PeerMissing(Exception):
    """The peer can't be measured on this machine; the text says why."""


def install(folder: Path) -> None:
    """Brings the peer into a folder, unless it is there already. Raises `PeerMissing`."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise PeerMissing(f"there is no {program} on this machine")
    lock, installed = SOURCE / "package-lock.json", folder / "installed-lock.json"
    shutil.copytree(SOURCE, folder, dirs_exist_ok=True)
    if installed.exists() and installed.read_bytes() == lock.read_bytes():
        return
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise PeerMissing(f"npm did not install it within {INSTALL_SECONDS:g} s") from None
    if ran.returncode:
        raise PeerMissing(f"npm could not install it: {ran.stderr.strip().splitlines()[-1:]}")
    shutil.copy(lock, installed)


class PeerSide:
    """Games at the peer, as many at a time as there are moves in flight."""

    def __init__(self, server: Child, load: Child, in_flight: int, seats: int) -> None:
        self._server = server
        self._load = load
        self._in_flight = in_flight
        self._seats = seats

    async def prepare(self) -> None:
        """Enough games that none has to be made while the clock runs."""
        await self._load.ask({"prepare": self._in_flight, "seats": self._seats})

    async def turn(self, seconds: float) -> Slice:
        serving = machine.family(self._server.pid)
        before = machine.cpu_seconds(serving)
        answer = await self._load.ask({"seconds": seconds, "inFlight": self._in_flight, "seats": self._seats})
        used = machine.cpu_seconds(serving) - before
        return Slice(answer["done"], answer["seconds"], used, tuple(answer["latencies"]))


class Peer:
    """The peer's server and its players."""

    def __init__(self, server: Child, load: Child) -> None:
        self._server = server
        self._load = load

    def playing(self, in_flight: int, seats: int) -> PeerSide:
        """A side that plays games, so many at a time. Each seat has a client, and each client is sent every move."""
        return PeerSide(self._server, self._load, in_flight, seats)


@asynccontextmanager
async def open_peer(folder: Path, logs: Path, cores: Cores, warm_up: float) -> AsyncIterator[Peer]:
    """Starts both from the folder that they were installed into, and lets them play for `warm_up` seconds: what is hot
    gets compiled once it has run for some time.
    """
    environment = {"NODE_ENV": "production", "BOARD": str(BOARD)}
    server = await Child.start(
        "node", folder / "server.js", log=logs / "peer-server.log", cores=cores.serving, environment=environment
    )
    try:
        port = await server.hear()
        load = await Child.start(
            "node",
            *(folder / "load.js", str(port)),
            log=logs / "peer-load.log",
            cores=cores.asking,
            environment=environment,
        )
        try:
            peer = Peer(server, load)
            warming = peer.playing(16, 1)
            for _ in range(WARM_UP_TURNS):
                await warming.prepare()
                await warming.turn(warm_up / WARM_UP_TURNS)
            yield peer
        finally:
            await load.stop()
    finally:
        await server.stop()
