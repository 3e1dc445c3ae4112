"""`Phrase`: a query, its logical form, and the rules that worded it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from grammax.tables.form.tree import LogicalForm


@final
@dataclass(frozen=True, slots=True)
class Phrase:
    """A query, its logical form, and the rules that worded it."""

    query: str
    lf: LogicalForm
    rules: frozenset[str] = frozenset()
