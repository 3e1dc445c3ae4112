"""One canonical form for all logical forms with the same meaning: `canonical(a) == canonical(b)`.

Nested ANDs and nested ORs are flattened, sorted and deduplicated (an OR is then nested to the
right, because it has two parts); NOT NOT c becomes c; denominations are applied, trailing zeros are
removed, and basis points become percent.

The order is preserved where it carries meaning: ranks in an AND (the five newest of the ten longest
are not the ten longest of the five newest) and columns that sort the answer. NOT is not pushed
inside, because a missing value satisfies no comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, final

from grammax.tables.form.tree import (
    And,
    Display,
    LogicalForm,
    Not,
    Number,
    Operand,
    Or,
    Percent,
    Rank,
    Relational,
    compound,
    parts_of,
)
from grammax.tables.form.walk import fold
from grammax.tables.lexicon import POWERS_OF_TEN

_ZEROS: Final = dict[str | None, int](POWERS_OF_TEN) | {None: 0}
_HEAD: Final = 120


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


def canonical_operand(value: Operand) -> Operand:
    """Numbers in plain digits, percentages in percent, others unchanged."""
    if isinstance(value, Number):
        return Number(plain_digits(value), None, value.unit)
    if isinstance(value, Percent):
        return Percent(shifted(value.digits, 0 if value.unit == "PCT" else -2))
    return value


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
        lf = Relational(lf.field, lf.op, canonical_operand(lf.value))
    text = str(lf)
    return _Canonical(lf, (), text[:_HEAD], _digest([text.encode()]))


def _joined(kind: type[And | Or], below: Sequence[_Canonical]) -> _Canonical:
    """AND or OR of canonical parts, which may be ANDs or ORs themselves after simplification."""
    spliced: dict[bytes, _Canonical] = {}
    for one in below:
        for part in one.parts if isinstance(one.lf, kind) else (one,):
            spliced.setdefault(part.digest, part)
    parts = _in_order(spliced.values(), keeps_ranks=kind is And)
    return parts[0] if len(parts) == 1 else _made(kind.word, tuple(parts))


def _in_order(parts: Iterable[_Canonical], keeps_ranks: bool) -> list[_Canonical]:
    """Constraints, ranks, columns, sorting columns; the second and last keep their order."""
    constraints: list[_Canonical] = []
    ranks: list[_Canonical] = []
    columns: list[_Canonical] = []
    sorting: list[_Canonical] = []
    for part in parts:
        if isinstance(part.lf, Display):
            (sorting if part.lf.order else columns).append(part)
        else:
            (ranks if keeps_ranks and isinstance(part.lf, Rank) else constraints).append(part)
    return [*sorted(constraints, key=_key), *ranks, *sorted(columns, key=_key), *sorting]


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
