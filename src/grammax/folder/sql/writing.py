"""Bracketed forms → SQL.

Goes in: the tokens of a form, and a schema. Comes out: one SELECT in SQLite's dialect. It is made
of sqlglot's expressions, never of text, and reading it gives the same form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from grammax.folder.sql.identifiers import instance_names, is_plain
from grammax.folder.sql.reading.conditions import COMPARISONS, ESCAPE, SHAPES, escaped
from grammax.folder.sql.reading.joins import JOIN, LEFT_JOIN
from grammax.folder.sql.reading.scope import base_token, instance_of, instances_in, table_of
from grammax.folder.sql.reading.statement import SET_OPERATIONS, UNION_ALL
from grammax.folder.sql.reading.terms import AGGREGATES, ARITHMETIC, DISTINCT, STAR, VALUE
from grammax.folder.sql.schema import Schema
from grammax.folder.sql.schema_files import DIALECT, sqlglot
from grammax.folder.sql.tree import Node, head, inside, nested
from grammax.folder.sql.unsupported import NotAForm
from grammax.language.domain import Tokens

_SIGNS: Final = {sign: name for name, sign in COMPARISONS.items()}
_ARITHMETIC: Final = {name: kind for kind, name in ARITHMETIC.items()}
_SHAPES: Final = {name: (before, after) for name, before, after in SHAPES}


def write_sql(tokens: Tokens, schema: Schema) -> str:
    """The SQL of a form; `NotAForm` if the tokens are none.

    >>> from grammax.folder.sql.schema_files import parse_schema
    >>> schema = parse_schema("CREATE TABLE film (title TEXT, year INTEGER)")
    >>> form = "( select ( from film ) ( show film.title ) ( where ( > film.year 1999 ) ) )"
    >>> write_sql(tuple(form.split()), schema)
    'SELECT title FROM film WHERE year > 1999'
    """
    return str(statement(tokens, schema).sql(dialect=DIALECT))


def statement(tokens: Tokens, schema: Schema) -> Any:
    """The statement of a form as an expression of sqlglot."""
    try:
        return _Writer(sqlglot().exp, schema).query(nested(tokens))
    except (ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise NotAForm(f"these tokens are no form of SQL: {' '.join(tokens)[:200]}") from error


class _Writer:
    """Writes one statement; `alone` says that its FROM has one table, so columns need no table."""

    def __init__(self, exp: Any, schema: Schema, names: dict[str, str] | None = None) -> None:
        self.exp = exp
        self.schema = schema
        self.names = names or {}  # instance → its name in the statement

    def query(self, node: Node) -> Any:
        name = head(node)
        if name == "select":
            return self._select(inside(node))
        if name in (*SET_OPERATIONS, UNION_ALL):
            _, left, right = inside(node)
            made = getattr(self.exp, name.removesuffix("_all").capitalize())
            return made(
                this=self.query(left), expression=self.query(right), distinct=name != UNION_ALL
            )
        raise NotAForm(f"there is no query that begins with {name!r}")

    def _select(self, node: tuple[Node, ...]) -> Any:
        exp = self.exp
        _, source, show, *clauses = node
        if head(source) != "from" or head(show) != "show":
            raise NotAForm("a select begins with from and show")
        made = exp.Select()
        writer = self._from(made, source)
        items = [*inside(show)[1:]]
        if items and items[0] == DISTINCT:
            made.set("distinct", exp.Distinct())
            del items[0]
        made.set("expressions", [writer.term(each) for each in items])
        for clause in clauses:
            writer._clause(made, clause)
        return made

    def _from(self, made: Any, source: Node) -> _Writer:
        exp = self.exp
        _, first, *joins = inside(source)
        if isinstance(first, tuple):
            inner = exp.Subquery(this=_Writer(exp, self.schema).query(first))
            made.set("from_", exp.From(this=inner))
            return _Writer(exp, self.schema)
        listed = [first, *(instance_of(str(inside(each)[2])) for each in joins)]
        names = instance_names(listed, self.schema)
        writer = _Writer(exp, self.schema, names)
        made.set("from_", exp.From(this=writer._table(first)))
        for each, instance in zip(joins, listed[1:], strict=True):
            kind, *columns = map(str, inside(each))
            if kind not in (JOIN, LEFT_JOIN):
                raise NotAForm(f"there is no join {kind!r}")
            pairs = zip(columns[::2], columns[1::2], strict=True)
            equal = [exp.EQ(this=writer.term(a), expression=writer.term(b)) for a, b in pairs]
            if instances_in(columns[1::2]) != {instance}:
                raise NotAForm("a join is with one table")
            join = exp.Join(this=writer._table(instance), on=_all(exp.And, equal))
            if kind == LEFT_JOIN:
                join.set("side", "LEFT")
            made.append("joins", join)
        return writer

    def _table(self, instance: str) -> Any:
        table = self.schema.tables_by_token[table_of(instance)]
        made = self.exp.Table(this=self._identifier(table.name))
        name = self.names[instance]
        if name and name != table.name:
            made.set("alias", self.exp.TableAlias(this=self._identifier(name)))
        return made

    def _clause(self, made: Any, clause: Node) -> None:
        exp, (name, *parts) = self.exp, inside(clause)
        if name == "where":
            [condition] = parts
            made.set("where", exp.Where(this=self.condition(condition)))
        elif name == "group":
            if head(parts[-1]) == "having":
                having = parts.pop()
                made.set("having", exp.Having(this=self.condition(inside(having)[1])))
            made.set("group", exp.Group(expressions=[self.term(each) for each in parts]))
        elif name == "order":
            keys = [
                exp.Ordered(
                    this=self.term(term), desc=order == "desc", nulls_first=order != "desc"
                )
                for order, term in map(inside, parts)
            ]  # fmt: skip
            made.set("order", exp.Order(expressions=keys))
        elif name in ("first", "limit"):
            [count] = ["1"] if name == "first" else parts
            made.set("limit", exp.Limit(expression=self._number(str(count))))
        else:
            raise NotAForm(f"there is no clause {name!r}")

    def term(self, node: Node) -> Any:
        """A column, a star, an aggregate, arithmetic, or a number."""
        exp = self.exp
        if isinstance(node, str):
            if node == STAR:
                return exp.Star()
            if VALUE not in node and base_token(node) in self.schema.columns_by_token:
                return self._column(node)
            if node.endswith(f".{STAR}"):
                return exp.Column(this=exp.Star(), table=self._identifier(self._name(node)))
            return self._number(node)
        name, *parts = node
        if name in AGGREGATES:
            inner = self.term(parts[-1])
            if parts[0] == DISTINCT and len(parts) == 2:
                inner = exp.Distinct(expressions=[inner])
            elif len(parts) != 1:
                raise NotAForm(f"{name} takes one column")
            return getattr(exp, name.capitalize())(this=inner)
        kind = _ARITHMETIC[str(name)]
        left, right = (self._operand(each) for each in parts)
        made = getattr(exp, kind)(this=left, expression=right)
        if kind == "Div":  # as SQLite divides, whole numbers without a rest
            made.set("typed", True)
            made.set("safe", True)
        return made

    def _operand(self, node: Node) -> Any:
        made = self.term(node)
        inner = isinstance(node, tuple) and node[0] in _ARITHMETIC
        return self.exp.Paren(this=made) if inner else made

    def _column(self, token: str) -> Any:
        column = self.schema.columns_by_token[base_token(token)]
        name = self._name(token)
        made = self.exp.Column(this=self._identifier(column.name))
        if name:
            made.set("table", self._identifier(name))
        return made

    def _name(self, column: str) -> str:
        instance = instance_of(column)
        if column.endswith(STAR) and not self.names[instance]:
            return self.schema.tables_by_token[table_of(instance)].name
        return self.names[instance]

    def condition(self, node: Node) -> Any:
        """A condition of WHERE or HAVING."""
        exp = self.exp
        name, *parts = inside(node)
        if name in ("and", "or"):
            made = [self._nested(each, str(name)) for each in parts]
            return _all(exp.And if name == "and" else exp.Or, made)
        if name == "not":
            [inner] = parts
            made = self._nested(inner, "not")
            if type(made).__name__ in ("Is", "Like"):
                made.set("negate", True)
                return made
            return exp.Not(this=made)
        if name in _SIGNS:
            left, right = parts
            kind = getattr(exp, _SIGNS[str(name)])
            return kind(this=self.term(left), expression=self._value(right, left))
        return self._WRITERS[str(name)](self, parts)

    def _nested(self, node: Node, around: str) -> Any:
        made = self.condition(node)
        inner = head(node) in ("and", "or") or (head(node) == "not" and around == "not")
        return self.exp.Paren(this=made) if inner else made

    def _value(self, node: Node, column: Node) -> Any:
        """The right side of a comparison: a value of the column, a subquery, or another term."""
        if head(node) in ("select", *SET_OPERATIONS, UNION_ALL):
            return self.exp.Subquery(this=_Writer(self.exp, self.schema).query(node))
        if isinstance(node, str) and isinstance(column, str):
            prefix = f"{base_token(column)}{VALUE}"
            if node.startswith(prefix):
                return self.exp.Literal.string(node.removeprefix(prefix))
        return self.term(node)

    def _between(self, parts: list[Node]) -> Any:
        term, low, high = parts
        return self.exp.Between(
            this=self.term(term), low=self._value(low, term), high=self._value(high, term)
        )

    def _in(self, parts: list[Node]) -> Any:
        term, *values = parts
        made = self.exp.In(this=self.term(term))
        if isinstance(values[0], tuple):
            made.set("query", self._value(values[0], term))
        else:
            made.set("expressions", [self._value(each, term) for each in values])
        return made

    def _null(self, parts: list[Node]) -> Any:
        [column] = parts
        return self.exp.Is(this=self.term(column), expression=self.exp.Null())

    def _exists(self, parts: list[Node]) -> Any:
        [query] = parts
        return self.exp.Exists(this=_Writer(self.exp, self.schema).query(query))

    def _like(self, parts: list[Node], before: str = "", after: str = "") -> Any:
        column, said = parts
        assert isinstance(said, str)
        if len(said) < 3 or said[0] != "'" or said[-1] != "'":
            raise NotAForm(f"{said!r} is not a text in quotes")
        body = said[1:-1]
        marked = (before or after) and {"%", "_"} & {*body}
        pattern = f"{before}{escaped(body) if marked else body}{after}"
        made = self.exp.Like(this=self.term(column), expression=self.exp.Literal.string(pattern))
        if not marked:
            return made
        return self.exp.Escape(this=made, expression=self.exp.Literal.string(ESCAPE))

    _WRITERS: Final[dict[str, Callable[..., Any]]] = {
        "between": _between,
        "in": _in,
        "null": _null,
        "exists": _exists,
        "like": _like,
        **{
            name: lambda self, parts, ends=ends: self._like(parts, *ends)
            for name, ends in _SHAPES.items()
        },
    }

    def _identifier(self, name: str) -> Any:
        return self.exp.Identifier(this=name, quoted=not is_plain(name))

    def _number(self, token: str) -> Any:
        digits = token.removeprefix("-").replace(".", "", 1)
        if not (digits.isascii() and digits.isdigit()):
            raise NotAForm(f"{token!r} is neither a column nor a number")
        number = self.exp.Literal.number(token.removeprefix("-"))
        return self.exp.Neg(this=number) if token.startswith("-") else number


def _all(kind: Any, conditions: list[Any]) -> Any:
    made, *others = conditions
    for each in others:
        made = kind(this=made, expression=each)
    return made
