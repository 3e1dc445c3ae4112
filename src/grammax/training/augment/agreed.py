"""Agreed pairs: variations of training queries, with the logical forms that most networks read.

Networks that differ in their seeds alone make different mistakes, so what most of them read is
right more often than what one reads. One network that learns such pairs beside the given ones is
nearly as good as all of them together, and as fast as one (Kim & Rush, 2016, distil sequences so).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence

from grammax.errors import GrammaxError
from grammax.language.domain import Domain, Pair, Tokens
from grammax.reading.parse import QueryNotice

Reads = Callable[[str], Tokens]  # the logical form of a query


def agreed_pairs(queries: Iterable[str], readers: Sequence[Reads], domain: Domain) -> list[Pair]:
    """The queries that more than half of the readers read alike; others are left out."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        for query in queries:
            forms = [form for reads in readers if (form := _read(reads, query)) is not None]
            most = max(forms, key=lambda one: _votes(one, forms, domain), default=())
            if 2 * _votes(most, forms, domain) > len(readers):
                found.append(Pair(query, most))
    return found


def _votes(form: Tokens, forms: Sequence[Tokens], domain: Domain) -> int:
    return sum(domain.same(form, other) for other in forms)


def _read(reads: Reads, query: str) -> Tokens | None:
    try:
        return reads(query)
    except GrammaxError:  # it found no form within its budget
        return None
