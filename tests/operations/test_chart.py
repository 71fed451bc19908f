"""The Helm chart: what it renders is what the cluster's restricted profile and the service itself ask for.

Helm is asked where it is installed; the file of values is checked without it too.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.operations.queries import DEPLOY, rules
from tools import chart
from whitehall import __version__
from whitehall.settings import Settings
from whitehall.workers.supervisor import MARGIN_SECONDS

CHART = DEPLOY / "helm" / "whitehall"
GIVEN = ("redis.url=redis://redis:6379/0", "keys.existingSecret=keys")
KUBERNETES = "1.31.0"

Helm = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def helm(external_program: Callable[[str], Path]) -> Helm:
    """`helm("lint", "a=1")` runs a command of Helm on the chart with these values."""
    program = external_program("helm")

    def run(command: str, *values: str) -> subprocess.CompletedProcess[str]:
        names = [CHART] if command == "lint" else ["release", CHART]
        # Values as Helm's own flag takes them, or the path of a file of them.
        settings = [flag for value in values for flag in (("--set", value) if "=" in value else ("--values", value))]
        return subprocess.run(
            [program, command, *names, "--kube-version", KUBERNETES, *settings],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    return run


def rendered(helm: Helm, *values: str) -> dict[tuple[str, str], Any]:
    """What the chart makes, by kind and name."""
    done = helm("template", *GIVEN, *values)
    assert done.returncode == 0, done.stderr
    return {(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(done.stdout) if each}


def test_every_value_has_a_place_in_the_schema_and_the_other_way_round() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    schema = json.loads((CHART / "values.schema.json").read_text())

    def compare(values: Any, schema: Any, path: str) -> None:
        known = schema.get("properties")
        if not isinstance(values, dict) or known is None or path == "values.settings":
            return
        assert values.keys() == known.keys() - {"global"}, path
        for name, value in values.items():
            compare(value, known[name], f"{path}.{name}")

    compare(values, schema, "values")
    assert schema["properties"]["settings"]["properties"].keys() == Settings.model_fields.keys() - chart.KEPT_BACK


@pytest.mark.parametrize("path", chart.files(), ids=lambda path: path.name)
def test_what_the_chart_says_of_the_settings_is_as_it_would_be_made_now(path: Path) -> None:
    assert path.read_text() == chart.files()[path]


def test_the_chart_is_of_the_version_of_the_service() -> None:
    assert yaml.safe_load((CHART / "Chart.yaml").read_text())["appVersion"] == __version__


@pytest.mark.slow
def test_helm_finds_nothing_wrong(helm: Helm) -> None:
    done = helm("lint", *GIVEN)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[WARNING]" not in done.stdout


@pytest.mark.slow
def test_pods_are_as_the_restricted_profile_demands_and_are_probed_apart(helm: Helm) -> None:
    deployment = rendered(helm, "workers=2", "settings.max_streams=5000")["Deployment", "release-whitehall"]
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["automountServiceAccountToken"] is False
    assert container["livenessProbe"]["httpGet"]["path"] == "/livez"
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert deployment["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert deployment["spec"]["minReadySeconds"] >= 5
    environment = {entry["name"]: entry.get("value") for entry in container["env"]}
    # The service takes what the chart gives it, and stops in less time than the cluster gives it.
    secrets = {"WHITEHALL_OPERATOR_KEYS": "me:a-secret-of-16-or-more", "WHITEHALL_TOKEN_KEYS": "ab" * 32}
    settings = Settings.load({}, {name: secrets.get(name) or value for name, value in environment.items()})
    assert settings.workers == 2
    assert settings.max_streams == 5000
    longest = settings.drain_seconds + settings.grace_seconds + MARGIN_SECONDS
    assert longest + 10 <= pod["terminationGracePeriodSeconds"]


@pytest.mark.slow
def test_numbers_of_a_file_of_values_reach_the_service_as_they_were_written(helm: Helm, tmp_path: Path) -> None:
    """Helm makes floats of all numbers of a file, and writes large floats with an exponent."""
    numbers = {
        "max_message_bytes": 1_048_576,
        "cache_games": 2_500_000,
        "stream_minutes": 7.5,
        "heartbeat_seconds": 0.00001,
    }
    file = tmp_path / "values.yaml"
    file.write_text(yaml.safe_dump({"settings": numbers, "drainSeconds": 2.5, "graceSeconds": 20, "workers": 3}))
    deployment = rendered(helm, str(file))["Deployment", "release-whitehall"]
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    wanted = numbers | {"drain_seconds": 2.5, "grace_seconds": 20, "workers": 3}
    given = {entry["name"].removeprefix("WHITEHALL_").lower(): entry.get("value") for entry in container["env"]}
    settings = Settings.load({name: given[name] for name in wanted}, {})
    assert {name: getattr(settings, name) for name in wanted} == wanted


@pytest.mark.slow
def test_certificates_are_those_of_a_secret_that_is_mounted(helm: Helm) -> None:
    deployment = rendered(helm, "tls.existingSecret=papers", "tls.mutual=true")["Deployment", "release-whitehall"]
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    (volume,) = pod["volumes"]
    assert volume["secret"]["secretName"] == "papers"
    (mount,) = container["volumeMounts"]
    assert (mount["name"], mount["readOnly"]) == (volume["name"], True)
    environment = {entry["name"]: entry.get("value") for entry in container["env"]}
    # The names that a secret of the type kubernetes.io/tls has.
    files = {
        "WHITEHALL_TLS_CERTIFICATE": "tls.crt",
        "WHITEHALL_TLS_KEY": "tls.key",
        "WHITEHALL_TLS_CLIENT_CA": "ca.crt",
    }
    assert {name: environment[name] for name in files} == {
        name: f"{mount['mountPath']}/{file}" for name, file in files.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "grpc", "http"),
    [((), "kubernetes.io/h2c", "http"), (("tls.existingSecret=papers",), "https", "https")],
    ids=["in clear", "with TLS"],
)
def test_proxies_are_told_what_the_ports_speak(helm: Helm, values: tuple[str, ...], grpc: str, http: str) -> None:
    made = rendered(helm, *values)
    spoken = {
        (name, port["name"]): port.get("appProtocol")
        for name in ("release-whitehall", "release-whitehall-headless")
        for port in made["Service", name]["spec"]["ports"]
    }
    assert spoken == {
        ("release-whitehall", "grpc"): grpc,
        ("release-whitehall", "http"): http,
        ("release-whitehall-headless", "grpc"): grpc,
        ("release-whitehall-headless", "metrics"): None,
    }


@pytest.mark.slow
@pytest.mark.parametrize("tls", [False, True], ids=["in clear", "with TLS"])
def test_files_that_settings_name_come_from_volumes_of_the_operators_own(
    helm: Helm, tmp_path: Path, *, tls: bool
) -> None:
    volume = {"name": "boards", "configMap": {"name": "our-boards"}}
    mount = {"name": "boards", "mountPath": "/boards", "readOnly": True}
    file = tmp_path / "values.yaml"
    file.write_text(
        yaml.safe_dump(
            {
                "settings": {"boards_dir": "/boards"},
                "tls": {"existingSecret": "papers" if tls else ""},
                "extraVolumes": [volume],
                "extraVolumeMounts": [mount],
            }
        )
    )
    pod = rendered(helm, str(file))["Deployment", "release-whitehall"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    papers = ["tls"] if tls else []
    assert [each["name"] for each in pod["volumes"]] == [*papers, "boards"]
    assert [each["name"] for each in container["volumeMounts"]] == [*papers, "boards"]
    assert (pod["volumes"][-1], container["volumeMounts"][-1]) == (volume, mount)


STORES_IN_CLEAR = (
    "redis://redis:6379/0",
    "rediss://redis:6379?ssl_ca_certs=/etc/redis/ca.crt&ssl_check_hostname=true",
    "redis+sentinel://s1:26379,s2:26379/games/1",
    "rediss+cluster://n1:6379,n2:6379?ssl_ca_certs=/etc/redis/ca.crt",
)
STORES_WITH_SECRETS = (
    "redis://user:secret@redis:6379/0",
    "redis://:secret@redis:6379/0",
    "redis+sentinel://s1/games?sentinel_password=x",
    "redis+sentinel://s1/games?sentinel%5Fpassword=x",
    "redis+sentinel://s1/games?sentinel_user=me&sentinel_password=x",
    "rediss+sentinel://s1/games?ssl_ca_certs=/ca.crt&sentinel_password=x",
    "redis://redis?password=x",
)


def test_a_url_of_the_store_in_clear_holds_no_secret() -> None:
    """Neither before an `@` nor behind the `?`. What is let through the service takes."""
    schema = json.loads((CHART / "values.schema.json").read_text())
    pattern = re.compile(schema["properties"]["redis"]["properties"]["url"]["pattern"])
    for url in STORES_IN_CLEAR:
        assert pattern.search(url), url
        Settings.load({"redis_url": url}, {"WHITEHALL_OPERATOR_KEYS": "me:a-secret-of-16-or-more"})
    assert [url for url in STORES_WITH_SECRETS if pattern.search(url)] == []


@pytest.mark.slow
def test_all_parts_are_there_and_select_the_pods(helm: Helm) -> None:
    made = rendered(helm, "metrics.serviceMonitor.enabled=true", "metrics.rules.enabled=true")
    assert {kind for kind, _ in made} == {
        "Deployment",
        "HorizontalPodAutoscaler",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "PrometheusRule",
        "Service",
        "ServiceAccount",
        "ServiceMonitor",
    }
    labels = made["Deployment", "release-whitehall"]["spec"]["template"]["metadata"]["labels"]
    for selector in (
        made["Service", "release-whitehall"]["spec"]["selector"],
        made["Service", "release-whitehall-headless"]["spec"]["selector"],
        made["PodDisruptionBudget", "release-whitehall"]["spec"]["selector"]["matchLabels"],
        made["NetworkPolicy", "release-whitehall"]["spec"]["podSelector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()
    headless = made["Service", "release-whitehall-headless"]
    monitor = made["ServiceMonitor", "release-whitehall"]["spec"]
    assert monitor["selector"]["matchLabels"].items() <= headless["metadata"]["labels"].items()
    assert monitor["endpoints"][0]["port"] in {port["name"] for port in headless["spec"]["ports"]}
    (records, alerts) = made["PrometheusRule", "release-whitehall"]["spec"]["groups"]
    assert [*records["rules"], *alerts["rules"]] == rules()


@pytest.mark.slow
@pytest.mark.parametrize(
    "values",
    [
        (),
        ("redis.url=redis://redis:6379/0",),
        ("redis.url=redis://user:secret@redis:6379/0", "keys.existingSecret=keys"),
        ("redis.url=redis+sentinel://s1/games?sentinel_password=x", "keys.existingSecret=keys"),
        (*GIVEN, "extraVolumes[0].name=tls"),
        (*GIVEN, "extraVolumeMounts[0].name=boards"),
        ("redis.url=redis://redis", "redis.existingSecret=redis", "keys.existingSecret=keys"),
        (*GIVEN, "replica=3"),
        (*GIVEN, "settings.redis_url=redis://elsewhere"),
        (*GIVEN, "settings.grcp_address=1"),
        (*GIVEN, "settings.max_strems=5"),
        (*GIVEN, "settings.max_streams=0"),
        (*GIVEN, "settings.max_streams=many"),
        (*GIVEN, "settings.max_streams=64"),
        (*GIVEN, "settings.log_level=loud"),
        (*GIVEN, "settings.stream_minutes=0.1"),
        (*GIVEN, "graceSeconds=5"),
        (*GIVEN, "settings.default_deadline_seconds=15"),
        (*GIVEN, "workers=65"),
        (*GIVEN, "autoscaling.minReplicas=11"),
    ],
)
def test_values_that_can_not_be_are_refused(helm: Helm, values: tuple[str, ...]) -> None:
    done = helm("template", *values)
    assert done.returncode != 0
    assert "whitehall" in done.stderr
