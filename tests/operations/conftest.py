"""A service for Prometheus to look at."""

from tests.api.conftest import start_service

__all__ = ["start_service"]
