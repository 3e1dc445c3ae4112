"""The page while the service starts: it shows how far that is, and goes on by itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

QUERY = "#q=german%20banks"


def status(doing: str, progress: float) -> dict[str, Any]:
    answers = not doing
    found = {"status": "ok", "version": "", "worker": 1, "answers": answers}
    return found | {"doing": doing, "progress": progress}


def test_the_progress_of_the_start_is_shown_until_there_is_an_answer(
    browser: Any, address: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(10_000)
    now = [status("The model", 0.1)]
    refused: list[str] = []

    def health(route: Any) -> None:
        route.fulfill(json=now[0])

    def starting(route: Any) -> None:
        if now[0]["answers"]:
            route.continue_()
            return
        refused.append(route.request.url)
        error = {"code": "not_ready", "message": "", "hint": "", "request_id": ""}
        route.fulfill(status=503, json={"error": error}, headers={"Retry-After": "1"})

    page.route("**/health", health)
    page.route("**/domain", starting)
    page.route("**/ask", starting)
    page.goto(address)
    page.wait_for_selector("#starting:has-text('The model is being loaded')")
    page.locator("#query").fill("german banks")
    now[0] = status("The store that answers", 0.6)
    page.wait_for_selector("#starting:has-text('The store that answers is being loaded')")
    assert page.locator("#starting progress").evaluate("bar => bar.value") == 0.6
    assert page.locator("#notice").is_hidden()
    now[0] = status("", 1.0)
    page.wait_for_selector("#answer tbody tr")
    assert page.locator("#starting").is_hidden()
    assert page.locator("#samples a").count()
    context.close()


def test_a_service_that_is_started_again_is_waited_for(page: Any, wrong: list[str]) -> None:
    now = [status("The model", 0.1)]

    def starting(route: Any) -> None:
        if now[0]["answers"]:
            route.continue_()
        else:
            error = {"code": "not_ready", "message": "", "hint": "", "request_id": ""}
            route.fulfill(status=503, json={"error": error})

    page.route("**/health", lambda route: route.fulfill(json=now[0]))
    page.route("**/ask", starting)
    page.locator("#query").fill("siemens")
    page.wait_for_selector("#starting:has-text('The model is being loaded')")
    now[0] = status("", 1.0)
    page.wait_for_selector("#answer tbody tr")
    assert page.locator("#starting").is_hidden()
    wrong.clear()  # the browser tells of each refusal


@pytest.mark.slow
def test_a_page_that_is_opened_at_once_answers_without_a_key_press(
    browser: Any, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "grammax.cli.main", "serve", "--port", "0"]
    folders = {"GRAMMAX_HOME": str(tmp_path), "GRAMMAX_CACHE": str(tmp_path / "cache")}
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, stderr=out, env={**os.environ, **folders})
    context = browser.new_context()
    try:
        address = _address(log)
        page = context.new_page()
        page.goto(address + QUERY)
        page.wait_for_selector("#starting:has-text('is being loaded')")
        page.wait_for_selector("#answer tbody tr", timeout=120_000)
        assert page.locator("#starting").is_hidden()
    finally:
        context.close()
        process.kill()
        process.wait()


def _address(log: Path) -> str:
    until = monotonic() + 60
    while monotonic() < until:
        found = re.search(r"http://127\.0\.0\.1:\d+/", log.read_text())
        if found:
            return found[0]
        sleep(0.02)
    raise AssertionError(log.read_text())
