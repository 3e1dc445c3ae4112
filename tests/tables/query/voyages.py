"""Voyages of ships: a stranger's table, with whatever columns strangers have.

Ports have several spellings, classes are numbers, a boolean is a boolean, flags are in another
table, dates are dates, timestamps and texts, and the names of masters and the remarks are searched.
The table is random; a tenth of it is missing, and many values are equal.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from tables.query.brute_force import EPOCH, Row

from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.form.times import Time
from grammax.tables.form.tree import FieldRef
from grammax.tables.query.source import column_name
from grammax.tables.query.spellings import Stored
from grammax.tables.schema import Entity, EnumType, NumberType, Schema, TextType, Unit

TODAY = datetime.date(2021, 3, 31)
YEARS = range(2018, 2022)
SCHEMA = Schema(
    "voyages",
    Entity("voyage", "voyages", key="number", label="ship"),
    enums=(
        EnumType("PORT", "PRT_", "port"),
        EnumType("CLASS", "CLS_", "class", ordered=True),
        EnumType("REFITTED", "REF_", "refitted"),
        EnumType("FLAG", "FLG_", "flag"),
        EnumType("MASTER", "MAS_", "master", open=True, searched=True),
        EnumType("CURRENCY", "CUR_", "currency"),
    ),
    numbers=(
        NumberType("FARE", denominations=True, units=True, semantic="MONEY"),
        NumberType("CREW", semantic="COUNT"),
        NumberType("SHARE", percentages=True, semantic="PERCENT"),
        NumberType("BUILT", semantic="YEAR"),
        NumberType("DATE", dates=True, semantic="DATE"),
    ),
    texts=(TextType("REMARK", "TEXT"), TextType("PICTURE", "IMAGE", searched=False)),
    unit=Unit("CURRENCY", "currency", "CUR_CHF"),
    many=frozenset({"FLD_FLAG"}),
    measure="FLD_CREW",
    positive=frozenset({"FLD_LOAD"}),
    history=False,
    date="FLD_DEPARTED",
)
FIELDS = (
    Field("FLD_PORT", "PORT", "Port"),
    Field("FLD_CLASS", "CLASS", "Class"),
    Field("FLD_REFITTED", "REFITTED", "Refitted"),
    Field("FLD_FLAG", "FLAG", "Flag"),
    Field("FLD_MASTER", "MASTER", "Master"),
    Field("FLD_REMARK", "REMARK", "Remark"),
    Field("FLD_PICTURE", "PICTURE", "Picture"),
    Field("FLD_FARE", "FARE", "Fare"),
    Field("FLD_FEE", "FARE", "Fee"),
    Field("FLD_CREW", "CREW", "Crew"),
    Field("FLD_LOAD", "SHARE", "Load", unit="percent"),
    Field("FLD_BUILT", "BUILT", "Year built"),
    Field("FLD_DEPARTED", "DATE", "Departure"),
    Field("FLD_ARRIVED", "DATE", "Arrival"),
    Field("FLD_LOGGED", "DATE", "Log"),
)
VALUES: Mapping[str, Mapping[str, Sequence[Stored]]] = {
    "FLD_PORT": {
        "PRT_BARI": ("Bari", "bari ", "BARI"),
        "PRT_GENOA": ("Genoa", "Genova"),
        "PRT_O_PORTO": ("O'Porto; drop table voyages",),
        "PRT_TARANTO": ("Taranto",),
    },
    "FLD_CLASS": {"CLS_1": (1,), "CLS_2": (2, 12), "CLS_3": (3,)},
    "FLD_REFITTED": {"REF_NO": (False,), "REF_YES": (True,)},
    "FLD_MASTER": {"MAS_AERTS": ("Aerts",), "MAS_O_NEIL": ("O'Neil",), "MAS_ZOE": ("Zoe",)},
    "FLD_FLAG": {"FLG_GREECE": ("GR",), "FLG_ITALY": ("IT", "Italia"), "FLG_MALTA": ("MT",)},
}
REMARKS = (
    "100% of the cargo_list", "100 of the CARGOXLIST", 'a "quoted" word', "it's C:\\hold\\n",
    "Ünï ÇÖDE", "ünï çöde and %_\\", "two  blanks", "", "rows; drop table voyages --",
    "日本 丸", "a\nb",
)  # fmt: skip
SEARCHED = (
    "100%", "cargo_list", '"', "'", "\\", "%", "_", "çöde", "ÜNÏ", "o_neil", "ER", "日本",
    "zoe", "e", "drop table", "\\n", "--", "two blanks", "%_\\", "Q",
)  # fmt: skip
"""What remarks and names of masters are searched for: all of it is literal."""
RATES = {"CUR_EUR": 2.0, "CUR_GBP": 4.0}
NO_DATES = ("", "unknown", "2019-02-31", "2019-13-01", "31.12.2019")


@cache
def catalogue() -> Catalogue:
    """All names of the schema."""
    type_of = {field.token: field.type for field in FIELDS}
    values = [
        Value(token, type_of[field], token[4:].title(), rank=int(token[4:]) if number else None)
        for field, tokens in VALUES.items()
        for token in tokens
        for number in [field == "FLD_CLASS"]
    ]
    units = ["CUR_CHF", *RATES]
    values += [Value(unit, "CURRENCY", unit.removeprefix("CUR_")) for unit in units]
    return Catalogue.from_entries(SCHEMA, FIELDS, values)


@dataclass(frozen=True)
class VoyageWorld:
    """Voyages as plain rows: enum values are tokens, dates are numbers of days."""

    catalogue: Catalogue
    rows: Sequence[Row]
    tables: Mapping[str, Sequence[Mapping[str, Any]]]  # as a store has them
    today: datetime.date = TODAY

    def value(self, ref: FieldRef, row: Row) -> Any:
        assert ref.time is None
        return row[column_name(ref.token)]

    def text(self, ref: FieldRef, row: Row) -> str | None:
        """The text of a field that is searched, or the name of its value."""
        held = row[column_name(ref.token)]
        return self.catalogue.values[held].name if held in self.catalogue.values else held

    def members(self, token: str, row: Row) -> set[str]:
        assert token == "FLD_FLAG"
        return set(row["flag"])

    def rate(self, unit: str, time: Time | None) -> float | None:
        assert time is None
        return RATES[unit]

    def change(self, ref: FieldRef, row: Row) -> float | None:
        raise AssertionError("voyages have no history")

    def periods(self, unit: str) -> Sequence[Time]:
        raise AssertionError("voyages have no history")


def random_world(count: int, random: Random) -> VoyageWorld:
    """A world of so many voyages."""
    rows, voyages, flags = [], [], []
    for number in range(count):
        row: dict[str, Any] = {"number": number, "ship": f"Ship {number % 7}"}
        stored = dict(row)
        for field in FIELDS:
            name = column_name(field.token)
            if field.token == "FLD_FLAG":
                row[name] = random.sample(sorted(VALUES["FLD_FLAG"]), random.choice([0, 1, 2]))
                flags += [
                    {"voyage": number, "flag": random.choice(VALUES["FLD_FLAG"][flag])}
                    for flag in row[name]
                ]
            else:
                row[name], stored[name] = _cell(field, random)
        rows.append(row)
        voyages.append(stored)
    flags.append({"voyage": None, "flag": None})
    return VoyageWorld(catalogue(), rows, {"voyages": voyages, "flags": flags})


def _cell(field: Field, random: Random) -> tuple[Any, Any]:
    """A value, and what the store has for it."""
    if random.random() < 0.1:
        return None, random.choice(NO_DATES) if field.token == "FLD_LOGGED" else None
    if field.type in ("REMARK", "PICTURE"):
        text = random.choice(REMARKS)
        return text, text
    if field.token in VALUES:
        token = random.choice(sorted(VALUES[field.token]))
        return token, random.choice(VALUES[field.token][token])
    if field.type == "BUILT":
        year = random.randint(1968, 1972)
        return float(year), year
    if field.type != "DATE":
        number = random.randint(-4, 16)
        return float(number), float(number) if field.type == "FARE" else number
    day = datetime.datetime(2017, 12, 1) + datetime.timedelta(days=random.randrange(0, 1220, 30))
    day += datetime.timedelta(days=random.choice([0, 0, 1]))
    if random.random() < 0.1:
        day = day.replace(year=day.year - 60, day=min(day.day, 28))
    if field.token == "FLD_DEPARTED":
        return _days(day), day.date()
    day += datetime.timedelta(hours=random.choice([0, 0, 6, 12]))
    if field.token == "FLD_ARRIVED":
        return _days(day), day
    text = day.isoformat(random.choice(" T")) if day.hour else day.date().isoformat()
    return _days(day), text


def _days(day: datetime.datetime) -> float:
    return (day - EPOCH).total_seconds() / 86_400
