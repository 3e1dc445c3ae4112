"""`inspect`: a path or URL → `TableDescription`, and the report of what was inferred.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     file = Path(folder) / "cars.csv"
...     _ = file.write_text("model,price_usd,fuel\\nA 1,20000,petrol\\nB 2,35000,diesel\\n")
...     cars = inspect(file)
>>> cars.entity.plural, [(each.label, each.semantic.value, each.unit) for each in cars.columns]
('cars', [('model', 'category', ''), ('price', 'money', 'USD'), ('fuel', 'category', '')])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

from grammax.tables.inspect.classify import Classified, classify
from grammax.tables.inspect.concepts import find
from grammax.tables.inspect.description import (
    ColumnDescription,
    EntityDescription,
    Join,
    TableDescription,
)
from grammax.tables.inspect.links import Links, fact_table, find_links, joins_from
from grammax.tables.inspect.naming import with_names, with_tokens
from grammax.tables.inspect.profile import Profile, profile
from grammax.tables.inspect.readings import Reading, read_texts, readings_of
from grammax.tables.inspect.scales import parts_of
from grammax.tables.inspect.source import DataSource, NoSuchTable, open_data
from grammax.tables.inspect.words import entity_of
from grammax.tables.semantics import Aggregate, Role, SemanticClass

_C = SemanticClass
_MEASURES: Final = (_C.MONEY, _C.COUNT, _C.RATING, _C.PHYSICAL, _C.DURATION, _C.NUMBER)
_NAMED: Final = (_C.PERSON, _C.ORGANISATION, _C.PLACE, _C.CATEGORY)
_TOLD: Final = 40  # columns and doubts in the report


def inspect(source: str | Path, table: str | None = None) -> TableDescription:
    """What a file, a folder or a database holds, as one wide view of a table.

    Without `table`, the rows are those of the table that refers to the most others.
    """
    with open_data(source) as data:
        return inspect_data(data, table)


def inspect_data(data: DataSource, table: str | None = None) -> TableDescription:
    """As `inspect`, for data that is already open."""
    if table is not None and table not in data.tables:
        raise NoSuchTable(data.shown, table, data.tables)
    links = find_links(data)
    fact = table or fact_table(data, links)
    joins = joins_from(fact, links)
    seen = {name: _seen(data, name) for name in dict.fromkeys([fact, *(j.table for j in joins)])}
    found = list(_columns(data, fact, (), seen[fact], links))
    for join in joins:
        found += _columns(data, join.table, join.path, seen[join.table], links, join)
    columns = with_tokens(with_names(found))
    rows = seen[fact].profile.rows
    return TableDescription(
        data.shown, fact, _entity(fact, columns, links), columns, joins, rows,
        seen[fact].profile.sampled, data.tables, tuple(_notes(data, fact, joins, seen)),
    )  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class _Seen:
    """A table as it was read."""

    profile: Profile
    readings: dict[str, Reading]
    doubts: dict[str, str]


def _seen(data: DataSource, name: str) -> _Seen:
    table = data.table(name)
    readings, doubts = readings_of(table, data.rows, data.connection.name)
    how = {column: reading.how for column, reading in readings.items()}
    read = read_texts(table, how, data.connection.name)
    told = {column: doubt for (of, column), doubt in data.doubts.items() if of == name}
    return _Seen(profile(data, read), dict(readings), {**doubts, **told})


def _columns(
    data: DataSource, table: str, path: tuple[str, ...], seen: _Seen, links: Links,
    join: Join | None = None,
) -> Iterator[Classified]:  # fmt: skip
    """The columns of a table; those that a join compares are in the referring table already."""
    entity = entity_of(table)[0]
    refers = {column for link in links.of(table) for column in link.columns}
    own = links.keys.get(table, ())
    for name, facts in seen.profile.columns.items():
        if join is not None and name in join.keys:
            continue
        reading = seen.readings.get(name)
        unit = data.units.get((table, name), reading.unit if reading else "")
        key = name in refers or (own == (name,) and _is_identifier(name, entity))
        found = classify(name, facts, entity, unit, seen.doubts.get(name, ""), key)
        column = replace(
            found.column,
            name=".".join((*path, name)), table=table, column=name, path=path,
            reading=(reading.how if reading else "") or found.column.reading,
        )  # fmt: skip
        if column.many not in ("", "[]"):
            parts = parts_of(facts, column.many)
            column = replace(column, facts=replace(facts, values=parts, distinct=len(parts)))
        yield _reached(replace(found, column=column)) if path else replace(found, column=column)


def _reached(found: Classified) -> Classified:
    """A column that a reference leads to: its values repeat, so their sum means nothing.

    The name of what is referred to is what the reference is about: a country, a person.
    """
    column = found.column
    if column.additive:
        column = replace(column, additive=False, aggregate=Aggregate.AVERAGE)
        found = replace(found, column=column)
    if column.semantic is not _C.NAME or column.label not in ("name", "title"):
        return found
    about = find(tuple(column.path[-1].split()), _NAMED)
    if about is None:
        about = find(tuple(entity_of(column.table)[0].split()), _NAMED)
    if about is None:
        return found
    concept = about.concept
    column = replace(column, semantic=concept.semantic, verb=concept.verb)
    return Classified(column, concept, about.whole)


def _is_identifier(name: str, entity: str) -> bool:
    """Whether a primary key is a code: an isbn is, the name of a country is not."""
    words = name.lower().replace("_", " ").split()
    return words[-1:] != ["name"] and words != ["title"] and " ".join(words) != entity


def _entity(table: str, columns: Sequence[ColumnDescription], links: Links) -> EntityDescription:
    singular, plural, known = entity_of(table)
    own = [column for column in columns if not column.path]
    label = _label(own, singular)
    declared = links.keys.get(table, ())
    key = next((each.name for each in own if declared == (each.column,)), "") or _key(own)
    measures = [each for each in own if each.role is Role.MEASURE]
    ranked = sorted(measures, key=lambda each: _measure_rank(each))
    return EntityDescription(
        singular, plural, (), key, label, ranked[0].name if ranked else "",
        "" if known else f"The name {table!r} does not say what a row is.",
    )  # fmt: skip


def _measure_rank(column: ColumnDescription) -> tuple[int, bool]:
    known = column.semantic in _MEASURES
    return (_MEASURES.index(column.semantic) if known else len(_MEASURES), not column.additive)


def _label(columns: Sequence[ColumnDescription], singular: str) -> str:
    """The column that rows are called by: their name or title, or a text called as they are."""
    named = [each for each in columns if each.semantic is _C.NAME and each.facts.filled]
    best = sorted(
        named,
        key=lambda each: (
            bool(each.doubt), each.label not in ("name", "title"), -each.facts.distinct
        ),
    )  # fmt: skip
    same = (each for each in columns if each.enumerated and each.label == singular)
    called = best[0] if best else next(same, None)
    return called.name if called else ""


def _key(columns: Sequence[ColumnDescription]) -> str:
    """A column that identifies rows: a code first, then a name, then another text."""
    order = (_C.CODE, _C.NAME, _C.URL, _C.EMAIL, _C.PERSON, _C.PLACE, _C.ORGANISATION, _C.CATEGORY)
    unique = [each for each in columns if each.semantic in order and _identifies(each)]
    best = sorted(unique, key=lambda each: order.index(each.semantic))
    return best[0].name if best else ""


def _identifies(column: ColumnDescription) -> bool:
    facts = column.facts
    estimated = not facts.exact and facts.nulls == 0 and facts.distinct > 0.95 * facts.rows
    return facts.is_unique or (estimated and column.semantic is _C.CODE)


def _notes(
    data: DataSource, fact: str, joins: Sequence[Join], seen: dict[str, _Seen]
) -> Iterator[str]:
    yield from data.notes
    counted = seen[fact].profile
    if counted.rows == 0:
        yield f"The table {fact} is empty: nothing could be inferred from values."
    for name, each in seen.items():
        if each.profile.sampled:
            yield (
                f"{name} has {each.profile.rows:,} rows; different values were counted in a "
                f"sample of about {each.profile.sampled:,}."
            )
    for join in joins:
        how = "as the database declares" if join.declared else "as names and values suggest"
        yield f"{', '.join(join.columns)} refers to {join.table}, {how}: {join.name}."
    others = [table for table in data.tables if table not in seen]
    if others:
        some = ", ".join(others[:12]) + (" and others" if len(others) > 12 else "")
        yield f"Not part of the view, because {fact} does not refer to them: {some}."


def report(description: TableDescription) -> str:
    """What was inferred, and what looks doubtful, as lines of text."""
    entity, used = description.entity, description.used
    what = f"{description.rows:,} {entity.plural} (table {description.table})"
    lines = [f"{description.source}: {what}, {len(used):,} columns"]
    for what, name in (("identified by", entity.key), ("called by", entity.label),
                       ("largest by", entity.measure)):  # fmt: skip
        if name:
            lines.append(f"  {what} {name}")
    lines += [f"  {note}" for note in description.notes]
    lines.append("columns:")
    width = max((len(column.name) for column in used[:_TOLD]), default=0)
    for column in used[:_TOLD]:
        unit = f" in {column.unit}" if column.unit else ""
        kind = f"{column.semantic}{unit}"
        lines.append(f"  {column.name:<{width}}  {kind:<20}  {column.facts.shown()}")
    if len(used) > _TOLD:
        lines.append(f"  and {len(used) - _TOLD:,} more")
    doubts = list(description.doubts())
    if doubts:
        lines.append("doubtful:")
        lines += [f"  {name}: {doubt}" for name, doubt in doubts[:_TOLD]]
        if len(doubts) > _TOLD:
            lines.append(f"  and {len(doubts) - _TOLD:,} more")
    return "\n".join(lines)
