"""Pictures of the dashboards' main panels, drawn from what their queries gave in a real run."""
