"""Many tables as one training set: the pairs of all, over one vocabulary.

Each pair is read with the names, the grammar and the mentions of its own table; what is left of it
are numbers of tokens and their rows, which processes can exchange. A network has one matrix of
rows, so the tokens that examples use get rows in a vocabulary of all tables, of the class of their
kind. Rows are those of the table's own names, as the runtime composes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from grammax.head.protocol import Options
from grammax.language.domain import Pair
from grammax.model.config import ModelConfig
from grammax.model.header import decoding_grammar, new_reader
from grammax.reading.name_index import Match, NameIndex
from grammax.reading.names import NameMatcher
from grammax.reading.reader import Query, QueryReader
from grammax.reading.spelling import Spelling
from grammax.reading.words import WordVocabulary
from grammax.search.protocol import Run
from grammax.tables.domain import TableDomain
from grammax.tables.shared_kinds import language_kinds, shared_classes
from grammax.training.examples import Example, trainable
from grammax.vocabulary import KindClasses, Permitted, Vocabulary

MOST_WORDS: Final = 11_000
"""Words that a model knows: their vectors are half of its file."""
_SEPARATOR: Final = "\x1f"  # between the number of a table and a token of it


class TableExample(NamedTuple):
    """An `Example` in the places of the tokens that its table uses; that of the end is -1."""

    words: tuple[str, ...]
    names: tuple[Match, ...]
    runs: tuple[Run, ...]
    targets: tuple[int, ...]
    options: tuple[tuple[tuple[int, ...], bool] | None, ...]  # places, and whether it may end
    said: frozenset[int]  # the tokens of the logical form, forced ones included


@final
@dataclass(frozen=True, eq=False)
class TableExamples:
    """The examples of one table, and the tokens that they read, choose among or name."""

    tokens: tuple[str, ...]
    kinds: tuple[int, ...]  # of each token, as the table numbers them
    classes: tuple[int, ...]  # of each token's kind
    rows: NDArray[np.float32]  # (tokens, s): the embeddings of their names
    examples: tuple[TableExample, ...]
    refused: int  # pairs that ask for what their query does not say

    @classmethod
    def of(cls, domain: TableDomain, pairs: Iterable[Pair], model: ModelConfig) -> TableExamples:
        """The pairs of a table under its grammar."""
        reader = new_reader(model, domain, WordVocabulary(()))
        automaton = domain.automaton(decoding_grammar(model, domain))
        found, errors = trainable(pairs, reader, automaton, model.decisions_only)
        given, vocabulary = [example for _, example in found], domain.vocabulary
        used = sorted(_used(given, len(vocabulary)))
        place = {row: place for place, row in enumerate(used)}
        place[len(vocabulary)] = -1
        assert reader.names is not None
        return cls(
            tuple(vocabulary.tokens[row] for row in used),
            tuple(vocabulary.kinds_by_id[row] for row in used),
            tuple(vocabulary.class_of[vocabulary.kinds_by_id[row]] for row in used),
            reader.names.rows()[used],
            tuple(
                _placed(example, place, vocabulary.ids(example.query.filled(pair.tokens)))
                for pair, example in found
            ),
            len(errors),
        )


@final
class TableFamily:
    """The examples of many tables over one vocabulary."""

    def __init__(
        self, tables: Sequence[TableExamples], model: ModelConfig, words: WordVocabulary
    ) -> None:
        self._tables, self._words = tables, words
        self._language = language_tokens()
        self._places = [
            (t, e) for t, table in enumerate(tables) for e in range(len(table.examples))
        ]
        self.vocabulary = self._union()
        self._ids = [self._ids_of(number) for number in range(len(tables))]
        self._names = NameMatcher(
            *(self.vocabulary, lambda _: (), Spelling(model.spelling), NameIndex.from_names([])),
            own_text=lambda token: token.rpartition(_SEPARATOR)[2],
        )
        self.reader = QueryReader(words, self._names, model.longest_query, model.matches)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def seen(self) -> list[int]:
        """The ids of the tokens that all tables have, which get vectors of their own."""
        return self.vocabulary.ids(self._language)

    def spelt(self) -> NDArray[np.float32]:
        """The embedding of each token's names in its own table, (V, s)."""
        rows = np.zeros((len(self.vocabulary), self._names.spelling.dimensions), np.float32)
        for table, ids in zip(self._tables, self._ids, strict=True):
            rows[ids[:-1]] = table.rows
        return rows

    def draw(
        self, numbers: Sequence[int], everything: bool, random: np.random.Generator
    ) -> Sequence[Example]:
        """Some examples by number, in the ids of the common vocabulary."""
        del everything, random
        return [self._example(number) for number in numbers]

    def _example(self, number: int) -> Example:
        table, place = self._places[number]
        example, ids = self._tables[table].examples[place], self._ids[table]
        names = tuple(Match(n.start, n.stop, _taken(ids, n.ids)) for n in example.names)
        query = Query("", example.words, self._words.ids(example.words), names, reader=self.reader)
        return Example(
            query,
            tuple(_taken(ids, run) for run in example.runs),
            _taken(ids, example.targets),
            tuple(options and self._options(*options, ids) for options in example.options),
        )

    def _options(self, places: tuple[int, ...], may_end: bool, ids: NDArray[np.int64]) -> Options:
        rows = tuple(sorted(_taken(ids, places)))
        return Options(Permitted(self.vocabulary, frozenset(), rows), may_end)

    def _union(self) -> Vocabulary:
        """The tokens of the language, then those of each table."""
        names = shared_classes({}).names
        language, kinds = set(self._language), dict(language_kinds())
        of: dict[str, str] = {}
        for number, table in enumerate(self._tables):
            for token, own, class_ in zip(table.tokens, table.kinds, table.classes, strict=True):
                if token not in language:
                    kind = f"{number}{_SEPARATOR}{own}"
                    of[kind] = names[class_]
                    kinds[kind] = (*kinds.get(kind, ()), f"{number}{_SEPARATOR}{token}")
        return Vocabulary(kinds, classes=KindClasses(names, of))

    def _ids_of(self, number: int) -> NDArray[np.int64]:
        """The ids of a table's tokens in the common vocabulary, and that of the end."""
        language = set(self._language)
        tokens = (
            token if token in language else f"{number}{_SEPARATOR}{token}"
            for token in self._tables[number].tokens
        )
        return np.array([*self.vocabulary.ids(tokens), len(self.vocabulary)])


