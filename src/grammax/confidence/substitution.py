"""Names that stand in for others: tokens of a form that its query does not name.

A search always finds a form. Where a query names something that no table lists, the form has some
other name in its place: "hotels in reykjavik" becomes those in Dallas. Two things together show it:
the form has a token of a kind whose tokens queries name, and this one does not, while it has words
or numbers that nothing in the form accounts for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from grammax.reading.reader import Query
from grammax.search import Decoded

_NAMED: Final = 0.9  # share of the tokens of a kind that queries name, if they name that kind
_LEAST: Final = 5  # tokens of a kind that are counted before that is known

Parsed = tuple[Query, Collection[int]]  # a query, and the ids of its form


def kinds_that_are_named(parsed: Iterable[Parsed]) -> frozenset[str]:
    """The kinds whose tokens nearly all queries name that have them in their form."""
    used: Counter[int] = Counter()
    named: Counter[int] = Counter()
    kinds: Sequence[str] = ()
    for query, ids in parsed:
        names = query.reader.names if query.reader else None
        if names is None:
            continue
        kinds, kind_of = names.vocabulary.kinds, names.vocabulary.kinds_by_id
        there = _named(query)
        for token in set(ids):
            used[kind_of[token]] += 1
            named[kind_of[token]] += token in there
    found = (kind for kind, count in used.items() if count >= _LEAST)
    return frozenset(kinds[kind] for kind in found if named[kind] >= _NAMED * used[kind])


def unnamed_tokens(query: Query, decoded: Decoded, kinds: Collection[str]) -> int:
    """The tokens of these kinds in a form that its query does not name."""
    names = query.reader.names if query.reader else None
    if names is None or not kinds:
        return 0
    vocabulary = names.vocabulary
    there = _named(query)
    return sum(
        vocabulary.kinds[vocabulary.kinds_by_id[token]] in kinds
        for token in set(decoded.ids) - there
    )


def _named(query: Query) -> set[int]:
    return {token for match in query.names for token in match.ids}
