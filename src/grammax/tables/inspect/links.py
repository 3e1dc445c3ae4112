"""Keys and foreign keys, and the wide view that they make.

Keys are those that the database declares; where it declares none, a column refers to another table
if its name says so and all its values are among that table's keys. The wide view follows references
from the fact table many-to-one only, so every row of the fact table occurs in it exactly once and
no measure is counted twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import ibis

from grammax.tables.inspect.description import InspectError, Join, State, TableDescription
from grammax.tables.inspect.profile import type_of
from grammax.tables.inspect.readings import read
from grammax.tables.inspect.source import DataSource
from grammax.tables.inspect.tokens import distinct_names
from grammax.tables.inspect.words import entity_of, split, words_of

_DEEPEST: Final = 3
_MOST_JOINS: Final = 20
_MOST_TABLES: Final = 200
_STRAY: Final = 0.01  # of the values may be missing among the keys
_ENDINGS: Final = frozenset({"id", "key", "code", "fk", "no", "number", "ref", "uuid"})
_ITSELF: Final = frozenset({"parent", "manager", "supervisor", "boss", "superior", "reports to"})

# Fixed texts without anything from outside: the stores' own lists of constraints. Each row is a
# table, "p" or "f", a number per constraint, a position, a column, and what it refers to.
_CONSTRAINTS: Final = {
    "duckdb": """
        SELECT table_name, lower(constraint_type[1]), constraint_index, i,
               constraint_column_names[i], referenced_table, referenced_column_names[i]
        FROM (SELECT *, unnest(range(1, len(constraint_column_names) + 1)) AS i
              FROM duckdb_constraints()
              WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') AND schema_name = 'main')
    """,
    "sqlite": """
        SELECT m.name, 'p', 0, p.pk, p.name, NULL, NULL
        FROM sqlite_master m JOIN pragma_table_info(m.name) p
        WHERE m.type = 'table' AND p.pk > 0
        UNION ALL
        SELECT m.name, 'f', f.id + 1, f.seq + 1, f."from", f."table", f."to"
        FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'
    """,
    "postgres": """
        SELECT t.relname, c.contype::text, c.oid::int8, k.i, a.attname, r.relname, b.attname
        FROM pg_constraint c
        JOIN pg_class t ON t.oid = c.conrelid
        CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY AS k(n, i)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.n
        LEFT JOIN pg_class r ON r.oid = c.confrelid
        LEFT JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[k.i]
        WHERE c.contype IN ('p', 'f') AND c.connamespace = current_schema()::regnamespace
    """,
}


@final
@dataclass(frozen=True, slots=True)
class Link:
    """A many-to-one reference from columns of a table to the keys of another, or of itself."""

    table: str
    columns: tuple[str, ...]
    to: str
    keys: tuple[str, ...]
    declared: bool


@final
@dataclass(frozen=True, slots=True)
class Links:
    """The primary keys by table, and the references between tables."""

    keys: Mapping[str, tuple[str, ...]]
    links: tuple[Link, ...]

    def of(self, table: str) -> tuple[Link, ...]:
        return tuple(link for link in self.links if link.table == table)


def find_links(source: DataSource) -> Links:
    """The keys and references of a source: declared ones, else inferred ones."""
    keys, declared = _declared(source)
    links = [link for link in declared if {link.table, link.to} <= {*source.tables}]
    taken = {(link.table, link.columns) for link in links}
    if len(source.tables) > 1 or not source.of_files:
        links += [
            link for link in _inferred(source, keys) if (link.table, link.columns) not in taken
        ]
    return Links(keys, tuple(links))


def fact_table(source: DataSource, links: Links) -> str:
    """The table that refers to the most others, and has the most rows among those."""
    if len(source.tables) == 1:
        return source.tables[0]
    reached = {table: len(joins_from(table, links)) for table in source.tables}
    most = max(reached.values())
    best = [table for table in source.tables if reached[table] == most]
    return max(best, key=lambda table: (_rows(source, table), table)) if len(best) > 1 else best[0]


def joins_from(table: str, links: Links) -> tuple[Join, ...]:
    """The joins of the wide view of a table, each after those that it continues."""
    found: list[Join] = []
    ends: list[tuple[tuple[str, ...], str, tuple[str, ...]]] = [((), table, (table,))]
    while ends and len(found) < _MOST_JOINS:
        path, at, passed = ends.pop(0)
        steps = [link for link in links.of(at) if link.to not in passed or (link.to == at == table)]
        for link, name in zip(steps, _step_names(steps), strict=True):
            join = Join((*path, name), link.to, link.columns, link.keys, link.declared)
            found.append(join)
            if len(join.path) < _DEEPEST and link.to not in passed:
                ends.append((join.path, link.to, (*passed, link.to)))
    return tuple(found[:_MOST_JOINS])


def wide_view(source: DataSource, description: TableDescription) -> Any:
    """The wide view as an Ibis expression, with the columns that were not removed.

    Columns are named as in the description. Joins that no column needs are left out.
    """
    base = source.table(description.table)
    joins = [*_needed(description)]
    used: dict[tuple[str, ...], set[str]] = {(): set()}
    for column in description.used:
        used.setdefault(column.path, set()).add(column.column)
    for join in joins:
        used[join.path[:-1]].update(join.columns)
        used.setdefault(join.path, set()).update(join.keys)
    # A column of the n-th table is called "n.column" until the end, so no two are the same. Columns
    # that nobody asks for are left out: Ibis takes a millisecond for each when it compiles a query.
    wide, number = base, dict[tuple[str, ...], int]({(): 0})
    if joins:
        wide = base.select(**{f"0.{name}": base[name] for name in base.columns if name in used[()]})
    for index, join in enumerate(joins, 1):
        table = source.table(join.table)
        right = table.select(
            **{f"{index}.{name}": table[name] for name in table.columns if name in used[join.path]}
        )
        left = number[join.path[:-1]]
        same = [
            _equal(wide[f"{left}.{column}"], right[f"{index}.{key}"])
            for column, key in zip(join.columns, join.keys, strict=True)
        ]
        wide = wide.left_join(right, same)
        number[join.path] = index
    columns = {}
    for column in description.used:
        name = f"{number[column.path]}.{column.column}" if joins else column.column
        if name not in wide.columns:
            raise InspectError(
                f"The table {column.table} has no column {column.column!r} any more. Inspect the "
                f'data again, or set state = "removed" for {column.name} in schema.toml.'
            )
        value = wide[name]
        columns[column.name] = (
            read(value, column.reading, source.connection.name) if column.reading else value
        )
    as_stored = not joins and not any(column.reading for column in description.used)
    return wide if as_stored and [*columns] == [*wide.columns] else wide.select(**columns)


def _equal(reference: Any, key: Any) -> Any:
    """Whether two columns are equal; SQLite lets a text refer to a number, as if it were one."""
    if reference.type().is_string() != key.type().is_string():
        return reference.cast("string") == key.cast("string")
    return reference == key


def _needed(description: TableDescription) -> Iterator[Join]:
    paths = {
        column.path[:end] for column in description.used for end in range(len(column.path) + 1)
    }
    return (
        join for join in description.joins if join.path in paths and join.state is not State.REMOVED
    )


def _declared(source: DataSource) -> tuple[dict[str, tuple[str, ...]], list[Link]]:
    asked = _CONSTRAINTS.get(source.connection.name)
    if asked is None or source.of_files:
        return {}, []
    grouped: dict[tuple[str, str, int], list[tuple[Any, ...]]] = {}
    for table, kind, constraint, *rest in source.run(asked):
        grouped.setdefault((str(table), str(kind), int(constraint)), []).append(tuple(rest))
    keys: dict[str, tuple[str, ...]] = {}
    links: list[Link] = []
    for (table, kind, _), rows in sorted(grouped.items()):
        rows.sort(key=lambda row: int(row[0]))
        columns = tuple(str(row[1]) for row in rows)
        if kind == "p":
            keys[table] = columns
        else:
            to = tuple(row[3] for row in rows)
            links.append(Link(table, columns, str(rows[0][2]), to, True))
    # SQLite leaves out the columns of a reference to a primary key.
    whole = [
        link if all(link.keys) else Link(link.table, link.columns, link.to, keys[link.to], True)
        for link in links
        if all(link.keys) or len(keys.get(link.to, ())) == len(link.columns)
    ]
    return keys, sorted(whole, key=lambda link: (link.table, link.columns))


def _inferred(source: DataSource, keys: Mapping[str, tuple[str, ...]]) -> Iterator[Link]:
    schemas = {name: source.table(name).schema() for name in source.tables[:_MOST_TABLES]}
    unique: dict[tuple[str, str], bool] = {}
    for table, schema in schemas.items():
        for column in schema:
            if keys.get(table) == (column,):
                continue
            for to, key in _candidates(table, column, schemas, keys):
                if type_of(schema[column]) != type_of(schemas[to][key]):
                    continue
                if (to, key) not in unique:
                    unique[to, key] = keys.get(to) == (key,) or _is_unique(source, to, key)
                if unique[to, key] and _contained(source, table, column, to, key):
                    yield Link(table, (column,), to, (key,), False)
                    break


def _candidates(
    table: str, column: str, schemas: Mapping[str, Any], keys: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    """Tables and keys that a column refers to by its name."""
    stem = _stem(column)
    ends_as_key = split(column)[-1:] and split(column)[-1] in _ENDINGS
    for to, schema in schemas.items():
        singular = entity_of(to)[0]
        own = stem == singular or stem.endswith(f" {singular}")
        itself = to == table and stem in _ITSELF
        for key in keys.get(to) or schema:
            if to == table and (key == column or not itself):
                continue
            words = split(key)
            is_key = key in keys.get(to, ()) or (words and words[-1] in _ENDINGS)
            named = words[-1:] == words or _stem(key) in ("", singular)
            same = key == column and bool(ends_as_key) and _stem(key) == singular
            if is_key and (same or (own and named) or (itself and named)):
                yield to, key


def _stem(column: str) -> str:
    """What a reference is to: "customer" of `customer_id`."""
    words = words_of(column)
    return " ".join(words[:-1] if words and words[-1] in _ENDINGS else words)


def _step_names(links: Sequence[Link]) -> tuple[str, ...]:
    stems = [_stem(link.columns[0]) or entity_of(link.to)[0] for link in links]
    return distinct_names(stem.replace(".", " ") for stem in stems)


def _is_unique(source: DataSource, table: str, key: str) -> bool:
    of = source.table(table)
    asked = of.aggregate(rows=of.count(), known=of[key].count(), distinct=of[key].nunique())
    [[rows, known, distinct]] = source.rows(asked)
    return 0 < int(rows) == int(known) == int(distinct)


def _contained(source: DataSource, table: str, column: str, to: str, key: str) -> bool:
    left, right = source.table(table), source.table(to)
    values = left.filter(left[column].notnull()).select(value=left[column]).distinct()
    there = right.select(key=right[key])
    stray = values.anti_join(there, values["value"] == there["key"])
    [[all_, strays]] = source.rows(
        ibis.union(
            values.aggregate(n=values.count()).mutate(i=ibis.literal(0)),
            stray.aggregate(n=stray.count()).mutate(i=ibis.literal(1)),
        ).aggregate(all=ibis._.n.max(where=ibis._.i == 0), stray=ibis._.n.max(where=ibis._.i == 1))
    )
    return int(all_) > 0 and int(strays) <= _STRAY * int(all_)


def _rows(source: DataSource, table: str) -> int:
    of = source.table(table)
    [[rows]] = source.rows(of.aggregate(rows=of.count()))
    return int(rows)
