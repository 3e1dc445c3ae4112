"""Greedy search in compiled code: from the words of a batch of queries to their sentences.

The search is that of `grammax.search.greedy`. In each round every open sentence takes its forced
tokens, the decoder reads what it has not read, and every sentence takes its best candidate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grammax.runtime.compiled.arithmetic import ONE, ZERO, add_products, add_to, copy
from grammax.runtime.compiled.batch import (
    CHOICES,
    CONTINUE,
    COUNT,
    ENDING,
    FINISHED,
    NO_INPUT,
    OPEN,
    PAUSED,
    QUERY,
    READ,
    STATE,
    UNREAD,
    Batch,
    Members,
    Model,
)
from grammax.runtime.compiled.compile import callable_from_python, compiled
from grammax.runtime.compiled.grounding import find_dead
from grammax.runtime.compiled.inputs import sum_inputs
from grammax.runtime.compiled.members import choose, clear, cover, settle
from grammax.runtime.compiled.network import EncodedArrays, NetworkArrays, attend, encode, read
from grammax.runtime.grounding import GROUNDED
from grammax.runtime.lstm import Array
from grammax.vocabulary import Ids


@compiled
def begin(model: Model, batch: Batch) -> None:
    """Encode the queries and read the beginning; member i is for query i."""
    net, tokens, parts = model.net, model.tokens, model.parts
    queries, words, members = batch.queries, batch.words, batch.members
    clear(members, model.budget)
    count = len(words.first) - 1
    for query in range(count):
        members.registers[query, STATE] = queries.starts[query]
    outputs, cells = members.outputs[:count], members.cells[:count]
    table = np.empty((words.first[count], parts.table.shape[1]), np.float32)
    for word in range(len(table)):
        for j in range(words.uncovered.shape[1]):
            words.uncovered[word, j] = ZERO
    sum_inputs(
        parts, queries.slots, words.first, queries.names, net.kind_of, table, words.uncovered
    )
    encode(net, table, words, outputs)
    gates = np.empty((count, tokens.table.shape[1]), np.float32)
    for query in range(count):
        copy(gates[query], net.input_bias)
        add_to(gates[query], tokens.table[0])
    read(net, gates, cells, outputs)
    if model.mode == GROUNDED:
        for query in range(count):
            rows = queries.rows[queries.rows_first[query] : queries.rows_first[query + 1]]
            find_dead(model.grounding, net.kind_of, rows, members.dead[query])
    for member in range(len(members.registers)):
        members.registers[member, READ] = -1 if model.only else 0


@compiled
def read_runs(live: Ids, model: Model, batch: Batch) -> int:
    """Let the decoder read one run of each member that has unread tokens.

    A run is, with `only` decisions, all that is unread, and else one token. Returns `FINISHED` if
    there is nothing to read.
    """
    only, net, tokens, members = model.only, model.net, model.tokens, batch.members
    size = tokens.table.shape[1]
    unread, count = np.empty(len(live), np.int64), 0
    for member in live:
        if members.registers[member, READ] < members.registers[member, COUNT]:
            unread[count] = member
            count += 1
    if not count:
        return FINISHED
    gates = np.empty((count, size), np.float32)
    outputs = np.empty((count, size // 4), np.float32)
    cells = np.empty((count, size // 4), np.float32)
    for number in range(count):
        member = unread[number]
        copy(gates[number], net.input_bias)
        for position in range(members.registers[member, READ], _stop(only, member, members)):
            token = members.ids[member, position]
            if tokens.row_of[token] < 0:
                members.missing[0] = token
                return NO_INPUT
            add_to(gates[number], tokens.table[tokens.row_of[token]])
        copy(outputs[number], members.outputs[member])
        copy(cells[number], members.cells[member])
    read(net, gates, cells, outputs)
    for number in range(count):
        member = unread[number]
        copy(members.outputs[member], outputs[number])
        copy(members.cells[member], cells[number])
        stop = _stop(only, member, members)
        for position in range(members.registers[member, READ], stop):
            cover(member, batch.queries, members, members.ids[member, position])
        members.registers[member, READ] = stop
    return CONTINUE


@compiled
def _stop(only: bool, member: int, members: Members) -> Any:
    """The position after the run that a member reads next."""
    return members.registers[member, COUNT] if only else members.registers[member, READ] + 1


@compiled
def linear_parts(live: Ids, net: NetworkArrays, members: Members) -> Array:
    """The products of the decoder's outputs and the weights of the hidden vector."""
    outputs = np.empty((len(live), members.outputs.shape[1]), np.float32)
    linear = np.empty((len(live), len(net.hidden_bias)), np.float32)
    for number in range(len(live)):
        copy(outputs[number], members.outputs[live[number]])
        copy(linear[number], net.hidden_bias)
    add_products(linear, outputs, net.hidden, ONE)
    return linear


@compiled
def hidden_vector(
    member: int,
    linear: Array,
    words: EncodedArrays,
    members: Members,
    hidden: Array,
    weights: Array,
) -> None:
    """The hidden vector of a member, and its attention to the words of its query."""
    query = members.registers[member, QUERY]
    start, stop = words.first[query], words.first[query + 1]
    attend(
        len(linear) - 2,
        members.outputs[member],
        linear,
        words.keys[start:stop],
        words.values[start:stop],
        words.uncovered[start:stop],
        members.mask[member],
        hidden,
        weights[: stop - start],
    )


@callable_from_python
def greedy(pauses: bool, model: Model, batch: Batch, attention: Array) -> int:
    """Decode until all sentences have ended, or something is missing.

    Before the first call `READ` of the first member is `UNREAD`. `attention` has the attention of
    each choice to each word, (members, choices, l). With `pauses` the call returns after the
    encoding and after each round.
    """
    words, members = batch.words, batch.members
    if members.registers[0, READ] == UNREAD:
        begin(model, batch)
        if pauses:
            return PAUSED
    hidden = np.empty(words.values.shape[1], np.float32)
    while True:
        live, count = np.empty(len(members.registers), np.int64), 0
        for member in range(len(members.registers)):
            if members.registers[member, ENDING] != OPEN:
                continue
            status = settle(member, model, batch)
            if status != CONTINUE:
                return status
            if members.registers[member, ENDING] == OPEN:
                live[count] = member
                count += 1
        if not count:
            return FINISHED
        status = CONTINUE
        while status == CONTINUE:
            status = read_runs(live[:count], model, batch)
        if status != FINISHED:
            return status
        linear = linear_parts(live[:count], model.net, members)
        for number in range(count):
            member = live[number]
            weights = attention[member, members.registers[member, CHOICES]]
            hidden_vector(member, linear[number], words, members, hidden, weights)
            status = choose(member, model, members, hidden)
            if status != CONTINUE:
                return status
        if pauses:
            return PAUSED
