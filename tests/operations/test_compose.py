"""Compose, Dockerfile and the recipes beside them, as far as they can be looked at without a container engine."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.operations.dockerfile import Dockerfile
from tests.operations.queries import DEPLOY
from whitehall.settings import Settings
from whitehall.workers.supervisor import MARGIN_SECONDS

SECRETS = {"WHITEHALL_OPERATOR_KEYS": "me:a-secret-of-16-or-more"}

SPARE_SECONDS = 10
"""For the end of the supervisor and of an embedded store after the last worker's."""


@pytest.fixture
def services() -> dict[str, Any]:
    """The services of compose by name."""
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"])


def test_every_file_that_compose_mounts_or_builds_from_is_there(services: dict[str, Any]) -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for service in services.values():
        for mount in service.get("volumes", ()):
            source = mount.split(":")[0]
            if source.startswith("."):
                assert (DEPLOY / source).exists(), mount
                assert mount.endswith(":ro"), mount
            else:
                assert source in composed["volumes"]
    build = services["whitehall"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).exists()


def test_the_service_takes_the_settings_that_it_is_given_there(services: dict[str, Any]) -> None:
    image = Dockerfile.read(DEPLOY / "Dockerfile")
    composed = services["whitehall"]["environment"]
    assert ":?" in composed["WHITEHALL_OPERATOR_KEYS"], "it does not start with a secret that everybody knows"
    ours = {name: value for name, value in {**image.environment, **composed}.items() if name.startswith("WHITEHALL_")}
    settings = Settings.load({}, ours | SECRETS)
    grace = int(services["whitehall"]["stop_grace_period"].removesuffix("s"))
    assert settings.drain_seconds + settings.grace_seconds + MARGIN_SECONDS + SPARE_SECONDS <= grace
    assert settings.durability == "aof"
    command = " ".join(services["redis"]["command"])
    assert "--appendonly yes --appendfsync always" in command
    assert "--maxmemory-policy noeviction" in command


def test_containers_of_the_service_may_do_no_more_than_they_need(services: dict[str, Any]) -> None:
    whitehall = services["whitehall"]
    assert whitehall["read_only"] is True
    assert whitehall["cap_drop"] == ["ALL"]
    assert whitehall["security_opt"] == ["no-new-privileges:true"]
    assert whitehall["user"] == Dockerfile.read(DEPLOY / "Dockerfile").user != "0:0"
    assert whitehall["deploy"]["replicas"] == 2
    assert "update_config" not in whitehall["deploy"], "only a swarm heeds it"
    for service in services.values():
        for port in service.get("ports", ()):
            assert port.startswith("127.0.0.1:"), "nothing is offered to the network unasked"


def test_the_image_names_no_latest_and_copies_only_what_is_let_through() -> None:
    image = Dockerfile.read(DEPLOY / "Dockerfile")
    let_through = {
        line[1:] for line in (DEPLOY.parent / ".dockerignore").read_text().splitlines() if line.startswith("!")
    }
    assert set(image.copied) <= let_through
    assert all((DEPLOY.parent / name).exists() for name in let_through)
    assert image.health[:2] == ["whitehall", "health"]
    for base in image.bases:
        assert re.search(r":\S+$", base), base
        assert not base.endswith(":latest")


def test_prometheus_takes_the_file_of_compose(external_program: Callable[[str], Path]) -> None:
    file = DEPLOY / "prometheus" / "prometheus.yaml"
    ended = subprocess.run(
        [external_program("promtool"), "check", "config", file], capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_envoy_looks_for_the_service_where_compose_has_it(services: dict[str, Any]) -> None:
    recipe = yaml.safe_load((DEPLOY / "envoy" / "envoy.yaml").read_text())["static_resources"]
    image = Dockerfile.read(DEPLOY / "Dockerfile").environment
    for name, cluster in zip(("GRPC", "HTTP"), recipe["clusters"], strict=True):
        (endpoint,) = cluster["load_assignment"]["endpoints"][0]["lb_endpoints"]
        address = endpoint["endpoint"]["address"]["socket_address"]
        assert address["address"] in services
        assert image[f"WHITEHALL_{name}_ADDRESS"].endswith(f":{address['port_value']}")
        if "health_check_config" in endpoint["endpoint"]:
            health = endpoint["endpoint"]["health_check_config"]["port_value"]
            assert image["WHITEHALL_ADMIN_ADDRESS"].endswith(f":{health}")
    ports = [listener["address"]["socket_address"]["port_value"] for listener in recipe["listeners"]]
    assert services["envoy"]["ports"] == [f"127.0.0.1:{port}:{port}" for port in ports]
