"""A real Prometheus beside the service: it scrapes, evaluates the rules, and answers queries.

Its rules are those of `deploy/`, or the same in a hurry: with windows and holds cut short, and every limit as it is.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import yaml

from tests.operations.queries import RULES
from tests.sessions.servers import free_port
from whitehall.sessions import leash

SCRAPE_SECONDS = 1
HOLD_SPEED = 300
"""How many times sooner an alert in a hurry fires once its condition holds."""
WINDOW_SPEED = 15
"""How many times shorter the windows are that it looks at. They have to hold several scrapes."""
STARTS_WINDOW_SECONDS = 300
"""What becomes of the quarter of an hour in which starts are counted: as many have to fit in on a busy machine."""


class Prometheus:
    """One server in a folder of its own, which looks at some addresses."""

    def __init__(self, program: Path, folder: Path, *targets: str, hurried: bool = False) -> None:
        folder.mkdir(exist_ok=True)
        self._address = f"127.0.0.1:{free_port()}"
        self._folder = folder
        rules = folder / "rules.yml"
        rules.write_text(in_a_hurry(RULES.read_text()) if hurried else RULES.read_text())
        config = {
            "global": {"scrape_interval": f"{SCRAPE_SECONDS}s", "evaluation_interval": f"{SCRAPE_SECONDS}s"},
            "rule_files": [str(rules)],
            "scrape_configs": [{"job_name": "whitehall", "static_configs": [{"targets": list(targets)}]}],
        }
        (folder / "prometheus.yml").write_text(yaml.safe_dump(config))
        self._command = [
            *(sys.executable, "-I", "-S", leash.__file__, str(os.getpid()), str(program)),
            f"--config.file={folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address={self._address}",
            "--log.level=warn",
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it answers soon."""
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)

    def firing(self) -> set[tuple[str, str]]:
        """The alerts that fire now, by name and severity."""
        found = self.ask('ALERTS{alertstate="firing"}')
        return {(each["metric"]["alertname"], each["metric"]["severity"]) for each in found}

    def history(self, query: str, legend: str, first: float, last: float) -> dict[str, list[tuple[float, float]]]:
        """What a query gave from one time to another, as points by the legend, as Grafana fills it in."""
        asked = urlencode({"query": query, "start": first, "end": last, "step": SCRAPE_SECONDS})
        with urlopen(f"http://{self._address}/api/v1/query_range?{asked}", timeout=10) as answer:
            found = json.loads(answer.read())["data"]["result"]
        return {
            _filled_in(legend, each["metric"]): [(at, float(value)) for at, value in each["values"] if value != "NaN"]
            for each in found
        }

    def ask(self, query: str) -> list[Any]:
        """What a query gives now; nothing where the server does not answer yet. Raises what is wrong with the query."""
        try:
            with urlopen(f"http://{self._address}/api/v1/query?{urlencode({'query': query})}", timeout=10) as answer:
                return list(json.loads(answer.read())["data"]["result"])
        except HTTPError as error:
            if error.code == HTTPStatus.SERVICE_UNAVAILABLE:
                return []
            raise AssertionError(f"{query}: {error.read().decode()}") from error
        except OSError:
            return []


def _filled_in(legend: str, labels: Mapping[str, str]) -> str:
    return re.sub(r"{{(\w+)}}", lambda label: labels.get(label[1], ""), legend)


def in_a_hurry(rules: str) -> str:
    """Rules of which an hour takes minutes. What is compared with which limit stays the same."""
    hold = re.sub(r"(?<=for: )(\d+[smh])", lambda found: f"{_seconds(found[1]) // HOLD_SPEED or 1}s", rules)
    roomy = hold.replace("[15m]", f"[{STARTS_WINDOW_SECONDS * WINDOW_SPEED}s]")
    return re.sub(r"(?<=\[)(\d+[smh])(?=\])", lambda found: f"{max(_seconds(found[1]) // WINDOW_SPEED, 10)}s", roomy)


def _seconds(duration: str) -> int:
    return int(duration[:-1]) * {"s": 1, "m": 60, "h": 3600}[duration[-1]]
