"""The file of columns, and the columns themselves, against plain Python."""

from __future__ import annotations

from pathlib import Path
from random import Random
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables.memory.arrays import cottage_columns
from tables.query.cottages import random_world

from grammax.tables.memory.columns import Columns, NoColumns
from grammax.tables.memory.gather import QuarterlyRows, in_order
from grammax.tables.memory.values import Lists, Texts

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=3)
ROWS = st.lists(st.none() | TEXT, min_size=1, max_size=20)


@given(ROWS, st.lists(TEXT, max_size=4))
def test_texts_are_as_given_and_conditions_know_what_is_unknown(
    rows: list[str | None], wanted: list[str]
) -> None:
    texts = Texts.of(rows)
    every = np.arange(len(rows))
    assert texts.cells(every) == rows
    found = texts.among(wanted)
    assert found.true.tolist() == [row in wanted for row in rows]
    assert found.false.tolist() == [row is not None and row not in wanted for row in rows]
    known = [row for row in rows if row is not None]
    assert [rows[i] for i in np.argsort(texts.order, kind="stable")][: len(known)] == sorted(known)


@given(ROWS, st.dictionaries(TEXT, st.lists(TEXT, max_size=3), max_size=3))
def test_the_first_group_that_lists_a_text_is_its_own(
    rows: list[str | None], groups: dict[str, list[str]]
) -> None:
    found = Texts.of(rows).renamed(groups).cells(np.arange(len(rows)))
    wanted = [next((g for g, texts in groups.items() if row in texts), None) for row in rows]
    assert found == wanted


@given(st.lists(st.lists(TEXT, max_size=3), min_size=1, max_size=12), st.data())
def test_lists_are_expanded_for_any_rows(rows: list[list[str]], data: st.DataObject) -> None:
    lists = Lists.of(rows)
    index = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8))
    which, codes = lists.expanded(np.array(index, np.intp))
    wanted = [(n, text) for n, row in enumerate(index) for text in sorted(rows[row])]
    assert [(n, lists.values.listed[c]) for n, c in zip(which, codes, strict=True)] == wanted
    asked = data.draw(st.lists(TEXT, max_size=3))
    assert lists.hold(asked).true.tolist() == [bool({*row} & {*asked}) for row in rows]


def test_columns_are_mapped_as_they_were_written(tmp_path: Path) -> None:
    columns = cottage_columns(random_world(40, Random(2)))
    columns.write(tmp_path / "deep" / "cottages.columns")
    found = Columns.read(tmp_path / "deep" / "cottages.columns")
    every = np.arange(columns.count)
    assert found.count == columns.count
    for name, texts in columns.texts.items():
        assert found.texts[name].cells(every) == texts.cells(every)
    for name, numbers in columns.numbers.items():
        assert np.array_equal(found.numbers[name], numbers, equal_nan=True)
    joined = [
        lists.joined.cells(every) for lists in (*columns.lists.values(), *found.lists.values())
    ]
    assert joined[0] == joined[1]
    with pytest.raises(ValueError, match="read-only"):
        found.numbers["FLD_GUESTS"][0] = 1.0


def test_a_file_that_is_cut_or_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cottages.columns"
    cottage_columns(random_world(40, Random(2))).write(path)
    whole = path.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], whole[:-1], b"x" + whole[1:], b"\0" * 100):
        path.write_bytes(damaged)
        with pytest.raises(NoColumns, match="cannot be read as columns"):
            Columns.read(path)
    objects = whole.replace(b'"<f8"', b'"|O8"')
    path.write_bytes(objects)
    with pytest.raises(NoColumns, match="its list is damaged"):
        Columns.read(path)
    listed = objects[-24 - int(objects[-24:-12]) : -24]
    path.write_bytes(objects[:-12] + b"%012d" % crc32(listed))
    with pytest.raises(NoColumns, match="type"):
        Columns.read(path)


def test_a_byte_that_is_another_never_changes_a_value(tmp_path: Path) -> None:
    path = tmp_path / "series.columns"
    series = {"FLD_A": np.arange(6.0).reshape(2, 3), "FLD_B": np.ones((2, 3))}
    texts = {"name": Texts.of(["b", "a", None])}
    Columns(3, texts, series=series, fiscal=np.zeros(3, np.intp)).write(path)
    whole, noticed = path.read_bytes(), 0
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        try:
            found = Columns.read(path)
            for name, values in series.items():
                assert np.array_equal(found.series[name], values)
            assert found.texts["name"].cells(np.arange(3)) == ["b", "a", None]
        except NoColumns:
            noticed += 1
    assert noticed > len(whole) / 2  # the other bytes are padding


def test_a_damaged_series_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "series.columns"
    series = {"FLD_A": np.arange(6.0).reshape(2, 3), "FLD_B": np.ones((2, 3))}
    Columns(3, {}, series=series, fiscal=np.zeros(3, np.intp)).write(path)
    path.write_bytes(path.read_bytes().replace(series["FLD_A"].tobytes(), bytes(48)))
    found = Columns.read(path)
    assert np.array_equal(found.series["FLD_B"], series["FLD_B"])
    with pytest.raises(NoColumns, match="series/FLD_A is damaged"):
        found.series["FLD_A"]


def test_rows_by_quarter_become_a_matrix() -> None:
    entities, quarters = np.array([1, 0, 1]), np.array([8000, 8001, 8002])
    rows = QuarterlyRows(3, entities, quarters, quarters + np.array([1, 0, 1]))
    assert (rows.first, rows.ahead.tolist()) == (8000, [0, 1, 0])
    found = rows.matrix(np.array([5.0, 6.0, 7.0]))
    nan = np.nan
    wanted = [[nan, 5, nan], [6, nan, nan], [nan, 7, nan]]
    assert np.array_equal(found, np.array(wanted), equal_nan=True)
    with pytest.raises(NoColumns, match="two rows of one quarter"):
        QuarterlyRows(3, np.array([1, 1]), np.array([8, 8]), np.array([8, 8]))
    with pytest.raises(NoColumns, match="has changed"):
        QuarterlyRows(3, np.array([1, 1]), np.array([8, 9]), np.array([8, 10]))
    assert in_order(["b", "a"]).tolist() == [1, 0]
