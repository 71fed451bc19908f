"""The dashboard `store`: what is asked of Redis or Valkey."""

from __future__ import annotations

from tools.dashboards.panel import Dashboard, Panel
from tools.dashboards.queries import now, quantile, rate

STORE = Dashboard(
    "store",
    "Whitehall: store",
    "What is asked of Redis or Valkey, and how it answers.",
    {
        "Operations": [
            Panel(
                "Operations",
                "By kind.",
                "ops",
                {"{{operation}}": rate("whitehall_store_operation_seconds_count", "operation")},
            ),
            Panel(
                "p99 of operations",
                "By kind; those that were answered.",
                "s",
                {"{{operation}}": quantile(0.99, "whitehall_store_operation_seconds", "operation", 'outcome="ok"')},
                limit=0.05,
            ),
            Panel(
                "Failures",
                "What got no answer in time, or a fault.",
                "ops",
                {
                    "{{operation}} {{outcome}}": rate(
                        "whitehall_store_operation_seconds_count",
                        "operation, outcome",
                        'outcome=~"unavailable|fault"',
                    )
                },
            ),
        ],
        "Who was first": [
            Panel(
                "Conflicts",
                "Writes that others were faster than.",
                "ops",
                {"conflicts": rate("whitehall_store_conflicts_total")},
            ),
            Panel(
                "Conflicts as a share of writes",
                "Each is judged again, which costs a round trip and the rules.",
                "percentunit",
                {"conflicts": now("whitehall:store_conflicts:ratio_rate5m", "avg")},
                limit=0.2,
            ),
            Panel(
                "Duplicates",
                "Repeated requests, answered from the first one's result.",
                "ops",
                {"duplicates": rate("whitehall_duplicate_requests_total")},
            ),
        ],
        "Connections": [
            Panel(
                "Calls under way",
                "By replica, and how many there may be.",
                "short",
                {
                    "{{instance}}": now("whitehall_store_calls", by="instance"),
                    "limit": now("whitehall_store_connections", "max"),
                },
            ),
            Panel(
                "Calls that wait",
                "For a connection, by replica.",
                "short",
                {"{{instance}}": now("whitehall_store_calls_waiting", by="instance")},
            ),
            Panel(
                "Connections made and attempts repeated",
                "Both are near nothing where nothing is wrong.",
                "ops",
                {
                    "connections": rate("whitehall_store_connects_total"),
                    "repeated": rate("whitehall_store_repeats_total"),
                },
            ),
        ],
    },
)
