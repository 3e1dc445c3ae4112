"""What is said next edits the form: what was added and removed is told, and can be undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli.data.tables import needs_model
from page.conftest import serving, wait_for_answer

FILMS = Path(__file__).parents[3] / "examples" / "films.csv"


def then(page: Any, text: str) -> str:
    """Say something, and return what the page tells of it."""
    page.locator("#then").fill(text)
    with page.expect_response("**/edit"):
        page.locator("#then").press("Enter")
    page.wait_for_function(
        "() => document.querySelector('#then-told').textContent"
        " && document.querySelector('#follow button').disabled === false"
    )
    told: str = page.locator("#then-told").inner_text()
    return told


def test_a_follow_up_edits_the_form_and_says_how(page: Any, ask: Any, screenshot: Any) -> None:
    ask(page, "german banks")
    before = page.locator("#paraphrase").inner_text()
    told = then(page, "now french")
    assert "Added: Country of domicile is France" in told
    assert "Removed: Country of domicile is Germany" in told
    assert "France" in page.locator("#paraphrase").inner_text()
    assert page.locator("#then").input_value() == ""
    assert page.evaluate("document.activeElement.id") == "then"
    screenshot(page, "follow-up")
    then(page, "sort by p/e")
    page.wait_for_selector(".chip:has-text('P/E ratio')")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    assert page.locator("#paraphrase").inner_text() == before


def test_what_is_not_understood_says_why_and_changes_nothing(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    before = page.locator("#paraphrase").inner_text()
    assert "'weather' is not understood" in then(page, "what is the weather")
    assert page.locator("#then").input_value() == "what is the weather"
    assert page.locator("#paraphrase").inner_text() == before
    assert page.locator("#edits").is_hidden()


def test_undo_and_redo_can_be_said(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    then(page, "now french")
    for said, country in (("undo", "German"), ("redo", "France")):
        page.locator("#then").fill(said)
        page.locator("#then").press("Enter")
        page.wait_for_function(
            "country => document.querySelector('#paraphrase').textContent.includes(country)",
            arg=country,
        )


def test_examples_fit_the_domain(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.wait_for_function("() => document.querySelector('#then').placeholder.includes('now ')")
    placeholder = page.locator("#then").get_attribute("placeholder")
    assert "sort by" in placeholder
    assert "now Germany" not in placeholder


def test_a_new_query_forgets_what_was_told(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    then(page, "now french")
    ask(page, "steel western europe")
    assert page.locator("#then-told").inner_text() == ""


@needs_model
def test_any_table_has_follow_ups(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path, str(FILMS)) as address:
        page = browser.new_page(viewport={"width": 320, "height": 700})
        page.goto(address)
        page.locator("#query").fill("french films")
        wait_for_answer(page, "french films")
        assert "Added: Released after 1950" in then(page, "after 1950")
        assert "Removed:" in then(page, "any country")
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wide
        page.close()


@pytest.mark.parametrize("query", ["asdf qwer zxcv", ""])
def test_nothing_follows_what_was_not_understood(page: Any, ask: Any, query: str) -> None:
    if query:
        ask(page, query)
    assert page.locator("#follow").is_hidden()
