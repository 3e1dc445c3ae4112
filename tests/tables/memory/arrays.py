"""Columns of the worlds that other tests ask."""

from __future__ import annotations

import numpy as np
from tables.query.cottages import FIELDS, SCHEMA, CottageWorld

from grammax.tables.memory.columns import Columns
from grammax.tables.memory.values import Lists, Texts
from grammax.tables.query.source import column_name


def cottage_columns(world: CottageWorld) -> Columns:
    """The cottages in the order of their codes."""
    rows = sorted(world.rows, key=lambda row: str(row["code"]))
    names = {"code": "code", "house_name": "title"}
    names |= {
        field.token: column_name(field.token)
        for field in FIELDS
        if field.type in world.catalogue.value_types and field.token not in SCHEMA.many
    }
    numbers = {
        field.token: np.array([row[column_name(field.token)] for row in rows], np.float64)
        for field in FIELDS
        if field.type in SCHEMA.number_types
    }
    return Columns(
        count=len(rows),
        texts={token: Texts.of(row[name] for row in rows) for token, name in names.items()},
        numbers=numbers,
        lists={"FLD_AMENITY": Lists.of([row["amenities"] for row in rows])},
    )
