"""The features of a parse that tell right logical forms from wrong ones.

They are computed from the query and the decoded form in microseconds, without further decoding.
Besides the odds and the wording of the text they count doubts: words that nothing in the form
accounts for, numbers and times that were read and not used, names that may not have been meant, a
measure that no word names.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import expm1, log
from typing import Final, NamedTuple

from grammax.confidence.coverage import WordCoverage, row_nouns
from grammax.reading.mentioned import is_mention
from grammax.reading.reader import Query
from grammax.search import Decoded

_CERTAIN: Final = 1e-6  # the smallest difference from 1 of a probability in single precision
_ODDS: Final = 4.0  # beyond, odds say nothing more: a network is as certain of nonsense
_MOST: Final = 3  # of each doubt that are counted
_OPEN, _CLOSE = "(", ")"


class Features(NamedTuple):
    """The features that distinguish right parses from wrong ones."""

    odds: float  # logarithm of the network's odds of the logical form against all others
    covered: float  # share of the words that are in covered names, or attended
    unknown: float  # share of the words that training never saw outside names
    foreign: float = 0.0  # content words that nothing accounts for
    odd: float = 0.0  # function words that training never saw, and attended words that are ignored
    unused: float = 0.0  # numbers and times that are not used, or could not be read
    named: float = 0.0  # names in the logical form, without the next two
    weak: float = 0.0  # names that count only because the query supports them
    corrected: float = 0.0  # names with a corrected word
    implied: float = 0.0  # tokens that the query does not name
    wording: float = 0.0  # how much the text is worded like a query that can be answered
    unsaid: float = 0.0  # names in the query that the logical form does not have
    repeated: float = 0.0  # parts of the logical form that it has twice
    substituted: float = 0.0  # names that seem to stand in for words that are not accounted for


def features(
    query: Query, decoded: Decoded, coverage: WordCoverage, wording: float = 0.0
) -> Features:
    """The features of a parse; `wording` is the score of its text."""
    words = len(query.words)
    logarithm = min(decoded.log_probability, -_CERTAIN)
    foreign, odd = len(coverage.unknown), len(coverage.odd)
    named, weak, corrected = _used_names(query, decoded)
    return Features(
        odds=max(-_ODDS, min(_ODDS, logarithm - log(-expm1(logarithm)))),
        covered=(len(coverage.named) + len(coverage.attended)) / words,
        unknown=(foreign + odd) / words,
        foreign=_counted(foreign),
        odd=_counted(odd + len(coverage.ignored)),
        unused=_counted(len(coverage.unused)),
        named=_counted(named),
        weak=_counted(weak),
        corrected=_counted(corrected),
        implied=_counted(_implied(query, decoded)),
        wording=wording,
        unsaid=_counted(_unsaid(query, decoded)),
        repeated=_counted(_repeated(decoded.tokens)),
        substituted=_counted(coverage.substituted),
    )


def _counted(number: int) -> float:
    return float(min(number, _MOST))


def _used_names(query: Query, decoded: Decoded) -> tuple[int, int, int]:
    """The names in the logical form: strong ones, weak ones, and those with a corrected word."""
    used, typos = set(decoded.ids), {position for position, _ in query.typos}
    names = query.reader.names if query.reader else None
    strong = weak = corrected = 0
    for match in query.names:
        if used.isdisjoint(match.ids) or is_mention(query.words[match.start]):
            continue
        if not typos.isdisjoint(range(match.start, match.stop)):
            corrected += 1
        elif names is not None and not used.isdisjoint(names.weak(query.words, match)):
            weak += 1
        else:
            strong += 1
    return strong, weak, corrected


def _unsaid(query: Query, decoded: Decoded) -> int:
    """The names of fields and values that stand apart from all names in the logical form."""
    names = query.reader.names if query.reader else None
    if names is None or names.grounds is None:
        return 0
    used, kinds, kind_of = set(decoded.ids), names.grounds.kinds, names.vocabulary.kinds_by_id
    covered: set[int] = set()
    for start, stop, ids in query.names:
        if not used.isdisjoint(ids):
            covered.update(range(start, stop))
    rows = row_nouns(query)
    left = {
        (start, stop, tuple(token for token in ids if kind_of[token] in kinds))
        for start, stop, ids in query.names
        if used.isdisjoint(ids)
        and covered.isdisjoint(range(start, stop))
        and not rows.issuperset(query.words[start:stop])
    }
    return sum(
        bool(ids)
        and not is_mention(query.words[start])
        and names.is_name(query.words[start:stop], ids)
        for start, stop, ids in left
    )


def _repeated(tokens: Sequence[str]) -> int:
    """The innermost parts of a logical form that it has more than once."""
    seen: set[tuple[str, ...]] = set()
    found, start = 0, 0
    for at, token in enumerate(tokens):
        if token == _OPEN:
            start = at
        elif token == _CLOSE:
            part, start = tuple(tokens[start:at]), at + 1
            found += bool(part) and part in seen
            seen.add(part)
    return found


def _implied(query: Query, decoded: Decoded) -> int:
    """The tokens of the logical form that every query has, and that this one does not name."""
    names = query.reader.names if query.reader else None
    if names is None or names.grounds is None:
        return 0
    named = {token for match in query.names for token in match.ids}
    return sum(token in decoded.ids and token not in named for token in names.grounds.always)