def common_words(
    tables: Sequence[TableExamples], least: int = 3, most: int = MOST_WORDS
) -> WordVocabulary:
    """The most common words of those in the queries of several tables; of few tables, of all."""
    counts: Counter[str] = Counter()
    for table in tables:
        counts.update({word for example in table.examples for word in example.words})
    enough = min(least, len(tables))
    known = sorted((-count, word) for word, count in counts.items() if count >= enough)
    return WordVocabulary(tuple(sorted(word for _, word in known[:most])))


def plain_words(tables: Iterable[TableExamples], least: int = 2) -> frozenset[str]:
    """The words that occur in questions about several tables, and there name nothing."""
    counts: Counter[str] = Counter()
    for table in tables:
        found: set[str] = set()
        for example in table.examples:
            inside = {
                at
                for name in example.names
                if not example.said.isdisjoint(name.ids)
                for at in range(name.start, name.stop)
            }
            found.update(word for at, word in enumerate(example.words) if at not in inside)
        counts.update(found)
    return frozenset(word for word, count in counts.items() if count >= least)


def language_tokens() -> list[str]:
    """The tokens of the language itself, which all tables have."""
    return [token for tokens in language_kinds().values() for token in tokens]


def _used(examples: Iterable[Example], end: int) -> set[int]:
    """The ids that examples read, choose among, or name."""
    found: set[int] = set()
    for example in examples:
        found.update(*example.runs, example.targets)
        for options in example.options:
            if options is not None:
                found.update(options.permitted)
        for name in example.query.names:
            found.update(name.ids)
    return found - {end}


def _placed(example: Example, place: dict[int, int], tokens: Sequence[int]) -> TableExample:
    query = example.query
    return TableExample(
        query.words,
        tuple(Match(n.start, n.stop, tuple(place[i] for i in n.ids)) for n in query.names),
        tuple(tuple(place[i] for i in run) for run in example.runs),
        tuple(place[i] for i in example.targets),
        tuple(
            options and (tuple(place[i] for i in options.permitted), options.may_end)
            for options in example.options
        ),
        frozenset(place[i] for i in tokens if i in place),
    )


def _taken(ids: NDArray[np.int64], places: Sequence[int]) -> tuple[int, ...]:
    return tuple(ids[list(places)].tolist()) if places else ()
