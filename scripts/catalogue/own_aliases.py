"""Aliases of our own, from tables/aliases.tsv, put into the lines of a catalogue.

What people call a company ("google") or a field ("revs") where the sources do not. Applying the
table twice is applying it once, so it may also be applied to a finished file.
"""

from __future__ import annotations

from collections.abc import Iterable

from .sources import split, table

_ISSUER = "ISSUER"
_TOKEN, _ALIASES = 1, 3  # columns of a line, of fields and values alike


def with_own_aliases(lines: Iterable[str]) -> list[str]:
    """The lines with our aliases; SystemExit names tokens of the table that have no line.

    An alias of a company is taken from all other companies, and stands before the others.
    """
    wanted = {token: split(cell) for token, cell in table("aliases")}
    owners = {alias: token for token, some in wanted.items() for alias in some}
    changed, left = [], set(wanted)
    for line in lines:
        columns = line.split("\t")
        own = wanted.get(columns[_TOKEN], [])
        left.discard(columns[_TOKEN])
        changed.append("\t".join(_changed(columns, own, owners)))
    if left:
        raise SystemExit(f"aliases.tsv: the catalogue has no {', '.join(sorted(left))}")
    return changed


def _changed(columns: list[str], own: list[str], owners: dict[str, str]) -> list[str]:
    is_issuer = columns[0] == _ISSUER
    given = columns[_ALIASES].split("|") if len(columns) > _ALIASES and columns[_ALIASES] else []
    kept = [
        alias
        for alias in given
        if f"-{alias}" not in own
        and not (is_issuer and owners.get(alias, columns[_TOKEN]) != columns[_TOKEN])
    ]
    if kept == given and not own:
        return columns
    added = [alias for alias in own if not alias.startswith("-")]
    added = [alias for alias in added if alias.casefold() != columns[2].casefold()]
    ordered = [*added, *kept] if is_issuer else [*kept, *added]
    padded = [*columns, ""] if len(columns) == _ALIASES else columns
    padded[_ALIASES] = "|".join(dict.fromkeys(ordered))
    return padded
