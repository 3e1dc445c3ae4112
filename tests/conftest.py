"""Profiles of Hypothesis, the switch for slow tests, and where shared test code is found.

`pytest --slow` (or `-m slow`) also runs the tests marked `slow`; `HYPOTHESIS_PROFILE=thorough`
tries many more random grammars.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Tests share code as `laws.assertions`, whatever the folder pytest is started in.
sys.path.insert(0, str(Path(__file__).parent))

# Random grammars differ widely in cost, so time per example says nothing; what is too slow shows
# in the run time of the suite.
_RELAXED = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much],
}
settings.register_profile("default", max_examples=100, derandomize=True, **_RELAXED)
settings.register_profile("thorough", max_examples=1000, **_RELAXED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow") or "slow" in config.getoption("-m"):
        return
    skip = pytest.mark.skip(reason="slow: run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)
