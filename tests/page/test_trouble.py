"""What the service complains of is told in words, and what passes is tried again."""

from __future__ import annotations

from typing import Any

import pytest


def _refusal(status: int, message: str = "", hint: str = "") -> dict[str, Any]:
    error = {"code": "x", "message": message, "hint": hint, "request_id": "r"}
    return {"status": status, "json": {"error": error}}


@pytest.mark.parametrize("status", [429, pytest.param(503, marks=pytest.mark.slow)])
def test_a_busy_service_is_asked_again(page: Any, wrong: list[str], status: int) -> None:
    refused = []

    def twice(route: Any) -> None:
        if len(refused) < 2:
            refused.append(route)
            route.fulfill(**_refusal(status))
        else:
            route.continue_()

    page.route("**/ask", twice)
    page.locator("#query").fill("siemens")
    page.wait_for_selector("#notice:not([hidden])")
    assert "busy" in page.locator("#notice").inner_text()
    page.wait_for_selector("#answer tbody tr")
    assert page.locator("#notice").is_hidden()
    assert len(refused) == 2
    wrong.clear()  # the browser tells of each refusal


def test_a_refusal_is_told_in_words(page: Any, wrong: list[str]) -> None:
    page.locator("#query").fill("german banks")
    page.wait_for_selector("#answer tbody tr")
    refusal = _refusal(422, "The query has 300 words; 200 are the most.", "Make it <b>shorter</b>.")
    page.route("**/ask", lambda route: route.fulfill(**refusal))
    page.locator("#query").fill("siemens")
    page.wait_for_selector("#notice:not([hidden])")
    told = page.locator("#notice").inner_text()
    assert told == "The query has 300 words; 200 are the most. Make it <b>shorter</b>."
    assert page.locator("#result").is_hidden()  # it is of another query
    wrong.clear()


def test_a_service_that_is_gone_is_found_again(page: Any, wrong: list[str]) -> None:
    page.route("**/ask", lambda route: route.abort())
    page.locator("#query").fill("siemens")
    page.wait_for_selector("#notice:not([hidden])")
    assert "cannot be reached" in page.locator("#notice").inner_text()
    page.unroute("**/ask")
    page.wait_for_selector("#answer tbody tr")
    wrong.clear()


def test_an_answer_that_failed_leaves_what_was_understood(page: Any) -> None:
    def failed(route: Any) -> None:
        found = route.fetch().json()
        error = _refusal(503, "The market took too long.", "Ask for less.")["json"]["error"]
        route.fulfill(json=found | {"answer": None, "answer_error": error})

    page.route("**/ask", failed)
    page.locator("#query").fill("siemens")
    page.wait_for_selector("#notice:not([hidden])")
    assert "took too long" in page.locator("#notice").inner_text()
    assert "Siemens" in page.locator("#paraphrase").inner_text()


def test_a_very_long_query_breaks_nothing(page: Any, wrong: list[str]) -> None:
    page.locator("#query").fill("german banks " * 2000)
    page.wait_for_function(
        "() => document.querySelector('#notice:not([hidden]), #result:not([hidden])')"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 1200
    wrong.clear()
