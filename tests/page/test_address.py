"""The address holds the search: links, reloads, going back and forward, saved searches."""

from __future__ import annotations

from typing import Any

import pytest


def _shown(page: Any, query: str) -> None:
    page.wait_for_function("query => window.__grammax.shown === query", arg=query)


@pytest.fixture
def edited(page: Any, ask: Any) -> str:
    """The words for what an edit left of a query."""
    ask(page, "german banks")
    page.locator("#form .drop").first.click()
    page.wait_for_selector("#edits button")
    words: str = page.locator("#paraphrase").inner_text()
    assert "Germany" not in words or "bank" not in words
    return words


def test_back_and_forward_lead_from_search_to_search(page: Any, ask: Any) -> None:
    page.get_by_text("return on capital sp500").click()
    _shown(page, "return on capital sp500")
    page.locator("#home").click()
    page.wait_for_selector("#start", state="visible")
    page.go_back()
    _shown(page, "return on capital sp500")
    assert page.locator("#answer tbody tr").count() == 20
    page.go_back()
    page.wait_for_selector("#result", state="hidden")
    assert page.locator("#query").input_value() == ""
    page.go_forward()
    _shown(page, "return on capital sp500")
    assert page.locator("#query").input_value() == "return on capital sp500"


def test_an_edit_is_a_step_back(page: Any, edited: str) -> None:
    page.go_back()
    page.wait_for_function("() => document.getElementById('sureness').textContent.includes('sure')")
    page.go_forward()
    page.wait_for_function(
        "words => document.getElementById('paraphrase').textContent === words", arg=edited
    )


def test_a_link_has_the_edits(page: Any, open_page: Any, edited: str) -> None:
    other = open_page()
    other.goto(page.url.replace("#", "?#"))
    other.wait_for_function(
        "words => document.getElementById('paraphrase').textContent === words", arg=edited
    )
    assert other.locator("#query").input_value() == "german banks"
    other.get_by_role("button", name="Undo").click()
    assert "Germany" in other.locator("#paraphrase").inner_text()


def test_typing_is_one_step(page: Any) -> None:
    before = page.evaluate("history.length")
    page.locator("#query").press_sequentially("german banks", delay=60)
    _shown(page, "german banks")
    assert page.evaluate("history.length") - before <= 1


def test_undo_and_redo(page: Any, edited: str) -> None:
    page.get_by_role("button", name="Undo").click()
    assert page.locator("#paraphrase").inner_text() != edited
    page.get_by_role("button", name="Redo").click()
    assert page.locator("#paraphrase").inner_text() == edited
    page.locator("#answer").focus()
    page.keyboard.press("Control+z")
    assert page.locator("#paraphrase").inner_text() != edited
    page.keyboard.press("Control+Shift+Z")
    assert page.locator("#paraphrase").inner_text() == edited


def test_a_search_is_saved_in_the_browser(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.get_by_role("button", name="Save").click()
    page.locator("#home").click()
    page.locator("#saved-list a").click()
    page.get_by_role("button", name="Saved").wait_for()
    page.reload()
    page.wait_for_selector("#answer tbody tr")
    page.locator("#home").click()
    page.get_by_role("button", name="Remove german banks from the saved searches").click()
    assert page.locator("#saved").is_hidden()


def test_what_else_is_stored_under_the_name_does_no_harm(open_page: Any) -> None:
    page = open_page()
    for stored in ("{", "null", '[1, {"name": 2}, null]'):
        page.evaluate("stored => localStorage.setItem('grammax.saved', stored)", stored)
        page.reload()
        page.wait_for_selector("#samples a")
        assert page.locator("#saved").is_hidden()


@pytest.mark.parametrize("hash_", ["#q=50%", "#q=german%20banks&sort=-99", "#x", "#sort=a&row="])
def test_an_address_written_by_hand_breaks_nothing(
    open_page: Any, wrong: list[str], hash_: str
) -> None:
    page = open_page()
    page.goto(page.url + hash_)
    page.wait_for_timeout(500)
    assert page.locator("#query").is_visible()
    wrong[:] = [each for each in wrong if "422" not in each]  # the browser tells of refusals
