"""The mapping file: which column of the user's own tables holds which field.

A TOML file. `url` is one that `run.connect` takes. `[entity]` describes the table with one row per
entity, and names its columns for those of the schema's entity (here `title` and `studio`):

    url = "postgres://reader@db.example.com/cinema"
    today = 2025-11-14                  # what "latest" refers to; by default the current date

    [entity]
    table = "films"
    key = "film_id"                     # the key by which other tables refer to a film
    title = "original_title"
    studio = "studio_name"
    unit = "currency"                   # of each row's amounts; without it, the default unit
    fiscal_end_month = "fye"            # 1 to 12; without it, 12

    [tables.accounts]                   # every other table: its key, and its date if it has one
    key = "film_id"
    date = "period_end"
    period = "quarter"                  # amounts are of a quarter; "year": of the last four

    [tables.awards]
    key = "film_id"

    [units]                             # needed where rows or queries name units
    table = "fx"
    unit = "code"                       # tokens of units, with or without their prefix
    date = "day"
    rate = "dollars"                    # how many of the default unit one is worth

    [fields]                            # field = "table.column"
    FLD_GENRE = "films.genre"
    FLD_AWARD = "awards.award_name"
    FLD_GROSS = "accounts.gross"

    [values.FLD_GENRE]                  # how the store writes values, where not as tokens
    GEN_THRILLER = "Thriller"

Enum fields are in the table of entities or in another table without a date. If the domain has
quarterly series, numeric fields are in tables with a date, of which the last row in a quarter
counts, and a derived field is computed from others unless it is mapped itself. Otherwise numeric
fields are in tables without a date, and `today`, `unit`, `fiscal_end_month` and `[units]` are
ignored.
"""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.source import StoreError
from grammax.tables.sql.plain import Location, PlainLayout
from grammax.text import did_you_mean, nearest

_UNITS: Final = ("table", "unit", "date", "rate")
_SECTIONS: Final = ("url", "today", "entity", "tables", "units", "fields", "values")
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


class MappingError(StoreError):
    """A mapping file that cannot be used; `problems` lists everything wrong with it."""

    def __init__(self, path: Path, problems: list[str]) -> None:
        self.path, self.problems = path, tuple(problems)
        lines = "".join(f"\n    {problem}" for problem in problems)
        super().__init__(
            f"The mapping file {path} cannot be used:{lines}\n"
            "The format is described in grammax.tables.sql.mapping."
        )


@final
@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table of the user: its key, and the date and period of its rows, if any."""

    key: str
    date: str | None = None
    period: Literal["quarter", "year"] = "quarter"


@final
@dataclass(frozen=True, slots=True)
class TableMapping:
    """A mapping file, read and checked."""

    path: Path
    url: str
    today: datetime.date
    entity: Mapping[str, str]  # as written
    tables: Mapping[str, SourceTable]
    layout: PlainLayout
    units: Mapping[str, str] | None

    def table_of(self, token: str) -> SourceTable:
        """The table that holds a mapped field."""
        return self.tables[self.layout.fields[token].table]


def read_mapping(
    path: Path, catalogue: Catalogue, dated: bool, renamed: Mapping[str, str] = _NONE
) -> TableMapping:
    """The mapping of a file; `dated` if numeric fields are series.

    `renamed` maps section names of an older format to their current ones. Raises `MappingError`,
    which lists everything that is wrong with the file.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"The mapping file {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MappingError(path, [f"It is not TOML: {error}."]) from error
    old = [f"[{name}] is now {renamed[name]}." for name in given if name in renamed]
    if old:
        raise MappingError(path, old)
    return _MappingReader(path, given, catalogue, dated).mapping()


