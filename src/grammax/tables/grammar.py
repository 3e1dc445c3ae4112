"""The grammar of the LF language, typed or untyped, from a lexicon.

In the typed grammar a field admits only its own operators and values: one rule per type of field.
In the untyped grammar any enum value may follow any enum field and any number any numeric field, as
in the paper.

A schema with `history` has fields with values of other times: `FLD_VIEWS(2020)`, changes, and
series by period. In one without, a row has one value of a field, and dates are fields:
`(FLD_RELEASED GR 2020)`. There, rows can be grouped by any field, `(count FLD_GENRE)` counts
different values, a field can be compared with an aggregate, and texts are searched:
`(FLD_TITLE CONTAINS "star")`. The first and the last date of a
group are not compared with a time, which a query need not have: the grammar of every query lets
every prefix be completed.

Both are grammars of logical forms as they are written, digit by digit; a text is one token. The
*filled* grammar is the typed one for decoding: numbers, counts and times are single tokens, which
the query fills, too, and a range is one constraint. All have the same kinds, so their automata
share a vocabulary and an output matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from grammax.grammar import Grammar, either, optional, some, token
from grammax.grammar.expressions import Part
from grammax.language.filling import slots
from grammax.tables import lexicon as words
from grammax.tables.lexicon import EnumTokens, Lexicon, NumberTokens, TextTokens

Rules = Iterable[tuple[str, Sequence[Part]]]

_OPEN, _CLOSE = token(words.OPEN), token(words.CLOSE)
_EQUALITY: Part = either("EQ", "NEQ")
_ANY_OPERATOR: Part = either("EQ", "NEQ", "COMPARISON")
_MINUS: Final = optional(token(words.MINUS))
_ORDER: Final = optional("ORDER")


def grammar(lexicon: Lexicon, typed: bool = True, filled: bool = False) -> Grammar:
    """The exact grammar of the language."""
    rules: dict[str, Sequence[Part]] = dict(_shared_rules(lexicon))
    rules |= dict(_filled_rules(lexicon) if filled else _written_rules())
    rules |= dict(_typed_rules(lexicon, filled) if typed else _untyped_rules(lexicon, filled))
    every = kinds(lexicon)
    made = Grammar.from_rules(rules, every, start="query")
    return replace(made, kinds=MappingProxyType(every))  # also those that this grammar never uses


def kinds(lexicon: Lexicon) -> dict[str, tuple[str, ...]]:
    """The kinds of all grammars."""
    found: dict[str, tuple[str, ...]] = {
        "EQ": ("EQ",),
        "NEQ": ("NEQ",),
        "COMPARISON": words.COMPARISON,
        "ORDER": words.ORDERS,
        "RANK": words.RANKS,
        **_functions(lexicon),
        "DIGIT": words.DIGITS,
        "DENOMINATION": words.DENOMINATIONS,
        "PERCENTAGE": words.PERCENTAGES,
        **({lexicon.unit_kind: lexicon.units} if lexicon.units else {}),
        "MONTH_NAME": words.MONTHS,
        "QUARTER_NAME": words.QUARTERS,
        "PERIOD": words.PERIODS,
        "SHORT_PERIOD": tuple(unit for unit in words.UNITS if unit not in words.PERIODS),
        words.ZERO: (words.ZERO,),
        words.BETWEEN: (words.BETWEEN,),
        **{kind: slots(kind) for kind in words.FILLED},
        **({} if lexicon.history else {words.ONE: (words.ONE,)}),
    }
    for enum in lexicon.enums:
        found[field_kind(enum)] = enum.fields
        found[value_kind(enum)] = enum.values
    for number in lexicon.numbers:
        found[field_kind(number)] = number.fields
    for text in lexicon.texts:
        found[field_kind(text)] = text.fields
    for word in (words.OPEN, words.CLOSE, *words.CONNECTIVES, words.DISPLAY, words.COUNT, words.BY):
        found[f'"{word}"'] = (word,)
    for word in (words.RATIO, words.CHANGE, words.MINUS, words.POINT, words.LAST):
        found[f'"{word}"'] = (word,)
    found[f'"{words.FISCAL_YEAR}"'] = (words.FISCAL_YEAR,)
    if not lexicon.history:
        found[words.CONTAINS] = (words.CONTAINS,)
        found[words.TEXT] = slots(words.TEXT)
    return found


def _functions(lexicon: Lexicon) -> dict[str, tuple[str, ...]]:
    """The kinds of aggregates of a field: dates have only the first and the last."""
    every = words.AGGREGATES[1:]
    if lexicon.history:
        return {"FUNCTION": every}
    sums = tuple(word for word in every if word not in words.EXTREMES)
    return {"FUNCTION": sums, "EXTREME": words.EXTREMES}


def _function(number: NumberTokens, lexicon: Lexicon) -> Part:
    """The aggregates of a type's fields."""
    if lexicon.history:
        return "FUNCTION"
    return "EXTREME" if number.dates else either("FUNCTION", "EXTREME")


