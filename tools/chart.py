"""Makes what the Helm chart says of the service's settings: which there are, what each may be, and the defaults.

- `python -m tools.chart` writes it into the chart;
- `python -m tools.chart --check` compares instead, and ends with exit code 1 and a list when a file differs.

Helm then refuses what the service would refuse, before anything is running.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from whitehall.settings import Settings
from whitehall.settings.values import STORE_OPTIONS

CHART: Final = Path(__file__).resolve().parent.parent / "deploy" / "helm" / "whitehall"

OWN: Final[Mapping[str, str]] = {
    "workers": "workers",
    "drainSeconds": "drain_seconds",
    "graceSeconds": "grace_seconds",
}
"""Values of the chart that are settings, by the chart's own names."""
KEPT_BACK: Final = frozenset(
    {"redis_url", "operator_keys", "token_keys", "durability", "grpc_address", "http_address", "admin_address"}
    | {"tls_certificate", "tls_key", "tls_client_ca", "data_dir", "log_format", *OWN.values()}
)
"""Settings that are not the user's to give by name: the chart gives them itself, or has no use for them."""
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum")


def schema() -> str:
    """The schema of the chart's values: as it stands, with what the settings say."""
    made = json.loads((CHART / "values.schema.json").read_text())
    known = {name: _rule(rule) for name, rule in Settings.model_json_schema()["properties"].items()}
    given = {name: rule for name, rule in known.items() if name not in KEPT_BACK}
    made["properties"]["settings"] = {"type": "object", "additionalProperties": False, "properties": given}
    made["properties"]["redis"]["properties"]["url"]["pattern"] = _url_without_secrets()
    made["properties"] |= {name: known[setting] for name, setting in OWN.items()}
    return json.dumps(made, indent=2) + "\n"


def defaults() -> str:
    """The defaults of the numbers, which the chart compares with what it is given."""
    fields = Settings.model_fields.items()
    numbers = {name: field.default for name, field in fields if type(field.default) in (int, float)}
    return json.dumps(numbers, indent=2) + "\n"


def files() -> dict[Path, str]:
    """Everything that is made, by its path."""
    return {CHART / "values.schema.json": schema(), CHART / "files" / "defaults.json": defaults()}


def _url_without_secrets() -> str:
    """What the store's URL may be where everybody can read it: without a password before an `@` or behind the `?`,
    where only the options of TLS are let through.
    """
    option = rf"({'|'.join(sorted(STORE_OPTIONS['rediss']))})=[^@&\s]*"
    return rf"^$|^rediss?(\+(sentinel|cluster))?://[^@?\s]+(\?{option}(&{option})*)?$"


def _rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """What one setting may be. Lists and paths are texts there, as in the environment."""
    kind = rule.get("type", "string")
    return {"type": "string" if kind == "array" else kind} | {name: rule[name] for name in _BOUNDS if name in rule}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Make what the chart says of the settings.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    differing = [path for path, text in files().items() if not path.exists() or path.read_text() != text]
    if check and differing:
        sys.exit("\n".join(f"{path} is not as it would be made; run make generate." for path in differing))
    for path in differing:
        path.write_text(files()[path])


if __name__ == "__main__":
    main()
