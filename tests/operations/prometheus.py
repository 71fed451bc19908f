"""A real Prometheus beside the service: it scrapes, evaluates the rules, and answers queries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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


class Prometheus:
    """One server in a folder of its own, which looks at one address."""

    def __init__(self, program: Path, folder: Path, target: str) -> None:
        self._address = f"127.0.0.1:{free_port()}"
        self._folder = folder
        config = {
            "global": {"scrape_interval": f"{SCRAPE_SECONDS}s", "evaluation_interval": f"{SCRAPE_SECONDS}s"},
            "rule_files": [str(RULES)],
            "scrape_configs": [{"job_name": "whitehall", "static_configs": [{"targets": [target]}]}],
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
