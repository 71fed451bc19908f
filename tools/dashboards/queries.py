"""The queries that panels have in common."""

from __future__ import annotations

from whitehall.telemetry.log import SERIOUS

ERRORS = "|".join(SERIOUS)
"""The codes that are no caller's fault."""

UNARY = 'grpc_type="unary"'
STREAMS = 'grpc_type!="unary"'


def rate(metric: str, by: str = "", where: str = "") -> str:
    """How often something happens a second, over all replicas."""
    return f"sum{_by(by)} (rate({metric}{_selector(where)}[$__rate_interval]))"


def quantile(share: float, histogram: str, by: str = "", where: str = "") -> str:
    """The value that this share of all cases stays below."""
    labels = ", ".join(label for label in (by, "le") if label)
    return f"histogram_quantile({share}, {rate(f'{histogram}_bucket', labels, where)})"


def now(metric: str, how: str = "sum", by: str = "", where: str = "") -> str:
    """What is so at this moment."""
    return f"{how}{_by(by)} ({metric}{_selector(where)})"


def _by(labels: str) -> str:
    return f" by ({labels})" if labels else ""


def _selector(where: str) -> str:
    return f'{{job=~"$job"{", " if where else ""}{where}}}'


def quantiles(histogram: str, where: str = "") -> dict[str, str]:
    """The usual three."""
    return {f"p{share * 100:g}": quantile(share, histogram, where=where) for share in (0.5, 0.9, 0.99)}
