"""`Scope`: the tables of a FROM, and the columns that names mean among them.

A table that is joined to itself has instances: the tokens of the second one are `film#2` and
`film#2.title`. Names of tables that SQL gives (`film AS T1`) are not part of a form.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, final

from grammax.folder.sql.schema import SECOND, Column, Schema, Table
from grammax.folder.sql.unsupported import UnknownName, unsupported
from grammax.text import did_you_mean, nearest


@final
class Scope:
    """The tables of a FROM by the names that the statement gives them."""

    def __init__(self, schema: Schema, outer: Scope | None = None) -> None:
        self.schema = schema
        self.outer = outer
        self.instances: dict[str, str] = {}  # name in the statement, in lower case → instance
        self._tables: dict[str, Table] = {}  # instance → table

    def enter(self, name: str, alias: str) -> str:
        """Let a table be known under a name, and return its instance, such as `film`."""
        table = self.schema.table(name)
        if table is None:
            known = [each.name for each in self.schema.tables]
            hint = did_you_mean(nearest(name, known), sentence=True)
            raise UnknownName(
                f"there is no table {name}; the tables of the schema are {', '.join(known)}. "
                f"{hint}".rstrip()
            )
        count = sum(each.name == table.name for each in self._tables.values()) + 1
        instance = table.token if count == 1 else f"{table.token}{SECOND}{count}"
        key = (alias or name).casefold()
        if key in self.instances:
            raise UnknownName(f"two tables of one FROM are called {alias or name}: rename one")
        self.instances[key] = instance
        self._tables[instance] = table
        return instance

    def instance(self, name: str) -> str | None:
        """The instance of this name, or None."""
        return self.instances.get(name.casefold())

    def column(self, node: Any) -> str:
        """The token of a column, such as `film#2.title`."""
        found = self.find(node)
        if found is not None:
            return found
        qualifier = node.table
        outer = self.outer
        while outer is not None:
            if outer.find(node) is not None:
                raise unsupported("a subquery that uses a column of the outer query", node)
            outer = outer.outer
        if qualifier and self.instance(qualifier) is None:
            raise UnknownName(
                f"there is no table {qualifier} in FROM; there are {', '.join(self.instances)}"
            )
        raise UnknownName(self._unknown(node.name, self.instance(qualifier) if qualifier else None))

    def find(self, node: Any) -> str | None:
        """The token of a column, or None if no table here has it."""
        if node.table:
            instance = self.instance(node.table)
            column = self._tables[instance].column(node.name) if instance else None
            return None if column is None or instance is None else column_token(instance, column)
        found = [
            column_token(instance, column)
            for instance, table in self._tables.items()
            if (column := table.column(node.name)) is not None
        ]
        if len(found) > 1:
            raise UnknownName(
                f"the column {node.name} may be {' or '.join(found)}: write its table before it"
            )
        return found[0] if found else None

    def is_text(self, node: Any) -> bool:
        """Whether a name in double quotes is a text, as in SQLite, because no column has it."""
        if node.table or not node.this.args.get("quoted"):
            return False
        scope: Scope | None = self
        while scope is not None:
            if scope.find(node) is not None:
                return False
            scope = scope.outer
        return True

    def _unknown(self, name: str, instance: str | None) -> str:
        tables = [self._tables[instance]] if instance else list(self._tables.values())
        listed = ", ".join(table.name for table in tables) or "nothing"
        there = [column.name for table in tables for column in table.columns]
        owners = self.schema.owners(name)
        if owners:
            hint = f"{' and '.join(owners)} {'has' if len(owners) == 1 else 'have'} it: join it"
        else:
            close = did_you_mean(nearest(name, there), sentence=True)
            hint = close or f"The columns are {', '.join(there)}."
        return f"no table in FROM ({listed}) has a column {name}. {hint}"


def column_token(instance: str, column: Column) -> str:
    """The token of a column of an instance of its table."""
    return f"{instance}.{column.token.partition('.')[2]}"


def base_token(column: str) -> str:
    """The token of a column of any instance of a table, as the schema has it.

    >>> base_token("film#2.title")
    'film.title'
    """
    table, _, name = column.partition(".")
    return f"{table.partition(SECOND)[0]}.{name}"


def instance_of(column: str) -> str:
    """The instance of a table that a column belongs to."""
    return column.partition(".")[0]


def table_of(instance: str) -> str:
    """The token of the table of an instance."""
    return instance.partition(SECOND)[0]


def instances_in(columns: Iterable[str]) -> set[str]:
    """The instances that some columns belong to."""
    return {instance_of(column) for column in columns}
