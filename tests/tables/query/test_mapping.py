"""Mapping files for schemas without history: any tables, one value per field."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tables.query.brute_force import answer
from tables.query.cottages import catalogue, random_world
from tables.query.stores import STORES, written

from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.form.text import read as read_form
from grammax.tables.form.tree import LogicalForm
from grammax.tables.query.source import NotMapped, StoreError
from grammax.tables.schema import Entity, EnumType, NumberType, Schema, Unit
from grammax.tables.sql import mapping as mapping_module
from grammax.tables.sql.mapped import connect_store
from grammax.tables.sql.mapping import MappingError, read_mapping

MAPPING = """
url = "{url}"
[entity]
table = "cottages"
code = "code"
house_name = "title"
[tables.amenities]
key = "cottage"
[fields]
FLD_REGION = "cottages.region"
FLD_STARS = "cottages.stars"
FLD_AMENITY = "amenities.amenity"
FLD_RENT = "cottages.rent"
FLD_GUESTS = "cottages.guests"
[values.FLD_AMENITY]
AME_POOL = "Pool"
"""


def read(text: str) -> LogicalForm:
    return read_form(text, catalogue())


@pytest.mark.parametrize("store", STORES)
def test_a_mapped_table_answers(store: str, tmp_path: Path) -> None:
    world = random_world(30, Random(3))
    tables = world.tables(names=False)
    for row in tables["amenities"]:
        row["amenity"] = row["amenity"].replace("AME_POOL", "Pool")
    path = tmp_path / "tables.toml"
    path.write_text(MAPPING.replace("{url}", written(tables, store, tmp_path / "data")))
    with connect_store(path, world.catalogue) as opened:
        for text in ("(AND (FLD_REGION EQ REG_ALPS) (top 3 FLD_RENT))", "(FLD_GUESTS LS 4)"):
            found = opened.run(opened.prepare(read(text)))
            assert [(row[0], *row[2:]) for row in found] == answer(world, read(text))
        if store != "sqlite":  # Ibis has no list of values for it
            pools = opened.answer(read("(FLD_AMENITY EQ AME_POOL)"))
            assert pools.total == len(answer(world, read("(FLD_AMENITY EQ AME_POOL)")))
            assert all("Pool" in row[2] for row in pools.rows)


def test_paths_of_files_are_relative_to_the_mapping(tmp_path: Path) -> None:
    world = random_world(30, Random(3))
    written(world.tables(names=False), "parquet", tmp_path / "data")
    path = tmp_path / "tables.toml"
    path.write_text(MAPPING.replace("{url}", "parquet://data"))
    with connect_store(path, world.catalogue) as opened:
        assert opened.answer(read("(FLD_GUESTS GE -9)")).total
    path.write_text(MAPPING.replace("{url}", "parquet://nothing"))
    with pytest.raises(StoreError, match=r"tables\.toml: The store cannot .*nothing has no files"):
        connect_store(path, world.catalogue)


def test_what_is_not_mapped_is_named(tmp_path: Path) -> None:
    world = random_world(5, Random(3))
    path = tmp_path / "tables.toml"
    url = written(world.tables(names=False), "duckdb", tmp_path / "data")
    path.write_text(MAPPING.replace("{url}", url))
    with (
        connect_store(path, world.catalogue) as opened,
        pytest.raises(NotMapped, match=r'FLD_DEPOSIT\nAdd a line .* FLD_DEPOSIT = "table.column"'),
    ):
        opened.answer(read("(FLD_DEPOSIT GR 1)"))


def test_a_number_in_a_table_with_a_date_is_refused_where_values_have_no_time(
    tmp_path: Path,
) -> None:
    path = tmp_path / "tables.toml"
    text = MAPPING.replace("[tables.am", '[tables.rents]\nkey = "code"\ndate = "day"\n[tables.am')
    path.write_text(text.replace('"cottages.rent"', '"rents.rent"'))
    with pytest.raises(MappingError, match=r"FLD_RENT lies in rents, .* for it is not a series"):
        read_mapping(path, catalogue(), dated=False)


def test_the_example_of_the_module_can_be_read(tmp_path: Path) -> None:
    text = str(mapping_module.__doc__)
    lines = text[text.index("    url =") :].partition("\nEnum fields")[0].splitlines()
    path = tmp_path / "mapping.toml"
    path.write_text("\n".join(lines))
    mapping = read_mapping(path, films(), dated=True)
    assert mapping.tables["accounts"].date == "period_end"
    assert mapping.layout.columns == {"title": "original_title", "studio": "studio_name"}


def films() -> Catalogue:
    schema = Schema(
        "films",
        Entity("film", "films", key="title", label="studio"),
        enums=(
            EnumType("GENRE", "GEN_", "genre"),
            EnumType("AWARD", "AWA_", "award"),
            EnumType("CURRENCY", "CUR_", "currency"),
        ),
        numbers=(NumberType("MONEY", denominations=True, units=True),),
        unit=Unit("CURRENCY", "currency", "CUR_USD"),
        many=frozenset({"FLD_AWARD"}),
    )
    fields = (
        Field("FLD_GENRE", "GENRE", "Genre"),
        Field("FLD_AWARD", "AWARD", "Award"),
        Field("FLD_GROSS", "MONEY", "Gross"),
    )
    values = (
        Value("GEN_THRILLER", "GENRE", "Thriller"),
        Value("AWA_PALME_DOR", "AWARD", "Palme d'Or"),
        Value("CUR_USD", "CURRENCY", "US dollar"),
    )
    return Catalogue.from_entries(schema, fields, values)
