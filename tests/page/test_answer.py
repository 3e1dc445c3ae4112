"""The answer: numbers as people read them, a table that sorts, a chart, and CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

TOP = "What are the top five Asian tech companies?"
RATIO = "Top 10 European non-German tech firms sorted by p/b ratio"

CELLS = (
    ("plain", "plain"),
    ('say "hi", twice', '"say ""hi"", twice"'),
    ("two\nlines", '"two\nlines"'),
    ("=1+1", "'=1+1"),
    ("@SUM(A1)", "'@SUM(A1)"),
    ("+49", "'+49"),
    ("-cmd", "'-cmd"),
    ("\t=1", "'\t=1"),
    (-1.5, "-1.5"),
    (None, ""),
    (["a", "b"], '"a; b"'),
)
NUMBERS = (
    (1_234_000_000, "money", "1.23 bn"),
    (480_593_520_000.0, "money", "481 bn"),
    (1.5e12, "money", "1.50 tn"),
    (999_999_999, "money", "1.00 bn"),
    (-2_500_000, "money", "−2.50 m"),
    (12_345, "count", "12,345"),
    (4.51, "percent", "4.5 %"),
    (-0.25, "percent", "−0.3 %"),
    (9.337, "ratio", "9.34"),
    (3.1, "per_share", "3.10"),
    (2018, "year", "2018"),
    (None, "money", "–"),
    (True, "text", "yes"),
    (["A", "B"], "text", "A, B"),
)


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


def test_a_heading_sorts(page: Any, ask: Any) -> None:
    ask(page, TOP)
    heading = page.locator("#answer th", has_text="Name")
    names = page.locator("#answer td:nth-child(2)")
    before = names.all_inner_texts()
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert names.all_inner_texts() == sorted(before, key=str.lower)
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert names.all_inner_texts() == sorted(before, key=str.lower, reverse=True)
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "none"
    assert names.all_inner_texts() == before


def test_the_csv_has_what_the_table_has(page: Any, ask: Any) -> None:
    ask(page, TOP)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    assert (
        download.value.suggested_filename
        == "grammax What are the top five Asian tech companies.csv"
    )
    text = Path(download.value.path()).read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["Ticker"] for row in rows] == page.locator(
        "#answer td:first-child"
    ).all_inner_texts()
    assert float(rows[0]["Market capitalisation (USD)"]) > 1e9


def test_a_cell_of_csv_is_quoted_and_runs_nothing(page: Any) -> None:
    module = "/static/js/answer/csv.js"
    script = f"async v => (await import('{module}')).csv([{{label: 'A', unit: null}}], [[v]])"
    for value, written in CELLS:
        assert page.evaluate(script, value) == f"A\r\n{written}\r\n"


def test_numbers_are_read_as_people_read_them(page: Any) -> None:
    script = "async ([v, t]) => (await import('/static/js/answer/numbers.js')).shown(v, t)"
    for value, type_, shown in NUMBERS:
        assert page.evaluate(script, [value, type_]) == shown


def test_one_column_of_numbers_is_drawn_as_bars(page: Any, ask: Any) -> None:
    ask(page, TOP)
    assert page.locator("#answer svg .bar").count() == 5
    named = page.locator("#answer svg").get_attribute("aria-labelledby").split()
    assert "Market cap" in page.locator(f"#{named[0]}").text_content()


def test_two_columns_of_numbers_are_drawn_as_points(page: Any, ask: Any) -> None:
    ask(page, RATIO)
    assert page.locator("#answer svg .point").count() == 10


def test_a_chart_has_no_place_where_there_are_no_numbers(page: Any, ask: Any) -> None:
    ask(page, "german banks")
    assert page.locator("#answer figure").count() == 0


def test_more_rows_are_shown_if_asked_for(page: Any, ask: Any) -> None:
    ask(page, "return on capital sp500")
    assert page.locator("#answer tbody tr").count() == 20
    assert page.locator("#answer .count").inner_text().startswith("Showing 20 of ")
    page.get_by_role("button", name="Show more").click()
    page.wait_for_function("() => document.querySelectorAll('#answer tbody tr').length > 20")
    assert page.locator("#edits").is_hidden()
