"""One row with its values and its peers, and the distribution of a column of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service.given import LF, wait_until_ready
from starlette.testclient import TestClient

from grammax.language.answer import Column
from grammax.language.rows import OpensRows
from grammax.service.app import create
from grammax.service.settings import Settings
from grammax.tables.answers import answers
from grammax.tables.answers.distribution import distribution_of
from grammax.tables.own.domain import open_table

SP500 = "(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_ROIC))"
FILMS = Path(__file__).parents[3] / "examples" / "films.csv"


def values(row: dict[str, Any]) -> dict[str, Any]:
    return {value["label"]: value["value"] for group in row["groups"] for value in group["values"]}


def parts(numbers: list[float | None]) -> list[tuple[float | None, float | None, int]]:
    found = distribution_of(Column("x", type="count"), numbers)
    return [(part.low, part.high, part.count) for part in found.parts]


def test_a_row_has_the_values_that_answers_show(post) -> None:
    answer = post("/run", {"lf": LF, "rows": 3})["answer"]
    assert answer["key"] == 0
    for cells in answer["rows"]:
        row = post("/row", {"key": cells[answer["key"]]})
        assert (row["key"], row["name"]) == (cells[0], cells[1])
        shown = {
            column["label"]: cell for column, cell in zip(answer["columns"], cells, strict=True)
        }
        known = values(row)
        for label in list(shown)[2:]:
            assert known.get(label) == shown[label]
        assert None not in known.values()
        assert len(known) <= 80
        assert row["synthetic"]
        assert row["groups"][0]["title"] == "Description"


def test_peers_share_values_and_their_form_lists_them_all(post) -> None:
    row = post("/row", {"key": "AAPL", "limit": 4})
    peers = row["peers"]
    assert len(peers["rows"]) == 4
    assert "AAPL" not in [cells[0] for cells in peers["rows"]]
    assert [column["field"] for column in peers["columns"][2:]] == [
        "FLD_MKT_CAP", "FLD_PRICE", "FLD_PE_RATIO",
    ]  # fmt: skip
    every = post("/run", {"tokens": peers["tokens"], "rows": 1000})["answer"]
    assert every["total"] == peers["total"]
    assert {"AAPL", *(cells[0] for cells in peers["rows"])} <= {cells[0] for cells in every["rows"]}
    assert peers["paraphrase"]


def test_the_nearest_peers_come_from_both_sides(post) -> None:
    row = post("/row", {"key": "WDC", "limit": 4})
    sizes = [cells[2] for cells in row["peers"]["rows"]]
    assert sizes == sorted(sizes, reverse=True)
    every = post("/run", {"tokens": row["peers"]["tokens"], "rows": 1000})["answer"]
    order = [cells[0] for cells in every["rows"]]
    places = [order.index(cells[0]) for cells in row["peers"]["rows"]] + [order.index("WDC")]
    assert max(places) - min(places) == 4


def test_a_row_without_peers_if_none_are_wanted(post) -> None:
    assert post("/row", {"key": "AAPL", "limit": 0})["peers"] is None


@pytest.mark.parametrize("key", ["no such key", "' OR 1=1 --", "aapl", "x" * 1000])
def test_an_unknown_key_is_told(post, key: str) -> None:
    error = post("/row", {"key": key}, 404)["error"]
    assert error["code"] == "no_such_row"
    assert key[:100] in error["message"]
    assert "key" in error["hint"]


def test_a_distribution_counts_all_rows(post) -> None:
    every = post("/run", {"lf": SP500, "rows": 1000})["answer"]["rows"]
    numbers = [cells[2] for cells in every if cells[2] is not None]
    for column in (2, "FLD_ROIC"):
        found = post("/distribution", {"lf": SP500, "column": column})
        assert found["column"]["field"] == "FLD_ROIC"
        assert found["known"] == len(numbers) > 400
        assert found["known"] + found["missing"] == len(every)
        assert (found["low"], found["high"]) == (min(numbers), max(numbers))
        for part in found["parts"]:
            low = float("-inf") if part["low"] is None else part["low"]
            high = float("inf") if part["high"] is None else part["high"]
            assert part["count"] == sum(low <= number < high for number in numbers)
        assert sum(part["count"] for part in found["parts"]) == len(numbers)


def test_a_default_column_has_a_distribution(post) -> None:
    found = post("/distribution", {"lf": LF, "column": "FLD_MKT_CAP"})
    assert found["logarithmic"]
    assert found["column"]["default"]


@pytest.mark.parametrize(("column", "code"), [(0, "not_numeric"), (99, "bad_sort")])
def test_a_column_without_numbers_is_told(post, column: int, code: str) -> None:
    error = post("/distribution", {"lf": LF, "column": column}, 422)["error"]
    assert error["code"] == code
    assert error["hint"]


def test_too_many_rows_for_a_distribution_are_told(post, monkeypatch) -> None:
    monkeypatch.setattr(answers, "MOST_ROWS", 100)
    error = post("/distribution", {"lf": SP500, "column": 2}, 422)["error"]
    assert error["code"] == "too_many_rows"
    assert "100" in error["message"]


def test_a_summary_has_a_distribution(post) -> None:
    lf = "(AND (count) (by FLD_DOMICILE))"
    counted = post("/run", {"lf": lf, "rows": 1000})["answer"]
    assert counted["key"] is None
    found = post("/distribution", {"lf": lf, "column": 1})
    assert found["known"] == counted["total"]


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a service of a table of films."""
    folder = tmp_path_factory.mktemp("films")
    settings = Settings(
        domain=str(FILMS), catalogue=str(folder / "c"), corrections=str(folder / "d")
    )
    with TestClient(create(settings)) as made:
        wait_until_ready(made)
        yield made


