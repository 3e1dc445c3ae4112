"""The likeliest completion is shown after the caret, and taken with Tab or the right arrow."""

from __future__ import annotations

from typing import Any

import pytest

ALIGNED = """() => {
  const input = document.querySelector("#query");
  const style = getComputedStyle(input);
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const width = context.measureText(input.value).width;
  const left = input.getBoundingClientRect().left + parseFloat(style.borderLeftWidth) +
    parseFloat(style.paddingLeft) + width - input.scrollLeft;
  const rest = document.querySelector(".ghost .rest").getBoundingClientRect();
  const box = input.getBoundingClientRect();
  return {
    off: Math.abs(rest.left - left),
    up: Math.abs((rest.top + rest.bottom) / 2 - (box.top + box.bottom) / 2),
    scrolled: input.scrollLeft,
  };
}"""


def wait_for_ghost(page: Any, text: str) -> None:
    page.wait_for_function(
        "text => document.querySelector('.ghost .rest').textContent === text", arg=text
    )


@pytest.mark.parametrize("key", ["Tab", "ArrowRight"])
def test_the_likeliest_completion_is_taken(page: Any, key: str) -> None:
    page.keyboard.type("ger")
    wait_for_ghost(page, "many")
    page.keyboard.press(key)
    assert page.locator("#query").input_value() == "germany "
    assert page.evaluate("document.activeElement.id") == "query"
    wait_for_ghost(page, "")
    page.wait_for_function("() => window.__grammax.shown === 'germany'")


@pytest.mark.parametrize(
    ("typed", "rest"),
    [("steel eu", "rope"), ("ban", "ks"), ("market c", "ap"), ("german softw", "are")],
)
def test_what_is_likely_comes_first(page: Any, typed: str, rest: str) -> None:
    page.keyboard.type(typed)
    wait_for_ghost(page, rest)


def test_typing_on_keeps_it_while_it_fits(page: Any) -> None:
    page.keyboard.type("ger")
    wait_for_ghost(page, "many")
    page.route("**/complete", lambda route: route.abort())
    page.keyboard.type("m")
    assert page.locator(".ghost .rest").text_content() == "any"
    page.keyboard.type("x")
    assert page.locator(".ghost .rest").text_content() == ""
    page.unroute_all()


@pytest.mark.parametrize("typed", ["german", "banks in", "qwertzx"])
def test_a_finished_word_has_none(page: Any, typed: str) -> None:
    with page.expect_response("**/complete"):
        page.keyboard.type(typed)
    page.wait_for_timeout(50)
    assert page.locator(".ghost .rest").text_content() == ""


def test_it_is_gone_when_the_caret_is_elsewhere(page: Any) -> None:
    page.keyboard.type("steel ger")
    wait_for_ghost(page, "many")
    page.keyboard.press("ArrowLeft")
    wait_for_ghost(page, "")
    page.keyboard.press("End")
    wait_for_ghost(page, "many")
    page.keyboard.press("Escape")
    wait_for_ghost(page, "")
    page.keyboard.press("Tab")  # leaves the input, as there is nothing to take
    assert page.evaluate("document.activeElement.id") != "query"


def test_it_begins_where_the_text_ends_also_when_the_input_scrolls(page: Any) -> None:
    page.keyboard.type("steel ger")
    wait_for_ghost(page, "many")
    found = page.evaluate(ALIGNED)
    assert found["off"] < 1
    assert found["up"] < 1.5
    page.set_viewport_size({"width": 400, "height": 700})
    page.locator("#query").fill("")
    page.keyboard.type("show me all of the very large companies in german, french and ital")
    wait_for_ghost(page, "y")
    found = page.evaluate(ALIGNED)
    page.set_viewport_size({"width": 1200, "height": 800})
    assert found["scrolled"] > 50
    assert found["off"] < 1.5


def test_screen_readers_have_the_list_alone(page: Any) -> None:
    page.keyboard.type("ger")
    wait_for_ghost(page, "many")
    assert page.locator(".ghost").get_attribute("aria-hidden") == "true"
    assert page.locator("#query").get_attribute("aria-expanded") == "true"
    assert "Germany" in page.locator("#completions li").first.inner_text()
