"""Completions of a partial logical form, found by token or by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest
from typing import Any, Final, NamedTuple

from grammax.automaton.protocol import Automaton
from grammax.language.capabilities import Explainable
from grammax.language.domain import Tokens
from grammax.vocabulary import Permitted

_WORD: Final = re.compile(r"([^\s()]+)\(|[()]|[^\s()]+")
_FEW: Final = 3_000  # tokens; the labels of larger kinds are not searched
_FOUND: Final = 200  # results of the domain's search that are considered


class Prefix(NamedTuple):
    """The state after the complete tokens of a text, and the incomplete rest."""

    state: Any
    rest: str


class Continuation(NamedTuple):
    """A token that may come next."""

    token: str
    label: str


def read_prefix(text: str, domain: Explainable) -> Prefix:
    """Read a text as far as the grammar permits its tokens, without its last word.

    A wrapper that is only notation, such as `enumValue(...)`, is skipped with its parentheses.
    """
    automaton = domain.automaton(domain.exact)
    state, wrapped, end = automaton.start, False, 0
    for found in _WORD.finditer(text):
        word, here = found[1] or found[0], found.start()
        if found[1] and found[1] not in domain.vocabulary:
            wrapped, end = True, found.end()
            continue
        if wrapped and word == ")":
            wrapped, end = False, found.end()
            continue
        if found.end() == len(text) and not found[1] and word not in ("(", ")"):
            end = here
            break
        pieces = _pieces(word, domain)
        after = _passed(state, (*pieces, "(") if found[1] else pieces, automaton)
        if after is None:
            end = here
            break
        state, end = after, found.end()
    return Prefix(state, text[end:].lstrip())


def continuations(text: str, domain: Explainable, limit: int) -> list[Continuation]:
    """The tokens that may follow a text or complete its last words, best first."""
    automaton = domain.automaton(domain.exact)
    state, rest = read_prefix(text, domain)
    permitted = automaton.next_tokens(state)
    tokens = _searched(rest, permitted, domain) if rest else _spread(permitted, domain)
    return [Continuation(t, domain.label(t)) for t in islice(dict.fromkeys(tokens), limit)]


def _passed(state: Any, tokens: Tokens, automaton: Automaton[Any]) -> Any | None:
    """The state after tokens; None if one of them is not permitted."""
    for token in tokens:
        if token not in automaton.next_tokens(state):
            return None
        state = automaton.pass_token(state, automaton.vocabulary.id(token))
    return state


def _pieces(word: str, domain: Explainable) -> Tokens:
    """The tokens of a word: a number that is spelled out has one per character."""
    if word in domain.vocabulary or any(sign not in domain.vocabulary for sign in word):
        return (word,)
    return tuple(word)


def _searched(rest: str, permitted: Permitted, domain: Explainable) -> Iterator[str]:
    wanted = rest.lower()
    yield from (token for token in permitted.tokens if token.lower() == wanted)
    kinds = [domain.vocabulary.tokens_of(kind) for kind in permitted.kinds]
    few = [t for tokens in kinds if len(tokens) <= _FEW for t in tokens]
    yield from (token for token in few if domain.label(token).lower().startswith(wanted))
    yield from (e.token for e in domain.search(rest, _FOUND) if e.token in permitted)
    yield from (token for token in permitted.tokens if token.lower().startswith(wanted))
    yield from (token for token in few if wanted in domain.label(token).lower())


def _spread(permitted: Permitted, domain: Explainable) -> Iterable[str]:
    """The first token of each kind, then the second of each, and so on."""
    kinds = [domain.vocabulary.tokens_of(kind) for kind in permitted.kinds]
    return (token for token in chain.from_iterable(zip_longest(*kinds)) if token is not None)
