"""Equity grammars of any size. Names are numbered, since only their number matters here."""

from __future__ import annotations

from random import Random

from grammax.grammar import Grammar, Rule, Sampler
from grammax.tables import grammar as grammars
from grammax.tables.lexicon import FIXED_TOKENS, EnumTokens, Lexicon, NumberTokens

_CURRENCIES = 170
_ORDERED_EVERY = 50  # one enum type in fifty is a rating scale


def sized_lexicon(tokens: int, types: int, fields: int) -> Lexicon:
    """A lexicon of exactly that many tokens, value types and fields.

    A third of the fields are numeric. The sizes of the types fall off as 1 / rank^0.8, so that, as
    in a real catalogue, a few types (issuers, indices) hold most of the values.
    """
    currencies = tuple(f"CUR_{i}" for i in range(min(_CURRENCIES, tokens // 20)))
    numbers = _number_types(max(5, fields // 3))
    of_numbers = sum(len(number.fields) for number in numbers)
    of_enums = fields - of_numbers
    values = tokens - len(FIXED_TOKENS) - len(currencies) - fields
    shares = [1 / (rank + 1) ** 0.8 for rank in range(types)]
    sizes = [max(1, int((values - types) * share / sum(shares))) for share in shares]
    sizes[0] += values - sum(sizes)
    enums = tuple(
        EnumTokens(
            f"T{i}",
            tuple(f"FLD_T{i}_{j}" for j in range(of_enums // types + (i < of_enums % types))),
            tuple(f"T{i}_{j}" for j in range(size)),
            ordered=i % _ORDERED_EVERY == _ORDERED_EVERY - 1,
        )
        for i, size in enumerate(sizes)
    )
    lexicon = Lexicon(enums, numbers, currencies)
    assert len(lexicon.tokens) == tokens
    return lexicon


def _number_types(fields: int) -> tuple[NumberTokens, ...]:
    def of(name: str, percent: int) -> tuple[str, ...]:
        return tuple(f"FLD_{name}_{i}" for i in range(max(1, fields * percent // 100)))

    return (
        NumberTokens("MONEY", of("MONEY", 35), denominations=True, units=True),
        NumberTokens("PER_SHARE", of("PER_SHARE", 10), units=True),
        NumberTokens("RATIO", of("RATIO", 25)),
        NumberTokens("PERCENT", of("PERCENT", 25), percentages=True),
        NumberTokens("COUNT", of("COUNT", 5), denominations=True),
    )


def sampled_forms(
    grammar: Grammar, count: int, seed: int = 0, of_paper: bool = False
) -> list[tuple[str, ...]]:
    """Logical forms of about 20 tokens; `of_paper`, only such as the paper's automaton covers."""

    def weight(rule: Rule) -> float:
        if of_paper and not _in_paper(rule):
            return 0
        return 8.0 if '"AND"' in rule.symbols else 1.0

    sampler = Sampler(grammar, weight, max_depth=7)
    random = Random(seed)
    forms: list[tuple[str, ...]] = []
    while len(forms) < count:
        form = sampler.draw(random)
        if 8 <= len(form) <= 60:
            forms.append(form)
    return forms


def _in_paper(rule: Rule) -> bool:
    """Whether the paper's machines cover a rule: no times, ranks, units, or fields as values."""
    if {"at", "RANK", "DENOMINATION", "CURRENCY", "PERCENTAGE"} & set(rule.symbols):
        return False
    if rule.name.endswith("amount"):
        return rule.symbols[0] == "number"
    unordered = any(s.endswith("_VALUE") or s == "enum_value" for s in rule.symbols)
    return not (rule.name == "relational" and unordered and "NEQ" in rule.symbols)


def typed_and_untyped(lexicon: Lexicon) -> dict[str, Grammar]:
    """Both grammars of a lexicon; they have the same kinds."""
    return {
        "typed": grammars.grammar(lexicon, typed=True),
        "untyped": grammars.grammar(lexicon, typed=False),
    }
