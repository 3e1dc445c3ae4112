"""The weights of a checkpoint, as arrays laid out for decoding.

Matrices that are multiplied by the same vector are stacked: one product with the decoder's output
gives the recurrent part of its gates, its part of the hidden vector, and two scalars.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from grammax.errors import FileFormatError
from grammax.language.domain import Domain
from grammax.model.config import ModelConfig
from grammax.model.header import OPTIMIZER, Header, current_name, in_row_order, read_file
from grammax.reading.names import NameMatcher
from grammax.reading.reader import QueryReader
from grammax.runtime.cache import DocumentFrequencies, ModelCache, OutputRows, cached
from grammax.runtime.head import RowParts
from grammax.runtime.lstm import Array, half_scaled
from grammax.vocabulary import Ids, Vocabulary

Tensors = dict[str, Array]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """All arrays that decoding reads; e is the encoder's size per direction, d the hidden size."""

    config: ModelConfig
    reader: QueryReader
    words: Array  # (words, w)
    features: Array  # (f, w): for the features of a word
    encoder_inputs: Array  # (w, 8e): for each gate forwards, then backwards
    encoder_bias: Array  # (8e)
    encoder_states: Array  # (2, e, 4e)
    token_kinds: Array  # (kinds + 1, t): the last one marks the beginning
    tokens: Array  # (seen + 1, t): the first one is shared by all unseen tokens
    called: Array  # (t, s): of the hash embedding of a token's name
    kind_of: Ids  # (V + 1): for each token, and for the beginning
    own_of: Ids  # (V + 1): its row of `tokens`
    decoder_inputs: Array  # (8e, t)
    decoder_bias: Array  # (8e)
    state: Array  # (2e, 8e + learnt + 2): gates, hidden vector, weight of covered, strength
    state_bias: Array  # (learnt + 2): of the last columns of `state`
    attention: Array  # (2e, 2e): encoder output → attention key
    context: Array  # (2e, learnt): encoder output → hidden vector
    uncovered: Array  # (classes, learnt): contribution of a name of a kind, while uncovered
    rows: OutputRows
    parts: RowParts | None  # None if rows are not composed
    frequencies: DocumentFrequencies  # of the words of names

    @property
    def learnt(self) -> int:
        """The number of hidden dimensions that are learnt; the others are hash embeddings."""
        return self.config.hidden - self.config.spelt


def load_weights(path: Path, domain: Domain) -> Weights:
    """The weights of a checkpoint; `OtherVersion` if it was trained for another domain."""
    header, given = read_file(path, "np", _arrays)
    header.require(domain, path)
    header.require_seen(domain, path)
    try:
        return weights_from(header, given, domain, stored=True)
    except (KeyError, ValueError) as error:
        raise FileFormatError(f"{path} does not fit its own header: {error}") from error


def weights_from(
    header: Header, given: Tensors, domain: Domain, *, stored: bool = False
) -> Weights:
    """The weights of a network; with `stored` its cache is read from disk, or written there."""
    config, vocabulary = header.model, domain.vocabulary
    given, seen = in_row_order(given, header.seen, vocabulary)

    def build() -> ModelCache:
        names = header.reader(domain).names
        rows, bias = _rows(given, names, seen, vocabulary, config)
        counts = names.document_frequencies if names else {}
        return ModelCache(
            OutputRows.from_whole(rows, bias, config.spelt),
            names.index if names else None,
            DocumentFrequencies.from_counts(counts, len(vocabulary)),
        )

    found = cached(header, given, domain, build) if stored else build()
    own = np.zeros(len(vocabulary) + 1, np.int64)
    own[sorted(seen)] = np.arange(1, len(seen) + 1)
    kinds = np.array([*vocabulary.kinds_by_id, len(vocabulary.kinds)])
    return Weights(
        config=config,
        reader=header.reader(domain, found.names),
        kind_of=kinds,
        own_of=own,
        rows=found.rows,
        parts=_parts(given, seen, kinds, vocabulary) if config.spelt else None,
        frequencies=found.frequencies,
        **_network(given, config, vocabulary),
    )


