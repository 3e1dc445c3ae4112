"""Texts that queries fill, replaced by those of other pairs; listed names, by invented ones.

A network that always saw the same few texts would learn them by heart, not where a text begins and
ends; so texts are also mixed with others and with invented words. Where a kind has a list beside
what the query fills, pairs hardly show what to do with a name that is not listed: a listed name is
replaced by an invented one, which the query fills.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

import numpy as np

from grammax.errors import GrammaxError
from grammax.language.capabilities import Fillable
from grammax.language.domain import Tokens
from grammax.language.filling import FilledText
from grammax.reading.name_index import Match
from grammax.reading.names import NameMatcher
from grammax.reading.reader import Query, QueryReader
from grammax.reading.words import joined
from grammax.training.augment.swaps import replaced
from grammax.training.augment.unlisted import InventedNames

_P_INVENTED: Final = 0.5  # probability that a listed name is replaced, where one can be
_P_UNHEARD: Final = 0.4  # and that a text is mixed with others, and each word is an invented one
_MOST: Final = 3  # words that are added to a text


@final
class TextSwaps:
    """Draws pairs with other texts; `pairs` are the training queries and their tokens."""

    def __init__(
        self,
        filling: Fillable,
        reader: QueryReader,
        names: NameMatcher,
        pairs: Sequence[tuple[Query, Tokens]],
    ) -> None:
        self._filling = filling
        self._reader = reader
        self._names = names
        self._invented = InventedNames(names)
        self._said: dict[str, list[str]] = {}  # by kind
        for query, tokens in pairs:
            for text in self._texts(query, tokens):
                self._said.setdefault(text.kind, []).append(_given(query)[text.start : text.stop])

    def draw(
        self, query: Query, tokens: Tokens, random: np.random.Generator
    ) -> tuple[Query, Tokens] | None:
        """A pair with another text, read again; None if it has no text."""
        if self._filling.lists_beside and random.random() < _P_INVENTED:
            made = self._with_invented(query, tokens, random)
            if made is not None:
                return made
        texts = [text for text in self._texts(query, tokens) if text.kind in self._said]
        if not texts:
            return None
        text = texts[int(random.integers(len(texts)))]
        other, given = self._other(text.kind, random), _given(query)
        changed = given[: text.start] + other + given[text.stop :]
        token = self._filling.filled_token(text.kind, other)
        return self._reader.read(changed), _with(tokens, text.token, token)

    def _other(self, kind: str, random: np.random.Generator) -> str:
        """A text of another pair, or invented words among those of several texts."""
        said = self._said[kind]
        other = said[int(random.integers(len(said)))]
        if random.random() >= _P_UNHEARD:
            return other
        words = other.split()
        for _ in range(int(random.integers(_MOST))):
            more = said[int(random.integers(len(said)))].split()
            words.insert(
                int(random.integers(len(words) + 1)), more[int(random.integers(len(more)))]
            )
        invented = random.random(len(words)) < _P_UNHEARD
        return " ".join(
            joined(self._invented.draw((word,), random)) or word if new else word
            for word, new in zip(words, invented, strict=True)
        )

    def _texts(self, query: Query, tokens: Tokens) -> Sequence[FilledText]:
        try:
            slotted = query.filled(tokens)
        except GrammaxError:
            return ()
        return self._filling.filled_texts(slotted, query.mentions)

    def _with_invented(
        self, query: Query, tokens: Tokens, random: np.random.Generator
    ) -> tuple[Query, Tokens] | None:
        """A pair in which a name that is listed became one that is not."""
        beside, vocabulary = self._filling.lists_beside, self._names.vocabulary
        kind_of = vocabulary.kinds_by_id
        there: list[tuple[Match, str, str]] = []
        for match in query.names:
            for token in match.ids:
                text, kind = vocabulary.tokens[token], vocabulary.kinds[kind_of[token]]
                words = query.words[match.start : match.stop]
                if text in tokens and kind in beside and self._names.is_name(words, match.ids):
                    there.append((match, text, beside[kind]))
        if not there:
            return None
        match, listed, kind = there[int(random.integers(len(there)))]
        words = self._invented.draw(query.words[match.start : match.stop], random)
        if not words:
            return None
        changed = joined(replaced(query.typed, {Match(*match): words}))
        invented = self._filling.filled_token(kind, joined(words))
        return self._reader.read(changed), _with(tokens, listed, invented)


def _given(query: Query) -> str:
    """The text that the characters of mentions are counted in."""
    return query.text.lstrip()


def _with(tokens: Tokens, old: str, new: str) -> Tokens:
    return tuple(new if token == old else token for token in tokens)
