"""`QueryReader`: the text of a query → the words, names and features that the encoder reads."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

import numpy as np

from grammax.automaton.grounded import AvailableTokens
from grammax.errors import GrammaxError
from grammax.language.capabilities import Fillable
from grammax.language.domain import Tokens
from grammax.language.filling import Mention
from grammax.reading.mentioned import split_at_mentions, texts_among, with_mentions
from grammax.reading.name_index import Match, TokenNames
from grammax.reading.names import NameMatcher
from grammax.reading.spelling import Matrix
from grammax.reading.typos import TypoCorrector
from grammax.reading.words import UNKNOWN, WordVocabulary, joined, split

_CHARACTERS: Final = 64  # characters per word; the rest of a longer text is ignored
_QUOTES: Final = "\"'“”‘’«»"


class EmptyQuery(GrammaxError):
    """A query without a word."""

    def __init__(self, query: str) -> None:
        given = f"{query.strip()[:20]!r}" if query.strip() else "empty"
        super().__init__(
            f"the query is {given}: there is no word, digit or sign in it. Write what you look for."
        )


@final
@dataclass(frozen=True, eq=False)
class Query:
    """A query: its words, their ids, and the names and mentions of tokens among them.

    A number or time is one word, which stands for its class: "<number>". `typed` has what was
    typed.
    """

    text: str
    words: tuple[str, ...]
    ids: tuple[int, ...]
    names: tuple[Match, ...]  # in order, those of slots included
    cut: bool = False  # whether the text had more words than are read
    typos: tuple[tuple[int, str], ...] = ()  # corrected words: the index, and what was typed
    typed: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    reader: QueryReader | None = None

    @cached_property
    def features(self) -> Matrix:
        """The fixed features of each word, (words, f), see `NameMatcher.describe`."""
        matcher = self._matcher
        if matcher is None:
            return np.zeros((len(self.words), 0), np.float32)
        return matcher.describe(self.words, self.names)

    @cached_property
    def available(self) -> AvailableTokens | None:
        """The tokens that the query makes available, of kinds that must be; None if none must."""
        matcher = self._matcher
        return None if matcher is None else matcher.available(self.words, self.names)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that are in no training query."""
        return tuple(w for w, i in zip(self.words, self.ids, strict=True) if i == UNKNOWN)

    @property
    def fills(self) -> bool:
        """Whether the query fills numbers and times."""
        return self.reader is not None and self.reader.filling is not None

    def filled(self, tokens: Tokens) -> Tokens:
        """A written logical form as the decoder predicts it: with slots, if queries fill them."""
        filling = self.reader.filling if self.reader else None
        return tokens if filling is None else filling.filled(tokens, self.mentions)

    def written_pieces(self, tokens: Tokens) -> Sequence[Tokens]:
        """For each predicted token the tokens that are written for it."""
        filling = self.reader.filling if self.reader else None
        if filling is None:
            return [(token,) for token in tokens]
        return filling.written_pieces(tokens, self.mentions)

    def used(self, ids: Iterable[int]) -> set[int]:
        """The tokens that a predicted form has, with all slots that it fills by their ends."""
        filling = self.reader.filling if self.reader else None
        if filling is None:
            return set(ids)
        vocabulary = filling.vocabulary
        slots = filling.spanned(tuple([vocabulary.tokens[token] for token in ids]))
        return {*ids, *vocabulary.ids(slots)}

    @property
    def _matcher(self) -> NameMatcher | None:
        return self.reader.names if self.reader else None


@final
class QueryReader:
    """Reads queries for a model: its words and, with composed rows, names of tokens.

    With `filling` numbers and times are read whole, see `grammax.language.filling`.
    """

    def __init__(
        self,
        words: WordVocabulary,
        names: NameMatcher | None,
        longest: int,
        matches: bool = True,
        filling: Fillable | None = None,
    ) -> None:
        self.words = words
        self.names = names
        self.longest = longest
        self.filling = filling
        self._matches = matches  # whether names are looked up in queries

    def over(
        self, names: NameMatcher | None, filling: Fillable | None, new: TokenNames
    ) -> QueryReader:
        """The reader for a changed vocabulary; `new` are tokens with names that they did not have.

        What has been built to correct typos is shared, but no new name is taken for one.
        """
        made = copy(self)
        made.names, made.filling = names, filling
        typos = vars(made).pop("_typos", None)
        if typos is not None and names is not None:
            made._typos = typos.over(names.index, names.vocabulary.kinds_by_id, new)
        return made

    @property
    def features(self) -> int:
        """The number of features of a word."""
        return self.names.features if self.names else 0

    def read(self, text: str) -> Query:
        """Read a query, up to `longest` words; `EmptyQuery` if there are none."""
        given, limit = text.lstrip(), self.longest * _CHARACTERS
        if self.filling is not None:
            return self._read_filling(text, given[:limit], bool(given[limit:].strip()))
        words = split(given[:limit])
        if not words:
            raise EmptyQuery(text)
        cut = len(words) > self.longest or bool(given[limit:].strip())
        read, typos = self._corrected(words[: self.longest])
        return replace(self.from_words(read), text=text, cut=cut, typos=typos)

    def from_words(self, words: Sequence[str]) -> Query:
        """The query that has these words, one or more."""
        if self.filling is not None:
            return self.read(joined(words))
        found = self.names.find(words) if self.names and self._matches else []
        typed = tuple(words)
        return Query("", typed, self.words.ids(typed), tuple(found), typed=typed, reader=self)

    def _read_filling(self, text: str, given: str, cut: bool) -> Query:
        assert self.filling is not None
        assert self.names is not None, "queries fill slots of models with composed rows"
        mentions = self.filling.mentions(given)
        pieces, spans = split_at_mentions(given, mentions, self.longest)
        if not pieces:
            raise EmptyQuery(text)
        cut = cut or len(pieces) > self.longest
        mentioned: set[int] = set()
        literal: set[int] = set()  # words in quotes, too
        for number, span in spans.items():
            if mentions[number].one_word:
                mentioned.update(range(*span))
            elif _is_quoted(given, mentions[number]):
                literal.update(range(*span))
        words, typos = self._corrected(pieces[: self.longest], mentioned | literal)
        names = self.names.find(words, given, mentioned)
        read = with_mentions(words, spans, mentions, names, self.names, given)
        texts = texts_among(spans, mentions, read.positions, self.names)
        return Query(
            text,
            read.words,
            self.words.ids(read.words),
            tuple(sorted((*read.names, *texts))) if texts else read.names,
            cut,
            tuple([(read.positions[at], word) for at, word in typos]),
            read.typed,
            tuple(mentions),
            self,
        )

    def _corrected(
        self, words: list[str], mentioned: Container[int] = ()
    ) -> tuple[list[str], tuple[tuple[int, str], ...]]:
        """The words with typos corrected, except those of mentions."""
        if self._typos is None:
            return words, ()
        return self._typos.corrected(words, mentioned)

    @cached_property
    def _typos(self) -> TypoCorrector | None:
        if self.names is None or not self._matches:
            return None
        classes = self.names.grounds and self.names.grounds.classes
        kind_of = self.names.vocabulary.kinds_by_id
        return TypoCorrector(self.words, self.names.index, kind_of, classes)


def _is_quoted(text: str, mention: Mention) -> bool:
    """Whether quotation marks stand around a mention."""
    around = text[max(0, mention.start - 1) : mention.start] + text[mention.stop : mention.stop + 1]
    return len(around) == 2 and all(sign in _QUOTES for sign in around)
