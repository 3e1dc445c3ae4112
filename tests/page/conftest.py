"""A service on a free port of loopback, Debian's Chromium, and a page that notes what goes wrong.

`GRAMMAX_PAGE=http://127.0.0.1:8000/` tests a service that is running already. Screenshots are kept
in `build/screenshots/`.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[2]
SCREENSHOTS = REPOSITORY / "build" / "screenshots"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
DESKTOP = {"width": 1200, "height": 800}
PATIENCE_S = 90  # the first start of all prepares the model


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; a test that needs it is skipped where it is not installed."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as started:
        yield started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture(scope="session")
def address(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the page is."""
    pytest.importorskip("starlette", reason="Starlette is not installed")
    running = os.environ.get("GRAMMAX_PAGE")
    if running:
        yield running
        return
    with serving(tmp_path_factory.mktemp("service")) as found:
        yield found


@pytest.fixture(scope="session")
def complaints() -> list[str]:
    """What the browser complained of in the test that runs, and requests to other addresses."""
    return []


@pytest.fixture
def wrong(complaints: list[str]) -> Iterator[list[str]]:
    """The complaints; any that is left when a test ends fails it."""
    complaints.clear()
    yield complaints
    assert not complaints


@pytest.fixture
def open_page(browser: Any, address: str, wrong: list[str]) -> Iterator[Callable[..., Any]]:
    """`open_page(**context)`: a page in a context of its own, just loaded."""
    contexts = []

    def opened(**context: Any) -> Any:
        contexts.append(browser.new_context(**context))
        return _loaded(contexts[-1].new_page(), address, wrong)

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def shared_page(browser: Any, address: str, complaints: list[str]) -> Any:
    """One page for most tests, as a new one takes most of a second."""
    return _loaded(browser.new_page(viewport=DESKTOP), address, complaints)


@pytest.fixture
def page(shared_page: Any, wrong: list[str]) -> Any:
    """The page, empty and with the focus in its input."""
    page = shared_page
    page.unroute_all()
    for _ in range(2):  # a list to choose from, and the drawer
        page.keyboard.press("Escape")
    page.locator("#query").fill("")
    page.keyboard.press("Enter")  # at once
    for shown in ("#result", "#notice"):
        page.wait_for_selector(shown, state="hidden")
    page.evaluate(
        """() => {
          Object.assign(window.__grammax, { shown: null });
          window.__grammax.latencies.length = 0;
          localStorage.clear();
        }"""
    )
    return page


def _loaded(page: Any, address: str, wrong: list[str]) -> Any:
    page.set_default_timeout(10_000)
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
    page.on("request", lambda asked: _is_foreign(asked.url, address) and wrong.append(asked.url))
    page.goto(address)
    page.wait_for_selector("#samples a")
    return page


@pytest.fixture
def ask() -> Callable[..., None]:
    """Enter a query, at once or `typed`, and wait until the page shows what became of it."""

    def asked(page: Any, query: str, typed: bool = False) -> None:
        page.locator("#query").fill("" if typed else query)
        if typed:
            page.locator("#query").press_sequentially(query)
        wait_for_answer(page, query)

    return asked


def wait_for_answer(page: Any, query: str) -> None:
    """Until what is shown is of the query."""
    page.wait_for_function(
        "query => window.__grammax.shown === query"
        " && document.getElementById('result').getAttribute('aria-busy') === 'false'",
        arg=query,
    )


@pytest.fixture
def screenshot() -> Callable[[Any, str], None]:
    """Keep a picture of the page."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)

    def kept(page: Any, name: str) -> None:
        page.screenshot(path=str(SCREENSHOTS / f"{name}.png"), full_page=True)

    return kept


def _is_foreign(asked: str, address: str) -> bool:
    return not asked.startswith((address, "blob:", "data:"))


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[str]:
    """The address of a service that keeps its files in a folder."""
    port = _free_port()
    log = folder / "log"
    with log.open("wb") as out:
        command = [sys.executable, "-m", "grammax.cli.main", "serve", "--port", str(port)]
        command += arguments
        environment = {**os.environ, "GRAMMAX_HOME": str(folder)}
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
        try:
            _wait(f"http://127.0.0.1:{port}/ready", process, log)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _wait(ready: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(ready, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the service did not start:\n{log.read_text()[-2000:]}")
