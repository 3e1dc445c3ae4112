"""Queries are answered while they are typed."""

from __future__ import annotations

import re
from statistics import median
from typing import Any

import pytest

SAMPLES = {
    "steel western europe not german": ("steel", "Western Europe", "Germany"),
    "return on capital sp500": ("S&P 500", "return on capital"),
    "auto nysex last quarter mcap > $1bn": ("New York Stock Exchange", "$1 billion"),
    "Top 10 European non-German tech firms sorted by p/b ratio": ("10 largest", "Europe", "P/B"),
    "What are the top five Asian tech companies?": ("5 largest", "Asia"),
}


@pytest.mark.parametrize("query", SAMPLES)
def test_a_sample_of_the_paper_is_answered(
    page: Any, ask: Any, screenshot: Any, query: str
) -> None:
    ask(page, query, typed=True)
    meant = page.locator("#paraphrase").inner_text()
    assert all(part.lower() in meant.lower() for part in SAMPLES[query]), meant
    assert page.locator("#answer tbody tr").count() >= 2
    assert page.locator("#readings").is_hidden()
    screenshot(page, re.sub(r"\W+", "-", query.lower()).strip("-"))


def test_the_input_has_the_focus_and_no_button_is_needed(open_page: Any) -> None:
    page = open_page()
    assert page.evaluate("document.activeElement.id") == "query"
    page.keyboard.type("siemens")
    page.wait_for_selector("#answer tbody tr")
    assert "Siemens" in page.locator("#answer tbody").first.inner_text()


def test_a_sample_is_asked_with_a_click(page: Any) -> None:
    page.get_by_text("return on capital sp500").click()
    page.wait_for_selector("#answer tbody tr")
    assert page.locator("#query").input_value() == "return on capital sp500"


def test_the_query_is_in_the_address_so_that_a_link_can_be_shared(
    page: Any, open_page: Any, ask: Any
) -> None:
    query = "auto nysex + last quarter mcap > $1bn & 50% #1"
    ask(page, query)
    other = open_page()
    other.goto(page.url.replace("#", "?#"))
    other.wait_for_function("query => window.__grammax.shown === query", arg=query)
    assert other.locator("#query").input_value() == query


def test_only_the_newest_query_is_shown(page: Any) -> None:
    late = []

    def held(route: Any) -> None:
        if route.request.post_data_json["query"] == "german banks":
            late.append(route)
        else:
            route.continue_()

    page.route("**/ask", held)
    page.locator("#query").fill("german banks")
    page.wait_for_function("() => document.querySelector('#result').ariaBusy === 'true'")
    page.locator("#query").fill("french banks")
    page.wait_for_function("() => window.__grammax.shown === 'french banks'")
    assert late
    for route in late:
        route.continue_()
    page.wait_for_timeout(300)
    assert "France" in page.locator("#paraphrase").inner_text()


def test_an_ambiguous_query_has_other_readings(page: Any, ask: Any, screenshot: Any) -> None:
    ask(page, AMBIGUOUS)
    page.wait_for_selector("#readings button")
    assert "do you mean" in page.locator("#readings h2").inner_text()
    before = page.locator("#paraphrase").inner_text()
    screenshot(page, "ambiguous")
    other = page.locator("#readings button").nth(1)
    meant = other.locator("span").inner_text()
    other.click()
    page.wait_for_function(
        "() => document.querySelector('#sureness').textContent === 'as you changed it'"
    )
    after = page.locator("#paraphrase").inner_text()
    assert after != before
    assert after.lower().rstrip(".") == meant.lower()


@pytest.mark.parametrize("query", ["asdf qwer zxcv", "what is the meaning of life"])
def test_nonsense_is_not_answered(page: Any, ask: Any, screenshot: Any, query: str) -> None:
    ask(page, query)
    assert "does not look like a search for companies" in page.locator("#paraphrase").inner_text()
    assert page.locator("#answer").is_hidden()
    assert page.locator("#form").is_hidden()
    page.wait_for_selector("#readings button")
    screenshot(page, "abstains")


def test_what_was_not_understood_can_still_be_chosen(page: Any, ask: Any) -> None:
    ask(page, "asdf qwer zxcv")
    page.locator("#readings button").first.click()
    page.wait_for_selector("#answer tbody tr, #answer .count")
    assert page.locator("#form").is_visible()


def test_words_that_were_not_understood_are_marked(page: Any, ask: Any) -> None:
    ask(page, "german banks qwertz")
    page.wait_for_selector("#echo .lost")  # a second after the last letter
    assert page.locator("#echo .lost").all_inner_texts() == ["qwertz"]


def test_a_typo_is_shown_with_what_it_was_read_as(page: Any, ask: Any) -> None:
    ask(page, "chips germnay")
    assert re.sub(r"\s+", " ", page.locator("#echo").inner_text()) == "chips germnay → germany"


