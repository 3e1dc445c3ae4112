"""Equity indices: the well-known ones of our table, then all that investpy names."""

from __future__ import annotations

import re

from .entries import ValueRow, aliases, slug, unique
from .sources import package_rows, split, table

_CLASSES = ("major_indices", "additional_indices", "primary_sectors", "other_indices")
_NOT_EQUITY = re.compile(
    r"government|benchmark|treasury|bond|gilt|bund|futures|commodit|fixed income|libor|"
    r"\bfx\b|currency|years? |oatei|\bcdx\b|itraxx|bitcoin|crypto|volatility|\bvix\b|dollar|"
    r"inflation|cash index|vstoxx|interest rate",
    re.IGNORECASE,
)
_HEAD_INDICES = 60


def index_rows() -> list[ValueRow]:
    """Indices, the best known first."""
    rows: dict[str, ValueRow] = {}
    seen = set()
    for position, (token, name, words, sources) in enumerate(table("indices")):
        given = aliases(name, split(words), split(sources))
        head = position < _HEAD_INDICES
        rows[f"IDX_{token}"] = ValueRow("INDEX", f"IDX_{token}", name, given, head=head)
        seen |= {slug(text) for text in (name, *split(sources))}
    listed = package_rows("investpy", "investpy/resources/indices.csv")
    listed = [row for row in listed if row["class"] in _CLASSES and not _is_other(row)]
    listed.sort(key=lambda row: _CLASSES.index(row["class"]))
    for row in listed:
        name = " ".join(row["full_name"].replace("|", " ").split())
        if slug(name) in seen or slug(row["name"]) in seen or not slug(name):
            continue
        seen |= {slug(name), slug(row["name"])}
        endings = [row["country"], row["symbol"]]
        token, name = unique("IDX_", name, rows, endings)
        symbol = row["symbol"] if re.search("[A-Za-z]", row["symbol"]) else ""
        rows[token] = ValueRow("INDEX", token, name, aliases(name, [row["name"], symbol]))
    return list(rows.values())


def _is_other(row: dict[str, str]) -> bool:
    return bool(_NOT_EQUITY.search(row["full_name"]))
