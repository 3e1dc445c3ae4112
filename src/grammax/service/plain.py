"""A domain that says nothing in English, such as a folder, as the service shows it.

Names are what its tables call tokens, a logical form is its own paraphrase, and nothing answers.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final, final

from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError
from grammax.folder import FolderDomain
from grammax.folder.data import read_form
from grammax.language.capabilities import Chip, Completion, Entry, Role
from grammax.language.changes import Changes
from grammax.language.domain import Domain, Tokens
from grammax.vocabulary import Vocabulary

_OPEN: Final = frozenset("([{")
_CLOSE: Final = frozenset(")]}")
_BRACKETS: Final = _OPEN | _CLOSE | {",", ";"}
_WORD: Final = re.compile(r"\S+")
_WORDS: Final = 4  # at most, of a name that has begun
_SAMPLES: Final = 5
_LAST: Final = "\U0010ffff"


class NoLogicalForm(GrammaxError):
    """Tokens that the grammar wants to go on."""


@final
class PlainDomain:
    """Any domain as `Spoken`; its values and fields do not change."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self.name = domain.name
        self.version = domain.version
        self.vocabulary: Vocabulary = domain.vocabulary
        self.grammars = domain.grammars
        self.changes = Changes()

    def automaton(self, grammar: str) -> Automaton[Any]:
        """One of its grammars."""
        return self._domain.automaton(grammar)

    def wordings(self, token: str) -> Sequence[str]:
        """What people call a token."""
        return self._domain.wordings(token)

    def text(self, tokens: Tokens) -> str:
        """A logical form as people write it."""
        return self._domain.text(tokens)

    def answers(self) -> None:
        """Nothing answers here."""

    def read(self, text: str) -> Tokens:
        """The tokens of a logical form, in the folder's notation."""
        domain = self._domain
        notation = domain.settings.notation if isinstance(domain, FolderDomain) else "spaces"
        return read_form(text, notation)

    def require_meaning(self, tokens: Tokens) -> None:
        """Nothing, for a logical form; an error says where the grammar refuses another."""
        automaton = self.automaton(self.grammars[-1])
        state = automaton.start
        for token in tokens:
            state = automaton.pass_token(state, self.vocabulary.id(token))
        if not automaton.accepts(state):
            raise NoLogicalForm(f"{self.text(tokens)[:200]!r} is only the beginning of a form.")

    def paraphrase(self, tokens: Tokens) -> str:
        """The form itself: there is no English for it."""
        return self.text(tokens)

    def label(self, token: str) -> str:
        """What a person calls a token."""
        return token if token in _BRACKETS else self.wordings(token)[0]

    def kind_named(self, text: str) -> str | None:
        """A kind, whatever its capitals."""
        wanted = text.strip().casefold()
        return next((kind for kind in self.vocabulary.kinds if kind.casefold() == wanted), None)

    def chips(self, tokens: Tokens) -> Sequence[Chip]:
        """Each token: words of the language are operators, what its kind has many of a value."""
        found: list[Chip] = []
        depth = 0
        for token in tokens:
            depth -= token in _CLOSE
            kind = self._kind(token)
            found.append(Chip(token, self.label(token), kind, self._role(token), max(0, depth)))
            depth += token in _OPEN
        return found

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Tokens by their names: those that are called so, then that begin so, then the rest."""
        wanted = text.strip().casefold()
        found = [(name != wanted, not name.startswith(wanted), name, token)
                 for name, _, token in self._names if wanted in name]  # fmt: skip
        tokens = dict.fromkeys(token for *_, token in sorted(found))
        return [self._entry(token) for token in list(tokens)[:limit]]

    def completions(self, text: str, limit: int) -> Sequence[Completion]:
        """Names that the last words begin, the longest beginnings first."""
        found: dict[str, Completion] = {}
        if not text[-1:].isspace():
            for start in [word.start() for word in _WORD.finditer(text)][-_WORDS:]:
                for name, token in self._begun(text[start:].casefold(), limit):
                    added = name[len(text) - start :]
                    kind = self._kind(token).lower()
                    found.setdefault(name, Completion(text[:start] + name, added, kind, token))
        return list(found.values())[:limit]

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """Queries to begin with, of the last split; none where its data are elsewhere."""
        try:
            pairs = self._domain.pairs(self._domain.splits[-1])
        except (GrammaxError, OSError):
            return ()
        return tuple(pair.query for pair in pairs[:_SAMPLES])

    def _begun(self, typed: str, limit: int) -> Iterator[tuple[str, str]]:
        names = self._names
        first = bisect_left(names, (typed,))
        last = bisect_left(names, (typed + _LAST,), first)
        for folded, name, token in names[first : min(last, first + limit)]:
            if folded != typed:
                yield name, token

    @cached_property
    def _names(self) -> list[tuple[str, str, str]]:
        """All names in order: in small letters, as they are, and their tokens."""
        tokens = (token for kind in self.vocabulary.kinds for token in self._tokens(kind))
        return sorted(
            (name.casefold(), name, token) for token in tokens for name in self.wordings(token)
        )

    def _tokens(self, kind: str) -> Tokens:
        return tuple(t for t in self.vocabulary.tokens_of(kind) if t not in _BRACKETS)

    def _entry(self, token: str) -> Entry:
        name, *aliases = self.wordings(token)
        return Entry(token, self._kind(token), name, tuple(aliases))

    def _kind(self, token: str) -> str:
        number = self.vocabulary.kind_of(token)
        return "" if number is None else self.vocabulary.kinds[number].strip('"')

    def _role(self, token: str) -> Role:
        if token in _BRACKETS:
            return "bracket"
        number = self.vocabulary.kind_of(token)
        spans = () if number is None else self.vocabulary.spans(number)
        return "value" if sum(stop - start for start, stop in spans) > 1 else "operator"
