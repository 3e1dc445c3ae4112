"""A checkpoint → arrays laid out for decoding.

What is multiplied by one vector is stacked into one matrix: the decoder's state meets its own
weights, the attention's share of the hidden vector and two gates in a single product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from grammax.errors import FileFormatError
from grammax.language.domain import Domain
from grammax.model.config import ModelConfig
from grammax.model.header import OPTIMIZER, Header, current_name, read_file
from grammax.reading.names import Names
from grammax.reading.reader import Reader
from grammax.runtime.parts import RowParts
from grammax.runtime.prepared import Holders, Prepared, prepared
from grammax.runtime.recurrence import Array, arranged
from grammax.vocabulary import Ids, Vocabulary

Tensors = Mapping[str, Array]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """All that decoding reads; e is the encoder's size a direction, d the hidden vector's."""

    config: ModelConfig
    reader: Reader
    words: Array  # (words, w)
    features: Array  # (f, w): what is known of a word beside itself
    encoder_inputs: Array  # (w, 8e): each gate forwards, then backwards
    encoder_bias: Array  # (8e)
    encoder_states: Array  # (2, e, 4e)
    token_kinds: Array  # (kinds + 1, t): the last is the beginning
    tokens: Array  # (seen + 1, t): the first is of all others
    called: Array  # (t, s)
    kind_of: Ids  # (V + 1): of each token, and of the beginning
    own_of: Ids  # (V + 1): its row of `tokens`
    decoder_inputs: Array  # (8e, t)
    decoder_bias: Array  # (8e)
    state: Array  # (2e, 8e + learnt + 2): the gates, the hidden vector, weight of said, strength
    state_bias: Array  # of its last learnt + 2 columns
    attention: Array  # (2e, 2e): a word's part in scores
    context: Array  # (2e, learnt): a word's part in the hidden vector
    unsaid: Array  # (kinds, learnt)
    rows: Array  # (V + 1, d), in kind order
    bias: Array  # (V + 1)
    parts: RowParts | None  # of composed rows
    prepared: Prepared  # `rows`, `bias` and more of their size

    @property
    def learnt(self) -> int:
        """How many of the hidden dimensions are learnt; the others spell."""
        return self.config.hidden - self.config.spelt


def load_weights(path: Path, domain: Domain) -> Weights:
    """The weights of a checkpoint; `OtherVersion` if it was trained for another domain."""
    header, given = read_file(path, "np", _arrays)
    header.require(domain, path)
    header.seen_ids(domain, path)
    try:
        return weights_from(header, given, domain, lambda make: prepared(path, domain, make))
    except (KeyError, ValueError) as error:
        raise FileFormatError(f"{path} does not fit its own header: {error}") from error


def weights_from(
    header: Header,
    given: Tensors,
    domain: Domain,
    keep: Callable[[Callable[[], Prepared]], Prepared] = lambda make: make(),
) -> Weights:
    """The weights that some tensors are; `keep` finds what was made of them before, or makes it."""
    config, vocabulary = header.model, domain.vocabulary
    seen = vocabulary.ids(header.seen)

    def make() -> Prepared:
        names = header.reader(domain).names
        rows, bias = _rows(given, names, seen, vocabulary, config)
        spelt = _contiguous(rows[:, config.hidden - config.spelt :])
        holders = Holders.of(names.holders() if names else {}, len(vocabulary))
        return Prepared(rows, bias, spelt, names.index if names else None, holders)

    found = keep(make)
    own = np.zeros(len(vocabulary) + 1, np.int64)
    own[sorted(seen)] = np.arange(1, len(seen) + 1)
    kinds = np.array([*vocabulary.kinds_by_id, len(vocabulary.kinds)])
    return Weights(
        config=config,
        reader=header.reader(domain, found.names),
        kind_of=kinds,
        own_of=own,
        rows=found.rows,
        bias=found.bias,
        parts=_parts(given, found.spelt, seen, kinds) if config.spelt else None,
        prepared=found,
        **_network(given, config),
    )


def _arrays(file: Any) -> dict[str, Array]:
    names = [name for name in file.keys() if not name.startswith(OPTIMIZER)]  # noqa: SIM118
    return {current_name(name): file.get_tensor(name).astype(np.float32) for name in names}


def _rows(
    given: Tensors,
    names: Names | None,
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
    for kind in range(len(vocabulary.kinds)):
        start, stop = vocabulary.span(kind)
        rows[start:stop, :learnt] = kinds[kind, :-1]
        bias[start:stop] = kinds[kind, -1]
    rows[-1, :learnt], bias[-1] = kinds[-1, :-1], kinds[-1, -1]
    rows[sorted(seen), :learnt] += given["rows.own"][:, :-1]
    bias[sorted(seen)] += given["rows.own"][:, -1]
    rows[:-1, learnt:] = names.rows()
    return rows, bias


def _parts(given: Tensors, spelt: Array, seen: list[int], kind_of: Ids) -> RowParts:
    kinds, own = given["rows.kinds"], given["rows.own"]
    return RowParts.of(spelt, kinds, own, np.array(sorted(seen), np.int64), kind_of)


def _network(given: Tensors, config: ModelConfig) -> dict[str, Array]:
    sides = ("forwards", "backwards")
    size = config.decoder
    combined = given["attention.combined.weight"]
    nothing = np.zeros((1, size), np.float32)
    said = given.get("attention.coverage.weight", nothing)
    strength = given.get("attention.strength.weight", nothing)
    zero = np.zeros(1, np.float32)
    return {
        "words": given["words.weight"],
        "features": _contiguous(given.get("features.weight", nothing[:, :0]).T),
        "encoder_inputs": _contiguous(
            _both([arranged(given[f"encoder.{s}.weight_ih_l0"]) for s in sides]).T
        ),
        "encoder_bias": _both([_bias(given, f"encoder.{side}") for side in sides]),
        "encoder_states": np.stack(
            [_contiguous(arranged(given[f"encoder.{s}.weight_hh_l0"]).T) for s in sides]
        ),
        "token_kinds": given["token_kinds.weight"],
        "tokens": given["tokens.weight"],
        "called": given.get("called.weight", nothing[:, :0]),
        "decoder_inputs": arranged(given["decoder.weight_ih_l0"]),
        "decoder_bias": _bias(given, "decoder"),
        "state": _contiguous(
            np.concatenate(
                [arranged(given["decoder.weight_hh_l0"]), combined[:, :size], said, strength]
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
        "unsaid": _contiguous(combined[:, 2 * size :].T),
    }


def _both(sides: list[Array]) -> Array:
    """The gates of both directions, (4e, ...) each, as those of one LSTM, (8e, ...)."""
    parts = [side.reshape(4, -1, *side.shape[1:]) for side in sides]
    return np.stack(parts, 1).reshape(-1, *sides[0].shape[1:])


def _bias(given: Tensors, name: str) -> Array:
    return arranged(given[f"{name}.bias_ih_l0"] + given[f"{name}.bias_hh_l0"])


def _contiguous(array: Array) -> Array:
    return np.ascontiguousarray(array)
