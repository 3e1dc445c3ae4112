"""Texts that are numbers, dates or booleans: found out from a sample, then checked on all rows.

A reading is a short text, kept in `schema.toml`:

| reading | texts such as |
|---|---|
| `integer`, `number` | `12`, `-3.5e6` |
| `number 1,234.5`, `number 1.234,5` | with separators of thousands, a currency or a unit |
| `date iso`, `date %d/%m/%Y`, `date iso or %d %b %Y` | dates, in one or several formats |
| `timestamp iso` … | the same with a time of day |
| `boolean` | `yes` and `no`, `t` and `f`, `1` and `0` |

DuckDB reads all of them; other stores read ISO dates, plain numbers and booleans.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import ibis

from grammax.tables.inspect.concepts import unit_of
from grammax.tables.inspect.dates import formats_of, looks_dated

DUCKDB: Final = "duckdb"
SAMPLE: Final = 2_000  # rows that readings are proposed from
MISSING: Final = (
    "",
    "na",
    "n/a",
    "n.a.",
    "nan",
    "null",
    "none",
    "-",
    "--",
    "?",
    "nil",
    "#n/a",
    ".",
)
"""What stands for a missing number, date or boolean, in lower case."""
TRUE: Final = ("yes", "y", "true", "t", "1")
FALSE: Final = ("no", "n", "false", "f", "0")
_BOOLEANS: Final = (("yes", "no"), ("y", "n"), ("true", "false"), ("t", "f"))
_NEARLY: Final = 0.02  # of the values may be unreadable: they count as missing
_MOSTLY: Final = 0.5
_SURE: Final = 15  # digits that every number can have
_TOGETHER: Final = 120  # numbers in one query: the time for planning grows with their square

_NUMBER: Final = re.compile(
    r"(?P<open>\()?[-+−]?\s?(?P<before>[$€£¥₹]|[A-Z]{3}\s)?\s?[-+−]?"
    r"(?P<body>\d[\d.,'\u00a0\u202f ]*\d|\d|[.,]\d+)(?P<power>[eE][-+]?\d{1,3})?"
    r"\s?(?P<after>[^\d\s.,()]{1,12})?\)?"
)
_PLAIN: Final = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?")
_POINTED: Final = re.compile(r"(\d{1,3}([, '\u00a0\u202f]\d{3})+|\d+)(\.\d+)?|\.\d+")
_COMMAED: Final = re.compile(r"(\d{1,3}([. '\u00a0\u202f]\d{3})+|\d+)(,\d+)?|,\d+")
_ISO: Final = r"^\d{4}-\d{2}-\d{2}"


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """A proposal: how texts are read, their unit, and a sentence if it may be wrong."""

    how: str
    unit: str = ""
    doubt: str = ""


def proposed(texts: Collection[str]) -> Reading | None:
    """How texts are probably read, from a sample of them; None if as texts.

    >>> proposed(["1,200", "950"]), proposed(["yes", "no", "no"])
    (Reading(how='number 1,234.5', unit='', doubt=''), Reading(how='boolean', unit='', doubt=''))
    >>> proposed(["01234", "55555"]) is None  # a code: the zero matters
    True
    """
    filled = [text for each in texts if (text := each.strip()).lower() not in MISSING]
    if not filled:
        return None
    low = {text.lower() for text in filled}
    if any(low <= {*pair} for pair in _BOOLEANS) and (len(low) == 2 or low & {"true", "false"}):
        return Reading("boolean")
    return _as_number(filled) or _as_date(filled)


def is_value(cell: str) -> bool:
    """Whether a cell is a number or a date, so not the name of a column."""
    text = cell.strip()
    return _PLAIN.fullmatch(text) is not None or bool(_as_date([text])) or _amount(text)


def _amount(text: str) -> bool:
    found = _NUMBER.fullmatch(text)
    return found is not None and (bool(found["before"]) or text[0].isdigit()) and (
        not found["after"] or bool(unit_of(found["after"]))
    )  # fmt: skip


def _as_number(filled: Sequence[str]) -> Reading | None:
    if any(len(text) > 1 and text[0] == "0" and text.isdigit() for text in filled):
        return None
    plain = [text for text in filled if _PLAIN.fullmatch(text)]
    if len(plain) >= (1 - _NEARLY) * len(filled):
        whole = all(text.lstrip("+-").isdigit() for text in plain)
        return Reading("integer" if whole else "number")
    found = [match for text in filled if (match := _NUMBER.fullmatch(text))]
    units = {_unit(match) for match in found}
    if len(found) < (1 - _NEARLY) * len(filled) or len(units - {""}) > 1 or None in units:
        return None
    bodies = [match["body"] for match in found]
    pointed = sum(_POINTED.fullmatch(body) is not None for body in bodies)
    commaed = sum(_COMMAED.fullmatch(body) is not None for body in bodies)
    if max(pointed, commaed) < (1 - _NEARLY) * len(filled):
        return None
    how = "number 1,234.5" if pointed >= commaed else "number 1.234,5"
    return Reading(how, next((unit for unit in units if unit), ""))


def _unit(match: re.Match[str]) -> str | None:
    """The unit of an amount, "" if it has none, None if its signs are not a unit."""
    signs = [sign for sign in (match["before"], match["after"]) if sign]
    units = [unit_of(sign) for sign in signs]
    if len(signs) > 1 or "" in units:
        return None
    return units[0] if units else ""


def _as_date(filled: Sequence[str]) -> Reading | None:
    if sum(map(looks_dated, filled)) < (1 - _NEARLY) * len(filled):
        return None
    found = formats_of(filled, 1 - _NEARLY)
    if found is None:
        return None
    kind = "timestamp" if found.timed else "date"
    return Reading(f"{kind} {' or '.join(found.formats)}", doubt=found.doubt)


def permitted_readings(store: str, reading: str) -> bool:
    """Whether a store can read texts so."""
    return store == DUCKDB or reading in (
        "integer",
        "number",
        "date iso",
        "timestamp iso",
        "boolean",
    )


def read(column: Any, reading: str, store: str = DUCKDB) -> Any:
    """The column read so; what cannot be read is missing."""
    kind, _, how = reading.partition(" ")
    if kind == "boolean":
        return _boolean(column)
    if store != DUCKDB:
        return _read_elsewhere(column.strip(), kind, store)
    match kind:
        case "integer":
            return column.try_cast("int64")
        case "number":
            return _number(column, how)
        case _:
            return _moment(column, kind, how.split(" or "))


@ibis.udf.scalar.builtin(signature=(("string", "string"), "timestamp"))  # type: ignore[untyped-decorator]
def try_strptime(text: str, form: str) -> Any:  # DuckDB's own function
    """The time that a text says in a format; null if it does not."""


def _moment(text: Any, kind: str, formats: Sequence[str]) -> Any:
    tried = [
        text.try_cast("timestamp") if form == "iso" else try_strptime(text.strip(), form)
        for form in formats
    ]
    moment = ibis.coalesce(*tried) if len(tried) > 1 else tried[0]
    return moment if kind == "timestamp" else moment.date()


def _number(text: Any, how: str) -> Any:
    if not how:
        number = text.try_cast("float64")
        return ibis.ifelse(number.isinf() | number.isnan(), ibis.null("float64"), number)
    negative = text.re_search(r"^\(|^[^0-9]*[-−]")
    digits = text.re_replace(r"[^0-9.,eE]|[eE][^0-9]|[eE]$", "")
    if how == "1.234,5":
        digits = digits.replace(".", "").replace(",", ".")
    else:
        digits = digits.replace(",", "")
    number = digits.try_cast("float64")
    return ibis.ifelse(negative, -number, number)


def _boolean(column: Any) -> Any:
    if column.type().is_boolean():
        return column
    if column.type().is_numeric():
        return column != 0
    low = column.strip().lower()
    return ibis.cases((low.isin(TRUE), True), (low.isin(FALSE), False))


def _read_elsewhere(text: Any, kind: str, store: str) -> Any:
    """For stores without `try_cast`: what does not look right is not cast."""
    pattern, type_ = {
        "integer": (r"^[-+]?[0-9]+$", "int64"),
        "number": (r"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$", "float64"),
        "date": (_ISO, "date"),
        "timestamp": (_ISO, "timestamp"),
    }[kind]
    if store == "sqlite" and kind in ("date", "timestamp"):
        return text.cast(type_)  # null if it is none; patterns are slow there
    return ibis.ifelse(text.re_search(pattern), text, ibis.null("string")).cast(type_)


def read_texts(table: Any, readings: Mapping[str, str], store: str = DUCKDB) -> Any:
    """The table with columns read as given."""
    columns = {name: read(table[name], how, store) for name, how in readings.items()}
    return table.mutate(**columns) if columns else table


def readings_of(
    table: Any, rows: Callable[[Any], list[Any]], store: str = DUCKDB
) -> tuple[Mapping[str, Reading], Mapping[str, str]]:
    """The readings of a table's columns of texts, and doubts by column."""
    names = [name for name, type_ in table.schema().items() if type_.is_string()]
    if not names:
        return {}, {}
    sample = rows(table.select(names).limit(SAMPLE))
    readings: dict[str, Reading] = {}
    doubts: dict[str, str] = {}
    unsure: list[str] = []
    for index, name in enumerate(names):
        texts = {str(row[index]) for row in sample if row[index] is not None}
        found = proposed(texts)
        if found and permitted_readings(store, found.how):
            readings[name] = found
            if len(sample) == SAMPLE or not _is_sure(texts, found.how):
                unsure.append(name)
            if found.doubt:
                doubts[name] = found.doubt
        elif doubt := _mixed(texts, found):
            doubts[name] = doubt
    _check(table, rows, readings, unsure, doubts, store)
    return readings, doubts


