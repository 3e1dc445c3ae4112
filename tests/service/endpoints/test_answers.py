"""Answers are sorted, paged and exported over all rows, on the server."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from service.given import GERMAN, LF
from starlette.testclient import TestClient

from grammax.language.answer import Answer, Column
from grammax.service.endpoints import export
from grammax.service.endpoints.export import csv_file, parquet_file

SP500 = "(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_ROIC))"
NOTHING = (
    "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL))"
    " (FLD_MKT_CAP GR 900 BILLION))"
)
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
    (480_593_520_000.0, "480593520000"),
    (None, '""'),
    (("a", "b"), "a; b"),
)


def number(answer: dict[str, Any], field: str = "FLD_ROIC") -> list[float | None]:
    at = [column["field"] for column in answer["columns"]].index(field)
    return [row[at] for row in answer["rows"]]


@pytest.mark.parametrize(
    ("query", "unfinished"),
    [
        ("dutch semi", "likely"),
        ("french banks with mar", "likely"),
        ("italian util", "likely"),
        ("eur", "likely"),
        ("german banks", None),
        ("us", "possible"),
        ("german banks ", None),
        ("top 1", None),
        ("steel qwzx", None),
    ],
)
def test_a_word_that_begins_a_likelier_name_is_unfinished(post, query, unfinished) -> None:
    for path in ("/ask", "/parse"):
        found = post(path, {"query": query, "typing": True})
        assert found.get("parse", found)["unfinished"] == unfinished
        told = post(path, {"query": query})
        assert told.get("parse", told)["unfinished"] is None


@pytest.mark.parametrize("query", ["companies", "Show all companies", "everything"])
def test_a_noun_alone_asks_for_all_rows(post, query) -> None:
    every = post("/run", {"lf": "(display FLD_MKT_CAP)", "rows": 1})["answer"]["total"]
    asked = post("/ask", {"query": query, "rows": 1})
    assert asked["answer"]["total"] == every
    assert not asked["parse"]["abstains"]


def test_a_sort_is_over_all_rows(post) -> None:
    every = post("/run", {"lf": SP500, "rows": 1000})["answer"]
    known = sorted((n for n in number(every) if n is not None), reverse=True)
    for column in ("FLD_ROIC", 2):
        sort = {"column": column, "descending": True}
        found = post("/run", {"lf": SP500, "rows": 5, "sort": sort})["answer"]
        assert number(found) == known[:5]
        assert (found["total"], found["more"]) == (len(every["rows"]), True)


@pytest.mark.parametrize("descending", [False, True])
def test_pages_are_the_whole_answer_and_missing_values_come_last(post, descending) -> None:
    sort = {"column": "FLD_ROIC", "descending": descending}
    every = post("/run", {"lf": SP500, "rows": 1000, "sort": sort})["answer"]["rows"]
    pages: list[Any] = []
    while True:
        body = {"lf": SP500, "rows": 150, "offset": len(pages), "sort": sort}
        page = post("/run", body)["answer"]
        assert page["offset"] == len(pages)
        assert page["total"] == len(every)
        pages += page["rows"]
        if not page["more"]:
            break
    assert pages == every
    numbers = [row[2] for row in every]
    known = [n for n in numbers if n is not None]
    assert numbers == sorted(known, reverse=descending) + [None] * (len(numbers) - len(known))


def test_names_are_sorted_by_the_alphabet(post) -> None:
    found = post("/run", {"lf": LF, "rows": 1000, "sort": {"column": 1}})["answer"]["rows"]
    names = [row[1] for row in found]
    assert names == sorted(names, key=str.lower)


def test_groups_are_sorted(post) -> None:
    lf = "(AND (count) (by FLD_DOMICILE))"
    found = post("/run", {"lf": lf, "rows": 1000, "sort": {"column": "FLD_DOMICILE"}})["answer"]
    names = [row[0] for row in found["rows"]]
    assert names == sorted(names, key=str.lower)
    counted = post("/run", {"lf": lf, "rows": 1000, "sort": {"column": 1}})["answer"]["rows"]
    assert [row[1] for row in counted] == sorted(row[1] for row in found["rows"])


def test_beyond_the_end_there_is_nothing_and_the_total_is_told(post) -> None:
    found = post("/run", {"lf": LF, "offset": 9_000_000})["answer"]
    assert found["rows"] == []
    assert found["total"] > 0
    assert not found["more"]
    assert found["diagnosis"] == []


@pytest.mark.parametrize("column", [99, "FLD_BETA", "'; DROP TABLE equity; --"])
@pytest.mark.parametrize("path", ["/run", "/ask", "/export"])
def test_an_unknown_column_is_told(client: TestClient, path: str, column: object) -> None:
    asked = {"query": "german steel"} if path == "/ask" else {"lf": LF}
    response = client.post(path, json=asked | {"sort": {"column": column}})
    assert response.status_code == 422
    error = response.json()["error"]
    assert error["code"] == "bad_sort"
    assert "FLD_DOMICILE" in error["message"]


def test_ask_sorts_and_pages(post) -> None:
    asked = {"query": "return on capital sp500", "rows": 3}
    sort = {"column": 2, "descending": True}
    every = post("/ask", asked | {"rows": 1000, "sort": sort})["answer"]["rows"]
    assert post("/ask", asked | {"offset": 3, "sort": sort})["answer"]["rows"] == every[3:6]


def test_a_query_without_numbers_has_default_columns(post) -> None:
    found = post("/run", {"lf": LF})["answer"]
    defaults = [column["field"] for column in found["columns"] if column["default"]]
    assert defaults == ["FLD_MKT_CAP", "FLD_PRICE", "FLD_PE_RATIO"]
    caps = number(found, "FLD_MKT_CAP")
    assert caps == sorted(caps, reverse=True)
    [cap] = [column for column in found["columns"] if column["field"] == "FLD_MKT_CAP"]
    assert cap["unit"] == "USD"
    plain = post("/run", {"lf": LF, "defaults": False})["answer"]
    assert not any(column["default"] for column in plain["columns"])
    assert len(plain["columns"]) == len(found["columns"]) - 3
    asked = post("/run", {"lf": "(top 3 FLD_MKT_CAP)"})["answer"]
    assert not any(column["default"] for column in asked["columns"])


def test_an_empty_answer_says_which_condition_removes_everything(post) -> None:
    found = post("/run", {"lf": NOTHING})["answer"]
    assert (found["rows"], found["total"]) == ([], 0)
    by_remaining = {each["remaining"]: each for each in found["diagnosis"]}
    assert len(found["diagnosis"]) == 3
    best = found["diagnosis"][0]
    assert best["remaining"] == max(by_remaining) > 0
    assert "900" in best["condition"]
    assert best["has_data"]
    assert post("/run", {"tokens": best["tokens"]})["answer"]["total"] == best["remaining"]
    assert best["alone"] is None
    assert post("/run", {"lf": LF})["answer"]["diagnosis"] == []


def test_an_empty_answer_counts_each_condition_alone_where_no_other_helps(post) -> None:
    few = "(FLD_MKT_CAP GR 900 BILLION) (FLD_MKT_CAP LS 1 MILLION)"
    lf = f"(AND (FLD_DOMICILE EQ COU_GERMANY) {few})"
    found = post("/run", {"lf": lf})["answer"]["diagnosis"]
    assert [each["remaining"] for each in found] == [0, 0, 0]
    counts = [each["alone"] for each in found]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 0
    for each in found:
        alone = post("/run", {"tokens": each["alone_tokens"]})["answer"]
        assert alone["total"] == each["alone"]


def test_an_export_has_all_rows_as_csv(client: TestClient, post) -> None:
    sort = {"column": "FLD_ROIC", "descending": True}
    body = {"lf": SP500, "sort": sort, "name": "return on/capital"}
    response = client.post("/export", json=body)
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.headers["content-disposition"].endswith("grammax%20return%20on%20capital.csv")
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
    shown = post("/run", {"lf": SP500, "rows": 1000, "sort": sort})["answer"]
    assert len(rows) == shown["total"] + 1 > 400
    assert [row[0] for row in rows[1:]] == [row[0] for row in shown["rows"]]


def test_an_export_has_all_rows_as_parquet(client: TestClient, post) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    response = client.post("/export", json={"tokens": list(GERMAN), "format": "parquet"})
    assert response.status_code == 200
    table = parquet.read_table(io.BytesIO(response.content))
    answer = post("/run", {"tokens": list(GERMAN), "rows": 1000})["answer"]
    assert table.num_rows == answer["total"]
    assert table.column(0).to_pylist()[:5] == [row[0] for row in answer["rows"]][:5]
    assert str(table.schema.field("Market capitalisation (USD)").type) == "double"


def test_an_export_shows_the_sql(client: TestClient) -> None:
    response = client.post("/export", json={"lf": LF, "format": "sql"})
    assert response.status_code == 200
    assert "SELECT" in response.text
    assert "COU_GERMANY" in response.text


def test_the_sql_has_the_order_and_the_columns_of_the_answer(client: TestClient) -> None:
    form = {"tokens": list(GERMAN), "format": "sql"}
    last: list[str] = []
    for sort in (None, {"column": 1}, {"column": "FLD_PRICE", "descending": True}):
        text = client.post("/export", json={**form, "sort": sort}).text
        last.append(text.rpartition("ORDER BY")[2])
    assert len(set(last)) == 3
    few = client.post("/export", json={**form, "defaults": False}).text
    assert few.count("\n") < text.count("\n")


def test_a_file_that_waits_too_long_is_given_up_and_others_are_made(
    client: TestClient, worker, monkeypatch
) -> None:
    going, limits = Event(), worker.limits
    monkeypatch.setattr(export, "csv_file", lambda *_: going.wait(10) and b"")
    monkeypatch.setattr(worker, "limits", replace(limits, seconds=0.3))
    for _ in range(3):  # the first is being made, the others wait
        assert client.post("/export", json={"lf": LF}).json()["error"]["code"] == "timeout"
    going.set()
    monkeypatch.undo()
    assert client.post("/export", json={"lf": LF}).status_code == 200


@pytest.mark.parametrize(("cell", "written"), CELLS)
def test_a_cell_of_csv_is_quoted_and_runs_nothing(cell: Any, written: str) -> None:
    content = csv_file(Answer((Column("A"),), ((cell,),))).decode("utf-8-sig")
    assert content == f"A\r\n{written}\r\n"


def test_columns_of_parquet_have_distinct_names() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = (Column("A"), Column("A"), Column("B", type="money"))
    content = parquet_file(Answer(columns, (("x", ("y", "z"), 1.0), (None, None, None))))
    table = parquet.read_table(io.BytesIO(content))
    assert table.column_names == ["A", "A 2", "B"]
    assert table.to_pylist()[1] == {"A": None, "A 2": None, "B": None}


def test_cells_leave_out_the_level_of_a_value(post) -> None:
    found = post("/run", {"lf": "(FLD_EQS_SECTOR EQ SEC_GICS_RETAIL_REITS)"})["answer"]
    place = [column["field"] for column in found["columns"]].index("FLD_EQS_SECTOR")
    assert {row[place] for row in found["rows"]} == {"Retail REITs"}
