"""Orders, customers, products and countries, with and without declared foreign keys."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb

TABLES = """
create table countries (code varchar(2) primary key, name varchar(30), continent varchar(30));
create table customers (id integer primary key, name varchar(30), city varchar(30),
    country_code varchar(2) {country}, joined {date}, is_member integer);
create table products (product_id integer primary key, title varchar(30), category varchar(20),
    unit_price {real}, weight_kg {real}, stock integer);
create table orders (order_id integer primary key, customer_id integer {customer},
    product_id integer {product}, qty integer, amount {real}, order_date {date},
    status varchar(10));
"""
ROWS = """
insert into countries values ('DE', 'Germany', 'Europe'), ('FR', 'France', 'Europe'),
    ('US', 'United States', 'North America');
insert into customers values (1, 'Ada Berg', 'Berlin', 'DE', '2020-01-02', 1),
    (2, 'Bob Cole', 'Paris', 'FR', '2021-03-04', 0),
    (3, 'Cy Dunn', 'Boston', 'US', '2022-05-06', 1);
insert into products values (10, 'Lamp', 'home', 20.5, 1.2, 7), (11, 'Desk', 'office', 150, 20, 3),
    (12, 'Pen', 'office', 1.5, 0.01, 900);
insert into orders values (100, 1, 10, 2, 41, '2023-01-01', 'open'),
    (101, 1, 11, 1, 150, '2023-02-01', 'shipped'), (102, 2, 12, 10, 15, '2023-02-03', 'shipped'),
    (103, 3, 12, 4, 6, '2023-03-03', 'open'), (104, 3, null, 1, 9, '2023-03-04', 'open');
"""
SQLITE = {"real": "real", "date": "date"}
TYPED = {"real": "double precision", "date": "date"}


def script(types: dict[str, str], declared: bool) -> str:
    refers = {
        "country": "references countries (code)",
        "customer": "references customers (id)",
        "product": "references products (product_id)",
    }
    return TABLES.format(**types, **(refers if declared else dict.fromkeys(refers, ""))) + ROWS


def sqlite_shop(folder: Path, declared: bool = True) -> Path:
    path = folder / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(script(SQLITE, declared))
    connection.close()
    return path


def duckdb_shop(folder: Path, declared: bool = True) -> Path:
    path = folder / "shop.db"
    with duckdb.connect(path) as connection:
        connection.execute(script(TYPED, declared))
    return path


def folder_shop(folder: Path, form: str = "parquet") -> Path:
    files = folder / "shop"
    files.mkdir()
    with duckdb.connect() as connection:
        connection.execute(script(TYPED, True))
        for table in ("countries", "customers", "products", "orders"):
            getattr(connection.table(table), f"write_{form}")(f"{files}/{table}.{form}")
    return files
