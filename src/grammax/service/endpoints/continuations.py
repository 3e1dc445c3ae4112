"""The tokens that are permitted at a position of a partial or complete logical form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, final

from grammax.language.domain import Tokens
from grammax.service.snapshot.slots import fits, kinds_of
from grammax.service.snapshot.snapshot import Snapshot
from grammax.vocabulary import Vocabulary

_SEARCHED: Final = 500  # search results of a text, which are filtered by the grammar
_SCANNED: Final = 3_000  # tokens: kinds up to this size are searched by any part of a label


@final
@dataclass(frozen=True, slots=True)
class Continuations:
    """The tokens permitted at a position: their number, and some of them."""

    permitted: int
    may_end: bool
    tokens: Tokens


def continuations(
    snapshot: Snapshot, tokens: Tokens, position: int, search: str, limit: int
) -> Continuations:
    """The tokens permitted at a position, such that the tokens after it are still permitted.

    Without a search the current token comes first, then others of its kind.
    """
    automaton = snapshot.automaton
    before = automaton.read(tokens[:position])
    kinds = automaton.next_tokens(before).kind_numbers
    if position < len(tokens):
        rest = kinds_of(automaton, tokens[position + 1 :])
        kinds = frozenset(kind for kind in kinds if fits(automaton, before, kind, rest))
    vocabulary = automaton.vocabulary
    permitted = vocabulary.permitted(kinds)
    found = (
        _named(snapshot, vocabulary, kinds, search)
        if search.strip()
        else _all(vocabulary, kinds, tokens[position] if position < len(tokens) else None)
    )
    quoted = vocabulary.quoted  # its rows stand for texts of queries, and are not for people
    hidden = frozenset() if quoted is None else frozenset(vocabulary.tokens_of(quoted))
    listed = tuple(islice(_distinct(t for t in found if t not in hidden), limit))
    return Continuations(permitted.size, automaton.accepts(before), listed)


def _distinct(tokens: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for token in tokens:
        if token not in seen:
            seen.add(token)
            yield token


def _all(vocabulary: Vocabulary, kinds: frozenset[int], current: str | None) -> Iterator[str]:
    """All tokens: the current one first, then those of its kind."""
    here = None if current is None else vocabulary.kind_of(current)
    if current is not None and here in kinds:
        yield current
    for kind in sorted(kinds, key=lambda kind: (kind != here, vocabulary.spans(kind))):
        yield from vocabulary.tokens_of(kind)


def _named(
    snapshot: Snapshot, vocabulary: Vocabulary, kinds: frozenset[int], search: str
) -> Iterator[str]:
    """Tokens that match a text: the likeliest first, then those whose label contains it."""
    wanted, label = search.strip().lower(), snapshot.domain.label
    for entry in snapshot.search(search, _SEARCHED):
        if vocabulary.kind_of(entry.token) in kinds:
            yield entry.token
    for kind in kinds:
        tokens = vocabulary.tokens_of(kind)
        if len(tokens) <= _SCANNED:
            yield from (token for token in tokens if wanted in label(token).lower())
