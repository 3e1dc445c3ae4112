"""The grammar of the LF language, typed or untyped, from a lexicon.

In the typed grammar a field admits only its own operators and values: one rule per type of field.
In the untyped grammar any enum value may follow any enum field and any number any numeric field, as
in the paper. Both have the same kinds, so their automata share a vocabulary and an output matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grammax.grammar import Grammar, either, optional, some, token
from grammax.grammar.expressions import Part
from grammax.tables import lexicon as words
from grammax.tables.lexicon import EnumTokens, Lexicon, NumberTokens

_OPEN, _CLOSE = token(words.OPEN), token(words.CLOSE)
_EQUALITY: Part = either("EQ", "NEQ")
_ANY_OPERATOR: Part = either("EQ", "NEQ", "COMPARISON")


def grammar(lexicon: Lexicon, typed: bool = True) -> Grammar:
    """The exact grammar of the language."""
    rules: dict[str, Sequence[Part]] = dict(_shared_rules(lexicon))
    rules |= dict(_typed_rules(lexicon) if typed else _untyped_rules(lexicon))
    return Grammar.from_rules(rules, kinds(lexicon), start="query")


def kinds(lexicon: Lexicon) -> dict[str, tuple[str, ...]]:
    """The kinds of both grammars."""
    found: dict[str, tuple[str, ...]] = {
        "EQ": ("EQ",),
        "NEQ": ("NEQ",),
        "COMPARISON": words.COMPARISON,
        "ORDER": words.ORDERS,
        "RANK": words.RANKS,
        "DIGIT": words.DIGITS,
        "DENOMINATION": words.DENOMINATIONS,
        "PERCENTAGE": words.PERCENTAGES,
        **({lexicon.unit_kind: lexicon.units} if lexicon.units else {}),
        "QUARTER": words.QUARTERS,
        "MONTH": words.MONTHS,
        "UNIT": words.UNITS,
    }
    for enum in lexicon.enums:
        found[field_kind(enum)] = enum.fields
        found[value_kind(enum)] = enum.values
    for number in lexicon.numbers:
        found[field_kind(number)] = number.fields
    return found


def field_kind(type_: EnumTokens | NumberTokens) -> str:
    """The kind of a type's fields."""
    return f"{type_.name}_FIELD"


def value_kind(enum: EnumTokens) -> str:
    """The kind of a type's values."""
    return f"{enum.name}_VALUE"


def _shared_rules(lexicon: Lexicon) -> Iterable[tuple[str, Sequence[Part]]]:
    fields = [field_kind(type_) for type_ in lexicon.types]
    ranked = [field_kind(t) for t in lexicon.enums if t.ordered]
    ranked += [field_kind(t) for t in lexicon.numbers]
    yield "query", [["constraint"]]
    yield (
        "constraint",
        [
            ["relational"],
            [_OPEN, token("NOT"), "constraint", _CLOSE],
            [_OPEN, token("AND"), "constraint", some("constraint"), _CLOSE],
            [_OPEN, token("OR"), "constraint", "constraint", _CLOSE],
            [_OPEN, token(words.DISPLAY), "any_field", optional("at"), optional("ORDER"), _CLOSE],
            [_OPEN, "RANK", "integer", "ranked_field", optional("at"), _CLOSE],
        ],
    )
    yield "any_field", fields
    yield "ranked_field", ranked
    yield "at", [[_OPEN, "time", _CLOSE]]
    yield (
        "time",
        [
            ["year", optional("MONTH", optional("DIGIT", optional("DIGIT")))],
            ["QUARTER", "year"],
            [token(words.FISCAL_YEAR), "year"],
            [token(words.LAST), optional("integer"), "UNIT"],
        ],
    )
    yield "year", [["DIGIT"] * 4]
    yield "integer", [[some("DIGIT")]]
    yield "number", [[optional(token(words.MINUS)), "integer", optional(token("."), "integer")]]


def _typed_rules(lexicon: Lexicon) -> Iterable[tuple[str, Sequence[Part]]]:
    relational: list[Part] = []
    for enum in lexicon.enums:
        operator = _ANY_OPERATOR if enum.ordered else _EQUALITY
        relational.append(_relation([field_kind(enum)], operator, [value_kind(enum)]))
    for number in lexicon.numbers:
        name = f"{number.name.lower()}_amount"
        relational.append(_relation([field_kind(number)], _ANY_OPERATOR, [name]))
        yield name, _amounts(number, lexicon.unit_kind)
    yield "relational", relational


def _untyped_rules(lexicon: Lexicon) -> Iterable[tuple[str, Sequence[Part]]]:
    enums = [(field_kind(e), value_kind(e), e.ordered) for e in lexicon.enums]
    yield "enum_value", [value for _, value, _ in enums]
    yield "enum_field", [field for field, _, ordered in enums if not ordered]
    yield "number_field", [field_kind(number) for number in lexicon.numbers]
    amounts = {number.name: _amounts(number, lexicon.unit_kind) for number in lexicon.numbers}
    yield "amount", list(dict.fromkeys(part for parts in amounts.values() for part in parts))
    relational: list[Part] = [
        _relation(["enum_field"], _EQUALITY, ["enum_value"]),
        _relation(["number_field"], _ANY_OPERATOR, ["amount"]),
    ]
    ordered = [field for field, _, is_ordered in enums if is_ordered]
    if ordered:
        yield "ordered_field", ordered
        relational.append(_relation(["ordered_field"], _ANY_OPERATOR, ["enum_value"]))
    yield "relational", relational


def _relation(field: list[Part], operator: Part, value: list[Part]) -> Part:
    return [_OPEN, *field, optional("at"), operator, *value, _CLOSE]


def _amounts(number: NumberTokens, unit_kind: str) -> tuple[Part, ...]:
    """The right-hand sides of a field of this type: a number in any notation, or a field."""
    endings: list[Part] = []
    if number.denominations:
        endings.append(optional("DENOMINATION"))
    if number.units:
        endings.append(optional(unit_kind))
    if number.percentages:
        endings.append(optional("PERCENTAGE"))
    return ("number", *endings), (field_kind(number), optional("at"))
