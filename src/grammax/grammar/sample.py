"""Sentences of a grammar: drawn at random, or all of them up to a length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import product
from random import Random
from typing import final

from grammax.grammar.expand import Rule
from grammax.grammar.grammar import Grammar
from grammax.grammar.productions import INFINITE, Productions

# Extra depth of a rule of weight 0, so that it is drawn only where no other rule ends.
_UNWANTED = 1 << 20

Sentence = tuple[str, ...]
Weights = Mapping[str, float] | Callable[[Rule], float]


@final
class Sampler:
    """Draws sentences at random.

    Alternatives are drawn by weight: a mapping from rule text to weight (default 1), or a function
    of the rule. Below `max_depth` nested rules, and beyond `max_tokens`, only the alternatives that
    end soonest are drawn, so every draw ends.

    >>> from random import Random
    >>> grammar = Grammar.read('start: "(" start ")" | "x"')
    >>> sampler = Sampler(grammar, weights={'start: "x"': 0}, max_depth=3)
    >>> " ".join(sampler.draw(Random(1)))
    '( ( x ) )'
    """

    def __init__(
        self,
        grammar: Grammar,
        weights: Weights | None = None,
        max_depth: int = 8,
        max_tokens: int = 1000,
    ) -> None:
        self._productions = productions = grammar.productions
        self._tokens = tuple(grammar.kinds.values())
        self._max_depth, self._max_tokens = max_depth, max_tokens
        weigh = _weigher(weights or {})
        self._weights = [weigh(rule) for rule in grammar.rules]
        self._heights = _heights(productions, self._weights)

    def draw(self, random: Random) -> Sentence:
        """One sentence, as tokens."""
        return tuple(random.choice(self._tokens[kind]) for kind in self.draw_kinds(random))

    def draw_kinds(self, random: Random) -> list[int]:
        """One sentence, as kind numbers."""
        grammar = self._productions
        sentence: list[int] = []
        waiting = [(grammar.start, 0)]
        least = grammar.shortest[grammar.start]
        while waiting:
            symbol, depth = waiting.pop()
            least -= grammar.shortest[symbol]
            if symbol < grammar.kinds:
                sentence.append(symbol)
                continue
            right = grammar.rules[self._choose(symbol, depth, len(sentence) + least, random)][1]
            least += grammar.shortest_of(right)
            waiting.extend((part, depth + 1) for part in reversed(right))
        return sentence

    def _choose(self, symbol: int, depth: int, tokens: int, random: Random) -> int:
        options = self._productions.rules_of[symbol]
        if len(options) == 1:
            return options[0]
        fitting: list[int] | tuple[int, ...] = options
        if tokens >= self._max_tokens:
            length = self._productions.shortest[symbol]
            shortest_of = self._productions.shortest_of
            fitting = [rule for rule in options if shortest_of(self._right(rule)) == length]
        height = self._heights[symbol] % _UNWANTED
        if depth + height >= self._max_depth or len(fitting) < len(options):
            lowest = min(self._height_of(rule) for rule in fitting)
            fitting = [rule for rule in fitting if self._height_of(rule) == lowest]
        weights = [self._weights[rule] for rule in fitting]
        if not any(weights):
            return random.choice(fitting)
        return random.choices(fitting, weights)[0]

    def _right(self, rule: int) -> tuple[int, ...]:
        return self._productions.rules[rule][1]

    def _height_of(self, rule: int) -> int:
        inside = max((self._heights[symbol] for symbol in self._right(rule)), default=0)
        return inside + _cost(self._weights[rule])


def sentences(grammar: Grammar, length: int) -> Iterator[Sentence]:
    """All sentences of at most `length` tokens, each once, shorter ones first.

    >>> grammar = Grammar.read('start: "(" start ")" | "x"')
    >>> [" ".join(sentence) for sentence in sentences(grammar, 5)]
    ['x', '( x )', '( ( x ) )']
    """
    tokens = tuple(grammar.kinds.values())
    for kinds in sentences_of_kinds(grammar, length):
        yield from product(*(tokens[kind] for kind in kinds))


def sentences_of_kinds(grammar: Grammar, length: int) -> list[tuple[int, ...]]:
    """All sentences of at most `length` tokens, as kind numbers.

    The languages of all symbols, cut at `length`, are computed together as a fixed point. This is
    slow, but correct for left recursion, cycles and empty rules, so tests use it as the reference.
    """
    productions = grammar.productions
    found: list[set[tuple[int, ...]]] = [set() for _ in productions.names]
    for kind in range(productions.kinds):
        found[kind] = {(kind,)} if length else set()
    grown = True
    while grown:
        grown = False
        for left, right in productions.rules:
            strings: set[tuple[int, ...]] = {()}
            rest = productions.shortest_of(right)
            for symbol in right:
                rest -= productions.shortest[symbol]
                most = length - rest
                strings = {a + b for a in strings for b in found[symbol] if len(a) + len(b) <= most}
            if not strings <= found[left]:
                found[left] |= strings
                grown = True
    return sorted(found[productions.start], key=lambda kinds: (len(kinds), kinds))


def _heights(productions: Productions, weights: Sequence[float]) -> list[int]:
    """The least depth of a derivation from each symbol, preferring rules of weight above 0."""
    heights = [INFINITE] * len(productions.names)
    missing = [len(right) for _, right in productions.rules]
    heap = [(0, kind) for kind in range(productions.kinds)]
    heap += [
        (_cost(weights[rule]), left)
        for rule, (left, right) in enumerate(productions.rules)
        if not right
    ]
    heapify(heap)
    while heap:
        height, symbol = heappop(heap)
        if heights[symbol] != INFINITE:
            continue
        heights[symbol] = height
        for rule in productions.uses[symbol]:
            missing[rule] -= 1
            if not missing[rule]:
                heappush(heap, (height + _cost(weights[rule]), productions.rules[rule][0]))
    return heights


def _cost(weight: float) -> int:
    return 1 if weight else 1 + _UNWANTED


def _weigher(weights: Weights) -> Callable[[Rule], float]:
    if callable(weights):
        return weights
    given = dict(weights)
    return lambda rule: given.get(str(rule), 1.0)