def field_kind(type_: EnumTokens | NumberTokens | TextTokens) -> str:
    """The kind of a type's fields."""
    return f"{type_.name}_FIELD"


def value_kind(enum: EnumTokens) -> str:
    """The kind of a type's values."""
    return f"{enum.name}_VALUE"


def _shared_rules(lexicon: Lexicon) -> Rules:
    fields = [field_kind(type_) for type_ in lexicon.types]
    numbers = [field_kind(number) for number in lexicon.numbers]
    ranked = [field_kind(t) for t in lexicon.enums if t.ordered] + numbers
    derived: list[Part] = _derived(lexicon)
    shown: list[Part] = [
        [_OPEN, token(words.DISPLAY), *_timed("any_field", lexicon), _ORDER, _CLOSE],
        *([_OPEN, token(words.DISPLAY), part, _ORDER, _CLOSE] for part in derived),
        [_OPEN, "RANK", optional("integer"), "ranked", _CLOSE],
        ["aggregate"],
        [_OPEN, token(words.BY), either(*_groups(lexicon)), _CLOSE],
    ]
    if lexicon.history:
        yield "query", [["constraint"]]
        yield "constraint", [*_compounds("relational", "constraint"), *shown]
    else:
        # What shows, ranks or summarises rows stands in the outermost AND, never in OR or NOT.
        yield "query", [["part"], [_OPEN, token("AND"), "part", some("part"), _CLOSE]]
        rows: list[Part] = []
        if lexicon.enums or lexicon.numbers or lexicon.searched:  # else nothing is compared
            rows = _compounds("relational", "inner", with_and=False)
            yield "inner", _compounds("relational", "inner")
        yield "part", [*rows, "of_groups", *shown]
    yield "any_field", fields
    by_field: list[Part] = [_timed(either(*ranked), lexicon)] if ranked else []
    yield "ranked", [*by_field, *derived, "aggregate"]
    yield "count", [[_OPEN, token(words.COUNT), _CLOSE]]
    if not lexicon.history:
        yield "distinct", [[_OPEN, token(words.COUNT), "any_field", _CLOSE]]
    if lexicon.history:
        yield "at", [[_OPEN, "time", _CLOSE]]
    if derived:
        yield "number_field", [field_kind(n) for n in lexicon.numbers if not n.dates]
        timed = _timed("number_field", lexicon)
        yield "ratio", [[_OPEN, token(words.RATIO), *timed, *timed, _CLOSE]]
    if "change" in derived:
        yield "change", [[_OPEN, token(words.CHANGE), "number_field", "at", _CLOSE]]


def _compounds(atom: str, inside: str, *, with_and: bool = True) -> list[Part]:
    """A constraint on rows, and NOT, OR and AND of such constraints."""
    every: list[Part] = [[_OPEN, token("AND"), inside, some(inside), _CLOSE]] if with_and else []
    return [
        [atom],
        [_OPEN, token("NOT"), inside, _CLOSE],
        *every,
        [_OPEN, token("OR"), inside, inside, _CLOSE],
    ]


