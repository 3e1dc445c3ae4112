"""The columns of a gold query in the wide view of a table: which table's view, which column.

A query that joins tables is about the rows of one of them, from which the others are reached by
references: the table that the benchmark gives to the parser. A query that no such table serves
cannot be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp
from tables_worlds import World

from grammax.tables.inspect.description import ColumnDescription, Join


class Unsayable(Exception):
    """A gold query that the language does not express; the message is the reason."""


@dataclass(frozen=True)
class Scope:
    """The world of a query, and the path of each table that it names."""

    world: World
    paths: Mapping[str, tuple[str, ...]]  # by alias, in lower case

    def column(self, node: exp.Column) -> ColumnDescription | None:
        """The column of the view; None if the name is no column of the tables."""
        alias = node.table.lower()
        paths = [self.paths[alias]] if alias in self.paths else list(self.paths.values())
        for path in paths:
            found = self._find(path, node.name.lower())
            if found is not None:
                return found
        return None

    def every_column(self) -> list[ColumnDescription]:
        """The columns of the table itself: "*"."""
        return [column for column in self.world.description.used if not column.path]

    def _find(self, path: tuple[str, ...], name: str) -> ColumnDescription | None:
        for column in self.world.description.used:
            if column.path == path and column.column.lower() == name:
                return column
        for join in self.world.description.joins:  # a key is in the table that refers to it
            keys = [key.lower() for key in join.keys]
            if join.path == path and name in keys:
                return self._find(path[:-1], join.columns[keys.index(name)].lower())
        return None


def scope_of(select: exp.Select, world: Callable[[str], World | None]) -> Scope:
    """The scope of a query; `world` is the one of a table, by its name in lower case."""
    tables = dict(_tables(select))
    links = list(_links(select))
    for alias, table in tables.items():
        start = world(table)
        if start is None:
            raise Unsayable("a table that is not there")
        paths = _paths(start, alias, tables, links)
        if len(paths) == len(tables):
            return Scope(start, paths)
    raise Unsayable("tables that no one view joins")


def _tables(select: exp.Select) -> Iterator[tuple[str, str]]:
    start = select.args.get("from_") or select.args.get("from")
    joined = [join.this for join in select.args.get("joins") or ()]
    for table in [start.this if start else None, *joined]:
        if not isinstance(table, exp.Table):
            raise Unsayable("a query inside the query")
        yield table.alias_or_name.lower(), table.name.lower()


def _links(select: exp.Select) -> Iterator[tuple[exp.Column, exp.Column]]:
    """The columns that joins compare."""
    for join in select.args.get("joins") or ():
        on = join.args.get("on")
        for each in on.flatten() if isinstance(on, exp.And) else [on]:
            if not isinstance(each, exp.EQ):
                raise Unsayable("a join without equal columns")
            if isinstance(each.left, exp.Column) and isinstance(each.right, exp.Column):
                yield each.left, each.right


def _paths(
    world: World,
    alias: str,
    tables: Mapping[str, str],
    links: list[tuple[exp.Column, exp.Column]],
) -> dict[str, tuple[str, ...]]:
    """The paths of the tables that are reached from one of them."""
    found: dict[str, tuple[str, ...]] = {alias: ()}
    waiting = [*links, *((right, left) for left, right in links)]
    for _ in tables:
        for near, far in waiting:
            path = found.get(near.table.lower())
            if path is None or far.table.lower() in found or far.table.lower() not in tables:
                continue
            for join in world.description.joins:
                if join.path[:-1] == path and _is_link(join, tables, near, far):
                    found[far.table.lower()] = join.path
                    break
    return found


def _is_link(join: Join, tables: Mapping[str, str], near: exp.Column, far: exp.Column) -> bool:
    return (
        join.table.lower() == tables[far.table.lower()]
        and [name.lower() for name in join.columns] == [near.name.lower()]
        and [name.lower() for name in join.keys] == [far.name.lower()]
    )
