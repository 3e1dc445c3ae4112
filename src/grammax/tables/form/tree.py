"""The tree of a logical form: immutable values of any depth, validated on construction.

    LogicalForm
    ├── Relational   (FLD_GENRE EQ enumValue(GEN_DRAMA)), (FLD_TITLE CONTAINS "star")
    ├── Display      (display FLD_YEAR DESC)
    ├── Rank         (top 10 FLD_VOTES), (top FLD_VOTES), (top 3 (average FLD_VOTES))
    ├── Aggregate    (count), (average FLD_VOTES)
    ├── Group        (by FLD_GENRE), (by YEAR)
    ├── Not          (NOT c)
    ├── And          (AND c c ...)      two parts or more
    └── Or           (OR c c)           two parts

Fields may have a time. Operands are enum values, numbers, percentages, other fields, aggregates,
times and texts. `str` writes the paper's notation (Xiao et al., 2019, section 2.2).

Trees can be 100,000 deep, so nothing here recurses: hashes are stored; equality, text and pickling
use a stack. Other modules use `walk` and `fold` of `grammax.tables.form.walk`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal, TypeAlias, final, get_args

from grammax.tables import lexicon as words
from grammax.tables.form.errors import LogicalFormError as LogicalFormError
from grammax.tables.form.errors import check_count, check_type, check_word
from grammax.tables.form.operands import Aggregate as Aggregate
from grammax.tables.form.operands import Change as Change
from grammax.tables.form.operands import EnumValue as EnumValue
from grammax.tables.form.operands import FieldRef as FieldRef
from grammax.tables.form.operands import Function as Function
from grammax.tables.form.operands import Measure as Measure
from grammax.tables.form.operands import Number as Number
from grammax.tables.form.operands import Operand as Operand
from grammax.tables.form.operands import Percent as Percent
from grammax.tables.form.operands import Ratio as Ratio
from grammax.tables.form.operands import Text as Text
from grammax.tables.form.times import Date as Date
from grammax.tables.form.times import FiscalYear as FiscalYear
from grammax.tables.form.times import Last as Last
from grammax.tables.form.times import Month as Month
from grammax.tables.form.times import Quarter as Quarter
from grammax.tables.form.times import Time as Time
from grammax.tables.form.times import Year as Year

Op = Literal["EQ", "NEQ", "LS", "LE", "GR", "GE", "CONTAINS"]
Order = Literal["ASC", "DESC"]
Direction = Literal["top", "bottom"]
Period = Literal["MONTH", "QUARTER", "YEAR"]
OPERATORS: Final = (*words.EQUALITY, *words.COMPARISON)
"""The operators of values; texts have CONTAINS alone."""


@final
@dataclass(frozen=True, slots=True, repr=False)
class Group:
    """The groups that rows are summarised by: the values of a field, or periods."""

    field: FieldRef | Period

    def __post_init__(self) -> None:
        if isinstance(self.field, str):
            check_word(self.field, words.PERIODS, "a period")
        else:
            check_type(self.field, FieldRef, "a field")

    def __str__(self) -> str:
        return f"({words.BY} {self.field})"

    def __repr__(self) -> str:
        return f"<Group {self}>"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Relational:
    """A comparison of a field, a ratio, a change or an aggregate with a value or another field."""

    field: Measure | Aggregate
    op: Op
    value: Operand

    def __post_init__(self) -> None:
        check_type(self.field, _COMPARED, "a field")
        check_word(self.op, (*OPERATORS, words.CONTAINS), "an operator")
        check_type(self.value, _OPERANDS, "a value")
        if isinstance(self.value, Text) != (self.op == words.CONTAINS):
            raise LogicalFormError(
                f"{self.op} was given {str(self.value)[:60]}.",
                hint=f"{words.CONTAINS} takes a text in double quotes, and no other operator does.",
            )

    def __str__(self) -> str:
        return f"({self.field} {self.op} {self.value})"

    def __repr__(self) -> str:
        return f"<Relational {self}>"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Display:
    """A column of the answer, and whether the answer is sorted by it."""

    field: Measure
    order: Order | None = None

    def __post_init__(self) -> None:
        check_type(self.field, _MEASURES, "a field")
        if self.order is not None:
            check_word(self.order, words.ORDERS, "an order")

    def __str__(self) -> str:
        return f"({words.DISPLAY} {self.field}{f' {self.order}' if self.order else ''})"

    def __repr__(self) -> str:
        return f"<Display {self}>"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Rank:
    """The `count` rows, or groups, that have the most (top) or the least (bottom) of something.

    Without a count all rows that have a value are kept, in this order.
    """

    direction: Direction
    count: int | None
    field: Measure | Aggregate

    def __post_init__(self) -> None:
        check_word(self.direction, words.RANKS, "a direction")
        if self.count is not None:
            check_count(self.count)
        check_type(self.field, _COMPARED, "a field")

    def __str__(self) -> str:
        count = "" if self.count is None else f" {self.count}"
        return f"({self.direction}{count} {self.field})"

    def __repr__(self) -> str:
        return f"<Rank {self}>"


class _Compound:
    """The base class of NOT, AND and OR: a stored hash, and no recursion."""

    __slots__ = ()
    word: ClassVar[str]
    _hash: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Compound) and _equal(self, other)

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return _text(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """A flat form: pickle and deepcopy would recurse, and hashes differ between processes."""
        return _from_postfix, (tuple(_postfix(self)),)


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Not(_Compound):
    """The rows that do not satisfy a constraint."""

    word: ClassVar[str] = "NOT"
    part: LogicalForm
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_parts((self.part,))
        object.__setattr__(self, "_hash", hash(("NOT", self.part)))


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class And(_Compound):
    """The rows that satisfy all of two or more constraints."""

    word: ClassVar[str] = "AND"
    parts: tuple[LogicalForm, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", _check_parts(self.parts))
        if len(self.parts) < 2:
            raise LogicalFormError(
                f"AND was given {_constraints(len(self.parts))}.",
                hint="AND joins two constraints or more; one alone needs no AND.",
            )
        object.__setattr__(self, "_hash", hash(("AND", self.parts)))


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Or(_Compound):
    """The rows that satisfy at least one of two constraints."""

    word: ClassVar[str] = "OR"
    parts: tuple[LogicalForm, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", _check_parts(self.parts))
        if len(self.parts) != 2:
            raise LogicalFormError(
                f"OR was given {_constraints(len(self.parts))}.",
                hint="OR joins two constraints; for three, write (OR a (OR b c)).",
            )
        object.__setattr__(self, "_hash", hash(("OR", self.parts)))


_MEASURES: Final = get_args(Measure)  # checked faster than a union
_COMPARED: Final = (*_MEASURES, Aggregate)
_OPERANDS: Final = get_args(Operand)
Atom: TypeAlias = Relational | Display | Rank | Aggregate | Group
LogicalForm: TypeAlias = Relational | Display | Rank | Aggregate | Group | Not | And | Or
_FORMS: Final = get_args(LogicalForm)


def parts_of(lf: LogicalForm) -> tuple[LogicalForm, ...]:
    """The constraints directly inside; empty for an atom."""
    if isinstance(lf, Not):
        return (lf.part,)
    return lf.parts if isinstance(lf, And | Or) else ()


def compound(word: str, parts: Sequence[LogicalForm]) -> Not | And | Or:
    """The compound of these parts; `word` is AND, OR or NOT."""
    check_word(word, words.CONNECTIVES, "a connective")
    if word != "NOT":
        return And(tuple(parts)) if word == "AND" else Or(tuple(parts))
    if len(parts) != 1:
        raise LogicalFormError(
            f"NOT was given {_constraints(len(parts))}.",
            hint="NOT negates one constraint; to negate several, write (NOT (AND a b)).",
        )
    return Not(parts[0])


def _equal(one: Any, other: Any) -> bool:
    pairs = [(one, other)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            continue
        if type(one) is not type(other) or hash(one) != hash(other):
            return False
        if isinstance(one, _Compound):
            left, right = parts_of(one), parts_of(other)  # type: ignore[arg-type]
            if len(left) != len(right):
                return False
            pairs.extend(zip(left, right, strict=True))
        elif one != other:
            return False
    return True


def _text(lf: Any) -> str:
    pieces: list[str] = []
    waiting: list[LogicalForm | str] = [lf]
    while waiting:
        item = waiting.pop()
        if isinstance(item, _Compound):
            pieces.append(f"({item.word}")
            waiting.append(")")
            for part in reversed(parts_of(item)):
                waiting += (part, " ")
        else:
            pieces.append(str(item))
    return "".join(pieces)


def _postfix(lf: Any) -> Iterator[Atom | tuple[str, int]]:
    """Postfix order: atoms, and after the parts of a compound its word and their number."""
    flat: list[Atom | tuple[str, int]] = []
    waiting: list[LogicalForm] = [lf]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Not | And | Or):
            parts = parts_of(item)
            flat.append((item.word, len(parts)))
            waiting.extend(parts)
        else:
            flat.append(item)
    return reversed(flat)


def _from_postfix(flat: Sequence[Atom | tuple[str, int]]) -> LogicalForm:
    made: list[LogicalForm] = []
    for item in flat:
        if isinstance(item, tuple):
            word, count = item
            parts = made[-count:]
            del made[-count:]
            made.append(compound(word, parts))
        else:
            made.append(item)
    return made[0]


def _check_parts(given: Any) -> tuple[LogicalForm, ...]:
    parts = tuple(given)
    for part in parts:
        check_type(part, _FORMS, "a constraint")
    return parts


def _constraints(count: int) -> str:
    return f"{count} constraint" + ("" if count == 1 else "s")
