"""The dashboard `games`: what is played."""

from __future__ import annotations

from tools.dashboards.panel import Dashboard, Panel
from tools.dashboards.queries import now, quantile, rate

GAMES = Dashboard(
    "games",
    "Whitehall: games",
    "What is played.",
    {
        "Games": [
            Panel("Games made", "By game.", "ops", {"{{game}}": rate("whitehall_games_created_total", "game")}),
            Panel(
                "Games ended",
                "By the rule that ended them.",
                "ops",
                {"{{game}} {{ended_by}}": rate("whitehall_games_finished_total", "game, ended_by")},
            ),
            Panel(
                "Watchers",
                "Streams that follow a game, by game.",
                "short",
                {"{{game}}": now("whitehall_watchers", by="game")},
            ),
        ],
        "Moves": [
            Panel("Moves played", "By game.", "ops", {"{{game}}": rate("whitehall_moves_accepted_total", "game")}),
            Panel(
                "Moves refused",
                "By rule. One that stands out is a frontend that lets its people try what can't be.",
                "ops",
                {"{{game}} {{rule}}": rate("whitehall_moves_refused_total", "game, rule")},
            ),
            Panel(
                "Refused as a share of all",
                "By game.",
                "percentunit",
                {
                    "{{game}}": rate("whitehall_moves_refused_total", "game")
                    + " / ("
                    + rate("whitehall_moves_refused_total", "game")
                    + " + "
                    + rate("whitehall_moves_accepted_total", "game")
                    + ")"
                },
            ),
        ],
        "Deductions": [
            Panel(
                "How long deductions take",
                "p99 by game.",
                "s",
                {"{{game}}": quantile(0.99, "whitehall_deduction_seconds", "game")},
                limit=1,
            ),
            Panel(
                "What they leave possible",
                "Stations, or solutions: the median by game.",
                "short",
                {"{{game}}": quantile(0.5, "whitehall_deduction_possibilities", "game")},
            ),
            Panel(
                "Long answers under way",
                "In threads of their own or waiting for one, by replica.",
                "short",
                {"{{instance}}": now("whitehall_long_answers", by="instance")},
            ),
            Panel(
                "Long answers refused",
                "No place was free for them, by replica.",
                "ops",
                {"{{instance}}": rate("whitehall_long_answers_refused_total", "instance")},
            ),
        ],
    },
)
