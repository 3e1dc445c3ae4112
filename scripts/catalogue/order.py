"""All entries in one order of commonness: a catalogue of any size is a prefix of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .entries import FieldRow, ValueRow

Entry = FieldRow | ValueRow

HEAD_LIMIT = 900
"""The smallest catalogue has 1,000 tokens, fixed ones included, and holds the whole head."""

_STEPS = {"FIELD": 1.0, "COUNTRY": 4.0, "SECTOR": 6.0, "CURRENCY": 8.0, "STATE": 20.0} | {
    "INDEX": 7.0, "CITY": 7.0, "EXCHANGE": 15.0, "ISSUER": 1.25
}  # fmt: skip
"""How far apart the entries of a type lie: with these all are used up before the issuers are."""


def in_order(rows: Mapping[str, Sequence[Entry]]) -> list[Entry]:
    """The heads of all types, then their rest by turns; each type's own order is kept."""
    head = [row for group in rows.values() for row in group if row.head]
    rest = []
    for number, (type_, group) in enumerate(rows.items()):
        tail = [row for row in group if not row.head]
        rest += [(_STEPS[type_] * i, number, i, row) for i, row in enumerate(tail)]
    return [*head, *(row for *_, row in sorted(rest, key=lambda item: item[:3]))]


def check(entries: Sequence[Entry], groups: Mapping[str, Sequence[str]]) -> None:
    """Raises ValueError with all that is wrong: repeated tokens, parents that come too late."""
    head = sum(entry.head for entry in entries)
    wrong = [f"{head} entries in the head"] if head > HEAD_LIMIT else []
    place: dict[str, int] = {}
    for number, entry in enumerate(entries):
        if entry.token in place:
            wrong.append(f"{entry.token} twice")
        place[entry.token] = number
        texts = (entry.token, entry.name, *entry.aliases)
        if any(set(text) & set("\t\n|") or not text.strip() for text in texts):
            wrong.append(f"{entry.token} has a bad name or alias")
    for number, entry in enumerate(entries):
        above = entry.base if isinstance(entry, FieldRow) else entry.parent
        late = max(number, head - 1)
        if above and place.get(above, len(entries)) > late:
            wrong.append(f"{entry.token} comes before {above}")
    for group, members in groups.items():
        wrong += [f"{group} has {m}" for m in (group, *members) if m not in place]
    if wrong:
        raise ValueError("\n".join(wrong[:20]))
