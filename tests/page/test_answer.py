"""The answer: numbers as people read them, all rows sorted and saved, charts, and nothing."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

TOP = "What are the top five Asian tech companies?"
RATIO = "Top 10 European non-German tech firms sorted by p/b ratio"
MANY = "return on capital sp500"
FIELD = "FLD_RETURN_ON_CAP"
NOTHING = "german steel with market cap over 900bn"
NEVER = "german steel with market cap over 900bn and pe ratio below 0.01"

NUMBERS = (
    (1_234_000_000, "money", "1.23 bn"),
    (480_593_520_000.0, "money", "481 bn"),
    (1.5e12, "money", "1.50 tn"),
    (999_999_999, "money", "1.00 bn"),
    (-2_500_000, "money", "−2.50 m"),
    (12_345, "count", "12,345"),
    (4.51, "percent", "4.5 %"),
    (-0.25, "percent", "−0.3 %"),
    (-0.01, "percent", "0.0 %"),
    (9.337, "ratio", "9.34"),
    (3.1, "per_share", "3.10"),
    (8.6, "rating", "8.6"),
    (8.0, "percent", "8 %"),
    (2018, "year", "2018"),
    (None, "money", "–"),
    (True, "text", "yes"),
    (["A", "B"], "text", "A, B"),
)


def click(page: Any, heading: Any) -> None:
    """Sort by a heading, and wait until the rows have come."""
    with page.expect_response("**/run"):
        heading.get_by_role("button").click()
    page.wait_for_function(
        "() => document.getElementById('result').getAttribute('aria-busy') === 'false'"
    )


def number(text: str) -> float:
    return float(text.replace("−", "-").removesuffix(" %"))


def test_synthetic_numbers_are_labelled(page: Any, ask: Any) -> None:
    ask(page, TOP)
    assert page.locator("#answer .tag").inner_text() == "synthetic numbers"
    assert "synthetic" in page.locator("footer").inner_text()


def test_numbers_are_short_and_their_title_is_exact(page: Any, ask: Any) -> None:
    ask(page, TOP)
    cell = page.locator("#answer td.number").first
    assert cell.inner_text().endswith((" bn", " tn"))
    assert cell.get_attribute("title").endswith(" USD")
    assert "USD" in page.locator("#answer th.number").inner_text()


def test_a_heading_sorts_all_rows_on_the_server(page: Any, ask: Any) -> None:
    ask(page, MANY)
    heading = page.locator("#answer th", has_text="Return on capital")
    numbers = page.locator("#answer td.number")
    before = numbers.all_inner_texts()
    click(page, heading)
    assert heading.get_attribute("aria-sort") == "descending"
    assert page.evaluate("document.activeElement.closest('th').dataset.column") == FIELD
    largest = [number(text) for text in numbers.all_inner_texts()]
    assert largest == sorted(largest, reverse=True)
    assert max(largest) > max(number(text) for text in before)
    assert "sort=-FLD_" in page.url
    click(page, heading)
    assert heading.get_attribute("aria-sort") == "ascending"
    assert number(numbers.first.inner_text()) < 0
    click(page, heading)
    assert heading.get_attribute("aria-sort") == "none"
    assert numbers.all_inner_texts() == before


def test_names_are_sorted_by_the_alphabet_and_the_chart_follows(page: Any, ask: Any) -> None:
    ask(page, TOP)
    page.wait_for_selector("#answer svg .bar")
    click(page, page.locator("#answer th", has_text="Name"))
    names = page.locator("#answer td.name").all_inner_texts()
    assert names == sorted(names, key=str.lower)
    page.wait_for_function(
        "names => JSON.stringify([...document.querySelectorAll('#answer svg .name title')]"
        ".map((each) => each.textContent)) === JSON.stringify(names)",
        arg=names,
    )
    page.get_by_role("button", name="Original order").click()
    page.wait_for_function("() => !location.hash.includes('sort=')")


def test_more_rows_are_added_until_all_are_shown(page: Any, ask: Any) -> None:
    ask(page, MANY)
    rows = page.locator("#answer tbody tr")
    assert rows.count() == 20
    assert page.locator("#answer .count").inner_text() == "Showing 20 of 503 companies"
    click(page, page.locator("#answer th", has_text="Return on capital"))
    first = rows.first.element_handle()
    for button, shown in (("Show 100 more", 120), ("Show all 503", 503)):
        page.get_by_role("button", name=button).click()
        page.wait_for_function(
            "n => document.querySelectorAll('#answer tbody tr').length === n", arg=shown
        )
    assert rows.first.evaluate("(row, before) => row === before", first)
    assert page.locator("#answer .count").inner_text() == "503 companies"
    assert page.locator("#answer .more").count() == 0
    assert page.locator("#edits").is_hidden()
    texts = page.locator("#answer td.number").all_inner_texts()
    numbers = [number(text) for text in texts if text != "–"]
    assert numbers == sorted(numbers, reverse=True)


def test_the_page_scrolls_more_rows_and_the_headings_stay_in_sight(page: Any, ask: Any) -> None:
    ask(page, MANY)
    page.get_by_role("button", name="Show all 503").click()
    page.wait_for_function("() => document.querySelectorAll('#answer tbody tr').length === 503")
    scroll = page.locator("#answer .scroll")
    assert scroll.evaluate("(element) => element.scrollHeight - element.clientHeight") <= 1
    page.locator("#answer tbody tr").last.scroll_into_view_if_needed()
    assert page.locator("#answer tbody tr").last.is_visible()
    assert abs(page.locator("#answer thead th").first.bounding_box()["y"]) < 1
    page.evaluate("window.scrollTo(0, 0)")


def test_the_csv_has_all_rows_in_the_order_of_the_table(page: Any, ask: Any) -> None:
    ask(page, MANY)
    click(page, page.locator("#answer th", has_text="Return on capital"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all rows as CSV").click()
    assert download.value.suggested_filename == "grammax return on capital sp500.csv"
    text = Path(download.value.path()).read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 503
    keys = page.locator("#answer td:first-child").all_inner_texts()
    assert [row["Ticker"] for row in rows][:20] == keys


def test_parquet_is_saved_too(page: Any, ask: Any) -> None:
    pytest.importorskip("pyarrow")
    ask(page, TOP)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all rows as Parquet").click()
    assert download.value.suggested_filename.endswith(".parquet")
    assert Path(download.value.path()).read_bytes()[:4] == b"PAR1"


def test_a_download_that_is_refused_is_told(page: Any, ask: Any, wrong: list[str]) -> None:
    ask(page, TOP)
    error = {"error": {"message": "It cannot be written.", "hint": "Ask for csv."}}
    page.route("**/export", lambda route: route.fulfill(status=422, json=error))
    page.get_by_role("button", name="Download all rows as Parquet").click()
    page.wait_for_selector("#notice:not([hidden])")
    assert "It cannot be written." in page.locator("#notice").inner_text()
    wrong.clear()


def test_the_query_of_an_answer_can_be_copied(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    page.get_by_role("button", name="Query", exact=True).click()
    source = page.locator(".source")
    page.wait_for_selector(".source [aria-label=SQL]:has-text('SELECT')")
    assert "COU_GERMANY" in source.locator("[aria-label='Logical form']").inner_text()
    command = source.locator("[aria-label=Command]").inner_text()
    assert command.startswith("curl 'http://127.0.0.1:")
    assert source.locator("[aria-label=Link]").inner_text() == page.url
    closed = "{value: undefined, configurable: true}"
    page.evaluate(f"() => void Object.defineProperty(navigator, 'clipboard', {closed})")
    source.get_by_role("button", name="Copy: Command").click()
    page.wait_for_selector(".source button:has-text('Copied')")
    assert page.evaluate("getSelection().toString()").strip() == command
    page.keyboard.press("Escape")
    page.wait_for_selector(".source", state="detached")
    assert page.evaluate("document.activeElement.textContent") == "Query"


def test_columns_that_nobody_asked_for_are_marked(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    labels = page.locator("#answer th.default span").all_inner_texts()
    assert labels == ["Market capitalisation", "Share price", "P/E ratio"]
    notes = page.locator("#answer .note").all_inner_texts()
    assert f"Shown by default: {', '.join(labels)}." in notes
    assert "Sorted by market capitalisation, largest first." in notes


def test_numbers_are_read_as_people_read_them(page: Any) -> None:
    script = "async ([v, t]) => (await import('/static/js/answer/numbers.js')).shown(v, t)"
    for value, type_, shown in NUMBERS:
        assert page.evaluate(script, [value, type_]) == shown


def test_a_column_has_as_few_decimals_as_show_its_numbers(page: Any) -> None:
    script = "async (given) => (await import('/static/js/answer/numbers.js')).digitsOf(given)"
    for values, digits in (([162, 95], 0), ([8.6, 9, None], 1), ([8.35, 9], 2), ([1 / 3], 2)):
        assert page.evaluate(script, values) == digits


def test_a_unit_that_the_label_has_is_not_repeated(page: Any) -> None:
    script = "async (given) => (await import('/static/js/answer/numbers.js')).sign(given)"
    assert page.evaluate(script, {"label": "Employees", "unit": "employees"}) is None
    assert page.evaluate(script, {"label": "Runtime", "unit": "minutes"}) == "minutes"
    assert page.evaluate(script, {"label": "P/E ratio", "unit": "x"}) is None


def test_missing_periods_of_a_count_are_0_and_a_line_of_others_ends(page: Any) -> None:
    script = """async ([names, isZero]) => {
      const { runs, timeOf } = await import('/static/js/answer/chart-line.js');
      const data = names.map((name) => ({ name, at: timeOf(name), values: [1] }));
      return runs(data, isZero).map((run) => run.map(({ name, values }) => [name, values[0]]));
    }"""
    years = ["1979", "1981", "1982"]
    zeros = [["1979", 1], ["1980", 0], ["1981", 1], ["1982", 1]]
    assert page.evaluate(script, [years, True]) == [zeros]
    assert page.evaluate(script, [years, False]) == [zeros[:1], zeros[2:]]
    [quarters] = page.evaluate(script, [["Q3 2024", "Q2 2025"], True])
    assert [name for name, _ in quarters] == ["Q3 2024", "Q4 2024", "Q1 2025", "Q2 2025"]
    [months] = page.evaluate(script, [["2024-11", "2025-01"], True])
    assert [name for name, _ in months] == ["2024-11", "2024-12", "2025-01"]


def test_a_scale_of_counts_has_whole_ticks_from_0(page: Any) -> None:
    script = """async (values) =>
      (await import('/static/js/answer/scales.js')).scale(values, 100, 0, 4, 'count').ticks"""
    assert page.evaluate(script, [1, 2, 1]) == [0, 1, 2]
    assert page.evaluate(script, [1, 1]) == [0, 1]


def test_no_text_of_a_chart_is_cut_at_its_sides(open_page: Any, ask: Any) -> None:
    page = open_page(viewport={"width": 360, "height": 700})
    for query in ("largest japanese companies by employees", MANY, "number of banks by quarter"):
        ask(page, query)
        page.wait_for_selector("#answer svg")
        outside = page.evaluate(
            """() => {
              const { left, right } = document.querySelector('#answer svg').getBoundingClientRect();
              const texts = [...document.querySelectorAll('#answer svg text')];
              return texts.filter((text) => {
                const box = text.getBoundingClientRect();
                return box.left < left - 1 || box.right > right + 1;
              }).map((text) => text.textContent);
            }"""
        )
        assert outside == []


def test_a_few_rows_are_drawn_as_bars(page: Any, ask: Any) -> None:
    ask(page, TOP)
    page.wait_for_selector("#answer svg")
    assert page.locator("#answer svg .bar").count() == 5
    named = page.locator("#answer svg").get_attribute("aria-labelledby").split()
    assert "Market cap" in page.locator(f"#{named[0]}").text_content()
    first = page.locator("#answer td.name").first.inner_text()
    assert first in page.locator(f"#{named[1]}").text_content()


def test_many_rows_are_drawn_as_a_histogram_of_all(page: Any, ask: Any) -> None:
    ask(page, MANY)
    page.wait_for_selector("#answer svg")
    counts = page.locator("#answer svg .bar title").all_text_contents()
    assert sum(int(text.rpartition(": ")[2].replace(",", "")) for text in counts) == 503
    assert "503 companies" in page.locator("#answer figcaption").inner_text()


def test_where_there_is_no_distribution_the_first_rows_are_drawn(
    page: Any, ask: Any, wrong: list[str]
) -> None:
    error = {"error": {"message": "Too many rows.", "hint": ""}}
    page.route("**/distribution", lambda route: route.fulfill(status=422, json=error))
    ask(page, MANY)
    page.wait_for_selector("#answer svg .bar")
    assert page.locator("#answer svg .bar").count() == 20
    assert "20 of 503 companies" in page.locator("#answer figcaption").inner_text()
    wrong.clear()


def test_a_summary_by_time_is_drawn_as_a_line(page: Any, ask: Any) -> None:
    ask(page, "total revenue of german banks by year")
    page.wait_for_selector("#answer svg .line")
    rows = page.locator("#answer tbody tr").count()
    assert page.locator("#answer svg .point").count() == rows
    assert "2024" in page.locator("#answer figcaption").inner_text()


def test_groups_are_drawn_as_bars(page: Any, ask: Any) -> None:
    ask(page, "average pe ratio by sector")
    page.wait_for_selector("#answer svg .bar")
    names = page.locator("#answer svg .name title").all_text_contents()
    assert names == page.locator("#answer td:first-child").all_inner_texts()


def test_two_columns_of_numbers_are_drawn_as_points(page: Any, ask: Any) -> None:
    ask(page, RATIO)
    page.wait_for_selector("#answer svg .point")
    assert page.locator("#answer svg .point").count() == 10


def test_charts_are_loaded_after_the_table(open_page: Any, ask: Any, wrong: list[str]) -> None:
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    page.route("**/chart.js", lambda route: route.abort())
    ask(page, TOP)
    page.wait_for_timeout(300)
    assert page.locator("#answer tbody tr").count() == 5  # the table is there without it
    assert asked.index("ask") < asked.index("chart.js")
    wrong.clear()  # the browser tells of it


def test_typing_on_asks_for_no_distribution(page: Any) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    page.locator("#query").press_sequentially("return on capital sp500", delay=40)
    page.wait_for_selector("#answer svg")
    assert asked.count("distribution") < asked.count("ask") / 2


def test_an_empty_answer_says_what_to_leave_out(page: Any, ask: Any) -> None:
    ask(page, NOTHING)
    told = page.locator("#answer .nothing")
    assert "One condition removes everything" in told.inner_text()
    assert page.get_by_role("button", name="Download all rows as CSV").count() == 0
    button = told.get_by_role("button").first
    assert "without" in button.inner_text()
    remaining = button.locator("strong").inner_text()
    button.click()
    page.wait_for_selector("#answer tbody tr")
    assert page.locator("#answer .count").inner_text().lower() == remaining
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("#answer .nothing")


def test_a_print_has_the_table_and_the_chart_alone(open_page: Any, ask: Any) -> None:
    page = open_page(color_scheme="dark")
    ask(page, MANY)
    page.wait_for_selector("#answer svg")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 247)"
    for hidden in ("#query", "#answer .more >> nth=0", "#answer .files", "#how"):
        assert page.locator(hidden).is_hidden()
    for kept in ("#paraphrase", "#answer table", "#answer svg"):
        assert page.locator(kept).is_visible()


def test_a_wide_table_keeps_its_first_column_in_sight(open_page: Any, ask: Any) -> None:
    page = open_page(viewport={"width": 320, "height": 700}, has_touch=True)
    ask(page, "german banks")
    scroll = page.locator("#answer .scroll")
    cell = page.locator("#answer td:first-child").first
    before = cell.bounding_box()["x"]
    mask = "(element) => getComputedStyle(element).maskImage"
    assert scroll.evaluate(mask) != "none"  # more columns are to the side
    scroll.evaluate("(element) => (element.scrollLeft = 200)")
    assert scroll.evaluate("(element) => element.scrollLeft") > 50
    assert abs(cell.bounding_box()["x"] - before) < 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    scroll.evaluate("(element) => (element.scrollLeft = 10_000)")
    page.wait_for_function("() => document.querySelector('#answer .scroll.ends')")
    assert scroll.evaluate(mask) == "none"


def test_where_leaving_out_one_condition_does_not_help_each_is_offered_alone(
    page: Any, ask: Any
) -> None:
    ask(page, NEVER)
    told = page.locator("#answer .nothing")
    assert "Leaving out one condition is not enough" in told.inner_text()
    button = told.get_by_role("button", name="only").first
    rows = button.locator("strong").inner_text()
    button.click()
    page.wait_for_selector("#answer tbody tr")
    assert page.locator("#answer .count").inner_text().endswith(rows)
