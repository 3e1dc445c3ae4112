"""The beginning of a logical form, or a whole one → the tokens that may stand at a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, final

from grammax.domain import SpokenDomain, Tokens
from grammax.errors import GrammaxError
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

    Tokens of one kind are always interchangeable, so one of each kind is tried.
    """
    automaton = serving.automaton
    before = automaton.read(tokens[:place])
    rest = tokens[place + 1 :]
    kinds = automaton.next_tokens(before).kind_numbers
    if place < len(tokens):
        kinds = frozenset(kind for kind in kinds if _fits(serving, before, kind, rest))
    vocabulary = automaton.vocabulary
    permitted = vocabulary.permitted(kinds)
    found = (
        _named(serving.domain, vocabulary, kinds, search)
        if search.strip()
        else _all(vocabulary, kinds, tokens[place] if place < len(tokens) else None)
    )
    listed = tuple(islice(dict.fromkeys(found), limit))
    return Continuations(place, permitted.size, automaton.accepts(before), listed)


def _fits(serving: Serving, before: object, kind: int, rest: Tokens) -> bool:
    automaton = serving.automaton
    try:
        state = automaton.pass_token(before, automaton.vocabulary.tokens_of(kind)[0])
        for token in rest:
            state = automaton.pass_token(state, token)
    except GrammaxError:
        return False
    return automaton.accepts(state)


def _all(vocabulary: Vocabulary, kinds: Iterable[int], now: str | None) -> Iterator[str]:
    """All tokens, those of the kind that stands there now first."""
    here = None if now is None else vocabulary.kind_of(now)
    for kind in sorted(kinds, key=lambda kind: (kind != here, vocabulary.spans(kind))):
        yield from vocabulary.tokens_of(kind)


def _named(
    domain: SpokenDomain, vocabulary: Vocabulary, kinds: frozenset[int], search: str
) -> Iterator[str]:
    """Tokens that a text may mean: the likeliest first, then those that have it in their label."""
    wanted = search.strip().lower()
    for entry in domain.search(search, _SEARCHED):
        if vocabulary.kind_of(entry.token) in kinds:
            yield entry.token
    for kind in kinds:
        tokens = vocabulary.tokens_of(kind)
        if len(tokens) <= _SCANNED:
            yield from (token for token in tokens if wanted in domain.label(token).lower())
