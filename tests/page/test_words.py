"""The words of a query: what each was taken for, and how it is changed."""

from __future__ import annotations

from typing import Any

import pytest

TAKEN = {
    "german banks": {"german": "value", "banks": "value"},
    "please show me german banks with a market cap above 5bn": {
        "german": "value",
        "market cap": "field",
        "above": "operator",
        "5bn": "number",
        "show": "filler",
        "please": "filler",
    },
    "Top 10 European tech firms sorted by p/b ratio": {
        "Top": "operator",
        "10": "number",
        "European": "value",
        "sorted": "operator",
        "p/b ratio": "field",
    },
    "the 20 cheapest companies by p/e": {
        "the": "filler",
        "20": "number",
        "cheapest": "operator",
        "companies": "noun",
        "p/e": "field",
    },
    "auto nysex last quarter mcap > $1bn": {
        "last quarter": "number",
        ">": "operator",
        "$1bn": "number",
    },
}


def kinds(page: Any) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries(
          [...document.querySelectorAll("#echo > *")].map((e) => [e.textContent, e.className]))"""
    )
    return found


@pytest.mark.parametrize("query", TAKEN)
def test_each_word_shows_what_it_was_taken_for(page: Any, ask: Any, query: str) -> None:
    ask(page, query)
    found = kinds(page)
    assert TAKEN[query].items() <= found.items(), found
    assert page.locator("#echo").inner_text() == query
    told = {"value", "field"} & {*found.values()}
    assert all(kind in page.locator("#echo-key").inner_text() for kind in told)


@pytest.mark.parametrize("key", ["click", "Enter"])
def test_a_word_opens_the_chooser_of_its_chip(page: Any, ask: Any, key: str) -> None:
    ask(page, "german banks")
    word = page.get_by_role("button", name="german, read as value")
    assert "Germany" in word.get_attribute("title")
    if key == "click":
        word.click()
    else:
        word.focus()
        page.keyboard.press(key)
    page.wait_for_selector(".chooser li.current")
    assert page.locator(".chooser li.current").inner_text() == "Germany"
    page.keyboard.type("France")
    page.wait_for_function(
        "() => document.querySelector('.chooser [aria-selected=true]')?.textContent === 'France'"
    )
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#paraphrase').innerText.includes('Fran')")
    assert page.locator("#echo button").count() == 0  # the chips are no longer those of the words


def test_a_number_is_one_thing_with_its_scale(page: Any, ask: Any) -> None:
    ask(page, "market cap over 10bn")
    assert "10 billion" in page.locator("#echo button.number").get_attribute("title")


def test_a_number_in_words_is_one_chip(page: Any, ask: Any) -> None:
    ask(page, "market cap over 25 million")
    page.locator("#echo button.number").first.click()
    page.wait_for_selector(".chooser input")
    assert page.locator(".chooser input").first.input_value() == "25 million"


def test_pointing_at_a_word_lights_its_chip(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.locator("#echo button", has_text="banks").hover()
    assert page.locator("#form .chip.lit").all_inner_texts() == ["Banks"]
    page.mouse.move(0, 0)
    assert page.locator("#form .chip.lit").count() == 0


def test_a_word_is_marked_only_when_it_is_finished(page: Any, ask: Any) -> None:
    page.clock.install()
    try:
        ask(page, "german banks please")
        assert kinds(page)["please"] == ""  # it may become another word
        page.clock.run_for(1500)
        assert kinds(page)["please"] == "filler"
        ask(page, "german banks qwer")
        assert page.locator("#echo .lost").count() == 0
        assert page.locator("#echo .legend").count() == 0
        page.clock.run_for(1500)
        assert page.locator("#echo .lost").all_inner_texts() == ["qwer"]
        ask(page, "german banks qwertz")
        assert page.locator("#echo .lost").count() == 0
        page.keyboard.type(" ")  # finished
        page.clock.run_for(200)
        page.wait_for_selector("#echo .lost")
    finally:
        page.clock.resume()


def test_an_unknown_word_within_the_query_is_marked_at_once(page: Any, ask: Any) -> None:
    ask(page, "german qwertz banks")
    assert page.locator("#echo .lost").all_inner_texts() == ["qwertz"]


def test_words_of_nonsense_are_not_explained(page: Any, ask: Any) -> None:
    ask(page, "asdf qwer zxcv")
    assert page.locator("#echo button").count() == 0
    assert page.locator("#echo-key").is_hidden()
