"""The dashboards of `deploy/grafana/dashboards`, as what they show is easier to read here than in their JSON."""
