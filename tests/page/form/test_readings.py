"""Where the parser is unsure, two readings stand side by side with their rows."""

from __future__ import annotations

from typing import Any

QUERY = "hdfc bank gross npl"
COUNTED = """() => {
  const counts = [...document.querySelectorAll('#readings:not([hidden]) .beside small')];
  return counts.length === 2 && counts.every((small) => small.textContent);
}"""


def test_two_readings_have_their_rows(page: Any, ask: Any, screenshot: Any) -> None:
    ask(page, QUERY)
    page.wait_for_function(COUNTED)
    screenshot(page, "readings")
    boxes = [each.bounding_box() for each in page.locator("#readings .beside").all()]
    assert len(boxes) == 2
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] < boxes[1]["x"]
    taken = page.locator("#readings .beside button span").nth(1).inner_text()
    page.locator("#readings .beside button").nth(1).click()
    page.wait_for_selector("#readings .beside:nth-child(2) button[aria-current]")
    assert page.locator("#readings button[aria-current]").count() == 1
    assert taken.lower() in page.locator("#paraphrase").inner_text().lower()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("#readings .beside:nth-child(1) button[aria-current]")
    assert "%" not in page.locator("#readings").inner_text()


def test_rows_are_counted_after_the_answer_and_not_while_typing(page: Any, ask: Any) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    page.locator("#query").press_sequentially(QUERY, delay=10)
    page.wait_for_function(COUNTED)
    first = asked.index("run")
    assert "ask" not in asked[first:]
    assert asked.count("run") <= 4


def test_a_sure_reading_stands_alone(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.wait_for_timeout(400)
    assert page.locator("#readings").is_hidden()


def test_readings_are_below_each_other_on_a_phone(open_page: Any, ask: Any) -> None:
    page = open_page(viewport={"width": 320, "height": 640}, color_scheme="dark")
    ask(page, QUERY)
    page.wait_for_function(COUNTED)
    boxes = [each.bounding_box() for each in page.locator("#readings .beside").all()]
    assert boxes[0]["y"] < boxes[1]["y"]
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
