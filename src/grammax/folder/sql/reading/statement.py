"""`read_sql`: a statement as a bracketed form.

Goes in: the text of one SELECT, with subqueries and set operations, and a schema. Comes out: the
tokens of its form, which `writing` turns into SQL that means the same. What has no form raises
`UnsupportedSql`, which shows the construct; names that the schema lacks raise `UnknownName`.
"""

from __future__ import annotations

from typing import Any, Final

from grammax.folder.sql.reading.conditions import Place, read_condition
from grammax.folder.sql.reading.items import Items
from grammax.folder.sql.reading.joins import From
from grammax.folder.sql.reading.scope import Scope, instance_of, table_of
from grammax.folder.sql.reading.terms import (
    AGGREGATES,
    DISTINCT,
    STAR,
    number,
    unwrapped,
)
from grammax.folder.sql.schema import Schema
from grammax.folder.sql.schema_files import DIALECT, first_line, sqlglot
from grammax.folder.sql.tree import Node, atoms, flatten, head, inside
from grammax.folder.sql.unsupported import (
    PERMITTED,
    NotOneStatement,
    UnsupportedSql,
    require_only,
    shown,
    unsupported,
)
from grammax.language.domain import Tokens

SET_OPERATIONS: Final = ("union", "intersect", "except")
UNION_ALL: Final = "union_all"
_CLAUSES: Final = (
    "expressions", "distinct", "from_", "joins", "where", "group", "having", "order", "limit",
)  # fmt: skip
_LONGEST: Final = 20_000  # characters


def read_sql(text: str, schema: Schema) -> Tokens:
    """The tokens of the form of a statement.

    >>> from grammax.folder.sql.schema_files import parse_schema
    >>> schema = parse_schema("CREATE TABLE film (title TEXT, year INTEGER)")
    >>> print(*read_sql("SELECT title FROM film WHERE year > 1999 LIMIT 1", schema))
    ( select ( from film ) ( show film.title ) ( where ( > film.year 1999 ) ) ( first ) )
    """
    try:
        return flatten(_query(_parsed(text), schema, None))
    except RecursionError:
        message = "a statement nested this deeply has no bracketed form"
        raise UnsupportedSql(shown(text), message) from None


def _parsed(text: str) -> Any:
    package = sqlglot()
    if len(text) > _LONGEST:
        raise NotOneStatement(shown(text), f"a statement of {len(text):,} characters is too long")
    try:
        statements = [each for each in package.parse(text, dialect=DIALECT) if each is not None]
    except package.errors.SqlglotError as error:
        raise NotOneStatement(
            shown(text),
            f"it is not SQL as SQLite understands it ({first_line(error)}): write it in that "
            f"dialect",
        ) from None
    if len(statements) != 1:
        raise NotOneStatement(shown(text), f"there must be one statement, not {len(statements)}")
    return statements[0]


def _query(node: Any, schema: Schema, outer: Scope | None, *, single: bool = False) -> Node:
    """A SELECT or a set operation; a `single` one must have one column."""
    kind = type(node).__name__
    if kind == "Subquery":
        require_only(node, "a subquery", "this")
        return _query(node.this, schema, outer, single=single)
    if kind.lower() in SET_OPERATIONS:
        require_only(node, kind.upper(), "this", "expression", "distinct")
        name = kind.lower()
        if not node.args.get("distinct"):
            if name != "union":
                raise unsupported(f"{kind.upper()} ALL", node)
            name = UNION_ALL
        for side in (node.this, node.expression):
            inner = side.this if type(side).__name__ == "Subquery" else side
            if any(inner.args.get(name) for name in ("order", "limit")):
                raise unsupported(f"ORDER BY or LIMIT beside {kind.upper()}", inner)
        right = node.expression
        if type(right).__name__ != "Select":
            raise unsupported(f"{kind.upper()} with brackets on its right side", right)
        sides = [_query(each, schema, outer, single=single) for each in (node.this, right)]
        widths = [width(each, schema) for each in sides]
        if len({*widths}) > 1 or 0 in widths:
            shown_widths = " and ".join(str(abs(each)) for each in widths)
            raise unsupported(
                f"{kind.upper()} of {shown_widths} columns", node,
                "Permitted are as many on both sides, or * alone on both.",
            )  # fmt: skip
        return (name, *sides)
    if kind != "Select":
        what = node.key.upper()
        raise unsupported("a statement that is no SELECT" if kind != "Paren" else what, node)
    return _select(node, schema, outer, single)