def _derived(lexicon: Lexicon) -> list[Part]:
    """What is computed from numeric fields and may stand in the place of one."""
    if all(number.dates for number in lexicon.numbers):
        return []
    return ["ratio", "change"] if lexicon.history else ["ratio"]


def _groups(lexicon: Lexicon) -> list[Part]:
    """What rows may be grouped by."""
    if lexicon.history:
        return [*map(field_kind, lexicon.enums), "PERIOD"]
    return [*map(field_kind, lexicon.types), *(["PERIOD"] if _has_dates(lexicon) else [])]


def _has_dates(lexicon: Lexicon) -> bool:
    return any(number.dates for number in lexicon.numbers)


def _timed(field: Part, lexicon: Lexicon) -> list[Part]:
    """A field and, where fields have values of other times, one of them."""
    return [field, optional("at")] if lexicon.history else [field]


def _written_rules() -> Rules:
    """Numbers, counts and times digit by digit."""
    unit = either("PERIOD", "SHORT_PERIOD")
    yield (
        "time",
        [
            ["year", optional("MONTH_NAME", optional("DIGIT", optional("DIGIT")))],
            ["QUARTER_NAME", "year"],
            [token(words.FISCAL_YEAR), "year"],
            [token(words.LAST), optional("integer"), unit],
        ],
    )
    yield "year", [["DIGIT"] * 4]
    yield "integer", [[some("DIGIT")]]
    yield "number", [[_MINUS, "integer", optional(token(words.POINT), "integer")]]


def _filled_rules(lexicon: Lexicon) -> Rules:
    """Numbers, counts and times that the query fills."""
    yield "time", [[words.TIME]]
    yield "integer", [[words.INTEGER]] if lexicon.history else [[words.INTEGER], [words.ONE]]


def _typed_rules(lexicon: Lexicon, filled: bool) -> Rules:
    relational: list[Part] = []
    of_groups: list[Part] = []
    aggregates: list[Part] = _counts(lexicon)
    for enum in lexicon.enums:
        operator = _ANY_OPERATOR if enum.ordered else _EQUALITY
        relational.append(_relation(_timed(field_kind(enum), lexicon), operator, value_kind(enum)))
    for number in lexicon.numbers:
        field, name = field_kind(number), number.name.lower()
        timed = _timed(field, lexicon)
        yield f"{name}_number", _numbers(number, lexicon.unit_kind, filled)
        yield f"{name}_aggregate", [[_OPEN, _function(number, lexicon), *timed, _CLOSE]]
        others: list[Part] = [] if lexicon.history else [f"{name}_aggregate"]
        value = either(f"{name}_number", timed, *others)
        relational.append(_relation(timed, _ANY_OPERATOR, value))
        compared: list[list[Part]] = [] if number.dates else [[f"{name}_aggregate"]]
        if filled:
            relational.append(_range(timed, f"{name}_number"))
        for aggregate in compared:
            of_groups.append(_relation(aggregate, _ANY_OPERATOR, f"{name}_number"))
            if filled:
                of_groups.append(_range(aggregate, f"{name}_number"))
        aggregates.append(f"{name}_aggregate")
    yield "aggregate", aggregates
    yield from _derived_rules(relational, of_groups, lexicon, filled)