@pytest.mark.parametrize(
    "query",
    [
        "<img src=x onerror=alert(1)> german banks",
        "<script>alert(1)</script>",
        "german banks'; DROP TABLE equity; --",
        '"><svg onload=alert(1)>',
    ],
)
def test_html_and_sql_are_shown_as_text(page: Any, ask: Any, query: str) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"it ran: {dialog.message}"))
    ask(page, query)
    assert page.locator("main img, main script, #echo svg").count() == 0
    if page.locator("#echo").is_visible():
        assert query in page.locator("#echo").inner_text()


def test_html_from_the_service_is_shown_as_text(page: Any, ask: Any) -> None:
    def spiked(value: Any) -> Any:
        if isinstance(value, dict):
            kept = ("role", "tokens", "token")
            return {key: part if key in kept else spiked(part) for key, part in value.items()}
        if isinstance(value, list):
            return [spiked(part) for part in value]
        return value + HTML if isinstance(value, str) and len(value) > 1 else value

    def spike(route: Any) -> None:
        found = route.fetch().json()
        query = found.get("parse", {}).get("query")
        found = spiked(found)
        if query:
            found["parse"] |= {"query": query, "typos": [{"place": 0, "typed": "banks"}]}
        route.fulfill(json=found)

    for path in ("ask", "complete", "next", "explain"):
        page.route(f"**/{path}", spike)
    page.on("dialog", lambda dialog: pytest.fail(f"it ran: {dialog.message}"))
    ask(page, "banks pe ratio")
    page.locator("#query").press(" ")  # and what may follow
    page.wait_for_selector("#completions li")
    page.locator(".chip.value").first.click()
    page.wait_for_selector(".chooser li")
    page.keyboard.press("Escape")
    page.locator("#how").click()
    page.wait_for_selector(".steps li")
    assert page.locator("img").count() == 0
    text = page.locator("body").inner_text()
    assert text.count(HTML) > 20


def test_an_empty_query_shows_the_samples_alone(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.locator("#query").fill("   ")
    page.wait_for_selector("#result", state="hidden")
    assert {*SAMPLES} <= {*page.locator("#samples a").all_inner_texts()}
    assert page.locator("#echo").is_hidden()
    assert "#" not in page.url


def test_completions_are_taken_with_the_keyboard(page: Any) -> None:
    page.keyboard.type("steel germ")
    page.wait_for_selector("#completions li")
    assert page.locator("#query").get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    chosen = page.locator("#completions [aria-selected=true] span").inner_text()
    page.keyboard.press("Tab")
    assert page.locator("#query").input_value().strip() == f"steel {chosen}"
    assert page.evaluate("document.activeElement.id") == "query"
    page.keyboard.type("fr")
    page.wait_for_selector("#completions li")
    page.keyboard.press("Escape")
    assert page.locator("#completions li").count() == 0
    assert page.locator("#query").get_attribute("aria-expanded") == "false"


def test_the_time_from_key_press_to_answer_is_measured(
    page: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    page.keyboard.type("german banks with roe above 100", delay=120)
    page.wait_for_function("() => window.__grammax.shown === 'german banks with roe above 100'")
    page.wait_for_timeout(50)
    times = page.evaluate("window.__grammax.latencies")
    assert len(times) >= 5
    with capsys.disabled():
        print(f"\n[key press to answer: median {median(times):.0f} ms of {len(times)}]")  # noqa: T201


def test_the_beginning_of_a_word_leaves_the_answer_before_it(page: Any) -> None:
    page.keyboard.type("steel")
    page.wait_for_function("() => window.__grammax.shown === 'steel'")
    before = page.locator("#paraphrase").inner_text()
    page.keyboard.type(" zxq", delay=40)
    page.wait_for_timeout(400)
    assert page.locator("#paraphrase").inner_text() == before
    page.wait_for_function("() => window.__grammax.shown === 'steel zxq'")  # it has rested
    assert page.locator("#paraphrase").inner_text() != before or page.locator(".lost").count()


@pytest.mark.parametrize(
    ("before", "begun"),
    [("dutch", "semi"), ("french banks", "with mark"), ("italian", "util"), ("steel", "eur")],
)
def test_what_is_shown_stays_while_a_word_has_completions(
    page: Any, before: str, begun: str
) -> None:
    page.keyboard.type(before)
    page.wait_for_function("query => window.__grammax.shown === query", arg=before)
    shown = page.locator("#paraphrase").inner_text()
    page.keyboard.type(f" {begun}", delay=40)
    page.wait_for_timeout(1600)
    assert page.locator("#paraphrase").inner_text() == shown
    assert page.locator("#echo").inner_text() == f"{before} {begun}"
    assert not page.locator("#echo .lost").count()
    page.keyboard.press("Enter")  # it is finished
    page.wait_for_function("query => window.__grammax.shown === query", arg=f"{before} {begun}")


def test_the_start_page_stays_until_a_word_is_understood(page: Any) -> None:
    page.keyboard.type("ge", delay=40)
    page.wait_for_timeout(1300)
    assert page.locator("#start").is_visible()
    page.keyboard.type("rman")
    page.wait_for_function("() => window.__grammax.shown === 'german'")


HTML = "<img src=x onerror=alert(1)>"
AMBIGUOUS = "hdfc bank gross npl"
