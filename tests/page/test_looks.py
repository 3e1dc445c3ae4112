"""On a phone, in the dark, by keyboard and by ear."""

from __future__ import annotations

from typing import Any

import pytest

QUERY = "auto nysex last quarter mcap > $1bn"

CONTRAST = """
() => {
  const luminance = ([r, g, b]) => [r, g, b]
    .map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255];
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const apart = element.closest(".hidden, svg, .drop, script, noscript");
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || apart) continue;
    const [a, b] = [luminance(rgba(getComputedStyle(element).color)), luminance(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${element.outerHTML}: ${ratio.toFixed(2)}`);
  }
  return low;
}
"""


@pytest.mark.parametrize("width", [320, pytest.param(768, marks=pytest.mark.slow)])
def test_nothing_is_wider_than_the_screen(
    open_page: Any, ask: Any, screenshot: Any, width: int
) -> None:
    page = open_page(viewport={"width": width, "height": 700}, has_touch=True)
    ask(page, QUERY)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    screenshot(page, f"width-{width}")
    page.locator("#how").click()
    page.wait_for_selector(".steps li")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("Escape")
    page.locator(".chip.value").first.click()
    page.wait_for_selector(".chooser li")
    box = page.locator(".chooser").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_enough_contrast(
    open_page: Any, ask: Any, screenshot: Any, scheme: str
) -> None:
    page = open_page(color_scheme=scheme, viewport={"width": 1200, "height": 800})
    ask(page, "german banks qwertz")
    assert page.evaluate(CONTRAST) == []
    ask(page, QUERY)
    page.locator("#how").click()
    page.wait_for_selector(".steps li")
    assert page.evaluate(CONTRAST) == []
    screenshot(page, scheme)


def test_the_theme_is_chosen_and_kept(page: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Switch to dark colours").click()
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    page.wait_for_selector("#samples a")
    assert page.evaluate(ground) == dark
    page.get_by_role("button", name="Switch to light colours").click()
    assert page.evaluate(ground) == light


def test_the_keyboard_goes_everywhere_in_order(page: Any, ask: Any) -> None:
    ask(page, "steel western europe not german")
    passed = []
    for _ in range(12):
        page.keyboard.press("Tab")
        passed.append(
            page.evaluate("document.activeElement.className || document.activeElement.id")
        )
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", passed
    assert passed[0] == "value"  # a word of the query
    assert any(each.startswith("chip") for each in passed)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "query"


def test_everything_that_can_be_used_has_a_name(page: Any, ask: Any) -> None:
    ask(page, QUERY)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, a, [role=img], [role=region]")]
        .filter((e) => e.checkVisibility())
        .filter((e) => !(e.ariaLabel || e.textContent.trim() || e.labels?.length))
        .filter((e) => !e.getAttribute("aria-labelledby"))
        .map((e) => e.outerHTML)"""
    )
    assert nameless == []


def test_a_screen_reader_is_told_the_result(page: Any, ask: Any) -> None:
    ask(page, "steel western europe not german")
    page.wait_for_function("() => document.getElementById('status').textContent.includes('compan')")
    assert page.locator("#status").get_attribute("aria-live") == "polite"


@pytest.mark.slow
def test_nothing_moves_for_those_who_want_it_so(open_page: Any, ask: Any) -> None:
    page = open_page(reduced_motion="reduce")
    ask(page, QUERY)
    moving = page.evaluate(
        "[...document.querySelectorAll('*')]"
        ".filter((e) => parseFloat(getComputedStyle(e).transitionDuration) > 0).length"
    )
    assert moving == 0


def test_the_drawer_tells_each_step(page: Any, ask: Any, screenshot: Any) -> None:
    asked = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    ask(page, "steel western europe not german")
    assert "explain" not in asked
    page.locator("#how").click()
    page.wait_for_selector(".steps li")
    assert page.locator(".steps li").count() == 21
    sector = page.locator(".steps li.chosen", has_text="FLD_EQS_SECTOR")
    assert sector.locator(".from").is_visible()
    [token, time] = [sector.locator(part).bounding_box() for part in (".permitted", ".time")]
    assert abs(token["x"] + token["width"] - time["x"] - time["width"]) < 1  # in one column
    assert page.locator(".steps circle").count() == 21
    assert "56,3" in page.locator(".story").inner_text()
    germany = page.locator(".steps li", has_text="COU_GERMANY")
    assert "\n2\n" in germany.inner_text()  # the query names two countries
    germany.hover()
    assert page.locator("#echo .lit").all_inner_texts() == ["german"]
    assert "ms" in page.locator(".times dd").last.inner_text()
    screenshot(page, "drawer")
    page.keyboard.press("Escape")
    assert page.locator("#drawer").is_hidden()
    assert page.evaluate("document.activeElement.id") == "how"
