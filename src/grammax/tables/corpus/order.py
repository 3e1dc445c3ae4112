"""Words for the order of an answer: "sorted by p/b ratio", "by market cap, highest first"."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from grammax.tables.corpus.bounds import noun
from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.names import Names
from grammax.tables.corpus.values import Said
from grammax.tables.form.tree import Display

LARGEST: Final = {"top": ("largest", "biggest"), "bottom": ("smallest",)}
HIGHEST: Final = {"top": "highest", "bottom": "lowest"}


def sorted_by(
    sort: Display | None, forms: Mapping[str, tuple[str, ...]], names: Names, random: Random
) -> Said:
    """How the answer is sorted, in one of the forms for its order, with a space before it."""
    if sort is None or sort.order is None:
        return Said("", "")
    form = pick(random, forms[sort.order], 0.5)
    comma = "," if form.startswith(("by", "highest", "lowest")) else ""
    field = noun(sort.field.token, names, random)
    return Said(f"{comma} {form.replace('{f}', field)}", f" {form}")
