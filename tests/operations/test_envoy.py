"""The recipe for Envoy, with a real Envoy where there is one."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml

from tests.api.live import until
from tests.faults.rolling import Callers, restart_all, two_replicas
from tests.faults.service import Replica
from tests.operations.queries import DEPLOY
from tests.sessions.servers import free_port
from whitehall.sessions import leash

RECIPE = DEPLOY / "envoy" / "envoy.yaml"


def on_loopback(replicas: Sequence[Replica], grpc_port: int, http_port: int) -> dict[str, Any]:
    """The recipe with these replicas behind it, at ports of the test's own."""
    recipe: dict[str, Any] = yaml.safe_load(RECIPE.read_text())
    recipe["admin"]["address"]["socket_address"]["port_value"] = free_port()
    for listener, port in zip(recipe["static_resources"]["listeners"], (grpc_port, http_port), strict=True):
        listener["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": port}
    by_grpc, by_http = recipe["static_resources"]["clusters"]
    for cluster, ends in (
        (by_grpc, [{"address": at(replica.address)} for replica in replicas]),
        (
            by_http,
            [
                {"address": at(replica.http), "health_check_config": {"port_value": int(replica.admin.split(":")[1])}}
                for replica in replicas
            ],
        ),
    ):
        cluster["load_assignment"]["endpoints"][0]["lb_endpoints"] = [{"endpoint": end} for end in ends]
    return recipe


def at(address: str) -> dict[str, Any]:
    """An address as Envoy writes it."""
    host, port = address.split(":")
    return {"socket_address": {"address": host, "port_value": int(port)}}


@contextmanager
def running(program: Path, recipe: dict[str, Any], folder: Path) -> Iterator[None]:
    """Envoy with this recipe, until the block is left."""
    (folder / "envoy.yaml").write_text(yaml.safe_dump(recipe))
    leashed = [sys.executable, "-I", "-S", leash.__file__, str(os.getpid()), str(program)]
    with (folder / "envoy.log").open("wb") as log:
        envoy = subprocess.Popen(
            [*leashed, "--config-path", str(folder / "envoy.yaml"), "--concurrency", "1", "--disable-hot-restart"],
            stdout=log,
            stderr=log,
        )
    try:
        yield
    finally:
        envoy.kill()
        envoy.wait(10)


@pytest.mark.slow
def test_envoy_takes_the_recipe(external_program: Callable[[str], Path]) -> None:
    done = subprocess.run(
        [external_program("envoy"), "--mode", "validate", "--config-path", RECIPE],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_no_call_fails_behind_envoy_while_replicas_are_restarted_one_by_one(
    external_program: Callable[[str], Path], tmp_path: Path
) -> None:
    """The callers know one address only, and nothing of health or retries."""
    program = external_program("envoy")
    port = free_port()
    async with two_replicas(tmp_path, drain_seconds=5) as replicas:
        with running(program, on_loopback(replicas, port, free_port()), tmp_path):
            async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
                await channel.channel_ready()
                async with Callers(channel) as callers:
                    await restart_all(replicas)
                    await restart_all(replicas)
    assert callers.failed == []
    assert callers.answered > 100


class HttpCallers:
    """Threads that make games by REST and by Connect, read them, and hear of their start as an event stream."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._call_on) for _ in range(4)]
        self.failed: list[str] = []
        self.answered = 0

    def __enter__(self) -> HttpCallers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def has_answered(self, number: int) -> bool:
        """Whether so many calls went well by now."""
        return self.answered >= number

    def _call_on(self) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)) as connection:
            self._call_by(connection)

    def _call_by(self, connection: http.client.HTTPConnection) -> None:
        while not self._over.is_set():
            try:
                games = "/v1/scotland-yard/games"
                created = self._call(connection, "POST", games, {"preset": "new", "players": 2})
                game, token = created["game"]["info"]["gameId"], created["invitations"][0]["token"]
                assert self._call(connection, "GET", f"{games}/{game}", token=token)["game"]["info"]["revision"] == 1
                connect = "/whitehall.scotlandyard.v1.ScotlandYardService/GetGame"
                assert self._call(connection, "POST", connect, {"gameId": game}, token)["game"]["info"]["revision"] == 1
                self._hear(f"{games}/{game}/events", token)
                self.answered += 4
            except Exception as error:  # whatever it was, it is a call that has failed
                self.failed.append(f"{type(error).__name__}: {error}")
                connection.close()

    def _call(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: Any = None, token: str = ""
    ) -> Any:
        headers = {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == 200, content
        return json.loads(content)

    def _hear(self, path: str, token: str) -> None:
        """The first line of a stream comes while the stream goes on."""
        stream = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        stream.request("GET", path, headers={"accept": "text/event-stream", "authorization": f"Bearer {token}"})
        answer = stream.getresponse()
        assert answer.status == 200
        assert answer.readline()
        answer.close()
        stream.close()


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_no_call_by_http_fails_behind_envoy_while_replicas_are_restarted_one_by_one(
    external_program: Callable[[str], Path], tmp_path: Path
) -> None:
    """REST, Connect and event streams, on connections that are kept and on new ones."""
    program = external_program("envoy")
    grpc_port, http_port = free_port(), free_port()
    async with two_replicas(tmp_path, drain_seconds=5) as replicas:
        with running(program, on_loopback(replicas, grpc_port, http_port), tmp_path):
            async with grpc.aio.insecure_channel(f"127.0.0.1:{grpc_port}") as channel:
                await channel.channel_ready()
            await asyncio.to_thread(until_healthy, http_port)
            with HttpCallers(http_port) as callers:
                for replica in replicas:
                    await asyncio.to_thread(replica.stop)
                    await replica.start()
                    await until(partial(callers.has_answered, callers.answered + 40), 60)
    assert callers.failed == []
    assert callers.answered > 80


def until_healthy(port: int) -> None:
    """Wait until Envoy has found a replica behind the port."""
    deadline = time.monotonic() + 30
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/v1/scotland-yard/games/none")
        answer = connection.getresponse()
        answer.read()
        connection.close()
        status = answer.status
        if status != 503:
            return
        assert time.monotonic() < deadline
        time.sleep(0.05)  # between two questions; what is waited for is Envoy's own word
