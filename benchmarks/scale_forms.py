"""Queries of a number of words, and logical forms of a number of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from random import Random
from typing import Final

from scale_worlds import Case, World

from grammax.language.domain import Pair
from grammax.reading.words import split
from grammax.tables.lexicon import CLOSE, OPEN

_CASES: Final = 9
Tokens = tuple[str, ...]


def by_words(lengths: Sequence[int], pairs: Sequence[Pair], world: World) -> dict[str, list[Case]]:
    """Queries of some words each; what they mean is the same for all lengths."""
    pool = [word for pair in pairs for word in split(pair.query) if word.isalpha()]
    ids = world.vocabulary.ids
    usual = sorted(pairs, key=lambda pair: len(pair.tokens))[len(pairs) // 2 :][:_CASES]
    return {
        f"query of {words} words": [
            Case(" ".join(pool[place * words :][:words]), tuple(ids(pair.tokens)))
            for place, pair in enumerate(usual)
        ]
        for words in lengths
    }


def by_length(lengths: Sequence[int], pairs: Sequence[Pair], world: World) -> dict[str, list[Case]]:
    """Forms of about so many tokens, of the constraints of all pairs: listed, and nested."""
    constraints = list(chain.from_iterable(relations(pair.tokens) for pair in pairs))
    text = sorted((pair.query for pair in pairs), key=len)[len(pairs) // 2]
    random, ids = Random(0), world.vocabulary.ids
    found = {}
    for shape, joined in (("listed", listed), ("nested", nested)):
        for length in lengths:
            forms = []
            for _ in range(_CASES):
                parts = [random.choice(constraints), random.choice(constraints)]
                while len(joined(parts)) < length:
                    parts.append(random.choice(constraints))
                forms.append(joined(parts))
            found[f"form of {length} tokens, {shape}"] = [Case(text, tuple(ids(f))) for f in forms]
    return found


def relations(tokens: Tokens) -> Iterator[Tokens]:
    """The constraints of a form that compare a field."""
    for start, (token, after) in enumerate(pairwise(tokens)):
        if token == OPEN and after.startswith("FLD_"):
            yield tokens[start : _end(tokens, start)]


def _end(tokens: Tokens, start: int) -> int:
    """The place after the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(tokens)):
        depth += (tokens[place] == OPEN) - (tokens[place] == CLOSE)
        if not depth:
            return place + 1
    raise AssertionError("brackets of a form match")


def listed(parts: Sequence[Tokens]) -> Tokens:
    """(AND a b c)."""
    return (OPEN, "AND", *chain.from_iterable(parts), CLOSE)


def nested(parts: Sequence[Tokens]) -> Tokens:
    """(OR a (OR b c))."""
    found = parts[-1]
    for part in reversed(parts[:-1]):
        found = (OPEN, "OR", *part, *found, CLOSE)
    return found
