"""Fields: those of our tables, and the variants of the numeric ones, composed by rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .entries import FieldRow, aliases
from .sources import split, table
from .variants import COMMON_SETS, MEANINGLESS, SETS, VARIANTS

UNITS = {
    "MONEY": "currency",
    "PER_SHARE": "currency per share",
    "RATIO": "times",
    "PERCENT": "percent",
    "COUNT": "number",
}
_HEAD_VARIANTS = {"GROWTH_1Y", "FORWARD", "AVG_5Y", "PER_SHARE", "GROWTH_5Y"}
_HEAD_VARIANT_RANK = 64
_WORDINGS = 3  # of a base field's name and aliases, combined with each phrase of a variant


@dataclass(frozen=True, slots=True)
class _Base:
    row: FieldRow
    rank: int
    variants: tuple[str, ...]


def field_rows() -> list[FieldRow]:
    """All fields, the common ones first, each after the field that it derives from."""
    bases = sorted([*_enum_fields(), *_number_fields()], key=lambda base: base.rank)
    named = {(base.row.base, base.row.variant) for base in bases}
    rows = [base.row for base in bases if base.row.head]
    rows += [row for base in bases for row in _variants(base, named) if row.head]
    rows += [base.row for base in bases if not base.row.head]
    rows += [row for base in bases for row in _variants(base, named) if not row.head]
    return _without_repeated_aliases(rows)


def _enum_fields() -> Iterator[_Base]:
    for token, type_, rank, name, words, description in table("enum_fields"):
        row = FieldRow(
            f"FLD_{token}", type_, name, aliases(name, split(words)), description, "", head=True
        )
        yield _Base(row, int(rank), ())


def _number_fields() -> Iterator[_Base]:
    for number, columns in enumerate(table("number_fields")):
        token, type_, sets, rank, unit, name, words, description, origin = columns
        base, _, variant = origin.partition(":")
        row = FieldRow(
            *(f"FLD_{token}", type_, name, aliases(name, split(words)), description),
            *(unit or UNITS[type_], f"FLD_{base}" if base else "", variant, bool(rank)),
        )
        chosen = [v for name in sets.split() for v in SETS[name]]
        if rank:
            chosen += [v for name in sets.split() for v in COMMON_SETS.get(name, ())]
        variants = tuple(v for v in chosen if (token, v) not in MEANINGLESS)
        yield _Base(row, int(rank) if rank else 1000 + number, variants)


def _variants(base: _Base, named: set[tuple[str, str]]) -> Iterator[FieldRow]:
    of = base.row
    for name in base.variants:
        if (of.token, name) in named or (name == "FORWARD_GROWTH" and of.type == "RATIO"):
            continue
        variant = VARIANTS[name]
        wordings = [_uncapitalised(of.name), *of.aliases[: _WORDINGS - 1]]
        phrases = [phrase.format(words) for words in wordings for phrase in variant.phrases]
        type_ = variant.type or of.type
        title = variant.title.format(of.name)
        yield FieldRow(
            *(f"{of.token}_{name}", type_, title, aliases(title, phrases)),
            variant.description.format(of.description),
            of.unit if type_ == of.type else UNITS[type_],
            *(of.token, name),
            head=base.rank <= _HEAD_VARIANT_RANK and name in _HEAD_VARIANTS,
        )


def _without_repeated_aliases(rows: list[FieldRow]) -> list[FieldRow]:
    """An alias, or a name, that two fields would have belongs to the more common one."""
    taken = {row.name.lower() for row in rows}
    kept = []
    for row in rows:
        free = tuple(alias for alias in row.aliases if alias not in taken)
        taken |= set(free)
        kept.append(
            FieldRow(
                *(row.token, row.type, row.name, free, row.description, row.unit),
                *(row.base, row.variant, row.head),
            )
        )
    return kept


def _uncapitalised(name: str) -> str:
    """The name inside a phrase: "Revenue" is "revenue", "EBITDA" stays."""
    first, _, rest = name.partition(" ")
    return name if first[1:] != first[1:].lower() else f"{first.lower()} {rest}".strip()
