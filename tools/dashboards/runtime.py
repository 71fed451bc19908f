"""The dashboard `runtime`: the processes themselves."""

from __future__ import annotations

from tools.dashboards.panel import Dashboard, Panel
from tools.dashboards.queries import now, quantile, rate

RUNTIME = Dashboard(
    "runtime",
    "Whitehall: runtime",
    "The processes themselves.",
    {
        "Processes": [
            Panel(
                "Processor",
                "Cores in use, by replica.",
                "short",
                {"{{instance}}": rate("process_cpu_seconds_total", "instance")},
            ),
            Panel(
                "Memory",
                "Resident, by replica; all its workers together.",
                "bytes",
                {"{{instance}}": now("process_resident_memory_bytes", by="instance")},
            ),
            Panel("Open files", "By replica.", "short", {"{{instance}}": now("process_open_fds", by="instance")}),
        ],
        "Event loop": [
            Panel(
                "Lag",
                "p99 by replica.",
                "s",
                {"{{instance}}": quantile(0.99, "whitehall_event_loop_lag_seconds", "instance")},
                limit=0.1,
            ),
            Panel(
                "Lag, all of it",
                "Of all replicas.",
                "s",
                {"{{le}}": rate("whitehall_event_loop_lag_seconds_bucket", "le")},
                kind="heatmap",
            ),
            Panel(
                "Collections of garbage",
                "By generation.",
                "ops",
                {"generation {{generation}}": rate("python_gc_collections_total", "generation")},
            ),
        ],
        "Life and death": [
            Panel(
                "Workers",
                "Processes that serve, by replica.",
                "short",
                {"{{instance}}": now("whitehall_workers", by="instance")},
            ),
            Panel(
                "Starts",
                "Of processes within 15 minutes.",
                "short",
                {"starts": now("whitehall:starts:changes15m", "max")},
                limit=2,
            ),
            Panel(
                "Lines of the log that were dropped",
                "Nobody read them fast enough.",
                "ops",
                {"dropped": rate("whitehall_log_lines_dropped_total")},
            ),
        ],
    },
)
