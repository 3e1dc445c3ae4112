"""Which kinds of a grammar the queries of pairs could fill, and how their tokens are written.

Goes in: a grammar and pairs. Comes out: for a kind of arguments, whose tokens nearly all queries
mention as a number, a date or some words, what could stand in `[filled]`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from grammax.folder.filled.forms import Mentioned
from grammax.folder.filled.mentions import FilledMentions
from grammax.folder.induce.trees import is_prefix
from grammax.folder.open_kinds import PLACE, Fill, FilledKind
from grammax.grammar import Grammar
from grammax.language.domain import Pair

_LEAST: Final = 0.8  # share of the tokens of a kind that their queries mention
_FEWEST: Final = 3  # tokens in forms that show it
_TRIED: Final = 400  # of them
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_BODY: Final = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)
_OPENING: Final = "("


def proposed_kinds(grammar: Grammar, pairs: Sequence[Pair]) -> list[FilledKind]:
    """The kinds that queries could fill beside their lists, in the order of the grammar.

    A number or date is taken from the query where it has it. A name is taken from the list first:
    few pairs show which words are one, while those of a list are known.

    A kind with an operator, which has arguments in brackets, is never among them.
    """
    prefix = is_prefix([pair.tokens for pair in pairs])
    heads = {
        other if prefix else one
        for pair in pairs
        for one, other in pairwise(pair.tokens)
        if (one if prefix else other) == _OPENING
    }
    uses = _uses(pairs)
    found = (
        _proposed(kind, tokens, uses)
        for kind, tokens in grammar.kinds.items()
        if not kind.startswith('"') and heads.isdisjoint(tokens)
    )
    return [kind for kind in found if kind is not None]


def settable_kinds(grammar: Grammar, pairs: Sequence[Pair]) -> list[FilledKind]:
    """The kinds that queries could fill and `[filled]` can name: not those that were split."""
    return [kind for kind in proposed_kinds(grammar, pairs) if kind.kind.isidentifier()]


def setting_lines(grammar: Grammar, pairs: Sequence[Pair]) -> list[str]:
    """The lines of `[filled]` for kinds that queries could fill; kinds that were split have none.

    >>> from grammax.language.domain import Pair
    >>> grammar = Grammar.read('query: "over" N\\nN: "5" | "70" | "1000"')
    >>> pairs = [Pair("above 5", ("over", "5")), Pair("> 1k", ("over", "1000"))]
    >>> setting_lines(grammar, [*pairs, Pair("over seventy", ("over", "70"))])
    ['N = { fill = "number", listed = "last" }']
    """
    return [f"{kind.kind} = {kind.to_setting()}" for kind in settable_kinds(grammar, pairs)]


def _uses(pairs: Iterable[Pair]) -> Mapping[str, list[str]]:
    """For each token the queries whose forms have it."""
    found: dict[str, list[str]] = {}
    for query, tokens in pairs:
        for token in dict.fromkeys(tokens):
            found.setdefault(token, []).append(query)
    return found


def _proposed(kind: str, tokens: Sequence[str], uses: Mapping[str, list[str]]) -> FilledKind | None:
    said = [(query, token) for token in tokens for query in uses.get(token, ())]
    said = said[:: max(1, len(said) // _TRIED)]
    if len(said) < _FEWEST:
        return None
    tried = ((_share(each, said), each) for each in _candidates(kind, tokens))
    share, best = max(tried, key=lambda each: each[0], default=(0.0, None))
    return best if share >= _LEAST else None


def _share(kind: FilledKind, said: Sequence[tuple[str, str]]) -> float:
    """The share of tokens that their queries mention."""
    reader, there = FilledMentions([kind]), 0
    for query, token in said:
        mentioned = Mentioned(reader.read(query), dict.fromkeys(kind.slot_kinds, kind))
        there += mentioned.slots(kind, token, set()) is not None
    return there / len(said)


def _candidates(kind: str, tokens: Sequence[str]) -> Iterator[FilledKind]:
    """How the tokens of a kind could be filled, by what most of them have in common."""
    fills: tuple[tuple[Fill, re.Pattern[str]], ...] = (
        ("number", _NUMBER),
        ("date", _DATE),
        ("text", _BODY),
    )
    for fill, pattern in fills:
        bodies = [(token, found) for token in tokens if (found := pattern.search(token))]
        around = Counter(_around(token, found.span()) for token, found in bodies)
        for written, _ in around.most_common(2):
            if fill != "text":
                yield FilledKind(kind, fill, written=written, listed="last")
                continue
            inside = [found.group() for _, found in bodies]
            spaces = max(" _-", key=lambda sign: sum(sign in each for each in inside))
            for case in ("lower", "any"):
                yield FilledKind(kind, fill, case, spaces, written, "first")
    for written in _affixes(tokens):
        for spaces in " _":
            yield FilledKind(kind, "text", "lower", spaces, written, "first")


def _around(token: str, span: tuple[int, int]) -> str:
    start, stop = span
    return f"{token[:start]}{PLACE}{token[stop:]}".replace("{}{}", PLACE)


def _affixes(tokens: Sequence[str]) -> list[str]:
    """What stands around the names in most tokens, as in texas:s and en.team.lakers."""
    ends = Counter(f"{PLACE}{token[token.rindex(':') :]}" for token in tokens if ":" in token)
    starts = Counter(f"{token[: token.rindex('.') + 1]}{PLACE}" for token in tokens if "." in token)
    return [written for written, _ in (*ends.most_common(1), *starts.most_common(1))]
