"""The recipe for Envoy, with a real Envoy where there is one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml

from tests.faults.rolling import Callers, restart_all, two_replicas
from tests.faults.service import Replica
from tests.operations.queries import DEPLOY
from tests.sessions.servers import free_port
from whitehall.sessions import leash

RECIPE = DEPLOY / "envoy" / "envoy.yaml"


def on_loopback(replicas: Sequence[Replica], port: int) -> dict[str, Any]:
    """The recipe with these replicas behind it, at a port of the test's own."""
    recipe: dict[str, Any] = yaml.safe_load(RECIPE.read_text())
    recipe["admin"]["address"]["socket_address"]["port_value"] = free_port()
    (listener,) = recipe["static_resources"]["listeners"]
    listener["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": port}
    (cluster,) = recipe["static_resources"]["clusters"]
    places = [replica.address.split(":") for replica in replicas]
    cluster["load_assignment"]["endpoints"][0]["lb_endpoints"] = [
        {"endpoint": {"address": {"socket_address": {"address": host, "port_value": int(number)}}}}
        for host, number in places
    ]
    return recipe


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
        with running(program, on_loopback(replicas, port), tmp_path):
            async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
                await channel.channel_ready()
                async with Callers(channel) as callers:
                    await restart_all(replicas)
                    await restart_all(replicas)
    assert callers.failed == []
    assert callers.answered > 100
