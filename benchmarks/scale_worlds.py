"""Vocabularies of any size with their grammar, and the test queries' logical forms in them.

A form keeps its shape in every world: fields and values are others of their types, or of some type
where types are numbered. So the work is the same at all sizes but for what a size itself costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isqrt
from random import Random
from typing import Any, Final

from grammax.automaton import BoundAutomaton
from grammax.automaton.lr.engine import LrEngine
from grammax.domains.eqs.catalogue import load_catalogue
from grammax.grammar import Grammar, Rule
from grammax.language.domain import Pair
from grammax.language.filling import slots
from grammax.tables import grammar as grammars
from grammax.tables.automata import table_automaton
from grammax.tables.lexicon import FILLED, FIXED_TOKENS, EnumTokens, Lexicon
from grammax.vocabulary import Vocabulary
from grammax.vocabulary.layout import arrange

VALUES: Final = 1_000  # of a type, whatever the size of the vocabulary
FIELDS: Final = 2  # of a type
ISSUER: Final = "ISSUER"  # the type that holds most values of equity search, and all added ones
Form = tuple[int, ...]
TypeOf = Callable[[EnumTokens, Random], EnumTokens]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A query and the logical form that decoding is made to find."""

    text: str
    form: Form


_FILLED: Final = sum(len(slots(kind)) for kind in FILLED) + 2
"""Rows that decoding has beside the tokens of written forms: slots, zero and ranges."""


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """A vocabulary with the typed exact grammar over it, and what is parsed there, by name."""

    automaton: BoundAutomaton[Any]
    cases: Mapping[str, list[Case]]

    @property
    def vocabulary(self) -> Vocabulary:
        """The rows of the output layer."""
        return self.automaton.vocabulary


def in_sections(tokens: int, pairs: Sequence[Pair]) -> World:
    """More types and fields, and no larger permitted set: a field is chosen in two steps.

    Before a field stands the section that it is in, one of √n for n types.
    """
    lexicon = numbered_lexicon(tokens, sections=True)
    section_of = sections(lexicon)
    rules = sectioned(grammars.grammar(lexicon), section_of)
    of_fields = {f: section_of[grammars.field_kind(t)] for t in lexicon.types for f in t.fields}

    def written(form: Sequence[str]) -> Iterator[str]:
        for token in form:
            if token in of_fields:
                yield of_fields[token]
            yield token

    forms = [tuple(written(form)) for form in _translated(pairs, lexicon, _any_type(lexicon))]
    return _world("types and fields", rules, tokens, pairs, forms)


def in_one_list(tokens: int, pairs: Sequence[Pair]) -> World:
    """The same in the language of equity search, where all fields compete with each other."""
    lexicon = numbered_lexicon(tokens, sections=False)
    forms = list(_translated(pairs, lexicon, _any_type(lexicon)))
    rules = grammars.grammar(lexicon)
    return _world("one list of fields", rules, tokens, pairs, forms)


def in_one_type(tokens: int, pairs: Sequence[Pair]) -> World:
    """Equity search with more companies; queries that name one are apart from the others."""
    catalogue = load_catalogue(tokens)
    lexicon = catalogue.lexicon
    same = {enum.name: enum for enum in lexicon.enums}
    forms = list(_translated(pairs, lexicon, lambda enum, _: same[enum.name]))
    automaton = table_automaton(catalogue)
    companies = frozenset(automaton.vocabulary.ids(same[ISSUER].values))
    cases: dict[str, list[Case]] = {"inside a type": [], "other queries": []}
    for case in _cases(automaton, pairs, forms):
        other = companies.isdisjoint(case.form)
        cases["other queries" if other else "inside a type"].append(case)
    return World(automaton, cases)


