"""Operations of Ibis that a store has under another name, with another meaning, or not at all.

`rewritten` replaces them, before an expression is compiled, by functions of the store:

- ClickHouse: exact counts of different values and exact quantiles instead of estimates, small
  letters of all alphabets, dates before 1970, the sorted values of a group in one text.
- Spark, Databricks: the sorted values of a group in one text.
- MySQL: numbers that may be NaN elsewhere.
- SQLite: medians, quantiles and sorted texts, by functions that the runner gives to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import ibis
import ibis.expr.datatypes as dt
import ibis.expr.operations as ops

Replace = Callable[[Any], Any]
"""An operation → what to compute in its place; None to leave it."""


def rewritten(expression: Any, store: str) -> Any:
    """The expression with what the store calls otherwise."""
    replaced = _BY_STORE.get(store)
    if replaced is None:
        return expression

    def replace(node: Any, changed: Mapping[str, Any] | None) -> Any:
        node = node.__recreate__(changed) if changed else node
        replacement = replaced.get(type(node))
        found = None if replacement is None else replacement(node)
        return node if found is None else found.op()

    return expression.op().replace(replace).to_expr()


def _aggregate(name: str, given: tuple[Any, ...], returned: Any) -> Any:
    """A function of a store over many rows; an argument without a type takes any."""
    return ibis.udf.agg.builtin(_ARGUMENTS[len(given)], name=name, signature=(given, returned))


def _scalar(name: str, given: tuple[Any, ...], returned: Any) -> Any:
    """A function of a store over the cells of one row."""
    return ibis.udf.scalar.builtin(_ARGUMENTS[len(given)], name=name, signature=(given, returned))


_ARGUMENTS: Final[Mapping[int, Any]] = {
    1: lambda _1: None,
    2: lambda _1, _2: None,
    3: lambda _1, _2, _3: None,
}
"""What Ibis reads the number of arguments from."""


def _where(node: Any) -> dict[str, Any]:
    return {} if node.where is None else {"where": node.where.to_expr()}


def _is_sorted_by_itself(node: Any) -> bool:
    """Whether texts are joined in their own order, ascending."""
    orders = node.order_by
    return len(orders) == 1 and orders[0].arg == node.arg and bool(orders[0].ascending)


# ClickHouse

_NUMBERS, _TEXTS = dt.Array(dt.float64), dt.Array(dt.string)
_uniq_exact = _aggregate("uniqExact", (None,), dt.int64)
_numbers = _aggregate("groupArray", (dt.float64,), _NUMBERS)
_texts = _aggregate("groupArray", (dt.string,), _TEXTS)
_reduced = _scalar("arrayReduce", (dt.string, _NUMBERS), dt.float64)
_sorted = _scalar("arraySort", (_TEXTS,), _TEXTS)
_joined = _scalar("arrayStringConcat", (_TEXTS, dt.string), dt.string)
_lower = _scalar("lowerUTF8", (dt.string,), dt.string)
_moment = _scalar("toDateTime64", (None, dt.int64, dt.string), dt.timestamp)
_seconds = _scalar("toUnixTimestamp64Second", (dt.timestamp,), dt.int64)


def _clickhouse_quantile(node: Any) -> Any:
    """Ibis takes an estimate from a sample."""
    if not isinstance(node.quantile, ops.Literal):
        return None
    return _clickhouse_share(node, float(node.quantile.value))


def _clickhouse_share(node: Any, share: float) -> Any:
    numbers = _numbers(node.arg.to_expr().cast("float64"), **_where(node))
    found = _reduced(f"quantileExactInclusive({share})", numbers)
    return ibis.ifelse(numbers.length() == 0, ibis.null("float64"), found)


def _clickhouse_list(node: Any) -> Any:
    if not _is_sorted_by_itself(node):
        return None
    texts = _texts(node.arg.to_expr(), **_where(node))
    found = _joined(_sorted(texts), node.sep.to_expr())
    return ibis.ifelse(texts.length() == 0, ibis.null("string"), found)


def _clickhouse_seconds(node: Any) -> Any:
    """Ibis counts within the years that DateTime has, 1970 to 2106."""
    arg = node.arg
    if isinstance(arg, ops.Cast):
        arg = arg.arg
    return _seconds(_moment(arg.to_expr(), 0, "UTC"))


# Spark

_collected = _aggregate("collect_list", (dt.string,), _TEXTS)
_in_order = _scalar("array_sort", (_TEXTS,), _TEXTS)
_as_one = _scalar("array_join", (_TEXTS, dt.string), dt.string)


def _spark_list(node: Any) -> Any:
    if not _is_sorted_by_itself(node) or node.where is not None:
        return None
    texts = _collected(node.arg.to_expr())
    found = _as_one(_in_order(texts), node.sep.to_expr())
    return ibis.ifelse(texts.length() == 0, ibis.null("string"), found)


# SQLite, whose runner defines these

_quantile = _aggregate("grammax_quantile", (dt.float64, dt.float64), dt.float64)
_sorted_texts = _aggregate("grammax_sorted", (dt.string, dt.string), dt.string)


def _sqlite_quantile(node: Any) -> Any:
    return _quantile(node.arg.to_expr(), node.quantile.to_expr(), **_where(node))


def _sqlite_list(node: Any) -> Any:
    if not _is_sorted_by_itself(node):
        return None
    return _sorted_texts(node.arg.to_expr(), node.sep.to_expr(), **_where(node))


def _without_nan(node: Any) -> Any:
    """A number: where the store has no NaN, none is one."""
    other = node.null_if_expr
    if isinstance(other, ops.Literal) and other.value != other.value:
        return node.arg.to_expr()
    return None


_BY_STORE: Final[Mapping[str, Mapping[type, Replace]]] = {
    "clickhouse": {
        ops.CountDistinct: lambda node: _uniq_exact(node.arg.to_expr(), **_where(node)),
        ops.Median: lambda node: _clickhouse_share(node, 0.5),
        ops.Quantile: _clickhouse_quantile,
        ops.GroupConcat: _clickhouse_list,
        ops.Lowercase: lambda node: _lower(node.arg.to_expr()),
        ops.ExtractEpochSeconds: _clickhouse_seconds,
    },
    "databricks": {ops.GroupConcat: _spark_list},
    "mysql": {ops.NullIf: _without_nan},
    "pyspark": {ops.GroupConcat: _spark_list},
    "sqlite": {
        ops.Median: lambda node: _quantile(node.arg.to_expr(), 0.5, **_where(node)),
        ops.Quantile: _sqlite_quantile,
        ops.GroupConcat: _sqlite_list,
    },
}
