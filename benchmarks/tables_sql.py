"""Gold SQL as a logical form, where the language can say it.

This measures the language, not a parser: what is translated here and has the same answer can be
asked. The words of a question play no part.

    SELECT city, count(*) FROM shop WHERE size > 3 GROUP BY city ORDER BY count(*) DESC LIMIT 1
    (AND (FLD_SIZE GR 3) (top 1 (count)) (by FLD_CITY))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, cast

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from tables_columns import Scope, Unsayable, scope_of
from tables_worlds import World

from grammax.tables.form.tree import (
    Aggregate,
    And,
    Display,
    EnumValue,
    FieldRef,
    Function,
    Group,
    LogicalForm,
    Not,
    Number,
    Op,
    Operand,
    Or,
    Order,
    Rank,
    Relational,
)
from grammax.tables.inspect.description import ColumnDescription
from grammax.tables.own.catalogue import has_values
from grammax.tables.semantics import SemanticClass
from grammax.tables.wording.values import YES

_OPERATORS: Final[dict[type[exp.Expr], Op]] = {
    exp.EQ: "EQ", exp.NEQ: "NEQ", exp.GT: "GR", exp.GTE: "GE", exp.LT: "LS", exp.LTE: "LE",
}  # fmt: skip
_TURNED: Final[dict[Op, Op]] = {"GR": "LS", "LS": "GR", "GE": "LE", "LE": "GE"}
_FUNCTIONS: Final[dict[type[exp.Expr], Function]] = {
    exp.Avg: "average", exp.Sum: "sum", exp.Min: "min", exp.Max: "max", exp.Count: "count",
}  # fmt: skip


@dataclass(frozen=True)
class Said:
    """A gold query that can be said, and the table whose rows it is about."""

    world: World
    form: LogicalForm


def parsed(sql: str, dialect: str = "sqlite") -> exp.Query:
    """The tree of a gold query."""
    try:
        return cast("exp.Query", sqlglot.parse_one(sql, read=dialect))
    except SqlglotError:
        raise Unsayable("SQL that is not read") from None


def said(sql: str, world: Callable[[str], World | None]) -> Said:
    """The form of a gold query; raises `Unsayable`."""
    tree = parsed(sql)
    if not isinstance(tree, exp.Select):
        raise Unsayable("union, intersection or difference")
    scope = scope_of(tree, world)
    parts = list(_Translation(tree, scope).parts())
    return Said(scope.world, parts[0] if len(parts) == 1 else And(tuple(parts)))


class _Translation:
    """One query, part by part."""

    def __init__(self, select: exp.Select, scope: Scope) -> None:
        self._select, self._scope, self._world = select, scope, scope.world
        self._shown = [each.unalias() for each in select.expressions]
        self._aliases = {e.alias: e.unalias() for e in select.expressions if e.alias}

    def parts(self) -> Iterator[LogicalForm]:
        where, having = self._select.args.get("where"), self._select.args.get("having")
        if where is not None:
            yield from self._conditions(where.this)
        if having is not None:
            yield from self._conditions(having.this)
        yield from self._order()
        if self._is_summary():
            yield from self._summary()
        else:
            yield from self._columns()

    def _is_summary(self) -> bool:
        aggregates = any(type(each) in _FUNCTIONS for each in self._shown)
        return aggregates or self._select.args.get("group") is not None

    def _summary(self) -> Iterator[LogicalForm]:
        group = self._select.args.get("group")
        by = [self._field(each) for each in group.expressions] if group else []
        plain = [self._field(e) for e in self._shown if type(e) not in _FUNCTIONS]
        if plain and not by:
            raise Unsayable("a column beside an aggregate")
        if any(ref not in by for ref in plain):
            key = self._world.description.entity.key
            keys = [column.token for column in self._world.description.used
                    if column.name == key or column.semantic is SemanticClass.CODE]  # fmt: skip
            if not all(ref.token in keys for ref in by):
                raise Unsayable("a column of some row of each group")
            by = plain  # "name … GROUP BY id": groups are shown by what they are called
        yield from (self._aggregate(each) for each in self._shown if type(each) in _FUNCTIONS)
        yield from (Group(ref) for ref in by)

    def _columns(self) -> Iterator[LogicalForm]:
        for each in self._shown:
            if isinstance(each, exp.Star):
                yield from (Display(FieldRef(c.token)) for c in self._scope.every_column())
            else:
                yield Display(self._field(each))

    def _order(self) -> Iterator[LogicalForm]:
        order, limit = self._select.args.get("order"), self._select.args.get("limit")
        if order is None:
            if limit is not None:
                raise Unsayable("some rows, without an order")
            return
        keys = [(self._aliases.get(k.this.name, k.this), bool(k.args.get("desc")))
                for k in order.expressions]  # fmt: skip
        count = int(limit.expression.name) if limit is not None else None
        if count is not None and len(keys) > 1:
            raise Unsayable("the first rows by several columns")
        for key, is_down in keys:
            if isinstance(key, exp.Literal):
                key = self._shown[int(key.name) - 1]
            if type(key) in _FUNCTIONS:
                yield Rank("top" if is_down else "bottom", count, self._aggregate(key))
                continue
            ref, column = self._field(key), self._column(key)
            if count is None:
                direction: Order = "DESC" if is_down else "ASC"
                yield Display(ref, direction)
            elif _is_measured(column) or column.order:
                yield Rank("top" if is_down else "bottom", count, ref)
            else:
                raise Unsayable("the first rows by a text")

    def _conditions(self, node: exp.Expr) -> Iterator[LogicalForm]:
        """The parts of a conjunction."""
        for each in node.flatten() if isinstance(node, exp.And) else [node]:
            yield self._condition(each)

    def _condition(self, node: exp.Expr) -> LogicalForm:
        match node:
            case exp.Paren():
                return self._condition(node.this)
            case exp.And():
                return And(tuple(self._condition(each) for each in node.flatten()))
            case exp.Or():
                return _either([self._condition(each) for each in node.flatten()])
            case exp.Not():
                return Not(self._condition(node.this))
            case exp.Between():
                low, high = node.args["low"], node.args["high"]
                return And((self._compared(node.this, "GE", low),
                            self._compared(node.this, "LE", high)))  # fmt: skip
            case exp.In() if node.expressions:
                return _either([self._compared(node.this, "EQ", e) for e in node.expressions])
            case exp.In():
                raise Unsayable("a query inside the query")
            case exp.Like():
                return self._containing(node)
        if type(node) not in _OPERATORS:
            raise Unsayable(f"the operator {type(node).__name__}")
        return self._compared(node.this, _OPERATORS[type(node)], node.expression)

    def _compared(self, left: exp.Expr, op: Op, right: exp.Expr) -> LogicalForm:
        if isinstance(right, exp.Subquery) and self._is_of_all(right.this):
            inner = right.this.expressions[0].unalias()
            return Relational(self._field(left), op, self._aggregate(inner))
        if isinstance(left, exp.Subquery | exp.Query) or isinstance(right, exp.Subquery):
            raise Unsayable("a query inside the query")
        if isinstance(left, exp.Literal):
            left, right, op = right, left, _TURNED.get(op, op)
        if type(left) in _FUNCTIONS:
            return Relational(self._aggregate(left), op, _number(right))
        column = self._column(left)
        if op not in ("EQ", "NEQ") and not (_is_measured(column) or column.order):
            raise Unsayable("texts that are compared by size")
        return Relational(FieldRef(column.token), op, self._operand(column, right))

    def _is_of_all(self, inner: exp.Expr) -> bool:
        """Whether a query inside is an aggregate of all rows of the same table."""
        if not isinstance(inner, exp.Select):
            return False
        restricted = any(inner.args.get(each) for each in ("where", "group", "joins", "limit"))
        tables = [table.name.lower() for table in inner.find_all(exp.Table)]
        one = len(inner.expressions) == 1 and type(inner.expressions[0].unalias()) in _FUNCTIONS
        return one and not restricted and tables == [self._world.description.table.lower()]

    def _operand(self, column: ColumnDescription, node: exp.Expr) -> Operand:
        if isinstance(node, exp.Column):
            other = self._scope.column(node)
            if other is not None:
                if not (_is_measured(column) and _is_measured(other)):
                    raise Unsayable("columns of texts or codes that are compared")
                return FieldRef(other.token)
        if _is_measured(column):
            return _number(node)
        if not has_values(column):
            raise Unsayable(f"a value of a column that is not enumerated ({column.semantic})")
        token = self._world.token_of(column, node.name)
        if column.semantic is SemanticClass.BOOLEAN:
            token = self._world.boolean_of(column, node.name.casefold() in YES)
        if token is None:
            raise Unsayable("a value that the table lacks")
        return EnumValue(token)

    def _containing(self, node: exp.Like) -> LogicalForm:
        """A text in a value is said by naming the value, if there is only one."""
        column, text = self._column(node.this), node.expression.name.strip("%").casefold()
        if not has_values(column):
            raise Unsayable("a text inside a text")
        values = self._world.values_of(column)
        tokens = [token for token, stored in values.items() if text in stored.casefold()]
        if len(tokens) != 1:
            raise Unsayable("a text inside several values")
        return Relational(FieldRef(column.token), "EQ", EnumValue(tokens[0]))

    def _aggregate(self, node: exp.Expr) -> Aggregate:
        function, inside = _FUNCTIONS.get(type(node)), node.this
        if function is None:
            raise Unsayable("arithmetic")
        if function == "count":
            if not isinstance(inside, exp.Distinct):
                return Aggregate("count")
            return Aggregate("count", self._field(inside.expressions[0]))
        column = self._column(inside)
        if not _is_measured(column):
            raise Unsayable(f"{function} of a column that is no number ({column.semantic})")
        if column.semantic is SemanticClass.DATE and function not in ("min", "max"):
            raise Unsayable(f"{function} of dates")
        return Aggregate(function, FieldRef(column.token))

    def _field(self, node: exp.Expr) -> FieldRef:
        return FieldRef(self._column(node).token)

    def _column(self, node: exp.Expr) -> ColumnDescription:
        node = node.this if isinstance(node, exp.Paren) else node
        if not isinstance(node, exp.Column):
            raise Unsayable("arithmetic")
        column = self._scope.column(node)
        if column is None or column.token not in self._world.catalogue.fields:
            raise Unsayable("a column that is not in the view")
        return column


def _is_measured(column: ColumnDescription) -> bool:
    number = column.semantic.is_number or column.semantic is SemanticClass.DATE
    return number and not has_values(column)


def _number(node: exp.Expr) -> Number:
    sign = "-" if isinstance(node, exp.Neg) else ""
    try:
        float(node.name)
    except ValueError:
        raise Unsayable("a number that is no number") from None
    return Number(sign + node.name)


def _either(parts: Sequence[LogicalForm]) -> LogicalForm:
    *before, last = parts
    for part in reversed(before):
        last = Or((part, last))
    return last
