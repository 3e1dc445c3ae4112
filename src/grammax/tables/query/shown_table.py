"""The market's answer → a table that can be shown: values by their names, and types of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammax.language.domain import Column, Table
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.entries import NUMBER_TYPES

if TYPE_CHECKING:  # it loads Ibis, which takes a quarter of a second
    from grammax.tables.query.answer import Answer, AnswerColumn


def shown_table(answer: Answer, catalogue: Catalogue) -> Table:
    """An answer with all that a page needs to show it."""
    return Table(
        columns=tuple(_column(column, catalogue) for column in answer.columns),
        rows=answer.named_rows,
        total=answer.total,
        more=answer.truncated,
        seconds=answer.seconds,
    )


def _column(column: AnswerColumn, catalogue: Catalogue) -> Column:
    type_ = "text"
    if column.field is not None and catalogue.fields[column.field].type in NUMBER_TYPES:
        type_ = catalogue.fields[column.field].type.lower()
    return Column(column.label, column.field, type_, column.unit or None, column.synthetic)
