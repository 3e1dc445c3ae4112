"""TOML files that are edited in place: what is changed is changed, and the rest stays."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.tables.toml import (
    NotEditable,
    line_of,
    toml_key,
    toml_value,
    with_entry,
    without_entry,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SCHEMA = """\
# Kept by hand.
source = "films.csv"

[columns.price]  # in euros
label = "price"  # as on the bill
names = [
  "cost",
  "fee",  # of the shop
]

# The end.
[inspected]
x = "1"
"""


def test_a_value_is_replaced_and_its_comment_stays() -> None:
    text, line = with_entry(SCHEMA, ("columns", "price"), "label", "cost # 1")
    assert text == SCHEMA.replace('"price"  #', '"cost # 1"  #')
    assert text.splitlines()[line - 1] == 'label = "cost # 1"  # as on the bill'


def test_a_value_of_several_lines_is_replaced_whole() -> None:
    text, line = with_entry(SCHEMA, ("columns", "price"), "names", ("cost",))
    assert text.splitlines()[line - 1] == 'names = ["cost"]'
    assert "of the shop" not in text
    assert "# The end." in text


def test_a_new_key_comes_at_the_end_of_its_section() -> None:
    text, line = with_entry(SCHEMA, ("columns", "price"), "unit", "EUR")
    assert text.splitlines()[line - 2 : line] == ["]", 'unit = "EUR"']


def test_a_new_section_is_put_above_a_line() -> None:
    text, line = with_entry(SCHEMA, ("taught", "values", "a b"), "x y", "z", above="# The end.")
    before, after = text.split("# The end.")
    assert before.endswith('\n]\n\n[taught.values."a b"]\n"x y" = "z"\n\n')
    assert after == SCHEMA.split("# The end.")[1]
    assert line_of(text, ("taught", "values", "a b"), "x y") == line


def test_an_entry_that_is_removed_takes_its_empty_section_along() -> None:
    text = with_entry(SCHEMA, ("taught",), "x", "y", above="# The end.").text
    text = with_entry(text, ("taught",), "z", "y").text
    text = without_entry(text, ("taught",), "z")
    assert "[taught]" in text
    assert without_entry(text, ("taught",), "x") == SCHEMA
    assert without_entry(SCHEMA, ("taught",), "x") == SCHEMA


def test_line_endings_of_windows_stay() -> None:
    text = with_entry(SCHEMA.replace("\n", "\r\n"), ("inspected",), "y", "2").text
    assert text == SCHEMA.replace("\n", "\r\n") + 'y = "2"\r\n'


@pytest.mark.parametrize(
    "text", ['taught = {x = "1"}\n', 'taught.x = "1"\n', "[[taught]]\nx = 1\n"]
)
def test_a_layout_that_cannot_be_edited_is_refused(text: str) -> None:
    with pytest.raises(NotEditable, match=r"\[taught\] is written in a way .* nothing was changed"):
        with_entry(text, ("taught",), "x", "2")


@given(st.dictionaries(TEXT, st.dictionaries(TEXT, TEXT, min_size=1, max_size=3)), st.data())
def test_any_words_are_set_and_removed_again(given_, data) -> None:
    text = "# first\n"
    for section, entries in given_.items():
        for key, value in entries.items():
            text = with_entry(text, ("taught", section), key, value).text
    assert tomllib.loads(text).get("taught", {}) == given_
    for section, entries in given_.items():
        key = data.draw(st.sampled_from(sorted(entries)))
        assert line_of(text, ("taught", section), key)
        for each in entries:
            text = without_entry(text, ("taught", section), each)
    assert tomllib.loads(text) == {}
    assert text.startswith("# first\n")


@given(TEXT)
def test_keys_and_values_are_read_back(text: str) -> None:
    assert tomllib.loads(f"{toml_key(text)} = {toml_value((text,))}") == {text: [text]}
