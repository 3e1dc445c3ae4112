"""Changes that are given as such: a column, a condition, a number, or a part to remove."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grammax.language.domain import Tokens
from grammax.tables import lexicon as words
from grammax.tables.catalogue.entries import Field
from grammax.tables.domain import TableDomain
from grammax.tables.edits.numbers import digits_at, has_period, in_words, number_at
from grammax.tables.edits.validity import BadEdit, problem_of, require_valid
from grammax.tables.form.follow_up import Manner, conjuncts, follow_up
from grammax.tables.form.operands import FieldRef, quoted
from grammax.tables.form.text import from_tokens, to_tokens
from grammax.tables.form.tree import (
    Aggregate,
    And,
    Display,
    Group,
    LogicalForm,
    Not,
    Or,
    Rank,
    Relational,
    parts_of,
)
from grammax.tables.mentions.typed import readings
from grammax.text import did_you_mean, nearest

OPERATORS: Final = (*words.EQUALITY, *words.COMPARISON, words.CONTAINS)
_FEW: Final = 6
_COMPARED: Final = 5_000  # values with which a wrong one is compared


def with_column(domain: TableDomain, tokens: Tokens, field: str) -> Tokens:
    """The form with one more column."""
    form, known = domain.form(tokens), _field(domain, field)
    column = Display(FieldRef(field))
    if any(isinstance(p, Display) and p.field == column.field for p in conjuncts(form)):
        raise BadEdit(f"{known.name} is shown already. Choose another column.")
    return require_valid(domain, to_tokens(_joined([*conjuncts(form), column])))


def with_condition(domain: TableDomain, tokens: Tokens, field: str, op: str, value: str) -> Tokens:
    """The form with one more condition.

    `value` is the token of a value, or what a person typed for a number, a date or a text. Where a
    row has one value of a field only, another value that it may be equal to widens the condition.
    """
    known = _field(domain, field)
    if op not in OPERATORS:
        raise BadEdit(f"{op!r:.40} is not an operator. Permitted: {', '.join(OPERATORS)}.")
    made = _condition(domain, known, op, value)
    form = domain.form(tokens)
    parts = conjuncts(form)
    if made in parts:
        raise BadEdit("The search has this condition already. Choose another value.")
    schema = domain.catalogue.schema
    many = field in schema.many or any(e.name == known.type and e.many for e in schema.enums)
    if op == "EQ" and known.type in domain.catalogue.value_types and not many:
        equals = [p for p in parts if _equals(p, field)]
        if len(equals) == 1:
            return require_valid(domain, to_tokens(follow_up(form, made, Manner.WIDENS)))
    shown = [part for part in parts if isinstance(part, Display | Rank | Aggregate | Group)]
    kept = [part for part in parts if part not in shown]
    return require_valid(domain, to_tokens(_joined([*kept, made, *shown])))


def with_number(domain: TableDomain, tokens: Tokens, place: int, text: str) -> Tokens:
    """The form with another number or time at a position, as a person typed it."""
    units = domain.catalogue.units
    start, stop = number_at(tokens, place, units)
    if start == stop:
        raise BadEdit(f"There is no number at {place}. {_places(domain, tokens)}")
    found = _numbers_instead(domain, tokens, place, text.strip())
    made = next((each for each in found if not problem_of(domain, each)), None)
    if made is None:
        shown = in_words(domain, tokens[start:stop])
        raise BadEdit(
            f"{text!r:.60} cannot stand in place of {shown}. {_wanted(domain, tokens, place)}"
        )
    return made


def without(domain: TableDomain, tokens: Tokens, place: int) -> Tokens:
    """The form without the condition or column at a position."""
    if place >= len(tokens):
        raise BadEdit(
            f"There is no condition at {place}. The form has the positions 0 to {len(tokens) - 1}."
        )
    form = domain.form(tokens)
    rest = without_part(form, place)
    if rest is None:
        raise BadEdit(
            "The search has nothing else, so that nothing would be left. Add another condition or "
            "column first."
        )
    return require_valid(domain, to_tokens(rest))


def without_part(form: LogicalForm, place: int) -> LogicalForm | None:
    """The form without what stands at the position of a token; None if nothing is left.

    A bracket or a connective stands for all that it joins.

    >>> from grammax.tables.form.text import read
    >>> form = read("(AND (FLD_YEAR GR 2000) (NOT (FLD_GENRE EQ GEN_WAR)) (display FLD_YEAR))")
    >>> print(without_part(form, 14))
    (AND (FLD_YEAR GR 2000) (display FLD_YEAR))
    """
    around: list[tuple[LogicalForm, int]] = []  # compounds, and which of their parts it is
    node, start = form, 0
    while isinstance(node, Not | And | Or):
        at = start + 2
        for index, part in enumerate(parts_of(node)):
            size = len(to_tokens(part))
            if at <= place < at + size:
                around.append((node, index))
                node, start = part, at
                break
            at += size
        else:
            break
    left: LogicalForm | None = None
    for compound, index in reversed(around):
        parts = list(parts_of(compound))
        parts[index : index + 1] = [] if left is None else [left]
        if not parts:
            left = None
        elif len(parts) == 1 and not isinstance(compound, Not):
            left = parts[0]
        else:
            left = _rebuilt(compound, parts)
    return left


def _rebuilt(compound: LogicalForm, parts: list[LogicalForm]) -> LogicalForm:
    if isinstance(compound, Not):
        return Not(parts[0])
    return And(tuple(parts)) if isinstance(compound, And) else Or((parts[0], parts[1]))


def _joined(parts: list[LogicalForm]) -> LogicalForm:
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _equals(part: LogicalForm, field: str) -> bool:
    """Whether a row must have one of some values of a field."""
    if isinstance(part, Or):
        return all(_equals(each, field) for each in part.parts)
    return isinstance(part, Relational) and part.field == FieldRef(field) and part.op == "EQ"


def _field(domain: TableDomain, token: str) -> Field:
    fields = domain.catalogue.fields
    if token in fields:
        return fields[token]
    close = did_you_mean(nearest(token, fields), sentence=True)
    some = ", ".join([*fields][:_FEW])
    raise BadEdit(f"There is no field {token!r:.60}. {close} Fields are {some}, ...")


def _condition(domain: TableDomain, field: Field, op: str, value: str) -> LogicalForm:
    catalogue, schema = domain.catalogue, domain.catalogue.schema
    before: Tokens = ("(", field.token, op)
    if op == words.CONTAINS:
        text = value.strip().strip('"“”')
        if not text:
            raise BadEdit(f"There is no text to search {field.name} for. Give some letters of it.")
        made: Tokens = (*before, quoted(text), ")")
    elif field.type in catalogue.value_types:
        if value not in catalogue.values and value not in catalogue.units:
            some = catalogue.values_of(field.type)[:_FEW]
            common = catalogue.values_of(field.type)[:_COMPARED]
            close = did_you_mean(nearest(value, common), sentence=True)
            raise BadEdit(
                f"{value!r:.60} is not a value of {field.name}. {close} It has "
                f"{', '.join(some)}, ..."
            )
        made = (*before, value, ")")
    elif any(text_type.name == field.type for text_type in schema.texts):
        raise BadEdit(f"{field.name} is a text: it is searched with {words.CONTAINS}.")
    else:
        found = readings(before, value, (")",), domain.mentions, domain.written_pieces)
        first = next((each for each in found if not problem_of(domain, each)), None)
        if first is None:
            raise BadEdit(f"{value!r:.60} cannot be compared with {field.name}. "
                          f"{_example(domain, field.token)}")  # fmt: skip
        made = first
    require_valid(domain, made)
    return from_tokens(made, catalogue)


def _numbers_instead(
    domain: TableDomain, tokens: Tokens, place: int, text: str
) -> Iterator[Tokens]:
    """Forms with a text in place of a number: all of it, first with the unit that it has."""
    units = domain.catalogue.units
    start, stop = number_at(tokens, place, units)
    digits, digits_stop = digits_at(tokens, place)
    spans = [(start, stop)]
    if tokens[stop - 1] in units:
        spans.insert(0, (start, stop - 1))
    if digits < digits_stop:  # the year of "june 2020", the 3 of "the last 3 years"
        only = (digits, digits_stop)
        spans.insert(0 if text.isdecimal() and has_period(tokens[start:stop]) else len(spans), only)
    for begin, end in spans:
        yield from readings(
            tokens[:begin], text, tokens[end:], domain.mentions, domain.written_pieces
        )


def _wanted(domain: TableDomain, tokens: Tokens, place: int) -> str:
    before = tokens[:place]
    if any(token in words.RANKS for token in before[before_bracket(before) :]):
        return "Permitted is a number of rows, such as 10."
    field = next((t for t in reversed(before) if t in domain.catalogue.fields), None)
    return "Write it like 1500, 2.5 or 2bn." if field is None else _example(domain, field)


def before_bracket(tokens: Tokens) -> int:
    """The position of the last opening bracket."""
    return max((at for at, token in enumerate(tokens) if token == words.OPEN), default=0)


def _example(domain: TableDomain, field: str) -> str:
    catalogue = domain.catalogue
    known = catalogue.fields[field]
    if catalogue.dates and field in catalogue.dates:
        return "Permitted is a date, such as 2020, june 2020 or 3 june 2020."
    number = next((n for n in catalogue.schema.numbers if n.name == known.type), None)
    if number is None:
        return "Write it like 1500, 2.5 or 2020."
    samples = ["1500", "2.5"]
    samples += ["2bn"] if number.denominations else []
    samples += ["5%"] if number.percentages else []
    return f"Permitted is a number, such as {', '.join(samples[:-1])} or {samples[-1]}."


def _places(domain: TableDomain, tokens: Tokens) -> str:
    units, found, at = domain.catalogue.units, [], 0
    while at < len(tokens):
        start, stop = number_at(tokens, at, units)
        if stop > start:
            found.append(str(start))
        at = max(stop, at + 1)
    return f"Numbers are at {', '.join(found)}." if found else "The form has no number."
