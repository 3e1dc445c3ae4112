"""The network: words of a query in, hidden vectors for the output layer out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from grammax.model.attention import Attended, Attention
from grammax.model.config import ModelConfig
from grammax.model.encoder import Encoded, Encoder, Masks
from grammax.model.rows import ComposedRows, LearntRows
from grammax.reading.reader import Query, QueryReader
from grammax.reading.words import PADDING
from grammax.search.protocol import Run
from grammax.vocabulary import Vocabulary

State = tuple[Tensor, Tensor]  # of the LSTM, (1, n, 2e) each


class QueryBatch(NamedTuple):
    """A batch of queries, padded to the longest."""

    words: Tensor  # (n, length)
    features: Tensor  # (n, length, f): see `reading.names`
    lengths: Tensor  # (n)


@final
class Network(nn.Module):
    """The paper's network: word embeddings, Bi-LSTM, LSTM decoder, Luong attention, output rows.

    `names` are the embeddings of all names, by default those that the reader computes.

    `seen` are the ids of the tokens of the training pairs. The decoder's input for a token is the
    sum of an embedding of its kind's class, one of its own if it was seen and, with composed rows,
    a projection of its name. For the output see `rows`.
    """

    _kinds: Tensor  # (V + 1): the class of each token's kind, and of the beginning, the id V
    _own: Tensor  # (V + 1): the index of its own embedding, 0 if it has none

    def __init__(
        self,
        config: ModelConfig,
        vocabulary: Vocabulary,
        reader: QueryReader,
        seen: Collection[int],
        dropout: float = 0.0,
        names: NDArray[np.float32] | None = None,
    ) -> None:
        super().__init__()
        self.config = config
        self.reader = reader
        self.seen = tuple(sorted(seen))
        kinds = len(vocabulary.classes)
        self.words = nn.Embedding(len(reader.words), config.words, padding_idx=PADDING)
        self.encoder = Encoder(config.words, config.encoder)
        self.token_kinds = nn.Embedding(kinds + 1, config.tokens)  # the last is the beginning's
        self.tokens = nn.Embedding(len(self.seen) + 1, config.tokens, padding_idx=0)
        self.decoder = nn.LSTM(config.tokens, config.decoder, batch_first=True)
        self.named_kinds = kinds if reader.names else 0
        self.attention = Attention(config.decoder, config.hidden, config.spelt, self.named_kinds)
        self.dropout = dropout
        for embedding in (self.words, self.token_kinds):
            nn.init.normal_(embedding.weight, std=_SPREAD)
        nn.init.zeros_(self.tokens.weight)
        self.rows: ComposedRows | LearntRows
        self.features: nn.Linear | None = None
        self.called: nn.Linear | None = None
        if reader.names is None:
            self.rows = LearntRows(vocabulary, config.hidden)
        else:
            self.features = nn.Linear(reader.features, config.words, bias=False)
            self.called = nn.Linear(config.spelt, config.tokens, bias=False)
            spelt = np.zeros((len(vocabulary) + 1, config.spelt), np.float32)
            # The end and the beginning have no name.
            spelt[:-1] = reader.names.rows() if names is None else names
            self.rows = ComposedRows(vocabulary, self.seen, config.hidden, torch.from_numpy(spelt))
        own = torch.zeros(len(vocabulary) + 1, dtype=torch.long)
        own[list(self.seen)] = torch.arange(1, len(self.seen) + 1)
        self.register_buffer("_own", own, persistent=False)
        kind_of = torch.tensor(
            [*map(vocabulary.class_of.__getitem__, vocabulary.kinds_by_id), kinds]
        )
        self.register_buffer("_kinds", kind_of, persistent=False)

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.words.weight.device

    @property
    def beginning(self) -> int:
        """The id that the decoder reads before the first token."""
        return len(self._own) - 1

    def load_words(self, vectors: Mapping[str, NDArray[np.float32]]) -> int:
        """Initialise word embeddings, for instance from GloVe; return how many words have one."""
        known = [(i, w) for i, w in enumerate(self.reader.words.known, 2) if w in vectors]
        with torch.no_grad():
            for number, word in known:
                self.words.weight[number] = torch.from_numpy(vectors[word])
        return len(known)

    def batch(self, queries: Sequence[Query]) -> QueryBatch:
        """Queries as padded tensors."""
        lengths = [len(query.ids) for query in queries]
        words = np.full((len(queries), max(lengths)), PADDING, np.int64)
        features = np.zeros((*words.shape, self.reader.features), np.float32)
        for row, query in enumerate(queries):
            words[row, : lengths[row]] = query.ids
            features[row, : lengths[row]] = query.features
        parts = (torch.from_numpy(words), torch.from_numpy(features), torch.tensor(lengths))
        return QueryBatch(*(part.to(self.device) for part in parts))

    def masks(self, count: int) -> Masks | None:
        """Masks of dropout for a batch, drawn in one call; None if nothing is dropped."""
        drawn = self.draws(count)
        return None if drawn is None else self.masks_of(drawn)

    def draws(self, count: int) -> Tensor | None:
        """Random numbers for the masks of a batch, from 0 to 1; None if nothing is dropped."""
        if not self.dropout:
            return None
        return torch.rand(count, 1, sum(self._mask_sizes), device=self.device)

    def masks_of(self, draws: Tensor) -> Masks:
        """The masks that some random numbers give."""
        kept = draws >= self.dropout
        scaled = kept.to(self.words.weight.dtype).div_(1 - self.dropout)
        return Masks(*torch.split(scaled, self._mask_sizes, -1))

    @property
    def _mask_sizes(self) -> list[int]:
        config = self.config
        learnt = config.hidden - config.spelt
        return [config.words, config.decoder, config.tokens, config.decoder, learnt]  # of `Masks`

    def encode(self, batch: QueryBatch, masks: Masks | None = None) -> Encoded:
        """Encode a batch of queries."""
        words = self.words(batch.words)
        if self.features is not None:
            words = words + self.features(batch.features)
        spelling = batch.features[..., : self.config.spelt]
        begins = batch.features[..., batch.features.shape[-1] - self.named_kinds :]
        encoded: Encoded = self.encoder(words, spelling, begins, batch.lengths, masks)
        return encoded

    def encode_one(self, query: Query, features: Tensor) -> tuple[Tensor, Tensor]:
        """Encode one query: its words, (length, 2e), and its summary, (2e)."""
        words = self.words(torch.tensor(query.ids, device=self.device))
        if self.features is not None:
            words = words + self.features(features)
        return self.encoder.one(words)

    def start(self, encoded: Encoded) -> State:
        """The decoder's state before it reads the beginning."""
        summary = encoded.summary[None]
        return summary, torch.zeros_like(summary)

    def read(self, runs: Tensor, state: State) -> tuple[Tensor, State]:
        """Runs of ids, (n, steps, r) → the decoder's outputs, (n, steps, 2e), and last state."""
        states, last = self.decoder(self.run_inputs(runs), state)
        return states, last

    def read_whole(
        self, tokens: Tensor, starts: Tensor, encoded: Encoded, masks: Masks | None
    ) -> Tensor:
        """The decoder's outputs for whole sentences, (n, steps, 2e).

        The runs are laid end to end, (t); `starts` says where each begins, (n, steps). Names are
        fixed, so they are summed before they are projected.
        """
        inputs = _sums(self._kinds[tokens], self.token_kinds.weight, starts)
        inputs = inputs + _sums(self._own[tokens], self.tokens.weight, starts, padding=0)
        if self.called is not None and isinstance(self.rows, ComposedRows):
            inputs = inputs + self.called(_sums(tokens, self.rows.spelt, starts))
        inputs = inputs.view(*starts.shape, -1)
        if masks is not None:
            inputs = inputs * masks.inputs
        states: Tensor = self.decoder(inputs, self.start(encoded))[0]
        return states

    def runs(self, runs: Sequence[Run]) -> NDArray[np.int64]:
        """Runs as one array, (n, r), padded with -1."""
        table = np.full((len(runs), max(map(len, runs))), -1, np.int64)
        for row, run in enumerate(runs):
            table[row, : len(run)] = run
        return table

    def run_inputs(self, runs: Tensor) -> Tensor:
        """The decoder's input for runs, the sum over their tokens: (..., r) → (..., t)."""
        if runs.shape[-1] == 1:
            return self._token_inputs(runs[..., 0])
        real = (runs >= 0)[..., None]
        return (self._token_inputs(runs.clamp(min=0)) * real).sum(-2)

    def _token_inputs(self, tokens: Tensor) -> Tensor:
        inputs: Tensor = self.token_kinds(self._kinds[tokens]) + self.tokens(self._own[tokens])
        if self.called is not None and isinstance(self.rows, ComposedRows):
            inputs = inputs + self.called(self.rows.spelt[tokens])
        return inputs

    def attend(
        self, states: Tensor, encoded: Encoded, covered: Tensor, masks: Masks | None = None
    ) -> Attended:
        """(n, steps, 2e) → hidden vectors, (n, steps, d); for `covered` see `Attention`."""
        attended: Attended = self.attention(states, encoded, covered, masks)
        return attended


def _sums(rows: Tensor, weight: Tensor, starts: Tensor, padding: int | None = None) -> Tensor:
    """The sums of some rows of a matrix, laid end to end: (t), (r, d) and (...) → (-1, d)."""
    return functional.embedding_bag(rows, weight, starts.flatten(), mode="sum", padding_idx=padding)


_SPREAD = 0.2  # standard deviation of initial embeddings; 1 would drown the features of names
