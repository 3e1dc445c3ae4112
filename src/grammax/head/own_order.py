"""`rows_in_order`: the output layer of a trained model, with its rows in a vocabulary's order.

A model has its rows in an order of its own. There are two ways to use it under a grammar:

- `rows_in_order` copies the rows that the grammar knows to the vocabulary's order, so that every
  permitted set is a few spans. The copy has no other rows. It is the faster one; the model's own
  weights are left as they are and do not follow when the copy is trained.
- `grammax.Vocabulary.in_order(kinds, rows)` gives tokens the ids that the model has for them. It is
  for weights that must stay what they are: tied to the embeddings, shared, still in training, or
  too large for a copy. The permitted rows are scattered then, and heads gather them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
from torch import nn

from grammax.head.layer import OutputLayer, plain_rows
from grammax.head.protocol import HeadError
from grammax.text import did_you_mean, nearest
from grammax.vocabulary import Vocabulary

_SHOWN: Final = 5  # tokens in an error


def rows_in_order(
    linear: nn.Linear, tokens: Sequence[str], vocabulary: Vocabulary, end: str | None = None
) -> OutputLayer:
    """A copy of the rows of a trained layer, in the order of a vocabulary.

    `linear` is the layer, and `tokens[row]` the token of each of its rows; rows after them, such as
    padding, have none. `end` is the token that the model was trained to predict after a sentence.
    Its row comes last, where heads look for it; without `end`, the copy has no row for the end, and
    the grammar must say where each sentence ends. Rows of tokens that are not in `vocabulary` are
    left out; `HeadError` is raised if one of the vocabulary has no row.

    >>> import grammax, torch
    >>> vocabulary = grammax.Vocabulary({"EQ": ["="], "GENRE": ["drama", "comedy"]})
    >>> trained = torch.nn.Linear(1, 5, bias=False)
    >>> with torch.no_grad():
    ...     _ = trained.weight.copy_(torch.arange(5.0).view(5, 1))
    >>> mine = ["<pad>", "</s>", "comedy", "=", "drama"]
    >>> layer = grammax.rows_in_order(trained, mine, vocabulary, end="</s>")
    >>> layer.weight[:, 0].tolist(), layer.end
    ([3.0, 4.0, 2.0, 1.0], 3)
    """
    trained, bias = plain_rows(linear)
    rows = len(trained)
    if len(tokens) > rows:
        raise HeadError(
            f"{len(tokens):,} tokens are given for the {rows:,} rows of the layer; a row has one "
            f"token"
        )
    row_of = {token: row for row, token in enumerate(tokens)}
    if len(row_of) < len(tokens):
        twice = next(token for row, token in enumerate(tokens) if row_of[token] != row)
        raise HeadError(f"the token {twice!r} is given for two rows; it is the token of one")
    if end is not None and end in vocabulary:
        raise HeadError(
            f"the end {end!r} is a token of the vocabulary; the end of a sentence is no token of "
            f"the grammar"
        )
    # A vocabulary in use has empty rows where tokens were removed; no grammar permits them.
    wanted = [token for token in vocabulary.tokens if token] + ([] if end is None else [end])
    _check_all_there(wanted, row_of)
    index = [row_of.get(token, 0) for token in vocabulary.tokens]
    if end is not None:
        index.append(row_of[end])
    at = torch.tensor(index, device=trained.device)
    weight = trained.detach().index_select(0, at)
    return OutputLayer(
        weight,
        weight.new_zeros(len(index)) if bias is None else bias.detach().index_select(0, at),
        len(vocabulary),
    )


def _check_all_there(wanted: Sequence[str], row_of: dict[str, int]) -> None:
    missing = [token for token in wanted if token not in row_of]
    if missing:
        shown = ", ".join(map(repr, missing[:_SHOWN])) + (", ..." if missing[_SHOWN:] else "")
        hint = did_you_mean(nearest(missing[0], row_of))
        raise HeadError(
            f"{len(missing):,} of the {len(wanted):,} tokens have no row in the trained layer: "
            f"{shown}{f'; {hint}' if hint else '.'} Leave them out of the grammar, or train rows "
            f"for them."
        )
