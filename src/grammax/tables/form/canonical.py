"""One canonical form for all logical forms with the same meaning: `canonical(a) == canonical(b)`.

Nested ANDs and nested ORs are flattened, sorted and deduplicated (an OR is then nested to the
right, because it has two parts); NOT NOT c becomes c; denominations are applied, trailing zeros are
removed, basis points become percent, and zero has no unit. A ratio is compared with a number (50
percent is 0.5), a change with a percentage. A text that is searched for is in lower case. The
aggregates of comparisons and ranks are shown anyway, and groups without any are counted: such
aggregates are dropped.

The parts of an AND are, in this order: constraints on rows, constraints on groups, ranks of rows,
ranks of groups, aggregates, groups, columns, and columns that sort. The order is preserved where it
carries meaning: ranks in an AND (the five newest of the ten longest are not the ten longest of the
five newest) and columns that sort the answer. NOT is not pushed inside, because a missing value
satisfies no comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, final

from grammax.tables.form.tree import (
    Aggregate,
    And,
    Change,
    Display,
    Group,
    LogicalForm,
    Measure,
    Not,
    Number,
    Operand,
    Or,
    Percent,
    Rank,
    Ratio,
    Relational,
    Text,
    compound,
    parts_of,
)
from grammax.tables.form.walk import fold
from grammax.tables.lexicon import POWERS_OF_TEN

_ZEROS: Final = dict[str | None, int](POWERS_OF_TEN) | {None: 0}
_HEAD: Final = 120
_ZERO: Final = Number("0")
_COUNT: Final = Aggregate("count")
_ROWS, _GROUPS, _RANKS, _GROUP_RANKS, _AGGREGATES, _BY, _COLUMNS, _SORTS = range(8)
_KEEP_ORDER: Final = frozenset((_RANKS, _GROUP_RANKS, _SORTS))


def canonical(lf: LogicalForm) -> LogicalForm:
    """The canonical form: the same for all logical forms that differ only as described above.

    >>> from grammax.tables.form.text import read
    >>> print(canonical(read("(AND (FLD_VOTES LS 15.0) (NOT (NOT (FLD_LENGTH GR 1000 MILLION))))")))
    (AND (FLD_LENGTH GR 1000000000) (FLD_VOTES LS 15))
    """
    return fold(lf, _combine, _flat_parts).lf


def same(one: LogicalForm, other: LogicalForm) -> bool:
    """Whether two logical forms have the same canonical form."""
    return canonical(one) == canonical(other)


def flat_parts(lf: And | Or) -> list[LogicalForm]:
    """The parts, with nested ANDs (in an OR, nested ORs) flattened and NOT NOT removed."""
    found: list[LogicalForm] = []
    waiting = list(reversed(lf.parts))
    while waiting:
        part = without_double_negation(waiting.pop())
        if isinstance(part, type(lf)):
            waiting.extend(reversed(part.parts))
        else:
            found.append(part)
    return found


def without_double_negation(lf: LogicalForm) -> LogicalForm:
    """The logical form without pairs of NOT at the top."""
    while isinstance(lf, Not) and isinstance(lf.part, Not):
        lf = lf.part.part
    return lf


def canonical_operand(value: Operand, of: Measure | Aggregate | None = None) -> Operand:
    """Numbers in plain digits, percentages in percent, texts in lower case, others unchanged.

    `of` is compared with it.

    >>> from grammax.tables.form.tree import FieldRef
    >>> votes = Ratio(FieldRef("FLD_VOTES"), FieldRef("FLD_VIEWS"))
    >>> str(canonical_operand(Percent("50"), votes)), str(canonical_operand(Percent("500", "BPS")))
    ('0.5', '5 PCT')
    """
    if isinstance(value, Text):
        return Text(value.text.lower())
    if not isinstance(value, Number | Percent):
        return value
    if isinstance(value, Number):
        digits = plain_digits(value)
    else:
        digits = shifted(value.digits, 0 if value.unit == "PCT" else -2)
    if digits == "0":
        return _ZERO
    if isinstance(value, Percent):
        return Number(shifted(digits, -2)) if isinstance(of, Ratio) else Percent(digits)
    if isinstance(of, Change) and value.unit is None:
        return Percent(digits)
    return Number(digits, None, value.unit)


def plain_digits(number: Number) -> str:
    """The number with its denomination applied."""
    return shifted(number.digits, _ZEROS[number.denomination])


def shifted(digits: str, places: int) -> str:
    """A number times a power of ten, without redundant zeros; exact for any number of digits.

    >>> shifted("1.50", 3), shifted("25", -2), shifted("-0.00", 0)
    ('1500', '0.25', '0')
    """
    whole, _, fraction = digits.removeprefix("-").partition(".")
    if places >= 0:
        fraction = fraction.ljust(places, "0")
        whole, fraction = whole + fraction[:places], fraction[places:]
    else:
        whole = whole.rjust(-places, "0")
        whole, fraction = whole[:places], whole[places:] + fraction
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    number = f"{whole}.{fraction}" if fraction else whole
    return f"-{number}" if digits.startswith("-") and number != "0" else number


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Canonical:
    """A canonical form, its parts, and its sort key.

    The key is the beginning of its text, which people can follow, and a digest of the rest: the
    full text of every part of a tree 100,000 deep would take gigabytes.
    """

    lf: LogicalForm
    parts: tuple[_Canonical, ...]
    head: str
    digest: bytes


def _flat_parts(lf: LogicalForm) -> Sequence[LogicalForm]:
    lf = without_double_negation(lf)
    return flat_parts(lf) if isinstance(lf, And | Or) else parts_of(lf)


def _combine(lf: LogicalForm, below: Sequence[_Canonical]) -> _Canonical:
    lf = without_double_negation(lf)
    if isinstance(lf, Not):
        (part,) = below
        return part.parts[0] if isinstance(part.lf, Not) else _made("NOT", (part,))
    if isinstance(lf, And | Or):
        return _joined(type(lf), below)
    if isinstance(lf, Relational):
        lf = Relational(lf.field, lf.op, canonical_operand(lf.value, lf.field))
    text = str(lf)
    return _Canonical(lf, (), text[:_HEAD], _digest([text.encode()]))


def _joined(kind: type[And | Or], below: Sequence[_Canonical]) -> _Canonical:
    """AND or OR of canonical parts, which may be ANDs or ORs themselves after simplification."""
    spliced: list[_Canonical] = []
    for one in below:
        spliced += one.parts if isinstance(one.lf, kind) else (one,)
    parts = _in_order(spliced, is_and=kind is And)
    return parts[0] if len(parts) == 1 else _made(kind.word, tuple(parts))


def _in_order(parts: Iterable[_Canonical], is_and: bool) -> list[_Canonical]:
    """The parts in their slots, without duplicates; of ranks, only neighbours are duplicates."""
    slots: list[list[_Canonical]] = [[] for _ in range(_SORTS + 1)]
    seen: set[bytes] = set()
    for part in parts:
        slot = _slot(part.lf, is_and)
        if slot in (_RANKS, _GROUP_RANKS):
            if slots[slot] and slots[slot][-1].digest == part.digest:
                continue
        elif part.digest in seen:
            continue
        seen.add(part.digest)
        slots[slot].append(part)
    if is_and:
        _drop_implied(slots)
    ordered: list[_Canonical] = []
    for number, slot_parts in enumerate(slots):
        ordered += slot_parts if number in _KEEP_ORDER else sorted(slot_parts, key=_key)
    return ordered


def _slot(lf: LogicalForm, is_and: bool) -> int:
    if isinstance(lf, Display):
        return _SORTS if lf.order else _COLUMNS
    if isinstance(lf, Aggregate):
        return _AGGREGATES
    if isinstance(lf, Group):
        return _BY
    if isinstance(lf, Rank) and is_and:
        return _GROUP_RANKS if isinstance(lf.field, Aggregate) else _RANKS
    of_groups = isinstance(lf, Relational) and isinstance(lf.field, Aggregate)
    return _GROUPS if of_groups else _ROWS


def _drop_implied(slots: list[list[_Canonical]]) -> None:
    """Remove columns that also sort, and aggregates that are shown anyway."""
    sorted_by = {part.lf.field for part in slots[_SORTS] if isinstance(part.lf, Display)}
    slots[_COLUMNS] = [
        part
        for part in slots[_COLUMNS]
        if not (isinstance(part.lf, Display) and part.lf.field in sorted_by)
    ]
    parts = [part.lf for part in (*slots[_GROUPS], *slots[_GROUP_RANKS])]
    used = {lf.field for lf in parts if isinstance(lf, Relational | Rank)}
    slots[_AGGREGATES] = [part for part in slots[_AGGREGATES] if part.lf not in used]
    if slots[_BY] and not used and [part.lf for part in slots[_AGGREGATES]] == [_COUNT]:
        slots[_AGGREGATES] = []


def _made(word: str, parts: tuple[_Canonical, ...]) -> _Canonical:
    lfs = [part.lf for part in parts]
    while word == "OR" and len(lfs) > 2:
        lfs[-2:] = [Or((lfs[-2], lfs[-1]))]
    head = f"({word} {' '.join(part.head for part in parts)}"[:_HEAD]
    digest = _digest([word.encode(), *(part.digest for part in parts)])
    return _Canonical(compound(word, lfs), parts, head, digest)


def _key(part: _Canonical) -> tuple[str, bytes]:
    return part.head, part.digest


def _digest(pieces: Iterable[bytes]) -> bytes:
    return blake2b(b" ".join(pieces), digest_size=16).digest()
