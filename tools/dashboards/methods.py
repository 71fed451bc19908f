"""The dashboard `methods`: rate, errors and duration of each method."""

from __future__ import annotations

from tools.dashboards.panel import Dashboard, Panel
from tools.dashboards.queries import ERRORS, STREAMS, UNARY, now, quantile, rate

METHODS = Dashboard(
    "methods",
    "Whitehall: methods",
    "Rate, errors and duration of each method.",
    {
        "Unary methods": [
            Panel(
                "Calls",
                "By method.",
                "reqps",
                {"{{grpc_method}}": rate("grpc_server_handled_total", "grpc_method", UNARY)},
            ),
            Panel(
                "Failures on our side",
                "By method and code.",
                "reqps",
                {
                    "{{grpc_method}} {{grpc_code}}": rate(
                        "grpc_server_handled_total", "grpc_method, grpc_code", f'{UNARY}, grpc_code=~"{ERRORS}"'
                    )
                },
            ),
            Panel(
                "Refusals",
                "By method and code. Callers asked for what they may not have, or came too late.",
                "reqps",
                {
                    "{{grpc_method}} {{grpc_code}}": rate(
                        "grpc_server_handled_total",
                        "grpc_method, grpc_code",
                        f'{UNARY}, grpc_code!~"OK|{ERRORS}"',
                    )
                },
            ),
            Panel(
                "p50",
                "Half of the calls take no longer.",
                "s",
                {"{{grpc_method}}": quantile(0.5, "grpc_server_handling_seconds", "grpc_method", UNARY)},
            ),
            Panel(
                "p99",
                "One call in a hundred takes longer.",
                "s",
                {"{{grpc_method}}": quantile(0.99, "grpc_server_handling_seconds", "grpc_method", UNARY)},
                limit=0.25,
            ),
            Panel(
                "Durations",
                "Of all unary calls.",
                "s",
                {"{{le}}": rate("grpc_server_handling_seconds_bucket", "le", UNARY)},
                kind="heatmap",
            ),
        ],
        "Streams": [
            Panel(
                "Open streams",
                "Begun and not ended.",
                "short",
                {
                    "{{grpc_method}}": now("grpc_server_started_total", by="grpc_method", where=STREAMS)
                    + " - "
                    + now("grpc_server_handled_total", by="grpc_method", where=STREAMS)
                },
            ),
            Panel(
                "Streams that begin",
                "By method.",
                "reqps",
                {"{{grpc_method}}": rate("grpc_server_started_total", "grpc_method", STREAMS)},
            ),
            Panel(
                "How streams end",
                "By method and code.",
                "reqps",
                {"{{grpc_method}} {{grpc_code}}": rate("grpc_server_handled_total", "grpc_method, grpc_code", STREAMS)},
            ),
        ],
    },
)
