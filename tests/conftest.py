"""Profiles of Hypothesis, the option for slow tests, and fixtures that all tests share.

`pytest --slow` (or `-m slow`) also runs the tests marked `slow`, and Hypothesis then tries 100
examples instead of 40; `HYPOTHESIS_PROFILE=thorough` tries many more.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from typer.main import get_command

# Tests share code as `laws.assertions`, whatever the folder pytest is started in.
sys.path.insert(0, str(Path(__file__).parent))

# The workers of xdist already use all cores, so more threads would only wait for each other. NumPy
# and PyTorch read this variable when they are first imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Byte code is cached, since a run starts a hundred processes.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell starts background jobs with Ctrl-C ignored, and processes that tests start inherit that.
if (
    threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

PAGE = Path(__file__).parent / "page"

# The cost of random grammars varies widely, so there is no deadline per example; the run time of
# the suite shows what is too slow.
_RELAXED = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much],
}
settings.register_profile("default", max_examples=40, derandomize=True, **_RELAXED)
settings.register_profile("slow", max_examples=100, derandomize=True, **_RELAXED)
settings.register_profile("thorough", max_examples=1000, **_RELAXED)


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One cache for all workers of a run, separate from the user's."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAMMAX_CACHE", str(folder / "cache"))
        # Compiling takes a minute; tests of compiled code ask for it.
        patch.setenv("GRAMMAX_COMPILED", "no")
        yield


@pytest.fixture(scope="session", autouse=True)
def _commands() -> Iterator[None]:
    """Build the tree of commands once, not for each of a thousand invocations: it takes 30 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(get_command))
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow, too")


def pytest_configure(config: pytest.Config) -> None:
    usual = "slow" if _slow(config) else "default"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", usual))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Playwright keeps an event loop running in its process, where others cannot run one any more.
    items.sort(key=lambda item: PAGE in item.path.parents)
    if _slow(config):
        return
    skip = pytest.mark.skip(reason="slow: run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


def _slow(config: pytest.Config) -> bool:
    markers = config.getoption("-m")
    return config.getoption("--slow") or ("slow" in markers and "not slow" not in markers)
