"""The dashboard `overview`: whether callers get what they came for."""

from __future__ import annotations

from tools.dashboards.panel import Dashboard, Panel
from tools.dashboards.queries import ERRORS, UNARY, now, quantiles, rate

OVERVIEW = Dashboard(
    "overview",
    "Whitehall: overview",
    "Whether callers get what they came for, and what to look at where they do not.",
    {
        "Goals": [
            Panel(
                "Calls that do not fail on our side",
                "The goal is 99.9 % over 30 days. Refusals of what a caller asked for are no failures.",
                "percentunit",
                {
                    "the last hour": f"1 - {now('whitehall:call_errors:ratio_rate1h', 'avg')}",
                    "the last 6 hours": f"1 - {now('whitehall:call_errors:ratio_rate6h', 'avg')}",
                },
                kind="stat",
            ),
            Panel(
                "Calls answered within 250 ms",
                "The goal is 99 %. Streams and deductions are not among them.",
                "percentunit",
                {
                    "within 250 ms": rate(
                        "grpc_server_handling_seconds_bucket",
                        where=f'{UNARY}, grpc_method!~".*Deductions|.*Possible.*", le="0.25"',
                    )
                    + " / "
                    + rate(
                        "grpc_server_handling_seconds_count",
                        where=f'{UNARY}, grpc_method!~".*Deductions|.*Possible.*"',
                    )
                },
                kind="stat",
            ),
            Panel(
                "Replicas that take calls",
                "Of those that are scraped.",
                "short",
                {"ready": now("whitehall_ready"), "scraped": now("whitehall_ready", "count")},
                kind="stat",
            ),
            Panel(
                "Watchers", "Streams that follow a game.", "short", {"watchers": now("whitehall_watchers")}, kind="stat"
            ),
        ],
        "Calls": [
            Panel("Calls", "By door.", "reqps", {"{{transport}}": rate("grpc_server_handled_total", "transport")}),
            Panel(
                "Failures on our side",
                "As a share of all calls, by code.",
                "percentunit",
                {
                    "{{grpc_code}}": rate("grpc_server_handled_total", "grpc_code", f'grpc_code=~"{ERRORS}"')
                    + " / ignoring(grpc_code) group_left "
                    + rate("grpc_server_handled_total")
                },
                limit=0.001,
            ),
            Panel(
                "How long calls take",
                "Those with one answer.",
                "s",
                quantiles("grpc_server_handling_seconds", UNARY),
                limit=0.25,
            ),
        ],
        "Behind them": [
            Panel(
                "The store", "How long what is asked of it takes.", "s", quantiles("whitehall_store_operation_seconds")
            ),
            Panel(
                "The event loop",
                "How much later than due it comes to things.",
                "s",
                quantiles("whitehall_event_loop_lag_seconds"),
                limit=0.1,
            ),
            Panel(
                "Versions",
                "What runs, by version.",
                "short",
                {"{{version}}, Python {{python}}": now("whitehall_build_info", "count", "version, python")},
            ),
        ],
    },
)
