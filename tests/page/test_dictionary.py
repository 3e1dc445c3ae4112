"""The dictionary of fields, and the examples of the start page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page.conftest import _loaded, serving

FILMS = Path(__file__).parents[2] / "examples" / "films.csv"


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of a table."""
    with serving(tmp_path_factory.mktemp("films"), str(FILMS)) as found:
        yield found


def labels(page: Any) -> list[str]:
    found: list[str] = page.locator("#dictionary .label").all_inner_texts()
    return found


def wait_for_first(page: Any, label: str) -> None:
    page.wait_for_function(
        "label => document.querySelector('#dictionary .label')?.textContent === label", arg=label
    )


def test_fields_are_listed_with_units_and_ranges(page: Any) -> None:
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="Fields").click()
    wait_for_first(page, "Market capitalisation")
    assert len([url for url in asked if "/fields?" in url]) == 1
    first = page.locator("#dictionary li").first.inner_text()
    assert "amount in USD" in first
    assert "market cap" in first
    assert "mostly" in first
    country = page.locator("#dictionary li", has_text="Country of domicile").first.inner_text()
    assert "United States" in country
    assert "1,479 fields" in page.locator("#dictionary [role=status]").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#dictionary").is_hidden()


def test_a_field_is_found_and_becomes_the_query(page: Any) -> None:
    page.get_by_role("button", name="Fields").focus()
    page.keyboard.press("?")
    page.wait_for_selector("#dictionary[open]")
    page.keyboard.type("div yield")
    wait_for_first(page, "Dividend yield")
    page.keyboard.press("Enter")
    page.wait_for_function("() => window.__grammax.shown === 'show dividend yield'")
    assert "Dividend yield" in page.locator("#answer thead").inner_text()
    assert page.locator("#dictionary").is_hidden()


def test_a_field_becomes_a_column_of_what_is_shown(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.get_by_role("button", name="Fields").click()
    page.wait_for_selector("#dictionary .label")
    page.keyboard.type("employees")
    wait_for_first(page, "Employees")
    page.locator("#dictionary li button").first.click()
    page.wait_for_function(
        "() => document.querySelector('#answer thead')?.textContent.includes('Employees')"
    )
    assert "Germany" in page.locator("#paraphrase").inner_text()


def test_what_is_not_there_is_told(page: Any) -> None:
    page.get_by_role("button", name="Fields").click()
    page.wait_for_selector("#dictionary .label")
    page.keyboard.type("zzqqxx")
    page.wait_for_function("() => !document.querySelector('#dictionary .label')")
    assert "zzqqxx" in page.locator("#dictionary [role=status]").inner_text()


def test_a_question_mark_in_the_query_is_a_question_mark(page: Any) -> None:
    page.keyboard.type("what?")
    assert page.locator("#query").input_value() == "what?"
    assert page.locator("#dictionary").is_hidden()


@pytest.mark.slow
def test_axe_finds_nothing_in_the_dictionary(page: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
    page.get_by_role("button", name="Fields").click()
    page.wait_for_selector("#dictionary .label")
    found = axe.Axe().run(page).response["violations"]
    assert [each["id"] for each in found] == []


def test_examples_are_grouped_by_what_they_show(page: Any) -> None:
    headings = page.locator("#samples h3").all_inner_texts()
    assert headings[:3] == ["Filter", "Compare numbers", "Rank"]
    assert "companies" in page.locator("#first").inner_text()
    page.locator("#samples a").last.click()
    page.wait_for_selector("#answer tbody tr")


def test_a_table_has_examples_and_fields_of_its_own(
    browser: Any, films: str, wrong: list[str]
) -> None:
    page = _loaded(browser.new_page(), films, wrong)
    assert "Time" in page.locator("#samples h3").all_inner_texts()
    assert "films" in page.locator("#first").inner_text()
    page.get_by_text("top 3 films by rating").click()
    page.wait_for_selector("#answer tbody tr")
    page.get_by_role("button", name="Fields").click()
    page.wait_for_selector("#dictionary .label")
    runtime = page.locator("#dictionary li", has_text="runtime").first.inner_text()
    assert "in minutes" in runtime
    assert "mostly" in runtime
    page.keyboard.press("Escape")
    page.locator("#query").fill("")
    page.locator("#query").press_sequentially("films with genre sci")
    page.wait_for_function("() => document.querySelector('.ghost .rest').textContent !== ''")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.querySelector('#echo .value') !== null")
    page.close()
