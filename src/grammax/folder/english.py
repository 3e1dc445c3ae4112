"""`PlainEnglish`: the English of a domain that only has names for its tokens.

Labels and completions come from the names of the tokens; the paraphrase of a logical form is its
own text.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from grammax.automaton.walk import walk
from grammax.errors import GrammaxError
from grammax.language.capabilities import Chip, Completion, Entry, Explainable, Role
from grammax.language.domain import Tokens
from grammax.text import fold_text

_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_PUNCTUATION: Final = _OPENING | _CLOSING | {",", ";"}
_WORD: Final = re.compile(r"\S+")
_WORDS: Final = 4  # number of last words of a query that may begin a name
_SAMPLES: Final = 5
_LAST: Final = "\U0010ffff"
_SHOWN: Final = 200  # characters of a logical form in a message


class IncompleteForm(GrammaxError):
    """A logical form that ends too early."""


class PlainEnglish(Explainable):
    """The names of a domain's tokens as labels, chips and completions."""

    @abstractmethod
    def read(self, text: str) -> Tokens: ...

    def require_meaning(self, tokens: Tokens) -> None:
        """Raise if the grammar refuses the logical form, or expects more."""
        automaton = self.automaton(self.exact)
        *_, last = walk(automaton, tokens)
        if not automaton.accepts(last.state):
            shown = self.text(tokens)[:_SHOWN]
            raise IncompleteForm(f"{shown!r} is only the beginning of a logical form.")

    def paraphrase(self, tokens: Tokens) -> str:
        """The logical form itself."""
        return self.text(tokens)

    def label(self, token: str) -> str:
        """The name of a token; punctuation is unchanged."""
        return token if token in _PUNCTUATION else self.wordings(token)[0]

    def kind_named(self, text: str) -> str | None:
        """The kind with this name, in upper or lower case."""
        wanted = fold_text(text.strip())
        return next((kind for kind in self.vocabulary.kinds if fold_text(kind) == wanted), None)

    def chips(self, tokens: Tokens) -> Sequence[Chip]:
        """One chip per token: a value if its kind has several tokens, else an operator."""
        found: list[Chip] = []
        depth = 0
        for token in tokens:
            depth -= token in _CLOSING
            kind = self._kind(token)
            found.append(Chip(token, self.label(token), kind, self._role(token), max(0, depth)))
            depth += token in _OPENING
        return found

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Tokens by name: names equal to the text, then those that begin with it, then others."""
        wanted = fold_text(text.strip())
        found = [
            (name != wanted, not name.startswith(wanted), name, token)
            for name, _, token in self._names
            if wanted in name
        ]
        tokens = dict.fromkeys(token for *_, token in sorted(found))
        return [self._entry(token) for token in list(tokens)[:limit]]

    def completions(self, text: str, limit: int) -> Sequence[Completion]:
        """Names that begin with the last words of the text, the longest beginnings first."""
        found: dict[str, Completion] = {}
        if not text[-1:].isspace():
            for start in [word.start() for word in _WORD.finditer(text)][-_WORDS:]:
                for name, token in self._begun(fold_text(text[start:]), limit):
                    whole, added = text[:start] + name, name[len(text) - start :]
                    kind = self._kind(token).lower()
                    found.setdefault(whole, Completion(whole, added, kind, token))
        return list(found.values())[:limit]

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """The first queries of the last split; empty if its data are missing."""
        try:
            pairs = self.pairs(self.splits[-1])
        except (GrammaxError, OSError):
            return ()
        return tuple(pair.query for pair in pairs[:_SAMPLES])

    def _begun(self, typed: str, limit: int) -> Iterator[tuple[str, str]]:
        """Names that begin with a text, and their tokens."""
        names = self._names
        first = bisect_left(names, (typed,))
        last = bisect_left(names, (typed + _LAST,), first)
        for folded, name, token in names[first : min(last, first + limit)]:
            if folded != typed:
                yield name, token

    @cached_property
    def _names(self) -> list[tuple[str, str, str]]:
        """Sorted: each name in lower case, the name itself, and its token."""
        kinds = self.vocabulary.kinds
        tokens = (token for kind in kinds for token in self.vocabulary.tokens_of(kind))
        return sorted(
            (fold_text(name), name, token)
            for token in tokens
            if token not in _PUNCTUATION
            for name in self.wordings(token)
        )

    def _entry(self, token: str) -> Entry:
        name, *aliases = self.wordings(token)
        return Entry(token, self._kind(token), name, tuple(aliases))

    def _kind(self, token: str) -> str:
        number = self.vocabulary.kind_of(token)
        return "" if number is None else self.vocabulary.kinds[number].strip('"')

    def _role(self, token: str) -> Role:
        if token in _PUNCTUATION:
            return "bracket"
        number = self.vocabulary.kind_of(token)
        spans = () if number is None else self.vocabulary.spans(number)
        return "value" if sum(stop - start for start, stop in spans) > 1 else "operator"
