"""Columns of an Ibis table: their types, and the same columns as every driver returns them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ibis

from grammax.tables.inspect.description import ValueType


def type_of(type_: Any) -> ValueType:
    """The type of a column among those that are told apart."""
    tests = (
        (type_.is_boolean, ValueType.BOOLEAN),
        (type_.is_integer, ValueType.INTEGER),
        (type_.is_numeric, ValueType.NUMBER),
        (type_.is_date, ValueType.DATE),
        (type_.is_timestamp, ValueType.TIMESTAMP),
        (type_.is_time, ValueType.TIME),
        (type_.is_string, ValueType.TEXT),
        (type_.is_uuid, ValueType.TEXT),
    )
    if type_.is_array() and type_.value_type.is_string():
        return ValueType.LIST
    if type_.is_decimal() and type_.scale == 0:
        return ValueType.INTEGER
    return next((found for test, found in tests if test()), ValueType.OTHER)


def as_plain(column: Any, type_: ValueType) -> Any:
    """A column as numbers, booleans, lists or texts, which every driver returns alike."""
    match type_:
        case ValueType.NUMBER:
            return column.cast("float64")
        case ValueType.INTEGER:
            return column.cast("int64")
        case ValueType.BOOLEAN | ValueType.LIST:
            return column
        case _:
            return column.cast("string")


def plain_table(table: Any, types: Mapping[str, ValueType]) -> Any:
    """The table with the columns that are counted, as plain values."""
    used = {name: type_ for name, type_ in types.items() if type_ is not ValueType.OTHER}
    return table.select(**{name: as_plain(table[name], type_) for name, type_ in used.items()})


def sample_of(table: Any, share: float, store: str) -> Any:
    """Rows drawn at random: about this share of them."""
    if share >= 1:
        return table
    # PostgreSQL samples tables, but not views.
    return table.filter(ibis.random() < share) if store == "postgres" else table.sample(share)