def test_a_row_of_any_table(films: TestClient) -> None:
    row = films.post("/row", json={"key": "Metropolis"}).json()
    assert values(row)["Director"] == "Fritz Lang"
    assert values(row)["Released"] == "1927-01-10"
    assert not row["synthetic"]
    assert row["peers"]["columns"][0]["label"] == "Title"
    assert films.post("/row", json={"key": "Metropolis 2"}).status_code == 404


def test_rows_without_a_key_are_numbered(tmp_path: Path) -> None:
    file = tmp_path / "trips.csv"
    lines = [f"2024-01-{1 + n % 28:02},{'bus' if n % 3 else 'tram'},{n / 4}" for n in range(60)]
    file.write_text("\n".join(["started,vehicle,distance_km", *lines]))
    with open_table(file) as table:
        opened = table.domain().answers()
        assert opened is not None
        with opened as answers:
            assert isinstance(answers, OpensRows)
            row = answers.row("8", 3, 5.0)
            assert row is not None
            [about, numbers] = row.groups
            assert [value.value for value in about.values] == ["2024-01-08", "bus"]
            assert [value.value for value in numbers.values] == [1.75]
            assert answers.row("61", 3, 5.0) is None


def test_a_distribution_of_any_table(films: TestClient) -> None:
    asked = {"tokens": row_tokens(films), "column": "FLD_RATING"}
    found = films.post("/distribution", json=asked).json()
    assert sum(part["count"] for part in found["parts"]) == found["known"] > 2


def row_tokens(films: TestClient) -> list[str]:
    tokens: list[str] = films.post("/row", json={"key": "Metropolis"}).json()["peers"]["tokens"]
    return tokens


# Parts of a range


def test_limits_are_round() -> None:
    assert parts([0.0, 3.0, 9.9, 10.0]) == [
        (0.0, 2.0, 1), (2.0, 4.0, 1), (4.0, 6.0, 0), (6.0, 8.0, 0), (8.0, 10.0, 1),
        (10.0, 12.0, 1),
    ]  # fmt: skip


def test_whole_numbers_have_whole_limits() -> None:
    assert parts([1.0, 2.0, 2.0, 3.0]) == [(1.0, 2.0, 1), (2.0, 3.0, 2), (3.0, 4.0, 1)]


def test_sizes_that_differ_widely_have_limits_that_grow() -> None:
    found = distribution_of(Column("x"), [10.0**n for n in range(9)])
    assert found.logarithmic
    ratios = [part.high / part.low for part in found.parts if part.low and part.high]
    assert min(ratios) >= 1.3
    assert sum(part.count for part in found.parts) == 9


def test_a_few_numbers_far_off_do_not_make_the_rest_one_part() -> None:
    found = distribution_of(Column("x"), [*range(1000), -1e9, 1e12])
    assert not found.logarithmic
    assert found.parts[0].low is None
    assert found.parts[-1].high is None
    assert max(part.count for part in found.parts) < 300


@pytest.mark.parametrize(
    "numbers", [[], [None], [5.0], [0.0, 0.0], [-1e-300, 1e308], [float("nan"), float("inf"), 1.0]]
)
def test_whatever_numbers_there_are_each_is_counted(numbers: list[float | None]) -> None:
    found = distribution_of(Column("x"), numbers)
    assert sum(part.count for part in found.parts) == found.known
    assert found.known + found.missing == len(numbers)
    assert len(found.parts) <= 60
