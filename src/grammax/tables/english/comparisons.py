"""Comparisons in English: "whose budget is above $1 million", "whose views rose by more than 10%".

The comparisons of one field, ratio, change or aggregate make one clause. Zero is named by its sign:
"positive", "negative", "zero". A ratio is stated as people multiply: "more than 2 times their
budget". A change is a verb where its direction is certain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from grammax.tables.english.phrases import (
    done,
    field_name,
    grouped,
    is_date,
    is_plural,
    is_year,
    listed,
    measure_name,
    operand_phrase,
    over_phrase,
    own_sign,
)
from grammax.tables.form.canonical import canonical_operand
from grammax.tables.form.judgement import CatalogueView
from grammax.tables.form.tree import (
    Aggregate,
    Change,
    Date,
    EnumValue,
    FieldRef,
    FiscalYear,
    Last,
    Measure,
    Month,
    Number,
    Percent,
    Quarter,
    Ratio,
    Relational,
    Text,
)
from grammax.tables.known_values.measures import in_larger_unit

_YEAR: Final = re.compile(r"[12][0-9]{3}")

Literal: TypeAlias = tuple[Relational, bool]
"""A comparison, and whether it is affirmed (True) or negated."""

_COMPARED: Final = {
    "EQ": "{}",
    "LS": "below {}",
    "LE": "at most {}",
    "GR": "above {}",
    "GE": "at least {}",
}
_RATED: Final = {**_COMPARED, "LE": "{} or below", "GE": "{} or above"}
_DATED: Final = {
    "EQ": "{}",
    "LS": "before {}",
    "LE": "{} or earlier",
    "GR": "after {}",
    "GE": "{} or later",
}
_WITH_ZERO: Final = {
    "EQ": "zero",
    "LS": "negative",
    "LE": "zero or negative",
    "GR": "positive",
    "GE": "zero or positive",
}
_TIMES: Final = {
    "EQ": "{}",
    "LS": "less than {}",
    "LE": "at most {}",
    "GR": "more than {}",
    "GE": "at least {}",
}
_CHANGED: Final = {
    ("GR", 1): ("rose by more than {}", "did not rise by more than {}"),
    ("GE", 1): ("rose by at least {}", "did not rise by {} or more"),
    ("EQ", 1): ("rose by {}", "did not rise by {}"),
    ("LS", -1): ("fell by more than {}", "did not fall by more than {}"),
    ("LE", -1): ("fell by at least {}", "did not fall by {} or more"),
    ("EQ", -1): ("fell by {}", "did not fall by {}"),
    ("GR", 0): ("rose", "did not rise"),
    ("GE", 0): ("did not fall", "fell"),
    ("EQ", 0): ("did not change", "changed"),
    ("LE", 0): ("did not rise", "rose"),
    ("LS", 0): ("fell", "did not fall"),
}
"""The verb of a change, and its negation, by operator and sign; other changes have no direction."""


@final
@dataclass(frozen=True, slots=True)
class Clause:
    """A clause after the noun; `plain` is empty if only a relative clause is possible."""

    plain: str
    relative: str


@final
class Comparisons:
    """States comparisons in the words of a catalogue."""

    def __init__(self, names: CatalogueView) -> None:
        self._names = names

    def clause(
        self, of: Measure | Aggregate, literals: Sequence[Literal], word: str, owner: str = "their"
    ) -> Clause:
        """The comparisons of one field, ratio, change or aggregate, joined by `word`."""
        literals = list(dict.fromkeys(_normal(*literal) for literal in literals))
        if all(isinstance(node.value, Text) for node, _ in literals):
            return Clause("", f"whose {self._containing(of, literals, word)}")
        if isinstance(of, Ratio) and self._is_multiple(of, literals):
            return self._times(of, literals, word, owner)
        if isinstance(of, Change) and len(literals) == 1:
            verb = _changed(*literals[0])
            if verb:
                name, over = self._of_field(FieldRef(of.field.token)), over_phrase(of.field)
                return Clause("", f"whose {name} {verb} {over}")
        verb = done(of, self._names) if isinstance(of, FieldRef) else ""
        one = len(literals) == 1 or (word == "and" and _limits(literals) is not None)
        if verb and one and not isinstance(literals[0][0].value, Aggregate):
            text = self._compared_all(literals, word, owner)
            negated = text.startswith("not ")
            text = f"not {verb} {text.removeprefix('not ')}" if negated else f"{verb} {text}"
            return Clause(text, f"that were {text}")
        if isinstance(of, FieldRef) and len(literals) == 1 and self._is_absent(of, *literals[0]):
            name = self._of_field(of)
            return Clause("", f"with no {name}")
        return Clause("", f"whose {self._subject(of)} {self._compared_all(literals, word, owner)}")

    def _containing(self, of: Measure | Aggregate, literals: Sequence[Literal], word: str) -> str:
        """ "title contains “star” and “wars”", "notes do not contain “glass”" """
        name = measure_name(of, self._names)
        verbs = (
            ("contain", "do not contain") if is_plural(name) else ("contains", "does not contain")
        )
        does, does_not = verbs
        said = [(operand_phrase(node.value, self._names), sign) for node, sign in literals]
        wanted = [text for text, sign in said if sign]
        unwanted = [text for text, sign in said if not sign]
        clauses = [f"{does} {listed(wanted, word)}"] if wanted else []
        if word == "and" and unwanted:  # to lack one and another is to contain neither
            clauses.append(f"{does_not} {listed(unwanted, 'or')}")
        else:
            clauses += [f"{does_not} {text}" for text in unwanted]
        return f"{name} {listed(clauses, word)}"

    def _compared_all(self, literals: Sequence[Literal], word: str, owner: str) -> str:
        limits = _limits(literals) if word == "and" else None
        if limits:
            low, high = (self._value(limit, owner) for limit in limits)
            return f"between {low} and {high}"
        only = len(literals) == 1
        texts = [self._compared(*literal, owner, only) for literal in literals]
        return listed(list(dict.fromkeys(texts)), word)

    def _subject(self, of: Measure | Aggregate) -> str:
        """The name and its verb: "total assets in 2018 were"."""
        name = measure_name(of, self._names)
        ref = of if isinstance(of, FieldRef) else None
        bare = self._of_field(FieldRef(ref.token)) if ref else name
        plural = is_plural(bare) and not isinstance(of, Change | Aggregate | Ratio)
        if ref is None or ref.time is None:
            return f"{name} {'are' if plural else 'is'}"
        return f"{name} {'were' if plural else 'was'}"

    def _compared(self, node: Relational, sign: bool, owner: str, only: bool) -> str:
        if _is_zero(node) and (only or node.op not in ("GE", "LE")):
            text = _WITH_ZERO[node.op]
        else:
            said = _RATED if isinstance(node.value, EnumValue) else _COMPARED
            said = _DATED if self._is_dated(node) else said
            text = said[node.op].format(self._value(node, owner))
            if self._is_moment(node) and (node.op == "EQ" or self._is_counted(node)):
                on = "on" if isinstance(node.value, Date) else "in"
                text = text if text.startswith(("before", "after")) else f"{on} {text}"
        return text if sign else f"not {text}"

    def _value(self, node: Relational, owner: str) -> str:
        """What is compared with: "$1 million", "their budget", "positive"."""
        value = operand_phrase(node.value, self._names)
        if isinstance(node.value, FieldRef):
            return f"{owner} {value}"
        if isinstance(node.value, EnumValue):
            return self._after_field(value, node.value.token, node.field)
        if not isinstance(node.value, Number) or node.value.unit:
            return value
        sign = self._own_sign(node)
        if sign:
            minus = "-" * value.startswith("-")
            value = value.removeprefix("-")
            return f"{minus}{value}%" if sign == "%" else f"{minus}{sign}{value}"
        if node.value.denomination:
            return value
        if isinstance(node.field, Change):
            return f"{value}%"
        return node.value.digits if self._is_dated(node) else value + self._own_unit(node)

    def _own_sign(self, node: Relational) -> str:
        ref = node.field
        if isinstance(ref, Aggregate):
            counts = ref.function == "count" or ref.field is None
            return "" if counts or ref.field is None else own_sign(ref.field, self._names)
        return own_sign(ref, self._names) if isinstance(ref, FieldRef) else ""

    def _own_unit(self, node: Relational) -> str:
        """The unit of all fields of the type: " minutes"; empty if there is none."""
        ref = node.field.field if isinstance(node.field, Aggregate) else node.field
        if isinstance(node.field, Aggregate) and node.field.function == "count":
            return ""
        known = self._names.fields.get(ref.token) if isinstance(ref, FieldRef) else None
        units = [n.unit for n in self._names.schema.numbers if known and n.name == known.type]
        unit = units[0] if units else ""
        one = isinstance(node.value, Number) and node.value.digits in ("1", "-1")
        if not unit or not isinstance(node.value, Number):
            return ""
        larger = "" if self._names.schema.history else in_larger_unit(node.value.digits, unit)
        return f" {unit.removesuffix('s') if one else unit}{f' ({larger})' * bool(larger)}"

    def _is_dated(self, node: Relational) -> bool:
        """Whether a field of years is compared with a year, or a date with a time."""
        if isinstance(node.value, FieldRef | Aggregate):
            return isinstance(node.field, FieldRef) and is_date(node.field, self._names)
        if isinstance(node.value, EnumValue | Percent):
            return False
        if not isinstance(node.value, Number):
            return True
        year = _YEAR.fullmatch(str(node.value)) is not None
        ref = node.field.field if isinstance(node.field, Aggregate) else node.field
        if not year or not isinstance(ref, FieldRef):
            return False
        return is_date(ref, self._names) or is_year(ref, self._names)

    def _is_counted(self, node: Relational) -> bool:
        """Whether a period ends today: "the last 3 months"."""
        return isinstance(node.value, Last) and bool(node.value.count)

    def _is_moment(self, node: Relational) -> bool:
        """Whether a date is compared with a time that "in" or "on" precedes."""
        if isinstance(node.value, Number):
            ref = node.field.field if isinstance(node.field, Aggregate) else node.field
            return isinstance(ref, FieldRef) and is_date(ref, self._names)
        if self._is_counted(node):
            return True
        return isinstance(node.value, Month | Date | Quarter | FiscalYear)

    def _after_field(self, name: str, token: str, of: Measure | Aggregate) -> str:
        """A value's name after "whose ... is": "outlook is positive", not "Positive outlook"."""
        known = self._names.values.get(token)
        bare = FieldRef(of.token) if isinstance(of, FieldRef) else of
        last = measure_name(bare, self._names).rpartition(" ")[2]
        form = self._names.schema.after_is.get(known.type if known else "", str)
        return form(name).removesuffix(f" {last}")

    def _is_multiple(self, of: Ratio, literals: Sequence[Literal]) -> bool:
        """Whether fields of the same type are compared by positive factors."""
        fields = [self._names.fields.get(ref.token) for ref in (of.numerator, of.denominator)]
        types = {field.type if field else None for field in fields}
        return len(types) == 1 and all(_is_factor(node) for node, _ in literals)

    def _times(self, of: Ratio, literals: Sequence[Literal], word: str, owner: str) -> Clause:
        """ "whose gross is more than 2 times their budget" """
        texts = []
        for node, sign in literals:
            text = _factor(node)
            texts.append(text if sign else f"not {text}")
        below = field_name(of.denominator, self._names)
        subject = self._subject(of.numerator)
        return Clause("", f"whose {subject} {listed(texts, word)} {owner} {below}")

    def _is_absent(self, ref: FieldRef, node: Relational, sign: bool) -> bool:
        """Whether "with no X" says it: a quantity that is zero."""
        known = self._names.fields.get(ref.token)
        name = self._of_field(ref)
        return (
            sign
            and node.op == "EQ"
            and ref.time is None
            and _is_zero(node)
            and known is not None
            and self._names.schema.is_size(known.type)
            and not name.startswith("number of ")
        )

    def _of_field(self, ref: FieldRef) -> str:
        return field_name(ref, self._names)