def _untyped_rules(lexicon: Lexicon, filled: bool) -> Rules:
    enums = [(field_kind(e), value_kind(e), e.ordered) for e in lexicon.enums]
    relational: list[Part] = []
    of_groups: list[Part] = []
    aggregates: list[Part] = _counts(lexicon)
    if enums:
        yield "enum_value", [value for _, value, _ in enums]
    unordered = [field for field, _, is_ordered in enums if not is_ordered]
    ordered = [field for field, _, is_ordered in enums if is_ordered]
    for name, fields, operator in (
        ("enum_field", unordered, _EQUALITY),
        ("ordered_field", ordered, _ANY_OPERATOR),
    ):
        if fields:
            yield name, fields
            relational.append(_relation(_timed(name, lexicon), operator, "enum_value"))
    for name, dates in (("number", False), ("date", True)):
        numbers = [number for number in lexicon.numbers if number.dates is dates]
        if numbers:
            every = [_numbers(number, lexicon.unit_kind, filled) for number in numbers]
            yield f"any_{name}", list(dict.fromkeys(part for parts in every for part in parts))
            yield f"any_{name}_field", [field_kind(number) for number in numbers]
            timed = _timed(f"any_{name}_field", lexicon)
            aggregate = f"any_{name}_aggregate"
            yield aggregate, [[_OPEN, _function(numbers[0], lexicon), *timed, _CLOSE]]
            others: list[Part] = [] if lexicon.history else [aggregate]
            value = either(f"any_{name}", timed, *others)
            relational.append(_relation(timed, _ANY_OPERATOR, value))
            if not dates:
                of_groups.append(_relation([aggregate], _ANY_OPERATOR, f"any_{name}"))
            aggregates.append(aggregate)
    yield "aggregate", aggregates
    yield from _derived_rules(relational, of_groups, lexicon, filled)


def _counts(lexicon: Lexicon) -> list[Part]:
    return ["count"] if lexicon.history else ["count", "distinct"]


def _derived_rules(
    relational: list[Part], of_groups: list[Part], lexicon: Lexicon, filled: bool
) -> Rules:
    """Comparisons of counts, ratios and changes, which are the same for all types."""
    counted = NumberTokens("COUNT", (), denominations=True)
    yield "number_of_rows", _numbers(counted, "", filled)
    for count in _counts(lexicon):
        of_groups.append(_relation([count], _ANY_OPERATOR, "number_of_rows"))
        if filled:
            of_groups.append(_range([count], "number_of_rows"))
    derived = _derived(lexicon)
    if derived:
        share = NumberTokens("SHARE", (), percentages=True)
        yield "share", _numbers(share, "", filled)
        relational.append(_relation([either(*derived)], _ANY_OPERATOR, "share"))
        if filled:
            relational.append(_range([either(*derived)], "share"))
    if lexicon.history:
        yield "relational", [*relational, *of_groups]
    else:
        searched: list[Part] = [field_kind(text) for text in lexicon.texts if text.searched]
        searched += [field_kind(enum) for enum in lexicon.enums if enum.searched]
        # One rule per kind: `automaton.grounded` looks at the rest of the rule that a field is in.
        relational += [_relation([kind], words.CONTAINS, words.TEXT) for kind in searched]
        if relational:
            yield "relational", relational
        yield "of_groups", of_groups


def _relation(left: list[Part], operator: Part, value: Part) -> Part:
    return [_OPEN, *left, operator, value, _CLOSE]


def _range(left: list[Part], number: Part) -> Part:
    return [_OPEN, *left, words.BETWEEN, number, number, _CLOSE]


def _numbers(number: NumberTokens, unit_kind: str, filled: bool) -> tuple[Part, ...]:
    """The notations of a number of a type, or of a time."""
    if number.dates:
        return ("time",)
    if filled:
        kinds: list[Part] = [words.NUMBER]
        kinds += [words.LARGE_NUMBER] * number.denominations
        kinds += [words.AMOUNT] * number.units
        kinds += [words.PERCENT_NUMBER] * number.percentages
        return (_MINUS, either(*kinds)), (words.ZERO,)
    endings: list[Part] = []
    if number.denominations:
        endings.append(optional("DENOMINATION"))
    if number.units:
        endings.append(optional(unit_kind))
    if number.percentages:
        endings.append(optional("PERCENTAGE"))
    return (("number", *endings),)
