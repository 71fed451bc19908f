"""`whitehall health`: what a container's health check asks."""

from __future__ import annotations

import asyncio

from click.testing import CliRunner, Result
from prometheus_client import CollectorRegistry

from tests.sessions.servers import free_port
from whitehall.cli import main
from whitehall.telemetry.admin import AdminServer
from whitehall.telemetry.health import CheckFailed, Health
from whitehall.telemetry.metrics import Metrics


def health(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["health", *arguments])


async def asked(store_answers: bool, *arguments: str) -> Result:
    """The command's end, beside a service whose store answers or does not."""

    async def check() -> None:
        if not store_answers:
            raise CheckFailed("the store can't be reached")

    checks = Health({"store": check})
    await checks.check()
    async with AdminServer("127.0.0.1:0", Metrics(CollectorRegistry()), checks) as address:
        port = address.rpartition(":")[2]
        return await asyncio.to_thread(health, "--admin-address", f"0.0.0.0:{port}", *arguments)


async def test_a_service_that_takes_calls_is_well() -> None:
    result = await asked(True)
    assert (result.exit_code, result.output) == (0, "ready\n")


async def test_one_that_does_not_is_not_and_says_why() -> None:
    result = await asked(False)
    assert result.exit_code == 1
    assert "store: the store can't be reached" in result.output


async def test_one_that_only_lacks_its_store_is_alive() -> None:
    assert (await asked(False, "--live")).exit_code == 0


def test_where_nobody_listens_nobody_is_well() -> None:
    result = health("--admin-address", f"127.0.0.1:{free_port()}")
    assert result.exit_code == 1
    assert "nobody answers" in result.output
