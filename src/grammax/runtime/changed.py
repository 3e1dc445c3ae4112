"""The weights of a model for a vocabulary that has changed since its training.

A new row consists of the learnt part of its kind and the hash embedding of its token's name, like
the row of any token that training never saw. All other rows, and the network, stay the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress, count
from operator import ne
from typing import final

import numpy as np

from grammax.language.capabilities import Fillable, Updatable
from grammax.language.changes import FixedVocabulary
from grammax.reading.name_index import Phrase
from grammax.reading.names import NameMatcher
from grammax.runtime.head import RowParts
from grammax.runtime.lstm import Array
from grammax.runtime.weights import Weights
from grammax.vocabulary import NOTHING, Ids, Vocabulary

Phrases = Mapping[int, Sequence[Phrase]]  # of each row, the names of its token
Came = Sequence[tuple[int, Sequence[Phrase]]]  # rows, and the names that are searched for now


def changed_weights(base: Weights, before: Updatable, now: Updatable) -> Weights:
    """The weights for `now`, from those for `before`, the same domain before some changes."""
    known = frozenset(before.changes.added)
    added = frozenset(value.token for value in now.changes.added if value not in known)
    if added and base.parts is None:
        raise FixedVocabulary(
            f"this model has learnt a row for each token of {before.name} and cannot compose more. "
            f"Use one that was trained with composed rows, or train it again with the new values."
        )
    aliased = frozenset(
        token
        for token in added
        if token in before.vocabulary and before.wordings(token)[:1] == now.wordings(token)[:1]
    )
    moves = _Moves.between(before.vocabulary, now.vocabulary, added, aliased)
    names, phrases, came = _changed_names(base, before, now, moves)
    rows, bias = _rows(base, names, moves, phrases)
    kind_of, own_of = moves.kind_of(base), moves.own_of(base)
    filling = base.reader.filling
    if filling is not None and isinstance(now, Fillable):
        filling = now
    reader = base.reader.over(names, filling, came)
    return replace(
        base,
        reader=reader,
        kind_of=kind_of,
        own_of=own_of,
        rows=base.rows.replaced(len(now.vocabulary) + 1, moves.written, rows, bias),
        parts=None if base.parts is None else moves.parts(base.parts, own_of, kind_of),
    )


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Moves:
    """The rows of `now` that differ from those of `before`, by content."""

    before: Vocabulary
    now: Vocabulary
    empty: Ids  # no token
    moved: Ids  # a token that had another row
    sources: Ids  # the old rows of these
    fresh: Ids  # a new token, or one with other names
    renamed: Ids  # of these, tokens that are what they were but for their aliases

    @classmethod
    def between(
        cls, before: Vocabulary, now: Vocabulary, added: frozenset[str], aliased: frozenset[str]
    ) -> _Moves:
        """The moves between two vocabularies.

        A token of `added` that is also in `before` has been redefined; one of `aliased` has other
        aliases only.
        """
        empty, moved, sources, fresh = [], [], [], []
        differ = compress(count(), map(ne, now.tokens, before.tokens))
        again = [now.id(token) for token in added if token in before]
        for row in dict.fromkeys(chain(differ, again, range(len(before), len(now)))):
            token = now.tokens[row]
            if token == NOTHING:
                empty.append(row)
            elif token in added:
                fresh.append(row)
            else:
                moved.append(row)
                sources.append(before.id(token))
        renamed = [row for token in aliased if (row := now.id(token)) == before.id(token)]
        rows = (empty, moved, sources, fresh, renamed)
        return cls(before, now, *(np.array(each, np.int64) for each in rows))

    @property
    def left(self) -> list[int]:
        """The rows of `before` whose token was removed or moved to another row."""
        rows = np.concatenate([self.empty, self.moved, self.fresh])
        left = [*rows[rows < len(self.before)].tolist(), *range(len(self.now), len(self.before))]
        return [row for row in left if self.before.tokens[row] != NOTHING]

    @property
    def written(self) -> Ids:
        """The rows to write: moved ones, new ones, and that of the end."""
        return np.concatenate([self.moved, self.fresh, [len(self.now)]])

    def kind_of(self, base: Weights) -> Ids:
        """The kind of each token, and of the beginning."""
        kinds = np.full(len(self.now) + 1, base.kind_of[-1])
        common = min(len(self.now), len(self.before))
        kinds[:common] = base.kind_of[:common]
        for rows in (self.empty, self.moved, self.fresh):
            kinds[rows] = [self.now.kinds_by_id[row] for row in rows.tolist()]
        return kinds

    def own_of(self, base: Weights) -> Ids:
        """The row of `Weights.tokens` of each token; 0 for new ones, which were never learnt."""
        own = np.zeros(len(self.now) + 1, np.int64)
        common = min(len(self.now), len(self.before))
        own[:common] = base.own_of[:common]
        own[self.empty] = own[self.fresh] = 0
        own[self.moved] = base.own_of[self.sources]
        own[self.renamed] = base.own_of[self.renamed]
        return own

    def parts(self, parts: RowParts, own_of: Ids, kind_of: Ids) -> RowParts:
        """The parts in the order of the new rows."""
        came_from = np.arange(len(self.now))
        came_from[self.moved] = self.sources
        seen = np.flatnonzero(own_of)
        own = parts.own[np.searchsorted(parts.seen, came_from[seen])]
        return RowParts(parts.kinds, own, seen, kind_of)


def _changed_names(
    base: Weights, before: Updatable, now: Updatable, moves: _Moves
) -> tuple[NameMatcher | None, Phrases, Came]:
    """The names of all tokens, those of each row that is written, and those searched for."""
    old = base.reader.names
    if old is None:
        return None, {}, []
    grounds = None if old.grounds is None else old.grounds.over(now)
    new = NameMatcher(
        now.vocabulary, now.wordings, old.spelling, old.index, old.must_be_named, grounds,
        whole_numbers=old.whole_numbers,
    )  # fmt: skip
    gone = [(row, old.searched_phrases(before.vocabulary.tokens[row])) for row in moves.left]
    tokens, written = now.vocabulary.tokens, moves.written[:-1].tolist()
    came = [(row, new.searched_phrases(tokens[row])) for row in written]
    new.index = old.index.changed(gone, came)
    return new, {row: new.phrases(tokens[row]) for row in written}, came


def _rows(
    base: Weights, names: NameMatcher | None, moves: _Moves, phrases: Phrases
) -> tuple[Array, Array]:
    """The rows and biases to be written, in the order of `moves.written`."""
    whole, biases = base.rows.whole, base.rows.bias
    empty = np.empty((len(moves.fresh) + 1, whole.shape[1]), np.float32)
    rows = np.concatenate([whole[moves.sources], empty])
    bias = np.concatenate([biases[moves.sources], empty[:, 0]])
    rows[-1], bias[-1] = whole[-1], biases[-1]
    if len(moves.fresh):
        assert names is not None, "a model with parts looks for names"
        assert base.parts is not None, "checked by changed_weights"
        new, fresh = slice(len(moves.moved), -1), moves.fresh.tolist()
        kinds = base.parts.kinds[[moves.now.kinds_by_id[row] for row in fresh]]
        called = {moves.now.tokens[row]: phrases[row] for row in fresh}
        words = set(chain.from_iterable(chain.from_iterable(called.values())))
        frequencies = base.frequencies
        rows[new, : base.learnt], bias[new] = kinds[:, :-1], kinds[:, -1]
        rows[new, base.learnt :] = names.rows_of(
            called, frequencies.counts(words), frequencies.tokens
        )
    return rows, bias