def _normal(node: Relational, sign: bool) -> Literal:
    """Without NEQ: "is not" is the negation of "is"."""
    if node.op != "NEQ":
        return node, sign
    return Relational(node.field, "EQ", node.value), not sign


def _is_zero(node: Relational) -> bool:
    return canonical_operand(node.value) == Number("0")


def _limits(literals: Sequence[Literal]) -> tuple[Relational, Relational] | None:
    """The lower and the upper limit of a range that includes both, if anything lies between."""
    found = {node.op: node for node, sign in literals if sign}
    if len(literals) != 2 or found.keys() != {"GE", "LE"}:
        return None
    low, high = (canonical_operand(found[op].value) for op in ("GE", "LE"))
    if not isinstance(low, Number | Percent) or not isinstance(high, Number | Percent):
        return None
    alike = low.unit == high.unit or Number("0") in (low, high)
    return (found["GE"], found["LE"]) if alike and low.value < high.value else None


def _is_factor(node: Relational) -> bool:
    """Whether a ratio is compared with a positive number or percentage."""
    value = node.value
    if isinstance(value, Percent):
        return value.value > 0
    plain = isinstance(value, Number) and not (value.unit or value.denomination)
    return isinstance(value, Number) and plain and value.value > 0


def _factor(node: Relational) -> str:
    """ "more than 2 times", "at most 50% of", or "less than" """
    value = canonical_operand(node.value)
    assert isinstance(value, Number | Percent)
    if isinstance(value, Percent):
        return _TIMES[node.op].format(f"{grouped(value.digits)}% of")
    if value.value == 1:
        return "equal to" if node.op == "EQ" else _TIMES[node.op].format("").rstrip()
    return _TIMES[node.op].format(f"{grouped(value.digits)} times")


def _changed(node: Relational, sign: bool) -> str:
    value = canonical_operand(node.value, node.field)
    if _is_zero(node):
        direction, amount = 0, ""
    elif isinstance(value, Percent):
        direction = -1 if value.digits.startswith("-") else 1
        amount = f"{grouped(value.digits.removeprefix('-'))}%"
    else:
        return ""
    said = _CHANGED.get((node.op, direction))
    return said[0 if sign else 1].format(amount) if said else ""
