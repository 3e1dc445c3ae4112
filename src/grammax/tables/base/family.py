"""Many tables as one training set: the pairs of all, over one vocabulary.

Each pair is read with the names, the grammar and the mentions of its own table. A network has one
matrix of rows, so the tokens that examples use get rows in a vocabulary of all tables, of the class
of their kind. Rows are those of the table's own names, as the runtime composes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

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
from grammax.tables.domain import TableDomain
from grammax.tables.shared_kinds import language_kinds
from grammax.training.examples import Example, trainable
from grammax.vocabulary import KindClasses, Permitted, Vocabulary

_SEPARATOR: Final = "\x1f"  # between the number of a table and a token of it


@final
@dataclass(frozen=True, eq=False)
class TableExamples:
    """The examples of one table, in its own ids."""

    reader: QueryReader
    vocabulary: Vocabulary
    examples: tuple[Example, ...]
    refused: int  # pairs that ask for what their query does not say

    @classmethod
    def of(cls, domain: TableDomain, pairs: Iterable[Pair], model: ModelConfig) -> TableExamples:
        """The pairs of a table under its grammar."""
        reader = new_reader(model, domain, WordVocabulary(()))
        automaton = domain.automaton(decoding_grammar(model, domain))
        found, errors = trainable(pairs, reader, automaton, model.decisions_only)
        return cls(reader, domain.vocabulary, tuple(e for _, e in found), len(errors))

    @cached_property
    def used(self) -> frozenset[int]:
        """The ids that examples read, choose among, or name."""
        found: set[int] = set()
        for example in self.examples:
            found.update(*example.runs, example.targets)
            for options in example.options:
                if options is not None:
                    found.update(options.permitted)
            for name in example.query.names:
                found.update(name.ids)
        found.discard(len(self.vocabulary))  # the end
        return frozenset(found)


@final
class TableFamily:
    """The examples of many tables over one vocabulary."""

    def __init__(
        self, tables: Sequence[TableExamples], model: ModelConfig, words: WordVocabulary
    ) -> None:
        self._tables, self._words = tables, words
        shared = tables[0].vocabulary
        self._classes = shared.classes
        self._shared = _shared_tokens(shared)
        self._places = [
            (t, e) for t, table in enumerate(tables) for e in range(len(table.examples))
        ]
        self.vocabulary = self._union()
        self._ids = [self._ids_of(number) for number in range(len(tables))]
        spelling = Spelling(model.spelling)
        no_names = NameMatcher(self.vocabulary, lambda _: (), spelling, NameIndex.from_names([]))
        self.reader = QueryReader(words, no_names, model.longest_query, model.matches)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def seen(self) -> list[int]:
        """The ids of the tokens that all tables have, which get vectors of their own."""
        return self.vocabulary.ids(self._shared)

    def spelt(self) -> NDArray[np.float32]:
        """The embedding of each token's names in its own table, (V, s)."""
        size = self.reader.names.spelling.dimensions if self.reader.names else 0
        rows = np.zeros((len(self.vocabulary), size), np.float32)
        for table, ids in zip(self._tables, self._ids, strict=True):
            assert table.reader.names is not None
            known = np.flatnonzero(ids[:-1] >= 0)
            rows[ids[known]] = table.reader.names.rows()[known]
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
        runs = tuple(tuple(ids[list(run)].tolist()) for run in example.runs)
        options = tuple(options and self._options(options, ids) for options in example.options)
        query = self._query(example.query, ids)
        return Example(query, runs, tuple(ids[list(example.targets)].tolist()), options)

    def _query(self, query: Query, ids: NDArray[np.int64]) -> Query:
        names = tuple(Match(n.start, n.stop, tuple(ids[list(n.ids)].tolist())) for n in query.names)
        made = replace(query, ids=self._words.ids(query.words), names=names, reader=None)
        reader = query.reader
        assert reader is not None
        assert reader.names is not None
        vars(made)["features"] = reader.names.describe(query.words, query.names)
        return made

    def _options(self, options: Options, ids: NDArray[np.int64]) -> Options:
        rows = tuple(np.sort(ids[options.permitted.ids]).tolist())
        return Options(Permitted(self.vocabulary, frozenset(), rows), options.may_end)

    def _union(self) -> Vocabulary:
        """The tokens that all tables share, then those of each table that examples use."""
        shared = self._tables[0].vocabulary
        kinds: dict[str, list[str]] = {}
        of: dict[str, str] = {}
        common = set(self._shared)
        for kind in shared.kinds:
            tokens = [token for token in shared.tokens_of(kind) if token in common]
            if tokens:
                kinds[kind] = tokens
        for number, table in enumerate(self._tables):
            vocabulary = table.vocabulary
            for row in sorted(table.used):
                token = vocabulary.tokens[row]
                if token not in common:
                    own = vocabulary.kinds_by_id[row]
                    name = f"{number}{_SEPARATOR}{vocabulary.kinds[own]}"
                    of[name] = self._classes[vocabulary.class_of[own]]
                    kinds.setdefault(name, []).append(f"{number}{_SEPARATOR}{token}")
        return Vocabulary(kinds, classes=KindClasses(self._classes, of))

    def _ids_of(self, number: int) -> NDArray[np.int64]:
        """For each id of a table, and its end, the id in the common vocabulary; -1 if unused."""
        table, common = self._tables[number], set(self._shared)
        ids = np.full(len(table.vocabulary) + 1, -1)
        ids[-1] = len(self.vocabulary)
        for row, token in enumerate(table.vocabulary.tokens):
            if token in common:
                ids[row] = self.vocabulary.id(token)
            elif row in table.used:
                ids[row] = self.vocabulary.id(f"{number}{_SEPARATOR}{token}")
        return ids


def common_words(tables: Iterable[TableExamples], least: int = 3) -> WordVocabulary:
    """The words that occur in the queries of several tables."""
    counts: Counter[str] = Counter()
    for table in tables:
        counts.update({word for e in table.examples for word in e.query.words})
    return WordVocabulary(tuple(sorted(word for word, count in counts.items() if count >= least)))


def _shared_tokens(vocabulary: Vocabulary) -> list[str]:
    """The tokens of the language itself."""
    return [token for kind in language_kinds() for token in vocabulary.tokens_of(kind)]
