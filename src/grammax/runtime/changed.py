"""A model for a vocabulary that was changed after its training: a few rows are others.

A row that is new is the learnt part of its kind and what its token is called, as any row of a token
that was never seen in training. All other rows, and the network, are those that were there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import chain, compress, count
from operator import ne
from typing import final

import numpy as np

from grammax.language.capabilities import Updatable
from grammax.language.changes import FixedVocabulary
from grammax.reading.name_index import Phrase
from grammax.reading.names import Names
from grammax.runtime.parts import RowParts
from grammax.runtime.recurrence import Array
from grammax.runtime.weights import Weights
from grammax.vocabulary import NOTHING, Ids, Vocabulary

Phrases = Mapping[int, Sequence[Phrase]]  # what the token of a row is called


def changed_weights(base: Weights, before: Updatable, now: Updatable) -> Weights:
    """The weights for `before`, made to be those for the same domain after some changes."""
    known = frozenset(before.changes.added)
    added = frozenset(value.token for value in now.changes.added if value not in known)
    if added and base.parts is None:
        raise FixedVocabulary(
            f"this model has learnt a row for each token of {before.name} and cannot compose more. "
            f"Use one that was trained with composed rows, or train it again with the new values."
        )
    moves = _Moves.of(before.vocabulary, now.vocabulary, added)
    names, phrases = _changed_names(base, before, now, moves)
    rows, bias = _rows(base, names, moves, phrases)
    made = base.prepared.with_rows(len(now.vocabulary) + 1, moves.written, rows, bias)
    kind_of, own_of = moves.kind_of(base), moves.own_of(base)
    reader = copy(base.reader)
    reader.names = names
    return replace(
        base,
        reader=reader,
        kind_of=kind_of,
        own_of=own_of,
        rows=made.rows,
        bias=made.bias,
        parts=None if base.parts is None else moves.parts(base.parts, made.spelt, own_of, kind_of),
        prepared=made,
    )


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Moves:
    """The rows of `now` that hold another token than in `before`, or the first one there."""

    before: Vocabulary
    now: Vocabulary
    empty: Ids  # hold no token any more
    moved: Ids  # hold one that had another row
    sources: Ids  # where that was
    fresh: Ids  # hold one that was not there

    @classmethod
    def of(cls, before: Vocabulary, now: Vocabulary, added: frozenset[str]) -> _Moves:
        """`added` are new even if they have the text of an old token."""
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
        return cls(
            before, now, *(np.array(rows, np.int64) for rows in (empty, moved, sources, fresh))
        )

    @property
    def left(self) -> list[int]:
        """The rows of `before` whose token is there no more, or is another now."""
        rows = np.concatenate([self.empty, self.moved, self.fresh])
        left = [*rows[rows < len(self.before)].tolist(), *range(len(self.now), len(self.before))]
        return [row for row in left if self.before.tokens[row] != NOTHING]

    @property
    def written(self) -> Ids:
        """The rows to be written: those that moved, the fresh ones, and the end's."""
        return np.concatenate([self.moved, self.fresh, [len(self.now)]])

    def kind_of(self, base: Weights) -> Ids:
        """Of each token, and of the beginning."""
        kinds = np.full(len(self.now) + 1, base.kind_of[-1])
        kept = min(len(self.now), len(self.before))
        kinds[:kept] = base.kind_of[:kept]
        for rows in (self.empty, self.moved, self.fresh):
            kinds[rows] = [self.now.kinds_by_id[row] for row in rows.tolist()]
        return kinds

    def own_of(self, base: Weights) -> Ids:
        """A row of its own for each token that was learnt; what is new was not."""
        own = np.zeros(len(self.now) + 1, np.int64)
        kept = min(len(self.now), len(self.before))
        own[:kept] = base.own_of[:kept]
        own[self.empty] = own[self.fresh] = 0
        own[self.moved] = base.own_of[self.sources]
        return own

    def parts(self, parts: RowParts, spelt: Array, own_of: Ids, kind_of: Ids) -> RowParts:
        """The parts; those of their own follow their tokens' rows."""
        came_from = np.arange(len(self.now))
        came_from[self.moved] = self.sources
        seen = np.flatnonzero(own_of)
        own = parts.own[np.searchsorted(parts.seen, came_from[seen])]
        return RowParts.of(spelt, parts.kinds, own, seen, kind_of)


def _changed_names(
    base: Weights, before: Updatable, now: Updatable, moves: _Moves
) -> tuple[Names | None, Phrases]:
    """What tokens are called, and that of each row that is written."""
    old = base.reader.names
    if old is None:
        return None, {}
    new = Names(now.vocabulary, now.wordings, old.spelling, old.index, old.mentioned_kinds)
    gone = [(row, old.naming(before.vocabulary.tokens[row])) for row in moves.left]
    tokens, written = now.vocabulary.tokens, moves.written[:-1].tolist()
    came = [(row, new.naming(tokens[row])) for row in written]
    new.index = old.index.changed(gone, came)
    return new, {row: new.phrases(tokens[row]) for row in written}


def _rows(
    base: Weights, names: Names | None, moves: _Moves, phrases: Phrases
) -> tuple[Array, Array]:
    """Rows and biases of what `moves` has to write."""
    empty = np.empty((len(moves.fresh) + 1, base.rows.shape[1]), np.float32)
    rows = np.concatenate([base.rows[moves.sources], empty])
    bias = np.concatenate([base.bias[moves.sources], empty[:, 0]])
    rows[-1], bias[-1] = base.rows[-1], base.bias[-1]
    if len(moves.fresh):
        assert names is not None, "a model with parts looks for names"
        assert base.parts is not None, "told by changed_weights"
        new, fresh = slice(len(moves.moved), -1), moves.fresh.tolist()
        kinds = base.parts.kinds[[moves.now.kinds_by_id[row] for row in fresh]]
        called = {moves.now.tokens[row]: phrases[row] for row in fresh}
        words = set(chain.from_iterable(chain.from_iterable(called.values())))
        holders = base.prepared.holders
        rows[new, : base.learnt], bias[new] = kinds[:, :-1], kinds[:, -1]
        rows[new, base.learnt :] = names.rows_of(called, holders.counts(words), holders.tokens)
    return rows, bias
