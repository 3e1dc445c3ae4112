"""A correction on the page teaches a word, which is used at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.data.tables import films, grammax, needs_model
from page.conftest import serving, wait_for_answer

pytestmark = needs_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("taught")
    assert grammax("new", place / "films", "--from", films(place))[0] == 0
    return place / "films"


@pytest.fixture(scope="module")
def table_page(browser: Any, folder: Path) -> Iterator[Any]:
    with serving(folder.parent, str(folder)) as address:
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("#samples a")
        yield page
        page.close()


def test_a_corrected_column_is_remembered_by_its_word(
    table_page: Any, folder: Path, screenshot: Any
) -> None:
    page = table_page
    page.locator("#query").fill("average spooltime per country")
    wait_for_answer(page, "average spooltime per country")
    page.locator("#readings button, .chip").first.wait_for()
    if page.locator("#readings").is_visible():
        page.locator("#readings button").first.click()
    page.get_by_role("button", name="field: ").first.wait_for()
    field = page.locator(".chip[aria-label^='field: ']").first
    field.click()
    page.wait_for_selector(".chooser li")
    page.keyboard.type("runtime")
    page.wait_for_selector(".chooser li[aria-selected=true]:has-text('Runtime')")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('#paraphrase').textContent.includes('runtime')"
    )
    page.get_by_text("Remember this correction").click()
    page.wait_for_selector(f"code:has-text('grammax train {folder.name} --overwrite')")
    screenshot(page, "offer")
    page.get_by_text("Remember that ‘spooltime’ means runtime").click()
    page.wait_for_selector("#learnt:has-text('It is used from now on')")
    screenshot(page, "learnt")
    assert "average runtime" in page.locator("#paraphrase").inner_text()
    assert page.locator("#sureness").inner_text().endswith("sure")
    assert 'spooltime = "runtime_min"' in (folder / "schema.toml").read_text()
    page.locator("#query").fill("average spooltime")
    wait_for_answer(page, "average spooltime")
    assert page.locator("#learnt").is_hidden()


def test_a_file_says_that_a_folder_is_needed(browser: Any, tmp_path: Path, table_page: Any) -> None:
    del table_page
    with serving(tmp_path, str(films(tmp_path))) as address:
        page = browser.new_page()
        page.goto(f"{address}#q=stateside%20films")
        page.locator("#readings button").first.click()
        page.get_by_text("Remember this correction").click()
        page.wait_for_selector("code:has-text('grammax new films --from')")
        assert page.locator(".offer").count() == 0
        page.close()


def test_a_name_of_a_value_is_taught_without_a_folder(page: Any, ask: Any, screenshot: Any) -> None:
    ask(page, "teutonia banks")
    page.locator("#readings button:visible, #form .chip:visible").first.wait_for()
    if page.locator("#readings").is_visible():
        page.locator("#readings button").first.click()
        page.locator("#then").wait_for()
    page.locator("#then").fill("only german banks")
    page.locator("#then").press("Enter")
    page.get_by_role("button", name="value: Germany").wait_for()
    page.get_by_text("Remember this correction").click()
    page.wait_for_selector("code:has-text('grammax train eqs --overwrite')")
    page.get_by_text("Remember that ‘teutonia’ means Germany").click()
    page.wait_for_selector("#learnt:has-text('It is used from now on')")
    screenshot(page, "taught")
    assert page.locator("#sureness").inner_text().endswith("sure")
    assert "Germany" in page.locator("#paraphrase").inner_text()
    ask(page, "teutonia insurers")
    assert "Germany" in page.locator("#paraphrase").inner_text()


def test_a_service_that_others_reach_says_that_nothing_is_remembered_at_once(
    browser: Any, tmp_path: Path
) -> None:
    with serving(tmp_path, "--no-teach") as address:
        page = browser.new_page()
        page.goto(address)
        page.locator("#query").fill("german banks")
        wait_for_answer(page, "german banks")
        page.get_by_role("button", name="value: Germany").click()
        page.locator(".chooser input").fill("france")
        page.locator(".chooser li[aria-selected=true]:has-text('France')").click()
        page.get_by_text("Remember this correction").click()
        page.wait_for_selector("text=Nothing changes at once")
        assert page.locator(".offer").count() == 0
        page.close()
