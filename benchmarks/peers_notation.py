"""A `Grammar` in the notations of other engines: lark's, EBNF, or one regular expression.

Alternatives that begin alike are written once, and so are those that end alike, for an engine that
is given a hundred rules with the same first token follows all of them at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from grammax.grammar import Grammar

Alternatives = list[tuple[str, ...]]
Tree = dict[str, "Tree"]  # what may follow; under "" nothing, which ends an alternative


@dataclass(frozen=True, slots=True)
class Signs:
    """How a notation writes sequences and choices, and what it writes for a name."""

    name: Callable[[str], str]
    begin: str = "("
    space: str = " "
    choice: str = " | "


def plain_rules(grammar: Grammar) -> dict[str, Alternatives]:
    """The alternatives of each name as they are, without factoring."""
    found: dict[str, Alternatives] = {}
    for rule in grammar.rules:
        found.setdefault(rule.name, []).append(rule.symbols)
    return found


def factored(grammar: Grammar, signs: Signs) -> dict[str, str]:
    """The right-hand side of each rule, factored; repetitions are written with `+`."""
    rules = _inlined(plain_rules(grammar))
    signs = _with_repeats(rules, signs)
    return {
        name: _written(_tree(alternatives), signs)
        for name, alternatives in rules.items()
        if not _repeats(name, rules)
    }


def flat_expression(grammar: Grammar, signs: Signs) -> str:
    """A regular expression of the language with its nesting left unchecked.

    Alternatives are cut where a constraint stands within a constraint, and the pieces may follow
    each other as they like.
    """
    rules = _inlined(plain_rules(grammar))
    nested = {name for name in rules if name in _reached(name, rules)}
    pieces = [
        piece
        for name in nested
        for alternative in rules[name]
        for piece in _cut(alternative, nested)
    ]
    expressions: dict[str, str] = {}

    def name_of(symbol: str) -> str:
        if symbol not in rules:
            return signs.name(symbol)
        if symbol not in expressions:
            repeated = _repeats(symbol, rules)
            body = _written(_tree(repeated or rules[symbol]), inner)
            expressions[symbol] = f"{signs.begin}{body}){'+' if repeated else ''}"
        return expressions[symbol]

    inner = Signs(name_of, signs.begin, signs.space, signs.choice)
    return f"{signs.begin}{_written(_tree(pieces), inner)})+"


def _with_repeats(rules: Mapping[str, Alternatives], signs: Signs) -> Signs:
    def name_of(symbol: str) -> str:
        repeated = _repeats(symbol, rules)
        if not repeated:
            return signs.name(symbol)
        return f"{signs.begin}{_written(_tree(repeated), signs)})+"

    return Signs(name_of, signs.begin, signs.space, signs.choice)


def _repeats(name: str, rules: Mapping[str, Alternatives]) -> Alternatives:
    """What a rule repeats, if it is `x: y | x y`."""
    alternatives = rules.get(name, [])
    once = [alternative for alternative in alternatives if name not in alternative]
    again = [(name, *alternative) for alternative in once]
    more = [alternative for alternative in alternatives if name in alternative]
    return once if more and more == again else []


def _inlined(rules: Mapping[str, Alternatives]) -> dict[str, Alternatives]:
    """Rules that are used once, and there as a whole alternative, put where they are used."""
    uses = Counter(s for found in rules.values() for symbols in found for s in symbols)
    alone = {
        symbols[0]
        for found in rules.values()
        for symbols in found
        if len(symbols) == 1 and symbols[0] in rules and uses[symbols[0]] == 1
    }
    return {
        name: [
            inner
            for symbols in found
            for inner in (rules[symbols[0]] if symbols[0] in alone else [symbols])
        ]
        for name, found in rules.items()
        if name not in alone
    }


def _reached(name: str, rules: Mapping[str, Alternatives]) -> set[str]:
    """The rules within a rule; that `x: y | x y` is within itself does not count."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        rule = waiting.pop()
        for symbols in _repeats(rule, rules) or rules[rule]:
            fresh = {symbol for symbol in symbols if symbol in rules} - found
            found |= fresh
            waiting += fresh
    return found


def _cut(symbols: Sequence[str], at: set[str]) -> Iterable[tuple[str, ...]]:
    piece: list[str] = []
    for symbol in symbols:
        if symbol not in at:
            piece.append(symbol)
        elif piece:
            yield tuple(piece)
            piece = []
    if piece:
        yield tuple(piece)


def _tree(alternatives: Iterable[tuple[str, ...]]) -> Tree:
    root: Tree = {}
    for symbols in alternatives:
        node = root
        for symbol in symbols:
            node = node.setdefault(symbol, {})
        node[""] = {}
    return root


def _written(tree: Tree, signs: Signs) -> str:
    """All alternatives of a tree; in brackets unless it is one sequence."""
    for symbol, after in tree.items():
        others = {other: rest for other, rest in tree.items() if other != symbol}
        if symbol and after and others == after:  # x y | y
            return f"{signs.name(symbol)}?{_followed(after, signs)}"
    choices: list[str] = []
    groups: list[tuple[list[str], Tree]] = []
    for symbol, after in tree.items():
        if symbol:
            same = next((names for names, rest in groups if rest == after), None)
            if same is None:
                groups.append(([symbol], after))
            else:
                same.append(symbol)
    for names, after in groups:
        written = [signs.name(name) for name in names]
        first = written[0] if len(written) == 1 else _bracketed(written, signs)
        choices.append(first + _followed(after, signs))
    if "" in tree:
        return f"{_bracketed(choices, signs)}?"
    return choices[0] if len(choices) == 1 else _bracketed(choices, signs)


def _followed(after: Tree, signs: Signs) -> str:
    return "" if list(after) == [""] else signs.space + _written(after, signs)


def _bracketed(choices: Sequence[str], signs: Signs) -> str:
    return f"{signs.begin}{signs.choice.join(choices)})"
