"""Names and tokens of all columns together: none is ambiguous, and every token is unique.

A name that several columns could have belongs to the one with the best claim: its label first, then
what the concept of a column of the fact table is called, then what is reached along a reference,
then what the values are: `origin` is also called "country" if it has countries. If two have the
same claim, neither gets the name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from grammax.tables.inspect.classify import Classified
from grammax.tables.inspect.concepts import Concept
from grammax.tables.inspect.description import ColumnDescription
from grammax.tables.inspect.tokens import (
    distinct_names,
    distinct_prefixes,
    distinct_tokens,
    spelt,
)
from grammax.tables.known_values.kinds import CALLED, kind_of
from grammax.tables.semantics import SemanticClass

FIELD_PREFIX: Final = "FLD_"
_RESERVED: Final = frozenset({FIELD_PREFIX, "CUR_"})
_NAMED: Final = frozenset(
    {SemanticClass.NAME, SemanticClass.PERSON, SemanticClass.ORGANISATION, SemanticClass.PLACE,
     SemanticClass.CATEGORY}
)  # fmt: skip
_OF_KINDS: Final = frozenset({SemanticClass.PLACE, SemanticClass.CATEGORY})
_PARTICLES: Final = frozenset(
    {"when", "where", "from", "to", "until", "since", "no", "off", "in year", "by", "sum", "total"}
)
_MODIFIERS: Final = frozenset(
    {"aggregate", "overall", "general", "main", "primary", "current", "official", "full", "actual",
     "estimated", "average", "mean", "total", "net", "final", "latest"}
)  # fmt: skip
"""First words of labels that people leave out: "rating" of an "average rating"."""
_COMPARED: Final = 20  # the most common values that find other columns with the same
_SAME: Final = 0.6  # of the values of both together
_WITHIN: Final = 0.8  # of the values of the one with fewer
_ENOUGH: Final = 5  # values, to be within others


def with_names(found: Sequence[Classified]) -> list[ColumnDescription]:
    """The columns with labels and names that do not clash."""
    names = distinct_names(each.column.name for each in found)
    labels = _labels(found)
    claims: list[dict[str, int]] = []
    concepts = Counter(each.concept.name for each in found if each.concept)
    for each, label in zip(found, labels, strict=True):
        rank = len(each.column.path) + 1
        own = dict.fromkeys(_said(each, label), rank)
        if each.concept and (each.whole or concepts[each.concept.name] == 1):
            later = rank if each.whole else rank + 1
            for name in _names_of(each.concept):
                own.setdefault(name, later)
        for name in CALLED.get(_kind(each.column), ()):
            own.setdefault(name, rank + 2)
        own[label] = 0
        claims.append(own)
    best: dict[str, tuple[int, int]] = {}  # by name: the best rank, and how many have it
    for own in claims:
        for name, rank in own.items():
            before, count = best.get(name, (rank, 0))
            if rank <= before:
                best[name] = (rank, count + 1 if rank == before else 1)
    return [
        replace(
            each.column, name=name, label=label,
            names=tuple(
                said for said, rank in own.items() if said != label and best[said] == (rank, 1)
            ),
        )
        for each, name, label, own in zip(found, names, labels, claims, strict=True)
    ]  # fmt: skip


def _kind(column: ColumnDescription) -> str:
    """What the values of a column are: countries, months."""
    if not column.enumerated or column.semantic not in _OF_KINDS:
        return ""
    return kind_of([value for value, _ in column.facts.values])


def _names_of(concept: Concept) -> Iterator[str]:
    """What people call a concept; not what only narrows it, as "list price", nor bare particles."""
    yield concept.name
    for name in concept.names:
        narrower = name.endswith(f" {concept.name}") and not name.startswith("number of")
        if not narrower and name not in _PARTICLES and not name.startswith("how "):
            yield name


def _labels(found: Sequence[Classified]) -> list[str]:
    """The labels: with the reference before them, `customer country`; all different."""
    labels = []
    for each in found:
        path = " ".join(each.column.path[-1:])
        named = each.column.semantic in _NAMED and each.column.label in ("name", "title")
        labels.append(path if path and named else f"{path} {each.column.label}".strip())
    twice = {label for label, count in Counter(labels).items() if count > 1}
    full = [
        label if label not in twice else " ".join((*each.column.path, each.column.label)).strip()
        for each, label in zip(found, labels, strict=True)
    ]
    return [name.replace("_", " ") for name in distinct_names(full)]


def _said(each: Classified, label: str) -> Iterator[str]:
    """Names from the words of the column and of the way to it."""
    path = " ".join(each.column.path[-1:])
    yield from each.column.names
    if path:
        yield f"{path} {each.column.label}"
        yield each.column.label
    elif label != each.column.label:
        yield each.column.label
    first, _, rest = each.column.label.partition(" ")
    if first in _MODIFIERS and rest:
        yield rest


def with_tokens(columns: Sequence[ColumnDescription]) -> tuple[ColumnDescription, ...]:
    """The columns with tokens; those with nearly the same values share a type of values."""
    tokens = distinct_tokens(FIELD_PREFIX, [column.name for column in columns])
    groups = _groups(columns)
    names = [_type_name([columns[index].label for index in group]) for group in groups]
    types = distinct_tokens("", [spelt(name) or "VALUE" for name in names])
    prefixes = distinct_prefixes(types, _RESERVED)
    of = {
        index: (type_, prefix)
        for group, type_, prefix in zip(groups, types, prefixes, strict=True)
        for index in group
    }
    return tuple(
        replace(
            column, token=token, values_of=of.get(index, ("", ""))[0],
            prefix=of.get(index, ("", ""))[1],
        )
        for index, (column, token) in enumerate(zip(columns, tokens, strict=True))
    )  # fmt: skip


def _groups(columns: Sequence[ColumnDescription]) -> list[list[int]]:
    """The enumerated columns, those with nearly the same values together."""
    groups: list[list[int]] = []
    values: list[set[str]] = []
    holders: dict[str, list[int]] = {}
    for index, column in enumerate(columns):
        if not column.enumerated:
            continue
        own = {value.casefold() for value, _ in column.facts.values}
        near = {
            group
            for value, _ in column.facts.values[:_COMPARED]
            for group in holders.get(value.casefold(), ())
        }
        joined = next(
            (
                group
                for group in sorted(near)
                if columns[groups[group][0]].semantic is column.semantic
                and _alike(own, values[group])
            ),
            None,
        )
        if joined is None:
            joined = len(groups)
            groups.append([])
            values.append(set())
        groups[joined].append(index)
        for value in own - values[joined]:
            holders.setdefault(value, []).append(joined)
        values[joined] |= own
    return groups


def _alike(one: set[str], other: set[str]) -> bool:
    common, fewer = len(one & other), min(len(one), len(other))
    if common >= _SAME * len(one | other):
        return True
    return fewer >= _ENOUGH and common >= _WITHIN * fewer


def _type_name(labels: Sequence[str]) -> str:
    """The last words that all labels have in common: "city" of origin and destination city."""
    ends = [label.split()[::-1] for label in labels]
    common = []
    for words in zip(*ends, strict=False):
        if len({*words}) > 1:
            break
        common.append(words[0])
    return " ".join(reversed(common)) or labels[0]