def _mixed(texts: Collection[str], found: Reading | None) -> str:
    """A sentence about texts that are partly numbers or dates."""
    if found:
        return f"It looks like {found.how}, which this database cannot read from text."
    filled = [text for text in texts if text.strip().lower() not in MISSING]
    numbers = [text for text in filled if _PLAIN.fullmatch(text.strip())]
    if len(filled) < 2 or not _MOSTLY * len(filled) < len(numbers) < len(filled):
        return ""
    if any(len(text) > 1 and text[0] == "0" and text.isdigit() for text in numbers):
        return ""
    other = next(text for text in filled if text not in numbers)
    return f"Most of its values are numbers, but not all, such as {other!r}: it is read as text."


def _is_sure(texts: Collection[str], how: str) -> bool:
    """Whether any store reads all these texts so: plain numbers, none too long."""
    if how not in ("integer", "number"):
        return False
    known = (text.strip() for text in texts if text.strip().lower() not in MISSING)
    return all(_PLAIN.fullmatch(text) and len(text) <= _SURE for text in known)


def _check(
    table: Any, rows: Callable[[Any], list[Any]], readings: dict[str, Reading],
    unsure: Sequence[str], doubts: dict[str, str], store: str,
) -> None:  # fmt: skip
    """Leave out readings that do not hold for all rows; say where values are lost."""
    columns = {name: read(table[name], readings[name].how, store) for name in unsure}
    counts: dict[str, Any] = {}
    for name, value in columns.items():
        counts[f"known {name}"] = table[name].count()
        counts[f"lost {name}"] = _unread(table[name], value).sum()
        if readings[name].how == "integer" and store == DUCKDB:  # whose cast rounds
            number = table[name].try_cast("float64")
            counts[f"part {name}"] = (number != number.floor()).sum()
    found = _one_row(table, rows, counts)
    # Only what could not be read is compared with the signs of missing values: that is slow.
    missing = {
        name: (_unread(table[name], value) & table[name].strip().lower().isin(MISSING)).sum()
        for name, value in columns.items()
        if found[f"lost {name}"]
    }
    as_missing = _one_row(table, rows, missing)
    for name in columns:
        lost = found[f"lost {name}"] - as_missing.get(name, 0)
        known = found[f"known {name}"] - as_missing.get(name, 0)
        if lost > _NEARLY * known:
            del readings[name]
            doubts[name] = f"{lost:,} of its {known:,} values differ from the others in kind."
            continue
        kind = readings[name].how.partition(" ")[0]
        if found.get(f"part {name}"):
            readings[name] = Reading("number", readings[name].unit)
        if lost:
            article = "an" if kind == "integer" else "a"
            doubts[name] = (
                f"{lost:,} of its {known:,} values cannot be read as {article} {kind}; they count "
                "as missing."
            )


def _unread(text: Any, value: Any) -> Any:
    return text.notnull() & value.isnull()


def _one_row(
    table: Any, rows: Callable[[Any], list[Any]], asked: Mapping[str, Any]
) -> dict[str, int]:
    found: dict[str, int] = {}
    names = list(asked)
    for start in range(0, len(names), _TOGETHER):
        some = names[start : start + _TOGETHER]
        numbered = {f"c{index}": asked[name] for index, name in enumerate(some)}
        [row] = rows(table.aggregate(**numbered))
        found |= {name: int(count or 0) for name, count in zip(some, row, strict=True)}
    return found
