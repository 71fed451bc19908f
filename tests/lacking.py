"""What a machine lacks: at home the tests that need it are left out by name, and nothing else suffers from it."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def left_out(reason: str) -> NoReturn:
    """Skips the test for this reason. With `CI=true` in the environment it fails: there nothing may be left out."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason}, and in CI no test is left out", pytrace=False)
    pytest.skip(reason)
