"""The beginning of a logical form, or a whole one → the tokens that may stand at a place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, final

from grammax.language.domain import Tokens
from grammax.service.places import fits, kinds_of
from grammax.service.serving import Serving
from grammax.vocabulary import Vocabulary

_SEARCHED: Final = 500  # things that a text may mean, of which those that fit are taken
_SCANNED: Final = 3_000  # tokens of a kind: in smaller ones names are found by any part of them


@final
@dataclass(frozen=True, slots=True)
class Continuations:
    """What may stand at a place: how many tokens, and some of them."""

    place: int
    permitted: int
    may_end: bool
    tokens: Tokens


def continuations(
    serving: Serving, tokens: Tokens, place: int, search: str, limit: int
) -> Continuations:
    """What may stand at a place so that all that follows may still follow.

    Without a search what stands there now comes first, and then others of its kind.
    """
    automaton = serving.automaton
    before = automaton.read(tokens[:place])
    kinds = automaton.next_tokens(before).kind_numbers
    if place < len(tokens):
        rest = kinds_of(automaton, tokens[place + 1 :])
        kinds = frozenset(kind for kind in kinds if fits(automaton, before, kind, rest))
    vocabulary = automaton.vocabulary
    permitted = vocabulary.permitted(kinds)
    found = (
        _named(serving, vocabulary, kinds, search)
        if search.strip()
        else _all(vocabulary, kinds, tokens[place] if place < len(tokens) else None)
    )
    listed = tuple(islice(_once(found), limit))
    return Continuations(place, permitted.size, automaton.accepts(before), listed)


def _once(tokens: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for token in tokens:
        if token not in seen:
            seen.add(token)
            yield token


def _all(vocabulary: Vocabulary, kinds: frozenset[int], now: str | None) -> Iterator[str]:
    """All tokens: what stands there now first, then those of its kind."""
    here = None if now is None else vocabulary.kind_of(now)
    if now is not None and here in kinds:
        yield now
    for kind in sorted(kinds, key=lambda kind: (kind != here, vocabulary.spans(kind))):
        yield from vocabulary.tokens_of(kind)


def _named(
    serving: Serving, vocabulary: Vocabulary, kinds: frozenset[int], search: str
) -> Iterator[str]:
    """Tokens that a text may mean: the likeliest first, then those that have it in their label."""
    wanted, label = search.strip().lower(), serving.domain.label
    for entry in serving.search(search, _SEARCHED):
        if vocabulary.kind_of(entry.token) in kinds:
            yield entry.token
    for kind in kinds:
        tokens = vocabulary.tokens_of(kind)
        if len(tokens) <= _SCANNED:
            yield from (token for token in tokens if wanted in label(token).lower())