class _MappingReader:
    """Collects problems while it reads."""

    def __init__(
        self, path: Path, given: dict[str, Any], catalogue: Catalogue, dated: bool
    ) -> None:
        self._path, self._given, self._catalogue = path, given, catalogue
        self._dated = dated
        self._problems: list[str] = []

    def mapping(self) -> TableMapping:
        self._check_sections()
        url = self._given.get("url")
        if not isinstance(url, str) or not url:
            self._add('url is missing, such as url = "duckdb:///data/films.duckdb".')
        shown = self._catalogue.schema.entity
        entity = self._section("entity", ("table", *shown.columns))
        key = entity.get("key") or entity.get(shown.key, "")
        units = self._section("units", _UNITS) if "units" in self._given else None
        tables = self._tables(entity.get("table"), key)
        fields = self._fields(tables)
        if "unit" in entity and units is None:
            self._add("[entity] has a unit, so there must be [units].")
        values = self._values(fields)
        today = self._today()
        if self._problems:
            raise MappingError(self._path, self._problems)
        columns = {name: entity[name] for name in shown.columns}
        layout = PlainLayout(
            self._catalogue, entity["table"], key, columns, fields, values, self._path
        )
        return TableMapping(self._path, str(url), today, entity, tables, layout, units)

    def _add(self, problem: str) -> None:
        self._problems.append(problem)

    def _check_sections(self) -> None:
        for name in self._given:
            if name not in _SECTIONS:
                self._add(f"{name} is not known; permitted: {', '.join(_SECTIONS)}.")

    def _today(self) -> datetime.date:
        today = self._given.get("today", datetime.date.today())
        if type(today) is not datetime.date:
            self._add(f"today is {today!r}; permitted: a date without quotes, as 2025-11-14.")
            return datetime.date.max
        return today

    def _section(self, name: str, needed: tuple[str, ...]) -> Mapping[str, str]:
        section = self._given.get(name, {})
        section = section if isinstance(section, dict) else {}
        for key in needed:
            if key not in section:
                self._add(f"[{name}] has no {key}; it needs {', '.join(needed)}.")
        for key, value in section.items():
            if not isinstance(value, str):
                self._add(f"[{name}] {key} is {value!r}; permitted: a name in quotes.")
        return MappingProxyType(section)

    def _tables(self, entity_table: str | None, key: str) -> dict[str, SourceTable]:
        found: dict[str, SourceTable] = {}
        for name, section in self._given.get("tables", {}).items():
            try:
                found[name] = SourceTable(**section)
            except TypeError:
                self._add(f"[tables.{name}] needs a key, and may have a date and a period.")
                continue
            if found[name].period not in ("quarter", "year"):
                period = found[name].period
                self._add(f"[tables.{name}] period is {period!r}; permitted: quarter, year.")
        if entity_table and key:
            found.setdefault(entity_table, SourceTable(key))
        return found

    def _fields(self, tables: Mapping[str, SourceTable]) -> dict[str, Location]:
        found: dict[str, Location] = {}
        for token, where in self._given.get("fields", {}).items():
            if token not in self._catalogue.fields:
                hint = did_you_mean(nearest(token, self._catalogue.fields), sentence=True)
                self._add(f"[fields] {token} is not a field of the catalogue. {hint}".rstrip())
                continue
            table, dot, column = str(where).rpartition(".")
            if not dot or table not in tables:
                known = ", ".join(tables) or "none"
                self._add(f'[fields] {token} = "{where}" is not "table.column"; tables: {known}.')
                continue
            self._check_date(token, table, tables[table])
            found[token] = Location(table, column, tables[table].key)
        if not found and "entity" in self._given:
            self._add("[fields] is empty; map at least one field.")
        return found

    def _check_date(self, token: str, name: str, table: SourceTable) -> None:
        numeric = self._catalogue.fields[token].type not in self._catalogue.value_types
        if (numeric and self._dated) == (table.date is not None):
            return
        if table.date is None:
            must = "must have a date"
        else:
            must = "must have none, for it is " + ("not a series" if numeric else "an enum field")
        self._add(f"[fields] {token} lies in {name}, whose rows {must}.")

    def _values(self, fields: Mapping[str, Location]) -> dict[str, Mapping[str, str]]:
        found: dict[str, Mapping[str, str]] = {}
        for token, section in self._given.get("values", {}).items():
            if token not in fields:
                self._add(f"[values.{token}] is for a field that [fields] does not map.")
            for value in section:
                if value not in self._catalogue.values:
                    self._add(f"[values.{token}] {value} is not a value of the catalogue.")
            found[token] = MappingProxyType({str(k): str(v) for k, v in section.items()})
        return found
