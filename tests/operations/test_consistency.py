"""Dashboards, alerts and runbooks agree with each other and with what the service exports."""

from __future__ import annotations

import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from prometheus_client import CollectorRegistry

from tests.operations.queries import DEPLOY, RUNBOOKS, alerts, compared, panels, records
from whitehall.sessions.refusal import Reason
from whitehall.telemetry.metrics import CODES, Metrics

OF_THE_SCRAPE = {"up", "job", "instance", "le"}
OF_LIBRARIES = {
    "process_cpu_seconds_total",
    "process_open_fds",
    "process_resident_memory_bytes",
    "process_start_time_seconds",
    "python_gc_collections_total",
}
"""Of those that the library adds: the ones that we look at. That they are there the test with Prometheus shows."""


def exported() -> set[str]:
    """Every name by which a query may ask for a metric."""
    names = set(OF_LIBRARIES)
    for each in Metrics(CollectorRegistry()).described:
        if each.kind == "histogram":
            names |= {f"{each.name}_{part}" for part in ("bucket", "sum", "count")}
        else:
            names.add(each.name)
    return names


def test_every_metric_that_a_panel_or_a_rule_asks_for_is_exported() -> None:
    recorded = {query.where for query in records()}
    for query in [*panels(), *records(), *(part for alert in alerts() for part in compared(alert))]:
        assert query.metrics or "up{" in query.text, query
        assert query.metrics <= exported() | recorded, query


def test_every_label_that_they_name_is_one_of_ours_or_of_the_scrape() -> None:
    ours = {label for each in Metrics(CollectorRegistry()).described for label in each.labels}
    for query in [*panels(), *records()]:
        assert query.labels <= ours | OF_THE_SCRAPE | {"generation"}, query


def test_every_metric_of_ours_is_looked_at_somewhere() -> None:
    asked = " ".join(query.text for query in [*panels(), *records()])
    for each in Metrics(CollectorRegistry()).described:
        assert each.name in asked, f"{each.name} is on no dashboard and in no rule"


def test_every_recorded_number_is_used() -> None:
    used = " ".join([*(query.text for query in panels()), *(alert["expr"] for alert in alerts())])
    for query in records():
        assert query.where in used, query.where


def test_every_alert_comes_as_a_warning_and_as_critical_one_and_leads_to_its_runbook() -> None:
    severities = defaultdict(list)
    index = (RUNBOOKS / "README.md").read_text()
    for alert in alerts():
        severities[alert["alert"]].append(alert["labels"]["severity"])
        assert alert["annotations"]["summary"]
        runbook = RUNBOOKS.parents[1] / alert["annotations"]["runbook"]
        assert runbook.read_text().startswith(f"# {alert['alert']}\n")
        assert f"| `{alert['alert']}` |" in index
        assert f"]({runbook.name}) |" in index
        assert compared(alert), alert["expr"]
    assert all(sorted(pair) == ["critical", "warning"] for pair in severities.values()), severities
    assert {page.name for page in RUNBOOKS.glob("*.md")} - {"README.md"} == {
        Path(alert["annotations"]["runbook"]).name for alert in alerts()
    }


def test_the_reasons_and_codes_that_runbooks_name_are_known() -> None:
    known = {reason.value for reason in Reason} | set(CODES) | {"BGSAVE", "CLUSTER NODES", "SLOWLOG GET"}
    for page in RUNBOOKS.glob("*.md"):
        for name in re.findall(r"`([A-Z][A-Z_ ]+)`", page.read_text()):
            assert name in known, f"{name} in {page.name}"


@pytest.mark.parametrize("name", ["overview", "methods", "store", "games", "runtime"])
def test_a_dashboard_is_whole(name: str) -> None:
    """Ids are unique, panels do not overlap, everything has a title and a sentence."""
    page = json.loads((DEPLOY / "grafana" / "dashboards" / f"{name}.json").read_text())
    assert page["uid"] == f"whitehall-{name}"
    ids = [panel["id"] for panel in page["panels"]]
    assert len(ids) == len(set(ids))
    taken: set[tuple[int, int]] = set()
    for panel in page["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert place["x"] + place["w"] <= 24
        assert not cells & taken, panel["title"]
        taken |= cells
        assert panel["type"] == "row" or (panel["title"] and panel["description"] and panel["targets"])


def test_what_provisions_grafana_names_the_folder_and_the_source_that_are_there() -> None:
    provisioning = DEPLOY / "grafana" / "provisioning"
    (provider,) = yaml.safe_load((provisioning / "dashboards" / "whitehall.yaml").read_text())["providers"]
    (source,) = yaml.safe_load((provisioning / "datasources" / "prometheus.yaml").read_text())["datasources"]
    assert provider["type"] == "file"
    assert source["type"] == "prometheus"


def test_the_rules_pass_their_unit_tests(external_program: Callable[[str], Path]) -> None:
    tests = DEPLOY / "prometheus" / "tests" / "whitehall.yaml"
    ended = subprocess.run(
        [external_program("promtool"), "test", "rules", tests], capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_each_alert_is_seen_to_fire_by_a_unit_test() -> None:
    tests = yaml.safe_load((DEPLOY / "prometheus" / "tests" / "whitehall.yaml").read_text())["tests"]
    fired = {
        (test["alertname"], expected["exp_labels"]["severity"])
        for each in tests
        for test in each.get("alert_rule_test", ())
        for expected in test["exp_alerts"]
    }
    assert fired == {(alert["alert"], alert["labels"]["severity"]) for alert in alerts()}