def _arrays(file: Any) -> dict[str, Array]:
    names = [name for name in file.keys() if not name.startswith(OPTIMIZER)]  # noqa: SIM118
    return {current_name(name): file.get_tensor(name).astype(np.float32) for name in names}


def _rows(
    given: Tensors,
    names: NameMatcher | None,
    seen: list[int],
    vocabulary: Vocabulary,
    config: ModelConfig,
) -> tuple[Array, Array]:
    """The matrix and bias of the output layer, (V + 1, d) and (V + 1)."""
    if names is None:
        return given["rows.linear.weight"], given["rows.linear.bias"]
    kinds, learnt = given["rows.kinds"], config.hidden - config.spelt
    rows = np.zeros((len(vocabulary) + 1, config.hidden), np.float32)
    bias = np.empty(len(rows), np.float32)
    for kind, class_ in enumerate(vocabulary.class_of):
        start, stop = vocabulary.span(kind)
        rows[start:stop, :learnt] = kinds[class_, :-1]
        bias[start:stop] = kinds[class_, -1]
    rows[-1, :learnt], bias[-1] = kinds[-1, :-1], kinds[-1, -1]
    rows[sorted(seen), :learnt] += given["rows.own"][:, :-1]
    bias[sorted(seen)] += given["rows.own"][:, -1]
    rows[:-1, learnt:] = names.rows()
    return rows, bias


def _parts(given: Tensors, seen: list[int], kind_of: Ids, vocabulary: Vocabulary) -> RowParts:
    kinds = _by_kind(given["rows.kinds"], vocabulary)
    return RowParts(kinds, given["rows.own"], np.array(sorted(seen), np.int64), kind_of)


def _by_kind(classes: Array, vocabulary: Vocabulary) -> Array:
    """Vectors of classes, and of the end or the beginning, as those of the kinds."""
    return classes[[*vocabulary.class_of, len(vocabulary.classes)]]


def _network(given: Tensors, config: ModelConfig, vocabulary: Vocabulary) -> dict[str, Array]:
    sides = ("forwards", "backwards")
    size = config.decoder
    combined = given["attention.combined.weight"]
    nothing = np.zeros((1, size), np.float32)
    coverage = given.get("attention.coverage.weight", nothing)
    strength = given.get("attention.strength.weight", nothing)
    zero = np.zeros(1, np.float32)
    return {
        "words": given["words.weight"],
        "features": _contiguous(given.get("features.weight", nothing[:, :0]).T),
        "encoder_inputs": _contiguous(
            _both([half_scaled(given[f"encoder.{s}.weight_ih_l0"]) for s in sides]).T
        ),
        "encoder_bias": _both([_bias(given, f"encoder.{side}") for side in sides]),
        "encoder_states": np.stack(
            [_contiguous(half_scaled(given[f"encoder.{s}.weight_hh_l0"]).T) for s in sides]
        ),
        "token_kinds": _by_kind(given["token_kinds.weight"], vocabulary),
        "tokens": given["tokens.weight"],
        "called": given.get("called.weight", nothing[:, :0]),
        "decoder_inputs": half_scaled(given["decoder.weight_ih_l0"]),
        "decoder_bias": _bias(given, "decoder"),
        "state": _contiguous(
            np.concatenate(
                [half_scaled(given["decoder.weight_hh_l0"]), combined[:, :size], coverage, strength]
            ).T
        ),
        "state_bias": np.concatenate(
            [
                given["attention.combined.bias"],
                given.get("attention.coverage.bias", zero),
                given.get("attention.strength.bias", zero),
            ]
        ),
        "attention": given["attention.general.weight"],
        "context": _contiguous(combined[:, size : 2 * size].T),
        "uncovered": _contiguous(combined[:, 2 * size :].T),
    }


def _both(sides: list[Array]) -> Array:
    """The gates of both directions, (4e, ...) each, as those of one LSTM, (8e, ...)."""
    parts = [side.reshape(4, -1, *side.shape[1:]) for side in sides]
    return np.stack(parts, 1).reshape(-1, *sides[0].shape[1:])


def _bias(given: Tensors, name: str) -> Array:
    return half_scaled(given[f"{name}.bias_ih_l0"] + given[f"{name}.bias_hh_l0"])


def _contiguous(array: Array) -> Array:
    return np.ascontiguousarray(array)