def numbered_lexicon(tokens: int, sections: bool) -> Lexicon:
    """Numbered enum types of about `VALUES` values; numbers and currencies are equity search's."""
    known = load_catalogue().lexicon
    numbers = tuple(replace(number, fields=number.fields[:5]) for number in known.numbers)
    currencies = known.units[:20]
    left = tokens - len(FIXED_TOKENS) - len(currencies) - sum(len(n.fields) for n in numbers)
    types = max(1, left // VALUES)
    left -= types * FIELDS + (_sections(types) if sections else 0)
    enums = tuple(
        EnumTokens(
            f"T{i}",
            tuple(f"FLD_T{i}_{j}" for j in range(FIELDS)),
            tuple(f"T{i}_{j}" for j in range(left // types + (i < left % types))),
            ordered=True,  # so that any form can be had with any type
        )
        for i in range(types)
    )
    return Lexicon(enums, numbers, currencies)


def sections(lexicon: Lexicon) -> dict[str, str]:
    """The section of each kind of field; those of numbers are in the first."""
    count = _sections(len(lexicon.enums))
    kinds = map(grammars.field_kind, lexicon.enums)
    found = {kind: f"SECTION_{number % count}" for number, kind in enumerate(kinds)}
    return found | {grammars.field_kind(number): "SECTION_0" for number in lexicon.numbers}


def sectioned(grammar: Grammar, section_of: Mapping[str, str]) -> Grammar:
    """A grammar with the section before each field."""

    def with_sections(symbols: Sequence[str]) -> Iterator[str]:
        for symbol in symbols:
            if symbol in section_of:
                yield section_of[symbol]
            yield symbol

    rules = tuple(Rule(rule.name, tuple(with_sections(rule.symbols))) for rule in grammar.rules)
    kinds = {**grammar.kinds, **{section: (section,) for section in section_of.values()}}
    return Grammar(grammar.start, rules, kinds)


def _sections(types: int) -> int:
    return isqrt(types - 1) + 1


def _any_type(lexicon: Lexicon) -> TypeOf:
    return lambda _, random: random.choice(lexicon.enums)


def _translated(
    pairs: Sequence[Pair], lexicon: Lexicon, type_of: TypeOf
) -> Iterator[tuple[str, ...]]:
    """The forms of equity search in the words of a lexicon."""
    known = load_catalogue().lexicon
    enums = {field: enum for enum in known.enums for field in enum.fields}
    values = frozenset(chain.from_iterable(enum.values for enum in known.enums))
    fields = {number.name: number.fields for number in lexicon.numbers}
    numbers = {field: fields[number.name] for number in known.numbers for field in number.fields}
    currencies = dict.fromkeys(known.units, lexicon.units)
    for number, pair in enumerate(pairs):
        random = Random(number)
        found, enum = [], lexicon.enums[0]
        for token in pair.tokens:
            if token in enums:
                enum = type_of(enums[token], random)
                found.append(random.choice(enum.fields))
            elif token in values:
                found.append(random.choice(enum.values))
            else:
                among = numbers.get(token) or currencies.get(token)
                found.append(random.choice(among) if among else token)
        yield tuple(found)


def _world(
    name: str, grammar: Grammar, tokens: int, pairs: Sequence[Pair], forms: Sequence[Sequence[str]]
) -> World:
    engine = LrEngine.from_grammar(grammar)
    layout = arrange(len(grammar.kinds), engine.likely_sets())
    automaton = BoundAutomaton(engine, Vocabulary(grammar.kinds, layout))
    assert len(automaton.vocabulary) == tokens + _FILLED
    return World(automaton, {name: _cases(automaton, pairs, forms)})


def _cases(
    automaton: BoundAutomaton[Any], pairs: Sequence[Pair], forms: Sequence[Sequence[str]]
) -> list[Case]:
    """The cases, the shortest form first."""
    ids = automaton.vocabulary.ids
    found = [Case(p.query, tuple(ids(form))) for p, form in zip(pairs, forms, strict=True)]
    return sorted(found, key=lambda case: len(case.form))