def width(query: Node, schema: Schema) -> int:
    """The number of columns of a query; of `*` alone it is negative, and of `*` with others 0."""
    while head(query) != "select":
        query = inside(query)[1]
    source, show = map(inside, inside(query)[1:3])
    items = [each for each in show[1:] if each != DISTINCT]
    stars = sum(isinstance(each, str) and each.endswith(STAR) for each in items)
    if not stars:
        return len(items)
    if items != [STAR]:
        return 0
    first, *joins = source[1:]
    instances = [first, *(instance_of(str(inside(each)[2])) for each in joins)]
    tables = [schema.tables_by_token[table_of(str(each))] for each in instances]
    return -sum(len(table.columns) for table in tables)


def _select(node: Any, schema: Schema, outer: Scope | None, single: bool) -> Node:
    require_only(node, "SELECT", *_CLAUSES)
    scope = Scope(schema, outer)
    source = node.args.get("from_")
    if source is None:
        raise unsupported("SELECT without FROM", node)
    require_only(source, "FROM", "this")
    where = node.args.get("where")
    joins = node.args.get("joins") or []
    if type(source.this).__name__ == "Subquery":
        return _counted(node, source.this, schema, outer)
    tables = From([source.this], joins, where and where.this, scope)

    place = Place(scope, False, _subquery)
    parts: list[Node] = ["select", tables.node]
    items = Items(node.expressions, scope)
    if single and not items.is_one_column:
        raise unsupported("a subquery with several columns in this place", node)
    if tables.is_reordered and STAR in items.nodes:
        raise unsupported(
            "* of tables that are joined in another order", node, "Write JOIN ... ON for each."
        )
    distinct = node.args.get("distinct")
    if distinct is not None:
        require_only(distinct, "DISTINCT")
    parts.append(("show", *([DISTINCT] if distinct is not None else []), *items.nodes))
    conditions = [read_condition(each, place) for each in tables.conditions]
    if conditions:
        parts.append(("where", _all_of(conditions)))
    parts += _grouped(node, items, place)
    parts += _ordered(node, items)
    return tuple(parts)


def _subquery(node: Any, outer: Scope, single: bool) -> Node:
    return _query(node, outer.schema, outer, single=single)


def _all_of(conditions: list[Node]) -> Node:
    """The conditions joined by AND."""
    found: list[Node] = []
    for each in conditions:
        found += each[1:] if isinstance(each, tuple) and each[0] == "and" else [each]
    return found[0] if len(found) == 1 else ("and", *found)


def _counted(node: Any, inner: Any, schema: Schema, outer: Scope | None) -> Node:
    """`SELECT COUNT(*) FROM (SELECT ...)`, the only form of a subquery in FROM."""
    require_only(inner, "a subquery in FROM", "this", "alias")
    extra = [name for name in _CLAUSES[3:] if node.args.get(name)]
    item = unwrapped(node.expressions[0]) if len(node.expressions) == 1 else None
    if item is not None and type(item).__name__ == "Alias":
        item = item.this
    counts = item is not None and item.sql() == "COUNT(*)"
    if extra or not counts or node.args.get("distinct"):
        raise unsupported(
            "a subquery in FROM", inner, "Permitted there is SELECT COUNT(*) FROM (SELECT ...)."
        )
    return ("select", ("from", _query(inner.this, schema, outer)), ("show", ("count", STAR)))


def _grouped(node: Any, items: Items, place: Place) -> list[Node]:
    group, having = node.args.get("group"), node.args.get("having")
    if group is None:
        if having is not None:
            raise unsupported("HAVING without GROUP BY", having)
        return []
    require_only(group, "GROUP BY", "expressions")
    columns = []
    for each in group.expressions:
        column = items.term(each, aggregates=False)
        if not isinstance(column, str):
            raise unsupported("GROUP BY with something that is no column", each)
        columns.append(column)
    parts: list[Node] = ["group", *columns]
    if having is not None:
        condition = items.spelt_out(having.this)
        parts.append(("having", read_condition(condition, place._replace(aggregates=True))))
    return [tuple(parts)]


def _ordered(node: Any, items: Items) -> list[Node]:
    found: list[Node] = []
    order, limit = node.args.get("order"), node.args.get("limit")
    if order is not None:
        require_only(order, "ORDER BY", "expressions")
        keys: list[Node] = []
        for each in order.expressions:
            descending = bool(each.args.get("desc"))
            if each.args.get("nulls_first") is not (not descending) or each.args.get("with_fill"):
                raise unsupported("NULLS FIRST or NULLS LAST", each)
            term = items.term(each.this, aggregates=True)
            if node.args.get("group") is None and {*AGGREGATES} & {*atoms(term)}:
                raise unsupported("ORDER BY with an aggregate and without GROUP BY", each)
            keys.append(("desc" if descending else "asc", term))
        found.append(("order", *keys))
    if limit is not None:
        require_only(limit, "LIMIT", "expression", "this")
        count = number(limit.expression)
        if count is None or not count.isdigit():
            raise unsupported("LIMIT with something other than a whole number", limit, PERMITTED)
        found.append(("first",) if count == "1" else ("limit", count))
    return found
