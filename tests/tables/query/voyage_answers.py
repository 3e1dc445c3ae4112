"""Answers about voyages, compared with those of the brute force."""

from __future__ import annotations

import datetime
from random import Random
from typing import Any

import pytest
from tables.query.brute_force import EPOCH
from tables.query.brute_groups import answer, is_summary
from tables.query.random_forms import FormGenerator
from tables.query.voyages import SEARCHED, YEARS, VoyageWorld

from grammax.language.answer import Answer
from grammax.tables.form.tree import LogicalForm
from grammax.tables.query.store import Store


def forms(world: VoyageWorld, count: int, seed: int = 1) -> list[LogicalForm]:
    generator = FormGenerator(world, Random(seed), YEARS, SEARCHED)
    return [generator.draw() for _ in range(count)]


def difference(world: VoyageWorld, store: Store, lf: LogicalForm) -> str:
    """How the answer differs from that of the brute force; empty if they are equal."""
    return compared(world, lf, store.answer(lf, limit=1000, seconds=60))


def compared(world: VoyageWorld, lf: LogicalForm, found: Answer) -> str:
    """How an answer differs from that of the brute force; empty if they are equal."""
    rows = list(found.token_rows)
    if not is_summary(lf):
        rows = [(int(str(row[0])), *row[2:]) for row in rows]
    wanted = cells(answer(world, lf), found, is_summary(lf))
    if len(rows) != len(wanted):
        return f"{len(rows)} rows in place of {len(wanted)} for {lf}"
    for one, other in zip(rows, wanted, strict=True):
        same = [a == (pytest.approx(b, rel=1e-9) if isinstance(b, float) else b)
                for a, b in zip(one, other, strict=True)]  # fmt: skip
        if not all(same):
            return f"{one} is not {other} for {lf}"
    return ""


def cells(rows: list[tuple[Any, ...]], found: Answer, summary: bool) -> list[tuple[Any, ...]]:
    """Rows of the brute force as an answer shows them."""
    columns = found.columns if summary else (found.columns[0], *found.columns[2:])

    def shown(cell: Any, type_: str, field: str | None) -> Any:
        if type_ == "date" and cell is not None:
            moment = EPOCH + datetime.timedelta(days=cell)
            return str(moment if moment.hour else moment.date())
        if field == "FLD_FLAG" and type_ == "text" and not summary and cell:
            return tuple(cell.split(", "))
        return cell

    return [
        tuple(shown(cell, c.type, c.field) for cell, c in zip(row, columns, strict=True))
        for row in rows
    ]
