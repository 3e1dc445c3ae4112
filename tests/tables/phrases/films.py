"""A table of films to read conditions about."""

from __future__ import annotations

from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.domain import TableDomain
from grammax.tables.schema import Entity, EnumType, NumberType, Schema, TextType

SCHEMA = Schema(
    "films",
    Entity("film", "films", key="title"),
    (
        EnumType("COUNTRY", "COU_", "country", semantic="PLACE"),
        EnumType("COLOUR", "COL_", "colour", semantic="BOOLEAN"),
        EnumType("GRADE", "GRD_", "grade", ordered=True, semantic="CATEGORY"),
    ),
    (
        NumberType("MONEY", denominations=True, semantic="MONEY"),
        NumberType("MINUTES", unit="minutes", semantic="DURATION"),
        NumberType("DATE", dates=True, semantic="DATE"),
    ),
    (TextType("PLOT", "TEXT"),),
    history=False,
)


def films() -> TableDomain:
    return TableDomain(
        Catalogue.from_entries(
            SCHEMA,
            [
                Field("FLD_COUNTRY", "COUNTRY", "Country"),
                Field("FLD_IN_COLOUR", "COLOUR", "In colour"),
                Field("FLD_GRADE", "GRADE", "Grade"),
                Field("FLD_GROSS", "MONEY", "Gross", ("box office",)),
                Field("FLD_RUNTIME_MIN", "MINUTES", "Runtime"),
                Field("FLD_RELEASED", "DATE", "Released"),
                Field("FLD_PLOT", "PLOT", "Plot"),
            ],
            [
                Value("COU_FRANCE", "COUNTRY", "France", ("french",)),
                Value("COU_TRINIDAD", "COUNTRY", "Trinidad and Tobago"),
                Value("COL_TRUE", "COLOUR", "yes"),
                Value("COL_FALSE", "COLOUR", "no"),
                Value("GRD_A", "GRADE", "A", rank=1),
                Value("GRD_B", "GRADE", "B", rank=2),
            ],
        )
    )
