"""Cottages to let: a schema with a hierarchy, a scale, a unit and a field of several values.

The table is random, and a tenth of it is missing. Numbers are small and whole, and rates are powers
of two, so that every store computes the same doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from tables.query.brute_force import Row

from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.form.times import Time
from grammax.tables.form.tree import FieldRef
from grammax.tables.query.source import column_name
from grammax.tables.schema import Entity, EnumType, NumberType, Schema, Unit
from grammax.tables.sql.plain import Location, PlainLayout

SCHEMA = Schema(
    "cottages",
    Entity("cottage", "cottages", key="code", label="house_name"),
    enums=(
        EnumType("REGION", "REG_", "region"),
        EnumType("STARS", "STR_", "stars", ordered=True),
        EnumType("AMENITY", "AME_", "amenity"),
        EnumType("CURRENCY", "CUR_", "currency"),
    ),
    numbers=(
        NumberType("RENT", denominations=True, units=True),
        NumberType("GUESTS", denominations=True),
        NumberType("SHARE", percentages=True),
    ),
    unit=Unit("CURRENCY", "currency", "CUR_CHF"),
    many=frozenset({"FLD_AMENITY"}),
    measure="FLD_GUESTS",
    positive=frozenset({"FLD_OCCUPANCY"}),
    top_groups=frozenset({"FLD_REGION"}),
)
FIELDS = (
    Field("FLD_REGION", "REGION", "Region"),
    Field("FLD_STARS", "STARS", "Stars"),
    Field("FLD_OWN_STARS", "STARS", "Stars by the owner"),
    Field("FLD_AMENITY", "AMENITY", "Amenities"),
    Field("FLD_RENT", "RENT", "Rent"),
    Field("FLD_DEPOSIT", "RENT", "Deposit"),
    Field("FLD_GUESTS", "GUESTS", "Guests", unit="guests"),
    Field("FLD_OCCUPANCY", "SHARE", "Occupancy", unit="percent"),
)
REGIONS = {
    "Alps": None, "Valais": "Alps", "Grisons": "Alps", "Coast": None, "Liguria": "Coast",
    "Cinque Terre": "Liguria",
}  # fmt: skip
RATES = {"CUR_EUR": 1.0, "CUR_GBP": 2.0, "CUR_JPY": 0.125}
AMENITIES = ("Sauna", "Pool", "Fireplace", "Garden")
OTHERS = {"FLD_AMENITY": Location("amenities", "amenity", "cottage")}


@cache
def catalogue() -> Catalogue:
    """All names of the schema."""
    values = [
        Value(token("REG_", name), "REGION", name, parent=parent and token("REG_", parent))
        for name, parent in REGIONS.items()
    ]
    values += [Value(f"STR_{n}", "STARS", f"{n} stars", rank=6 - n) for n in range(5, 0, -1)]
    values += [Value(token("AME_", name), "AMENITY", name) for name in AMENITIES]
    units = ["CUR_CHF", *RATES]
    values += [Value(unit, "CURRENCY", unit.removeprefix("CUR_")) for unit in units]
    return Catalogue.from_entries(SCHEMA, FIELDS, values)


def token(prefix: str, name: str) -> str:
    return prefix + name.upper().replace(" ", "_")


def layout(names: bool) -> PlainLayout:
    """Where the columns of a `CottageWorld` lie."""
    return PlainLayout.one_table(
        catalogue(), "cottages", {"house_name": "title"}, others=OTHERS, names=names
    )


@dataclass(frozen=True)
class CottageWorld:
    """Cottages as plain rows; enum values are tokens."""

    catalogue: Catalogue
    rows: Sequence[Row]

    def value(self, ref: FieldRef, row: Row) -> Any:
        assert ref.time is None
        return row[column_name(ref.token)]

    def members(self, token: str, row: Row) -> set[str]:
        assert token == "FLD_AMENITY"
        return set(row["amenities"])

    def rate(self, unit: str, time: Time | None) -> float | None:
        assert time is None
        return RATES[unit]

    def change(self, ref: FieldRef, row: Row) -> float | None:
        raise AssertionError("cottages have no history")

    def periods(self, unit: str) -> Sequence[Time]:
        raise AssertionError("cottages have no history")

    def tables(self, names: bool) -> dict[str, list[dict[str, Any]]]:
        """The tables of a store, which writes tokens or names."""
        write = self.catalogue.name_of if names else str
        enums = [column_name(f.token) for f in FIELDS if f.type in self.catalogue.value_types]
        cottages = []
        for row in self.rows:
            cells = {name: cell for name, cell in row.items() if name != "amenities"}
            cells |= {c: write(cells[c]) for c in enums if cells.get(c) is not None}
            cottages.append(cells)
        amenities = [
            {"cottage": row["code"], "amenity": write(amenity)}
            for row in self.rows
            for amenity in row["amenities"]
        ]
        return {"cottages": cottages, "amenities": amenities}


def random_world(count: int, random: Random) -> CottageWorld:
    """A world of so many cottages."""
    names = catalogue()
    rows = []
    for number in range(count):
        cells: dict[str, Any] = {"code": f"C{number:03}", "title": f"Cottage {number}"}
        for field in FIELDS:
            column = column_name(field.token)
            if field.token in SCHEMA.many:
                chosen = random.sample(names.values_of(field.type), random.choice([0, 1, 3]))
                cells["amenities"] = tuple(chosen)
            elif random.random() < 0.1:
                cells[column] = None
            elif field.type in names.value_types:
                cells[column] = random.choice(names.values_of(field.type))
            else:
                cells[column] = float(random.randint(-4, 16))
        rows.append(cells)
    return CottageWorld(names, rows)
