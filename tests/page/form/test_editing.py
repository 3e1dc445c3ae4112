"""A logical form is edited chip by chip, and the answer follows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli.data.tables import needs_model
from page.conftest import serving, wait_for_answer

FILMS = Path(__file__).parents[3] / "examples" / "films.csv"
QUERY = "steel western europe not german"


@pytest.fixture
def asked(page: Any, ask: Any) -> Any:
    ask(page, QUERY)
    return page


def tickers(page: Any) -> list[str]:
    return page.locator("#answer tbody td:first-child").all_inner_texts()


def test_another_value_changes_the_answer_and_undo_brings_it_back(
    asked: Any, screenshot: Any
) -> None:
    before, meant = tickers(asked), asked.locator("#paraphrase").inner_text()
    asked.get_by_role("button", name="value: Western Europe").click()
    asked.wait_for_selector(".chooser li")
    screenshot(asked, "chooser")
    asked.keyboard.type("asia")
    asked.wait_for_selector(".chooser li:has-text('Asia')")
    asked.locator(".chooser li").get_by_text("Asia", exact=True).click()
    asked.wait_for_function(
        "() => document.querySelector('#paraphrase').textContent.includes('Asia')"
    )
    assert set(tickers(asked)).isdisjoint(before)
    screenshot(asked, "edited")
    asked.get_by_role("button", name="Undo").click()
    assert asked.locator("#paraphrase").inner_text() == meant
    assert tickers(asked) == before


def test_a_chip_is_changed_with_the_keyboard_alone(asked: Any) -> None:
    chip = asked.get_by_role("button", name="value: Germany")
    chip.focus()
    asked.keyboard.press("Enter")
    asked.wait_for_selector(".chooser li")
    asked.keyboard.type("france")
    asked.wait_for_selector(".chooser li[aria-selected=true]:has-text('France')")
    asked.keyboard.press("Enter")
    asked.wait_for_function(
        "() => document.querySelector('#paraphrase').textContent.includes('France')"
    )
    assert asked.evaluate("document.activeElement.textContent") == "France"
    asked.keyboard.press("Control+z")
    asked.wait_for_function(
        "() => document.querySelector('#paraphrase').textContent.includes('German')"
    )


def test_only_what_the_grammar_permits_is_offered(asked: Any) -> None:
    asked.get_by_role("button", name="value: Germany").click()
    asked.wait_for_selector(".chooser li")
    tokens = asked.locator(".chooser li").evaluate_all("options => options.map(o => o.title)")
    assert {token[:4] for token in tokens} == {"COU_"}
    asked.keyboard.type("qqqq")
    asked.wait_for_function("() => document.querySelectorAll('.chooser li').length === 0")
    assert "choices has such a name" in asked.locator(".chooser .hint").inner_text()


def test_a_slider_shows_its_answer_as_it_moves_and_is_one_step(
    page: Any, ask: Any, wrong: list[str]
) -> None:
    ask(page, "german banks above 2bn market cap")
    before = page.locator("#paraphrase").inner_text()
    page.get_by_role("button", name="number: 2 billion").click()
    slider = page.locator(".chooser input[type=range]")
    for _ in range(3):
        slider.press("PageUp")
        page.wait_for_timeout(150)
    page.wait_for_function(
        "before => document.querySelector('#paraphrase').textContent !== before", arg=before
    )
    page.wait_for_timeout(300)
    assert slider.is_visible()
    page.locator(".chooser").get_by_role("button", name="Apply").click()
    page.wait_for_selector(".chooser", state="detached")
    assert "2 billion" not in page.locator("#form").inner_text()
    page.get_by_role("button", name="Undo").click()
    assert page.locator("#paraphrase").inner_text() == before
    assert not wrong


def test_the_words_are_marked_as_old_after_an_edit(asked: Any) -> None:
    query = asked.locator("#query").input_value()
    asked.locator("#then").fill("now french")
    asked.locator("#then").press("Enter")
    asked.wait_for_selector("#query.changed")
    assert asked.locator("#sureness").inner_text() == f"changed from “{query}”"
    asked.wait_for_selector("#then-told:has-text('Removed')")
    asked.get_by_role("button", name="Undo").click()
    asked.wait_for_selector("#query:not(.changed)")
    assert asked.locator("#then-told").inner_text() == ""


def test_only_corrections_are_remembered(asked: Any) -> None:
    asked.locator("#then").fill("now french")
    asked.locator("#then").press("Enter")
    asked.get_by_role("button", name="value: France").wait_for()
    assert asked.get_by_text("Remember this correction").count() == 0
    asked.get_by_role("button", name="Undo").click()
    asked.get_by_role("button", name="value: Germany").click()
    asked.locator(".chooser input").fill("france")
    asked.locator(".chooser li[aria-selected=true]:has-text('France')").click()
    asked.get_by_text("Remember this correction").wait_for()


def test_nothing_is_saved_that_was_not_understood(page: Any, ask: Any) -> None:
    ask(page, "asdf qwer zxcv")
    assert page.locator("#save").is_hidden()


def test_escape_leaves_a_chip_as_it_was(asked: Any) -> None:
    asked.get_by_role("button", name="value: Germany").click()
    asked.wait_for_selector(".chooser li")
    asked.keyboard.press("Escape")
    asked.wait_for_selector(".chooser", state="detached")
    assert asked.evaluate("document.activeElement.textContent") == "Germany"
    assert asked.locator("#edits").is_hidden()


def test_choosing_the_same_again_is_no_edit(asked: Any) -> None:
    asked.get_by_role("button", name="value: Germany").click()
    asked.wait_for_selector(".chooser input")
    asked.keyboard.type("germany")
    asked.wait_for_selector(".chooser li[aria-selected=true]:has-text('Germany')")
    asked.keyboard.press("Enter")
    asked.wait_for_selector(".chooser", state="detached")
    assert asked.locator("#edits").is_hidden()


def test_a_number_that_the_service_refuses_changes_nothing(
    page: Any, ask: Any, wrong: list[str]
) -> None:
    ask(page, "What are the top five Asian tech companies?")
    page.get_by_role("button", name="number: 5").click()
    page.wait_for_selector(".chooser input")
    page.locator(".chooser input").fill("9" * 400)
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice:not([hidden])")
    assert page.locator(".chip.number").inner_text() == "5"
    assert page.locator("#answer tbody tr").count() == 5
    wrong.clear()  # the browser tells of the refusal


def test_a_number_is_edited_as_text(page: Any, ask: Any) -> None:
    ask(page, "What are the top five Asian tech companies?")
    page.get_by_role("button", name="number: 5").click()
    page.wait_for_selector(".chooser input")
    page.keyboard.type("many")
    page.keyboard.press("Enter")
    page.wait_for_selector(".chooser .hint:has-text('Permitted is a number of rows')")
    page.locator(".chooser input").fill("a dozen")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('#answer tbody tr').length === 12")


def test_a_constraint_is_removed(asked: Any) -> None:
    asked.get_by_role("button", name="Remove").first.click()
    asked.wait_for_function(
        "() => !document.querySelector('#paraphrase').textContent.includes('German')"
    )
    asked.get_by_role("button", name="Remove").first.click()
    asked.wait_for_function(
        "() => !document.querySelector('#paraphrase').textContent.includes('Europe')"
    )
    assert asked.locator(".group.joined").count() == 0
    asked.get_by_role("button", name="Back to the first").click()
    assert "Europe" in asked.locator("#paraphrase").inner_text()


def test_a_correction_is_sent(asked: Any) -> None:
    asked.route(
        "**/corrections",
        lambda route: route.fulfill(status=201, json={"id": "1", "offers": [], "note": ""}),
    )
    asked.get_by_role("button", name="Remove").first.click()
    with asked.expect_request("**/corrections") as sent:
        asked.get_by_role("button", name="Remember this correction").click()
    assert sent.value.post_data_json["query"] == QUERY
    assert sent.value.post_data_json["lf"].startswith("(AND ")
    asked.wait_for_selector("text=Correction stored")


def test_an_amount_is_one_chip_and_is_typed_as_people_write_it(
    page: Any, ask: Any, screenshot: Any
) -> None:
    ask(page, "german banks above 2bn market cap")
    page.get_by_role("button", name="number: 2 billion").click()
    page.wait_for_selector(".chooser input[type=range]")
    screenshot(page, "slider")
    page.locator(".chooser input").first.fill("20bn")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="number: 20 billion").wait_for()
    assert page.locator(".chooser").count() == 0
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="number: 2 billion").wait_for()
    page.keyboard.press("Control+Shift+z")
    page.get_by_role("button", name="number: 20 billion").wait_for()


def test_a_slider_moves_between_usual_values(page: Any, ask: Any) -> None:
    ask(page, "companies with p/e above 12")
    page.get_by_role("button", name="number: 12").click()
    slider = page.locator(".chooser input[type=range]")
    slider.wait_for()
    slider.press("End")
    text = page.locator(".chooser input").first.input_value()
    assert float(text) > 12
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("button", name=f"number: {text}").wait_for()


def test_a_filter_is_added_by_the_name_of_its_field(page: Any, ask: Any, screenshot: Any) -> None:
    ask(page, "german banks")
    page.get_by_role("button", name="Add a filter").click()
    page.wait_for_selector(".chooser li")
    page.keyboard.type("dividend y")
    page.wait_for_selector(".chooser li[aria-selected=true]:has-text('Dividend yield')")
    page.keyboard.press("Enter")
    page.locator(".chooser select").select_option("at least")
    page.wait_for_selector(".chooser input[type=range]")
    screenshot(page, "filter")
    page.get_by_label("Dividend yield, value").fill("3%")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="number: 3%").wait_for()
    assert page.locator(".chooser").count() == 0
    assert "at least" in page.locator("#paraphrase").inner_text()


def test_a_filter_of_a_category_is_picked(page: Any, ask: Any) -> None:
    ask(page, "german companies")
    page.get_by_role("button", name="Add a filter").click()
    page.wait_for_selector(".chooser input")
    page.keyboard.type("sector")
    page.wait_for_selector(".chooser li[aria-selected=true]:has-text('Sector')")
    page.keyboard.press("Enter")
    page.locator(".chooser select").select_option("is not")
    page.locator(".chooser input[role=combobox]").fill("insurance")
    page.wait_for_selector(".chooser li[aria-selected=true]:has-text('Insurance')")
    page.locator(".chooser input[role=combobox]").press("Enter")
    page.wait_for_function("() => /insur/i.test(document.querySelector('#paraphrase').textContent)")


def test_what_is_no_value_says_what_is_permitted(page: Any, ask: Any) -> None:
    ask(page, "german companies")
    page.get_by_role("button", name="Add a filter").click()
    page.wait_for_selector(".chooser input")
    page.keyboard.type("p/e ratio")
    page.wait_for_selector(".chooser li[aria-selected=true]:has-text('P/E ratio')")
    page.keyboard.press("Enter")
    page.get_by_label("P/E ratio, value").fill("cheap")
    page.keyboard.press("Enter")
    page.wait_for_selector(".chooser .wrong:has-text('Permitted is a number')")


def test_a_column_is_added_and_removed(page: Any, ask: Any) -> None:
    ask(page, "german companies")
    page.get_by_role("button", name="Add a column").click()
    page.wait_for_selector(".chooser input")
    page.keyboard.type("employees")
    page.wait_for_selector(".chooser li[aria-selected=true]:has-text('mployees')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer th:has-text('mployees')")
    page.get_by_role("button", name="Remove show").click()
    page.wait_for_function(
        "() => !document.querySelector('#form').textContent.includes('mployees')"
    )


@needs_model
def test_a_date_is_typed_or_chosen(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path, str(FILMS)) as address:
        page = browser.new_page(color_scheme="dark", viewport={"width": 360, "height": 740})
        page.goto(address)
        page.locator("#query").fill("films after 1960")
        wait_for_answer(page, "films after 1960")
        page.get_by_role("button", name=": 1960. Change").click()
        page.wait_for_selector(".chooser input[type=date]")
        page.locator(".chooser input").first.fill("june 1970")
        page.keyboard.press("Enter")
        page.get_by_role("button", name=": June 1970. Change").click()
        page.locator(".chooser input[type=date]").fill("1975-03-09")
        page.get_by_role("button", name="Apply").click()
        page.get_by_role("button", name=": 9 March 1975. Change").wait_for()
        assert "after" in page.locator("#form").inner_text()
        page.close()
