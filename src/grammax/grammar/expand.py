"""EBNF → plain rules: repetitions, options, groups and templates become rules of their own.

Repetitions become left-recursive rules, which keep the stack of an LR automaton flat; options
become alternatives, as in lark, so a grammar that is LALR(1) in lark is LALR(1) here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grammax.errors import GrammarError, Location, Problem
from grammax.grammar.draft import Definition, Draft
from grammax.grammar.expressions import (
    NOWHERE,
    Choice,
    Concatenation,
    Expression,
    Pattern,
    Reference,
    Repeat,
    TokenText,
)

# A group with more alternatives than this within a sequence becomes a rule instead of being
# multiplied out: ten options in a row would be 1,024 alternatives.
_INLINE_ALTERNATIVES = 64
_INLINE_REPEATS = 50
_TEMPLATE_DEPTH = 100
_TEMPLATE_TEXT = 100_000

Alternative = list[str]


@dataclass(frozen=True, slots=True)
class Rule:
    """`name: symbols`, one alternative; symbols are names of rules and kinds."""

    name: str
    symbols: tuple[str, ...]
    location: Location = NOWHERE

    def __str__(self) -> str:
        return f"{self.name}: {' '.join(self.symbols)}".rstrip()


def literal_kind(text: str) -> str:
    """The name of the kind of a token that is written out in a rule: the token in quotes."""
    return json.dumps(text, ensure_ascii=False)


def expand(draft: Draft) -> list[Rule]:
    """The plain rules of a draft, without duplicates, in the order of the alternatives."""
    return _Expander(draft.rules).run()


class _Expander:
    def __init__(self, definitions: Iterable[Definition]) -> None:
        self._definitions = list(definitions)
        self._templates = {d.name: d for d in self._definitions if d.parameters}
        self._rules: dict[tuple[str, tuple[str, ...]], Rule] = {}
        self._made: set[str] = set()
        self._waiting: list[tuple[Definition, int]] = []
        self._depth = 0
        self._where = Location()

    def run(self) -> list[Rule]:
        self._waiting = [(d, 0) for d in reversed(self._definitions) if not d.parameters]
        while self._waiting:
            definition, self._depth = self._waiting.pop()
            self._where = definition.location
            for symbols in self._alternatives(definition.expression):
                self._add(definition.name, symbols)
        return list(self._rules.values())

    def _add(self, name: str, symbols: Alternative) -> None:
        rule = Rule(name, tuple(symbols), self._where)
        self._rules.setdefault((name, rule.symbols), rule)

    def _alternatives(self, expression: Expression) -> list[Alternative]:
        match expression:
            case TokenText(text):
                return [[literal_kind(text)]]
            case Pattern(text):
                return [[text]]
            case Reference(name, _, ()):
                return [[name]]
            case Reference():
                return [[self._instance(expression)]]
            case Choice(options):
                return [symbols for option in options for symbols in self._alternatives(option)]
            case Concatenation(parts):
                return self._concatenation(parts)
            case Repeat(part, least, most):
                return self._repeat(part, least, most)

    def _concatenation(self, parts: Iterable[Expression]) -> list[Alternative]:
        results: list[Alternative] = [[]]
        for part in parts:
            options = self._alternatives(part)
            if len(options) > 1 and len(results) * len(options) > _INLINE_ALTERNATIVES:
                options = [[self._helper(show(part), options)]]
            if len(options) == 1:
                for symbols in results:
                    symbols.extend(options[0])
            else:
                results = [[*symbols, *option] for symbols in results for option in options]
        return results

    def _repeat(self, part: Expression, least: int, most: int | None) -> list[Alternative]:
        options = self._alternatives(part)
        if most == 1:
            return [[], *options] if least == 0 else options
        if most is None and least <= 1:
            empty: list[Alternative] = [[]] if least == 0 or [] in options else []
            solid = [option for option in options if option]
            return [*empty, [self._some(show(part), solid)]] if solid else [[]]
        one = options[0] if len(options) == 1 else [self._helper(show(part), options)]
        if most is None:
            return [one * (least - 1) + rest for rest in self._repeat(part, 1, None)]
        if most <= _INLINE_REPEATS:
            return [one * count for count in range(least, most + 1)]
        exactly = one * least
        tail = self._up_to(show(part), one, most - least)
        return [exactly, [*exactly, *tail]] if tail else [exactly]

    def _some(self, text: str, options: list[Alternative]) -> str:
        name = f"{text}+"
        if name not in self._made:
            self._made.add(name)
            for option in options:
                self._add(name, option)
                self._add(name, [name, *option])
        return name

    def _up_to(self, text: str, one: Alternative, most: int) -> Alternative:
        """One to `most` times, as a chain of rules."""
        shorter: Alternative = []
        for count in range(1, most + 1):
            options = [one, [*one, *shorter]] if shorter else [one]
            shorter = [self._helper(f"{text}~1..{count}", options)]
        return shorter

    def _helper(self, name: str, options: list[Alternative]) -> str:
        if name not in self._made:
            self._made.add(name)
            for option in options:
                self._add(name, option)
        return name

    def _instance(self, use: Reference) -> str:
        """The rule that a template with these arguments stands for."""
        name = show(use)
        if name in self._made:
            return name
        self._made.add(name)
        template = self._templates.get(use.name)
        if template is None or len(template.parameters) != len(use.arguments):
            takes = f"{len(template.parameters)} arguments" if template else "none (no template)"
            raise GrammarError(
                Problem(
                    "template-arguments",
                    f"{use.name} is given {len(use.arguments)} arguments and takes {takes}",
                    f"Define it with as many parameters: `{use.name}{{a, b}}: a (b a)*`.",
                    use.location,
                )
            )
        if self._depth > _TEMPLATE_DEPTH or len(name) > _TEMPLATE_TEXT:
            raise GrammarError(
                Problem(
                    "template-without-end",
                    f"the template {use.name} is used within itself with ever new arguments",
                    "A template that uses itself with ever longer arguments never ends.",
                    use.location,
                )
            )
        values = dict(zip(template.parameters, use.arguments, strict=True))
        body = _substitute(template.expression, values)
        self._waiting.append((Definition(name, body, template.location), self._depth + 1))
        return name


def _substitute(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    match expression:
        case Reference(name, location, arguments):
            if name in values and not arguments:
                return values[name]
            inner = tuple(_substitute(argument, values) for argument in arguments)
            return Reference(name, location, inner)
        case Concatenation(parts):
            return Concatenation(tuple(_substitute(part, values) for part in parts))
        case Choice(options):
            return Choice(tuple(_substitute(option, values) for option in options))
        case Repeat(part, least, most):
            return Repeat(_substitute(part, values), least, most)
        case _:
            return expression


def show(expression: Expression) -> str:
    """The expression in lark's notation."""
    match expression:
        case TokenText(text):
            return literal_kind(text)
        case Pattern(text):
            return text
        case Reference(name, _, arguments):
            return f"{name}{{{', '.join(map(show, arguments))}}}" if arguments else name
        case Concatenation(parts):
            return f"({' '.join(map(show, parts))})"
        case Choice(options):
            return f"({' | '.join(map(show, options))})"
        case Repeat(part, least, most):
            sign = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((least, most))
            return f"{show(part)}{sign or f'~{least}..{most}'}"
