"""The network in compiled code: encoder, one step of the decoder, attention, output layer.

The weights are those of `NetworkArrays`. Each function takes a batch; the words of its queries are
laid end to end, and `first[q]` is the first word of query q.
"""

from __future__ import annotations

from math import exp, log, log1p
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammax.runtime.compiled.arithmetic import (
    HALF,
    ONE,
    ZERO,
    Matrix,
    Weight,
    add_product,
    add_products,
    add_to,
    copy,
    dot,
    exponential,
    gate,
    tanh,
)
from grammax.runtime.compiled.compile import compiled
from grammax.runtime.lstm import Array
from grammax.vocabulary import Ids


class NetworkArrays(NamedTuple):
    """The weights of a model; e is the encoder's size per direction, d the hidden size.

    A row of the output layer is the sum of a learnt part of its kind, one of its own if it has
    one, and `spelt`.
    """

    forwards: Weight  # (e, 4e): recurrent weights of the encoder, doubled
    backwards: Weight
    gates: Weight  # (2e, 8e), doubled
    hidden: Weight  # (2e, learnt + 2): hidden vector, weight of covered words, strength
    attention: Weight  # (2e, 2e)
    context: Weight  # (2e, learnt)
    hidden_bias: Array  # (learnt + 2)
    input_bias: Array  # (8e): of the decoder's inputs
    kinds: Matrix  # (kinds + 1, p): learnt part of each kind; zeros after the learnt dimensions
    own: Matrix  # (seen, p): learnt part of tokens that have one
    kind_of: NDArray[np.int32]  # (V + 1): for each row
    own_of: NDArray[np.int32]  # (V + 1): number of its own part, or -1
    spelt: Array  # (V + 1, s)
    bias: Array  # (V + 1)


class EncodedArrays(NamedTuple):
    """The encoded words of a batch of queries, n words in total, or more than there are."""

    first: Ids  # (queries + 1): the first word of each query
    uncovered: Array  # (n, learnt): contribution of a name that begins here, while uncovered
    keys: Array  # (n, 2e): multiplied by the decoder's output they give attention scores
    values: Array  # (n, d): contribution of a word to the hidden vector, learnt and spelt


@compiled
def encode(net: NetworkArrays, table: Array, words: EncodedArrays, outputs: Array) -> None:
    """Fill `keys` and `values`, and the decoder's first outputs, (queries, 2e).

    `table` has the inputs of all words, (n, 8e + s): those of the gates, and hash embeddings.
    """
    first, size = words.first, outputs.shape[1] // 2
    both = np.empty((len(table), 2 * size), np.float32)
    cell, output = np.empty(size, np.float32), np.empty(size, np.float32)
    sums = np.empty(4 * size, np.float32)
    for query in range(len(first) - 1):
        begin, length = first[query], first[query + 1] - first[query]
        for side in range(2):
            for j in range(size):
                cell[j] = output[j] = ZERO
            for step in range(length):
                word = begin + (step if side == 0 else length - 1 - step)
                for part in range(4):
                    start = (2 * part + side) * size
                    for j in range(size):
                        sums[part * size + j] = table[word, start + j]
                add_product(sums, output, net.forwards if side == 0 else net.backwards, HALF)
                gate(sums, cell, cell, output)
                copy(both[word, side * size :], output)
            copy(outputs[query, side * size :], output)
    learnt = words.uncovered.shape[1]
    for word in range(len(table)):
        for j in range(words.keys.shape[1]):
            words.keys[word, j] = ZERO
    add_products(words.keys, both, net.attention, ONE)
    learnt_values = np.zeros((len(table), learnt), np.float32)
    add_products(learnt_values, both, net.context, ONE)
    for word in range(len(table)):
        copy(words.values[word], learnt_values[word])
        copy(words.values[word, learnt:], table[word, 8 * size :])


@compiled
def read(net: NetworkArrays, inputs: Array, cells: Array, outputs: Array) -> None:
    """One step of the decoder: inputs of the gates, (n, 8e), which are overwritten."""
    add_products(inputs, outputs, net.gates, HALF)
    for n in range(len(inputs)):
        gate(inputs[n], cells[n], cells[n], outputs[n])


@compiled
def attend(
    learnt: int,
    output: Array,
    linear: Array,
    keys: Array,
    values: Array,
    uncovered: Array,
    mask: Array,
    hidden: Array,
    weights: Array,
) -> None:
    """The hidden vector, (d), and the attention weight of each word, (n), of one decoder state.

    `linear` is the product of the output and `NetworkArrays.hidden`; it is overwritten.
    """
    length, top = len(keys), np.float32(-np.inf)
    for word in range(length):
        weights[word] = dot(output, keys[word]) + linear[learnt] * mask[word]
        top = max(top, weights[word])
    total = ZERO
    for word in range(length):
        weights[word] = exponential(weights[word] - top)
        total += weights[word]
    for j in range(len(hidden)):
        hidden[j] = ZERO
    for word in range(length):
        weights[word] /= total
        share = weights[word]
        for j in range(len(hidden)):
            hidden[j] += share * values[word, j]
        if mask[word] != ONE:
            add_to(linear, uncovered[word])
    for j in range(learnt):
        hidden[j] = tanh(hidden[j] + linear[j])
    strength = np.float64(linear[learnt + 1])
    scale = np.float32(max(strength, 0.0) + log1p(exp(-abs(strength))))
    for j in range(learnt, len(hidden)):
        hidden[j] *= scale


@compiled
def score(
    net: NetworkArrays, hidden: Array, spans: Ids, count: int, scores: Array
) -> tuple[int, float, float]:
    """Scores of the rows of `count` spans, each (first row, row after its last), of one kind.

    Returns the best row, its score, and the logarithm of the sum of all e^(score - best).
    """
    rest = len(hidden) - net.spelt.shape[1]
    first = np.zeros(net.kinds.shape[1], np.float32)
    copy(first, hidden[:rest])
    spelt = np.empty(len(hidden) - rest, np.float32)  # aligned: 20 % faster to read
    copy(spelt, hidden[rest:])
    index, top = 0, np.float32(-np.inf)
    best: Any = np.int64(-1)
    kind, common = np.int32(-1), ZERO
    for number in range(count):
        start, stop = spans[number, 0], spans[number, 1]
        if net.kind_of[start] != kind:
            kind = net.kind_of[start]
            common = dot(first, net.kinds[kind])
        for row in range(start, stop):
            value = common + net.bias[row] + dot(spelt, net.spelt[row])
            if net.own_of[row] >= 0:
                value += dot(first, net.own[net.own_of[row]])
            scores[index] = value
            index += 1
            if value > top or (value == top and row < best):
                best, top = row, value
    total = ZERO
    for number in range(index):
        total += exponential(scores[number] - top)
    return best, np.float64(top), log(total)
