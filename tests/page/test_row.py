"""The page of one row, and the only row of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page.conftest import serving, wait_for_answer

FILMS = Path(__file__).parents[2] / "examples" / "films.csv"


def test_a_name_leads_to_its_row_and_back(page: Any, ask: Any, screenshot: Any) -> None:
    ask(page, "german banks")
    link = page.locator("#answer td.name a").first
    name = link.inner_text()
    link.click()
    page.wait_for_selector("#row dl")
    assert page.locator("#row-title").inner_text() == name
    assert page.locator("#result").is_hidden()
    assert name in page.title()
    assert "row=" in page.url
    assert page.evaluate("document.activeElement.id") == "row"
    screenshot(page, "row")
    page.get_by_role("button", name="Back").click()
    page.wait_for_selector("#answer tbody tr")
    page.wait_for_function("name => document.activeElement.textContent === name", arg=name)
    page.go_back()
    page.wait_for_selector("#row dl", state="visible")
    page.go_back()
    page.wait_for_selector("#answer tbody tr", state="visible")
    assert page.locator("#row").is_hidden()


def test_a_link_alone_opens_a_row(open_page: Any, address: str) -> None:
    page = open_page()
    page.goto(f"{address}?#row=AAPL")
    page.wait_for_selector("#row dl")
    assert page.locator("#row-title").inner_text() == "Apple Inc."
    groups = page.locator("#row .values h3").all_inner_texts()
    assert groups[:2] == ["Description", "Amounts"]
    cap = page.locator("#row dl div", has_text="Market capitalisation").first
    assert cap.locator("dd").inner_text().endswith(" USD")
    assert cap.locator("dd").get_attribute("title").endswith(" USD")
    assert page.locator("#row .tag").inner_text() == "synthetic values"
    page.get_by_role("button", name="Back").click()
    page.wait_for_selector("#samples a")


def test_peers_lead_to_their_rows_and_to_all(open_page: Any, address: str) -> None:
    page = open_page()
    page.goto(f"{address}?#row=AAPL")
    page.wait_for_selector("#row .alike tbody tr")
    peer = page.locator("#row .alike td.name a").first
    name = peer.inner_text()
    peer.click()
    page.wait_for_function(
        "name => document.querySelector('#row-title')?.textContent === name"
        " && document.querySelector('#row dl')",
        arg=name,
    )
    page.locator("#row .alike .more").click()
    page.wait_for_selector("#answer tbody tr", state="visible")
    assert page.locator("#row").is_hidden()
    assert name in page.locator("#answer td.name").all_inner_texts()


def test_the_only_row_of_an_answer_has_its_values_below(page: Any, ask: Any) -> None:
    ask(page, "apple")
    page.wait_for_selector("#answer .values dl")
    assert page.locator("#answer tbody tr td.name").first.inner_text() == "Apple Inc."
    assert page.locator("#answer .alike tbody tr").count() > 2
    assert page.locator("#answer svg").count() == 0


@pytest.mark.parametrize("key", ["no%20such", "%3Cimg%20src%3Dx%3E", "50%"])
def test_an_unknown_row_is_told(open_page: Any, address: str, wrong: list[str], key: str) -> None:
    page = open_page()
    page.goto(f"{address}?#row={key}")
    page.wait_for_selector("#row .note")
    assert "There is no company" in page.locator("#row .note").inner_text()
    assert page.locator("#row img").count() == 0
    page.get_by_role("button", name="Back").click()
    page.wait_for_selector("#samples a")
    wrong[:] = [each for each in wrong if "404" not in each]  # the browser tells of refusals


def test_a_row_fits_a_phone(open_page: Any, address: str, screenshot: Any) -> None:
    page = open_page(viewport={"width": 320, "height": 700}, has_touch=True)
    page.goto(f"{address}?#row=AAPL")
    page.wait_for_selector("#row .alike tbody tr")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    screenshot(page, "row-phone")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_row_and_in_a_query(
    open_page: Any, ask: Any, address: str, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_page(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page.goto(f"{address}?#row=AAPL")
    page.wait_for_selector("#row .alike tbody tr")
    assert violations(axe, page) == []
    ask(page, "apple")
    page.wait_for_selector("#answer .alike tbody tr")
    page.wait_for_timeout(400)  # transitions: a colour on its way has no contrast
    assert violations(axe, page) == []
    page.get_by_role("button", name="Query", exact=True).click()
    page.wait_for_selector(".source [aria-label=SQL]:has-text('SELECT')")
    assert violations(axe, page) == []


def violations(axe: Any, page: Any) -> list[str]:
    found = axe.run(page).response["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]


@pytest.fixture(scope="module")
def films(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page of a table of films."""
    with serving(tmp_path_factory.mktemp("films"), str(FILMS)) as address:
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("#samples a")
        yield page
        page.close()


def test_a_row_of_any_table(films: Any) -> None:
    films.locator("#query").fill("films from Germany")
    wait_for_answer(films, "films from Germany")
    films.locator("#answer td.name a").get_by_text("Metropolis").click()
    films.wait_for_selector("#row dl")
    text = films.locator("#row").inner_text()
    assert "Fritz Lang" in text
    assert "153" in text
    assert "Similar films" in text
    assert "synthetic" not in text
